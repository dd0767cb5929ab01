"""Several persons and jobs at once, on a database that lets them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.jobs.models import Job, JobState
from federation.registry.models import Person, Season, SeasonState
from federation.registry.services.records import lock, lock_persons
from ratings.core.ruleset import PAGE
from ratings.models import ListKind, ListState, PublishedList, RatingRun, RatingSystem, RuleSet, SeasonTask
from ratings.services.lists import draft_list, publish_list
from ratings.services.publishing import publish_seen
from ratings.services.results import lock_event
from ratings.services.runs import compute_run, mark_dirty
from ratings.services.seasons import prepare_close, reopen_season
from tests.factories import make_discipline, make_user
from tests.integration.ratings.engine.test_lists import small_season
from tests.integration.ratings.engine.world import World

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

#: Seconds after which something that should not wait counts as waiting.
PATIENCE = 20


@pytest.fixture
def world() -> World:
    system, _ = RatingSystem.objects.get_or_create(
        code="barruf", defaults={"discipline": make_discipline(), "name": "BARRUF"}
    )
    if not RuleSet.objects.filter(system=system).exists():
        RuleSet.objects.create(
            system=system,
            name="page",
            version=1,
            valid_from=dt.date(2000, 1, 1),
            parameters=PAGE.to_parameters(),
            digest=PAGE.digest(),
        )
    made = World(system)
    small_season(made)
    return made


def together(*actions: Callable[[], Any]) -> list[Any]:
    """Do everything at the same moment; return results, and codes of what a rule refused, in order."""
    barrier = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        try:
            barrier.wait(timeout=PATIENCE)
            return action()
        except RuleError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result(timeout=3 * PATIENCE) for future in [pool.submit(run, one) for one in actions]]


def beside(action: Callable[[], Any]) -> Any:
    """Do something on another connection while the transaction of the test is open; fail if it waits."""

    def run() -> Any:
        try:
            with connection.cursor() as cursor:
                cursor.execute(f"SET lock_timeout = '{PATIENCE}s'")
            return action()
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(timeout=2 * PATIENCE)


def prepared(world: World, actor: Any) -> tuple[Season, int]:
    season = world.season("2023-24")
    job = prepare_close(season=season, actor=actor)
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.failure
    return season, job.result["draft"]


def test_one_draft_published_at_once_is_one_list(world):
    officers = [make_user(f"officer{turn}", roles=("ratings_officer",)) for turn in range(4)]
    season, draft = prepared(world, officers[0])
    found = together(*[lambda one=one: publish_seen(draft=draft, actor=one).number for one in officers])
    assert found == [1, 1, 1, 1]
    assert PublishedList.objects.filter(state=ListState.PUBLISHED).count() == 1
    assert AuditEvent.objects.filter(action="list.published").count() == 1
    assert AuditEvent.objects.filter(action="season.closed").count() == 1
    assert Season.objects.get(pk=season.pk).state == SeasonState.CLOSED


def test_two_drafts_published_at_once_get_numbers_of_their_own_or_are_refused(world):
    season = world.season("2023-24")
    run = compute_run(system=world.system)
    day = world.events["autumn"].rating_date
    drafts = [
        draft_list(run=run, season=season, as_of=day, kind=ListKind.REGULAR),
        draft_list(run=run, season=season, as_of=season.ends_on, kind=ListKind.CLOSE),
    ]
    found = together(*[lambda one=one: publish_list(draft=one, actor=None).number for one in drafts])
    # The second was compared with a list that is no longer the one in force.
    assert sorted(map(str, found)) == ["1", "draft_stale"]
    system = RatingSystem.objects.get(pk=world.system.pk)
    assert system.current_list is not None
    assert system.current_list.number == 1


def test_publishing_and_a_fact_that_changes_never_leave_a_list_of_old_facts_in_force(world):
    season, draft = prepared(world, None)

    def change() -> str:
        with transaction.atomic():
            lock_event(world.events["spring"])
            mark_dirty(event_ids=[world.events["spring"].pk], why="results.corrected")
        return "changed"

    found = together(lambda: publish_seen(draft=draft, actor=None).number, change)
    assert found in ([1, "changed"], ["draft_stale", "changed"])
    closed = Season.objects.get(pk=season.pk).state == SeasonState.CLOSED
    assert closed is (found[0] == 1) is PublishedList.objects.filter(state=ListState.PUBLISHED).exists()


def test_two_officers_prepare_at_once(world):
    season = world.season("2023-24")
    officers = [make_user(f"officer{turn}", roles=("ratings_officer",)) for turn in range(3)]
    together(*[lambda one=one: prepare_close(season=season, actor=one).pk for one in officers])
    assert Job.objects.exclude(state=JobState.DONE).count() == 0
    assert SeasonTask.objects.get().state == SeasonTask.State.PREPARED
    assert PublishedList.objects.count() == 1
    assert RatingRun.objects.count() == 1


def test_reopening_at_once_is_one_reopening(world):
    season, draft = prepared(world, None)
    publish_seen(draft=draft, actor=None)
    action = lambda: reopen_season(season=season, actor=None, reason="An event was forgotten.").pk  # noqa: E731
    found = together(action, action, action)
    assert found.count("season_not_closed") == 2
    assert AuditEvent.objects.filter(action="season.reopened").count() == 1


def test_a_run_does_not_wait_for_who_works_on_an_event_or_a_person(world):
    """Who changes a fact locks it and then the rating; a run that waited for the fact would wait in a circle."""
    people = list(Person.objects.values_list("pk", flat=True))
    with transaction.atomic():
        for event in world.events.values():
            lock_event(event)
        lock_persons(people)
        lock(Season, world.season("2023-24").pk)
        run = beside(lambda: compute_run(system=world.system))
        draft = beside(
            lambda: draft_list(
                run=run, season=world.season("2023-24"), as_of=world.season("2023-24").ends_on, kind=ListKind.CLOSE
            )
        )
        assert beside(lambda: publish_list(draft=draft, actor=None)).number == 1
        mark_dirty(event_ids=[world.events["spring"].pk], why="results.corrected")
    assert RatingSystem.objects.get(pk=world.system.pk).dirty_event_id == world.events["spring"].pk
