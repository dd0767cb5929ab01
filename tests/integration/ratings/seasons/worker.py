"""The site's Celery application whose close of a season hangs on its first attempt, in the pass that
``HANG_IN_PASS`` names, so that the worker can be killed in the middle: ``celery -A`` this module ``worker``."""

from __future__ import annotations

import os
import time
from typing import Any

from celery.signals import task_prerun

from federation.celery import app

__all__ = ["app"]


@task_prerun.connect
def hang(**_named: Any) -> None:
    """Let the report of progress hang; the worker loads this module before Django is ready for models."""
    from federation.jobs.context import JobContext

    if getattr(JobContext, "hangs", False):
        return
    real = JobContext.progress

    def progress(self: JobContext, done: int, total: int, stage: str = "") -> None:
        real(self, done, total, stage)
        number = "second" if stage else "first"
        while self.job.attempt == 1 and os.environ["HANG_IN_PASS"] == number:
            time.sleep(0.05)

    JobContext.progress = progress  # type: ignore[method-assign]
    JobContext.hangs = True  # type: ignore[attr-defined]
