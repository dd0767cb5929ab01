"""Section 7: order, rule sets by event, resuming, and what does not count."""

import datetime
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from federation.core.errors import InvariantError
from ratings.core.history import Event, Game, History, Kind, history_of, rating_order
from ratings.core.replay import NO_RATING, opening_state, replay
from ratings.core.ruleset import PAGE, SHEET, RuleSet
from ratings.core.seasons import UNKNOWN

PAIRS = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)]
GAMES = tuple(Game(1 + i // 2, a, b, result=2) for i, (a, b) in enumerate(PAIRS))


def event(identifier, day="2023-10-15", **values):
    return Event(identifier, 2023, datetime.date.fromisoformat(day), **({"games": GAMES} | values))


def run(events, rulesets=(PAGE,), players=4, season=2023, **values):
    return replay(history_of(events, players), rulesets, opening_state(players, season), **values)


def test_events_are_ordered_by_date_sequence_and_identifier():
    events = [event("b"), event("a", "2023-11-01"), event("c", sequence=-1), event("a")]
    assert [(e.id, e.sequence) for e in rating_order(events)] == [("c", -1), ("a", 0), ("b", 0), ("a", 0)]


def test_later_events_use_the_ratings_after_earlier_ones():
    done = run([event("a"), event("b", "2023-11-01")])
    ledger = done.ledger
    assert ledger.after[ledger.lines_of(0)].tolist() == [1044, 1014, 984, 954]
    assert ledger.before[ledger.lines_of(1)].tolist() == [1044, 1014, 984, 954]
    assert done.state.games.tolist() == [6, 6, 6, 6]


def test_an_event_keeps_the_rule_set_that_it_points_to():
    done = run([event("a", rules=1), event("b", "2023-11-01", rules=0)], (PAGE, SHEET))
    ledger = done.ledger
    assert ledger.before[ledger.lines_of(0)].tolist() == [950] * 4
    assert ledger.scale.tolist() == [0] * 4 + [100] * 4
    assert isinstance(ledger.expected_of(0), float)
    assert isinstance(ledger.expected_of(4), Fraction)
    assert ledger.expected[0] == 1.5
    assert ledger.expected[4] == float(ledger.expected_of(4))


def test_events_that_do_not_count_give_no_line_no_game_and_no_activity():
    done = run([event("a", games=GAMES[:4]), event("b", "2023-11-01", classic=False)])
    assert len(done.ledger) == 0
    assert done.state.games.tolist() == [0] * 4
    assert done.state.last_season.tolist() == [UNKNOWN] * 4
    assert (done.state.rating == NO_RATING).all()
    assert (done.failed_conditions != 0).all()


def test_players_without_a_played_game_get_no_line():
    games = (*GAMES, Game(4, 4, kind=Kind.BYE, result=2), Game(4, 0, 5, Kind.FORFEIT, 2))
    done = run([event("a", games=games)], players=6)
    assert done.ledger.player.tolist() == [0, 1, 2, 3]
    assert done.ledger.games.tolist() == [3, 3, 3, 3]


def test_every_event_can_be_rated_regardless_of_section_6():
    done = run([event("a", games=GAMES[:1])], eligible_only=False)
    assert done.ledger.change.tolist() == [15, -15]


def test_figures_belong_to_the_season_asked_for():
    events = [event("a"), replace(event("b", "2024-11-01"), season=2024)]
    for season, games in ((2023, 3), (2024, 3), (2025, 0)):
        state = run(events, season=season).state
        assert state.season_games.tolist() == [games] * 4
        assert state.games.tolist() == [6] * 4
        assert state.last_season.tolist() == [2024] * 4


def test_the_last_season_is_the_latest_even_if_rated_earlier():
    events = [replace(event("a"), season=2024), event("b", "2023-11-01")]
    assert run(events).state.last_season.tolist() == [2024] * 4


def test_a_newcomer_takes_the_first_rating_only_in_his_first_event():
    later = tuple(replace(game, b=4 if game.b == 3 else game.b) for game in GAMES)
    done = run([event("a"), event("b", "2023-11-01", games=later, rules=1)], (PAGE, SHEET), players=5, checkpoints=[1])
    assert done.checkpoints[1].rating[4] == NO_RATING
    assert done.ledger.before[done.ledger.lines_of(1)][-1] == 950


def test_progress_is_told_up_to_the_end():
    told = []
    run([event("a"), event("b", "2023-11-01")], progress=lambda done, todo: told.append((done, todo)))
    assert told[0] == (0, 2)
    assert told[-1] == (2, 2)


def test_the_arguments_stay_as_they_are():
    history, opening = history_of([event("a")], 4), opening_state(4, 2023)
    copy = opening.rating.copy()
    replay(history, [PAGE], opening)
    assert (opening.rating == copy).all()
    assert opening.games.tolist() == [0] * 4


def test_an_empty_history_changes_nothing():
    done = run([], players=3)
    assert len(done.ledger) == 0
    assert done.state.players == 3
    assert run([], players=0).state.players == 0


def test_a_very_fine_table_is_rated_exactly():
    rows = [[0, 50], *([10 + step * (step + 30), 50 + step * 2] for step in range(1, 20))]
    fine = RuleSet.from_parameters(PAGE.to_parameters() | {"table": rows, "lookup": "linear"})
    opening = opening_state(4, 2023, rating=np.array([1100, 1037, 1001, 1000]))
    ledger = replay(history_of([event("a")], 4), [fine], opening).ledger
    assert sum(ledger.raw_of(line) for line in range(4)) == 0
    assert all(type(change) is int for change in ledger.change.tolist())


def test_a_state_of_another_history_is_refused():
    with pytest.raises(InvariantError):
        replay(history_of([event("a")], 4), [PAGE], opening_state(3, 2023))
    with pytest.raises(InvariantError):
        replay(history_of([], 4), [PAGE], replace(opening_state(4, 2023), position=1))


@pytest.mark.parametrize(
    "wrong", [{"game_event": [1, 0]}, {"game_a": [0, 9]}, {"game_b": [1]}, {"game_event": [0, 2]}, {"game_a": [0, -2]}]
)
def test_arrays_that_do_not_fit_are_refused(wrong):
    columns = {
        "game_event": [0, 1],
        "game_round": [1, 1],
        "game_a": [0, 2],
        "game_b": [1, 3],
        "game_kind": [0, 0],
        "game_result": [2, 2],
    }
    with pytest.raises(InvariantError):
        History.build(players=4, event_season=[2023, 2023], **(columns | wrong))
