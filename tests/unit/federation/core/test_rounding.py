"""Halves go away from zero, exactly."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from federation.core.rounding import (
    round_floats_half_away,
    round_half_away,
    round_ratios_half_away,
)


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (Decimal("13.5"), 14),
        (Decimal("-13.5"), -14),
        (Fraction(1, 2), 1),
        (Fraction(-1, 2), -1),
        (Decimal("0.4999"), 0),
        (Decimal("-0.4999"), 0),
        (2.5, 3),
        (0.49999999999999994, 0),
        (-0.49999999999999994, 0),
        (4503599627370497.5, 4503599627370498),
        (7, 7),
        (Decimal("10.05"), 10),
    ],
)
def test_halves_go_away_from_zero(value, rounded):
    assert round_half_away(value) == rounded


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN")])
def test_what_is_no_number_is_refused(value):
    with pytest.raises((ValueError, OverflowError)):
        round_half_away(value)


@given(st.integers(-(10**12), 10**12), st.integers(1, 10**6))
def test_arrays_of_ratios_round_like_single_fractions(numerator, denominator):
    expected = round_half_away(Fraction(numerator, denominator))
    assert round_ratios_half_away(np.array([numerator]), denominator).tolist() == [expected]
    assert round_ratios_half_away(np.array([numerator], dtype=object), denominator).tolist() == [expected]


@given(st.floats(-1e9, 1e9))
def test_arrays_of_doubles_round_like_single_doubles(value):
    assert round_floats_half_away(np.array([value])).tolist() == [round_half_away(value)]


@given(st.integers(-(10**6), 10**6))
def test_halves_in_arrays(whole):
    value = whole + 0.5
    assert round_floats_half_away(np.array([value])).tolist() == [round_half_away(value)]
