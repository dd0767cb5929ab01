"""What the clock does: it prepares, a person publishes."""

from __future__ import annotations

from celery import shared_task

from ratings.services.seasons import prepare_due_closes


@shared_task(name="ratings.prepare_due_closes", ignore_result=True)
def prepare_due() -> int:
    """Prepare the close of the seasons that have ended: checks, run, difference."""
    return len(prepare_due_closes())
