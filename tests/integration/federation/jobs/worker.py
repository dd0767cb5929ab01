"""The site's Celery application with the kinds of work of the tests: ``celery -A`` this module ``worker``."""

from federation.celery import app
from tests.integration.federation.jobs.kinds import register_all

__all__ = ["app"]

register_all()
