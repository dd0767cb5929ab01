"""Events: standings, crosstable and wall, rounds, whether they count, corrections, what strangers may see."""

import csv
import io

import pytest

from federation.registry.models import Event
from ratings.models import Game
from tests.factories import make_entry, make_event, make_game, make_person

from .test_ranking_page import text_of

EVENT = "/scrabble/events/worked-example/"


@pytest.mark.parametrize("language", ["en", "ca"])
@pytest.mark.parametrize("view", ["", "wall", "rounds", "players", "odd"])
def test_every_view_answers(client, example, language, view):
    response = client.get(EVENT, {"view": view, "round": "x"}, headers={"accept-language": language})
    assert response.status_code == 200


@pytest.mark.parametrize("view", ["crosstable", "wall", "rounds", "players"])
def test_every_view_of_a_round_robin_answers(client, season, view):
    text = text_of(client.get("/scrabble/events/open-6/", {"view": view}))
    assert season.events[5].name in text


def test_ratings_before_and_after_lead_to_the_accounts(client, example):
    text = text_of(client.get(EVENT + "?view=players"))
    assert f"/scrabble/events/worked-example/why/{example.hero.number}/" in text
    assert "1116" in text
    assert "3.20" in text


#: System, event, directors, entries, games, rated event, ledger, corrections, first list with it.
EVENT_QUERIES = 9


@pytest.mark.parametrize("players", [1, 3])
def test_queries_do_not_grow(client, example, django_assert_num_queries, players):
    event = Event.objects.get(slug="worked-example")
    for _turn in range(players):
        extra = make_entry(event, make_person())
        make_game(extra, None, None, None, round=1, kind="bye", result=2)
    client.get(EVENT)
    with django_assert_num_queries(EVENT_QUERIES):
        assert client.get(EVENT).status_code == 200


@pytest.mark.parametrize("number", [1, 3])
def test_the_list_of_events_has_constant_queries(client, example, django_assert_num_queries, number):
    for turn in range(number - 1):
        make_event(f"Other {turn}", season=example.season)
    client.get("/scrabble/events/")
    # System, seasons, count, rows, ratings.
    with django_assert_num_queries(5):
        response = client.get("/scrabble/events/")
    assert text_of(response).count('<th scope="row"') == number


def test_drafts_are_not_public(client, example):
    make_event("Secret Cup", slug="secret-cup", season=example.season, state="draft")
    assert client.get("/scrabble/events/secret-cup/").status_code == 404
    assert "Secret Cup" not in text_of(client.get("/scrabble/events/"))
    assert "Secret Cup" not in text_of(client.get("/scrabble/events/?format=csv"))


def test_results_that_are_not_public_are_not_shown(client, example):
    event = make_event(slug="closed-door", season=example.season, state="open", results_public=False)
    make_game(make_entry(event, example.people[1]), make_entry(event, example.people[2]), 431, 229)
    for query in ("", "?view=rounds", "?format=csv"):
        text = text_of(client.get("/scrabble/events/closed-door/" + query))
        assert "431" not in text
    assert "not public yet" in text_of(client.get("/scrabble/events/closed-door/"))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"modality": "duplicate"}, "It is not classic scrabble"),
        ({"state": "excluded", "excluded_reason": "An exhibition."}, "The federation has excluded it: An exhibition."),
        ({}, "It has fewer than 3 rounds"),
    ],
)
def test_an_event_that_does_not_count_says_why(client, example, fields, sentence):
    from .site import close, date

    event = make_event(slug="odd", season=example.season, starts_on=date(2026, 5, 2), **fields)
    entries = [make_entry(event, person) for person in example.people[:4]]
    make_game(entries[0], entries[1])
    make_game(entries[2], entries[3])
    close(example.season, date(2026, 5, 31))
    text = text_of(client.get("/scrabble/events/odd/"))
    assert "The event does not count for BARRUF." in text
    assert sentence in text


def test_an_event_waiting_for_approval_says_so(client, example):
    make_event(slug="handed-in", season=example.season, state="submitted")
    assert "wait for approval" in text_of(client.get("/scrabble/events/handed-in/"))


def test_an_event_after_the_list_waits_for_the_next_one(client, example):
    make_event(slug="later", season=example.season)
    assert "List 1 does not include the event" in text_of(client.get("/scrabble/events/later/"))


def test_standings_follow_points_direct_games_and_margin(client, season):
    rows = list(csv.reader(io.StringIO(text_of(client.get("/scrabble/events/open-6/?view=players&format=csv")))))[1:]
    points = [float(row[4]) for row in rows]
    assert points == sorted(points, reverse=True)
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)


def test_byes_forfeits_and_draws_are_written_out(client, example):
    event = make_event(slug="mixed", season=example.season, tie_breaks=["spread"])
    a, b, c, d = (make_entry(event, person) for person in example.people[:4])
    make_game(a, None, None, None, kind="bye", result=2)
    make_game(b, c, None, None, kind="forfeit", result=2)
    make_game(a, b, 400, 400, round=2)
    make_game(c, d, None, None, round=2, kind="forfeit", result=None, both_absent=True)
    make_game(a, d, None, None, round=3, kind="pending", result=None)
    for view in ("wall", "rounds", "players"):
        assert client.get("/scrabble/events/mixed/", {"view": view}).status_code == 200
    wall = text_of(client.get("/scrabble/events/mixed/?view=wall"))
    for part in ("bye", "forfeit won", "forfeit lost", "drawn", "no result yet"):
        assert part in wall
    rows = list(csv.reader(io.StringIO(text_of(client.get("/scrabble/events/mixed/?view=players&format=csv")))))
    assert {row[2]: row[4] for row in rows[1:]}["Neus Farriol i Pont"] == "1.5"


def test_the_history_of_corrections_shows_both_versions(client, corrected):
    text = text_of(client.get(EVENT))
    assert "<del>N. Farriol i Pont 400–350 P. Oponent 0</del>" in text
    assert "<ins>N. Farriol i Pont 350–400 P. Oponent 0</ins>" in text
    assert "results secretary" in text
    assert "The sheet signed at the board says so." in text
    assert "secretary</" not in text  # the name of the account stays private
    assert Game.objects.filter(superseded_at__isnull=False).count() == 1


def test_an_unknown_event_helps_on(client, example):
    response = client.get("/scrabble/events/nowhere/")
    assert response.status_code == 404
    assert "/scrabble/events/" in text_of(response)


def test_the_list_of_events_says_why_one_does_not_count(client, season):
    text = text_of(client.get("/scrabble/events/"))
    assert "too few players" in text
    exported = text_of(client.get("/scrabble/events/?format=csv"))
    assert "too_few_players" in exported


def test_an_event_is_counted_since_the_first_list_even_after_a_correction(client, corrected):
    assert "Counted since" in text_of(client.get(EVENT))
    assert 'Counted since <a href="/scrabble/lists/2025-26/1/">' in " ".join(text_of(client.get(EVENT)).split())


def test_the_season_filter(client, season):
    text = text_of(client.get("/scrabble/events/?season=2023-24"))
    assert "Open 1 of Portvell" in text
    assert "Open 8 of Portvell" not in text
