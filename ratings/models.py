"""Facts of scrabble, and what a replay of the facts gives: runs, ledger, lists."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import Job
from federation.registry.models import Club, Discipline, Entry, Event, Person, Season
from federation.uploads.models import Upload

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


class ListKind(models.TextChoices):
    """Why a list was made."""

    REGULAR = "regular", _("regular edition")
    CLOSE = "close", _("last edition of a season")
    OPENING = "opening", _("first edition of a season")
    CORRECTION = "correction", _("corrected edition")


class ListState(models.TextChoices):
    """States of a list; readers see published ones only."""

    DRAFT = "draft", _("draft")
    PUBLISHED = "published", _("published")


class PublishedList(models.Model):
    """An edition. Frozen once published: a correction makes a new one and an erratum."""

    system = models.ForeignKey(
        RatingSystem, verbose_name=_("rating system"), on_delete=models.PROTECT, related_name="lists"
    )
    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="lists")
    kind = models.CharField(_("kind"), max_length=12, choices=ListKind.choices, default=ListKind.REGULAR)
    state = models.CharField(_("state"), max_length=10, choices=ListState.choices, default=ListState.DRAFT)
    #: Running number within the system, given on publication and never reused.
    number = models.PositiveIntegerField(_("number"), null=True, blank=True)
    as_of = models.DateField(_("as of"))
    rule_set = models.ForeignKey(RuleSet, verbose_name=_("listing rules"), on_delete=models.PROTECT, related_name="+")
    run = models.ForeignKey(RatingRun, verbose_name=_("run"), on_delete=models.PROTECT, related_name="lists")
    #: How many events of the run the list includes (those up to its date).
    position = models.PositiveIntegerField(_("events included"))
    previous = models.ForeignKey(
        "self",
        verbose_name=_("compared with"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="compared_by",
    )
    corrects = models.ForeignKey(
        "self", verbose_name=_("corrects"), null=True, blank=True, on_delete=models.PROTECT, related_name="corrected_by"
    )
    #: SHA-256 of the rows in order, by person number.
    fingerprint = models.CharField(_("fingerprint"), max_length=64)
    #: Totals shown in the header, so that no page counts rows.
    counts = models.JSONField(_("counts"), default=dict)
    created_by = models.ForeignKey(
        USER, verbose_name=_("prepared by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    created_at = models.DateTimeField(_("prepared at"), auto_now_add=True)
    published_by = models.ForeignKey(
        USER, verbose_name=_("published by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("published at"), null=True, blank=True)

    class Meta:
        verbose_name = _("list")
        verbose_name_plural = _("lists")
        ordering = ["system", "-number", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["system", "number"], name="list_number_once"),
            models.CheckConstraint(
                condition=Q(state=ListState.DRAFT, number__isnull=True)
                | Q(state=ListState.PUBLISHED, number__isnull=False, published_at__isnull=False),
                name="list_published_has_number",
            ),
            models.CheckConstraint(
                condition=~Q(kind=ListKind.CORRECTION) | Q(corrects__isnull=False),
                name="list_correction_names_its_list",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.system} {self.number or '–'}"


class ListRow(models.Model):
    """One player of a list, with every figure shown."""

    list = models.ForeignKey(PublishedList, on_delete=models.CASCADE, related_name="rows")
    #: Order of the printed list, 1 and up; ranked part first.
    order = models.PositiveIntegerField()
    person = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="list_rows")
    club = models.ForeignKey(Club, null=True, on_delete=models.PROTECT, related_name="+")
    #: ``ranked``, ``provisional``, ``inactive`` or ``new``.
    status = models.CharField(max_length=12)
    active = models.BooleanField()
    position = models.PositiveIntegerField(null=True)
    rating = models.IntegerField()
    #: Title code, empty for none.
    title = models.CharField(max_length=20, blank=True)
    games = models.PositiveIntegerField()
    wins = models.PositiveIntegerField()
    season_games = models.PositiveIntegerField(default=0)
    season_wins = models.PositiveIntegerField(default=0)
    last_season = models.PositiveSmallIntegerField(null=True)
    debut = models.BooleanField(default=False)
    progress = models.IntegerField(null=True)
    games_since = models.IntegerField(null=True)
    wins_since = models.IntegerField(null=True)
    corrected = models.BooleanField(default=False)
    #: Positions gained; null where there is a mark or no move.
    moved = models.IntegerField(null=True)
    #: ``deb``, ``rec`` or empty.
    mark = models.CharField(max_length=3, blank=True)
    last_event = models.ForeignKey(Event, null=True, on_delete=models.PROTECT, related_name="+")
    #: Ratings after the last twelve events, oldest first, separated by commas.
    recent = models.CharField(max_length=120, blank=True)

    class Meta:
        verbose_name = _("row of a list")
        verbose_name_plural = _("rows of lists")
        ordering = ["list", "order"]
        constraints = [
            models.UniqueConstraint(fields=["list", "order"], name="list_order_once"),
            models.UniqueConstraint(fields=["list", "person"], name="list_person_once"),
        ]
        indexes = [
            models.Index(fields=["list", "status", "order"], name="list_by_status"),
            models.Index(fields=["list", "club", "order"], name="list_by_club"),
            models.Index(fields=["list", "rating", "order"], name="list_by_rating"),
        ]

    def __str__(self) -> str:
        return f"{self.list_id}/{self.order}"


class Erratum(models.Model):
    """Public note that comes with a corrected list: what was wrong, who moved and why."""

    number = models.CharField(_("number"), max_length=10, unique=True)
    corrected_list = models.OneToOneField(
        PublishedList, verbose_name=_("corrected list"), on_delete=models.PROTECT, related_name="erratum"
    )
    replaced_list = models.ForeignKey(
        PublishedList, verbose_name=_("list it replaces"), on_delete=models.PROTECT, related_name="errata"
    )
    corrections = models.ManyToManyField(Correction, verbose_name=_("corrections"), blank=True, related_name="errata")
    reason = models.TextField(_("what was wrong"))
    published_at = models.DateTimeField(_("published at"))

    class Meta:
        verbose_name = _("erratum")
        verbose_name_plural = _("errata")
        ordering = ["-published_at", "-id"]

    def __str__(self) -> str:
        return self.number


class SeasonTask(models.Model):
    """Closing or opening of a season: where it stands and what it made."""

    class Kind(models.TextChoices):
        """Kinds of task."""

        CLOSE = "close", _("close")
        OPEN = "open", _("open")

    class State(models.TextChoices):
        """States of the task."""

        PREPARING = "preparing", _("being prepared")
        PREPARED = "prepared", _("prepared, to be published")
        PUBLISHED = "published", _("published")

    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="tasks")
    system = models.ForeignKey(
        RatingSystem, verbose_name=_("rating system"), on_delete=models.PROTECT, related_name="season_tasks"
    )
    kind = models.CharField(_("kind"), max_length=6, choices=Kind.choices)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.PREPARING)
    #: Result of the checks when the run was started.
    checks = models.JSONField(default=list)
    job = models.ForeignKey(Job, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    draft = models.ForeignKey(
        PublishedList, verbose_name=_("list"), null=True, blank=True, on_delete=models.SET_NULL, related_name="tasks"
    )
    prepared_by = models.ForeignKey(
        USER, verbose_name=_("prepared by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    prepared_at = models.DateTimeField(_("prepared at"), null=True, blank=True)
    published_by = models.ForeignKey(
        USER, verbose_name=_("published by"), null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    published_at = models.DateTimeField(_("published at"), null=True, blank=True)

    class Meta:
        verbose_name = _("season task")
        verbose_name_plural = _("season tasks")
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["season", "system", "kind"], name="season_task_once")]

    def __str__(self) -> str:
        return f"{self.season} {self.get_kind_display()}"
