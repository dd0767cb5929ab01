"""How long silence may last before somebody else takes a job."""

from __future__ import annotations

import datetime as dt

from django.conf import settings


def lost_after() -> dt.timedelta:
    """Return the silence after which the worker of a running job counts as lost (``JOBS_LOST_AFTER`` seconds)."""
    return dt.timedelta(seconds=getattr(settings, "JOBS_LOST_AFTER", 30))


def waiting_too_long() -> dt.timedelta:
    """Return the wait after which a queued job is sent again.

    With a broker a job may wait behind others; a thread starts at once, so that a silent one died with its process.
    """
    return lost_after() * (10 if settings.JOBS_BACKEND == "celery" else 1)
