"""The one Celery task: it takes the id of a job and does its work."""

from __future__ import annotations

from celery import shared_task

from federation.jobs.services import TASK_NAME, recover_lost_jobs, run_job
from federation.jobs.timing import lost_after


@shared_task(name=TASK_NAME, acks_late=True, ignore_result=True)
def run(job_id: int) -> str:
    """Do the work of a job.

    A delivery that finds a live worker on the job comes back later: that worker may be a dead one whose last sign of
    life is fresh.
    """
    outcome = run_job(job_id)
    if outcome == "busy":
        run.apply_async(args=(job_id,), countdown=lost_after().total_seconds() + 1)
    return outcome


@shared_task(name="jobs.recover", ignore_result=True)
def recover() -> int:
    """Send jobs whose worker was lost to a new one."""
    return recover_lost_jobs()
