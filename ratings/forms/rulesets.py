"""The form of a version of the rules: numbers in fields, tables as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from federation.core.errors import RuleError
from ratings.core.ruleset import EXPECTATIONS, LOOKUPS, PARAMETERS
from ratings.core.ruleset import RuleSet as Rules
from ratings.models import RuleSet

EXPECTATION_LABELS = {"table": _("the table"), "normal": _("the normal distribution")}
LOOKUP_LABELS = {
    "nearest": _("the nearest row, halfway the further one"),
    "next": _("the next row up"),
    "reached": _("the last row reached"),
    "linear": _("between the rows, linear"),
}
NO_FLOOR = "-"
CODE_TEXTS = {
    "bad_number": _("“%(value)s” is not possible here: write a number."),
    "bad_table": _("The rows begin with 0 and 50, differences and expectations rise, and none is above 100."),
    "bad_bands": _("The first band has no floor (-), the others rise; multipliers are between 1 and 1000."),
    "bad_titles": _("Each line is a rating and a title, no rating twice."),
    "bad_sigma": _("Sigma is between %(lowest)s and %(highest)s."),
    "rule_set_date_taken": _("%(name)s is in force from %(date)s already: choose another day."),
    "rule_set_name_missing": _("Write the name of the rule set."),
}


class LinesField(forms.CharField):
    """Rows of a table, one a line, cells separated by blanks."""

    widget = forms.Textarea(attrs={"rows": 8, "spellcheck": "false"})

    def __init__(self, *, cells: int, read: Callable[[list[str]], list[Any]], **kwargs: Any) -> None:
        super().__init__(max_length=4000, **kwargs)
        self.cells = cells
        self.read = read

    def clean(self, value: Any) -> list[list[Any]]:
        """Return the rows.

        Raises:
            ValidationError: a line with too few cells, by its number.
        """
        rows = []
        for number, line in enumerate(str(super().clean(value) or "").splitlines(), start=1):
            if not line.strip():
                continue
            cells = line.split(maxsplit=self.cells - 1)
            if len(cells) != self.cells:
                raise forms.ValidationError(
                    _("Line %(line)s needs %(count)s values: “%(text)s”."),
                    params={"line": number, "count": self.cells, "text": line.strip()[:60]},
                )
            rows.append(self.read(cells))
        return rows


def _table_row(cells: list[str]) -> list[Any]:
    return [cells[0], cells[1].replace(",", ".")]


def _band(cells: list[str]) -> list[Any]:
    return [None if cells[0] in (NO_FLOOR, "–", "−") else cells[0], cells[1], cells[2]]


def _title(cells: list[str]) -> list[Any]:
    return [cells[0], cells[1].strip()]


class RuleSetForm(forms.Form):
    """A new version: a stored version is never edited."""

    name = forms.SlugField(label=_("Name"), max_length=30)
    valid_from = forms.DateField(
        label=_("Valid from"),
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
        help_text=_("Empty: kept for comparison, not in force for any event."),
    )
    note = forms.CharField(label=_("Why"), max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))
    expectation = forms.ChoiceField(
        label=_("Expectation by"), choices=[(code, EXPECTATION_LABELS[code]) for code in EXPECTATIONS]
    )
    lookup = forms.ChoiceField(
        label=_("A difference between two rows takes"), choices=[(code, LOOKUP_LABELS[code]) for code in LOOKUPS]
    )
    table = LinesField(
        label=_("Table: difference at most, expectation of the higher rated in hundredths"), cells=2, read=_table_row
    )
    sigma = forms.DecimalField(label=_("Sigma of the normal distribution"), max_digits=8, decimal_places=4)
    initial_rating = forms.IntegerField(label=_("First rating"))
    bands = LinesField(
        label=_("Bands: floor (- for none), multiplier up to the threshold, multiplier above"), cells=3, read=_band
    )
    games_threshold = forms.IntegerField(label=_("Games up to which the first multiplier holds"))
    min_games = forms.IntegerField(label=_("Games from which a player is ranked"))
    active_seasons = forms.IntegerField(label=_("Seasons within which a game keeps a player active"))
    min_rounds = forms.IntegerField(label=_("Rounds an event needs"))
    min_players = forms.IntegerField(label=_("Players an event needs"))
    categories = LinesField(label=_("Titles: rating, title"), cells=2, read=_title, required=False)

    @classmethod
    def initial_of(cls, rule_set: RuleSet) -> dict[str, Any]:
        """Return the values of a version for the form of the next one."""
        values = dict(rule_set.parameters)
        values["table"] = _text(values["table"])
        values["bands"] = _text([[NO_FLOOR if row[0] is None else row[0], *row[1:]] for row in values["bands"]])
        values["categories"] = _text(values["categories"])
        return {**values, "name": rule_set.name}

    def clean(self) -> dict[str, Any]:
        """Check the values with the rules themselves."""
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                Rules.from_parameters(self.parameters())
            except RuleError as error:
                self.refuse(error)
        return cleaned

    def parameters(self) -> dict[str, Any]:
        """Return the parameters as plain values."""
        values = {name: self.cleaned_data[name] for name in PARAMETERS}
        return {**values, "sigma": str(values["sigma"])}

    def refuse(self, error: RuleError) -> None:
        """Put an error of a rule beside its field."""
        text = CODE_TEXTS.get(error.code)
        where = error.where if error.where in self.fields else None
        try:
            message = str(text) % error.params if text else str(error)
        except (KeyError, TypeError, ValueError):
            message = str(text)
        self.add_error(where, message)


def _text(rows: Sequence[Sequence[Any]]) -> str:
    return "\n".join(" ".join(str(cell) for cell in row) for row in rows)
