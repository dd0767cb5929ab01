"""Sections 3.4 and 5: the worked example and the account of one player."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest

from federation.core.errors import RuleError
from ratings.core.barruf import PAGE, SHEET, half_points, opening_rating, single_account, step

OPPONENTS = [1200, 1140, 1100, 1050, 1000, 950]


def hundredths(account):
    return [int(term * 100) for term in account.terms]


def test_the_example_as_printed_under_the_default():
    account = single_account(1100, OPPONENTS, 4, 51, PAGE)
    assert hundredths(account) == [35, 45, 50, 55, 65, 70]
    assert account.expected == Fraction("3.20")
    assert account.surplus == Fraction("0.80")
    assert (account.k, account.raw_change, account.change, account.after) == (20, 16, 16, 1116)


def test_the_example_as_printed_under_the_sheet():
    account = single_account(1100, OPPONENTS, 4, 51, SHEET)
    assert [round(term, 3) for term in account.terms] == [0.362, 0.444, 0.5, 0.57, 0.638, 0.701]
    assert (round(account.expected, 4), round(account.raw_change, 2), account.after) == (3.2153, 15.69, 1116)


def test_the_example_with_1250_under_next_has_every_printed_figure():
    account = single_account(1100, [1250, *OPPONENTS[1:]], 4, 51, replace(PAGE, lookup="next"))
    assert hundredths(account) == [30, 45, 50, 60, 65, 70]
    assert (account.expected, account.change, account.after) == (Fraction("3.20"), 16, 1116)


def test_the_example_from_the_printed_total_on():
    outcome = step(1100, 4, Decimal("3.20"), 20)
    assert (outcome.raw_change, outcome.change, outcome.after) == (16, 16, 1116)


@pytest.mark.parametrize(
    ("lookup", "expected", "after"), [("next", "3.25", 1115), ("reached", "3.20", 1116), ("linear", "45/14", 1116)]
)
def test_the_example_under_the_other_readings(lookup, expected, after):
    account = single_account(1100, OPPONENTS, 4, 51, replace(PAGE, lookup=lookup))
    assert (account.expected, account.after) == (Fraction(expected), after)


@pytest.mark.parametrize(("wins", "change"), [(1, 14), (0, -17), (Decimal("0.5"), -2)])
def test_halves_are_rounded_away_from_zero_once(wins, change):
    """One row of difference and K 30: 13.5, -16.5, -1.5."""
    assert single_account(1100, [1060], wins, 10, PAGE).change == change


def test_a_rating_has_no_floor_and_no_ceiling():
    assert single_account(5, [5] * 10, 0, 10, PAGE).after == -145
    assert single_account(9000, [9000] * 10, 10, 10, PAGE).after == 9075


@pytest.mark.parametrize("wins", [7, -1, "0.3"])
def test_impossible_scores_are_refused(wins):
    with pytest.raises(RuleError) as caught:
        single_account(1100, OPPONENTS, Fraction(wins), 51, PAGE)
    assert caught.value.code == "bad_wins"


def test_without_games_there_is_no_account():
    with pytest.raises(RuleError) as caught:
        single_account(1100, [], 0, 51, PAGE)
    assert caught.value.code == "no_games"


def test_steps_with_doubles():
    assert step(924, 10, 10.102962, 20).after == 922
    assert step(950, 0.5, Decimal("8.05899"), 30).change == -227


def test_imported_values():
    assert [opening_rating(Decimal(text)) for text in ("1049.5", "-0.5", "999.49")] == [1050, -1, 999]
    assert [half_points(value) for value in (0, 0.5, Decimal("19.5"), 40)] == [0, 1, 39, 80]
