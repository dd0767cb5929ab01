"""Every page of the shell in both languages, its policy, its errors."""

import json
import re
from datetime import date, timedelta
from unittest import mock

import icalendar
import pytest
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError
from django.http import Http404
from django.test import Client, RequestFactory, override_settings
from django.urls import path
from django.utils import timezone

from federation.jobs.models import Job
from federation.registry.models import FederationSettings
from federation.urls import handler400, handler403, handler404, handler500, urlpatterns
from federation.web import errors
from tests.factories import make_event, make_season, make_user

pytestmark = pytest.mark.django_db

PAGES = ["/", "/search/", "/search/?q=a", "/calendar/", "/privacy/", "/accessibility/", "/open-data/"]
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "object-src": "'none'",
}


def broken(request):
    raise RuntimeError("on purpose")


def forbidden(request):
    raise PermissionDenied("Only the director of this event can enter results.")


def missing(request):
    raise Http404("No Person matches the given query.")


class WithBroken:
    """Addresses with some that fail."""

    handler400, handler403, handler404, handler500 = handler400, handler403, handler404, handler500
    urlpatterns = [path("broken/", broken), path("forbidden/", forbidden), path("missing/", missing), *urlpatterns]


@pytest.mark.parametrize("language", ["en", "ca"])
@pytest.mark.parametrize("address", PAGES)
def test_page_in_each_language_under_the_strict_policy(client, address, language):
    response = client.get(address, headers={"accept-language": language})
    page = response.content.decode()
    assert response.status_code == 200
    assert f'<html lang="{language}"' in page
    assert len(re.findall(r"<h1[ >]", page)) == 1
    assert re.search(r"<title>\S", page)
    sent = dict(part.strip().split(" ", 1) for part in response["Content-Security-Policy"].split(";"))
    assert sent == POLICY
    assert not re.search(r"\sstyle=|<style|<script(?![^>]*src=)|\son[a-z]+=\"", page)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)


def test_health_says_ok(visitor, django_assert_num_queries):
    response = visitor.get("/health/")
    assert response.json() == {
        "status": "ok",
        "database": "ok",
        "migrations": "ok",
        "jobs": {"oldest_waiting_seconds": 0, "waits_too_long": False, "lost": 0},
    }
    assert response["Cache-Control"] == "no-store"


def test_health_names_the_age_of_the_queue_and_lost_jobs(visitor):
    job = Job.objects.create(kind="test.sleep", heartbeat_at=timezone.now() - timedelta(days=1))
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(seconds=90))
    report = visitor.get("/health/").json()
    assert report["status"] == "degraded"
    assert report["jobs"]["lost"] == 1
    assert 90 <= report["jobs"]["oldest_waiting_seconds"] < 120


def test_health_tells_of_work_that_waits_though_it_is_sent_again_and_again(visitor):
    job = Job.objects.create(kind="test.sleep", heartbeat_at=timezone.now())
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - timedelta(hours=1))
    report = visitor.get("/health/").json()
    assert (report["status"], report["jobs"]["waits_too_long"], report["jobs"]["lost"]) == ("degraded", True, 0)


def test_health_tells_of_a_broker_that_does_not_answer(visitor, settings):
    settings.JOBS_BACKEND, settings.CELERY_BROKER_URL = "celery", "redis://127.0.0.1:1/0"
    report = visitor.get("/health/").json()
    assert (report["status"], report["jobs"]["broker"]) == ("degraded", "unreachable")


def test_health_without_a_database_is_503(visitor):
    with mock.patch("federation.web.views.about.connection.cursor", side_effect=DatabaseError):
        response = visitor.get("/health/")
    assert response.status_code == 503
    assert json.loads(response.content)["database"] == "unreachable"


def test_calendar_by_month_and_year(visitor):
    season = make_season("2025-26")
    make_event("Open of Portvell", season=season, starts_on=date(2026, 4, 18), ends_on=date(2026, 4, 19), rounds=11)
    make_event("Ela Geminada Cup", season=season, starts_on=date(2026, 5, 23))
    page = visitor.get("/calendar/?year=2026").content.decode()
    assert re.findall(r"<b>(\w+ 2026)</b>", page) == ["April 2026", "May 2026"]
    assert "18–19 Apr" in page
    assert "11 rounds" in page
    exported = visitor.get("/calendar/?year=2026&format=json").json()
    assert [row["name"] for row in exported["rows"]] == ["Open of Portvell", "Ela Geminada Cup"]
    assert exported["rows"][0]["starts_on"] == "2026-04-18"
    assert visitor.get("/calendar/?year=1066&discipline=chess").status_code == 200


@pytest.mark.parametrize("count", [1, 3])
def test_calendar_query_count_does_not_grow(visitor, django_assert_num_queries, count):
    for _ in range(count):
        make_event(starts_on=date(2026, 4, 18))
    # Settings, years, events.
    with django_assert_num_queries(3):
        visitor.get("/calendar/?year=2026")


