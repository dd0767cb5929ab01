"""Pages of background work."""

from datetime import timedelta

import pytest
from celery import current_app
from django.urls import reverse
from django.utils import timezone
from kombu.exceptions import OperationalError

from federation.accounts.models import Role
from federation.jobs.models import Job, JobState
from federation.jobs.registry import register
from federation.jobs.services import enqueue, recover_lost_jobs
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer(client):
    account = make_user("officer", roles=(Role.RATINGS_OFFICER,))
    client.force_login(account)
    return account


def make_job(**fields):
    fields = {"kind": "test.count", "key": "2025-26", "state": JobState.RUNNING, "attempt": 1, **fields}
    return Job.objects.create(**fields)


def page_of(job):
    return reverse("job-detail", args=[job.pk])


def test_a_running_job_shows_its_progress_and_asks_for_itself(client, officer):
    job = make_job(done_steps=41, total_steps=67, stage="Winter League", log=[{"at": "", "text": "Opened"}])
    page = client.get(page_of(job)).content.decode()
    for text in ["Title of test.count", "41 of 67", "Winter League", "Opened", 'value="61"', 'width="61%"']:
        assert text in page
    assert 'hx-trigger="every 2s"' in page
    part = client.get(page_of(job), {"part": "progress"}).content.decode()
    assert part.strip().startswith(f'<div id="job-{job.pk}"')
    assert "<html" not in part


def test_a_job_that_could_not_be_sent_says_so_until_it_is_sent(
    client, officer, settings, monkeypatch, django_capture_on_commit_callbacks
):
    def refuse(*_args, **_kwargs):
        raise OperationalError("connection refused")

    settings.JOBS_BACKEND = "celery"
    monkeypatch.setattr(current_app, "send_task", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue(kind="test.count", key="2025-26")
    assert "The message broker does not answer." in client.get(page_of(job)).content.decode()
    monkeypatch.setattr(current_app, "send_task", lambda *_args, **_kwargs: None)
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(days=1))
    with django_capture_on_commit_callbacks(execute=True):
        assert recover_lost_jobs() == 1
    page = client.get(page_of(job)).content.decode()
    assert "Waiting to begin." in page
    assert "broker" not in page


@pytest.mark.parametrize("state", [JobState.DONE, JobState.FAILED])
def test_an_ended_job_asks_for_nothing_more(client, officer, state):
    job = make_job(state=state, failure="The season is open." if state == JobState.FAILED else "")
    page = client.get(page_of(job)).content.decode()
    assert "hx-trigger" not in page
    assert ("The season is open." in page) == (state == JobState.FAILED)


def test_as_json(client, officer):
    job = make_job(done_steps=1, total_steps=4, log=[{"at": "", "text": "Opened"}])
    data = client.get(page_of(job), {"format": "json"}).json()
    assert (data["state"], data["percent"], data["log"], data["attempt"]) == ("running", 25, ["Opened"], 1)


def test_who_asked_sees_the_own_job_and_no_other(client):
    player = make_user("player")
    client.force_login(player)
    assert client.get(page_of(make_job(requested_by=player))).status_code == 200
    assert client.get(page_of(make_job(key="other"))).status_code == 403
    assert client.get(reverse("job-list")).status_code == 403


def test_failed_work_is_tried_again_by_who_asked(client, django_capture_on_commit_callbacks):
    player = make_user("player")
    client.force_login(player)
    job = make_job(state=JobState.FAILED, requested_by=player)
    assert "Try again" in client.get(page_of(job)).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(reverse("job-retry", args=[job.pk]))
    again = Job.objects.exclude(pk=job.pk).get()
    assert response["Location"] == page_of(again)
    assert (again.state, again.requested_by) == (JobState.DONE, player)


def test_work_with_a_permission_is_tried_again_by_who_has_it(client, officer):
    register("test.guarded", lambda context: {}, "Guarded", permission="ratings.run_rating")
    job = make_job(kind="test.guarded", state=JobState.FAILED)
    assert client.post(reverse("job-retry", args=[job.pk])).status_code == 302
    client.force_login(make_user("secretary", roles=(Role.RESULTS_SECRETARY,)))
    assert client.post(reverse("job-retry", args=[job.pk])).status_code == 403


def test_only_failed_work_is_tried_again(client):
    client.force_login(make_user("admin", roles=(Role.ADMINISTRATOR,)))
    job = make_job(state=JobState.DONE)
    assert client.post(reverse("job-retry", args=[job.pk]))["Location"] == page_of(job)
    assert Job.objects.count() == 1


def test_work_that_nobody_knows_any_more_is_shown(client, officer):
    job = make_job(kind="old.kind", state=JobState.FAILED)
    assert "old.kind" in client.get(page_of(job)).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_more_rows(client, officer, count, django_assert_num_queries):
    for number in range(count):
        make_job(key=str(number), requested_by=make_user(f"asker{number}"))
    client.get(reverse("job-list"))
    with django_assert_num_queries(6):
        assert client.get(reverse("job-list")).status_code == 200


def test_the_list_by_state(client, officer):
    make_job(key="first-key", state=JobState.DONE)
    make_job(key="second-key", state=JobState.FAILED)
    page = client.get(reverse("job-list"), {"state": "failed"}).content.decode()
    assert "second-key" in page
    assert "first-key" not in page
    assert "No background work" in client.get(reverse("job-list"), {"state": "queued"}).content.decode()
    assert client.get(reverse("job-list"), {"state": "nonsense", "page": "x"}).status_code == 200


def test_texts_are_escaped(client, officer):
    job = make_job(state=JobState.FAILED, failure="<script>alert(1)</script>", stage="<b>", key="<i>")
    page = client.get(page_of(job)).content.decode()
    assert "<script>alert" not in page
    assert "<i>" not in page
