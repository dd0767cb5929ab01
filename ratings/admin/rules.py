"""Rule sets in the admin: versions to look at, and a new version with a preview of what it would change."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from federation.core.errors import RuleError
from federation.registry.models import Event
from ratings.admin.base import ReadOnlyAdmin
from ratings.forms.rulesets import RuleSetForm
from ratings.models import RuleSet
from ratings.presenters.rule_preview import ListedLine, listed_lines
from ratings.queries.effects import EffectLine, effect_lines
from ratings.services.rulesets import new_version, preview_version
from ratings.services.runs import current_system

#: Lines of a preview shown at once.
MOST_LINES = 200


@admin.register(RuleSet)
class RuleSetAdmin(ReadOnlyAdmin):
    list_display = ("name", "version", "system", "valid_from", "short_digest", "created_by", "created_at")
    list_filter = ("system", "name")
    list_select_related = ("system", "created_by")
    search_fields = ("name", "note", "digest")
    ordering = ("system", "name", "-version", "pk")
    fields = ("system", "name", "version", "valid_from", "parameters", "digest", "note", "created_by", "created_at")
    change_form_template = "admin/ratings/ruleset_change_form.html"

    @admin.display(description=gettext_lazy("digest"), ordering="digest")
    def short_digest(self, rule_set: RuleSet) -> str:
        """Beginning of the digest."""
        return rule_set.digest[:12]

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Who may change the rules may add a version."""
        return request.user.has_perm("ratings.change_ruleset")

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Enter a version, look at what it would change, and save it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        if request.method != "POST":
            wanted = _key(request.GET.get("from"))
            chosen = RuleSet.objects.filter(pk=wanted).first() if wanted is not None else None
            base = chosen or self._newest()
            initial = RuleSetForm.initial_of(base) if base else {}
            return self._page(request, RuleSetForm(initial=initial))
        form = RuleSetForm(request.POST)
        if not form.is_valid():
            return self._page(request, form, status=422)
        if "preview" in request.POST:
            return self._preview(request, form)
        values = form.cleaned_data
        try:
            made = new_version(
                name=values["name"],
                parameters=form.parameters(),
                valid_from=values["valid_from"],
                note=values["note"],
                actor=request.user,
            )
        except RuleError as error:
            form.refuse(error)
            return self._page(request, form, status=422)
        messages.success(request, _("%(rules)s is stored.") % {"rules": made})
        return HttpResponseRedirect(reverse("admin:ratings_ruleset_change", args=[made.pk]))

    def _newest(self) -> RuleSet | None:
        return RuleSet.objects.filter(valid_from__isnull=False).order_by("-valid_from", "-pk").first()

    def _preview(self, request: HttpRequest, form: RuleSetForm) -> HttpResponse:
        """Show whom the version would move; a version that is never in force is compared over all events."""
        system = current_system()
        first = Event.objects.filter(discipline=system.discipline).order_by("rating_date", "pk").first()
        valid_from = form.cleaned_data["valid_from"] or (first.rating_date if first else None)
        lines: list[EffectLine] = []
        listed: list[ListedLine] = []
        events = more = 0
        if valid_from is not None:
            try:
                found = preview_version(
                    parameters=form.parameters(),
                    valid_from=valid_from,
                    everything="everything" in request.POST or form.cleaned_data["valid_from"] is None,
                    system=system,
                )
            except RuleError as error:
                form.refuse(error)
                return self._page(request, form, status=422)
            rows = [(row.person, row.before, row.after, row.games_before, row.games_after) for row in found.rows]
            lines, events = effect_lines(system, rows), len(found.events)
            listed = listed_lines(found.listed[:MOST_LINES])
            more = max(len(found.listed) - MOST_LINES, 0)
        extra: dict[str, Any] = {
            "lines": lines[:MOST_LINES],
            "more_lines": max(len(lines) - MOST_LINES, 0),
            "events": events,
            "listed": listed,
            "more_listed": more,
        }
        return self._page(request, form, previewed=True, everything="everything" in request.POST, **extra)

    def _page(self, request: HttpRequest, form: RuleSetForm, *, status: int = 200, **extra: Any) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("New version of the rules"),
            "form": form,
            "versions": RuleSet.objects.select_related("system").order_by("system", "name", "-version", "pk"),
            **extra,
        }
        return render(request, "admin/ratings/ruleset_new.html", context, status=status)


def _key(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 10 else None
