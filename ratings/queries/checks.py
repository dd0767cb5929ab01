"""What staff look at before they close or open a season."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from django.db.models import Count

from federation.jobs.models import ACTIVE_STATES, Job
from federation.registry.models import Event, EventState, Person, PersonState, Season, SeasonState
from federation.uploads.models import Upload, UploadState
from ratings.models import Correction, ListKind, ListState, PublishedList, RatedEvent, RatingSystem
from ratings.queries.runs import last_run

Severity = Literal["fine", "notice", "warning", "error"]

JOB_PREFIX: Final = "ratings."
_NAMED: Final = 50
_UNAPPROVED: Final = (EventState.DRAFT, EventState.OPEN, EventState.SUBMITTED)


@dataclass(frozen=True, slots=True)
class CheckItem:
    """One thing that a check found.

    Attributes:
        label: Name of the event, person or upload.
        url_name, url_args: Page where it is mended.
        detail: Code or reason codes.
    """

    label: str
    url_name: str = ""
    url_args: tuple[Any, ...] = ()
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a season.

    Attributes:
        code: Stable code; the page has its texts.
        severity: ``fine``; ``notice``, good to know; ``warning``, a person decides; ``error``, publishing is refused.
        count: How many things were found.
        items: The first of them.
    """

    code: str
    severity: Severity
    count: int = 0
    items: tuple[CheckItem, ...] = field(default_factory=tuple)

    def as_json(self) -> dict[str, Any]:
        """Give plain values to be kept with the task."""
        data = asdict(self)
        data["items"] = [
            dict(item) | {"url_args": list(item["url_args"]), "detail": list(item["detail"])} for item in data["items"]
        ]
        return data


def season_checks(season: Season, *, today: dt.date, system: RatingSystem | None = None) -> list[Check]:
    """Return everything that is worth a look before a season is closed, in a fixed order.

    Args:
        season: The season.
        today: The day on which the question is asked.
        system: The rating system, by default the one of the season's discipline.
    """
    row = system or RatingSystem.objects.filter(discipline=season.discipline_id).order_by("pk").first()
    checks = [
        _season_over(season, today),
        _earlier_seasons(season),
        _events_without_approval(season),
        _uploads_waiting(season),
        _provisional_persons(season),
        _namesakes(season),
    ]
    if row is not None:
        checks += [
            _ineligible_events(row, season),
            _open_corrections(season),
            _stale(row),
            _jobs(),
            _already_closed(row, season),
        ]
    return checks


def _found(code: str, severity: Severity, items: Iterable[CheckItem]) -> Check:
    found = tuple(items)
    return Check(code, severity if found else "fine", len(found), found[:_NAMED])


def _season_over(season: Season, today: dt.date) -> Check:
    return Check("season_not_over", "warning" if season.ends_on >= today else "fine", int(season.ends_on >= today))


def _earlier_seasons(season: Season) -> Check:
    earlier = Season.objects.filter(
        discipline=season.discipline_id, ends_on__lt=season.starts_on, state=SeasonState.OPEN
    ).order_by("starts_on", "pk")
    return _found("earlier_season_open", "warning", (CheckItem(row.code) for row in earlier))


def _events_without_approval(season: Season) -> Check:
    events = Event.objects.filter(season=season, state__in=_UNAPPROVED).order_by("rating_date", "sequence", "pk")
    return _found(
        "events_not_approved",
        "warning",
        (
            CheckItem(name, "scrabble-desk-event", (slug,), (state,))
            for name, slug, state in events.values_list("name", "slug", "state")
        ),
    )


def _uploads_waiting(season: Season) -> Check:
    uploads = Upload.objects.filter(state=UploadState.CHECKED, event__season=season).order_by("created_at", "pk")
    return _found(
        "uploads_waiting",
        "warning",
        (CheckItem(name, "upload-detail", (pk,)) for name, pk in uploads.values_list("event__name", "pk")),
    )


def _provisional_persons(season: Season) -> Check:
    people = (
        Person.objects.filter(state=PersonState.PROVISIONAL, entries__event__season=season)
        .distinct()
        .order_by("sort_key", "number")
    )
    return _found(
        "persons_provisional",
        "warning",
        (CheckItem(str(person), "person-detail", (person.number,)) for person in people),
    )


def _namesakes(season: Season) -> Check:
    """Find records of the same name that played in the season: one person twice, or two people."""
    names = (
        Person.objects.filter(merged_into=None)
        .exclude(fold_key="")
        .exclude(state=PersonState.ANONYMISED)
        .values("fold_key")
        .annotate(records=Count("pk"))
        .filter(records__gt=1)
        .values("fold_key")
    )
    people = (
        Person.objects.filter(merged_into=None, fold_key__in=names, entries__event__season=season)
        .distinct()
        .order_by("sort_key", "number")
    )
    return _found(
        "persons_of_one_name",
        "warning",
        (CheckItem(str(person), "person-detail", (person.number,)) for person in people),
    )


def _ineligible_events(system: RatingSystem, season: Season) -> Check:
    """Name the events of the season that the last run did not count, with their reasons."""
    run = last_run(system)
    events = (
        RatedEvent.objects.filter(run_events__run=run, event__season=season, eligible=False)
        .order_by("run_events__position")
        .values_list("event__name", "event__slug", "reasons")
        if run
        else []
    )
    return _found(
        "events_not_counted",
        "notice",
        (CheckItem(name, "scrabble-desk-event", (slug,), tuple(reasons)) for name, slug, reasons in events),
    )


def _open_corrections(season: Season) -> Check:
    waiting = Correction.objects.filter(state=Correction.State.PROPOSED, event__season=season).order_by("pk")
    return _found(
        "corrections_waiting",
        "warning",
        (
            CheckItem(name, "scrabble-desk-event", (slug,))
            for name, slug in waiting.values_list("event__name", "event__slug")
        ),
    )


def _stale(system: RatingSystem) -> Check:
    run = last_run(system)
    stale = system.dirty_date is not None or run is None or run.facts_version != system.facts_version
    return Check("results_changed", "notice" if stale else "fine", int(stale))


def _jobs() -> Check:
    jobs = Job.objects.filter(kind__startswith=JOB_PREFIX, state__in=ACTIVE_STATES).order_by("pk")
    return _found(
        "jobs_running", "notice", (CheckItem(f"{job.title} {job.key}".strip(), "job-detail", (job.pk,)) for job in jobs)
    )


def _already_closed(system: RatingSystem, season: Season) -> Check:
    lists = PublishedList.objects.filter(
        system=system, season=season, kind=ListKind.CLOSE, state=ListState.PUBLISHED
    ).order_by("number")
    return _found(
        "season_closed_before",
        "notice",
        (CheckItem(str(row), "scrabble-list", (season.code, row.number)) for row in lists),
    )


def due_seasons(system: RatingSystem, today: dt.date) -> list[Season]:
    """Return the seasons that have ended, are not closed and have an approved event, oldest first."""
    return list(
        Season.objects.filter(
            discipline=system.discipline_id,
            ends_on__lt=today,
            state=SeasonState.OPEN,
            events__state=EventState.APPROVED,
        )
        .distinct()
        .order_by("starts_on", "pk")
    )
