"""The fast replay against the slow referee, and what a replay promises."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from federation.core.errors import RuleError
from ratings.core.checks import first_data_fault
from ratings.core.fingerprint import canonical_bytes, fingerprint
from ratings.core.history import KIND_NAMES, NO_RESULT, NOBODY, History, Kind
from ratings.core.replay import NO_RATING, opening_state, replay, with_season
from ratings.core.ruleset import PAGE, SHEET
from tests.properties import barruf_oracle as oracle

PLAYERS = 8
SEASON = 2021
LOOKUPS = ("nearest", "next", "reached", "linear")


def round_of(draw, number):
    order = draw(st.permutations(range(PLAYERS)))
    pairs = draw(st.integers(0, PLAYERS // 2))
    games = []
    for i in range(pairs):
        kind = draw(st.sampled_from(["played"] * 8 + ["forfeit", "void"]))
        games.append((number, order[2 * i], order[2 * i + 1], kind, draw(st.integers(0, 2))))
    if 2 * pairs < PLAYERS and draw(st.booleans()):
        games.append((number, order[-1], None, draw(st.sampled_from(["bye", "forfeit"])), 2))
    return games


@st.composite
def events(draw):
    found = []
    for _ in range(draw(st.integers(1, 5))):
        games = [game for number in range(1, draw(st.integers(2, 6)) + 1) for game in round_of(draw, number)]
        if draw(st.integers(0, 9)) == 0 and games:
            a, b = games[0][1], next(p for p in range(PLAYERS) if p != games[0][1])
            games.append((99, a, b, "pending", None))
        found.append(games)
    return found


@st.composite
def openings(draw):
    opening = {}
    for player in range(PLAYERS):
        rating = draw(st.one_of(st.none(), st.integers(600, 2200)))
        games = draw(st.integers(0, 60))
        last = draw(st.sampled_from([-1, 2018, 2020, 2021]))
        opening[player] = (rating, games, draw(st.integers(0, 2 * games)), last)
    return opening


def history_of(found, seasons, players=PLAYERS):
    rows = [(i, *game) for i, games in enumerate(found) for game in games]
    return History.build(
        players=players,
        event_season=seasons,
        game_event=[row[0] for row in rows],
        game_round=[row[1] for row in rows],
        game_a=[NOBODY if row[2] is None else row[2] for row in rows],
        game_b=[NOBODY if row[3] is None else row[3] for row in rows],
        game_kind=[int(KIND_NAMES.get(row[4], Kind.UNKNOWN)) for row in rows],
        game_result=[NO_RESULT if row[5] is None else row[5] for row in rows],
    )


def state_of(opening, season=SEASON):
    columns = list(zip(*opening.values(), strict=True))
    return opening_state(
        PLAYERS,
        season,
        rating=np.array([NO_RATING if r is None else r for r in columns[0]]),
        games=np.array(columns[1]),
        wins_half=np.array(columns[2]),
        last_season=np.array(columns[3]),
    )


def seasons_of(found):
    return [2019 + i for i in range(len(found))]


def lines_of(done):
    """The lines of a replay as plain values."""
    ledger = done.ledger
    return {
        (int(ledger.event[i]), int(ledger.player[i])): {
            "before": int(ledger.before[i]),
            "games": int(ledger.games[i]),
            "wins": Fraction(int(ledger.wins_half[i]), 2),
            "expected": ledger.expected_of(i),
            "games_after": int(ledger.games_after[i]),
            "k": int(ledger.k[i]),
            "raw": ledger.raw_of(i),
            "change": int(ledger.change[i]),
        }
        for i in range(len(ledger))
    }


def states_of(state):
    return {
        player: {
            "rating": None if state.rating[player] == NO_RATING else int(state.rating[player]),
            "games": int(state.games[player]),
            "wins": Fraction(int(state.wins_half[player]), 2),
            "last": int(state.last_season[player]),
            "season_games": int(state.season_games[player]),
            "season_wins": Fraction(int(state.season_wins_half[player]), 2),
        }
        for player in range(PLAYERS)
    }


@settings(max_examples=120, deadline=None)
@given(events(), openings(), st.sampled_from(LOOKUPS))
def test_replay_equals_the_referee_with_every_lookup(found, opening, lookup):
    rules = replace(PAGE, lookup=lookup)
    done = replay(history_of(found, seasons_of(found)), [rules], state_of(opening))
    lines, states = oracle.rate(found, seasons_of(found), opening, {"mode": "table", "lookup": lookup}, SEASON)
    assert lines_of(done) == lines
    assert states_of(done.state) == states


@settings(max_examples=60, deadline=None)
@given(events(), openings())
def test_replay_equals_the_referee_with_the_normal_distribution(found, opening):
    done = replay(history_of(found, seasons_of(found)), [SHEET], state_of(opening))
    lines, states = oracle.rate(found, seasons_of(found), opening, {"mode": "normal"}, SEASON)
    got = lines_of(done)
    assert got.keys() == lines.keys()
    # Within a hair of a half the referee's own doubles could fall on the other side.
    assume(all(abs(abs(line["raw"]) % 1 - 0.5) > 1e-9 or line["raw"] * 2 % 1 == 0 for line in lines.values()))
    for key, line in lines.items():
        for name, value in line.items():
            if isinstance(value, float):
                assert math.isclose(got[key][name], value, abs_tol=1e-9)
            else:
                assert got[key][name] == value
    assert states_of(done.state) == states


@settings(max_examples=40, deadline=None)
@given(events(), openings(), st.sampled_from([PAGE, SHEET]))
def test_going_on_from_any_position_equals_one_replay(found, opening, rules):
    history = history_of(found, seasons_of(found))
    positions = range(history.events + 1)
    whole = replay(history, [rules], state_of(opening), checkpoints=positions)
    assert set(whole.checkpoints) == set(positions)
    for position in positions:
        half = replay(history, [rules], state_of(opening), stop=position)
        assert fingerprint(half.state) == fingerprint(whole.checkpoints[position])
        rest = replay(history, [rules], half.state)
        assert canonical_bytes(rest.state) == canonical_bytes(whole.state)
        assert lines_of(half) | lines_of(rest) == lines_of(whole)


@settings(max_examples=40, deadline=None)
@given(events(), openings(), st.integers(2018, 2024))
def test_a_checkpoint_serves_the_list_of_any_season(found, opening, season):
    history = history_of(found, seasons_of(found))
    checkpoint = replay(history, [PAGE], state_of(opening), stop=history.events // 2).state
    turned = with_season(checkpoint, history, [PAGE], season)
    assert fingerprint(replay(history, [PAGE], turned).state) == fingerprint(
        replay(history, [PAGE], state_of(opening, season)).state
    )


@settings(max_examples=60, deadline=None)
@given(events(), openings(), st.sampled_from([PAGE, SHEET]), st.randoms(use_true_random=False))
def test_order_of_games_and_rounds_and_sides_changes_nothing(found, opening, rules, chance):
    other = []
    for games in found:
        numbers = sorted({game[0] for game in games})
        renumbered = dict(zip(numbers, chance.sample(range(100), len(numbers)), strict=True))
        turned = [
            (renumbered[r], b, a, kind, None if result is None else 2 - result)
            if b is not None and chance.random() < 0.5
            else (renumbered[r], a, b, kind, result)
            for r, a, b, kind, result in games
        ]
        chance.shuffle(turned)
        other.append(turned)
    one, two = (replay(history_of(v, seasons_of(v)), [rules], state_of(opening)) for v in (found, other))
    assert lines_of(one) == lines_of(two)
    assert fingerprint(one.state) == fingerprint(two.state)


@settings(max_examples=60, deadline=None)
@given(events(), openings(), st.sampled_from([PAGE, SHEET]), st.permutations(range(PLAYERS)))
def test_numbering_of_players_changes_nothing(found, opening, rules, places):
    def moved(player):
        return None if player is None else places[player]

    other = [[(r, moved(a), moved(b), kind, result) for r, a, b, kind, result in games] for games in found]
    shuffled = dict(sorted((places[player], values) for player, values in opening.items()))
    one = replay(history_of(found, seasons_of(found)), [rules], state_of(opening))
    two = replay(history_of(other, seasons_of(other)), [rules], state_of(shuffled))
    assert {(event, places[player]): line for (event, player), line in lines_of(one).items()} == lines_of(two)


@settings(max_examples=60, deadline=None)
@given(events(), openings())
def test_raw_changes_of_an_event_add_up_to_zero_if_all_multipliers_are_equal(found, opening):
    few = {p: (None if r is None else min(r, 1200), 0, 0, last) for p, (r, _, _, last) in opening.items()}
    history = history_of(found[:1], [SEASON])
    done = replay(history, [PAGE], state_of(few))
    assume(len(done.ledger))
    assert {int(k) for k in done.ledger.k} == {30}
    assert sum(done.ledger.raw_of(i) for i in range(len(done.ledger))) == 0


@settings(max_examples=60, deadline=None)
@given(events(), openings(), st.sampled_from([PAGE, SHEET]))
def test_every_line_can_be_recomputed_from_its_games(found, opening, rules):
    ledger = replay(history_of(found, seasons_of(found)), [rules], state_of(opening)).ledger
    for line in range(len(ledger)):
        sides = range(*ledger.sides_of(line).indices(len(ledger.side_game)))
        terms = [ledger.term_of(side) for side in sides]
        assert len(terms) == ledger.games[line]
        total = math.fsum(terms) if rules is SHEET else sum(terms)
        assert ledger.expected_of(line) == total
        assert ledger.side_result_half[ledger.sides_of(line)].sum() == ledger.wins_half[line]
        assert (ledger.side_line[ledger.sides_of(line)] == line).all()
    assert (ledger.after == ledger.before + ledger.change).all()
    assert (ledger.event[ledger.side_opponent_line] == ledger.event[ledger.side_line]).all()


any_game = st.tuples(
    st.integers(1, 2),
    st.one_of(st.none(), st.integers(0, 4)),
    st.one_of(st.none(), st.integers(0, 4)),
    st.sampled_from(["played", "played", "played", "bye", "forfeit", "void", "pending", "walkover"]),
    st.sampled_from([0, 1, 2, None, 3]),
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.lists(any_game, max_size=5), min_size=1, max_size=3))
def test_the_first_contradiction_is_found_game_by_game(found):
    history = history_of(found, seasons_of(found))
    code = oracle.fault(found)
    fault = first_data_fault(history)
    assert (fault and fault.code) == code
    if code:
        with pytest.raises(RuleError) as caught:
            replay(history, [PAGE], opening_state(PLAYERS, SEASON))
        assert caught.value.code == code
        assert caught.value.params["event"] == fault.event


@settings(max_examples=60, deadline=None)
@given(events(), openings())
def test_joining_with_a_record_that_never_played_changes_nothing(found, opening):
    drop = PLAYERS - 1
    without = [[g for g in games if drop not in g[1:3]] for games in found]
    empty = opening | {drop: (None, 0, 0, -1)}
    history = history_of(without, seasons_of(without))
    one = replay(history, [PAGE], state_of(empty))
    two = replay(history.with_players_joined(0, drop), [PAGE], state_of(empty))
    assert fingerprint(one.state, one.ledger) == fingerprint(two.state, two.ledger)


@settings(max_examples=60, deadline=None)
@given(events(), openings())
def test_a_record_split_over_events_and_joined_again_gives_the_same_rating(found, opening):
    """One person under two records, one per event: after the merge the history is that of one player."""
    other = PLAYERS
    split = [
        [tuple(other if x == 0 and i in (1, 2) and number % 2 else x for i, x in enumerate(game)) for game in games]
        for number, games in enumerate(found)
    ]

    def opened():
        state = state_of(opening)
        more = opening_state(PLAYERS + 1, SEASON)
        for name in ("rating", "games", "wins_half", "last_season"):
            getattr(more, name)[:PLAYERS] = getattr(state, name)
        return more

    one = replay(history_of(found, seasons_of(found), other + 1), [PAGE], opened())
    two = replay(history_of(split, seasons_of(split), other + 1).with_players_joined(0, other), [PAGE], opened())
    assert fingerprint(one.state, one.ledger.raw, one.ledger.after) == fingerprint(
        two.state, two.ledger.raw, two.ledger.after
    )
