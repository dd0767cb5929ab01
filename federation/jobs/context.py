"""What the handler of a job works with: progress, log, and the guard against a lost job."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from django.db import DatabaseError, OperationalError, connection, transaction
from django.utils import timezone

from federation.jobs.models import Job, JobState
from federation.jobs.timing import lost_after

logger = logging.getLogger(__name__)

#: Progress is written at most this often (seconds) …
WRITE_EVERY = 0.5
#: … and a sign of life at least this often, more often where workers count as lost sooner.
SIGN_OF_LIFE_EVERY = 5.0
#: Lines kept in the log of a job; the middle of a longer one is dropped.
LOG_LINES = 300


class JobLost(Exception):
    """Another worker has taken the job over, or it has ended; this one must stop without writing."""


class JobContext:
    """One attempt at a job.

    Attributes:
        job: The row as it was when the attempt began.
        params: What was asked.
        actor: The account that asked, or None.
    """

    def __init__(self, job: Job, *, background: bool) -> None:
        self.job = job
        self.params: dict[str, Any] = job.params
        self.actor = job.requested_by
        self._changes: dict[str, Any] = {}
        self._log: list[dict[str, str]] = list(job.log)
        self._lock = threading.Lock()
        self._lost = threading.Event()
        self._last_write = 0.0
        self._last_percent = -1
        self._signs = _SignsOfLife(self.write_now) if background else None

    def __enter__(self) -> JobContext:
        """Begin to give signs of life."""
        if self._signs is not None:
            self._signs.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop giving signs of life."""
        if self._signs is not None:
            self._signs.stop()

    def progress(self, done: int, total: int, stage: str = "") -> None:
        """Report how far the work is; cheap enough to call for every step.

        Raises:
            JobLost: another worker has taken the job over.
        """
        with self._lock:
            self._changes |= {"done_steps": max(0, done), "total_steps": max(0, total)}
            if stage:
                self._changes["stage"] = str(stage)[:200]
        if self._lost.is_set():
            raise JobLost(self.job.pk)
        if self._signs is None:
            percent = done * 100 // total if total else 0
            if percent != self._last_percent or time.monotonic() - self._last_write >= WRITE_EVERY:
                self._last_percent = percent
                self.write_now()
                if self._lost.is_set():
                    raise JobLost(self.job.pk)

    def log(self, text: str) -> None:
        """Add a line to the log that staff read beside the progress."""
        with self._lock:
            self._log.append({"at": timezone.now().isoformat(timespec="seconds"), "text": str(text)[:1000]})
            if len(self._log) > LOG_LINES:
                half = LOG_LINES // 2
                self._log = [*self._log[:half], {"at": "", "text": "…"}, *self._log[-half + 1 :]]
            self._changes["log"] = list(self._log)
        if self._signs is None:
            self.write_now()

    @contextmanager
    def finishing(self) -> Iterator[Job]:
        """Open the transaction in which results are written, sure that the job is still this attempt's.

        While it is open nobody can take the job over; if somebody has, nothing is written.

        Raises:
            JobLost: another worker has taken the job over.
        """
        with transaction.atomic():
            job = Job.objects.select_for_update(no_key=True).filter(pk=self.job.pk).first()
            if job is None or job.attempt != self.job.attempt or job.state != JobState.RUNNING:
                raise JobLost(self.job.pk)
            yield job
            # While the row was locked no sign of life could be given; this one becomes visible with the results.
            Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now())

    def end(self, *, state: str, result: dict[str, Any] | None = None, failure: str = "") -> None:
        """Write how the attempt ended.

        Raises:
            JobLost: another worker has taken the job over.
        """
        if self._signs is not None:
            self._signs.stop()
        with self.finishing() as job:
            for name, value in self._take_changes().items():
                setattr(job, name, value)
            job.state = JobState(state)
            job.result = result or {}
            job.failure = failure
            job.finished_at = job.heartbeat_at = timezone.now()
            if state == JobState.DONE:
                job.done_steps = job.total_steps
            job.save()

    def write_now(self) -> None:
        """Write progress and a sign of life, unless the database is busy just now: the next one will do."""
        changes = self._take_changes()
        try:
            with transaction.atomic():
                mine = Job.objects.filter(pk=self.job.pk, attempt=self.job.attempt, state=JobState.RUNNING)
                if not mine.update(heartbeat_at=timezone.now(), **changes):
                    self._lost.set()
        except OperationalError:
            self._give_back(changes)
        self._last_write = time.monotonic()

    def has_changes(self) -> bool:
        """Whether something waits to be written."""
        return bool(self._changes)

    def _take_changes(self) -> dict[str, Any]:
        with self._lock:
            changes, self._changes = self._changes, {}
        return changes

    def _give_back(self, changes: dict[str, Any]) -> None:
        with self._lock:
            self._changes = {**changes, **self._changes}


class _SignsOfLife:
    """A thread beside the work that writes progress and signs of life through a connection of its own.

    So a long calculation does not look dead, and the progress is seen while a long transaction of the work is open.
    """

    def __init__(self, write: Callable[[], None]) -> None:
        self._write = write
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="job-signs-of-life", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        context: JobContext = self._write.__self__  # type: ignore[attr-defined]
        last = time.monotonic()
        pause = min(SIGN_OF_LIFE_EVERY, lost_after().total_seconds() / 4)
        try:
            _do_not_wait_for_locks()
            while not self._stop.wait(min(WRITE_EVERY, pause)):
                if context.has_changes() or time.monotonic() - last >= pause:
                    self._write()
                    last = time.monotonic()
        except DatabaseError:
            # The work itself will meet the same trouble and report it; without signs of life the job is taken over.
            logger.warning("Signs of life of a job stopped", exc_info=True)
        finally:
            connection.close()


def _do_not_wait_for_locks() -> None:
    """Let the writes of this thread give up at once where the work holds a lock, instead of queueing behind it."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA busy_timeout = 100")
        elif connection.vendor == "postgresql":
            cursor.execute("SET lock_timeout = '500ms'")
