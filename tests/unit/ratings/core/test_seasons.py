"""Section 2: seasons."""

import datetime

import pytest

from federation.core.errors import RuleError
from ratings.core.seasons import UNKNOWN, season_code, season_of, season_start


@pytest.mark.parametrize(("code", "start"), [("2023-24", 2023), ("1999-00", 1999), ("2009-10", 2009), (None, UNKNOWN)])
def test_codes(code, start):
    assert season_start(code) == start
    assert season_code(start) == code


@pytest.mark.parametrize("code", ["2023", "2023-25", "2023-2024", "23-24", "", " 2023-24", "2023-24\n", 2023])
def test_other_codes_are_refused(code):
    with pytest.raises(RuleError) as caught:
        season_start(code)
    assert caught.value.code == "bad_season"


def test_the_season_runs_from_september_to_august():
    assert season_of(datetime.date(2024, 8, 31)) == 2023
    assert season_of(datetime.date(2024, 9, 1)) == 2024
    assert season_of(datetime.date(2024, 3, 1), first_month=1) == 2024
