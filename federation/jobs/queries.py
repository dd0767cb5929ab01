"""Reads of background work."""

from __future__ import annotations

import redis
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from federation.jobs.models import ACTIVE_STATES, Job, JobState
from federation.jobs.timing import lost_after, waiting_too_long

#: How long the broker may take to answer before the site counts it as gone.
BROKER_SECONDS = 2


def is_lost(job: Job) -> bool:
    """Whether nobody works on an active job any more, as far as its last sign of life tells."""
    sign = job.heartbeat_at or job.created_at
    silence = timezone.now() - sign
    return job.is_active and silence > (lost_after() if job.state == JobState.RUNNING else waiting_too_long())


def lost_jobs() -> QuerySet[Job]:
    """Return the active jobs that nobody works on, oldest first."""
    now = timezone.now()
    running = Q(state=JobState.RUNNING) & Q(heartbeat_at__lt=now - lost_after())
    queued = Q(state=JobState.QUEUED) & Q(heartbeat_at__lt=now - waiting_too_long())
    return Job.objects.filter(running | queued).order_by("created_at", "id")


def active_job(kind: str, key: str = "") -> Job | None:
    """Return the waiting or running job of a kind and key."""
    return Job.objects.filter(kind=kind, key=key, state__in=ACTIVE_STATES).first()


def last_job(kind: str, key: str = "") -> Job | None:
    """Return the newest job of a kind and key, active or ended."""
    return Job.objects.filter(kind=kind, key=key).order_by("-created_at", "-id").first()


def broker_answers() -> bool:
    """Return whether the message broker answers within two seconds."""
    try:
        with redis.Redis.from_url(
            settings.CELERY_BROKER_URL, socket_connect_timeout=BROKER_SECONDS, socket_timeout=BROKER_SECONDS
        ) as broker:
            return bool(broker.ping())
    except (redis.RedisError, OSError, ValueError):
        return False


def jobs_in_state(state: str = "") -> QuerySet[Job]:
    """Return the jobs in a state, all without one, newest first, with who asked for them."""
    jobs = Job.objects.filter(state=state) if state else Job.objects.all()
    return jobs.select_related("requested_by").order_by("-created_at", "-pk")
