"""Files of directors on their way into the facts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Discipline, Event, Person


class StoredFile(models.Model):
    """The bytes of a file, kept once per content."""

    sha256 = models.CharField(max_length=64, unique=True)
    content = models.BinaryField()
    size = models.PositiveIntegerField()

    class Meta:
        verbose_name = _("stored file")
        verbose_name_plural = _("stored files")

    def __str__(self) -> str:
        return self.sha256[:12]


class UploadState(models.TextChoices):
    """States of an upload."""

    CHECKED = "checked", _("being checked")
    COMMITTED = "committed", _("committed")
    WITHDRAWN = "withdrawn", _("withdrawn")
    REJECTED = "rejected", _("rejected")


class Upload(models.Model):
    """One file (or set of files) sent for one purpose, with everything decided about it."""

    discipline = models.ForeignKey(
        Discipline, verbose_name=_("discipline"), on_delete=models.PROTECT, related_name="uploads"
    )
    #: What the file is for: ``results`` of an event, or ``opening`` ratings.
    purpose = models.CharField(_("purpose"), max_length=12, default="results")
    event = models.ForeignKey(
        Event, verbose_name=_("event"), null=True, blank=True, on_delete=models.PROTECT, related_name="uploads"
    )
    state = models.CharField(_("state"), max_length=10, choices=UploadState.choices, default=UploadState.CHECKED)
    #: SHA-256 over names and contents of the files: the same files twice change nothing.
    sha256 = models.CharField(_("fingerprint"), max_length=64, db_index=True)
    format = models.CharField(_("format"), max_length=30, blank=True)
    #: ``Reading.as_dict()``: what the pure reader found.
    reading = models.JSONField(default=dict)
    #: By key of the reading: ``{"<key>": {"person": id or null, "new": {...}, "by": ..., "how": ...}}``.
    decisions = models.JSONField(default=dict)
    #: Rows set aside by a person: ``{"<file>|<line>": {"reason": ..., "cells": [...], "by": ..., "at": ...}}``.
    set_aside = models.JSONField(default=dict)
    #: Marks of the warnings that a person has looked at and found right (``queries.analysis.mark_of``).
    confirmed = models.JSONField(default=list)
    #: What a purpose asks besides the file, for instance the day of opening ratings.
    options = models.JSONField(default=dict)
    receipt = models.JSONField(default=dict)
    #: Grows with every repair or decision; a form that was made from an older one is stale.
    version = models.PositiveIntegerField(default=0)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    changed_at = models.DateTimeField(_("changed at"), null=True, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("sent by"), on_delete=models.PROTECT, related_name="uploads"
    )
    created_at = models.DateTimeField(_("sent at"), auto_now_add=True)
    committed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    committed_at = models.DateTimeField(_("committed at"), null=True, blank=True)
    withdrawn_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    withdrawn_reason = models.TextField(_("why withdrawn"), blank=True)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-created_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=UploadState.values), name="upload_state_is_known"),
            models.UniqueConstraint(
                fields=["event", "sha256"], condition=Q(state=UploadState.COMMITTED), name="upload_committed_once"
            ),
            models.UniqueConstraint(
                fields=["discipline", "purpose", "sha256"],
                condition=Q(state=UploadState.COMMITTED, event__isnull=True),
                name="upload_without_event_committed_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether it is still being checked."""
        return self.state == UploadState.CHECKED

    @property
    def audit_label(self) -> str:
        """What the audit calls this upload."""
        return f"{self.pk}, {self.event}" if self.event_id else f"{self.pk}"


class UploadFile(models.Model):
    """One file of an upload under the name it came with."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(_("file name"), max_length=200)
    file = models.ForeignKey(StoredFile, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("file")
        verbose_name_plural = _("files")
        ordering = ["upload", "position", "id"]
        constraints = [models.UniqueConstraint(fields=["upload", "position"], name="upload_file_position_once")]

    def __str__(self) -> str:
        return self.name


class CellRepair(models.Model):
    """A cell of an uploaded file mended in the browser; the file itself is kept as it came."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="repairs")
    #: Name of the file as the reading has it; empty where one file came alone.
    file = models.CharField(_("file name"), max_length=200, blank=True)
    line = models.PositiveIntegerField(_("line"))
    #: Cell from 1; 0 replaces the whole line of a text format.
    column = models.PositiveIntegerField(_("column"))
    before = models.TextField(_("before"), blank=True)
    after = models.TextField(_("after"), blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    made_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("repaired cell")
        verbose_name_plural = _("repaired cells")
        ordering = ["upload", "file", "line", "column"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "file", "line", "column"], name="repair_once_per_cell")
        ]

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"


class NameDecision(models.Model):
    """«This spelling is that person», remembered for the next file, until somebody undoes it."""

    discipline = models.ForeignKey(Discipline, verbose_name=_("discipline"), on_delete=models.PROTECT, related_name="+")
    #: The spelling with case and blanks aside (``federation.core.names.spelling_key``).
    spelling = models.CharField(_("spelling"), max_length=200)
    person = models.ForeignKey(
        Person, verbose_name=_("person"), on_delete=models.PROTECT, related_name="name_decisions"
    )
    upload = models.ForeignKey(
        Upload,
        verbose_name=_("upload"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="name_decisions",
    )
    score = models.PositiveSmallIntegerField(_("likeness"), null=True, blank=True)
    reason = models.CharField(_("why it was suggested"), max_length=40, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("decided by"), on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("name decision")
        verbose_name_plural = _("name decisions")
        ordering = ["-decided_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["discipline", "spelling"],
                condition=Q(undone_at__isnull=True),
                name="name_decision_in_force_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.spelling} → {self.person}"
