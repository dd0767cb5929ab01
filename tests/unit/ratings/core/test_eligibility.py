"""Section 6: which events count."""

import datetime
from dataclasses import replace

import pytest

from ratings.core.eligibility import REASONS, reasons_against
from ratings.core.history import Event, Game, Kind
from ratings.core.ruleset import PAGE

GAMES = tuple(
    Game(number, a, b, result=2) for number, pairs in enumerate([(0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)], start=1)
    for a, b in (pairs[:2], pairs[2:])
)  # fmt: skip
EVENT = Event("e", 2023, datetime.date(2023, 10, 15), games=GAMES)


def test_three_rounds_and_four_players_count():
    assert reasons_against(EVENT, PAGE) == ()


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({"approved": False}, ("not_approved",)),
        ({"excluded": True}, ("excluded",)),
        ({"classic": False}, ("not_classic",)),
        ({"published": False}, ("results_unpublished",)),
        ({"games": GAMES[:4]}, ("too_few_rounds",)),
        ({"games": GAMES[::2]}, ()),
        ({"games": (Game(1, 0, 1, result=2), Game(2, 0, 2, result=2), Game(3, 1, 2, result=1))}, ("too_few_players",)),
        ({"games": (*GAMES, Game(4, 0, 1, Kind.PENDING))}, ("results_missing",)),
        ({"games": (*GAMES[:4], Game(3, 0, 3, Kind.FORFEIT, 2), Game(3, 1, 2, Kind.BYE, 2))}, ("too_few_rounds",)),
        (
            {"approved": False, "excluded": True, "classic": False, "published": False}
            | {"games": (Game(1, 0, 1, Kind.PENDING),)},
            REASONS,
        ),
        ({"games": ()}, ("too_few_rounds", "too_few_players")),
    ],
)
def test_reasons_in_their_order(changes, reasons):
    assert reasons_against(replace(EVENT, **changes), PAGE) == reasons


def test_minimum_rounds_and_players_are_configurable():
    short = replace(EVENT, games=GAMES[:1])
    assert reasons_against(short, replace(PAGE, min_rounds=1, min_players=2)) == ()


def test_rounds_may_have_any_numbers():
    moved = tuple(replace(game, round=game.round * 1000 - 5000) for game in GAMES)
    assert reasons_against(replace(EVENT, games=moved), PAGE) == ()
