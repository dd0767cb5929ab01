"""Application of background jobs."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    """Background jobs: state, progress, log, one-at-a-time lock."""

    name = "federation.jobs"
    label = "jobs"
    verbose_name = _("Jobs")
