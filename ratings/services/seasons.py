"""Closing and opening seasons, and editions in between: prepared by a job, published by a person.

Every step may be taken twice: preparing again gives the same draft, publishing again the same list.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from federation.audit.services import record
from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.jobs.services import JobContext, enqueue
from federation.registry.models import Season, SeasonState
from ratings.models import ListKind, PublishedList, RatingSystem, SeasonTask
from ratings.queries.checks import Check, CheckItem
from ratings.queries.checks import due_seasons as due_seasons
from ratings.queries.checks import season_checks as checks_of
from ratings.queries.runs import last_run
from ratings.services.lists import draft_list, list_difference, publish_list
from ratings.services.passes import end_first_pass, second_pass
from ratings.services.runs import compute_run, current_system, lock_system

__all__ = [
    "Check",
    "CheckItem",
    "is_prepared",
    "prepare_close",
    "prepare_due_closes",
    "prepare_edition",
    "prepare_opening",
    "publish_close",
    "publish_opening",
    "published_by_task",
    "reopen_season",
    "request_recompute",
    "season_checks",
    "system_of",
]

CLOSE_JOB: Final = "ratings.close_season"
OPEN_JOB: Final = "ratings.open_season"
EDITION_JOB: Final = "ratings.edition"
RECOMPUTE_JOB: Final = "ratings.recompute"

_LIST_KINDS: Final = {SeasonTask.Kind.CLOSE: ListKind.CLOSE, SeasonTask.Kind.OPEN: ListKind.OPENING}


def system_of(season: Season) -> RatingSystem:
    """Return the rating system of the discipline of a season.

    Raises:
        RuleError: `season_without_rating`.
    """
    system = RatingSystem.objects.filter(discipline=season.discipline_id).order_by("pk").first()
    if system is None:
        raise RuleError("season_without_rating", {"season": str(season)})
    return system


def season_checks(season: Season) -> list[Check]:
    """Return everything that is worth a look before a season is closed, as of today."""
    return checks_of(season, today=timezone.localdate())


# ---- preparing ----------------------------------------------------------------------------------


def prepare_close(*, season: Season, actor: Any) -> Job:
    """Ask for the last list of a season: checks, run and draft, by a job.

    Raises:
        RuleError: `season_closed`, it is closed already; `season_without_rating`.
    """
    if Season.objects.get(pk=season.pk).state == SeasonState.CLOSED:
        raise RuleError("season_closed", {"season": str(season)})
    return _prepare(season, SeasonTask.Kind.CLOSE, actor)


def prepare_opening(*, season: Season, actor: Any) -> Job:
    """Ask for the first list of a season: run and draft, by a job. It names who turns inactive.

    Raises:
        RuleError: `season_opened`, its first list is published already; `earlier_season_open`, a season before it is
            not closed; `season_closed`; `season_without_rating`.
    """
    row = Season.objects.get(pk=season.pk)
    if row.state == SeasonState.CLOSED:
        raise RuleError("season_closed", {"season": str(season)})
    if SeasonTask.objects.filter(season=row, kind=SeasonTask.Kind.OPEN, state=SeasonTask.State.PUBLISHED).exists():
        raise RuleError("season_opened", {"season": str(season)})
    earlier = Season.objects.filter(
        discipline=row.discipline_id, ends_on__lt=row.starts_on, state=SeasonState.OPEN
    ).order_by("-starts_on")
    if before := earlier.first():
        raise RuleError("earlier_season_open", {"season": str(before)})
    return _prepare(row, SeasonTask.Kind.OPEN, actor)


def _prepare(season: Season, kind: SeasonTask.Kind, actor: Any) -> Job:
    system = system_of(season)
    with transaction.atomic():
        Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        task, _ = SeasonTask.objects.get_or_create(season=season, system=system, kind=kind)
        job = enqueue(
            kind=CLOSE_JOB if kind == SeasonTask.Kind.CLOSE else OPEN_JOB,
            key=season.code,
            params={"season": season.pk},
            actor=actor,
        )
        if task.job_id != job.pk:
            task.job, task.state = job, SeasonTask.State.PREPARING
            task.save(update_fields=["job", "state"])
            record(action="season.prepared", obj=season, actor=actor, after={"task": task.kind, "job": job.pk})
    return job


def prepare_edition(*, season: Season, as_of: dt.date, actor: Any) -> Job:
    """Ask for a regular list of a season as of a day, by a job; its result names the draft.

    Raises:
        RuleError: `season_closed`: its last list is published, later ones are corrections; `date_outside_season`;
            `season_without_rating`.
    """
    if Season.objects.get(pk=season.pk).state == SeasonState.CLOSED:
        raise RuleError("season_closed", {"season": str(season)})
    if not season.starts_on <= as_of <= season.ends_on:
        raise RuleError("date_outside_season", {"season": str(season), "date": as_of.isoformat()})
    system_of(season)
    return enqueue(
        kind=EDITION_JOB,
        key=f"{season.code} {as_of.isoformat()}",
        params={"season": season.pk, "as_of": as_of.isoformat()},
        actor=actor,
    )


def request_recompute(*, actor: Any, full: bool = False) -> Job:
    """Ask for a run, by a job."""
    system = current_system()
    return enqueue(kind=RECOMPUTE_JOB, key=system.code, params={"system": system.pk, "full": full}, actor=actor)


def prepare_due_closes(*, today: dt.date | None = None) -> list[Job]:
    """Prepare the close of every season that has ended, unless a fresh draft waits already. Publishes nothing."""
    day = today or timezone.localdate()
    jobs = []
    for system in RatingSystem.objects.order_by("pk"):
        jobs += [
            prepare_close(season=season, actor=None) for season in due_seasons(system, day) if not is_prepared(season)
        ]
    return jobs


def is_prepared(season: Season, kind: str = SeasonTask.Kind.CLOSE) -> bool:
    """Whether a draft waits that was made from the facts as they are."""
    task = SeasonTask.objects.filter(season=season, kind=kind).select_related("draft__run", "system").first()
    if task is None or task.draft is None or task.state != SeasonTask.State.PREPARED:
        return False
    newest = last_run(task.system)
    return (
        task.system.dirty_date is None
        and newest is not None
        and newest.pk == task.draft.run_id
        and newest.facts_version == task.system.facts_version
        and task.draft.counts.get("in_force") == task.system.current_list_id
    )


# ---- work of the jobs ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a preparation made, for the job's result."""

    run: int
    draft: int
    changed: int
    turned_inactive: list[int]
    second_pass: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Give plain values."""
        return {
            "run": self.run,
            "draft": self.draft,
            "changed": self.changed,
            "turned_inactive": self.turned_inactive,
            "second_pass": self.second_pass,
        }


def run_season_task(context: JobContext, kind: SeasonTask.Kind) -> dict[str, Any]:
    """Do the work of a preparation: checks, run, draft, difference. May run twice with the same result."""
    season = Season.objects.get(pk=context.params["season"])
    system = system_of(season)
    checks = season_checks(season)
    run = compute_run(system=system, job=context, actor=context.actor)
    with context.finishing() as job:
        lock_system(system.pk)
        task = SeasonTask.objects.select_for_update(no_key=True).get(season=season, system=system, kind=kind)
        if task.state == SeasonTask.State.PUBLISHED:
            return {"run": run.pk, "draft": task.draft_id}
        draft = draft_list(
            run=run,
            season=season,
            as_of=season.ends_on if kind == SeasonTask.Kind.CLOSE else season.starts_on,
            kind=_LIST_KINDS[kind],
            actor=context.actor,
        )
        end_first_pass(job, draft)
    agreed = second_pass(context, draft)
    with context.finishing():
        lock_system(system.pk)
        task = SeasonTask.objects.select_for_update(no_key=True).get(season=season, system=system, kind=kind)
        if task.state == SeasonTask.State.PUBLISHED:
            return {"run": run.pk, "draft": task.draft_id}
        _require_draft(draft)
        task.checks = [check.as_json() for check in checks]
        task.draft, task.state, task.job = draft, SeasonTask.State.PREPARED, context.job
        task.prepared_at, task.prepared_by = timezone.now(), context.actor
        task.save()
        prepared = _prepared(system, draft, agreed)
    return prepared.as_json()


def _require_draft(draft: PublishedList) -> None:
    """Stop if the draft was withdrawn or replaced while it was recomputed."""
    if not PublishedList.objects.filter(pk=draft.pk).exists():
        raise RuleError("draft_replaced")


def run_edition(context: JobContext) -> dict[str, Any]:
    """Do the work of a regular edition: run and draft."""
    season = Season.objects.get(pk=context.params["season"])
    system = system_of(season)
    run = compute_run(system=system, job=context, actor=context.actor)
    with context.finishing() as job:
        draft = draft_list(
            run=run,
            season=season,
            as_of=dt.date.fromisoformat(context.params["as_of"]),
            kind=ListKind.REGULAR,
            actor=context.actor,
        )
        end_first_pass(job, draft)
    agreed = second_pass(context, draft)
    with context.finishing():
        _require_draft(draft)
        prepared = _prepared(system, draft, agreed)
    return prepared.as_json()


def run_recompute(context: JobContext) -> dict[str, Any]:
    """Do the work of a recomputation."""
    system = RatingSystem.objects.get(pk=context.params["system"])
    run = compute_run(system=system, job=context, actor=context.actor, full=bool(context.params.get("full")))
    return {"run": run.pk, "fingerprint": run.fingerprint, "outcome": run.outcome}


def _prepared(system: RatingSystem, draft: PublishedList, agreed: dict[str, Any]) -> Prepared:
    """Compare a draft with the list in force."""
    in_force = PublishedList.objects.filter(pk=draft.counts.get("in_force")).first()
    lines = list_difference(in_force, draft) if in_force else []
    return Prepared(
        run=draft.run_id,
        draft=draft.pk,
        changed=sum(line.changed for line in lines),
        turned_inactive=[line.person for line in lines if line.reason == "turned_inactive"],
        second_pass=agreed,
    )


# ---- publishing ---------------------------------------------------------------------------------


def publish_close(*, season: Season, actor: Any, draft: int | None = None) -> PublishedList:
    """Publish the last list of a season and close the season; a second time nothing happens.

    Args:
        season: The season.
        actor: Who publishes.
        draft: Key of the draft that the actor has looked at; another one is refused.

    Raises:
        RuleError: `not_prepared`, `draft_replaced`, and those of ``publish_list``.
    """
    return _publish(season, SeasonTask.Kind.CLOSE, actor, draft, SeasonState.CLOSED, "season.closed")


def publish_opening(*, season: Season, actor: Any, draft: int | None = None) -> PublishedList:
    """Publish the first list of a season and open the season; a second time nothing happens.

    Raises:
        RuleError: as ``publish_close``.
    """
    return _publish(season, SeasonTask.Kind.OPEN, actor, draft, SeasonState.OPEN, "season.opened")


def _publish(
    season: Season, kind: SeasonTask.Kind, actor: Any, seen: int | None, state: SeasonState, action: str
) -> PublishedList:
    system = system_of(season)
    with transaction.atomic():
        lock_system(system.pk)
        row = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        task = SeasonTask.objects.select_for_update(no_key=True).filter(season=row, kind=kind).first()
        if task is not None and task.state == SeasonTask.State.PUBLISHED and task.draft is not None:
            return task.draft
        if task is None or task.draft is None or task.state != SeasonTask.State.PREPARED:
            raise RuleError("not_prepared", {"season": str(season)})
        if seen is not None and seen != task.draft_id:
            raise RuleError("draft_replaced")
        published = publish_list(draft=task.draft, actor=actor)
        task.state, task.published_at = SeasonTask.State.PUBLISHED, published.published_at
        task.published_by = published.published_by
        task.save(update_fields=["state", "published_at", "published_by"])
        before, row.state = row.state, state
        row.save(update_fields=["state"])
        record(
            action=action,
            obj=row,
            actor=actor,
            before={"state": before},
            after={"state": row.state, "list": published.number},
        )
    season.state = row.state
    return published


def reopen_season(*, season: Season, actor: Any, reason: str) -> Season:
    """Open a closed season again, with a reason; its published lists stay. It can then be closed once more.

    Raises:
        RuleError: `reason_missing`; `season_not_closed`.
    """
    if not reason.strip():
        raise RuleError("reason_missing")
    with transaction.atomic():
        row = Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        if row.state != SeasonState.CLOSED:
            raise RuleError("season_not_closed", {"season": str(season)})
        row.state = SeasonState.OPEN
        row.save(update_fields=["state"])
        SeasonTask.objects.filter(season=row, kind=SeasonTask.Kind.CLOSE).update(
            state=SeasonTask.State.PREPARING, draft=None, published_at=None, published_by=None
        )
        record(
            action="season.reopened",
            obj=row,
            actor=actor,
            reason=reason.strip(),
            before={"state": SeasonState.CLOSED},
            after={"state": SeasonState.OPEN},
        )
    return row


def published_by_task(season: Season, kind: str) -> PublishedList | None:
    """Return the list that closed or opened a season, None if it is not published."""
    task = SeasonTask.objects.filter(season=season, kind=kind, state=SeasonTask.State.PUBLISHED).first()
    return task.draft if task else None
