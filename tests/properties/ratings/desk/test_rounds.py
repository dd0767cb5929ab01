"""Whatever is typed into a round, the reading is orderly."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ratings.core.rounds import KINDS, Entrant, GameRow, TypedRow, check_rows, missing_players, read_round

PLAYERS = [Entrant(number, f"Player{number} Name{number}", 100 + number) for number in range(1, 9)]
CELLS = st.one_of(
    st.sampled_from(["", "bye", "-", "player1", "player", "name3", "0", "1", "0.5", "½"]),
    st.integers(-3, 12).map(str),
    st.integers(-3000, 3000).map(str),
    st.text(max_size=8),
)
ROWS = st.lists(
    st.tuples(CELLS, CELLS, CELLS, CELLS, st.one_of(st.sampled_from(KINDS), st.text(max_size=5))), max_size=8
)


@given(ROWS)
def test_a_round_without_errors_is_a_round_that_can_be_stored(cells):
    typed = [TypedRow(line, *row) for line, row in enumerate(cells, start=1)]
    read = read_round(typed, PLAYERS, 1)
    if read.has_errors:
        return
    assert len(read.rows) == sum(not row.is_empty for row in typed)
    seated = [number for row in read.rows for number in row.players]
    assert len(seated) == len(set(seated))
    assert sorted([*seated, *read.missing]) == [entrant.number for entrant in PLAYERS]
    for row in read.rows:
        assert row.kind != "played" or (row.b is not None and row.result in (0, 1, 2))
        assert (row.kind == "bye") <= (row.b is None)
        assert row.score_a is not None or row.score_b is None
    assert not [problem for problem in check_rows(read.rows, PLAYERS, 1) if problem.severity == "error"]


@given(ROWS)
def test_every_problem_points_at_a_line_that_was_typed(cells):
    typed = [TypedRow(line, *row) for line, row in enumerate(cells, start=1)]
    lines = {row.line for row in typed if not row.is_empty}
    assert {problem.line for problem in read_round(typed, PLAYERS, 1).problems} <= lines


@given(
    st.integers(1, 8),
    st.one_of(st.none(), st.integers(1, 8)),
    st.sampled_from(["played", "forfeit", "void", "pending"]),
    st.sampled_from([None, 0, 1, 2]),
    st.booleans(),
)
def test_telling_a_fact_from_the_other_side_twice_gives_it_back(a, b, kind, result, both):
    row = GameRow(a, b, kind, 400, 300, result, both)
    told = row.canonical()
    assert told.canonical() == told
    assert set(told.players) == set(row.players)
    assert missing_players([told], PLAYERS, 1) == missing_players([row], PLAYERS, 1)
