"""The account laid out: every figure follows from the lines above it, in both rule sets."""

from fractions import Fraction

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from ratings.core.barruf import PAGE, SHEET
from ratings.core.ruleset import RuleSet
from ratings.presenters.calculation import calculation, worked_example
from ratings.presenters.rules import bands, difference_of_fifty, lookup_text, multipliers_text, reckoner, title_code_of

NEXT = RuleSet.from_parameters(PAGE.to_parameters() | {"lookup": "next"})
LINEAR = RuleSet.from_parameters(PAGE.to_parameters() | {"lookup": "linear"})


@pytest.fixture(autouse=True)
def english():
    with override("en"):
        yield


def test_worked_example_under_the_page():
    view = worked_example(PAGE)
    assert (view.expected, view.surplus, view.k, view.raw, view.after) == ("3.20", "+0.80", 20, "+16", 1116)
    assert [line.expected for line in view.lines] == ["0.35", "0.45", "0.50", "0.55", "0.65", "0.70"]
    assert [line.table_row for line in view.lines] == ["110", "40", "0", "40", "110", "150"]


def test_worked_example_under_the_sheet():
    view = worked_example(SHEET)
    assert (view.expected, view.surplus, view.after, view.is_curve) == ("3.2153", "+0.7847", 1116, True)
    assert view.raw.startswith("+15.69")
    assert [line.table_row for line in view.lines] == [""] * 6
    assert view.reckoner == []


def test_printed_terms_of_the_example_with_1250_under_next():
    view = calculation(NEXT, 1100, 51, (1250, 1140, 1100, 1050, 1000, 950), (2, 2, 2, 2, 0, 0))
    assert [line.expected for line in view.lines] == ["0.30", "0.45", "0.50", "0.60", "0.65", "0.70"]
    assert (view.expected, view.after) == ("3.20", 1116)


def test_linear_values_are_shown_as_exactly_as_they_end():
    view = calculation(LINEAR, 1100, 51, (1200,), (2,))
    assert view.lines[0].table_row == "between rows"
    assert view.lines[0].expected.endswith("…")


def test_a_loss_is_subtracted():
    view = calculation(PAGE, 1503, 463, (1530,), (0,))
    assert (view.sign, view.surplus, view.surplus_abs, view.raw, view.unrounded) == (
        "−",
        "−0.45",
        "0.45",
        "−7.2",
        "1495.8",
    )


def test_a_half_is_named():
    assert calculation(PAGE, 1000, 10, (1040,), (2,)).raw == "+16.5"
    assert calculation(PAGE, 1000, 10, (1040,), (2,)).is_half
    assert not calculation(PAGE, 1503, 463, (1530,), (0,)).is_half


def test_beyond_the_last_row_the_row_says_so():
    assert calculation(PAGE, 1503, 463, (999,), (2,)).lines[0].table_row == "465 and more"


def test_figures_follow_the_language():
    with override("ca"):
        view = worked_example(PAGE)
        assert (view.expected, view.surplus) == ("3,20", "+0,80")


@given(
    st.integers(600, 2200),
    st.integers(0, 120),
    st.lists(st.tuples(st.integers(500, 2300), st.integers(0, 2)), min_size=1, max_size=20),
)
def test_the_page_adds_up(rating, games, played):
    with override("en"):
        view = calculation(
            PAGE, rating, games + len(played), [other for other, _won in played], [won for _other, won in played]
        )
    expected = sum((Fraction(line.expected) for line in view.lines), Fraction())
    assert Fraction(view.expected) == expected
    assert sum((line.values[1] for line in view.lines), Fraction()) == view.surplus_value
    assert sum((line.values[2] for line in view.lines), Fraction()) == view.surplus_value * view.k
    assert abs(view.surplus_value * view.k - view.change) <= Fraction(1, 2)
    assert view.before + view.change == view.after


def test_rows_of_the_reckoner_count_their_use():
    rows = {row.difference: row.used for row in reckoner(PAGE, [-100, -40, 0, 50, 100, 150])}
    assert rows == {0: 1, 40: 2, 75: 0, 110: 2, 150: 1, 195: 0, 240: 0, 295: 0, 365: 0, 465: 0}


@pytest.mark.parametrize(
    ("before", "games", "hit"),
    [(1100, 50, (0, "few", 30)), (1499, 51, (0, "many", 20)), (1500, 51, (1, "many", 16)), (2000, 50, (2, "few", 15))],
)
def test_the_cell_of_the_multiplier_that_applies_is_marked(before, games, hit):
    rows = bands(PAGE, before, games)
    marked = [
        (turn, name, getattr(row, name))
        for turn, row in enumerate(rows)
        for name in ("few", "many")
        if getattr(row, f"hit_{name}")
    ]
    assert marked == [hit]


def test_labels_of_the_bands():
    assert [row.label for row in bands(PAGE)] == ["below 1500", "1500 to 1999", "2000 and more"]
    assert [row.label for row in bands(SHEET)] == ["any rating"]


def test_words_of_the_rules():
    assert multipliers_text(PAGE) == "30, 24, 20, 16, 15 or 10"
    assert "nearest row" in lookup_text(PAGE)
    assert "first row that is not smaller" in lookup_text(NEXT)
    assert difference_of_fifty(PAGE) == "0.55"
    assert difference_of_fifty(NEXT) == "0.60"
    assert [title_code_of(PAGE, title.name) for title in PAGE.titles] == ["GGM", "GM", "M", "E", "A"]
