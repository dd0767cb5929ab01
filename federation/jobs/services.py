"""Starting, running and recovering background work."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Any

from celery import current_app
from django.conf import settings
from django.db import IntegrityError, close_old_connections, connection, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError as BrokerError
from redis.exceptions import RedisError

from federation.audit.context import acting
from federation.audit.services import record
from federation.core.errors import InvariantError, RuleError
from federation.jobs.context import JobContext, JobLost
from federation.jobs.models import Job, JobState
from federation.jobs.queries import active_job, is_lost, lost_jobs
from federation.jobs.registry import find_kind
from federation.jobs.timing import lost_after
from federation.problems import explain

__all__ = [
    "JobContext",
    "JobLost",
    "enqueue",
    "perform",
    "recover_lost_jobs",
    "retry_job",
    "run_job",
    "start_watch",
]

logger = logging.getLogger(__name__)

#: A job that lost its worker so often probably kills it; it is ended as failed.
MOST_ATTEMPTS = 5
TASK_NAME = "jobs.run"


def enqueue(*, kind: str, key: str = "", params: Mapping[str, Any] | None = None, actor: Any = None) -> Job:
    """Ask for a piece of work, and get the row that tells how it goes.

    If work of this kind and key waits or runs already, that job is returned: a double click gives one job. If its
    worker was lost, it is started again. The work starts when the surrounding transaction is committed.

    Args:
        kind: Registered kind.
        key: What it works on; two jobs of one kind and key never run together.
        params: Plain values for the handler (ids, dates in ISO form).
        actor: The account that asks.

    Raises:
        InvariantError: nobody registered the kind.
    """
    return _find_or_insert(kind, key, params, actor, starts=True)


def perform(*, kind: str, key: str = "", params: Mapping[str, Any] | None = None, actor: Any = None) -> Job:
    """Do a piece of work here and now, for commands: with the same row, lock and log as in the background.

    If a live worker has this work already, its job is returned unfinished. Not to be called inside a transaction.

    Raises:
        InvariantError: nobody registered the kind.
    """
    job = _find_or_insert(kind, key, params, actor, starts=False)
    run_job(job.pk)
    job.refresh_from_db()
    return job


def retry_job(*, job: Job, actor: Any) -> Job:
    """Ask for the work of an ended job once more, as a new job of the same kind, key and parameters."""
    return enqueue(kind=job.kind, key=job.key, params=job.params, actor=actor)


def run_job(job_id: int) -> str:
    """Do the work of a job, unless it has ended or somebody is doing it.

    Returns:
        ``done`` or ``failed`` after working; ``busy`` if a live worker has it, ``ended`` if there is nothing to do,
        ``lost`` if another worker took it over meanwhile.
    """
    taken = _take(job_id)
    if isinstance(taken, str):
        return taken
    background = settings.JOBS_BACKEND != "inline" and not connection.in_atomic_block
    context = JobContext(taken, background=background)
    with (
        translation.override(taken.language or settings.LANGUAGE_CODE),
        acting(taken.requested_by, taken.request_id),
        context,
    ):
        try:
            return _work(context)
        except JobLost:
            logger.warning("Job %s, attempt %s: taken over by another worker", taken.pk, taken.attempt)
            return "lost"


def recover_lost_jobs() -> int:
    """Send every job whose worker was lost to a new one; return how many.

    Called when the site, a worker or the beat starts, and every minute by the beat.
    """
    ids = list(lost_jobs().values_list("pk", flat=True))
    for job_id in ids:
        with transaction.atomic():
            job = _locked(job_id)
            if job is not None and is_lost(job):
                logger.warning("Job %s (%s) lost its worker and is sent again", job.pk, job)
                _send_again(job)
    return len(ids)


def start_watch() -> threading.Thread | None:
    """Watch for lost jobs beside the web process, where no beat does it; called once when the site starts."""
    if settings.JOBS_BACKEND != "thread":
        return None
    thread = threading.Thread(target=_watch, name="job-watch", daemon=True)
    thread.start()
    return thread


def _find_or_insert(kind: str, key: str, params: Mapping[str, Any] | None, actor: Any, *, starts: bool) -> Job:
    if find_kind(kind) is None:
        raise InvariantError(f"Nobody registered the kind of job {kind!r}")
    account = actor if getattr(actor, "is_authenticated", False) else None
    # A second round is needed only when the other job ends between our insert and our look at it.
    for _attempt in range(5):
        with transaction.atomic():
            job = active_job(kind, key)
            if job is not None:
                if starts and (is_lost(job) or _may_be_unsent(job)):
                    _send_again(job)
                return job
            job = _insert(kind, key, dict(params or {}), account)
            if job is not None:
                record(action="job.requested", obj=job, actor=account, after={"kind": kind, "key": key})
                if starts:
                    _start_on_commit(job.pk)
                return job
    raise InvariantError(f"The job {kind!r} {key!r} could neither be made nor found")


def _insert(kind: str, key: str, params: dict[str, Any], account: Any) -> Job | None:
    """Add the row; None if another request was quicker (the database allows one active job of a kind and key)."""
    try:
        with transaction.atomic():
            return Job.objects.create(
                kind=kind,
                key=key,
                params=params,
                requested_by=account,
                heartbeat_at=timezone.now(),
                language=(translation.get_language() or settings.LANGUAGE_CODE)[:10],
            )
    except IntegrityError:
        return None


def _may_be_unsent(job: Job) -> bool:
    """Whether a job that waits may not have reached the broker; to send it twice is harmless."""
    sign = job.heartbeat_at or job.created_at
    return job.state == JobState.QUEUED and timezone.now() - sign > lost_after()


def _send_again(job: Job) -> None:
    """Send a lost job once more; the sign of life is set so that nobody else does it at the same time."""
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, stage="", heartbeat_at=timezone.now())
    _start_on_commit(job.pk)


def _start_on_commit(job_id: int) -> None:
    transaction.on_commit(lambda: _start(job_id))


def _start(job_id: int) -> None:
    if settings.JOBS_BACKEND == "inline":
        run_job(job_id)
    elif settings.JOBS_BACKEND == "thread":
        threading.Thread(target=_run_in_thread, args=(job_id,), name=f"job-{job_id}", daemon=True).start()
    else:
        _send(job_id)


def _send(job_id: int) -> None:
    """Send the job to the workers. Without the broker it stays queued, and the watch sends it when that is back."""
    try:
        current_app.send_task(TASK_NAME, args=[job_id], retry=True, retry_policy={"max_retries": 2})
    except (BrokerError, RedisError, OSError):
        logger.exception("Job %s could not be sent to the broker and waits", job_id)
        waits = _("The message broker does not answer. The work waits and is sent again when the broker is back.")
        Job.objects.filter(pk=job_id, state=JobState.QUEUED).update(stage=waits[:200])


def _run_in_thread(job_id: int) -> None:
    close_old_connections()
    try:
        run_job(job_id)
    finally:
        connection.close()


def _watch() -> None:
    pause = threading.Event()
    while True:
        try:
            recover_lost_jobs()
        except Exception:  # the watch must outlive any trouble of the database
            logger.exception("The watch for lost jobs met an error")
        finally:
            connection.close()
        pause.wait(lost_after().total_seconds())


def _locked(job_id: int) -> Job | None:
    """Return the row locked for this transaction, None if it is gone or another worker holds it."""
    skip = connection.features.has_select_for_update_skip_locked
    return (
        Job.objects.select_for_update(no_key=True, skip_locked=skip, of=("self",) if skip else ())
        .filter(pk=job_id)
        .first()
    )


def _take(job_id: int) -> Job | str:
    """Take the job for this worker and begin an attempt, or say why not."""
    with transaction.atomic():
        job = _locked(job_id)
        if job is None:
            return "busy" if Job.objects.filter(pk=job_id).exists() else "ended"
        if not job.is_active:
            return "ended"
        if job.state == JobState.RUNNING and not is_lost(job):
            return "busy"
        now = timezone.now()
        job.state = JobState.RUNNING
        job.attempt = F("attempt") + 1
        job.heartbeat_at = now
        job.started_at = job.started_at or now
        job.done_steps = job.total_steps = 0
        job.stage = ""
        job.save()
        job.refresh_from_db()
        return job


def _work(context: JobContext) -> str:
    job = context.job
    kind = find_kind(job.kind)
    try:
        if kind is None:
            raise InvariantError(f"Nobody registered the kind of job {job.kind!r}")
        if job.attempt > MOST_ATTEMPTS:
            failure = _("The work lost its worker %(count)s times and was given up.") % {"count": MOST_ATTEMPTS}
            context.end(state=JobState.FAILED, failure=failure)
            return "failed"
        if job.attempt > 1:
            context.log(_("Attempt %(number)s begins.") % {"number": job.attempt})
        result = kind.handler(context)
        context.end(state=JobState.DONE, result=result)
    except JobLost:
        raise
    except RuleError as error:
        context.end(state=JobState.FAILED, failure=explain(error))
        return "failed"
    except Exception:  # whatever happens, the row must tell that the work has stopped
        logger.exception("Job %s (%s), attempt %s failed", job.pk, job, job.attempt)
        context.end(state=JobState.FAILED, failure=_fault_text(job))
        return "failed"
    return "done"


def _fault_text(job: Job) -> str:
    return _(
        "The work stopped because of a fault in the program; nothing was published. "
        "Tell the administrator the number %(number)s: the details are in the server's log."
    ) % {"number": f"{job.pk}.{job.attempt}"}
