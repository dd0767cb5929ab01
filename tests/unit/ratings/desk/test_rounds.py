"""Reading of typed rounds: players, figures, kinds, contradictions."""

from __future__ import annotations

import pytest

from ratings.core.rounds import Entrant, GameRow, TypedRow, check_rows, find_players, missing_players, read_round

PLAYERS = [
    Entrant(1, "Neus Farriol i Pont", 11),
    Entrant(2, "Oriol Bastida Queralt", 12),
    Entrant(3, "Ștefan Țurcanu-Vlad", 13),
    Entrant(4, "Вера Осинцева", 14),
    Entrant(5, "Gal·la Farrés", 15),
    Entrant(6, "Oriol Bastida", 16),
    Entrant(7, "Second entry of Neus", 11),
    Entrant(8, "Biel Cantarell", 18, withdrawn_after=2),
]


def read(*cells: tuple[str, ...], round_number: int = 1):
    rows = [TypedRow(line, *row) for line, row in enumerate(cells, start=1)]
    return read_round(rows, PLAYERS, round_number)


def codes(result):
    return [(problem.line, problem.cell, problem.code) for problem in result.problems]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1", [1]),
        ("1 Neus Farriol i Pont", [1]),
        ("1. neus", [1]),
        ("1 Oriol", []),
        ("99", []),
        ("neu", [1, 7]),
        ("farriol", [1]),
        ("FARR", [1, 5]),
        ("stef turc", [3]),
        ("țurcanu", [3]),
        ("osin", [4]),
        ("Вера", [4]),
        ("galla", [5]),
        ("oriol bastida", [6]),
        ("bastida oriol", [6]),
        ("oriol b", [2, 6]),
        ("zzz", []),
        ("", []),
        ("···", []),
    ],
)
def test_a_player_is_found_by_number_or_a_few_letters(text, numbers):
    assert [found.number for found in find_players(text, PLAYERS)] == numbers


def test_scores_give_the_result():
    result = read(("1", "2", "392", "368"), ("3", "4", "350", "350"), ("5", "6", "301", "400"))
    assert result.problems == ()
    assert [(row.a, row.b, row.score_a, row.score_b, row.result) for row in result.rows] == [
        (1, 2, 392, 368, 2),
        (3, 4, 350, 350, 1),
        (5, 6, 301, 400, 0),
    ]


@pytest.mark.parametrize(
    ("a", "b", "halves"),
    [("1", "0", 2), ("0", "1", 0), ("0.5", "0.5", 1), ("0,5", "½", 1)],
)
def test_figures_that_add_up_to_one_are_results(a, b, halves):
    (row,) = read(("1", "2", a, b)).rows
    assert (row.kind, row.result, row.score_a, row.score_b) == ("played", halves, None, None)


@pytest.mark.parametrize(
    ("cells", "cell", "code"),
    [
        (("1", "2", "1", "1"), "score_a", "results_do_not_add_up"),
        (("1", "2", "0", "0"), "score_a", "no_result"),
        (("1", "2", "38O", "350"), "score_a", "bad_score"),
        (("1", "2", "380", "35.5"), "score_b", "bad_score"),
        (("1", "2", "380", ""), "score_b", "score_missing"),
        (("1", "2", "", "380"), "score_a", "score_missing"),
        (("1", "2", "9999", "300"), "score_a", "score_impossible"),
        (("1", "2", "400", "-999"), "score_b", "score_impossible"),
        (("1", "", "400", "300"), "b", "missing_player"),
        (("", "2", "400", "300"), "a", "player_empty"),
        (("1", "1", "400", "300"), "b", "self_play"),
        (("1", "xyz", "400", "300"), "b", "unknown_player"),
        (("oriol b", "1", "400", "300"), "a", "ambiguous_player"),
        (("1", "2", "", "", "bye"), "b", "bye_with_opponent"),
        (("1", "2", "", "", "nonsense"), "kind", "bad_kind"),
        (("1", "7", "400", "300"), "b", "two_entries_one_person"),
    ],
)
def test_every_fault_is_named_at_its_cell(cells, cell, code):
    result = read(cells)
    assert (1, cell, code) in codes(result)
    assert result.has_errors


@pytest.mark.parametrize(
    ("cells", "kind", "halves", "both"),
    [
        (("1", "bye"), "bye", 2, False),
        (("1", "", "", "", "bye"), "bye", 2, False),
        (("1", "–"), "bye", 2, False),
        (("1", "2", "", "", "won"), "forfeit", 2, False),
        (("1", "2", "", "", "lost"), "forfeit", 0, False),
        (("1", "", "", "", "lost"), "forfeit", 0, False),
        (("1", "2", "", "", "absent"), "forfeit", 0, True),
        (("1", "2", "", "", "void"), "void", None, False),
        (("1", "2"), "pending", None, False),
    ],
)
def test_what_is_not_played(cells, kind, halves, both):
    result = read(cells)
    assert result.problems == ()
    (row,) = result.rows
    assert (row.kind, row.result, row.both_absent) == (kind, halves, both)


def test_a_player_twice_in_a_round_names_the_other_line():
    result = read(("1", "2", "400", "300"), (), ("3", "1"))
    assert codes(result) == [(3, "b", "twice_in_round")]
    assert result.problems[0].params["other_line"] == 1


@pytest.mark.parametrize("kind", ["won", "void", "game"])
def test_byes_forfeits_void_and_pending_rows_occupy_the_round_too(kind):
    assert (2, "a", "twice_in_round") in codes(read(("1", "bye"), ("1", "2", "", "", kind)))


def test_warnings_do_not_stop_a_round():
    result = read(("1", "2", "20", "810"), ("8", "3", "400", "300"), round_number=3)
    assert not result.has_errors
    assert codes(result) == [
        (1, "score_a", "score_unusual"),
        (1, "score_b", "score_unusual"),
        (2, "a", "withdrawn_player"),
    ]


def test_who_is_missing_leaves_out_the_withdrawn():
    rows = [GameRow(1, 2), GameRow(3, 4)]
    assert missing_players(rows, PLAYERS, 2) == (5, 6, 7, 8)
    assert missing_players(rows, PLAYERS, 3) == (5, 6, 7)


def test_all_problems_of_a_round_are_told_at_once():
    result = read(("1", "1"), ("x", "2", "a", "b"), ("3", "4", "400", "300"), ("4", "3", "1", "1"))
    assert {problem.line for problem in result.problems} == {1, 2, 4}
    assert len(result.problems) == 5


def test_the_same_fact_told_from_the_other_side():
    assert GameRow(5, 2, "played", 300, 400, 0).canonical() == GameRow(2, 5, "played", 400, 300, 2)
    assert GameRow(5, 2, "forfeit", result=0, both_absent=True).canonical().result == 0
    assert GameRow(5, None, "bye", result=2).canonical() == GameRow(5, None, "bye", result=2)


def test_results_that_contradict_their_scores_are_refused():
    assert [p.code for p in check_rows([GameRow(1, 2, "played", 300, 400, 2)], PLAYERS, 1)] == [
        "result_contradicts_scores"
    ]
