"""The BARRUF rating of classic Catalan scrabble: how an event changes a rating (specification, sections 3 to 5).

This module holds the formula; its parts stand next to it:

* `ruleset`: the configurable values, the presets `PAGE` and `SHEET` (section 1);
* `expectation`: the expected score of a game (section 3);
* `multiplier`: K (section 4);
* `checks`: contradictory data (section 9);
* `eligibility`: which events count (section 6);
* `history` and `replay`: facts as arrays and the replay of all of them (section 7);
* `merging`: two records of one person (section 9);
* `listing`: states, titles, positions, comparison of lists (section 8);
* `report`: the season report (section 10);
* `standings`: the event's own standings, which are not part of the rating (section 5);
* `barrisc`: the ranking of duplicate scrabble (section 12);
* `fingerprint`: canonical bytes of inputs and lists.

The formula exists once: `rate_event` on arrays. `single_account` asks it for one player, the replay for everybody.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from federation.core.errors import RuleError
from federation.core.rounding import round_floats_half_away, round_half_away, round_ratios_half_away
from ratings.core.expectation import ExpectationTable, expectation, expectation_table, table_row
from ratings.core.multiplier import (
    MultiplierReason,
    MultiplierTable,
    multiplier,
    multiplier_reason,
    multiplier_table,
)
from ratings.core.ruleset import PAGE, PRESETS, SHEET, RuleSet

__all__ = [
    "PAGE",
    "PRESETS",
    "SHEET",
    "Account",
    "EventOutcome",
    "MultiplierReason",
    "RuleSet",
    "Step",
    "expectation",
    "half_points",
    "multiplier",
    "multiplier_reason",
    "opening_rating",
    "rate_event",
    "single_account",
    "step",
    "table_row",
]


@dataclass(frozen=True, slots=True)
class EventOutcome:
    """What an event does to its players, one entry a player; exact values are integers in units.

    Attributes:
        terms: Expectation of each game of each player, in the unit 1 / scale, or doubles for the normal distribution.
        expected: Sum of the terms of a player, in the same unit.
        k: Multiplier.
        raw: Change before rounding, in the unit 1 / (2 * scale), or doubles.
        change: Change, rounded once, halves away from zero.
    """

    terms: NDArray[Any]
    expected: NDArray[Any]
    k: NDArray[np.int64]
    raw: NDArray[Any]
    change: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Account:
    """The whole calculation of one player in one event, as the player's page shows it (section 10)."""

    before: int
    games: int
    wins: Fraction
    terms: tuple[Fraction | float, ...]
    expected: Fraction | float
    games_after: int
    k: int
    raw_change: Fraction | float
    change: int
    after: int

    @property
    def surplus(self) -> Fraction | float:
        """Wins above the expected ones."""
        return self.wins - self.expected


@dataclass(frozen=True, slots=True)
class Step:
    """The last step of the calculation: from surplus and multiplier to the new rating."""

    raw_change: Fraction | float
    change: int
    after: int


def rate_event(
    differences: NDArray[np.int64],
    starts: NDArray[np.int64],
    before: NDArray[np.int64],
    wins_half: NDArray[np.int64],
    many_games: NDArray[np.int64],
    formulae: tuple[ExpectationTable, MultiplierTable],
) -> EventOutcome:
    """Rate the players of one event (section 5, steps 2 and 3). This is the rule; everything else calls it.

    All expectations use pre-event ratings, so the order of games and rounds is irrelevant. With a table everything
    is an integer in units; with the normal distribution the terms of a player are added without intermediate
    rounding, so that the sum does not depend on their order either.

    Args:
        differences: For each game of each player, own pre-event rating minus the opponent's; ordered by player.
        starts: Position of each player's first game in `differences`; every player has at least one.
        before: Pre-event rating of each player.
        wins_half: Score of each player in half points.
        many_games: 1 for each player whose games, with this event, exceed the threshold; else 0.
        formulae: Tables of expectations and multipliers of the rule set, from `formulae_of`.
    """
    expectations, multipliers = formulae
    terms = expectations.of(differences)
    k = multipliers.of(before, many_games)
    if expectations.is_exact:
        expected = np.add.reduceat(terms, starts)
        wins_units = wins_half.astype(terms.dtype, copy=False) * expectations.scale
        raw = (wins_units - 2 * expected) * k
        change = round_ratios_half_away(raw, 2 * expectations.scale).astype(np.int64, copy=False)
        return EventOutcome(terms, expected, k, raw, change)
    expected = _exact_sums(terms, starts)
    raw = (wins_half / 2 - expected) * k
    return EventOutcome(terms, expected, k, raw, round_floats_half_away(raw))


