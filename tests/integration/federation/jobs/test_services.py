"""Asking for work, doing it, losing it and taking it over."""

import datetime as dt
import logging
import threading

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone, translation

from federation.accounts.models import User
from federation.audit.models import AuditEvent
from federation.core.errors import InvariantError
from federation.jobs import services
from federation.jobs.context import JobContext, JobLost
from federation.jobs.models import Job, JobState
from federation.jobs.queries import active_job, is_lost, last_job, lost_jobs
from federation.jobs.registry import register
from federation.jobs.services import enqueue, perform, recover_lost_jobs, retry_job, run_job
from federation.problems import register_texts
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def queued(django_capture_on_commit_callbacks):
    """A job that waits because nobody has committed yet."""
    with django_capture_on_commit_callbacks():
        return enqueue(kind="test.count", key="k", params={"steps": 4})


def age(job: Job, seconds: int) -> None:
    """Let the last sign of life be so old."""
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - dt.timedelta(seconds=seconds))


def take(job: Job) -> JobContext:
    """Begin an attempt as a worker does, without working."""
    Job.objects.filter(pk=job.pk).update(
        state=JobState.RUNNING, attempt=job.attempt + 1, heartbeat_at=timezone.now(), started_at=timezone.now()
    )
    job.refresh_from_db()
    return JobContext(Job.objects.get(pk=job.pk), background=False)


def test_work_starts_on_commit_and_ends_with_its_result(django_capture_on_commit_callbacks):
    actor = make_user("ona")
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue(kind="test.count", key="2025-26", params={"steps": 4}, actor=actor)
        assert job.state == JobState.QUEUED
    job.refresh_from_db()
    assert (job.state, job.result, job.attempt) == (JobState.DONE, {"sum": 10, "actor": "ona"}, 1)
    assert (job.done_steps, job.total_steps, job.percent, job.stage) == (4, 4, 100, "step 4")
    assert [line["text"] for line in job.log] == ["all steps counted"]
    assert job.started_at <= job.finished_at
    assert AuditEvent.objects.get(action="job.requested").actor == actor


def test_a_rolled_back_request_leaves_nothing():
    with transaction.atomic():
        enqueue(kind="test.count")
        transaction.set_rollback(True)
    assert not Job.objects.exists()


def test_an_unknown_kind_is_a_bug():
    with pytest.raises(InvariantError):
        enqueue(kind="test.nobody")


def test_a_kind_is_registered_once():
    with pytest.raises(InvariantError):
        register("test.count", lambda context: {}, "another")


def test_asking_twice_gives_one_job(queued):
    assert enqueue(kind="test.count", key="k").pk == queued.pk
    assert enqueue(kind="test.count", key="other").pk != queued.pk
    assert AuditEvent.objects.filter(action="job.requested").count() == 2


def test_after_the_end_the_same_work_may_be_asked_again(queued):
    assert run_job(queued.pk) == "done"
    again = enqueue(kind="test.count", key="k")
    assert again.pk != queued.pk
    assert active_job("test.count", "k") == again
    assert last_job("test.count", "k") == again


def test_a_broken_rule_is_told_in_words(django_capture_on_commit_callbacks):
    register_texts("test", {"nothing_to_count": "Season %(season)s has no games."})
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue(kind="test.rule")
    job.refresh_from_db()
    assert (job.state, job.failure) == (JobState.FAILED, "Season 2025-26 has no games.")


def test_a_bug_is_told_by_a_number_and_its_details_go_to_the_log(django_capture_on_commit_callbacks, caplog):
    with caplog.at_level(logging.ERROR), django_capture_on_commit_callbacks(execute=True):
        job = enqueue(kind="test.bug")
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert f"{job.pk}.1" in job.failure
    assert "secret detail" not in job.failure
    assert "secret detail" in caplog.text


def test_a_failed_job_is_tried_again_as_a_new_one(queued):
    Job.objects.filter(pk=queued.pk).update(state=JobState.FAILED)
    queued.refresh_from_db()
    again = retry_job(job=queued, actor=None)
    assert again.pk != queued.pk
    assert (again.kind, again.key, again.params) == ("test.count", "k", {"steps": 4})


