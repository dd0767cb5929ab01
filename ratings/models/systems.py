"""A rating of a discipline, the versions of its rules, and the rules that events were given by hand."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Discipline, Event

USER = settings.AUTH_USER_MODEL


class RatingSystem(models.Model):
    """One rating of one discipline: the pointer to the list in force, and from where its results are stale."""

    code = models.SlugField(_("code"), max_length=20, unique=True)
    discipline = models.ForeignKey(
        Discipline, verbose_name=_("discipline"), on_delete=models.PROTECT, related_name="rating_systems"
    )
    name = models.CharField(_("name"), max_length=60)
    #: Publishing moves this pointer and nothing else that readers look at.
    current_list = models.ForeignKey(
        "PublishedList",
        verbose_name=_("list in force"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
    )
    #: Rating order key of the first event whose facts changed since the last finished run; null: clean.
    dirty_date = models.DateField(_("stale from"), null=True, blank=True)
    dirty_sequence = models.PositiveIntegerField(null=True, blank=True)
    dirty_event_id = models.BigIntegerField(null=True, blank=True)
    #: Grows with every change of a fact, so that a run knows whether facts moved while it worked.
    facts_version = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name = _("rating system")
        verbose_name_plural = _("rating systems")
        ordering = ["discipline", "id"]

    def __str__(self) -> str:
        return self.name


class RuleSet(models.Model):
    """A version of the rules of a rating, valid from a day on; a version is never edited once an event used it."""

    system = models.ForeignKey(
        RatingSystem, verbose_name=_("rating system"), on_delete=models.PROTECT, related_name="rule_sets"
    )
    name = models.SlugField(_("name"), max_length=30)
    version = models.PositiveSmallIntegerField(_("version"), default=1)
    parameters = models.JSONField(_("parameters"))
    #: SHA-256 of the canonical parameters.
    digest = models.CharField(max_length=64, editable=False)
    valid_from = models.DateField(
        _("valid from"), null=True, blank=True, help_text=_("Empty: kept for comparison, not in force for any event.")
    )
    note = models.TextField(_("note"), blank=True)
    created_by = models.ForeignKey(
        USER, verbose_name=_("made by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("made at"), auto_now_add=True)

    class Meta:
        verbose_name = _("rule set")
        verbose_name_plural = _("rule sets")
        ordering = ["system", "name", "-version", "id"]
        constraints = [
            models.UniqueConstraint(fields=["system", "name", "version"], name="rule_set_version_once"),
            models.UniqueConstraint(fields=["system", "valid_from"], name="rule_set_one_from_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, version {self.version}"


class EventRuleSet(models.Model):
    """The rule set an event was rated with on its first published run; every later replay keeps it."""

    event = models.OneToOneField(
        Event, verbose_name=_("event"), on_delete=models.PROTECT, related_name="pinned_rule_set"
    )
    rule_set = models.ForeignKey(RuleSet, verbose_name=_("rule set"), on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("rule set of an event")
        verbose_name_plural = _("rule sets of events")

    def __str__(self) -> str:
        return f"{self.event}: {self.rule_set}"


# ---- facts --------------------------------------------------------------------------------------
