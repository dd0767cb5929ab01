"""Section 9: two records of one person."""

import datetime

import pytest

from federation.core.errors import RuleError
from ratings.core.history import Event, Game, Kind, history_of
from ratings.core.merging import Opening, check_one_person, merged_opening

DAY = datetime.date(2023, 10, 15)


def history(*games):
    first = Event("a", 2023, DAY, games=(Game(1, 0, 1, result=2),))
    return history_of([first, Event("b", 2023, DAY, games=games)], players=5)


@pytest.mark.parametrize(
    "game",
    [
        Game(1, 2, kind=Kind.BYE),
        Game(1, 3, 2, Kind.PENDING),
        Game(1, 2, 3, Kind.VOID),
        Game(1, 0, 2, result=2),
    ],
)
def test_two_entries_of_any_kind_in_one_round_are_two_people(game):
    with pytest.raises(RuleError) as caught:
        check_one_person(history(Game(1, 0, 4, result=2), game), 0, 2)
    assert (caught.value.code, caught.value.params) == ("two_people", {"event": 1, "round": 1})


def test_other_rounds_and_other_events_do_not_matter():
    check_one_person(history(Game(2, 0, 4, result=2), Game(1, 2, 3, result=2)), 0, 2)
    check_one_person(history_of([], 3), 0, 2)


def test_a_record_is_not_merged_with_itself():
    with pytest.raises(RuleError) as caught:
        check_one_person(history(), 1, 1)
    assert caught.value.code == "same_record"


@pytest.mark.parametrize(
    ("keep", "drop", "merged"),
    [
        (None, None, None),
        (Opening(1100, 12, 10, 2020), None, Opening(1100, 12, 10, 2020)),
        (None, Opening(1100, 12, 10, 2020), Opening(1100, 12, 10, 2020)),
        (Opening(1100, 12, 10, 2020), Opening(900, 12, 5, 2022), Opening(1100, 24, 15, 2022)),
        (Opening(1100, 12, 10, 2020), Opening(900, 13, 5, 2018), Opening(900, 25, 15, 2020)),
        (Opening(), Opening(1200), Opening(1200)),
        (Opening(1100), Opening(1200), Opening(1100)),
        (Opening(None, 20), Opening(1200, 5), Opening(None, 25)),
    ],
)
def test_openings_are_added(keep, drop, merged):
    assert merged_opening(keep, drop) == merged
