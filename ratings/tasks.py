"""What the clock does: it prepares, a person publishes."""

from __future__ import annotations

from celery import shared_task

from ratings.services.pruning import prune_runs
from ratings.services.runs import current_system
from ratings.services.seasons import prepare_due_closes


@shared_task(name="ratings.prepare_due_closes", ignore_result=True)
def prepare_due() -> int:
    """Prepare the close of the seasons that have ended: checks, run, difference."""
    return len(prepare_due_closes())


@shared_task(name="ratings.prune_runs", ignore_result=True)
def prune() -> int:
    """Delete the runs that no list refers to, but for the newest."""
    return prune_runs(system=current_system()).runs
