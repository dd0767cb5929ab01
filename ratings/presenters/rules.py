"""Rule sets as tables and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from federation.web.numbers import decimal, exact
from ratings.core import ruleset as core
from ratings.core.expectation import expectation, table_row
from ratings.models import RuleSet


@dataclass(frozen=True, slots=True)
class ReckonerRow:
    """A row of the table of expectations with how often it was used."""

    difference: int
    higher: str
    lower: str
    used: int


@dataclass(frozen=True, slots=True)
class BandRow:
    """A row of the table of multipliers."""

    label: str
    few: int
    many: int
    hit_few: bool = False
    hit_many: bool = False


def rules_of(row: RuleSet) -> core.RuleSet:
    """The values of a stored rule set."""
    return core.RuleSet.from_parameters(row.parameters)


def reckoner(rules: core.RuleSet, differences: Iterable[int] = ()) -> list[ReckonerRow]:
    """The table of expectations; ``differences`` mark the rows that were used."""
    used: Counter[int] = Counter()
    if rules.expectation == "table" and rules.lookup != "linear":
        used.update(table_row(difference, rules).difference for difference in differences)
    return [
        ReckonerRow(row.difference, share(row.hundredths), share(100 - row.hundredths), used[row.difference])
        for row in rules.table
    ]


def share(hundredths: Fraction) -> str:
    """An expectation of the table as a decimal of at least two places: 0.95."""
    return exact_share(hundredths / 100)


def lookup_text(rules: core.RuleSet) -> str:
    """How a difference between two rows is read."""
    if rules.expectation == "normal":
        return _("Expected wins follow the curve of the normal distribution; there is no table.")
    texts = {
        "nearest": _("Take the nearest row; exactly halfway, the further one. Beyond the last row its values stay."),
        "next": _("Take the first row that is not smaller than the difference. Beyond the last row its values stay."),
        "reached": _("Take the last row that is not larger than the difference."),
        "linear": _("Between two rows the value is drawn as a straight line. Beyond the last row its values stay."),
    }
    return texts[rules.lookup]


def bands(rules: core.RuleSet, before: int | None = None, games_after: int | None = None) -> list[BandRow]:
    """The table of multipliers; with a rating and games the cell that applies is marked."""
    floors = [band.floor for band in rules.bands]
    current = max((i for i, floor in enumerate(floors) if floor is None or (before or 0) >= floor), default=0)
    many = games_after is not None and games_after > rules.games_threshold
    rows = []
    for position, band in enumerate(rules.bands):
        following = floors[position + 1] if position + 1 < len(floors) else None
        hit = before is not None and position == current
        rows.append(
            BandRow(_band_label(band.floor, following), band.few_games, band.many_games, hit and not many, hit and many)
        )
    return rows


def _band_label(floor: int | None, following: int | None) -> str:
    if floor is None and following is None:
        return _("any rating")
    if floor is None:
        return _("below %(rating)s") % {"rating": following}
    if following is None:
        return _("%(rating)s and more") % {"rating": floor}
    return _("%(low)s to %(high)s") % {"low": floor, "high": following - 1}


def multipliers_text(rules: core.RuleSet) -> str:
    """All multipliers of the rules, largest first, as «30, 24, 20, 16, 15 or 10»."""
    values = sorted({k for band in rules.bands for k in (band.few_games, band.many_games)}, reverse=True)
    words = [str(value) for value in values]
    if len(words) == 1:
        return words[0]
    return _("%(list)s or %(last)s") % {"list": ", ".join(words[:-1]), "last": words[-1]}


def title_code_of(rules: core.RuleSet, name: str) -> str:
    """Initials of a title, as the list prints it: «GGM», «GM», «M», «E», «A»."""
    return "".join(word[:1].upper() for word in name.split())


def difference_of_fifty(rules: core.RuleSet) -> str:
    """What the rules take for a player 50 points higher, which the printed example gives as .60."""
    value = expectation(50, 0, rules)
    return decimal(value, 4) if isinstance(value, float) else exact_share(value)


def exact_share(value: Fraction) -> str:
    """A share with two places if that is exact."""
    return decimal(value, 2) if (value * 100).denominator == 1 else exact(value)
