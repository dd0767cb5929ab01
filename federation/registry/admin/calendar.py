"""Admin of disciplines, seasons, events and the settings of the federation."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from federation.problems import explain
from federation.registry.admin.base import ServiceAdmin, ServiceForm, VersionedForm, user_of
from federation.registry.models import (
    Discipline,
    Entry,
    Event,
    EventDirector,
    EventState,
    FederationSettings,
    Season,
)
from federation.registry.services import events, seasons

#: What can be chosen, as the words that are stored.
TIE_BREAKS = [
    ("", _("none")),
    ("direct", _("games between them")),
    ("spread", _("spread")),
    ("direct spread", _("games between them, then spread")),
    ("spread direct", _("spread, then games between them")),
]
FINISHED = (EventState.APPROVED, EventState.EXCLUDED)


class SeasonForm(ServiceForm):
    """A season."""

    class Meta:
        model = Season
        fields = ("discipline", *seasons.SEASON_FIELDS)


@admin.register(Season)
class SeasonAdmin(ServiceAdmin):
    form = SeasonForm
    list_display = ("code", "discipline", "starts_on", "ends_on", "state", "event_count")
    list_filter = ("discipline", "state")
    list_select_related = ("discipline",)
    search_fields = ("code",)
    ordering = ("discipline__order", "discipline__pk", "-starts_on", "pk")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Season]:
        """Count the events along."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.annotate(event_count=Count("events"))

    @admin.display(description=_("events"), ordering="event_count")
    def event_count(self, season: Any) -> int:
        """Number of events."""
        return int(season.event_count)

    def get_readonly_fields(self, request: HttpRequest, obj: Season | None = None) -> Any:
        """Closing and reopening is done at the desk of the game; the discipline stays."""
        return ("discipline", "state") if obj is not None else ()

    def write(self, request: HttpRequest, form: Any) -> Season:
        """Save by the service."""
        values = form.changes()
        discipline = values.pop("discipline", None) or form.instance.discipline
        season = form.instance if form.instance.pk else None
        return seasons.save_season(season=season, discipline=discipline, actor=user_of(request), **values)

    def remove(self, request: HttpRequest, obj: Season) -> None:
        """Delete by the service."""
        seasons.delete_season(season=obj, actor=user_of(request))


class DisciplineForm(ServiceForm):
    """A discipline."""

    class Meta:
        model = Discipline
        fields = seasons.DISCIPLINE_FIELDS


@admin.register(Discipline)
class DisciplineAdmin(ServiceAdmin):
    form = DisciplineForm
    list_display = ("name", "code", "order")
    search_fields = ("name", "code")
    ordering = ("order", "pk")

    def write(self, request: HttpRequest, form: Any) -> Discipline:
        """Save by the service."""
        return seasons.save_discipline(discipline=form.instance, actor=user_of(request), **form.changes())

    def has_delete_permission(self, request: HttpRequest, obj: Discipline | None = None) -> bool:
        """A discipline is never deleted."""
        return False


class SettingsForm(ServiceForm):
    """The settings of the federation."""

    class Meta:
        model = FederationSettings
        fields = seasons.SETTINGS_FIELDS


@admin.register(FederationSettings)
class FederationSettingsAdmin(ServiceAdmin):
    form = SettingsForm
    list_display = ("name", "town")

    def write(self, request: HttpRequest, form: Any) -> FederationSettings:
        """Save by the service."""
        return seasons.save_settings(actor=user_of(request), **form.changes())

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Go to the one row."""
        if not self.has_view_permission(request):
            return super().changelist_view(request, extra_context)
        there = FederationSettings.objects.filter(pk=1).exists()
        name = "admin:registry_federationsettings_"
        return HttpResponseRedirect(reverse(f"{name}change", args=[1]) if there else reverse(f"{name}add"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Allow one row."""
        return super().has_add_permission(request) and not FederationSettings.objects.exists()

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """The settings are never deleted."""
        return False


class EventForm(VersionedForm):
    """An event. Season, address and rating date follow from the rest when they are left empty."""

    tie_breaks = forms.ChoiceField(
        label=_("tie-breaks"),
        required=False,
        choices=TIE_BREAKS,
        help_text=_("What decides between equal points; what is still equal shares the place."),
    )

    class Meta:
        model = Event
        fields = ("discipline", *events.EDITABLE_FIELDS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["tie_breaks"] = " ".join(self.instance.tie_breaks or [])
        for name, text in {
            "season": _("Empty: the season of the rating date."),
            "slug": _("Empty: made from the name."),
            "rating_date": _("Empty: the last day."),
            "ends_on": _("Empty: the first day."),
        }.items():
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].help_text = text

    def clean_tie_breaks(self) -> list[str]:
        """Return the tie-breaks as the list that is stored."""
        return str(self.cleaned_data["tie_breaks"]).split()


class EntryForm(forms.ModelForm):
    """An entry that is there: number and withdrawal."""

    class Meta:
        model = Entry
        fields = ("number", "withdrawn_after")

    def validate_unique(self) -> None:
        """The service names whom a taken number belongs to."""


