"""Fixtures shared by all tests, and the services that some of them need."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.core import serializers
from django.core.cache import cache
from django.db import connection
from django.utils import translation
from pytest_django.plugin import DjangoDbBlocker, blocking_manager_key

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: In CI every service must be there: what is missing fails instead of being skipped.
IN_CI = os.environ.get("CI", "").lower() in {"1", "true", "yes"}


def _missing(marker: str) -> str:
    """Say what the tests of a marker lack here; empty if nothing."""
    if marker == "postgresql" and connection.vendor != "postgresql":
        return "needs PostgreSQL: set TEST_POSTGRES_URL and run with DATABASE_URL=$TEST_POSTGRES_URL"
    if marker in {"redis", "worker"} and not os.environ.get("TEST_REDIS_URL"):
        return "needs Redis: set TEST_REDIS_URL, for example redis://127.0.0.1:6379/9"
    if marker == "browser" and not (shutil.which("chromium") or shutil.which("chromium-browser")):
        return "needs Chromium: install the package chromium"
    return ""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let benchmarks run only when asked for."""
    parser.addoption("--bench", action="store_true", help="run the tests marked benchmark")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip with a plain reason what needs a service that is not here; in CI fail."""
    if item.get_closest_marker("benchmark") and not item.config.getoption("--bench"):
        pytest.skip("measures speed: run with --bench")
    for marker in ("postgresql", "redis", "worker", "browser"):
        reason = _missing(marker) if item.get_closest_marker(marker) else ""
        if reason and IN_CI:
            pytest.fail(f"{item.name} {reason}", pytrace=False)
        if reason:
            pytest.skip(reason)


#: Models whose first rows come from migrations, in the order in which they refer to each other.
SEEDED = ("registry.Discipline", "registry.FederationSettings", "ratings.RatingSystem", "ratings.RuleSet")
_seed: list[str] = []


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Remember the rows that migrations made: a test with transactions of its own empties every table behind it."""
    with django_db_blocker.unblock():
        _seed[:] = [
            serializers.serialize("json", apps.get_model(name)._default_manager.order_by("pk")) for name in SEEDED
        ]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> object:
    """Put the rows of the migrations back after a test that emptied the tables; after the last there are none."""
    result = yield
    marker = item.get_closest_marker("django_db")
    names = getattr(item, "fixturenames", ())
    emptied = "transactional_db" in names or "live_server" in names or (marker and marker.kwargs.get("transaction"))
    if emptied and _seed and nextitem is not None:
        with item.config.stash[blocking_manager_key].unblock():
            for rows in _seed:
                for row in serializers.deserialize("json", rows):
                    row.save()
            connection.close()
    return result


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Keep SQLite's test database in a file: threads and worker processes open connections of their own."""
    if connection.vendor == "sqlite":
        folder: Path = tmp_path_factory.mktemp("database")
        connection.settings_dict["TEST"]["NAME"] = str(folder / "test.sqlite3")


@pytest.fixture(autouse=True)
def _own_folders(settings, tmp_path: Path) -> None:
    """Let no test write mail or files outside its own folder, and start no thread that outlives it."""
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    settings.JOBS_BACKEND = "inline"


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Start every test without cached settings, so that counts of queries do not depend on the test before."""
    cache.clear()


@pytest.fixture(autouse=True)
def _first_language() -> None:
    """Start every test in the language of the source, whatever a page of the test before asked for."""
    translation.deactivate()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The machine's own Chromium, one for a module and gone before the next: two loops in one process do not agree."""
    # Only browser tests pay for the library.
    from playwright.sync_api import sync_playwright

    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        options = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()
