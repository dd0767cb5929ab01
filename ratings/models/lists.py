"""What is published: lists with their rows, errata, and the tasks that close and open a season."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import Job
from federation.registry.models import Club, Event, Person, Season
from ratings.models.facts import Correction
from ratings.models.runs import RatingRun
from ratings.models.systems import RatingSystem, RuleSet

USER = settings.AUTH_USER_MODEL


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
