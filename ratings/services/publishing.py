"""Publication of the draft that somebody has looked at, and everything that stands against it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.db import transaction

from federation.core.errors import RuleError
from federation.jobs.models import ACTIVE_STATES, Job, JobState
from federation.registry.models import Season
from federation.registry.queries.settings import federation_settings
from ratings.models import ListKind, ListState, PublishedList, SeasonTask
from ratings.queries.checks import Check
from ratings.queries.difference import Difference, list_difference
from ratings.queries.season_desk import is_fresh, unexplained
from ratings.services.lists import publish_list
from ratings.services.passes import VERIFY_JOB
from ratings.services.runs import lock_system
from ratings.services.seasons import publish_close, publish_opening, season_checks

_OF_SEASONS: Final = {ListKind.CLOSE: publish_close, ListKind.OPENING: publish_opening}


def obstacles(
    *, draft: PublishedList, actor: Any, lines: Sequence[Difference], checks: Iterable[Check] = ()
) -> list[RuleError]:
    """Return everything that stands against publishing a draft, in the order in which it is best mended.

    Args:
        draft: The draft, with ``run`` and ``system``.
        actor: Who would publish.
        lines: Its difference against the list in force.
        checks: Checks of its season.
    """
    found = []
    if Job.objects.filter(kind__startswith="ratings.", state__in=ACTIVE_STATES).exclude(kind=VERIFY_JOB).exists():
        found.append(RuleError("draft_in_work"))
    elif not is_checked(draft):
        found.append(RuleError("draft_unchecked"))
    if not is_fresh(draft):
        found.append(RuleError("draft_stale", {"prepared": draft.created_at.isoformat(timespec="minutes")}))
    if any(check.severity == "error" for check in checks):
        found.append(RuleError("checks_stop"))
    if count := len(unexplained(lines, draft)):
        found.append(RuleError("difference_unexplained", {"count": count}))
    if needs_second_person(draft, actor):
        found.append(RuleError("second_person_needed", {"name": str(actor)}))
    return found


def is_checked(draft: PublishedList) -> bool:
    """Whether a job has made this draft and its second pass agreed with the first."""
    return Job.objects.filter(
        kind__startswith="ratings.", state=JobState.DONE, result__draft=draft.pk, result__second_pass__identical=True
    ).exists()


def needs_second_person(draft: PublishedList, actor: Any) -> bool:
    """Whether somebody other than this account has to publish."""
    return (
        federation_settings().two_person_publishing
        and draft.created_by_id is not None
        and draft.created_by_id == getattr(actor, "pk", None)
    )


def publish_seen(*, draft: int, actor: Any, reason: str = "") -> PublishedList:
    """Publish exactly the draft of a key; the season is closed or opened with it. A second time nothing happens.

    Args:
        draft: Key of the draft that the actor has looked at.
        actor: Who publishes.
        reason: For a corrected edition what was wrong, printed in the erratum.

    Raises:
        RuleError: `draft_replaced`, the first of ``obstacles``, and those of ``publish_list``.
    """
    with transaction.atomic():
        key = PublishedList.objects.filter(pk=draft).values_list("system_id", flat=True).first()
        if key is not None:
            # Whoever presses at the same moment waits, and finds the draft published instead of out of date.
            lock_system(key)
        row = PublishedList.objects.select_related("run", "system", "season").filter(pk=draft).first()
        if row is None:
            raise RuleError("draft_replaced")
        if row.state == ListState.PUBLISHED:
            return row
        in_force = PublishedList.objects.select_related("run").filter(pk=row.counts.get("in_force")).first()
        lines = list_difference(in_force, row) if in_force else []
        checks = season_checks(row.season) if row.kind in _OF_SEASONS else []
        for obstacle in obstacles(draft=row, actor=actor, lines=lines, checks=checks):
            raise obstacle
        if row.kind in _OF_SEASONS:
            return _OF_SEASONS[ListKind(row.kind)](season=row.season, actor=actor, draft=row.pk)
        return publish_list(draft=row, actor=actor, reason=reason)


def publish_prepared(*, season: Season, kind: str, actor: Any) -> PublishedList:
    """Publish the draft with which a season is closed or opened, whichever it is; for the command line.

    Raises:
        RuleError: `not_prepared`, and those of ``publish_seen``.
    """
    draft = SeasonTask.objects.filter(season=season, kind=kind).values_list("draft_id", flat=True).first()
    if draft is None:
        raise RuleError("not_prepared", {"season": str(season)})
    return publish_seen(draft=draft, actor=actor)
