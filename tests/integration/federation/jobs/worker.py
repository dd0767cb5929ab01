"""The site's Celery application with the kinds of work of the tests: ``celery -A`` this module ``worker``."""

from django.conf import settings

from federation.celery import app
from tests.integration.federation.jobs.kinds import register_all

__all__ = ["app"]

register_all()
# Seconds are enough to know that a worker is dead, where it is the test that kills it.
settings.JOBS_LOST_AFTER = 1
