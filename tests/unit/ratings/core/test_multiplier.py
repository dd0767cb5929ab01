"""Section 4: the multiplier."""

import pytest

from ratings.core.multiplier import multiplier, multiplier_reason
from ratings.core.ruleset import PAGE, SHEET


@pytest.mark.parametrize(
    ("rating", "few", "many"),
    [(-50, 30, 20), (999, 30, 20), (1499, 30, 20), (1500, 24, 16), (1999, 24, 16), (2000, 15, 10), (2400, 15, 10)],
)
def test_bands_and_columns(rating, few, many):
    assert [multiplier(rating, games, PAGE) for games in (1, 50, 51, 900)] == [few, few, many, many]
    assert [multiplier(rating, games, SHEET) for games in (1, 50, 51, 900)] == [30, 30, 20, 20]


def test_the_reason_names_band_and_column():
    reason = multiplier_reason(1503, 463, PAGE)
    assert (reason.k, reason.floor, reason.ceiling, reason.games_threshold, reason.many_games) == (
        16,
        1500,
        1999,
        50,
        True,
    )
    assert (multiplier_reason(1499, 50, PAGE).floor, multiplier_reason(1499, 50, PAGE).ceiling) == (None, 1499)
    assert (multiplier_reason(2000, 50, PAGE).floor, multiplier_reason(2000, 50, PAGE).ceiling) == (2000, None)
    assert (multiplier_reason(2000, 50, SHEET).floor, multiplier_reason(2000, 50, SHEET).ceiling) == (None, None)
