"""Section 3: the expectation of a game."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.expectation import expectation, expectation_table, table_row
from ratings.core.ruleset import PAGE, SHEET, RuleSet

LOOKUPS = {lookup: replace(PAGE, lookup=lookup) for lookup in ("nearest", "next", "reached", "linear")}
ALL_RULES = [*LOOKUPS.values(), SHEET]
ratings = st.integers(-500, 3500)


@pytest.mark.parametrize(
    ("difference", "share"),
    [
        (0, "0.50"),
        (19, "0.50"),
        (20, "0.55"),
        (57, "0.55"),
        (58, "0.60"),
        (465, "0.95"),
        (900, "0.95"),
        (40, "0.55"),
        (75, "0.60"),
        (110, "0.65"),
        (150, "0.70"),
        (195, "0.75"),
        (240, "0.80"),
        (295, "0.85"),
        (365, "0.90"),
        (330, "0.90"),
    ],
)
def test_published_table(difference, share):
    assert expectation(1000 + difference, 1000, PAGE) == Fraction(share)
    assert expectation(1000, 1000 + difference, PAGE) == 1 - Fraction(share)


def test_plus_50_is_55_here_and_60_on_the_printed_page():
    assert expectation(1100, 1050, PAGE) == Fraction(55, 100)
    assert expectation(1100, 1050, LOOKUPS["next"]) == Fraction(60, 100)


@pytest.mark.parametrize("lookup", ["nearest", "next", "reached", "linear"])
@pytest.mark.parametrize("row", PAGE.table)
def test_every_reading_gives_the_rows_themselves(lookup, row):
    assert expectation(row.difference, 0, LOOKUPS[lookup]) == row.hundredths / 100


@pytest.mark.parametrize("sigma", [281.71, 282.2, 282.69])
def test_the_table_is_the_normal_distribution_rounded_up_to_five(sigma):
    """Section 3.3: every sigma between 281.70 and 282.70 reproduces all ten rows."""
    normal = replace(SHEET, sigma=sigma)
    for row in PAGE.table[1:]:
        share = float(row.hundredths / 100)
        assert expectation(row.difference, 0, normal) >= share > expectation(row.difference - 5, 0, normal)


def test_the_largest_gap_between_rows_and_the_sheet_is_6_thousandths():
    gaps = [abs(float(row.hundredths / 100) - expectation(row.difference, 0, SHEET)) for row in PAGE.table]
    assert round(max(gaps), 3) == 0.006


@given(ratings, ratings)
def test_both_shares_add_up_to_one(own, other):
    for rules in LOOKUPS.values():
        assert expectation(own, other, rules) + expectation(other, own, rules) == 1
    assert abs(expectation(own, other, SHEET) + expectation(other, own, SHEET) - 1) < 1e-15


@given(ratings, ratings, st.integers(0, 100))
def test_a_higher_rating_never_expects_less(own, other, more):
    for rules in ALL_RULES:
        assert expectation(own + more, other, rules) >= expectation(own, other, rules)


@given(ratings, ratings)
def test_the_readings_are_ordered_for_the_higher_rated(own, other):
    own, other = max(own, other), min(own, other)
    shares = {lookup: expectation(own, other, rules) for lookup, rules in LOOKUPS.items()}
    assert shares["reached"] <= shares["linear"] <= shares["next"]
    assert shares["reached"] <= shares["nearest"] <= shares["next"]


@given(st.lists(st.integers(-40_000, 40_000), min_size=1))
def test_the_array_of_a_rule_set_holds_the_same_values(differences):
    for rules in ALL_RULES:
        table = expectation_table(rules)
        values = table.of(np.array(differences)).tolist()
        expected = [expectation(difference, 0, rules) for difference in differences]
        assert [Fraction(v, table.scale) if table.is_exact else v for v in values] == expected


def test_the_default_table_counts_in_hundredths():
    assert expectation_table(PAGE).scale == 100


def test_a_table_too_fine_for_64_bits_stays_exact():
    rows = [[0, 50], *([10 + step * (step + 30), 50 + step * 2] for step in range(1, 20))]
    rules = RuleSet.from_parameters(PAGE.to_parameters() | {"table": rows, "lookup": "linear"})
    table = expectation_table(rules)
    assert table.values.dtype == object
    for difference in range(-900, 901, 7):
        assert Fraction(int(table.of(np.array([difference]))[0]), table.scale) == expectation(difference, 0, rules)


def test_the_row_that_a_difference_takes():
    assert [table_row(difference, PAGE).difference for difference in (0, 19, 20, -57, 58, 504)] == [
        0,
        0,
        40,
        40,
        75,
        465,
    ]