def formulae_of(rules: RuleSet) -> tuple[ExpectationTable, MultiplierTable]:
    """Give the two tables of a rule set that `rate_event` reads."""
    return expectation_table(rules), multiplier_table(rules)


def single_account(
    rating: int, opponents: Sequence[int], wins: Fraction | Decimal | int | float, games_after: int, rules: RuleSet
) -> Account:
    """Rate one player against opponents with given pre-event ratings: the worked example of section 3.4.

    Args:
        rating: Pre-event rating of the player.
        opponents: Pre-event rating of the opponent of each game.
        wins: Score, a multiple of one half, not above the number of games.
        games_after: Career games including these.
        rules: The rule set.

    Raises:
        RuleError: `no_games`, without opponents; `bad_wins`, the score cannot be reached in these games.

    >>> account = single_account(1100, [1200, 1140, 1100, 1050, 1000, 950], 4, 51, PAGE)
    >>> float(account.expected), account.k, int(account.raw_change), account.after
    (3.2, 20, 16, 1116)
    """
    if not opponents:
        raise RuleError("no_games")
    wins_half = half_points(wins)
    if wins_half > 2 * len(opponents):
        raise RuleError("bad_wins", {"wins": str(wins), "games": len(opponents)})
    expectations, multipliers = formulae_of(rules)
    outcome = rate_event(
        rating - np.array(opponents, dtype=np.int64),
        np.zeros(1, dtype=np.int64),
        np.array([rating], dtype=np.int64),
        np.array([wins_half], dtype=np.int64),
        multipliers.has_many_games(np.array([games_after], dtype=np.int64)),
        (expectations, multipliers),
    )
    change = int(outcome.change[0])
    return Account(
        before=rating,
        games=len(opponents),
        wins=Fraction(wins_half, 2),
        terms=tuple(in_points(term, expectations.scale) for term in outcome.terms.tolist()),
        expected=in_points(outcome.expected.tolist()[0], expectations.scale),
        games_after=games_after,
        k=int(outcome.k[0]),
        raw_change=in_points(outcome.raw.tolist()[0], 2 * expectations.scale),
        change=change,
        after=rating + change,
    )


def step(before: int, wins: Fraction | Decimal | int, expected: Fraction | Decimal | int | float, k: int) -> Step:
    """Go from a printed total of expected wins to the new rating (section 5, step 3).

    >>> step(1100, 4, Decimal("3.20"), 20).after
    1116
    """
    surplus: Fraction | float
    if isinstance(expected, float):
        surplus = float(wins) - expected
    else:
        surplus = Fraction(wins) - Fraction(expected)
    raw = surplus * k
    change = round_half_away(raw)
    return Step(raw, change, before + change)


def opening_rating(value: Fraction | Decimal | int | float) -> int:
    """Round a rating taken over from elsewhere: ratings are integers (section 7).

    >>> opening_rating(Decimal("1049.5"))
    1050
    """
    return round_half_away(value)


def half_points(score: Fraction | Decimal | int | float) -> int:
    """Give a score in half points, the unit in which the core keeps results and wins.

    Raises:
        RuleError: `bad_wins`, the score is negative or no multiple of one half.
    """
    doubled = 2 * Fraction(score)
    if doubled.denominator != 1 or doubled < 0:
        raise RuleError("bad_wins", {"wins": str(score)})
    return int(doubled)


def in_points(value: int | float, scale: int) -> Fraction | float:
    """Turn units of 1 / scale into an exact fraction; with scale 0 the value is a double already."""
    return Fraction(value) / scale if scale else value


def _exact_sums(terms: NDArray[np.float64], starts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Add the terms of each player, correctly rounded."""
    values = terms.tolist()
    bounds = [*starts.tolist(), len(values)]
    return np.array([math.fsum(values[bounds[i] : bounds[i + 1]]) for i in range(len(starts))], dtype=np.float64)
