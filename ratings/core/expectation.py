"""The expectation of a game: what share a player should score against another (specification, section 3).

The rule is written once, for one difference of ratings (`table_share`, `normal_share`). Replays of a whole history
read the same values from an `ExpectationTable`, an array with one entry for each difference, filled by these functions.
"""

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ratings.core.ruleset import RuleSet, TableRow

HUNDREDTHS: Final = 100
_INT64_SCALE: Final = 2**32
"""Largest scale at which the sums and products of an event stay within 64 bits; finer tables use Python integers."""
_CERTAIN: Final = 39
"""Beyond this many sigmas the normal distribution is 0 or 1 in double precision."""


def expectation(own: int, other: int, rules: RuleSet) -> Fraction | float:
    """Give the expected score of a player rated `own` against one rated `other` (section 3).

    Returns:
        An exact fraction for a table, a double for the normal distribution. The two players' exact shares add up to 1.
    """
    difference = own - other
    if rules.expectation == "normal":
        return normal_share(difference, rules.sigma)
    higher = table_share(abs(difference), rules)
    return higher if difference >= 0 else 1 - higher


def table_share(difference: int, rules: RuleSet) -> Fraction:
    """Give the expectation of the higher rated player by the table (section 3.1).

    A difference between two rows is read as `rules.lookup` says. Beyond the last row the value stays.

    Args:
        difference: Rating points by which he is higher, not negative.
        rules: The rule set with table and lookup.
    """
    if rules.lookup == "linear":
        return _between(difference, rules.table) / HUNDREDTHS
    return table_row(difference, rules).hundredths / HUNDREDTHS


def table_row(difference: int, rules: RuleSet) -> TableRow:
    """Give the row of the table that a difference takes (section 3.1); for `linear` the row already reached.

    * `nearest`: the nearest row, exactly halfway the further one;
    * `next`: the first row that is not smaller;
    * `reached`: the last row that is not larger.
    """
    table = rules.table
    differences = [row.difference for row in table]
    distance = abs(difference)
    reached = bisect_right(differences, distance) - 1
    following = min(bisect_left(differences, distance), len(table) - 1)
    if rules.lookup == "next":
        return table[following]
    if rules.lookup == "nearest" and distance - differences[reached] >= differences[following] - distance:
        return table[following]
    return table[reached]


def normal_share(difference: int, sigma: float) -> float:
    """Give the expectation by the normal distribution, in double precision, without a cap (section 3.2)."""
    return 0.5 * math.erfc(-(difference / sigma) / math.sqrt(2))


def _between(difference: int, table: tuple[TableRow, ...]) -> Fraction:
    """Interpolate linearly between the two rows around a difference, in hundredths."""
    for low, high in pairwise(table):
        if difference <= high.difference:
            share = Fraction(difference - low.difference, high.difference - low.difference)
            return low.hundredths + share * (high.hundredths - low.hundredths)
    return table[-1].hundredths


@dataclass(frozen=True, slots=True)
class ExpectationTable:
    """The expectations of one rule set for every difference of ratings, as an array.

    Attributes:
        values: Expectation for the differences `-limit` to `limit`; numerators over `scale`, or doubles.
        limit: Differences beyond it have the value of the limit.
        scale: Denominator of the exact values, a multiple of 100; 0 if the values are doubles.
    """

    values: NDArray[Any]
    limit: int
    scale: int

    @property
    def is_exact(self) -> bool:
        """Tell whether the values are exact numerators."""
        return self.scale != 0

    def of(self, differences: NDArray[np.int64]) -> NDArray[Any]:
        """Give the expectations for an array of differences (own rating minus the other's)."""
        positions = np.minimum(np.maximum(differences, -self.limit), self.limit)
        positions += self.limit
        return self.values[positions]


@lru_cache(maxsize=64)
def expectation_table(rules: RuleSet) -> ExpectationTable:
    """Tabulate `expectation` of a rule set for every difference that can have a value of its own."""
    if rules.expectation == "normal":
        limit = math.ceil(_CERTAIN * rules.sigma)
        shares = [normal_share(difference, rules.sigma) for difference in range(-limit, limit + 1)]
        return ExpectationTable(np.array(shares, dtype=np.float64), limit, 0)
    limit = rules.table[-1].difference
    exact = [Fraction(expectation(difference, 0, rules)) for difference in range(-limit, limit + 1)]
    scale = math.lcm(HUNDREDTHS, *(share.denominator for share in exact))
    numerators = [int(share * scale) for share in exact]
    dtype = np.int64 if scale <= _INT64_SCALE else object
    return ExpectationTable(np.array(numerators, dtype=dtype), limit, scale)