def test_texts_are_in_the_language_of_who_asked(django_capture_on_commit_callbacks):
    seen = []
    register("test.language", lambda context: seen.append(translation.get_language()), "Language")
    with translation.override("ca"), django_capture_on_commit_callbacks():
        job = enqueue(kind="test.language")
    with translation.override("en"):
        run_job(job.pk)
    assert seen == ["ca"]


def test_a_second_delivery_of_ended_work_does_nothing(queued):
    assert run_job(queued.pk) == "done"
    before = Job.objects.values().get()
    assert run_job(queued.pk) == "ended"
    assert run_job(queued.pk + 1000) == "ended"
    assert Job.objects.values().get() == before


def test_a_second_delivery_of_running_work_does_nothing(queued):
    take(queued)
    assert run_job(queued.pk) == "busy"
    assert Job.objects.get().attempt == 1


def test_a_silent_worker_is_replaced_by_the_next_delivery(queued):
    take(queued)
    age(queued, 31)
    assert is_lost(Job.objects.get())
    assert run_job(queued.pk) == "done"
    job = Job.objects.get()
    assert (job.state, job.attempt) == (JobState.DONE, 2)
    assert job.log[0]["text"] == "Attempt 2 begins."


def test_a_silent_worker_is_replaced_when_the_work_is_asked_for(queued, django_capture_on_commit_callbacks):
    take(queued)
    age(queued, 31)
    with django_capture_on_commit_callbacks(execute=True):
        assert enqueue(kind="test.count", key="k").pk == queued.pk
    assert Job.objects.get().state == JobState.DONE


def test_lost_work_is_recovered_and_only_that(queued, django_capture_on_commit_callbacks):
    take(queued)
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_jobs() == 0
    age(queued, 31)
    assert list(lost_jobs()) == [queued]
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_jobs() == 1
    assert Job.objects.get().state == JobState.DONE
    assert recover_lost_jobs() == 0


def test_with_a_broker_queued_work_may_wait_longer_than_a_thread(queued, settings):
    age(queued, 31)
    assert is_lost(Job.objects.get())
    settings.JOBS_BACKEND = "celery"
    assert not is_lost(Job.objects.get())
    age(queued, 301)
    assert is_lost(Job.objects.get())


def test_queued_work_that_is_asked_for_again_is_sent_again(
    queued, settings, monkeypatch, django_capture_on_commit_callbacks
):
    """The broker was away when it was asked for first."""
    settings.JOBS_BACKEND, settings.JOBS_LOST_AFTER = "celery", 30
    sent = []
    monkeypatch.setattr(services, "_send", sent.append)
    for silence, expected in ((5, []), (31, [queued.pk]), (None, [queued.pk])):
        if silence is not None:
            age(queued, silence)
        with django_capture_on_commit_callbacks(execute=True):
            assert enqueue(kind="test.count", key="k") == queued
        assert sent == expected


def test_work_that_loses_its_workers_again_and_again_is_given_up(queued):
    Job.objects.filter(pk=queued.pk).update(attempt=5)
    assert run_job(queued.pk) == "failed"
    assert "5" in Job.objects.get().failure


def test_the_old_worker_is_stopped_at_its_next_report(queued):
    old = take(queued)
    take(queued)
    with pytest.raises(JobLost):
        old.progress(1, 2)


def test_the_old_worker_writes_no_result(queued):
    old = take(queued)
    take(queued)
    with pytest.raises(JobLost), old.finishing():
        make_user("never")
    with pytest.raises(JobLost):
        old.end(state=JobState.DONE, result={"old": 1})
    job = Job.objects.get()
    assert (job.state, job.result, job.attempt) == (JobState.RUNNING, {}, 2)


def test_finishing_is_itself_a_sign_of_life(queued):
    context = take(queued)
    age(queued, 31)
    with context.finishing():
        pass
    assert not is_lost(Job.objects.get())


