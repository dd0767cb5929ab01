"""What the pages of the lists read: editions, rows with filters and sorting, events between editions, errata."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import (
    Case,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Sum,
    Value,
    When,
)
from django.utils import timezone

from federation.core.names import fold_key
from federation.registry.models import Club, Event, FederationSettings, Publication, Season
from federation.registry.queries.categories import in_category
from federation.registry.queries.publication import is_named, is_named_in_full
from ratings.models import Erratum, LedgerRow, ListRow, ListState, PublishedList, RatingSystem, RunEvent

RANKED: Final = "ranked"
STATES: Final = ("ranked", "waiting", "provisional", "inactive")
MAX_QUERY: Final = 80


@dataclass(frozen=True, slots=True)
class ListFilters:
    """What a reader has chosen; empty text means everything."""

    club: str = ""
    state: str = ""
    category: str = ""
    text: str = ""

    @property
    def any(self) -> bool:
        """Whether anything is filtered."""
        return bool(self.club or self.state or self.category or self.text)


def rating_system(discipline: str) -> RatingSystem | None:
    """The rating of a discipline with its list in force, in one query; None before the site is set up."""
    return (
        RatingSystem.objects.filter(discipline__code=discipline)
        .select_related("discipline", "current_list__season", "current_list__rule_set", "current_list__run")
        .defer("current_list__run__opening", "current_list__run__warnings")
        .order_by("id")
        .first()
    )


def published_lists(system: RatingSystem) -> QuerySet[PublishedList]:
    """Published editions, newest first."""
    return (
        PublishedList.objects.filter(system=system, state=ListState.PUBLISHED)
        .select_related("season", "rule_set", "corrects__season", "erratum")
        .order_by("-number")
    )


def published_list(system: RatingSystem, number: int) -> PublishedList | None:
    """One published edition with what its header needs, in one query."""
    return (
        PublishedList.objects.filter(system=system, state=ListState.PUBLISHED, number=number)
        .select_related("season", "rule_set", "run", "previous__season", "corrects__season", "erratum")
        .defer("run__opening", "run__warnings")
        .first()
    )


def errata_of(edition: PublishedList) -> QuerySet[Erratum]:
    """Errata that replaced an edition, oldest first."""
    return edition.errata.select_related("corrected_list__season").order_by("published_at", "id")


def last_list_of(system: RatingSystem, season: Season) -> PublishedList | None:
    """The last published edition of a season."""
    return published_lists(system).filter(season=season).first()


_PART: Final = Case(When(status=RANKED, then=Value(0)), default=Value(1), output_field=IntegerField())
_LOSSES: Final = ExpressionWrapper(F("games") * 2 - F("wins"), output_field=IntegerField())


def _share(wins: str, games: str) -> Case:
    """Share of the points won, null without games."""
    return Case(When(**{f"{games}__gt": 0}, then=F(wins) * 0.5 / F(games)), default=None, output_field=FloatField())


def last_list_before(system: RatingSystem, season: Season) -> PublishedList | None:
    """The last published edition of the nearest earlier season that has one."""
    return published_lists(system).filter(season__starts_on__lt=season.starts_on).first()


#: What a public name is made of.
_NAMING: Final = (
    *("number", "state", "given_name", "family_name", "latin_given_name", "latin_family_name"),
    *("birth_year", "publication"),
)


def rows_of(edition: PublishedList) -> QuerySet[ListRow]:
    """Rows of an edition in printed order, with the people, clubs and last events that the page names.

    Adds ``part`` (0 ranked, 1 waiting), ``losses`` in half points, and ``share`` and ``season_share`` of the points.
    """
    return (
        ListRow.objects.filter(list=edition)
        .select_related("person__merged_into", "club", "last_event")
        .only(
            *("id", "list_id", "order", "status", "active", "position", "rating", "title", "games", "wins"),
            *("season_games", "season_wins", "last_season", "debut", "progress", "games_since", "wins_since"),
            *("corrected", "moved", "mark", "recent", "club__name", "club__slug", "last_event__slug"),
            *("last_event__name", "last_event__rating_date", "person__number", "person__state"),
            *("person__given_name", "person__family_name", "person__latin_given_name", "person__latin_family_name"),
            *("person__birth_year", "person__publication", "person__sort_key"),
            *(f"person__merged_into__{name}" for name in _NAMING),
        )
        .annotate(
            part=_PART,
            losses=_LOSSES,
            share=_share("wins", "games"),
            season_share=_share("season_wins", "season_games"),
        )
        .order_by("order", "id")
    )


def filtered_rows(rows: QuerySet[ListRow], filters: ListFilters, season: Season) -> QuerySet[ListRow]:
    """Rows that a reader has chosen.

    A club never finds a nameless player. Text and categories never find a person whose full name is not public: no
    guess of name, sex or age may be confirmed by the list. Such rows are found by the player's number. Give categories
    of age for the list in force alone: the season in which somebody comes of an age would tell the year of birth.
    """
    if filters.club:
        rows = rows.filter(of_named_people(), club__slug=filters.club)
    if filters.state == "waiting":
        rows = rows.exclude(status=RANKED)
    elif filters.state:
        rows = rows.filter(status=filters.state)
    if filters.category:
        rows = rows.filter(in_category(filters.category, season.start_year, "person__"), _in_categories())
    if filters.text:
        rows = rows.filter(_matches(filters.text))
    return rows


def _for_the_record_that_counts(condition: Callable[[str], Q]) -> Q:
    """A condition on the person of a row, and on the record it was merged into since the list was made."""
    return condition("person__") & (Q(person__merged_into__isnull=True) | condition("person__merged_into__"))


def of_named_people() -> Q:
    """Rows of people who are shown with a name, were it initials; of the others the club is not shown either."""
    return _for_the_record_that_counts(is_named)


def of_people_named_in_full() -> Q:
    """Rows of people whose full name is public."""
    return _for_the_record_that_counts(is_named_in_full)


def _in_categories() -> Q:
    """Rows of people who have not asked for less than their age allows; minors are among them."""

    def shown(path: str) -> Q:
        return is_named(path) & ~Q(**{f"{path}publication": Publication.INITIALS})

    return _for_the_record_that_counts(shown)


def _matches(text: str) -> Q:
    """A number, or all words of a name in any order, accents and alphabet aside."""
    number = text.strip().lstrip("#")
    by_number = Q(person__number=int(number)) if number.isascii() and number.isdigit() and len(number) < 10 else Q()
    words = fold_key(text).split()
    if not words:
        return by_number or Q(pk__in=())
    by_name = of_people_named_in_full()
    for word in words:
        by_name &= Q(person__fold_key__contains=word)
    return by_number | by_name if by_number else by_name


def row_counts(rows: QuerySet[ListRow]) -> dict[str, int]:
    """Rows by state, in one query."""
    return dict(rows.order_by().values_list("status").annotate(number=Count("id")))


def names_version(edition: PublishedList) -> str:
    """A text that changes whenever a name on an edition may be shown in another way; one query."""
    found = ListRow.objects.filter(list=edition).aggregate(
        versions=Sum("person__version"),
        merged=Count("person__merged_into"),
        kept=Sum("person__merged_into__version"),
    )
    year = timezone.localdate().year
    return f"{found['versions']}/{found['merged']}/{found['kept']}/{year}/{FederationSettings.adult_age_in_force}"


def clubs_of(edition: PublishedList) -> list[Club]:
    """Clubs with a row on an edition, by name."""
    rows = ListRow.objects.filter(list=edition, club=OuterRef("pk"))
    return list(Club.objects.filter(Exists(rows)).order_by("name", "id"))


def run_events(edition: PublishedList) -> QuerySet[RunEvent]:
    """Events that an edition includes and that count, in rating order."""
    return RunEvent.objects.filter(
        run_id=edition.run_id, position__lt=edition.position, rated_event__eligible=True
    ).order_by("position")


def events_since(edition: PublishedList) -> QuerySet[RunEvent]:
    """Events that count on an edition and did not on the one it is compared with, in rating order."""
    included = (
        run_events(edition)
        .select_related("rated_event__event")
        .only("position", "rated_event__event__name", "rated_event__event__slug", "rated_event__event__ends_on")
    )
    if edition.previous is None:
        return included
    before = run_events(edition.previous).order_by().values("rated_event__event_id")
    return included.exclude(rated_event__event_id__in=before)


def accounts_since(edition: PublishedList, people: Collection[int], events: Iterable[Event]) -> dict[int, list[Event]]:
    """For people of a page, the events since the previous edition in which they have an account; one query."""
    by_id = {event.pk: event for event in events}
    found: dict[int, list[Event]] = {}
    rows = LedgerRow.objects.filter(
        person__in=people,
        rated_event__event__in=by_id,
        rated_event__run_events__run_id=edition.run_id,
        rated_event__run_events__position__lt=edition.position,
    ).values_list("person_id", "rated_event__event_id")
    for person, event in rows.order_by("rated_event__run_events__position", "id"):
        found.setdefault(person, []).append(by_id[event])
    return found


def editions(system: RatingSystem) -> list[PublishedList]:
    """Published editions with number, day and season only, newest first; for choosing one."""
    return list(
        PublishedList.objects.filter(system=system, state=ListState.PUBLISHED)
        .select_related("season")
        .only("number", "as_of", "kind", "season__code", "season__starts_on")
        .order_by("-number", "-id")
    )


def seasons_with_lists(system: RatingSystem) -> list[Season]:
    """Seasons that have a published edition, newest first."""
    lists = PublishedList.objects.filter(system=system, state=ListState.PUBLISHED, season=OuterRef("pk"))
    return list(Season.objects.filter(Exists(lists)).order_by("-starts_on", "id"))


def all_errata(system: RatingSystem) -> QuerySet[Erratum]:
    """Errata, newest first."""
    return (
        Erratum.objects.filter(corrected_list__system=system)
        .select_related("corrected_list__season", "replaced_list__season")
        .order_by("-published_at", "-id")
    )


def erratum(system: RatingSystem, number: str) -> Erratum | None:
    """One erratum with both lists."""
    return (
        Erratum.objects.filter(corrected_list__system=system, number=number)
        .select_related("corrected_list__season", "replaced_list__season", "corrected_list__published_by")
        .first()
    )
