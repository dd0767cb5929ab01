"""What scrabble brings to the shell of the site: menu, front, results, marks, feed, search, the person's section."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from federation.registry.models import Event, Person
from federation.registry.publication import public_name
from federation.web import charts, menu
from federation.web.dates import long_date
from federation.web.menu import FeedItem, Hit, Mark, Result
from federation.web.numbers import halves, signed
from ratings.codes import DISCIPLINE
from ratings.models import PublishedList, RatingSystem
from ratings.presenters.events import event_page
from ratings.presenters.names import root_of
from ratings.presenters.rules import rules_of
from ratings.presenters.states import state_of
from ratings.queries import pages_events, pages_lists, pages_players, pages_reports

#: Rows of the list in force on the home page.
FRONT_ROWS = 5


def register() -> None:
    """Register all of it; called once, when the application is ready."""
    menu.register_discipline(
        DISCIPLINE,
        gettext_lazy("Scrabble"),
        "scrabble-ranking",
        subnav=[
            (gettext_lazy("Ranking"), "scrabble-ranking"),
            (gettext_lazy("Lists"), "scrabble-lists"),
            (gettext_lazy("Events"), "scrabble-events"),
            (gettext_lazy("Records"), "scrabble-records"),
            (gettext_lazy("Rules"), "scrabble-rules"),
        ],
        mark="m-scrabble",
    )
    menu.register_front(front)
    menu.register_results(results)
    menu.register_marks(marks)
    menu.register_feed(feed)
    menu.register_search(search)
    menu.register_person_figure(person_figure)
    menu.register_person_section(person_section)
    menu.register_event_address(DISCIPLINE, event_address)
    menu.register_footer_link(gettext_lazy("BARRUF rules"), "scrabble-rules")
    menu.register_footer_link(gettext_lazy("Errata"), "scrabble-errata")
    menu.register_open_data(
        gettext_lazy("BARRUF list in force"),
        gettext_lazy("Every figure of the ranking, CSV, XLSX or JSON"),
        "scrabble-ranking",
    )
    menu.register_open_data(
        gettext_lazy("Scrabble events"), gettext_lazy("Events with their state; each has its games"), "scrabble-events"
    )


def _system(request: HttpRequest | None) -> RatingSystem | None:
    """The rating, read once for one request."""
    if request is None:
        return pages_lists.rating_system(DISCIPLINE)
    known: dict[str, RatingSystem | None] = request.__dict__.setdefault("rating_systems", {})
    if DISCIPLINE not in known:
        known[DISCIPLINE] = pages_lists.rating_system(DISCIPLINE)
    return known[DISCIPLINE]


def list_address(edition: PublishedList) -> str:
    """Address of an edition whose season is loaded."""
    return reverse("scrabble-list", args=[edition.season.code, edition.number])


def event_address(event: Event) -> str:
    """Address of an event."""
    return reverse("scrabble-event", args=[event.slug])


def front(request: HttpRequest) -> tuple[str, dict[str, Any]] | None:
    """The first five of the list in force; ten, in two columns, where no other game shares the page."""
    rating = _system(request)
    if rating is None or rating.current_list is None:
        return None
    edition = rating.current_list
    language = get_language() or "en"
    columns = 2 if len(menu.fronts()) == 1 else 1
    rows = [
        (row, root_of(row.person), public_name(root_of(row.person), language))
        for row in pages_lists.rows_of(edition).filter(position__isnull=False)[: columns * FRONT_ROWS]
    ]
    context = {
        "edition": edition,
        "address": list_address(edition),
        "parts": [rows[start : start + FRONT_ROWS] for start in range(0, len(rows), FRONT_ROWS)],
        "ranked_count": edition.counts.get("ranked"),
    }
    return "ratings/_front.html", context


def results(request: HttpRequest, limit: int) -> Iterable[Result]:
    """Approved events with their winners, newest first; three queries however many."""
    rating = _system(request)
    if rating is None:
        return []
    events = list(
        pages_events.public_events(rating.discipline)
        .filter(state="approved", modality="classic")
        .order_by("-ends_on", "-sequence", "-id")[:limit]
    )
    games = pages_events.games_of_events(events)
    entries = pages_events.entries_of_events(events)
    return [_result(event, entries[event.pk], games[event.pk]) for event in events]


def _result(event: Event, entries: Sequence[Any], games: Sequence[Any]) -> Result:
    page = event_page(event, entries, games, {})
    first = [line for line in page.lines if line.place == 1 and line.points]
    winner = ", ".join(line.name for line in first[:2]) if len(first) < 3 else ""
    score = f"{halves(first[0].points)}/{len(page.rounds)}" if winner else ""
    return Result(event.ends_on, event.name, event_address(event), winner, score, len(page.lines), DISCIPLINE)


def marks(request: HttpRequest) -> Iterable[Mark]:
    """Largest rise and highest game of the season of the list in force."""
    rating = _system(request)
    if rating is None or rating.current_list is None:
        return []
    edition = rating.current_list
    language = get_language() or "en"
    found = []
    for row in pages_reports.largest_rises(edition, edition.season, 1):
        person = row.person.merged_into or row.person
        event = row.rated_event.event
        if row.change > 0:
            found.append(
                Mark(
                    _("Largest rise in one event"),
                    signed(row.change),
                    _("%(name)s, %(before)s to %(after)s")
                    % {"name": public_name(person, language), "before": row.before, "after": row.after},
                    DISCIPLINE,
                    reverse("scrabble-account", args=[event.slug, person.number]),
                )
            )
    for scored in pages_reports.highest_games(edition, edition.season, 1):
        game = scored.game
        is_a = (game.score_a or 0) >= (game.score_b or 0)
        entry = game.a if is_a or game.b is None else game.b
        person = entry.person.merged_into or entry.person
        found.append(
            Mark(
                _("Highest game"),
                str(scored.points),
                _("%(name)s, %(event)s") % {"name": public_name(person, language), "event": game.event.name},
                DISCIPLINE,
                event_address(game.event),
            )
        )
    return found


def feed(request: HttpRequest, limit: int) -> Iterable[FeedItem]:
    """Published lists and errata, newest first."""
    rating = _system(request)
    if rating is None:
        return []
    items = [_list_item(one) for one in pages_lists.published_lists(rating)[:limit]]
    items += [
        FeedItem(
            key=f"scrabble-erratum-{one.number}",
            at=one.published_at,
            title=_("Erratum %(number)s: BARRUF list %(list)s")
            % {"number": one.number, "list": one.replaced_list.number},
            href=reverse("scrabble-erratum", args=[one.number]),
            summary=one.reason,
            discipline=DISCIPLINE,
        )
        for one in pages_lists.all_errata(rating)[:limit]
    ]
    return sorted(items, key=lambda item: (item.at, item.key), reverse=True)[:limit]


def _list_item(one: PublishedList) -> FeedItem:
    return FeedItem(
        key=f"scrabble-list-{one.number}",
        at=one.published_at or one.created_at,
        title=_("BARRUF list %(number)s, as of %(day)s") % {"number": one.number, "day": long_date(one.as_of)},
        href=list_address(one),
        summary=str(one.get_kind_display()),
        discipline=DISCIPLINE,
    )


def search(query: str, language: str, limit: int) -> Sequence[Hit]:
    """Lists by their number or season, and errata by theirs."""
    rating = _system(None)
    words = query.split()
    if rating is None or not words:
        return []
    numbers = {word for word in words if word.isascii() and word.isdigit() and len(word) < 7}
    codes = {word.replace("–", "-") for word in words if len(word) == 7}
    hits = [
        Hit(
            "list",
            _("BARRUF list %(number)s") % {"number": one.number},
            list_address(one),
            _("Season %(season)s, as of %(day)s") % {"season": one.season, "day": long_date(one.as_of, language)},
            DISCIPLINE,
        )
        for one in pages_lists.editions(rating)
        if str(one.number) in numbers or one.season.code in codes
    ]
    return hits[:limit]


def person_figure(request: HttpRequest, person: Person) -> tuple[str, dict[str, Any]] | None:
    """The row of the table of figures in force."""
    rating = _system(request)
    if rating is None or rating.current_list is None:
        return None
    row = pages_players.list_row_of(person, rating.current_list)
    if row is None:
        return None
    context = {
        "row": row,
        "person": person,
        "edition": rating.current_list,
        "edition_address": list_address(rating.current_list),
        "state": state_of(row, rules_of(rating.current_list.rule_set)),
        "ranked_count": rating.current_list.counts.get("ranked"),
        "spark": charts.spark([int(value) for value in row.recent.split(",") if value]),
    }
    return "ratings/_person_figure.html", context


def person_section(request: HttpRequest, person: Person) -> tuple[str, dict[str, Any]] | None:
    """The last events of the player, with the way to the whole record."""
    rating = _system(request)
    if rating is None or rating.current_list is None:
        return None
    rows = list(pages_players.ledger_of(person, rating.current_list).reverse()[:FRONT_ROWS])
    if not rows:
        return None
    return "ratings/_person_section.html", {"rows": rows, "person": person, "edition": rating.current_list}
