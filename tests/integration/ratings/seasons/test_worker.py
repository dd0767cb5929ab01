"""A real worker is killed in the middle of a close, in either pass, and a second one ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from django.conf import settings as site
from django.db import connection
from django.urls import reverse

from federation.accounts.models import Role
from federation.jobs import services
from federation.jobs.models import Job, JobState
from federation.jobs.services import recover_lost_jobs
from ratings.core.ruleset import PAGE
from ratings.models import PublishedList, RatingRun, RatingSystem, RuleSet, SeasonTask
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run
from tests.factories import make_discipline, make_user
from tests.integration.ratings.engine.test_lists import small_season
from tests.integration.ratings.engine.world import World

pytestmark = [pytest.mark.redis, pytest.mark.worker, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def broker() -> Iterator[str]:
    """The address of an empty broker."""
    address = os.environ["TEST_REDIS_URL"]
    client = redis.Redis.from_url(address)
    client.flushdb()
    yield address
    client.flushdb()
    client.close()


@pytest.fixture
def start_worker(broker: str, tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Start workers on the test's database and broker; what still runs at the end is killed."""
    running: list[subprocess.Popen[bytes]] = []

    def start(hang_in: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "celery", "-A", "tests.integration.ratings.seasons.worker", "worker"]
        options = ["--pool=solo", "--loglevel=INFO", "--without-gossip", "--without-mingle"]
        environment = {
            **os.environ,
            "DATABASE_URL": _database_url(),
            "REDIS_URL": broker,
            "BAREM_JOBS": "celery",
            "BAREM_DATA_DIR": str(tmp_path / "data"),
            "HANG_IN_PASS": hang_in,
        }
        with (tmp_path / f"worker-{len(running)}.log").open("w") as log:
            # Its own group, so that a killed worker takes its children with it.
            process = subprocess.Popen(
                [*command, *options],
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=site.BASE_DIR,
                start_new_session=True,
            )
        running.append(process)
        return process

    yield start
    for process in running:
        _kill(process)
    for path in sorted(tmp_path.glob("worker-*.log")):
        sys.stdout.write(path.read_text())


@pytest.fixture
def world() -> World:
    """The season of the other tests, in a database that the last test may have emptied."""
    system, _made = RatingSystem.objects.get_or_create(
        code="barruf", defaults={"discipline": make_discipline(), "name": "BARRUF"}
    )
    if not RuleSet.objects.filter(system=system).exists():
        RuleSet.objects.create(
            system=system,
            name="page",
            version=1,
            parameters=PAGE.to_parameters(),
            digest=PAGE.digest(),
            valid_from="2000-01-01",
        )
    world = World(system)
    small_season(world)
    return world


@pytest.mark.parametrize("hang_in", ["first", "second"])
def test_killed_in_the_middle_of_a_close(hang_in, broker, start_worker, settings, monkeypatch, world, client):
    season = world.season("2023-24")
    run = compute_run(system=world.system)
    day = world.events["autumn"].rating_date
    in_force = publish_list(draft=draft_list(run=run, season=season, as_of=day, kind="regular"), actor=None)
    rows = list(in_force.rows.values_list())
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    client.force_login(make_user("officer", roles=(Role.RATINGS_OFFICER,)))
    address = reverse("scrabble-season-close", args=["2023-24"])

    settings.JOBS_BACKEND = "celery"
    settings.JOBS_LOST_AFTER = 1
    sender = Celery("sender", broker=broker)
    monkeypatch.setattr(services, "current_app", sender)
    first = start_worker(hang_in)
    client.post(address, {"step": "prepare"})
    job = Job.objects.get()
    _wait(lambda: Job.objects.get(pk=job.pk).total_steps > 0 and _is_in(job, hang_in), "the work of the first worker")
    assert "Publish list" not in client.get(address).content.decode()
    _kill(first)

    assert Job.objects.get(pk=job.pk).state == JobState.RUNNING
    world.system.refresh_from_db()
    assert world.system.current_list == in_force
    assert list(in_force.rows.values_list()) == rows
    assert SeasonTask.objects.get().state == "preparing"

    start_worker(hang_in)
    _wait(lambda: recover_lost_jobs() == 1, "the discovery of the loss")
    _wait(lambda: Job.objects.get(pk=job.pk).state == JobState.DONE, "the work of the second worker")
    sender.close()
    draft = PublishedList.objects.get(state="draft")
    again = compute_run(system=world.system, full=True)
    assert (draft.run.fingerprint, draft.run.outcome) == (again.fingerprint, again.outcome)
    assert RatingRun.objects.filter(system=world.system).count() == 2
    assert list(in_force.rows.values_list()) == rows
    assert "Publish list 2" in client.get(address).content.decode()


def _is_in(job: Job, number: str) -> bool:
    has_ended_first = "first_pass" in Job.objects.get(pk=job.pk).result
    return has_ended_first == (number == "second")


def _wait(condition: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
        time.sleep(0.05)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)


def _database_url() -> str:
    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    password = f":{parts['PASSWORD']}" if parts["PASSWORD"] else ""
    return f"postgres://{parts['USER']}{password}@{parts['HOST']}:{parts['PORT'] or 5432}/{parts['NAME']}"
