"""Rows that tell the truth about background work."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from federation.jobs.registry import kind_title


class JobState(models.TextChoices):
    """States of a job."""

    QUEUED = "queued", _("queued")
    RUNNING = "running", _("running")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


ACTIVE_STATES = (JobState.QUEUED, JobState.RUNNING)


class Job(models.Model):
    """One piece of background work: what, for what, how far, and how it ended."""

    #: Registered kind, for example ``ratings.close_season``.
    kind = models.CharField(_("kind"), max_length=60)
    #: What the job works on; two jobs of one kind and key never run together.
    key = models.CharField(_("works on"), max_length=120, blank=True)
    params = models.JSONField(_("parameters"), default=dict, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=JobState.choices, default=JobState.QUEUED)
    stage = models.CharField(_("stage"), max_length=200, blank=True)
    done_steps = models.PositiveIntegerField(_("steps done"), default=0)
    total_steps = models.PositiveIntegerField(_("steps"), default=0)
    log = models.JSONField(_("log"), default=list, blank=True)
    result = models.JSONField(_("result"), default=dict, blank=True)
    failure = models.TextField(_("reason of failure"), blank=True)
    #: Counts takeovers; a worker whose number is not the row's has lost the job and must stop.
    attempt = models.PositiveIntegerField(_("attempt"), default=0)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("requested by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    #: Language of who asked; stage, log and reason of failure are written in it.
    language = models.CharField(max_length=10, blank=True, editable=False)
    created_at = models.DateTimeField(_("requested at"), auto_now_add=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    heartbeat_at = models.DateTimeField(_("last sign of life"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-created_at", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["kind", "key"], condition=models.Q(state__in=ACTIVE_STATES), name="job_one_at_a_time"
            ),
            models.CheckConstraint(condition=models.Q(state__in=JobState.values), name="job_state_is_known"),
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="job_by_sign_of_life")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}".strip()

    @property
    def title(self) -> str:
        """What the work is called, in the reader's language."""
        return kind_title(self.kind)

    @property
    def request_id(self) -> str:
        """Identity that the audit records of the present attempt carry."""
        return f"job-{self.pk}.{self.attempt}"

    @property
    def percent(self) -> int:
        """Share of the work done, 0 to 100."""
        if self.state == JobState.DONE:
            return 100
        return min(99, self.done_steps * 100 // self.total_steps) if self.total_steps else 0

    @property
    def is_active(self) -> bool:
        """Whether the job waits or runs."""
        return self.state in ACTIVE_STATES
