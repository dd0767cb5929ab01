"""Facts that move while a run works, and a process that is killed while it writes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from federation.core.errors import RuleError
from ratings.models import Game, LedgerRow, RatingRun
from ratings.services import runs
from ratings.services.runs import compute_run

from .test_lists import small_season

ROOT = Path(__file__).parents[4]


@pytest.mark.django_db
def test_facts_that_move_while_a_run_reads_them_are_read_again(world, monkeypatch):
    small_season(world)
    real, moved = runs.recorded, []

    def recorded(*arguments, **more):
        outcome = real(*arguments, **more)
        if not moved:
            game = Game.objects.filter(event=world.events["autumn"], superseded_at=None).order_by("pk").first()
            moved.append(world.replace_result(game, 0))
        return outcome

    monkeypatch.setattr(runs, "recorded", recorded)
    run = compute_run(system=world.system)
    world.system.refresh_from_db()
    assert run.facts_version == world.system.facts_version
    assert world.system.dirty_date is None
    assert f",{moved[0].pk}]" in LedgerRow.objects.filter(person=world.person("ada")).order_by("pk").first().terms
    assert RatingRun.objects.count() == 1


@pytest.mark.django_db
def test_facts_that_never_stand_still_stay_marked(world, monkeypatch):
    small_season(world)
    real = runs.recorded

    def recorded(*arguments, **more):
        outcome = real(*arguments, **more)
        game = Game.objects.filter(event=world.events["autumn"], superseded_at=None).order_by("pk").first()
        world.replace_result(game, 0)
        return outcome

    monkeypatch.setattr(runs, "recorded", recorded)
    with pytest.raises(RuleError, match="facts_moving"):
        compute_run(system=world.system)
    world.system.refresh_from_db()
    assert world.system.dirty_date is not None
    assert not RatingRun.objects.exists()


STEP = """
import os, signal, sys
import django
django.setup()
from django.conf import settings
from django.core.management import call_command
settings.JOBS_LOST_AFTER = 0
from ratings.models import LedgerRow, PublishedList, RatingRun, RatingSystem
from ratings.services import runs
from ratings.services.lists import draft_list, publish_list

def say():
    run = RatingRun.objects.order_by("-pk").first()
    system = RatingSystem.objects.get()
    print(run.outcome, system.current_list_id, RatingRun.objects.count(), LedgerRow.objects.count(), flush=True)

if sys.argv[1] == "start":
    call_command("migrate", verbosity=0)
    from tests.integration.ratings.engine.world import World
    from tests.integration.ratings.engine.test_lists import DAY, small_season
    world = World(RatingSystem.objects.get())
    small_season(world)
    run = runs.compute_run(system=world.system)
    publish_list(draft=draft_list(run=run, season=world.season("2023-24"), as_of=DAY, kind="regular"), actor=None)
    say()
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
elif sys.argv[1] == "killed":
    runs._counts = lambda run: os.kill(os.getpid(), signal.SIGKILL)
    call_command("close_season", "2023-24")
elif sys.argv[1] == "look":
    say()
else:
    call_command("close_season", "2023-24", stdout=open(os.devnull, "w"))
    say()
"""


@pytest.mark.skipif(connection.vendor != "sqlite", reason="has a database of its own; once is enough")
def test_killed_in_the_middle_of_writing(tmp_path):
    def step(name):
        environment = os.environ | {
            "DATABASE_URL": f"sqlite:///{tmp_path / 'killed.sqlite3'}",
            "DJANGO_SETTINGS_MODULE": "federation.settings",
            "BAREM_DATA_DIR": str(tmp_path),
            "BAREM_JOBS": "thread",
        }
        return subprocess.run(
            [sys.executable, "-c", STEP, name],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    first = step("start")
    assert first.returncode == 0, first.stderr
    assert step("killed").returncode == -9
    assert step("look").stdout == first.stdout
    again = step("again")
    assert again.returncode == 0, again.stderr
    assert step("look").stdout == again.stdout
    outcome, current, count, lines = again.stdout.split()
    assert [current, count] == [first.stdout.split()[1], "2"]
    assert int(lines) > int(first.stdout.split()[3])
    assert outcome != first.stdout.split()[0]
