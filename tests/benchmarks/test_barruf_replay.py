"""Speed of the replay in the core, as a ratio to the slow referee in the same run."""

import time

import numpy as np
import pytest

from ratings.core.history import History
from ratings.core.replay import opening_state, replay
from ratings.core.ruleset import PAGE, SHEET
from tests.properties import barruf_oracle as oracle

PLAYERS = 400
ROUNDS = 8
PER_ROUND = 12


def games_of(event):
    """Eight rounds of twelve games among players drawn for the event from a fixed seed."""
    chance = np.random.default_rng(event)
    chosen = chance.choice(PLAYERS, 2 * PER_ROUND, replace=False)
    games = []
    for number in range(1, ROUNDS + 1):
        order = chance.permutation(chosen).tolist()
        results = chance.choice([0, 1, 2], PER_ROUND, p=[0.48, 0.04, 0.48]).tolist()
        games += [
            (number, a, b, "played", result)
            for a, b, result in zip(order[::2], order[1::2], results, strict=True)
        ]  # fmt: skip
    return games


def history_of(found):
    columns = np.array([(i, *game[:3], game[4]) for i, games in enumerate(found) for game in games]).T
    event, number, a, b, result = columns
    return History.build(
        players=PLAYERS,
        event_season=2000 + np.arange(len(found)) // 13,
        game_event=event,
        game_round=number,
        game_a=a,
        game_b=b,
        game_kind=np.zeros(len(event)),
        game_result=result,
    )


def seconds(action):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - start)
    return best


@pytest.mark.benchmark
@pytest.mark.parametrize("rules", [PAGE, SHEET], ids=["page", "sheet"])
def test_50_000_individual_results_cost_a_fraction_of_plain_python(rules, capsys):
    found = [games_of(event) for event in range(261)]
    history = history_of(found)
    assert 2 * history.games > 50_000
    fast = seconds(lambda: replay(history, [rules], opening_state(PLAYERS, 2019)))
    some = found[:20]
    opening = dict.fromkeys(range(PLAYERS), (None, 0, 0, -1))
    mode = {"mode": "table", "lookup": "nearest"} if rules is PAGE else {"mode": "normal"}
    slow = seconds(lambda: oracle.rate(some, [2019] * len(some), opening, mode, 2019)) * len(found) / len(some)
    with capsys.disabled():
        print(
            f"\nreplay of {2 * history.games} results: {fast:.3f} s, plain Python {slow:.3f} s, {slow / fast:.0f} times"
        )
    assert slow > 10 * fast
