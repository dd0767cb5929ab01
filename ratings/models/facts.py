"""What happened: results of rounds, opening ratings, corrections of approved results. Superseded, never overwritten."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Entry, Event, Person
from federation.uploads.models import Upload
from ratings.models.systems import RatingSystem

USER = settings.AUTH_USER_MODEL


class GameKind(models.TextChoices):
    """What a row of a round is; only played games are rated."""

    PLAYED = "played", _("played")
    BYE = "bye", _("bye")
    FORFEIT = "forfeit", _("forfeit")
    VOID = "void", _("void")
    PENDING = "pending", _("without a result yet")


class Game(models.Model):
    """One row of one round. Never overwritten: a correction supersedes it, with author and reason."""

    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.PROTECT, related_name="games")
    round = models.PositiveSmallIntegerField(_("round"))
    board = models.PositiveSmallIntegerField(_("board"), null=True, blank=True)
    a = models.ForeignKey(Entry, verbose_name=_("player"), on_delete=models.PROTECT, related_name="games_as_a")
    b = models.ForeignKey(
        Entry, verbose_name=_("opponent"), null=True, blank=True, on_delete=models.PROTECT, related_name="games_as_b"
    )
    kind = models.CharField(_("kind"), max_length=8, choices=GameKind.choices, default=GameKind.PLAYED)
    score_a = models.SmallIntegerField(_("score"), null=True, blank=True)
    score_b = models.SmallIntegerField(_("opponent's score"), null=True, blank=True)
    #: Result of ``a`` in half points: 2 win, 1 draw, 0 loss; also the event points of a bye or forfeit.
    result = models.PositiveSmallIntegerField(_("result in half points"), null=True, blank=True)
    #: For a forfeit of both.
    both_absent = models.BooleanField(_("both absent"), default=False)
    upload = models.ForeignKey(
        Upload, verbose_name=_("upload"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_by = models.ForeignKey(
        USER, verbose_name=_("entered by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("entered at"), auto_now_add=True)
    superseded_at = models.DateTimeField(_("superseded at"), null=True, blank=True)
    superseded_by = models.ForeignKey(
        "self", verbose_name=_("replaced by"), null=True, blank=True, on_delete=models.PROTECT, related_name="replaces"
    )
    superseded_who = models.ForeignKey(
        USER, verbose_name=_("corrected by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    superseded_reason = models.TextField(_("why"), blank=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["event", "round", "board", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["event", "round", "a"], condition=Q(superseded_at__isnull=True), name="game_a_once_in_round"
            ),
            models.UniqueConstraint(
                fields=["event", "round", "b"], condition=Q(superseded_at__isnull=True), name="game_b_once_in_round"
            ),
            models.CheckConstraint(condition=Q(kind__in=GameKind.values), name="game_kind_is_known"),
            models.CheckConstraint(condition=Q(round__gte=1, round__lte=200), name="game_round_possible"),
            models.CheckConstraint(condition=Q(b__isnull=True) | ~Q(a=F("b")), name="game_not_against_oneself"),
            models.CheckConstraint(
                condition=~Q(kind=GameKind.PLAYED) | Q(b__isnull=False, result__in=(0, 1, 2)),
                name="game_played_has_result",
            ),
            models.CheckConstraint(
                condition=~Q(kind=GameKind.BYE) | Q(b__isnull=True), name="game_bye_has_no_opponent"
            ),
            models.CheckConstraint(
                condition=~Q(kind=GameKind.PENDING) | Q(result__isnull=True), name="game_pending_has_no_result"
            ),
            models.CheckConstraint(
                condition=Q(result__isnull=True) | Q(result__in=(0, 1, 2)), name="game_result_in_halves"
            ),
            models.CheckConstraint(
                condition=Q(score_a__isnull=True, score_b__isnull=True)
                | (Q(score_a__range=(-500, 2000)) & (Q(score_b__isnull=True) | Q(score_b__range=(-500, 2000)))),
                name="game_scores_possible",
            ),
        ]
        indexes = [
            models.Index(fields=["event", "round"], condition=Q(superseded_at__isnull=True), name="game_current")
        ]

    def __str__(self) -> str:
        return f"{self.event_id} R{self.round} {self.a_id}–{self.b_id}"


class EventRound(models.Model):
    """Version of one round of one event: a form made from an older version is stale."""

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="round_rows")
    number = models.PositiveSmallIntegerField(_("round"))
    version = models.PositiveIntegerField(default=0)
    changed_by = models.ForeignKey(USER, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ["event", "number", "id"]
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="round_once_per_event")]

    def __str__(self) -> str:
        return f"{self.event_id}/{self.number}"


class OpeningList(models.Model):
    """Ratings taken over from before the first event in the system. Events up to its date never count."""

    system = models.ForeignKey(
        RatingSystem, verbose_name=_("rating system"), on_delete=models.PROTECT, related_name="opening_lists"
    )
    as_of = models.DateField(_("as of"))
    upload = models.ForeignKey(
        Upload, verbose_name=_("upload"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_by = models.ForeignKey(
        USER, verbose_name=_("entered by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("entered at"), auto_now_add=True)
    withdrawn_at = models.DateTimeField(_("withdrawn at"), null=True, blank=True)
    withdrawn_reason = models.TextField(_("why withdrawn"), blank=True)

    class Meta:
        verbose_name = _("opening list")
        verbose_name_plural = _("opening lists")
        ordering = ["system", "-as_of", "-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["system"], condition=Q(withdrawn_at__isnull=True), name="opening_list_one_in_force"
            )
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.as_of}"


class OpeningRating(models.Model):
    """One person of an opening list."""

    opening_list = models.ForeignKey(OpeningList, on_delete=models.CASCADE, related_name="rows")
    person = models.ForeignKey(
        Person, verbose_name=_("person"), on_delete=models.PROTECT, related_name="opening_ratings"
    )
    rating = models.IntegerField(_("rating"))
    games = models.PositiveIntegerField(_("games"))
    #: Wins in half points.
    wins = models.PositiveIntegerField(_("wins in half points"))
    last_season = models.PositiveSmallIntegerField(_("starting year of the last season"), null=True, blank=True)

    class Meta:
        verbose_name = _("opening rating")
        verbose_name_plural = _("opening ratings")
        ordering = ["opening_list", "person", "id"]
        constraints = [
            models.UniqueConstraint(fields=["opening_list", "person"], name="opening_once_per_person"),
            models.CheckConstraint(condition=Q(wins__lte=F("games") * 2), name="opening_wins_within_games"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.rating}"


class Correction(models.Model):
    """A change of results of a rated event: proposed with its effect on everybody, then applied or discarded."""

    class State(models.TextChoices):
        """States of a correction."""

        PROPOSED = "proposed", _("proposed")
        APPLIED = "applied", _("applied")
        DISCARDED = "discarded", _("discarded")

    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.PROTECT, related_name="corrections")
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.PROPOSED)
    #: ``[{"game": id | null, "remove": bool, "round": …, "a": entry, "b": entry, "kind": …, "score_a": …, …}]``
    changes = models.JSONField(default=list)
    reason = models.TextField(_("reason, public"))
    #: Effect on everybody as computed when proposed: rows of person, before, after on the list in force.
    effect = models.JSONField(default=dict)
    facts_version = models.PositiveBigIntegerField(default=0)
    proposed_by = models.ForeignKey(USER, verbose_name=_("proposed by"), on_delete=models.PROTECT, related_name="+")
    proposed_at = models.DateTimeField(_("proposed at"), auto_now_add=True)
    decided_by = models.ForeignKey(
        USER, verbose_name=_("decided by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    decided_at = models.DateTimeField(_("decided at"), null=True, blank=True)

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ["-proposed_at", "-id"]

    def __str__(self) -> str:
        return f"{self.event} ({self.get_state_display()})"


# ---- runs and ledger ----------------------------------------------------------------------------
