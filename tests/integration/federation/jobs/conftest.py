"""Kinds of work and waiting without a fixed sleep."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.integration.federation.jobs.kinds import register_all


@pytest.fixture(autouse=True, scope="session")
def _kinds() -> None:
    register_all()


@pytest.fixture
def wait_until() -> Callable[..., None]:
    """Wait for something that another thread or process does, at most so many seconds."""

    def wait(condition: Callable[[], bool], seconds: float = 20.0, what: str = "it") -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < deadline, f"{what} did not happen within {seconds} s"
            time.sleep(0.05)

    return wait
