"""People, clubs, seasons, events and entries: the facts that all games share."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class MembershipPolicy(models.TextChoices):
    """What happens when a player has no membership or licence on the date of an event."""

    WARN = "warn", _("warn")
    BLOCK = "block", _("refuse")


class FederationSettings(models.Model):
    """The one row of settings of the federation itself."""

    name = models.CharField(_("name"), max_length=120, default="Barem")
    subtitle = models.CharField(_("second line of the name"), max_length=120, blank=True)
    town = models.CharField(_("town"), max_length=80, blank=True)
    contact_email = models.EmailField(_("public contact"), blank=True)
    membership_policy = models.CharField(
        _("missing membership"), max_length=10, choices=MembershipPolicy.choices, default=MembershipPolicy.WARN
    )
    two_person_publishing = models.BooleanField(
        _("a second person publishes"), default=False, help_text=_("Who prepared a list cannot publish it.")
    )
    objection_days = models.PositiveSmallIntegerField(_("days to object to a list"), default=30)
    adult_age = models.PositiveSmallIntegerField(_("age from which full names are shown"), default=18)

    #: ``adult_age`` as last read or saved in this process. Every page reads the settings, so names need no query.
    adult_age_in_force: ClassVar[int] = 18

    class Meta:
        verbose_name = _("federation settings")
        verbose_name_plural = _("federation settings")
        constraints = [models.CheckConstraint(condition=Q(id=1), name="federation_settings_single")]

    def __str__(self) -> str:
        return self.name

    @classmethod
    def from_db(cls, db: str | None, field_names: Any, values: Any, **kwargs: Any) -> FederationSettings:
        """Read the row, noting the age from which full names are shown."""
        row = super().from_db(db, field_names, values, **kwargs)
        row._note()
        return row

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the row from a cache, noting the age from which full names are shown."""
        super().__setstate__(state)  # type: ignore[misc]
        self._note()

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write the row, noting the age from which full names are shown."""
        super().save(*args, **kwargs)
        self._note()

    def _note(self) -> None:
        if "adult_age" in self.__dict__:
            FederationSettings.adult_age_in_force = self.adult_age


class Discipline(models.Model):
    """A game of the federation."""

    code = models.SlugField(_("code"), max_length=20, unique=True)
    name = models.CharField(_("name"), max_length=60)
    order = models.PositiveSmallIntegerField(_("order"), default=0)

    class Meta:
        verbose_name = _("discipline")
        verbose_name_plural = _("disciplines")
        ordering = ["order", "id"]

    def __str__(self) -> str:
        return self.name


class Club(models.Model):
    """A club of the federation."""

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=120, unique=True)
    short_name = models.CharField(_("short name"), max_length=40, blank=True)
    town = models.CharField(_("town"), max_length=80, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[RegexValidator(r"^[A-Z]{2}$")])
    is_active = models.BooleanField(_("active"), default=True)

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class PersonState(models.TextChoices):
    """States of a record in the register."""

    PROVISIONAL = "provisional", _("provisional, to be confirmed")
    CONFIRMED = "confirmed", _("confirmed")
    MERGED = "merged", _("merged into another record")
    ANONYMISED = "anonymised", _("anonymised")


class Publication(models.TextChoices):
    """How a name is shown to the public."""

    AUTOMATIC = "auto", _("by age: full name, initials for minors")
    FULL = "full", _("full name")
    INITIALS = "initials", _("initials")
    HIDDEN = "hidden", _("hidden")


class Sex(models.TextChoices):
    """Serves the women's category and is never shown itself."""

    UNKNOWN = "", _("not stated")
    FEMALE = "f", _("female")
    MALE = "m", _("male")
    OTHER = "x", _("other")


