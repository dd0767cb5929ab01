"""The append-only record of changes."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class AppendOnlyError(Exception):
    """Somebody tried to change or delete a record that is only ever added to."""


class AppendOnlyQuerySet(models.QuerySet):
    """A queryset that can add and read, nothing else."""

    def update(self, **kwargs: Any) -> int:
        """Refuse."""
        raise AppendOnlyError("Audit records are never changed.")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise AppendOnlyError("Audit records are never deleted.")


class AuditEvent(models.Model):
    """Who changed what, when, why, with the state before and after."""

    at = models.DateTimeField(_("at"), auto_now_add=True, db_index=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    #: Code of the action from the closed list in ``federation.audit.actions``.
    action = models.CharField(_("action"), max_length=60, db_index=True)
    object_type = models.CharField(_("kind of object"), max_length=60)
    object_id = models.CharField(_("object"), max_length=60)
    object_label = models.CharField(_("name of the object"), max_length=200, blank=True)
    reason = models.TextField(_("reason"), blank=True)
    before = models.JSONField(_("before"), default=dict, blank=True)
    after = models.JSONField(_("after"), default=dict, blank=True)
    #: Ties together the records of one request or one job.
    request_id = models.CharField(_("request"), max_length=40, blank=True, db_index=True)

    objects = AppendOnlyQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit record")
        verbose_name_plural = _("audit records")
        ordering = ["-at", "-id"]
        indexes = [models.Index(fields=["object_type", "object_id", "-id"], name="audit_of_object")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.action} {self.object_label}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Add the record; refuse to write it a second time."""
        if self.pk is not None:
            raise AppendOnlyError("Audit records are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuse."""
        raise AppendOnlyError("Audit records are never deleted.")
