"""What a replay of the facts gives: rated events with their ledger, runs, checkpoints."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import Job
from federation.registry.models import Event, Person
from ratings.models.systems import RatingSystem, RuleSet

USER = settings.AUTH_USER_MODEL


class RatedEvent(models.Model):
    """An event as one replay saw it: its inputs as bytes, the rule set, and, by the ledger, its outcome.

    Addressed by content: a later run that gives the same event the same outcome refers to the same row, so a run costs
    only what changed. Rows are never changed and stay as long as a run refers to them.
    """

    system = models.ForeignKey(RatingSystem, on_delete=models.PROTECT, related_name="rated_events")
    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.PROTECT, related_name="ratings")
    rule_set = models.ForeignKey(RuleSet, verbose_name=_("rule set"), on_delete=models.PROTECT, related_name="+")
    #: SHA-256 over inputs, rule set and the states of the players before the event.
    digest = models.CharField(max_length=64, db_index=True)
    #: What order, season and eligibility asked of the event, as text, so that a later run sees at once what changed.
    heading = models.CharField(max_length=60)
    #: Canonical compressed bytes of heading and games as the replay read them.
    inputs = models.BinaryField()
    #: SHA-256 of these bytes before compression.
    inputs_digest = models.CharField(max_length=64)
    eligible = models.BooleanField(_("counts"))
    #: Reason codes of section 6, in its order.
    reasons = models.JSONField(_("why it does not count"), default=list)
    players = models.PositiveIntegerField(_("players"), default=0)
    games = models.PositiveIntegerField(_("games"), default=0)

    class Meta:
        verbose_name = _("rated event")
        verbose_name_plural = _("rated events")
        ordering = ["system", "event", "id"]

    def __str__(self) -> str:
        return f"{self.event_id} {self.digest[:8]}"


class LedgerRow(models.Model):
    """One player in one rated event, with every number of the calculation."""

    rated_event = models.ForeignKey(RatedEvent, on_delete=models.CASCADE, related_name="ledger")
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="ledger")
    before = models.IntegerField(_("rating before"))
    games = models.PositiveSmallIntegerField(_("games"))
    #: Half points.
    wins = models.PositiveSmallIntegerField(_("wins in half points"))
    #: Exact decimal, fraction ``p/q`` or shortest double, as text.
    expected = models.CharField(_("expected wins"), max_length=40)
    games_after = models.PositiveIntegerField(_("games after"))
    wins_after = models.PositiveIntegerField(_("wins after, in half points"))
    k = models.PositiveSmallIntegerField(_("multiplier"))
    raw_change = models.CharField(_("change before rounding"), max_length=40)
    change = models.IntegerField(_("change"))
    after = models.IntegerField(_("rating after"))
    #: JSON list of games: round, opponent id, opponent's rating before, expectation, result in half points, game id.
    terms = models.TextField()

    class Meta:
        verbose_name = _("ledger row")
        verbose_name_plural = _("ledger")
        ordering = ["rated_event", "person"]
        constraints = [models.UniqueConstraint(fields=["rated_event", "person"], name="ledger_once_per_event")]
        indexes = [models.Index(fields=["person", "rated_event"], name="ledger_of_person")]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.before} → {self.after}"


class RunState(models.TextChoices):
    """States of a run."""

    COMPUTED = "computed", _("computed")
    PUBLISHED = "published", _("published")
    SUPERSEDED = "superseded", _("superseded")


class RatingRun(models.Model):
    """One finished replay. A run exists only whole: it is written in one transaction."""

    system = models.ForeignKey(
        RatingSystem, verbose_name=_("rating system"), on_delete=models.PROTECT, related_name="runs"
    )
    state = models.CharField(_("state"), max_length=10, choices=RunState.choices, default=RunState.COMPUTED)
    #: SHA-256 of the ordered inputs (opening ratings, events, games, rule sets).
    fingerprint = models.CharField(_("fingerprint of the inputs"), max_length=64)
    #: SHA-256 of the ordered outcomes.
    outcome = models.CharField(_("fingerprint of the outcome"), max_length=64)
    #: Opening ratings as the replay read them, canonical compressed bytes.
    opening = models.BinaryField()
    code_version = models.CharField(_("version of the program"), max_length=40)
    #: The run whose first events were taken over unchanged, and how many.
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reused_events = models.PositiveIntegerField(_("events taken over"), default=0)
    facts_version = models.PositiveBigIntegerField(default=0)
    counts = models.JSONField(_("counts"), default=dict)
    warnings = models.JSONField(_("warnings"), default=list)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_by = models.ForeignKey(USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(_("started at"))
    finished_at = models.DateTimeField(_("finished at"))

    class Meta:
        verbose_name = _("rating run")
        verbose_name_plural = _("rating runs")
        ordering = ["-finished_at", "-id"]

    def __str__(self) -> str:
        return f"{self.system} {self.fingerprint[:8]}"


class RunEvent(models.Model):
    """Position of a rated event in a run."""

    run = models.ForeignKey(RatingRun, on_delete=models.CASCADE, related_name="run_events")
    position = models.PositiveIntegerField()
    rated_event = models.ForeignKey(RatedEvent, on_delete=models.PROTECT, related_name="run_events")

    class Meta:
        verbose_name = _("event of a run")
        verbose_name_plural = _("events of runs")
        ordering = ["run", "position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="run_position_once")]

    def __str__(self) -> str:
        return f"{self.run_id}/{self.position}"


class Checkpoint(models.Model):
    """States of all players after one position of a run, from which a later run may start."""

    run = models.ForeignKey(RatingRun, on_delete=models.CASCADE, related_name="checkpoints")
    position = models.PositiveIntegerField()
    #: Canonical compressed arrays of person, rating, games, wins, last season.
    state = models.BinaryField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("checkpoint")
        verbose_name_plural = _("checkpoints")
        ordering = ["run", "position"]
        constraints = [models.UniqueConstraint(fields=["run", "position"], name="checkpoint_once")]

    def __str__(self) -> str:
        return f"{self.run_id}@{self.position}"


# ---- lists --------------------------------------------------------------------------------------
