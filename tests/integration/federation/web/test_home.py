"""The home page."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone

from federation.web.menu import FeedItem, Mark, Part, Result
from tests.factories import make_entry, make_event, make_person, make_season

pytestmark = pytest.mark.django_db


def coming(count):
    season = make_season("2025-26", starts_on=date(2020, 1, 1), ends_on=date(2099, 1, 1))
    day = timezone.localdate() + timedelta(days=3)
    return [make_event(season=season, starts_on=day, state="open", venue="Casa del Mar") for _ in range(count)]


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_does_not_grow(visitor, django_assert_num_queries, count):
    for event in coming(count):
        make_entry(event, make_person())
    for _ in range(count):
        make_entry(make_event())
    # Settings, seasons of the day, people, finished events, coming events.
    with django_assert_num_queries(5):
        assert visitor.get("/").status_code == 200


def test_empty_site_says_what_will_come(visitor):
    page = visitor.get("/").content.decode()
    assert "No list has been published yet" in page
    assert "No results yet" in page
    assert "No event is open for entry" in page


def test_parts_of_the_games_are_drawn(visitor, bare_menu):
    bare_menu.register_discipline("scrabble", "Scrabble", "home", [("Ranking", "home")])
    bare_menu.register_front(lambda request: Part("web/_spark.html", {"spark": {"path": "M1 1", "x": "1", "y": "1"}}))
    bare_menu.register_front(lambda request: None)
    bare_menu.register_feed(
        lambda request, limit: [FeedItem("list-8", datetime(2026, 5, 3, 12, tzinfo=UTC), "BARRUF list 8", "/l/8/")]
    )
    bare_menu.register_marks(lambda request: [Mark("Highest game", "614", "Vera Osintseva", "scrabble")])
    bare_menu.register_results(
        lambda request, limit: [Result(date(2026, 4, 19), "Open", "/o/", "Oriol Bastida", "10/11", 12, "scrabble")]
    )
    page = visitor.get("/").content.decode()
    assert '<path d="M1 1"/>' in page
    assert '<a href="/l/8/">BARRUF list 8</a>' in page
    assert "<dd>614</dd>" in page
    assert "Oriol Bastida" in page
    assert '<a href="/" data-d="scrabble">' in page


def test_draft_events_are_not_shown(visitor):
    day = timezone.localdate() + timedelta(days=3)
    make_event("Secret cup", starts_on=day, state="draft")
    for address in ("/", "/calendar/", f"/calendar/?year={day.year}", "/calendar.ics", "/feed/", "/search/?q=secret"):
        assert "Secret cup" not in visitor.get(address).content.decode()