class Person(models.Model):
    """A player of any game, known by a number that is never reused.

    A merge never rewrites facts: the dropped record points to the kept one (``merged_into``, always one step), and
    every reading counts what it has for the kept record. Undoing a merge clears the pointer.
    """

    number = models.PositiveIntegerField(_("number"), unique=True)
    state = models.CharField(_("state"), max_length=12, choices=PersonState.choices, default=PersonState.CONFIRMED)
    given_name = models.CharField(_("given name"), max_length=80, blank=True)
    family_name = models.CharField(_("family name"), max_length=120)
    latin_given_name = models.CharField(_("given name in Latin letters"), max_length=80, blank=True)
    latin_family_name = models.CharField(_("family name in Latin letters"), max_length=120, blank=True)
    #: Folded family and given name (``federation.core.names.sort_key``), kept by the services.
    sort_key = models.CharField(max_length=255, editable=False, db_index=True, default="")
    #: Folded words of the name in its own script and in Latin letters, for search (``federation.core.names.fold_key``).
    fold_key = models.CharField(max_length=255, editable=False, db_index=True, default="")
    sex = models.CharField(_("sex"), max_length=1, choices=Sex.choices, blank=True, default=Sex.UNKNOWN)
    birth_year = models.PositiveSmallIntegerField(
        _("year of birth"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1900), MaxValueValidator(2100)],
        help_text=_("Never shown to the public."),
    )
    country = models.CharField(_("country"), max_length=2, blank=True, validators=[RegexValidator(r"^[A-Z]{2}$")])
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.PROTECT, related_name="people"
    )
    contact = models.CharField(_("contact"), max_length=200, blank=True, help_text=_("Never shown to the public."))
    publication = models.CharField(
        _("name in public"), max_length=10, choices=Publication.choices, default=Publication.AUTOMATIC
    )
    note = models.TextField(_("note of the registry"), blank=True)
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="merged_records",
    )
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="person",
    )
    version = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("entered at"), auto_now_add=True)

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        ordering = ["sort_key", "number"]
        constraints = [
            models.CheckConstraint(condition=Q(state__in=PersonState.values), name="person_state_is_known"),
            models.CheckConstraint(condition=Q(publication__in=Publication.values), name="person_publication_is_known"),
            models.CheckConstraint(condition=Q(sex__in=Sex.values), name="person_sex_is_known"),
            models.CheckConstraint(
                condition=Q(birth_year__isnull=True) | Q(birth_year__range=(1900, 2100)),
                name="person_birth_year_possible",
            ),
            models.CheckConstraint(
                condition=Q(state=PersonState.MERGED, merged_into__isnull=False)
                | (~Q(state=PersonState.MERGED) & Q(merged_into__isnull=True)),
                name="person_merged_has_target",
            ),
            models.CheckConstraint(
                condition=Q(merged_into__isnull=True) | ~Q(merged_into=F("id")), name="person_not_merged_into_itself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.full_name} ({self.number})"

    @property
    def audit_label(self) -> str:
        """What the audit calls this person: the number, which outlives the name."""
        return str(self.number)

    @property
    def full_name(self) -> str:
        """Name in its own script, given name first. For staff and directors; the public sees ``public_name``."""
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def latin_name(self) -> str:
        """Name in Latin letters, given name first; the name itself when it has no other form."""
        given = self.latin_given_name or self.given_name
        family = self.latin_family_name or self.family_name
        return f"{given} {family}".strip()

    @property
    def root_id(self) -> int:
        """Key of the record that counts: the one this was merged into, or itself."""
        return self.merged_into_id or self.pk


class PersonNumber(models.Model):
    """A number that was given out. The key is the number: databases never give a key twice, and never make us wait."""

    given_at = models.DateTimeField(_("given at"), auto_now_add=True)

    class Meta:
        verbose_name = _("number given")
        verbose_name_plural = _("numbers given")

    def __str__(self) -> str:
        return str(self.pk)


class PersonalValues(models.Model):
    """Names and other personal values that a change replaced or gave; the audit record itself only says which.

    The audit is never changed, so it must not hold what a person may ask to have removed: these rows hold it, and
    anonymising deletes them.
    """

    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="personal_values")
    audit_event = models.ForeignKey("audit.AuditEvent", on_delete=models.PROTECT, related_name="+")
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)

    class Meta:
        verbose_name = _("personal values of a change")
        verbose_name_plural = _("personal values of changes")
        ordering = ["-id"]

    def __str__(self) -> str:
        return str(self.audit_event_id)


class PersonAlias(models.Model):
    """Another spelling of a name, entered by staff or kept from a merge."""

    person = models.ForeignKey(Person, verbose_name=_("person"), on_delete=models.CASCADE, related_name="aliases")
    text = models.CharField(_("name"), max_length=200)
    fold_key = models.CharField(max_length=255, editable=False, db_index=True, default="")
    #: Kept in step with the merged records by the services; an alias that staff entered is not derived.
    derived = models.BooleanField(_("from a merged record"), default=False, editable=False)

    class Meta:
        verbose_name = _("alias")
        verbose_name_plural = _("aliases")
        ordering = ["text", "id"]
        constraints = [models.UniqueConstraint(fields=["person", "text"], name="alias_once_per_person")]

    def __str__(self) -> str:
        return self.text


