"""Closing and opening of seasons: prepared by a job, published once, untouched by what is interrupted."""

import datetime as dt

import pytest
from django.core.management import CommandError, call_command

from federation.accounts.models import RoleGrant
from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.jobs.services import run_job
from federation.registry.models import Person, SeasonState
from ratings.models import ListRow, PublishedList, RatingRun, SeasonTask
from ratings.services import seasons as service
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run
from ratings.services.seasons import (
    prepare_close,
    prepare_due_closes,
    prepare_edition,
    prepare_opening,
    publish_close,
    publish_opening,
    reopen_season,
    season_checks,
)

from .test_lists import small_season

pytestmark = pytest.mark.django_db


def run_now(job):
    """Do the work of a job that was asked for inside the test's transaction."""
    assert run_job(job.pk) in ("done", "failed")
    job.refresh_from_db()
    return job


@pytest.fixture
def season(world):
    small_season(world)
    return world.season("2023-24")


def close(season, officer):
    run_now(prepare_close(season=season, actor=officer))
    return publish_close(season=season, actor=officer)


def test_close_is_prepared_and_published_once(season, officer):
    job = prepare_close(season=season, actor=officer)
    assert prepare_close(season=season, actor=officer).pk == job.pk
    with pytest.raises(RuleError, match="not_prepared"):
        publish_close(season=season, actor=officer)
    run_now(job)
    assert job.state == "done"
    assert not PublishedList.objects.filter(state="published").exists()
    published = publish_close(season=season, actor=officer)
    assert (published.kind, published.number, published.as_of) == ("close", 1, dt.date(2024, 8, 31))
    assert publish_close(season=season, actor=officer) == published
    assert PublishedList.objects.count() == 1
    season.refresh_from_db()
    assert season.state == SeasonState.CLOSED
    with pytest.raises(RuleError, match="season_closed"):
        prepare_close(season=season, actor=officer)


def test_preparing_twice_gives_the_same_draft(season, officer):
    first = run_now(prepare_close(season=season, actor=officer))
    second = run_now(prepare_close(season=season, actor=officer))
    assert first.pk != second.pk
    assert first.result == second.result
    assert PublishedList.objects.count() == 1
    assert RatingRun.objects.count() == 1


def test_who_publishes_has_seen_the_draft(season, world, officer):
    job = run_now(prepare_close(season=season, actor=officer))
    seen = job.result["draft"]
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    run_now(prepare_close(season=season, actor=officer))
    with pytest.raises(RuleError, match="draft_replaced"):
        publish_close(season=season, actor=officer, draft=seen)


def test_opening_names_who_turns_inactive(season, world, officer):
    closed = close(season, officer)
    assert closed.counts["inactive"] == 0
    following = world.season("2024-25")
    job = run_now(prepare_opening(season=following, actor=officer))
    # Cel played last in 2023-24: nobody yet. A season later he is gone.
    assert job.result["turned_inactive"] == []
    opened = publish_opening(season=following, actor=officer)
    assert publish_opening(season=following, actor=officer) == opened
    with pytest.raises(RuleError, match="season_opened"):
        prepare_opening(season=following, actor=officer)
    world.round_robin("only", ["ada", "bru", "dan", "eva"], "111111", date="2024-12-01")
    close(following, officer)
    later = world.season("2025-26")
    job = run_now(prepare_opening(season=later, actor=officer))
    assert job.result["turned_inactive"] == [world.person("cel").pk]


def test_opening_waits_for_the_close(season, world, officer):
    with pytest.raises(RuleError, match="earlier_season_open"):
        prepare_opening(season=world.season("2024-25"), actor=officer)


def test_last_list_is_compared_with_the_last_one_of_the_season_before(season, world, officer):
    closed = close(season, officer)
    following = world.season("2024-25")
    world.round_robin("a", ["ada", "bru", "dan", "eva"], "111111", date="2024-12-01")
    run_now(prepare_edition(season=following, as_of=dt.date(2024, 12, 31), actor=officer))
    publish_list(draft=PublishedList.objects.get(state="draft"), actor=officer)
    run_now(prepare_close(season=following, actor=officer))
    assert PublishedList.objects.get(state="draft").previous == closed


def test_reopening_needs_a_reason_and_lets_it_be_closed_again(season, world, officer):
    first = close(season, officer)
    with pytest.raises(RuleError, match="reason_missing"):
        reopen_season(season=season, actor=officer, reason=" ")
    reopen_season(season=season, actor=officer, reason="An event was forgotten.")
    season.refresh_from_db()
    assert season.state == SeasonState.OPEN
    with pytest.raises(RuleError, match="season_not_closed"):
        reopen_season(season=season, actor=officer, reason="again")
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    second = close(season, officer)
    assert second.number == first.number + 1


