"""Facts that move while a run works, and a process that is killed while it writes."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

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
from ratings.models import RatingSystem
from ratings.services import runs
from ratings.services.lists import draft_list, publish_list

if sys.argv[1] == "start":
    call_command("migrate", verbosity=0)
    from tests.integration.ratings.engine.world import World
    from tests.integration.ratings.engine.test_lists import DAY, small_season
    world = World(RatingSystem.objects.get())
    small_season(world)
    run = runs.compute_run(system=world.system)
    publish_list(draft=draft_list(run=run, season=world.season("2023-24"), as_of=DAY, kind="regular"), actor=None)
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
elif sys.argv[1] == "killed":
    runs._counts = lambda run: os.kill(os.getpid(), signal.SIGKILL)
    call_command("close_season", "2023-24")
else:
    call_command("close_season", "2023-24")
"""


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

    def look():
        """Outcome of the newest run, list in force, numbers of runs and lines."""
        with closing(sqlite3.connect(tmp_path / "killed.sqlite3")) as database:
            return database.execute(
                "SELECT (SELECT outcome FROM ratings_ratingrun ORDER BY id DESC LIMIT 1), current_list_id,"
                " (SELECT COUNT(*) FROM ratings_ratingrun), (SELECT COUNT(*) FROM ratings_ledgerrow)"
                " FROM ratings_ratingsystem"
            ).fetchone()

    started = step("start")
    assert started.returncode == 0, started.stderr
    before = look()
    assert step("killed").returncode == -9
    assert look() == before
    again = step("again")
    assert again.returncode == 0, again.stderr
    after = look()
    assert after[1:] == (before[1], 2, before[3] + 4)
    assert after[0] in again.stdout
