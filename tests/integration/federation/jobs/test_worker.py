"""A real worker on Redis is killed in the middle of its work, and a second one ends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis
from celery import Celery
from django.conf import settings as site
from django.db import connection

from federation.jobs import services
from federation.jobs.models import Job, JobState
from federation.jobs.services import enqueue, recover_lost_jobs

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
def start_worker(broker: str, tmp_path: Path) -> Iterator:
    """Start workers on the test's database and broker; what still runs at the end is killed."""
    running: list[subprocess.Popen] = []

    def start(pool: str = "solo") -> subprocess.Popen:
        log = (tmp_path / f"worker-{len(running)}.log").open("w")
        command = [sys.executable, "-m", "celery", "-A", "tests.integration.federation.jobs.worker", "worker"]
        options = [f"--pool={pool}", "--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle"]
        environment = {
            **os.environ,
            "DATABASE_URL": _database_url(),
            "REDIS_URL": broker,
            "BAREM_JOBS": "celery",
            "BAREM_DATA_DIR": str(tmp_path / "data"),
        }
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


@pytest.fixture(autouse=True)
def _sender(broker: str, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this process send to the test's broker."""
    settings.JOBS_BACKEND = "celery"
    settings.JOBS_LOST_AFTER = 1
    sender = Celery("sender", broker=broker)
    monkeypatch.setattr(services, "current_app", sender)
    yield
    sender.close()


def test_killed_in_the_middle_and_ended_by_another(start_worker, wait_until):
    first = start_worker()
    job = enqueue(kind="test.hang", key="season")
    wait_until(lambda: _row(job).stage == "in the middle", 60, "the work of the first worker")
    assert (_row(job).state, _row(job).attempt) == (JobState.RUNNING, 1)

    _kill(first)
    assert _row(job).state == JobState.RUNNING

    start_worker()
    wait_until(lambda: recover_lost_jobs() == 1, 60, "the discovery of the loss")
    wait_until(lambda: _row(job).state == JobState.DONE, 60, "the work of the second worker")
    assert (_row(job).result, _row(job).attempt) == ({"attempt": 2}, 2)


def test_a_killed_child_is_replaced_by_its_own_worker(start_worker, wait_until):
    worker = start_worker("prefork")
    job = enqueue(kind="test.hang", key="season")
    wait_until(lambda: _row(job).stage == "in the middle", 60, "the work of the first child")
    for child in _children(worker):
        os.kill(child, signal.SIGKILL)
    wait_until(lambda: _row(job).state == JobState.DONE, 60, "the work of the second child")
    assert (_row(job).result, _row(job).attempt) == ({"attempt": 2}, 2)


def _row(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def _kill(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)


def _children(process: subprocess.Popen) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
    return [int(child) for child in listed.split()]


def _database_url() -> str:
    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    password = f":{parts['PASSWORD']}" if parts["PASSWORD"] else ""
    return f"postgres://{parts['USER']}{password}@{parts['HOST']}:{parts['PORT'] or 5432}/{parts['NAME']}"
