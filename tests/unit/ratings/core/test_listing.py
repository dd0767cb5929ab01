"""Section 8: states, titles, positions, comparison of lists."""

from dataclasses import replace

import numpy as np
import pytest

from federation.core.errors import InvariantError
from ratings.core.listing import (
    PreviousList,
    Status,
    compare,
    rating_list,
    state_of,
    title_of,
)
from ratings.core.replay import NO_RATING, State, opening_state
from ratings.core.ruleset import PAGE, SHEET
from ratings.core.seasons import UNKNOWN


def state(rows, season=2023):
    """Make a state from rows (rating, games, last season, season games)."""
    columns = [np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)]
    return State(0, season, columns[0], columns[1], columns[1], columns[2], columns[3], columns[3])


def shown(table, previous=None):
    comparison = compare(table, previous) if previous is not None else None
    return list(table.rows(comparison))


@pytest.mark.parametrize(
    ("games", "last_season", "rules", "status", "active"),
    [
        (0, UNKNOWN, PAGE, Status.NEW, False),
        (9, 2023, PAGE, Status.PROVISIONAL, True),
        (9, 2015, PAGE, Status.PROVISIONAL, False),
        (10, 2022, PAGE, Status.RANKED, True),
        (10, 2021, PAGE, Status.INACTIVE, False),
        (10, 2024, PAGE, Status.RANKED, True),
        (300, UNKNOWN, PAGE, Status.INACTIVE, False),
        (10, 2023, SHEET, Status.PROVISIONAL, True),
        (11, 2023, SHEET, Status.RANKED, True),
        (40, 2021, replace(SHEET, active_seasons=3), Status.RANKED, True),
    ],
)
def test_states(games, last_season, rules, status, active):
    assert state_of(games, last_season, 2023, rules) == (status, active)


@pytest.mark.parametrize(
    ("rating", "title"),
    [
        (1439, "gran gran mestre"),
        (1400, "gran gran mestre"),
        (1381, "gran mestre"),
        (1300, "gran mestre"),
        (1200, "mestre"),
        (1100, "expert"),
        (1000, "avançat"),
        (999, None),
    ],
)
def test_titles(rating, title):
    assert title_of(rating, PAGE) == title


def test_without_titles_nobody_has_one():
    assert title_of(2000, replace(PAGE, titles=())) is None


def test_ranked_players_first_then_everybody_else_by_rating():
    rows = shown(
        rating_list(
            state(
                [
                    (1100, 30, 2023, 5),
                    (1500, 200, 2020, 0),
                    (1388, 30, 2023, 5),
                    (1100, 40, 2022, 0),
                    (1600, 3, 2023, 3),
                    (1000, 12, 2023, 12),
                    (1700, 0, UNKNOWN, 0),
                    (1100, 40, 2022, 0),
                ]
            ),
            PAGE,
            entered=np.array([0, 0, 0, 0, 0, 0, 1, 0], dtype=bool),
            name_rank=np.array([5, 5, 5, 9, 5, 5, 5, 2]),
        )
    )
    assert [row.player for row in rows] == [2, 7, 3, 0, 5, 6, 4, 1]
    assert [row.position for row in rows] == [1, 2, 2, 2, 5, None, None, None]
    assert [row.status for row in rows[4:]] == ["ranked", "new", "provisional", "inactive"]
    assert [row.title for row in rows[5:]] == [None, "gran gran mestre", "gran gran mestre"]
    assert [row.debut for row in rows] == [False, False, False, False, True, False, True, False]


def test_players_without_a_game_appear_only_with_opening_data():
    before = opening_state(3, 2023)
    assert len(rating_list(before, PAGE)) == 0
    entered = np.array([False, True, False])
    (row,) = shown(rating_list(before, PAGE, entered=entered))
    assert (row.player, row.rating, row.status, row.title) == (1, 999, "new", None)
    assert next(rating_list(before, SHEET, entered=entered).rows()).rating == 950


def test_the_number_decides_last():
    table = rating_list(state([(1100, 30, 2023, 5)] * 3), PAGE, number=np.array([30, 10, 20]))
    assert table.player.tolist() == [1, 2, 0]


def test_moves():
    before = rating_list(
        state([(1200, 30, 2022, 4), (1150, 30, 2022, 4), (1100, 30, 2021, 0), (1050, 8, 2022, 0)], 2022), PAGE
    )
    after = rating_list(
        state(
            [
                (1140, 40, 2023, 10),
                (1150, 30, 2022, 0),
                (1180, 35, 2023, 5),
                (1060, 12, 2023, 4),
                (1300, 12, 2023, 12),
                (1400, 5, 2023, 5),
            ]
        ),
        PAGE,
    )
    rows = {row.player: row for row in shown(after, before)}
    assert {player: row.change.moved for player, row in rows.items()} == {
        4: "deb",
        2: 1,
        1: -1,
        0: -3,
        3: "rec",
        5: None,
    }
    assert rows[2].position == 2
    assert {player: row.change.progress for player, row in rows.items()} == {4: 301, 2: 80, 1: 0, 0: -60, 3: 10, 5: 401}
    assert rows[5].change.games_since == 5


def test_back_on_the_list_after_a_pause():
    before = rating_list(state([(1200, 30, 2019, 0)], 2022), PAGE)
    after = rating_list(state([(1210, 31, 2023, 1)]), PAGE)
    assert before.position.tolist() == [0]
    assert shown(after, before)[0].change.moved == "rec"


def test_a_rating_that_moved_without_a_new_game_is_marked_as_corrected():
    before = rating_list(state([(1200, 30, 2023, 3), (1100, 30, 2023, 3)]), PAGE)
    after = rating_list(state([(1190, 30, 2023, 3), (1090, 31, 2023, 4)]), PAGE)
    assert [row.change.corrected for row in shown(after, before)] == [True, False]


def test_against_an_empty_list_everybody_enters():
    table = rating_list(state([(1200, 30, 2023, 3)]), PAGE)
    nothing = np.zeros(0, dtype=np.int64)
    (row,) = shown(table, PreviousList(nothing, nothing, nothing, nothing))
    assert (row.change.moved, row.change.progress, row.change.games_since) == ("rec", 201, 30)


def test_a_list_against_itself_does_not_move():
    table = rating_list(state([(1200, 30, 2023, 3), (1200, 30, 2023, 3), (NO_RATING, 0, UNKNOWN, 0)]), PAGE)
    assert {row.change.moved for row in shown(table, table)} == {0}
    assert {row.change.progress for row in shown(table, table)} == {0}


def test_a_player_twice_on_the_previous_list_is_a_bug():
    table = rating_list(state([(1200, 30, 2023, 3)]), PAGE)
    twice = np.zeros(2, dtype=np.int64)
    with pytest.raises(InvariantError):
        compare(table, PreviousList(twice, twice, twice, twice))
