"""Admin of people, clubs and memberships."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from federation.core.names import same_spelling
from federation.registry.admin.base import ServiceAdmin, ServiceForm, VersionedForm, user_of
from federation.registry.models import (
    Club,
    Identifier,
    Membership,
    Person,
    PersonAlias,
    PersonState,
)
from federation.registry.queries.people import active_people, people_matching
from federation.registry.services import clubs, memberships, people
from federation.registry.services.records import clean_text, search_key

CLOSED = (PersonState.MERGED, PersonState.ANONYMISED)


class PersonForm(VersionedForm):
    """A person; entering one asks about namesakes first."""

    namesake = forms.BooleanField(
        label=_("a namesake"),
        required=False,
        help_text=_("Somebody of the same name is in the register: this is another person."),
    )

    class Meta:
        model = Person
        fields = people.EDITABLE_FIELDS

    def clean(self) -> dict[str, Any]:
        """Refuse a second record of the same name unless it is said to be another person."""
        cleaned = super().clean()
        if self.instance.pk or self.errors or cleaned.get("namesake"):
            return cleaned
        name = clean_text(f"{cleaned.get('given_name', '')} {cleaned.get('family_name', '')}")
        for person in active_people().filter(fold_key__contains=search_key(name)[:60])[:200]:
            if same_spelling(person.full_name, name):
                text = _("%(name)s, number %(number)s, is in the register. If this is another person, say so below.")
                self.add_error(None, text % {"name": person.full_name, "number": person.number})
                break
        return cleaned


class AliasInline(admin.TabularInline):
    model = PersonAlias
    fields = ("text",)
    extra = 0

    def get_queryset(self, request: HttpRequest) -> QuerySet[PersonAlias]:
        """Leave out the names of merged records: they come and go with the merge."""
        return super().get_queryset(request).filter(derived=False)


class IdentifierForm(forms.ModelForm):
    """An identifier; one that is taken says by whom."""

    class Meta:
        model = Identifier
        fields = ("scheme", "value")

    def clean(self) -> dict[str, Any]:
        """Name whom a taken identifier belongs to."""
        cleaned = super().clean() or {}
        value = {"scheme": cleaned.get("scheme"), "value": clean_text(cleaned.get("value"))}
        taken = Identifier.objects.filter(**value).exclude(pk=self.instance.pk).select_related("person").first()
        if taken is not None:
            text = _("%(identifier)s already belongs to %(name)s, number %(number)s.")
            owner = {"name": taken.person.full_name, "number": taken.person.number}
            self.add_error("value", text % {"identifier": str(taken), **owner})
        return cleaned

    def validate_unique(self) -> None:
        """The check above says more."""


class IdentifierInline(admin.TabularInline):
    model = Identifier
    form = IdentifierForm
    extra = 0


@admin.register(Person)
class PersonAdmin(ServiceAdmin):
    form = PersonForm
    list_display = ("number", "name", "state", "club", "country", "publication", "merged_into_number")
    list_display_links = ("number", "name")
    list_filter = ("state", "publication", ("club", admin.RelatedOnlyFieldListFilter), "country")
    list_select_related = ("club", "merged_into")
    search_fields = ("fold_key",)
    search_help_text = _("Name in any script, with or without accents, number or identifier")
    ordering = ("sort_key", "number")
    autocomplete_fields = ("club",)
    readonly_fields = ("number", "state", "merged_into", "account", "created_at")
    inlines = (AliasInline, IdentifierInline)

    @admin.display(description=_("name"), ordering="sort_key")
    def name(self, person: Person) -> str:
        """Family name first, as the list is ordered."""
        return f"{person.family_name}, {person.given_name}" if person.given_name else person.family_name

    @admin.display(description=_("merged into"), ordering="merged_into__number")
    def merged_into_number(self, person: Person) -> str:
        """Number of the record that counts."""
        return str(person.merged_into.number) if person.merged_into else ""

    def get_fieldsets(self, request: HttpRequest, obj: Person | None = None) -> Any:
        """Show what only the registry needs to those who keep it."""
        names = ("given_name", "family_name", "latin_given_name", "latin_family_name")
        public = ("club", "country", "publication")
        confidential = ("birth_year", "sex", "contact", "note")
        keeps = request.user.has_perm("registry.change_person")
        if obj is None:
            return [
                (None, {"fields": (*names, "namesake")}),
                (None, {"fields": public}),
                (_("Never public"), {"fields": confidential}),
            ]
        sets = [
            (None, {"fields": ("number", "state", "merged_into")}),
            (_("Name"), {"fields": (*names, "form_version")}),
        ]
        sets.append((None, {"fields": public}))
        if keeps:
            sets.append((_("Never public"), {"fields": (*confidential, "account", "created_at")}))
        return sets

    def has_change_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        """Refuse to change a merged or anonymised record."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.state not in CLOSED)

    def has_delete_permission(self, request: HttpRequest, obj: Person | None = None) -> bool:
        """Refuse to delete a merged or anonymised record."""
        allowed = super().has_delete_permission(request, obj)
        return allowed and (obj is None or obj.state not in CLOSED)

    def get_inlines(self, request: HttpRequest, obj: Person | None) -> Any:
        """Offer aliases and identifiers once the person is entered."""
        return self.inlines if obj is not None and obj.state not in CLOSED else ()

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Find by folded words, number or identifier."""
        if not search_term.strip():
            return queryset, False
        return people_matching(search_term, queryset), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Person]:
        """Offer only records that count where a person is chosen."""
        rows = super().get_queryset(request)
        return rows.exclude(state__in=CLOSED) if request.path.endswith("/autocomplete/") else rows

    def may_try(self, form: Any) -> bool:
        """Do not spend a number on trying."""
        return bool(form.instance.pk)

    def write(self, request: HttpRequest, form: Any) -> Person:
        """Create or change by the services."""
        values = {name: value for name, value in form.changes("namesake").items() if name in people.EDITABLE_FIELDS}
        if form.instance.pk:
            version = form.cleaned_data.get("form_version")
            version = -1 if version is None else version
            return people.change_person(person=form.instance, actor=user_of(request), version=version, **values)
        return people.create_person(actor=user_of(request), **values)

    def remove(self, request: HttpRequest, obj: Person) -> None:
        """Delete by the service."""
        people.delete_person(person=obj, actor=user_of(request))

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save aliases and identifiers by the services."""
        person = form.instance
        formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []
        for row in formset.forms:
            if not row.has_changed() and row not in formset.deleted_forms:
                continue
            if row.instance.pk:
                self._drop(request, row.instance.__class__.objects.filter(pk=row.instance.pk).first())
            if row not in formset.deleted_forms:
                self._add(request, person, formset.model, row.cleaned_data)

    def _drop(self, request: HttpRequest, row: Any) -> None:
        if isinstance(row, PersonAlias):
            people.remove_alias(alias=row, actor=user_of(request))
        elif isinstance(row, Identifier):
            people.remove_identifier(identifier=row, actor=user_of(request))

    def _add(self, request: HttpRequest, person: Person, model: type, values: dict[str, Any]) -> None:
        if model is PersonAlias:
            people.add_alias(person=person, text=values["text"], actor=user_of(request))
        else:
            scheme, value = values["scheme"], values["value"]
            people.add_identifier(person=person, scheme=scheme, value=value, actor=user_of(request))

    def tools(self, request: HttpRequest, obj: Person) -> list[tuple[str, Any]]:
        """Offer merging, confirming and anonymising."""
        address = reverse("registry-person", args=[obj.number])
        links: list[tuple[str, Any]] = [(address, _("Record at the desk"))]
        if obj.state in CLOSED:
            return links
        if request.user.has_perm("registry.merge_person"):
            links.append((f"{reverse('registry-merge')}?kept={obj.number}", _("Merge another record into this one")))
        if request.user.has_perm("registry.anonymise_person"):
            links.append((reverse("registry-anonymise", args=[obj.number]), _("Anonymise")))
        return links


