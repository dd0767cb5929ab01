"""Standings of an event: points, direct games, spread, shared places (specification, section 5)."""

import pytest

from federation.core.errors import RuleError
from ratings.core.standings import Entry, standings


def places(lines):
    return [(line.player, line.place) for line in lines]


def game(a, b, result, score_a=None, score_b=None):
    return Entry(a, b, result=result, score_a=score_a, score_b=score_b)


def test_win_draw_loss_are_one_half_and_nothing():
    lines = standings("ABC", [game("A", "B", 2), game("B", "C", 1)])
    assert [(line.player, line.place, line.points, line.played, line.wins) for line in lines] == [
        ("A", 1, 2, 1, 2),
        ("B", 2, 1, 2, 1),
        ("C", 2, 1, 1, 1),
    ]


def test_bye_and_forfeit_won_give_a_point_but_no_game():
    lines = standings("ABC", [Entry("A", None, kind="bye"), Entry("B", "C", kind="forfeit", result=2)])
    assert [(line.player, line.points, line.played, line.wins) for line in lines] == [
        ("A", 2, 0, 0),
        ("B", 2, 0, 0),
        ("C", 0, 0, 0),
    ]


def test_a_bye_worth_half_a_point():
    assert standings("A", [Entry("A", None, kind="bye", result=1)])[0].points == 1


def test_forfeit_of_both_gives_nobody_a_point():
    lines = standings("AB", [Entry("A", "B", kind="forfeit", both_absent=True)])
    assert [line.points for line in lines] == [0, 0]


@pytest.mark.parametrize("kind", ["void", "pending"])
def test_void_and_pending_give_nothing(kind):
    lines = standings("AB", [Entry("A", "B", kind=kind, result=2 if kind == "void" else None)])
    assert [(line.points, line.played) for line in lines] == [(0, 0), (0, 0)]


def test_direct_game_decides_before_spread():
    entries = [
        game("A", "B", 2, 400, 399),
        game("B", "C", 2, 600, 100),
        game("A", "C", 0, 300, 301),
        game("A", "D", 2, 350, 340),
        game("B", "D", 2, 500, 100),
    ]
    lines = standings("ABCD", entries)
    assert places(lines) == [("A", 1), ("B", 2), ("C", 3), ("D", 4)]
    assert [line.direct for line in lines] == [2, 0, None, None]


def test_spread_decides_where_direct_games_are_equal():
    entries = [game("A", "B", 2, 400, 390), game("B", "C", 2, 500, 300), game("C", "A", 2, 410, 400)]
    lines = standings("ABC", entries)
    assert [(line.player, line.spread) for line in lines] == [("B", 190), ("A", 0), ("C", -190)]
    assert places(lines) == [("B", 1), ("A", 2), ("C", 3)]


def test_what_stays_equal_shares_the_place_and_the_next_is_skipped():
    entries = [game("A", "C", 2, 400, 300), game("B", "D", 2, 400, 300)]
    assert places(standings("ABCD", entries)) == [("A", 1), ("B", 1), ("C", 3), ("D", 3)]


def test_without_tie_breaks_equal_points_share_the_place():
    entries = [game("A", "B", 2, 400, 300), game("B", "C", 2, 500, 300), game("C", "A", 2, 410, 400)]
    assert places(standings("ABC", entries, ())) == [("A", 1), ("B", 1), ("C", 1)]


def test_spread_first_when_the_event_says_so():
    entries = [game("A", "B", 2, 400, 399), game("A", "C", 0, 300, 400), game("B", "C", 2, 600, 100)]
    assert standings("ABC", entries, ("spread", "direct"))[0].player == "B"
    assert [line.spread for line in standings("ABC", entries, ("spread", "direct"))] == [499, -99, -400]


def test_a_game_without_scores_adds_no_spread():
    assert [line.spread for line in standings("AB", [game("A", "B", 2, 400, None), game("A", "B", 0)])] == [0, 0]


@pytest.mark.parametrize("tie_breaks", [("buchholz",), ("direct", "direct")])
def test_unknown_or_repeated_tie_break_is_refused(tie_breaks):
    with pytest.raises(RuleError, match="bad_tie_break"):
        standings("AB", [], tie_breaks)


def test_stranger_in_a_row_is_refused():
    with pytest.raises(RuleError, match="unknown_player"):
        standings("AB", [game("A", "X", 2)])
