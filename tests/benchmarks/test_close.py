"""How long a history takes from results to a list, beside the floors of reading, rating and writing.

The bars of seconds are those the federation was promised on two cores; a busy machine is given its floors' worth.
"""

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from django.db import connection

from federation.registry.models import Event, Season
from ratings import store
from ratings.core.history import History
from ratings.core.replay import opening_state, replay
from ratings.core.ruleset import PAGE
from ratings.models import Game, LedgerRow, RatingSystem
from ratings.services.lists import draft_list
from ratings.services.runs import compute_run, mark_dirty

from .seed import FIFTY_THOUSAND, MILLION, Size, seed

#: Enough to see a slip of the order of growth in every run of the suite.
SMALL = Size(seasons=4, events=10, players=20, rounds=10, persons=200)
MEMORY_LIMIT = 600


@dataclass
class Clock:
    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str):
        started = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - started


def reset_peak() -> None:
    """Let the kernel count the peak of memory anew."""
    Path("/proc/self/clear_refs").write_text("5")


def peak() -> int:
    """Return the peak of memory in MB."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) // 1024


def close(clock: Clock) -> None:
    """Replay everything, write ledger and list, and pay for what the database checks at the end."""
    system = RatingSystem.objects.get()
    season = Season.objects.order_by("-starts_on").first()
    with clock("run"):
        run = compute_run(system=system)
        connection.check_constraints() if connection.vendor == "postgresql" else None
    with clock("list"):
        draft_list(run=run, season=season, as_of=season.ends_on, kind="regular")
        connection.check_constraints() if connection.vendor == "postgresql" else None
    assert run.counts["eligible"] == Event.objects.count()


def floors(clock: Clock, size: Size) -> None:
    """Measure what cannot be avoided: reading the games, rating them, writing rows of the size of the ledger."""
    with clock("read floor"):
        columns = store.read_integers(
            "SELECT event_id, round, a_id, b_id, result FROM ratings_game ORDER BY event_id, round, id", [], 5
        )
    _, event = np.unique(columns[0], return_inverse=True)
    _, players = np.unique(columns[2:4], return_inverse=True)
    players = players.reshape(2, -1)
    with clock("rate floor"):
        history = History.build(
            players=int(players.max()) + 1,
            event_season=np.repeat(np.arange(size.seasons), size.events),
            game_event=event,
            game_round=columns[1],
            game_a=players[0],
            game_b=players[1],
            game_kind=np.zeros(len(event), dtype=np.int64),
            game_result=columns[4],
        )
        replay(history, [PAGE], opening_state(history.players, 0))
    table = "floor_of_ledger"
    names = [item.column for item in LedgerRow._meta.fields]
    joined = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMP TABLE {table} AS SELECT {joined} FROM ratings_ledgerrow WHERE 1 = 0")
        with clock("write floor"):
            cursor.execute(f"INSERT INTO {table} SELECT {joined} FROM ratings_ledgerrow")
        cursor.execute(f"DROP TABLE {table}")


def correct_last_event(clock: Clock) -> None:
    system = RatingSystem.objects.get()
    event = Event.objects.order_by("-rating_date", "-pk").first()
    game = Game.objects.filter(event=event).order_by("pk").first()
    Game.objects.filter(pk=game.pk).update(result=0 if game.result else 2)
    mark_dirty(event_ids=[event.pk], why="results.corrected")
    with clock("correction"):
        run = compute_run(system=system)
    assert run.reused_events == Event.objects.count() - 1


def report(clock: Clock, size: Size, capsys) -> None:
    total = clock.seconds["run"] + clock.seconds["list"]
    floor = sum(value for name, value in clock.seconds.items() if name.endswith("floor"))
    with capsys.disabled():
        print(f"\n{size.games} games, {connection.vendor}, peak {peak()} MB")
        for name, value in clock.seconds.items():
            print(f"  {name:12} {value:8.2f} s  {value / total:6.2f} of the close")
        print(f"  close to floors {total / floor:.2f} : 1")


@pytest.mark.benchmark
@pytest.mark.django_db
def test_fifty_thousand(capsys):
    clock = Clock()
    seed(FIFTY_THOUSAND)
    close(clock)
    floors(clock, FIFTY_THOUSAND)
    correct_last_event(clock)
    report(clock, FIFTY_THOUSAND, capsys)
    assert clock.seconds["run"] + clock.seconds["list"] < 5
    assert clock.seconds["correction"] < clock.seconds["run"] / 3


@pytest.mark.benchmark
@pytest.mark.postgresql
@pytest.mark.django_db
def test_a_million(capsys):
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: give its address in DATABASE_URL")
    clock = Clock()
    seed(MILLION)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    connection.check_constraints()
    reset_peak()
    close(clock)
    used = peak()
    floors(clock, MILLION)
    correct_last_event(clock)
    report(clock, MILLION, capsys)
    assert used < MEMORY_LIMIT
    assert clock.seconds["run"] + clock.seconds["list"] < 30
    assert clock.seconds["correction"] < clock.seconds["run"] / 5


@pytest.mark.django_db
def test_growth():
    """In every run of the suite: four seasons stay well under a second, and a late correction costs its season."""
    clock = Clock()
    seed(SMALL)
    close(clock)
    correct_last_event(clock)
    assert clock.seconds["run"] + clock.seconds["list"] < 5
    assert LedgerRow.objects.count() < 1.2 * SMALL.seasons * SMALL.events * SMALL.players
