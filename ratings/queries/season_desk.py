"""What the pages of the seasons read: seasons with their lists and tasks, drafts, who may publish them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from federation.accounts.models import Role, User
from federation.jobs.models import ACTIVE_STATES, Job
from federation.registry.models import Event, Season, SeasonState
from ratings.models import ListRow, ListState, PublishedList, RatingRun, RatingSystem, SeasonTask
from ratings.queries.difference import Difference
from ratings.queries.runs import last_run

#: Reasons that stand for nothing if the opening ratings are the same on both lists.
_OF_OPENING: Final = ("opening_changed", "no_longer_listed")


@dataclass(slots=True)
class SeasonLine:
    """One season with what was published in it and what waits."""

    season: Season
    lists: list[PublishedList] = field(default_factory=list)
    drafts: list[PublishedList] = field(default_factory=list)
    close: SeasonTask | None = None
    open: SeasonTask | None = None
    is_due: bool = False


def season_lines(system: RatingSystem, today: dt.date) -> list[SeasonLine]:
    """Return the seasons of a rating, newest first, in three queries.

    Args:
        system: The rating.
        today: The day by which a season is over and its close is due.
    """
    seasons = Season.objects.filter(discipline=system.discipline_id).order_by("-starts_on", "pk")
    lines = {season.pk: SeasonLine(season, is_due=is_due(season, today)) for season in seasons}
    editions = PublishedList.objects.filter(system=system).order_by("-number", "-pk")
    for one in editions.select_related("season", "created_by", "corrects"):
        line = lines[one.season_id]
        (line.lists if one.state == ListState.PUBLISHED else line.drafts).append(one)
    for task in SeasonTask.objects.filter(system=system).select_related("job").order_by("pk"):
        if task.kind == SeasonTask.Kind.CLOSE:
            lines[task.season_id].close = task
        else:
            lines[task.season_id].open = task
    return list(lines.values())


def is_due(season: Season, today: dt.date) -> bool:
    """Whether a season is over and not closed."""
    return season.state == SeasonState.OPEN and season.ends_on < today


def season_of(system: RatingSystem, code: str) -> Season | None:
    """Return a season of a rating by its code."""
    return Season.objects.filter(discipline=system.discipline_id, code=code).first()


def following_season(season: Season) -> Season | None:
    """Return the season after one, None if nobody has entered it."""
    return (
        Season.objects.filter(discipline=season.discipline_id, starts_on__gt=season.ends_on)
        .order_by("starts_on", "pk")
        .first()
    )


def earlier_open_season(season: Season) -> Season | None:
    """Return the nearest season before one that is not closed."""
    return (
        Season.objects.filter(discipline=season.discipline_id, ends_on__lt=season.starts_on, state=SeasonState.OPEN)
        .order_by("-starts_on", "pk")
        .first()
    )


def season_task(season: Season, kind: str) -> SeasonTask | None:
    """Return the close or the opening of a season with its job."""
    return (
        SeasonTask.objects.filter(season=season, kind=kind).select_related("job", "prepared_by", "published_by").first()
    )


def edition_job(season: Season, kind: str) -> Job | None:
    """Return the last job that prepared a regular list of a season."""
    return Job.objects.filter(kind=kind, key__startswith=f"{season.code} ").order_by("-created_at", "-pk").first()


def draft_of(*, pk: int | None = None, season: Season | None = None, kind: str = "") -> PublishedList | None:
    """Return one list with what its page says, by key or as the newest draft of a kind in a season."""
    rows = PublishedList.objects.select_related(
        "system", "season", "rule_set", "run", "created_by", "published_by", "corrects__season", "erratum"
    ).defer("run__opening", "run__warnings")
    if pk is not None:
        return rows.filter(pk=pk).first()
    return rows.filter(season=season, kind=kind, state=ListState.DRAFT).order_by("-pk").first()


def later_list(system: RatingSystem, as_of: dt.date) -> PublishedList | None:
    """Return the list in force if it stays in force beside a list of an earlier day."""
    edition = system.current_list
    return edition if edition is not None and edition.as_of > as_of else None


def compared_list(draft: PublishedList) -> PublishedList | None:
    """Return the list that was in force when a draft was made."""
    return (
        PublishedList.objects.select_related("season", "run")
        .defer("run__opening", "run__warnings")
        .filter(pk=draft.counts.get("in_force"))
        .first()
    )


def is_fresh(draft: PublishedList) -> bool:
    """Whether facts, last run and list in force are those from which a draft was made."""
    system = RatingSystem.objects.get(pk=draft.system_id)
    newest = last_run(system)
    return (
        system.dirty_date is None
        and newest is not None
        and newest.pk == draft.run_id
        and newest.facts_version == system.facts_version
        and draft.counts.get("in_force") == system.current_list_id
    )


def unexplained(lines: Iterable[Difference], draft: PublishedList) -> list[Difference]:
    """Return the lines of a difference that nothing explains: no event, no correction, no other opening rating.

    Args:
        lines: Difference between the list in force and the draft.
        draft: The draft.
    """
    suspect = [line for line in lines if line.reason in _OF_OPENING and not line.corrected]
    if not suspect:
        return []
    in_force = PublishedList.objects.filter(pk=draft.counts.get("in_force")).values_list("run_id", flat=True).first()
    runs = {draft.run_id, in_force or draft.run_id}
    openings = {bytes(blob) for blob in RatingRun.objects.filter(pk__in=runs).values_list("opening", flat=True)}
    return suspect if len(openings) == 1 else []


def changed_since(system: RatingSystem) -> Event | None:
    """Return the event from which on results changed since the last run, None if there is none."""
    return Event.objects.filter(pk=system.dirty_event_id).first() if system.dirty_event_id else None


def publishers(draft: PublishedList) -> list[User]:
    """Return the accounts that may publish a list, without the one who prepared it."""
    return list(
        User.objects.filter(is_active=True, role_grants__role__in=(Role.RATINGS_OFFICER, Role.ADMINISTRATOR))
        .exclude(pk__in=[draft.created_by_id] if draft.created_by_id else [])
        .distinct()
        .order_by("last_name", "first_name", "username", "pk")
    )


def without_game_since(draft: PublishedList, start: int) -> int:
    """Count the ranked players of a list whose last game was played before the season of a starting year."""
    rows = ListRow.objects.filter(list=draft, status="ranked")
    return rows.filter(last_season__lt=start).count() + rows.filter(last_season=None).count()


def last_seasons(draft: PublishedList, people: Iterable[int]) -> dict[int, int | None]:
    """Return the starting year of the last season of some players of a list, in one query."""
    rows = ListRow.objects.filter(list=draft, person__in=list(people))
    return dict(rows.values_list("person_id", "last_season"))


def active_jobs(kinds: Sequence[str]) -> list[Job]:
    """Return the jobs of some kinds that wait or run."""
    return list(Job.objects.filter(kind__in=kinds, state__in=ACTIVE_STATES).order_by("pk"))


def drafts_waiting() -> int:
    """Count the drafts that wait for somebody to publish or withdraw them."""
    return PublishedList.objects.filter(state=ListState.DRAFT).count()
