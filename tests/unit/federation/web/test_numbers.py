"""Numbers as the languages write them."""

from decimal import Decimal
from fractions import Fraction

import pytest

from federation.web import numbers

NBSP = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("value", "places", "english", "catalan"),
    [
        (7, 0, "+7", "+7"),
        (-17, 0, "−17", "−17"),
        (0, 0, "0", "0"),
        ("-0.4", 1, "−0.4", "−0,4"),
        (Decimal("31.40"), 1, "+31.4", "+31,4"),
        ("0.04", 1, "0.0", "0,0"),
    ],
)
def test_difference_has_its_sign_and_zero_has_none(value, places, english, catalan):
    assert numbers.signed(value, places, "en") == english
    assert numbers.signed(value, places, "ca") == catalan


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        ("2.675", 2, "2.68"),
        ("-2.675", 2, "−2.68"),
        ("0.005", 2, "0.01"),
        ("-0.004", 2, "0.00"),
        (Fraction(181, 55), 2, "3.29"),
        (1116, 0, "1116"),
        (0.1 + 0.2, 1, "0.3"),
    ],
)
def test_decimal_rounds_half_away_from_zero(value, places, text):
    assert numbers.decimal(value, places, "en") == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("3.20", "3.20"),
        ("181/55", "3.2909…"),
        ("-1/3", "−0.3333…"),
        ("5/4", "1.25"),
        (Fraction(-5, 4), "−1.25"),
        (1577, "1577"),
        (Decimal("8.40"), "8.4"),
    ],
)
def test_exact_keeps_what_is_written_and_says_when_it_is_cut(value, text):
    assert numbers.exact(value, language="en") == text


def test_halves_are_points():
    assert [numbers.halves(value, "ca") for value in (0, 1, 4, 5)] == ["0", "0,5", "2", "2,5"]


def test_percent_has_a_no_break_space_except_in_italian():
    assert numbers.percent("0.589", 1, "en") == f"58.9{NBSP}%"
    assert numbers.percent("0.589", 1, "ca") == f"58,9{NBSP}%"
    assert numbers.percent("0.589", 1, "it") == "58,9%"


@pytest.mark.parametrize("value", ["", "abc", "1/0", "9" * 300, "1e999999", None, True, float("nan")])
def test_what_is_no_number_is_told_apart(value):
    assert numbers.exact_value(value) is None
