"""Application of background jobs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    """Background jobs: state, progress, log, one-at-a-time lock."""

    name = "federation.jobs"
    label = "jobs"
    verbose_name = _("Jobs")

    def ready(self) -> None:
        """Register the audited actions, and let every process of the site know the broker."""
        import federation.celery  # noqa: F401
        from federation.audit.actions import register_actions

        register_actions({"job.requested": _("started a piece of background work")})
