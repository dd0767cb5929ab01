"""Section 12: BARRISC."""

from decimal import Decimal
from fractions import Fraction

import pytest

from federation.core.errors import RuleError
from ratings.core.barrisc import barrisc, percentage


@pytest.mark.parametrize(
    ("percentages", "carry", "games", "games_last", "mean", "active"),
    [
        ([70, 75], None, 2, 0, Fraction(145, 2), True),
        ([80], Decimal("72.5"), 1, 2, Fraction(305, 4), True),
        ([], Decimal("72.5"), 0, 1, Fraction(145, 2), False),
        ([101.5, 98.5, 100], None, 3, 0, Fraction(100), True),
        ([], None, 0, 0, None, False),
        ([70, 70, 71], None, 3, 0, Fraction(211, 3), True),
        ([60], Decimal(60), 1, 0, Fraction(60), False),
        ([60], None, 1, 1, Fraction(60), True),
    ],
)
def test_mean_and_activity(percentages, carry, games, games_last, mean, active):
    outcome = barrisc(percentages, carry, games, games_last)
    assert (outcome.mean, outcome.active) == (mean, active)


def test_a_percentage_can_exceed_100():
    assert percentage(812, 800) == Fraction(203, 2)
    with pytest.raises(RuleError) as caught:
        percentage(1, 0)
    assert caught.value.code == "bad_best_possible"
