"""A job asked for by a web process reaches the broker, whichever thread serves the request."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis
from celery import current_app
from django.conf import settings

SEND_FROM_A_THREAD = """
import threading
import federation.wsgi
from federation.jobs.services import _send
thread = threading.Thread(target=_send, args=(4711,))
thread.start()
thread.join()
"""


def test_every_thread_has_the_application_of_the_site():
    def found():
        return current_app.main, current_app.conf.broker_url

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(found).result(timeout=20) == ("federation", settings.CELERY_BROKER_URL)


@pytest.mark.redis
def test_a_thread_of_a_web_process_sends_to_the_workers(tmp_path):
    address = os.environ["TEST_REDIS_URL"]
    broker = redis.Redis.from_url(address)
    broker.flushdb()
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "federation.settings",
        "REDIS_URL": address,
        "BAREM_JOBS": "celery",
        "BAREM_DATA_DIR": str(tmp_path),
    }
    try:
        subprocess.run(
            [sys.executable, "-c", SEND_FROM_A_THREAD], env=environment, cwd=settings.BASE_DIR, check=True, timeout=120
        )
        assert broker.llen("celery") == 1
        assert b"4711" in broker.lrange("celery", 0, -1)[0]
    finally:
        broker.flushdb()
        broker.close()
