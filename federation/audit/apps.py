"""Application of append-only record of who changed what, when, why, before and after."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """Append-only record of who changed what, when, why, before and after."""

    name = "federation.audit"
    label = "audit"
    verbose_name = _("Audit")
