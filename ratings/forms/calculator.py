"""The calculator: own rating, games, and one opponent a line with the result."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

MOST_GAMES: Final = 100
MOST_RATING: Final = 10_000
MOST_CAREER: Final = 100_000
MOST_TEXT: Final = 2_000
_MOST_ERRORS: Final = 10
_RESULTS: Final = {
    "1": 2, "+": 2, "w": 2, "0": 0, "-": 0, "l": 0, "½": 1, "0.5": 1, ".5": 1, "1/2": 1, "=": 1, "d": 1,
}  # fmt: skip
_RATING: Final = re.compile(r"[+-]?\d{1,6}")


@dataclass(frozen=True, slots=True)
class Played:
    """A game: the opponent's rating and the result in half points."""

    opponent: int
    result: int


class CalculatorForm(forms.Form):
    """Read what the address holds; every fault is named with its line."""

    rating = forms.IntegerField(
        label=gettext_lazy("Own BARRUF before the event"),
        min_value=-MOST_RATING,
        max_value=MOST_RATING,
        # Text keeps what was typed, right or wrong; a number field would drop it.
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    games = forms.IntegerField(
        label=gettext_lazy("Rated games before the event"),
        min_value=0,
        max_value=MOST_CAREER,
        initial=0,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
    )
    opponents = forms.CharField(
        label=gettext_lazy("Opponents: BARRUF and result, one a line"),
        max_length=MOST_TEXT,
        widget=forms.Textarea(attrs={"rows": 8, "cols": 24, "spellcheck": "false", "placeholder": "1200 1\n1140 0"}),
        help_text=gettext_lazy("Result: 1 for a win, 0 for a loss, 0.5 for a draw."),
        strip=True,
    )

    def clean_opponents(self) -> list[Played]:
        """Read the lines."""
        lines = self.cleaned_data["opponents"].splitlines()
        games: list[Played] = []
        errors: list[ValidationError] = []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                games.append(_read(line, number))
            except ValidationError as error:
                errors.append(error)
        if len(games) > MOST_GAMES:
            raise ValidationError(
                _("There are %(count)s games; the calculator takes up to %(most)s."),
                params={"count": len(games), "most": MOST_GAMES},
            )
        if errors:
            raise ValidationError(errors[:_MOST_ERRORS])
        return games


def _read(line: str, number: int) -> Played:
    """Read «1200 1», also with a comma, a semicolon or a tab between."""
    text = line.strip().replace("−", "-")
    parts = re.split(r"[\s;:|]+|,(?=\s)|(?<=\d{3}),", text)
    parts = [part for part in parts if part]
    if len(parts) != 2:
        raise ValidationError(
            _("Line %(line)s: write the opponent’s BARRUF, a space and the result, as 1200 1."),
            params={"line": number},
        )
    rating, result = parts
    if not _RATING.fullmatch(rating) or abs(int(rating)) > MOST_RATING:
        raise ValidationError(
            _("Line %(line)s: “%(text)s” is not a BARRUF between −%(most)s and %(most)s."),
            params={"line": number, "text": rating[:12], "most": MOST_RATING},
        )
    half = _RESULTS.get(result.lower().replace(",", "."))
    if half is None:
        raise ValidationError(
            _("Line %(line)s: “%(text)s” is not a result; write 1, 0 or 0.5."),
            params={"line": number, "text": result[:12]},
        )
    return Played(int(rating), half)
