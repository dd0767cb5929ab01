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

    def start() -> subprocess.Popen:
        log = (tmp_path / f"worker-{len(running)}.log").open("w")
        command = [sys.executable, "-m", "celery", "-A", "tests.integration.federation.jobs.worker", "worker"]
        options = ["--pool=solo", "--loglevel=INFO", "--without-gossip", "--without-mingle"]
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


def test_killed_in_the_middle_and_ended_by_another(broker, start_worker, settings, monkeypatch, wait_until):
    settings.JOBS_BACKEND = "celery"
    settings.JOBS_LOST_AFTER = 1
    sender = Celery("sender", broker=broker)
    monkeypatch.setattr(services, "current_app", sender)

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
    sender.close()


def _row(job: Job) -> Job:
    return Job.objects.get(pk=job.pk)


def _kill(process: subprocess.Popen) -> None:
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(30)


def _database_url() -> str:
    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    password = f":{parts['PASSWORD']}" if parts["PASSWORD"] else ""
    return f"postgres://{parts['USER']}{password}@{parts['HOST']}:{parts['PORT'] or 5432}/{parts['NAME']}"