class IdentifierScheme(models.TextChoices):
    """Who gave the identifier."""

    FEDERATION = "federation", _("federation licence")
    EGD = "egd", "EGD"
    RFG = "rfg", "RFG"
    AGA = "aga", "AGA"
    WESPA = "wespa", "WESPA"
    FIGB = "figb", "FIGB"
    WBF = "wbf", "WBF"
    USBGF = "usbgf", "USBGF"


class Identifier(models.Model):
    """A number that another body, or the federation, gave to a person."""

    person = models.ForeignKey(Person, verbose_name=_("person"), on_delete=models.CASCADE, related_name="identifiers")
    scheme = models.CharField(_("scheme"), max_length=12, choices=IdentifierScheme.choices)
    value = models.CharField(_("value"), max_length=40)

    class Meta:
        verbose_name = _("identifier")
        verbose_name_plural = _("identifiers")
        ordering = ["scheme", "value", "id"]
        constraints = [
            models.UniqueConstraint(fields=["scheme", "value"], name="identifier_once"),
            models.CheckConstraint(condition=Q(scheme__in=IdentifierScheme.values), name="identifier_scheme_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.get_scheme_display()} {self.value}"


class PersonMerge(models.Model):
    """One merge of two records, with what is needed to undo it."""

    kept = models.ForeignKey(Person, verbose_name=_("kept"), on_delete=models.PROTECT, related_name="merges_kept")
    dropped = models.ForeignKey(
        Person, verbose_name=_("dropped"), on_delete=models.PROTECT, related_name="merges_dropped"
    )
    #: Records that pointed to the dropped one and were pointed to the kept one by this merge, for the reader. Where
    #: a record points follows from the merges that are not undone (``services.merges``).
    moved_records = models.JSONField(default=list)
    previous_state = models.CharField(max_length=12, choices=PersonState.choices)
    reason = models.TextField(_("reason"))
    merged_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+")
    merged_at = models.DateTimeField(_("merged at"), auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    undone_at = models.DateTimeField(_("undone at"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        ordering = ["-merged_at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["dropped"], condition=Q(undone_at__isnull=True), name="merge_open_once"),
        ]

    def __str__(self) -> str:
        return f"{self.dropped} → {self.kept}"


class SeasonState(models.TextChoices):
    """States of a season."""

    PLANNED = "planned", _("planned")
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class Season(models.Model):
    """A season of one discipline; two of them never overlap (a database constraint keeps it so)."""

    discipline = models.ForeignKey(
        Discipline, verbose_name=_("discipline"), on_delete=models.PROTECT, related_name="seasons"
    )
    code = models.CharField(
        _("code"), max_length=7, validators=[RegexValidator(r"^\d{4}-\d{2}$", _("Write a season as 2025-26."))]
    )
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    state = models.CharField(_("state"), max_length=10, choices=SeasonState.choices, default=SeasonState.PLANNED)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering = ["discipline", "-starts_on", "id"]
        constraints = [
            models.UniqueConstraint(fields=["discipline", "code"], name="season_code_once"),
            models.CheckConstraint(condition=Q(starts_on__lt=F("ends_on")), name="season_starts_before_end"),
            models.CheckConstraint(condition=Q(state__in=SeasonState.values), name="season_state_is_known"),
        ]

    def __str__(self) -> str:
        return self.code.replace("-", "–")

    @property
    def start_year(self) -> int:
        """First year of the code, the year that activity is counted by."""
        return int(self.code[:4])


class Membership(models.Model):
    """Membership or licence of a person in a season."""

    person = models.ForeignKey(Person, verbose_name=_("person"), on_delete=models.PROTECT, related_name="memberships")
    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="memberships")
    club = models.ForeignKey(
        Club, verbose_name=_("club"), null=True, blank=True, on_delete=models.PROTECT, related_name="memberships"
    )
    licence = models.CharField(_("licence"), max_length=40, blank=True)
    valid_from = models.DateField(_("valid from"), null=True, blank=True)
    valid_until = models.DateField(_("valid until"), null=True, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ["season", "person", "id"]
        constraints = [
            models.UniqueConstraint(fields=["person", "season"], name="membership_once_per_season"),
            models.CheckConstraint(
                condition=Q(valid_from__isnull=True)
                | Q(valid_until__isnull=True)
                | Q(valid_from__lte=F("valid_until")),
                name="membership_dates_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.person}, {self.season}"

    @property
    def audit_label(self) -> str:
        """What the audit calls this membership, without the name."""
        return f"{self.person.number}, {self.season}"


class EventState(models.TextChoices):
    """States of an event, the same for every game."""

    DRAFT = "draft", _("draft")
    OPEN = "open", _("open")
    SUBMITTED = "submitted", _("submitted")
    APPROVED = "approved", _("approved")
    EXCLUDED = "excluded", _("excluded")


class Modality(models.TextChoices):
    """How the event is played; only classic events are rated by BARRUF."""

    CLASSIC = "classic", _("classic, one against one")
    DUPLICATE = "duplicate", _("duplicate")
    OTHER = "other", _("other")


class Event(models.Model):
    """A competition, or a phase of one that is rated by itself."""

    discipline = models.ForeignKey(
        Discipline, verbose_name=_("discipline"), on_delete=models.PROTECT, related_name="events"
    )
    season = models.ForeignKey(Season, verbose_name=_("season"), on_delete=models.PROTECT, related_name="events")
    slug = models.SlugField(_("address"), max_length=80)
    name = models.CharField(_("name"), max_length=160)
    modality = models.CharField(_("modality"), max_length=12, choices=Modality.choices, default=Modality.CLASSIC)
    starts_on = models.DateField(_("first day"))
    ends_on = models.DateField(_("last day"))
    rating_date = models.DateField(_("rating date"), help_text=_("The last day, unless another is set."))
    sequence = models.PositiveSmallIntegerField(
        _("order within the day"), default=0, help_text=_("Decides between events with the same rating date.")
    )
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=0, validators=[MaxValueValidator(200)])
    venue = models.CharField(_("venue"), max_length=120, blank=True)
    town = models.CharField(_("town"), max_length=80, blank=True)
    club = models.ForeignKey(
        Club, verbose_name=_("organising club"), null=True, blank=True, on_delete=models.PROTECT, related_name="events"
    )
    state = models.CharField(_("state"), max_length=10, choices=EventState.choices, default=EventState.DRAFT)
    excluded_reason = models.TextField(_("why it is excluded"), blank=True)
    results_public = models.BooleanField(_("results public or handed in"), default=True)
    #: Tie-breaks after points, in order: ``direct``, ``spread``; what is still equal shares the place.
    tie_breaks = models.JSONField(_("tie-breaks"), default=list, blank=True)
    directors = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("directors"),
        through="EventDirector",
        related_name="directed_events",
        blank=True,
    )
    version = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("entered at"), auto_now_add=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        #: The order in which events are rated: rating date, sequence, key.
        ordering = ["-rating_date", "-sequence", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["discipline", "slug"], name="event_address_once"),
            models.CheckConstraint(condition=Q(starts_on__lte=F("ends_on")), name="event_dates_in_order"),
            models.CheckConstraint(condition=Q(state__in=EventState.values), name="event_state_is_known"),
            models.CheckConstraint(condition=Q(modality__in=Modality.values), name="event_modality_is_known"),
            models.CheckConstraint(
                condition=~Q(state=EventState.EXCLUDED) | ~Q(excluded_reason=""), name="event_excluded_with_reason"
            ),
            models.CheckConstraint(condition=Q(rounds__lte=200), name="event_rounds_possible"),
        ]
        indexes = [models.Index(fields=["discipline", "rating_date", "sequence", "id"], name="event_rating_order")]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the promise that the rating date is the last day unless another is set."""
        if self.rating_date is None:
            self.rating_date = self.ends_on
        super().save(*args, **kwargs)


class EventDirector(models.Model):
    """An account that may run one event."""

    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.CASCADE, related_name="director_rows")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("account"), on_delete=models.PROTECT, related_name="director_rows"
    )

    class Meta:
        verbose_name = _("director")
        verbose_name_plural = _("directors")
        ordering = ["event", "id"]
        constraints = [models.UniqueConstraint(fields=["event", "user"], name="director_once_per_event")]

    def __str__(self) -> str:
        return str(self.user)


class Entry(models.Model):
    """A person's place in an event. ``person`` is the record as entered; merges are resolved when reading."""

    event = models.ForeignKey(Event, verbose_name=_("event"), on_delete=models.PROTECT, related_name="entries")
    person = models.ForeignKey(Person, verbose_name=_("person"), on_delete=models.PROTECT, related_name="entries")
    number = models.PositiveSmallIntegerField(_("number in the event"))
    withdrawn_after = models.PositiveSmallIntegerField(_("withdrawn after round"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ["event", "number", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "person"], name="entry_once_per_event"),
            models.UniqueConstraint(fields=["event", "number"], name="entry_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.person.full_name}"

    @property
    def audit_label(self) -> str:
        """What the audit calls this entry, without the name."""
        return f"{self.event}: {self.number} ({self.person.number})"
