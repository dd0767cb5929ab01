"""Exact rounding, halves away from zero.

One rule in three forms: a single number, exact numerators in an array, and doubles in an array. Python's own
`round` takes halves to the even number, which no rulebook of this site wants.
"""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray


def round_half_away(value: Fraction | Decimal | int | float) -> int:
    """Round an exact value to an integer, halves away from zero.

    A float is taken as the exact binary number that it is.

    Raises:
        ValueError, OverflowError: the value is not a finite number.

    >>> round_half_away(Decimal("13.5")), round_half_away(Fraction(-27, 2)), round_half_away(0.4999)
    (14, -14, 0)
    """
    exact = Fraction(value)
    quotient = _half_up(abs(exact.numerator), exact.denominator)
    return quotient if exact >= 0 else -quotient


def round_ratios_half_away(numerators: NDArray[Any], denominator: int) -> NDArray[Any]:
    """Round `numerators / denominator` element by element, exactly, halves away from zero.

    Args:
        numerators: Integers, of an integer dtype or Python integers in an object array.
        denominator: A positive integer.
    """
    quotients = _half_up(np.abs(numerators), denominator)
    return np.where(numerators < 0, -quotients, quotients)


def round_floats_half_away(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round doubles element by element, halves away from zero, each taken as the exact number that it is.

    Splitting a double into whole and fractional part is exact, so nothing is lost before the comparison with one half.
    """
    fraction, whole = np.modf(values)
    return whole.astype(np.int64) + (fraction >= 0.5).astype(np.int64) - (fraction <= -0.5).astype(np.int64)


def _half_up(numerator: Any, denominator: int) -> Any:
    """Nearest integer to a ratio that is not negative, halves up; for integers and arrays of integers."""
    return (2 * numerator + denominator) // (2 * denominator)
