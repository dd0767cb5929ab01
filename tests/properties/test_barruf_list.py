"""What holds for every list."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.core.fingerprint import fingerprint
from ratings.core.listing import Move, Status, compare, rating_list
from ratings.core.replay import State
from ratings.core.ruleset import PAGE

SEASON = 2023
ANY_NUMBER = st.integers(0, 12)


@st.composite
def states(draw, players=ANY_NUMBER):
    rows = []
    for _ in range(draw(players)):
        games = draw(st.one_of(st.just(0), st.integers(1, 30)))
        season_games = draw(st.integers(0, games))
        last = SEASON if season_games else draw(st.sampled_from([-1, 2020, 2021, 2022]))
        wins = draw(st.integers(0, 2 * games))
        season_wins = draw(st.integers(0, min(wins, 2 * season_games)))
        rows.append((draw(st.integers(995, 1005)), games, wins, last, season_games, season_wins))
    columns = np.array(rows, dtype=np.int64).reshape(len(rows), 6).T
    return State(0, SEASON, *columns)


@settings(deadline=None)
@given(states(), st.randoms(use_true_random=False))
def test_the_order_is_total_and_positions_follow_from_ratings(state, chance):
    names = np.array([chance.randrange(3) for _ in range(state.players)], dtype=np.int64)
    everybody = np.ones(state.players, dtype=bool)
    rows = list(rating_list(state, PAGE, entered=everybody, name_rank=names).rows())
    assert sorted(row.player for row in rows) == list(range(state.players))
    keys = [(r.status != "ranked", -r.rating, -r.games, names[r.player], r.player) for r in rows]
    assert keys == sorted(keys)
    ranked = [row for row in rows if row.status == "ranked"]
    for row in rows:
        if row.status == "ranked":
            assert row.position == 1 + sum(other.rating > row.rating for other in ranked)
        else:
            assert row.position is None


@settings(deadline=None)
@given(states())
def test_making_a_list_twice_gives_the_same_bytes(state):
    assert fingerprint(rating_list(state, PAGE)) == fingerprint(rating_list(state, PAGE))


@settings(deadline=None)
@given(states(), st.permutations(range(12)))
def test_the_numbering_inside_the_replay_does_not_show(state, places):
    places = np.array([place for place in places if place < state.players], dtype=np.int64)
    number = np.arange(state.players) * 10 + 7
    columns = ("rating", "games", "wins_half", "last_season", "season_games", "season_wins_half")
    shuffled = State(0, SEASON, *(getattr(state, name)[places] for name in columns))
    one = rating_list(state, PAGE, number=number)
    two = rating_list(shuffled, PAGE, number=number[places])
    assert one.player.tolist() == places[two.player].tolist()
    assert fingerprint(one.rating, one.position, one.status) == fingerprint(two.rating, two.position, two.status)


@settings(deadline=None)
@given(states(st.just(9)), states(st.just(9)))
def test_comparison_follows_its_definition(now, then):
    current, previous = rating_list(now, PAGE), rating_list(then, PAGE)
    before = {row.player: row for row in previous.rows()}
    for row in current.rows(compare(current, previous)):
        old = before.get(row.player)
        change = row.change
        assert change.progress == row.rating - (old.rating if old else 999)
        assert change.games_since == row.games - (old.games if old else 0)
        assert change.corrected == (change.progress != 0 and change.games_since == 0)
        if row.status != "ranked":
            assert change.moved is None
        elif row.games == row.season_games:
            assert change.moved == "deb"
        elif old is None or old.position is None:
            assert change.moved == "rec"
        else:
            assert change.moved == old.position - row.position


@settings(deadline=None)
@given(states())
def test_states_are_exclusive_and_activity_is_apart(state):
    table = rating_list(state, PAGE, entered=np.ones(state.players, dtype=bool))
    for row, status in zip(table.rows(), table.status.tolist(), strict=True):
        assert status == (
            Status.NEW
            if row.games == 0
            else Status.PROVISIONAL
            if row.games < 10
            else Status.RANKED
            if row.active
            else Status.INACTIVE
        )
    assert (compare(table, table).move[table.status != Status.RANKED] == Move.NONE).all()