class ClubForm(ServiceForm):
    """A club."""

    class Meta:
        model = Club
        fields = clubs.EDITABLE_FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "slug" in self.fields:
            self.fields["slug"].required = False
            self.fields["slug"].help_text = _("Empty: made from the name.")


@admin.register(Club)
class ClubAdmin(ServiceAdmin):
    form = ClubForm
    list_display = ("name", "short_name", "town", "country", "is_active")
    list_filter = ("is_active", "country")
    search_fields = ("name", "short_name", "town", "slug")
    ordering = ("name", "pk")

    def write(self, request: HttpRequest, form: Any) -> Club:
        """Save by the service."""
        return clubs.save_club(club=form.instance, actor=user_of(request), **form.changes())

    def remove(self, request: HttpRequest, obj: Club) -> None:
        """Delete by the service."""
        clubs.delete_club(club=obj, actor=user_of(request))


class MembershipForm(ServiceForm):
    """A membership."""

    class Meta:
        model = Membership
        fields = ("person", "season", *memberships.EDITABLE_FIELDS)

    def clean(self) -> dict[str, Any]:
        """Refuse a second membership of the season."""
        cleaned = super().clean()
        person, season = cleaned.get("person"), cleaned.get("season")
        if not self.instance.pk and person and season:
            there = Membership.objects.filter(person=person.root_id, season=season)
            if there.exists():
                text = _("%(name)s already has a membership for season %(season)s.")
                self.add_error("person", text % {"name": person.full_name, "season": season})
        return cleaned


@admin.register(Membership)
class MembershipAdmin(ServiceAdmin):
    form = MembershipForm
    list_display = ("member", "number", "season", "club", "licence", "valid_from", "valid_until")
    list_filter = (("season", admin.RelatedOnlyFieldListFilter), ("club", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("person", "season", "club")
    search_fields = ("licence",)
    search_help_text = _("Name in any script, with or without accents, number or licence")
    ordering = ("-season__starts_on", "person__sort_key", "pk")
    autocomplete_fields = ("person", "club")

    @admin.display(description=_("member"), ordering="person__sort_key")
    def member(self, membership: Membership) -> str:
        """Full name."""
        return membership.person.full_name

    @admin.display(description=_("number"), ordering="person__number")
    def number(self, membership: Membership) -> int:
        """Public number."""
        return membership.person.number

    def get_readonly_fields(self, request: HttpRequest, obj: Membership | None = None) -> Any:
        """Keep whose membership it is and of which season."""
        return ("person", "season") if obj is not None else ()

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """Find by the member or the licence."""
        if not search_term.strip():
            return queryset, False
        members = people_matching(search_term, Person.objects.all()).values("pk")
        found = queryset.filter(person__in=members) | queryset.filter(licence__iexact=search_term.strip())
        return found, False

    def write(self, request: HttpRequest, form: Any) -> Membership:
        """Save by the service."""
        values = form.changes()
        person = values.pop("person", None) or form.instance.person
        season = values.pop("season", None) or form.instance.season
        return memberships.save_membership(person=person, season=season, actor=user_of(request), **values)

    def remove(self, request: HttpRequest, obj: Membership) -> None:
        """Delete by the service."""
        memberships.delete_membership(membership=obj, actor=user_of(request))