def test_ical_has_whole_days_and_an_end_after_the_last_one(visitor):
    day = timezone.localdate() + timedelta(days=10)
    season = make_season("2025-26", starts_on=date(2020, 1, 1), ends_on=date(2099, 1, 1))
    event = make_event(
        "Copa; amb, comes", season=season, starts_on=day, ends_on=day + timedelta(days=1), state="open", town="Portvell"
    )
    response = visitor.get("/calendar.ics")
    book = icalendar.Calendar.from_ical(response.content)
    (entry,) = book.walk("VEVENT")
    assert str(entry["summary"]) == "Copa; amb, comes"
    assert (entry["dtstart"].dt, entry["dtend"].dt) == (day, day + timedelta(days=2))
    assert str(entry["uid"]).startswith(f"event-{event.pk}@")
    assert visitor.get("/calendar.ics", headers={"if-none-match": response["ETag"]}).status_code == 304


def test_feed_has_new_dates_and_is_quiet_when_nothing_changes(visitor):
    make_event("Ela Geminada Cup", state="open", starts_on=date(2026, 5, 23))
    first, second = visitor.get("/feed/"), visitor.get("/feed/")
    assert first["Content-Type"].startswith("application/atom+xml")
    assert "New date: Ela Geminada Cup, 23 May 2026" in first.content.decode()
    assert first.content == second.content
    assert visitor.get("/feed/", headers={"if-none-match": first["ETag"]}).status_code == 304


def test_desk_needs_an_account_and_lists_what_it_may_do(client, bare_menu):
    assert client.get("/desk/")["Location"].endswith("/account/login/?next=/desk/")
    bare_menu.register_desk_link("Seasons", "calendar", "registry.create_event", count=lambda request: 4)
    bare_menu.register_desk_link("Somewhere else", "no-such-name")
    client.force_login(make_user())
    page = client.get("/desk/").content.decode()
    assert "Nothing waits for this account" in page
    assert "Seasons" not in page
    client.force_login(make_user(roles=("results_secretary",)))
    page = client.get("/desk/").content.decode()
    assert '<a href="/calendar/">Seasons</a>' in page
    assert '<td class="n fig">4</td>' in page
    assert "Somewhere else" not in page


def test_account_menu_signs_out_by_post(client):
    client.force_login(make_user(first_name="Berta", last_name="Colldelram"))
    page = client.get("/").content.decode()
    assert "Berta Colldelram" in page
    assert '<form method="post" action="/account/logout/">' in page
    assert "Sign in" not in page


def test_not_found_offers_the_search(visitor):
    response = visitor.get("/nothing/here/")
    page = response.content.decode()
    assert response.status_code == 404
    assert "No page at this address" in page
    assert 'action="/search/"' in page


@override_settings(ROOT_URLCONF=WithBroken)
def test_not_found_hides_what_is_meant_for_developers(visitor):
    assert "No page at this address" in (page := visitor.get("/missing/").content.decode())
    assert "Person matches" not in page


@override_settings(ROOT_URLCONF=WithBroken)
def test_forbidden_says_why_and_who_is_signed_in(client):
    page = client.get("/forbidden/").content.decode()
    assert "Only the director of this event can enter results." in page
    assert 'href="/account/login/?next=/forbidden/"' in page
    client.force_login(make_user(first_name="Neus", last_name="Farriol"))
    response = client.get("/forbidden/")
    assert response.status_code == 403
    assert "You are signed in as Neus Farriol." in response.content.decode()


@override_settings(ROOT_URLCONF=WithBroken)
@pytest.mark.parametrize(("language", "lang"), [("en", "en"), ("ca", "ca")])
def test_error_page_has_the_number_of_the_request_and_no_detail(language, lang):
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    response = client.get("/broken/?a=1")
    page = response.content.decode()
    assert response.status_code == 500
    assert response["X-Request-Id"] in page
    assert f'<html lang="{lang}"' in page
    assert "on purpose" not in page
    assert 'href="/broken/?a=1"' in page


def test_error_page_asks_neither_database_nor_cache(rf: RequestFactory, django_assert_num_queries):
    with (
        mock.patch("django.core.cache.cache.get", side_effect=ConnectionError),
        django_assert_num_queries(0),
    ):
        response = errors.server_error(rf.get("/x/"))
    assert "could not be made" in response.content.decode()


def test_even_a_broken_error_page_answers(rf):
    with mock.patch("federation.web.errors.render_to_string", side_effect=RuntimeError):
        response = errors.server_error(rf.get("/x/"))
    assert response.status_code == 500
    assert b"try again" in response.content


def test_bad_request_is_designed(rf):
    response = errors.bad_request(rf.get("/x/"))
    assert response.status_code == 400
    assert "cannot be read" in response.content.decode()


def test_form_from_elsewhere_is_refused_with_a_way_on():
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user())
    response = client.post("/account/logout/")
    assert response.status_code == 403
    assert "The form could not be accepted" in response.content.decode()


def test_settings_are_read_once_and_renewed_when_they_change(visitor, django_assert_num_queries):
    site = FederationSettings.objects.get_or_create(pk=1)[0]
    visitor.get("/privacy/")
    with django_assert_num_queries(0):
        visitor.get("/privacy/")
    site.name = "Quatre Taulers"
    site.save()
    assert "Quatre Taulers" in visitor.get("/privacy/").content.decode()


def test_message_is_a_notice(client):
    from django.contrib.messages import constants
    from django.contrib.messages.storage.base import Message
    from django.template.loader import render_to_string

    html = render_to_string("web/_messages.html", {"messages": [Message(constants.ERROR, "Not <saved>")]})
    assert '<div class="notice err" role="alert">' in html
    assert "Not &lt;saved&gt;" in html
