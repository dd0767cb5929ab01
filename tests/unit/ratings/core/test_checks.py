"""Section 9: contradictory data, in the order of the games."""

import datetime

import pytest

from federation.core.errors import RuleError
from ratings.core.checks import check_data, first_data_fault
from ratings.core.history import BAD_RESULT, Event, Game, Kind, history_of

DAY = datetime.date(2023, 10, 15)


def fault(*games, **flags):
    return first_data_fault(history_of([Event("e", 2023, DAY, games=games, **flags)], players=5))


@pytest.mark.parametrize(
    ("game", "code"),
    [
        (Game(1, 0, 1, Kind.UNKNOWN, 2), "bad_kind"),
        (Game(1, 0, result=2), "missing_player"),
        (Game(1, 0, kind=Kind.VOID), "missing_player"),
        (Game(1, 0, kind=Kind.PENDING), "missing_player"),
        (Game(1, 0, kind=Kind.BYE), None),
        (Game(1, 0, kind=Kind.FORFEIT), None),
        (Game(1, 0, 0, Kind.FORFEIT), "self_play"),
        (Game(1, 0, 1), "bad_result"),
        (Game(1, 0, 1, result=BAD_RESULT), "bad_result"),
        (Game(1, 0, 1, result=3), "bad_result"),
        (Game(1, 0, 1, Kind.FORFEIT, BAD_RESULT), None),
        (Game(1, 0, 1, Kind.PENDING), None),
        (Game(1, 0, 1, result=1), None),
    ],
)
def test_single_games(game, code):
    found = fault(game)
    assert (found and found.code) == code


@pytest.mark.parametrize("kind", [Kind.BYE, Kind.FORFEIT, Kind.VOID, Kind.PENDING, Kind.PLAYED])
def test_every_kind_of_entry_occupies_the_round(kind):
    found = fault(Game(1, 2, 1, kind, 2), Game(1, 0, 1, result=2))
    assert (found.code, found.player, found.game, found.round) == ("twice_in_round", 1, 1, 1)
    assert fault(Game(1, 2, 1, kind, 2), Game(2, 0, 1, result=2)) is None


def test_the_first_game_decides_then_the_order_of_the_codes():
    assert fault(Game(1, 0, 1, result=7), Game(1, 0, 0)).code == "bad_result"
    assert fault(Game(1, 0, 1, result=2), Game(1, 0, 0, result=7)).code == "self_play"
    assert fault(Game(1, 0, 1, result=2), Game(1, 0, 2, result=7)).code == "twice_in_round"


def test_events_that_staff_have_not_let_in_are_not_looked_at():
    assert fault(Game(1, 0, 0), excluded=True) is None
    assert fault(Game(1, 0, 0), approved=False) is None
    assert fault(Game(1, 0, 0), classic=False).code == "self_play"


def test_the_error_names_event_and_game():
    good = Event("a", 2023, DAY, games=(Game(1, 0, 1, result=2),))
    bad = Event("b", 2023, DAY, games=(Game(1, 0, 1, result=2), Game(7, 3, 3, result=2)))
    history = history_of([good, bad], players=5)
    with pytest.raises(RuleError) as caught:
        check_data(history)
    assert caught.value.params == {"event": 1, "game": 2, "round": 7, "player": 3}
    check_data(history, stop=1)
    assert first_data_fault(history, start=1).game == 2
