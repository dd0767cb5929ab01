"""BARRISC: the ranking of duplicate scrabble (specification, section 12)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from federation.core.errors import RuleError

MIN_GAMES = 2


@dataclass(frozen=True, slots=True)
class Barrisc:
    """Mean and activity of a player in one season.

    Attributes:
        mean: Exact mean of the percentages, None without any; two decimals are shown.
        active: At least two games in this and the previous season together.
    """

    mean: Fraction | None
    active: bool


def percentage(points: int, best_possible: int) -> Fraction:
    """Give a player's percentage of a game: own points over the best possible; it can exceed 100.

    Raises:
        RuleError: `bad_best_possible`, there is nothing to compare with.
    """
    if best_possible <= 0:
        raise RuleError("bad_best_possible", {"value": best_possible})
    return Fraction(100 * points, best_possible)


def barrisc(
    percentages: Sequence[Fraction | Decimal | int | float],
    carry: Fraction | Decimal | int | float | None,
    games: int,
    games_last: int,
) -> Barrisc:
    """Give the mean of the percentages of a season, without rounding.

    The final mean of the season before enters as a single extra game; without games it stands. It is not a game for
    the activity.

    Args:
        percentages: Percentages of the season's games.
        carry: Final mean of the season before, None if there is none.
        games: Games of the season.
        games_last: Games of the season before.

    >>> barrisc([70, 75], None, 2, 0).mean
    Fraction(145, 2)
    """
    values = [Fraction(value) for value in (*percentages, *(() if carry is None else (carry,)))]
    mean = sum(values, start=Fraction(0)) / len(values) if values else None
    return Barrisc(mean=mean, active=games + games_last >= MIN_GAMES)
