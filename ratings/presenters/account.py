"""The account of one event for one player: every line of the arithmetic, from the ledger alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from federation.registry.models import Person
from federation.web.numbers import MINUS, decimal, exact, halves, signed
from ratings.core import ruleset as core
from ratings.core.expectation import table_row
from ratings.models import Game, LedgerRow
from ratings.presenters.rules import BandRow, ReckonerRow, bands, reckoner, rules_of
from ratings.queries.pages_players import Term, terms_of

#: Places shown of a value of the curve, which has no exact decimals.
CURVE_PLACES = 4
#: Half the width of the drawing of a surplus stands for one whole win.
_BAR_FULL = 50


@dataclass(frozen=True, slots=True)
class Line:
    """One game of an account; figures are texts in the language of the page."""

    round: int
    opponent: Person | None
    opponent_before: int
    difference: int
    table_row: str
    expected: str
    result: int
    result_text: str
    score: str
    surplus: str
    points: str
    bar_x: str
    bar_width: str
    is_up: bool
    is_level: bool
    values: tuple[Fraction, Fraction, Fraction]
    """Expectation, surplus and points as numbers, for exports."""


@dataclass(frozen=True, slots=True)
class AccountView:
    """Everything that the page of an account shows."""

    row: LedgerRow | None
    rules: core.RuleSet
    lines: list[Line]
    before: int
    after: int
    games: int
    wins: str
    expected: str
    surplus: str
    surplus_abs: str
    surplus_value: Fraction
    k: int
    games_after: int
    raw: str
    raw_abs: str
    unrounded: str
    is_loss: bool
    change: int
    is_curve: bool
    is_rounded: bool
    reckoner: list[ReckonerRow]
    bands: list[BandRow]
    expected_sum: str
    opponents_text: str

    @property
    def row_wins(self) -> int:
        """Number by which the sentences choose singular or plural: exactly one win, or not."""
        return 1 if self.wins == "1" else 2

    @property
    def is_half(self) -> bool:
        """Whether the change fell exactly between two integers."""
        return (2 * self.surplus_value * self.k).denominator == 1 and self.is_rounded and not self.is_curve

    @property
    def sign(self) -> str:
        """Sign between the old rating and the change."""
        return MINUS if self.is_loss else "+"


def account_view(row: LedgerRow, people: Mapping[int, Person], games: Mapping[int, Game]) -> AccountView:
    """Lay out a ledger row. Nothing is rated again: sums and products of the page are those of the ledger.

    Args:
        row: The ledger row, with its rated event and rule set.
        people: Opponents by key.
        games: Games with their scores by key; what is missing shows no score.
    """
    terms = terms_of(row)
    return lay_out(
        rules_of(row.rated_event.rule_set),
        [(term, people.get(term.opponent), _score(games.get(term.game or 0), row.person_id)) for term in terms],
        before=row.before,
        wins=row.wins,
        expected=row.expected,
        k=row.k,
        games_after=row.games_after,
        raw=row.raw_change,
        change=row.change,
        after=row.after,
        row=row,
    )


def lay_out(
    rules: core.RuleSet,
    terms: Sequence[tuple[Term, Person | None, str]],
    *,
    before: int,
    wins: int,
    expected: str,
    k: int,
    games_after: int,
    raw: str,
    change: int,
    after: int,
    row: LedgerRow | None = None,
) -> AccountView:
    """Lay out a calculation whose figures are all known; used by the account and by the calculator."""
    is_curve = rules.expectation == "normal"
    lines = [_line(term, person, score, before, k, rules) for term, person, score in terms]
    surplus = Fraction(wins, 2) - Fraction(expected)
    raw_value = Fraction(raw)
    return AccountView(
        row=row,
        rules=rules,
        lines=lines,
        before=before,
        after=after,
        games=len(lines),
        wins=halves(wins),
        expected=figure(expected, is_curve),
        surplus=_signed(surplus, is_curve),
        surplus_abs=figure(abs(surplus), is_curve),
        surplus_value=surplus,
        k=k,
        games_after=games_after,
        raw=_signed(raw_value, is_curve, shortest=True),
        raw_abs=_shortest(abs(raw_value), is_curve),
        unrounded=_shortest(before + raw_value, is_curve),
        is_loss=raw_value < 0,
        change=change,
        is_curve=is_curve,
        is_rounded=raw_value.denominator != 1,
        reckoner=[] if is_curve else reckoner(rules, (line.difference for line in lines)),
        bands=bands(rules, before, games_after),
        expected_sum=" + ".join(line.expected for line in lines),
        opponents_text=_and(str(line.opponent_before) for line in lines),
    )


def _line(term: Term, person: Person | None, score: str, before: int, k: int, rules: core.RuleSet) -> Line:
    is_curve = rules.expectation == "normal"
    expected = Fraction(term.expected)
    surplus = Fraction(term.result, 2) - expected
    difference = before - term.opponent_before
    width = abs(surplus) * _BAR_FULL
    return Line(
        round=term.round,
        opponent=person,
        opponent_before=term.opponent_before,
        difference=difference,
        table_row=_table_row(difference, rules),
        expected=figure(term.expected, is_curve),
        result=term.result,
        result_text=halves(term.result),
        score=score,
        surplus=_signed(surplus, is_curve),
        points=_signed(surplus * k, is_curve, shortest=True),
        bar_x=f"{float(_BAR_FULL if surplus >= 0 else _BAR_FULL - width):.1f}%",
        bar_width=f"{float(width):.1f}%",
        is_up=surplus > 0,
        is_level=surplus == 0,
        values=(expected, surplus, surplus * k),
    )


def _table_row(difference: int, rules: core.RuleSet) -> str:
    """The row of the table that was read, as the table names it."""
    if rules.expectation == "normal":
        return ""
    if rules.lookup == "linear":
        return _("between rows")
    row = table_row(difference, rules)
    if row == rules.table[-1] and abs(difference) > row.difference:
        return _("%(rating)s and more") % {"rating": row.difference}
    return str(row.difference)


def _score(game: Game | None, person: int) -> str:
    """Game points, own first."""
    if game is None or game.score_a is None or game.score_b is None:
        return ""
    is_a = person in {game.a.person_id, game.a.person.merged_into_id}
    own, other = (game.score_a, game.score_b) if is_a else (game.score_b, game.score_a)
    return f"{own}–{other}".replace("-", MINUS)


def figure(value: str | Fraction, is_curve: bool) -> str:
    """A sum of expectations: at least two places, all that are exact; four of a value of the curve."""
    if is_curve:
        return decimal(value if isinstance(value, Fraction) else Fraction(value), CURVE_PLACES)
    number = Fraction(value)
    if (number * 100).denominator == 1:
        return decimal(number, 2)
    return exact(number)


def _shortest(value: Fraction, is_curve: bool) -> str:
    """A product with as many places as it needs."""
    return decimal(value, CURVE_PLACES) if is_curve else exact(value)


def _signed(value: Fraction, is_curve: bool, *, shortest: bool = False) -> str:
    text = _shortest(abs(value), is_curve) if shortest else figure(abs(value), is_curve)
    if value == 0:
        return text
    return f"{'+' if value > 0 else MINUS}{text}"


def _and(words: Iterable[str]) -> str:
    """Words as a list in a sentence: «999, 1161 and 1202»."""
    items = list(words)
    if len(items) < 2:
        return "".join(items)
    return _("%(list)s and %(last)s") % {"list": ", ".join(items[:-1]), "last": items[-1]}


__all__ = ["AccountView", "Line", "account_view", "figure", "lay_out", "signed"]
