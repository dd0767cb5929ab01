"""The rule page, rendered from the rule set, and the calculator."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from federation.core.errors import RuleError
from ratings.forms.calculator import CalculatorForm
from ratings.models import RatingSystem, RuleSet
from ratings.presenters import calculation
from ratings.presenters import rules as present
from ratings.queries import pages_events
from ratings.views import public_common
from ratings.views.public_common import Lost, public


def _code(row: RuleSet) -> str:
    return f"{row.name}-{row.version}"


def _chosen(request: HttpRequest, rating: RatingSystem) -> tuple[RuleSet, list[RuleSet], RuleSet | None]:
    """The rule set that the address names, all of them, and the one in force today."""
    rows = pages_events.rule_sets(rating)
    today = timezone.localdate()
    in_force = next((row for row in rows if row.valid_from and row.valid_from <= today), None)
    asked = request.GET.get("rules", "")
    if asked:
        found = next((row for row in rows if _code(row) == asked), None)
        if found is None:
            raise Lost(
                _("There are no rules “%(name)s”") % {"name": asked[:40]},
                _("Every version of the rules stays readable; the rule page lists all of them."),
                [(_("Rules in force"), reverse("scrabble-rules"))],
            )
    else:
        found = in_force or (rows[0] if rows else None)
    if found is None:
        raise public_common.NotSetUp
    return found, rows, in_force


@public
def rules(request: HttpRequest) -> HttpResponseBase:
    """The rules of a rule set, with its tables and the worked example."""
    rating = public_common.system()
    row, rows, in_force = _chosen(request, rating)
    values = present.rules_of(row)
    view = calculation.worked_example(values)
    context = {
        "row": row,
        "rows": [(one, _code(one), one.pk == row.pk, in_force is not None and one.pk == in_force.pk) for one in rows],
        "in_force": in_force,
        "is_in_force": in_force is not None and in_force.pk == row.pk,
        "rules": values,
        "is_curve": values.expectation == "normal",
        "reckoner": present.reckoner(values),
        "lookup_text": present.lookup_text(values),
        "bands": present.bands(values),
        "titles": values.titles,
        "view": view,
        "takes": present.difference_of_fifty(values),
        "form": CalculatorForm(label_suffix=""),
        "code": _code(row),
    }
    return render(request, "ratings/rules.html", context)


@public
def calculator(request: HttpRequest) -> HttpResponseBase:
    """Work out an account from the figures in the address, with the whole arithmetic."""
    rating = public_common.system()
    row, rows, in_force = _chosen(request, rating)
    values = present.rules_of(row)
    asked = any(name in request.GET for name in ("rating", "games", "opponents"))
    form = CalculatorForm(request.GET, label_suffix="") if asked else CalculatorForm(label_suffix="")
    view = None
    if asked and form.is_valid():
        view = _calculate(form, values)
    context = {
        "form": form,
        "view": view,
        "row": row,
        "rule_set": row,
        "rows": [(one, _code(one), one.pk == row.pk) for one in rows],
        "code": _code(row),
        "in_force": in_force,
        "lookup_text": present.lookup_text(values),
    }
    return render(request, "ratings/calculator.html", context, status=422 if asked and view is None else 200)


def _calculate(form: CalculatorForm, values: Any) -> Any:
    games = form.cleaned_data["opponents"]
    try:
        return calculation.calculation(
            values,
            form.cleaned_data["rating"],
            form.cleaned_data["games"] + len(games),
            [game.opponent for game in games],
            [game.result for game in games],
        )
    except RuleError:
        form.add_error("opponents", _("Write at least one game."))
        return None