def test_what_fails_while_finishing_is_rolled_back(queued):
    context = take(queued)
    with pytest.raises(IntegrityError), context.finishing():
        User.objects.bulk_create([User(username="half"), User(username="HALF")])
    assert not User.objects.filter(username="half").exists()
    assert Job.objects.get().state == JobState.RUNNING


def test_progress_is_written_at_most_once_a_percent(queued, django_assert_max_num_queries):
    context = take(queued)
    with django_assert_max_num_queries(101 * 3 + 60):
        for step in range(10_000):
            context.progress(step, 10_000)
    assert Job.objects.get().done_steps >= 9_900


def test_a_long_log_keeps_its_beginning_and_its_end(queued):
    context = take(queued)
    for number in range(400):
        context.log(f"line {number}")
    context.end(state=JobState.DONE)
    lines = [line["text"] for line in Job.objects.get().log]
    assert len(lines) <= 300
    assert (lines[0], lines[-1], "…" in lines) == ("line 0", "line 399", True)


@pytest.mark.django_db(transaction=True)
def test_a_command_does_the_work_itself(settings):
    settings.JOBS_BACKEND = "thread"
    job = perform(kind="test.count", key="command", params={"steps": 3})
    assert (job.state, job.result["sum"]) == (JobState.DONE, 6)


def test_a_command_leaves_running_work_to_its_worker(queued):
    take(queued)
    assert perform(kind="test.count", key="k").state == JobState.RUNNING
    assert Job.objects.get().attempt == 1


@pytest.mark.django_db(transaction=True)
def test_a_thread_does_the_work_outside_the_request(settings, wait_until):
    settings.JOBS_BACKEND = "thread"
    with transaction.atomic():
        job = enqueue(kind="test.count", key="thread", params={"steps": 3})
        assert Job.objects.get().state == JobState.QUEUED
    wait_until(lambda: Job.objects.get(pk=job.pk).state == JobState.DONE, what="the end of the work")
    assert Job.objects.get().result == {"sum": 6, "actor": ""}
    wait_until(lambda: not _threads(f"job-{job.pk}"), what="the end of the thread")


@pytest.mark.django_db(transaction=True)
def test_progress_is_seen_while_the_work_goes_on(settings, wait_until):
    settings.JOBS_BACKEND = "thread"
    go_on = threading.Event()

    def slow(context):
        context.progress(1, 2, "half way")
        assert go_on.wait(20)
        return {}

    register("test.slow", slow, "Slow")
    job = enqueue(kind="test.slow")
    wait_until(lambda: Job.objects.get(pk=job.pk).stage == "half way", what="the report")
    assert Job.objects.get().percent == 50
    go_on.set()
    wait_until(lambda: Job.objects.get(pk=job.pk).state == JobState.DONE, what="the end of the work")


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_a_double_click_at_the_same_moment_gives_one_job(monkeypatch):
    monkeypatch.setattr(services, "_start", lambda job_id: None)
    start = threading.Barrier(8)
    found = []

    def click():
        try:
            start.wait(10)
            found.append(enqueue(kind="test.count", key="double").pk)
        finally:
            connection.close()

    _run_together(click, 8)
    assert len(found) == 8
    assert set(found) == {Job.objects.get().pk}


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_two_deliveries_at_the_same_moment_do_the_work_once(settings):
    settings.JOBS_BACKEND = "celery"
    done = []
    register("test.once", lambda context: done.append(context.job.attempt) or {}, "Once")
    job = Job.objects.create(kind="test.once", heartbeat_at=timezone.now())
    start = threading.Barrier(4)
    outcomes = []

    def deliver():
        try:
            start.wait(10)
            outcomes.append(run_job(job.pk))
        finally:
            connection.close()

    _run_together(deliver, 4)
    assert done == [1]
    assert sorted(outcomes).count("done") == 1
    assert set(outcomes) <= {"done", "busy", "ended"}


def _run_together(work, count):
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)


def _threads(name):
    return [thread for thread in threading.enumerate() if thread.name == name]
