"""Results of single games (specification, sections 2 and 9)."""

from decimal import Decimal
from fractions import Fraction
from typing import Final

LOSS: Final = 0
DRAW: Final = 1
WIN: Final = 2
_SHARES: Final = (Fraction(0), Fraction(1, 2), Fraction(1))


def result_of_scores(score_a: int, score_b: int) -> int:
    """Give the half points of `a`: when game points are recorded, the result follows from them.

    >>> result_of_scores(392, 368), result_of_scores(400, 400)
    (2, 1)
    """
    return WIN if score_a > score_b else LOSS if score_a < score_b else DRAW


def are_results(figure_a: Fraction | Decimal | int | float, figure_b: Fraction | Decimal | int | float) -> bool:
    """Tell whether two figures of a game are results and not scores: both 0, 0.5 or 1, adding up to 1.

    >>> are_results(1, 0), are_results(Decimal("0.5"), Decimal("0.5")), are_results(1, 1)
    (True, True, False)
    """
    a, b = Fraction(figure_a), Fraction(figure_b)
    return a in _SHARES and b in _SHARES and a + b == 1
