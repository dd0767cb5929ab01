"""Desk of the registry officer: who waits, merging, splitting, anonymising, memberships."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.forms import AnonymiseForm, MembershipListForm, MergeForm, ReasonForm
from federation.registry.models import Person, PersonalValues, PersonState
from federation.registry.queries import people as queries
from federation.registry.services import memberships, people

#: What the reasons of suggestions mean (`federation.core.names.Reason`).
REASONS: dict[str, Any] = {
    "same": gettext_lazy("same name"),
    "accents": gettext_lazy("same but for accents or hyphens"),
    "word_order": gettext_lazy("same words in another order"),
    "script": gettext_lazy("same name in another script"),
    "joined": gettext_lazy("same but for blanks"),
    "truncated": gettext_lazy("one is cut"),
    "initials": gettext_lazy("initials fit"),
    "similar": gettext_lazy("similar"),
}


@require_GET
@permission_required("registry.change_person")
def overview(request: HttpRequest) -> HttpResponse:
    """Provisional persons with suggestions, oldest first, and the latest merges."""
    waiting = [
        {
            "person": row.person,
            "entries": row.entries,
            "suggestions": [
                {"person": person, "name": found.name, "why": REASONS.get(found.reason, found.reason)}
                for person, found in row.suggestions
            ],
        }
        for row in queries.doubtful_people()
    ]
    context = {
        "waiting": waiting,
        "waiting_count": queries.provisional_people().count() if len(waiting) == 50 else len(waiting),
        "merges": list(queries.open_merges()[:5]),
    }
    return render(request, "registry/desk.html", context)


@require_GET
@permission_required("registry.change_person")
def person(request: HttpRequest, number: int) -> HttpResponse:
    """One record with what hangs on it, its merges, earlier names and those it may be the same as."""
    row = get_object_or_404(Person.objects.select_related("club", "merged_into", "account"), number=number)
    closed = row.state in (PersonState.MERGED, PersonState.ANONYMISED)
    merges = queries.all_merges()
    context = {
        "person": row,
        "closed": closed,
        "facts": queries.record_facts(row),
        "merges": list((merges.filter(kept=row) | merges.filter(dropped=row)).distinct()),
        "changes": _changes(row),
        "suggestions": []
        if closed
        else [
            {"person": other, "name": found.name, "why": REASONS.get(found.reason, found.reason)}
            for other, found in queries.namesakes(row)
        ],
    }
    return render(request, "registry/person.html", context)


def _changes(row: Person) -> list[dict[str, Any]]:
    """Return the latest changes of personal values: one line for each value, before and after."""
    found = PersonalValues.objects.filter(person=row).select_related("audit_event__actor")[:20]
    return [
        {
            "record": change.audit_event,
            "rows": [
                {"label": _label(name), "before": change.before.get(name), "after": change.after.get(name)}
                for name in {**change.before, **change.after}
                if change.before.get(name) or change.after.get(name)
            ],
        }
        for change in found
    ]


def _label(name: str) -> str:
    field = Person._meta.get_field(name)
    return str(getattr(field, "verbose_name", "") or field.related_model._meta.verbose_name_plural)  # type: ignore[union-attr]


@require_POST
@permission_required("registry.confirm_person")
def confirm(request: HttpRequest, number: int) -> HttpResponse:
    """Confirm a provisional person."""
    row = get_object_or_404(Person, number=number)
    try:
        people.confirm_person(person=row, actor=_user(request))
    except RuleError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, _("Number %(number)s is confirmed.") % {"number": number})
    return redirect("registry-desk")


@require_http_methods(["GET", "POST"])
@permission_required("registry.merge_person")
def merge(request: HttpRequest) -> HttpResponse:
    """Choose two records, look at both and at what would move, merge."""
    data = request.POST if request.method == "POST" else request.GET
    sides = {name: _side(str(data.get(name, ""))) for name in ("kept", "dropped")}
    context: dict[str, Any] = {"sides": sides}
    kept, dropped = sides["kept"]["person"], sides["dropped"]["person"]
    if kept is None or dropped is None:
        return render(request, "registry/merge.html", context)
    preview = people.merge_preview(kept, dropped)
    versions = f"{kept.version}-{dropped.version}"
    form = MergeForm(
        request.POST or None, initial={"kept": kept.number, "dropped": dropped.number, "versions": versions}
    )
    if request.method == "POST" and form.is_valid():
        if form.cleaned_data["versions"] != versions and kept.root_id != dropped.root_id:
            form = MergeForm(
                {
                    "kept": kept.number,
                    "dropped": dropped.number,
                    "versions": versions,
                    "reason": form.cleaned_data["reason"],
                }
            )
            form.add_error(None, _("One of the records changed meanwhile. Look at both again, then merge."))
        elif _merge(request, kept, dropped, form):
            return redirect("registry-person", number=kept.number)
    context |= {
        "form": form,
        "preview": preview,
        "problems": [explain(problem) for problem in preview.problems],
        "pair": [("kept", queries.record_facts(kept)), ("dropped", queries.record_facts(dropped))],
    }
    return render(request, "registry/merge.html", context, status=422 if form.errors else 200)


def _merge(request: HttpRequest, kept: Person, dropped: Person, form: MergeForm) -> bool:
    try:
        people.merge_persons(kept=kept, dropped=dropped, reason=form.cleaned_data["reason"], actor=_user(request))
    except RuleError as error:
        form.add_error(None, explain(error))
        return False
    values = {"dropped": dropped.number, "kept": kept.number}
    messages.success(request, _("Number %(dropped)s now counts as number %(kept)s.") % values)
    return True


def _side(text: str) -> dict[str, Any]:
    """Return what was typed for one record, the record if it is a number, else the records that fit."""
    text = text.strip()
    if text.isascii() and text.isdigit() and len(text) <= 9:
        found = Person.objects.filter(number=int(text)).select_related("club", "merged_into").first()
        problem = "" if found else explain(RuleError("person_unknown", {"number": text}))
        return {"text": text, "person": found, "choices": [], "problem": problem}
    choices = list(queries.people_matching(text).select_related("club")[:20]) if text else []
    problem = _("Nobody of that name was found.") if text and not choices else ""
    return {"text": text, "person": None, "choices": choices, "problem": problem}


@require_GET
@permission_required("registry.merge_person")
def merges(request: HttpRequest) -> HttpResponse:
    """All merges, latest first, each with the way to undo it."""
    page = Paginator(queries.all_merges(), 50).get_page(request.GET.get("page"))
    return render(request, "registry/merges.html", {"page": page})


@require_http_methods(["GET", "POST"])
@permission_required("registry.split_person")
def split(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a merge."""
    row = get_object_or_404(queries.all_merges(), pk=pk)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            people.split_person(merge=row, reason=form.cleaned_data["reason"], actor=_user(request))
        except RuleError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, _("Number %(number)s counts by itself again.") % {"number": row.dropped.number})
            return redirect("registry-person", number=row.dropped.number)
    context = {"merge": row, "form": form, "facts": queries.record_facts(row.dropped)}
    return render(request, "registry/split.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@permission_required("registry.anonymise_person")
def anonymise(request: HttpRequest, number: int) -> HttpResponse:
    """Remove for good who a person was."""
    row = get_object_or_404(Person.objects.select_related("merged_into", "club"), number=number)
    form = AnonymiseForm(request.POST or None, person=row)
    if request.method == "POST" and form.is_valid():
        try:
            people.anonymise_person(person=row, reason=form.cleaned_data["reason"], actor=_user(request))
        except RuleError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, _("Number %(number)s is anonymised.") % {"number": row.number})
            return redirect("registry-person", number=row.number)
    context = {"person": row, "form": form, "facts": queries.record_facts(row)}
    return render(request, "registry/anonymise.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "POST"])
@permission_required("registry.change_membership")
def membership_list(request: HttpRequest) -> HttpResponse:
    """Enter the memberships of many persons at once, all or none."""
    form = MembershipListForm(request.POST or None)
    problems: list[dict[str, Any]] = []
    if request.method == "POST" and form.is_valid():
        season, text = form.cleaned_data["season"], form.cleaned_data["lines"]
        try:
            count = memberships.save_memberships(season=season, text=text, actor=_user(request))
        except RuleError as error:
            form.add_error(None, explain(error))
            rows: Any = error.params.get("problems", [])
            lines = [row for row in rows if isinstance(row, memberships.LineProblem)]
            problems = [{"line": row.line, "column": row.column, "text": explain(row.problem)} for row in lines]
        else:
            values = {"count": count, "season": season}
            done = ngettext(
                "%(count)s membership of season %(season)s is entered.",
                "%(count)s memberships of season %(season)s are entered.",
                count,
            )
            messages.success(request, done % values)
            return redirect("registry-memberships")
    context = {"form": form, "problems": problems}
    return render(request, "registry/memberships.html", context, status=422 if form.errors else 200)


def _user(request: HttpRequest) -> Any:
    """Return the signed-in account; the permission was checked."""
    return request.user