def test_the_clock_prepares_and_never_publishes(season, world, officer):
    assert prepare_due_closes(today=dt.date(2024, 8, 31)) == []
    jobs = prepare_due_closes(today=dt.date(2024, 9, 1))
    assert [job.key for job in jobs] == ["2023-24"]
    run_now(jobs[0])
    assert PublishedList.objects.get().state == "draft"
    assert prepare_due_closes(today=dt.date(2024, 9, 2)) == []
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    assert len(prepare_due_closes(today=dt.date(2024, 9, 3))) == 1


def test_interrupted_work_leaves_the_list_in_force_and_gives_the_same_in_the_end(season, world, officer, monkeypatch):
    before = publish_list(
        draft=draft_list(
            run=compute_run(system=world.system), season=season, as_of=dt.date(2023, 12, 31), kind="regular"
        ),
        actor=officer,
    )
    rows = list(ListRow.objects.filter(list=before).values_list())
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    job = prepare_close(season=season, actor=officer)

    def killed(**_arguments):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(service, "draft_list", killed)
        with pytest.raises(KeyboardInterrupt):
            run_job(job.pk)
    assert list(ListRow.objects.values_list()) == rows
    world.system.refresh_from_db()
    assert world.system.current_list == before
    interrupted = RatingRun.objects.latest("pk")
    # The worker is gone: its last sign of life is old, the next one takes over.
    Job.objects.filter(pk=job.pk).update(heartbeat_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    run_now(job)
    assert job.attempt == 2
    again = RatingRun.objects.latest("pk")
    assert (again.pk, again.fingerprint, again.outcome) == (
        interrupted.pk,
        interrupted.fingerprint,
        interrupted.outcome,
    )
    assert PublishedList.objects.get(state="draft").run == again


def test_killed_while_computing_writes_nothing(season, world, officer, monkeypatch):
    from ratings.services import runs

    job = prepare_close(season=season, actor=officer)
    with monkeypatch.context() as patch:
        patch.setattr(runs, "_counts", lambda run: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            run_job(job.pk)
    assert not RatingRun.objects.exists()
    world.system.refresh_from_db()
    assert world.system.dirty_date is not None
    Job.objects.filter(pk=job.pk).update(heartbeat_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    assert run_now(job).state == "done"


def test_bad_data_fails_the_job_and_names_the_event(season, world, officer):
    world.round_robin("bad", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    world.merge("ada", "bru")
    job = run_now(prepare_close(season=season, actor=officer))
    assert job.state == "failed"
    assert "plays against" in job.failure
    assert SeasonTask.objects.get().state == "preparing"
    assert not RatingRun.objects.exists()


def test_checks(season, world, officer):
    world.round_robin("draft", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01", state="submitted")
    world.event("short", [{"round": 1, "a": "ada", "b": "bru", "result": "1"}], date="2024-06-02")
    Person.objects.filter(pk=world.person("eva").pk).update(state="provisional")
    namesake = world.person("ada2")
    world.entry(world.events["spring"], "ada2")
    Person.objects.filter(pk=namesake.pk).update(fold_key="ada")
    found = {check.code: check for check in season_checks(season)}
    assert found["results_changed"].severity == "notice"
    compute_run(system=world.system)
    found = {check.code: check for check in season_checks(season)}
    assert found["results_changed"].severity == "fine"
    assert [item.detail for item in found["events_not_approved"].items] == [("submitted",)]
    assert [item.label for item in found["persons_provisional"].items] == ["eva (5)"]
    assert found["persons_of_one_name"].count == 2
    assert [item.detail for item in found["events_not_counted"].items] == [("too_few_rounds", "too_few_players")]
    assert found["uploads_waiting"].severity == "fine"
    assert found["events_not_counted"].as_json()["items"][0]["url_args"] == ["short"]


def test_commands(season, world, officer, capsys, django_capture_on_commit_callbacks):
    RoleGrant.objects.create(user=officer, role="ratings_officer")
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(CommandError, match="is queued"):
        call_command("close_season", "2023-24")
    with pytest.raises(CommandError, match="no season"):
        call_command("close_season", "1999-00")
    with pytest.raises(CommandError, match="--by"):
        call_command("close_season", "2023-24", "--publish")
    publish_close(season=season, actor=officer)
    call_command("close_season", "2023-24", "--publish", "--by", "officer")
    assert "published already" in capsys.readouterr().out
    call_command("recompute", "--full")
    assert "2 events, 2 count, 12 games" in capsys.readouterr().out
    call_command("verify_list", "1")
    assert "list 1: identical (2 events, 8 lines of the ledger, 5 rows)" in capsys.readouterr().out