class EntryInline(admin.TabularInline):
    model = Entry
    form = EntryForm
    fields = ("number", "person_link", "withdrawn_after")
    readonly_fields = ("person_link",)
    extra = 0
    verbose_name_plural = _("entries")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """Fetch the persons along."""
        return super().get_queryset(request).select_related("person").order_by("number", "pk")

    @admin.display(description=_("player"))
    def person_link(self, entry: Entry) -> str:
        """Full name and public number."""
        return str(entry.person)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """New entries have a block of their own."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Entries change while the event is worked on."""
        unfinished = obj is None or obj.state in events.UNFINISHED
        return unfinished and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Entries are removed while the event is worked on."""
        unfinished = obj is None or obj.state in events.UNFINISHED
        return unfinished and super().has_delete_permission(request, obj)


class NewEntryForm(forms.ModelForm):
    """A new entry; the number is the next free one unless given."""

    number = forms.IntegerField(label=_("number in the event"), required=False, min_value=1, max_value=9999)

    class Meta:
        model = Entry
        fields = ("person", "number")

    def validate_unique(self) -> None:
        """The service names whom a taken number belongs to."""


class NewEntryInline(admin.TabularInline):
    model = Entry
    form = NewEntryForm
    fields = ("person", "number")
    autocomplete_fields = ("person",)
    extra = 3
    max_num = 20
    can_delete = False
    verbose_name_plural = _("new entries")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """Show no entry that is there."""
        return super().get_queryset(request).none()


class DirectorInline(admin.TabularInline):
    model = EventDirector
    fields = ("user",)
    raw_id_fields = ("user",)
    extra = 1

    def get_queryset(self, request: HttpRequest) -> QuerySet[EventDirector]:
        """Fetch the accounts along."""
        return super().get_queryset(request).select_related("user")

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A director is named or removed, never exchanged."""
        return False


@admin.register(Event)
class EventAdmin(ServiceAdmin):
    form = EventForm
    list_display = ("name", "discipline", "season", "starts_on", "rating_date", "modality", "state", "entry_count")
    list_filter = ("state", "discipline", ("season", admin.RelatedOnlyFieldListFilter), "modality")
    list_select_related = ("discipline", "season")
    search_fields = ("name", "slug", "town", "venue")
    ordering = ("-rating_date", "-sequence", "-pk")
    date_hierarchy = "rating_date"
    autocomplete_fields = ("club",)
    readonly_fields = ("state", "excluded_reason")
    inlines = (EntryInline, NewEntryInline, DirectorInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Count the entries along."""
        rows: QuerySet[Any] = super().get_queryset(request)
        return rows.annotate(entry_count=Count("entries"))

    @admin.display(description=_("entries"), ordering="entry_count")
    def entry_count(self, event: Any) -> int:
        """Number of entries."""
        return int(event.entry_count)

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        """The discipline stays."""
        return (*self.readonly_fields, "discipline") if obj is not None else self.readonly_fields

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        """Dates first, then the place, then what only the rating needs."""
        head = ("name", "discipline", "state", "excluded_reason", "form_version") if obj else ("name", "discipline")
        return [
            (None, {"fields": head}),
            (_("When"), {"fields": ("starts_on", "ends_on", "rating_date", "sequence", "season")}),
            (_("Where"), {"fields": ("venue", "town", "club")}),
            (_("How"), {"fields": ("modality", "rounds", "tie_breaks", "results_public", "slug")}),
        ]

    def get_inlines(self, request: HttpRequest, obj: Event | None) -> Any:
        """Offer entries and directors once the event is entered, new entries while it may be changed."""
        if obj is None:
            return ()
        return (EntryInline, DirectorInline) if obj.state not in events.UNFINISHED else self.inlines

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """Refuse to change what is approved or excluded: it is reopened first."""
        return super().has_change_permission(request, obj) and (obj is None or obj.state not in FINISHED)

    def write(self, request: HttpRequest, form: Any) -> Event:
        """Create or change by the services."""
        values = form.changes("discipline")
        if form.instance.pk:
            version = form.cleaned_data.get("form_version")
            version = -1 if version is None else version
            for name in ("season", "slug", "ends_on"):
                values[name] = values.get(name) or getattr(form.instance, name)
            return events.change_event(event=form.instance, actor=user_of(request), version=version, **values)
        values["rounds"] = values.get("rounds") or 0
        discipline = form.cleaned_data["discipline"]
        return events.create_event(actor=user_of(request), discipline=discipline, **values)

    def remove(self, request: HttpRequest, obj: Event) -> None:
        """Delete by the service."""
        events.delete_event(event=obj, actor=user_of(request))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save entries and directors by the services; what one refuses undoes the whole page."""
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []
        for row in formset.forms:
            deleted = row in getattr(formset, "deleted_forms", [])
            if deleted or row.has_changed():
                self._save_row(request, form.instance, row, deleted)

    def _save_row(self, request: HttpRequest, event: Event, row: Any, deleted: bool) -> None:
        actor, instance = user_of(request), row.instance
        if isinstance(instance, EventDirector):
            if deleted and instance.pk:
                events.remove_director(event=event, user=instance.user, actor=actor)
            elif not deleted:
                events.name_director(event=event, user=row.cleaned_data["user"], actor=actor)
        elif deleted and instance.pk:
            events.remove_entry(entry=instance, actor=actor)
        elif instance.pk:
            values = row.cleaned_data
            entry = Entry.objects.get(pk=instance.pk)
            events.change_entry_number(entry=entry, number=values["number"], actor=actor)
            events.withdraw_entry(entry=entry, after_round=values["withdrawn_after"], actor=actor)
        elif not deleted and (person := row.cleaned_data.get("person")):
            number = row.cleaned_data.get("number")
            events.add_entry(event=event, person=person, number=number, actor=actor)
            self._warn(request, person, event)

    def _warn(self, request: HttpRequest, person: Any, event: Event) -> None:
        problem = events.membership_problem(person, event)
        if problem is not None:
            self.message_user(request, explain(problem), level="WARNING")

    def tools(self, request: HttpRequest, obj: Event) -> list[tuple[str, Any]]:
        """Offer the steps of the event."""
        return [(reverse("registry-event", args=[quote(obj.pk)]), _("Hand in, approve, exclude, reopen"))]
