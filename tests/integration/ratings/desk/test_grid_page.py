"""The grid of a round: typing, checking, stale forms, double submits, queries."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.registry.models import EventState
from ratings.models import Game
from ratings.queries.results import round_state
from tests.factories import make_entry, make_event, make_game, make_user
from tests.integration.ratings.desk.conftest import grid


@pytest.fixture
def url(people, entries):
    return reverse("scrabble-desk-round", args=[people.event.slug, 1])


def test_typed_numbers_and_letters_are_stored(as_user, people, url):
    client = as_user(people.director)
    response = client.post(
        url, grid((1, "osin", 392, 368), ("bastida", 4, 350, 350), ("5", "bye"), save="1"), follow=True
    )
    assert response.redirect_chain == [(url + "#stored-1", 302)]
    rows = round_state(people.event, 1).rows
    assert [(row.a, row.b, row.result) for row in rows] == [(1, 3, 2), (2, 4, 1), (5, None, 2)]
    page = response.content.decode()
    assert 'value="1 Neus Farriol"' in page
    assert 'value="392"' in page
    assert "6 Ona Càdec" in page
    assert "Round 1 is stored." in page


def test_a_double_submit_is_harmless(as_user, people, url):
    client = as_user(people.director)
    data = grid((1, 2, 400, 300), save="1")
    assert client.post(url, data).status_code == 302
    response = client.post(url, data, follow=True)
    assert "was stored already" in response.content.decode()
    assert Game.objects.count() == 1


def test_problems_stop_the_round_and_keep_what_was_typed(as_user, people, url):
    client = as_user(people.director)
    response = client.post(url, grid((1, 1, 400, 300), (2, "zzz", "38O", 350), (3, 4, 400, 300), save="1"))
    assert response.status_code == 422
    page = response.content.decode()
    assert "3 problems stop this round" in page
    assert 'href="#line-1"' in page
    assert 'value="38O"' in page
    assert page.count('aria-invalid="true"') == 3
    assert not Game.objects.exists()


def test_the_live_check_answers_and_stores_nothing(as_user, people, entries):
    client = as_user(people.director)
    url = reverse("scrabble-desk-round-check", args=[people.event.slug, 1])
    answer = client.post(url, grid((1, 2, 400, ""), (3, 1), ("ona", "bye"))).json()
    assert [(one["line"], one["cell"], one["severity"]) for one in answer["problems"]] == [(1, "score_b", "error")]
    answer = client.post(url, grid((1, 2, 400, 20), (3, 1), ("ona", "bye"))).json()
    assert {(one["line"], one["cell"], one["severity"]) for one in answer["problems"]} == {
        (1, "score_b", "warning"),
        (2, "b", "error"),
    }
    assert answer["names"]["3"] == {"a": "6 Ona Càdec", "b": ""}
    assert answer["missing"] == ["4 Biel Cantarell", "5 Teia Grau"]
    assert not Game.objects.exists()


def test_a_stale_form_shows_who_changed_what_and_lets_one_choose(as_user, people, url):
    client = as_user(people.director)
    client.post(url, grid((1, 2, 400, 300), (3, 4, 410, 390), save="1"))
    people.results_secretary.first_name = "Carme"
    people.results_secretary.save()
    client = as_user(people.results_secretary)
    client.post(url, grid((1, 2, 401, 300), (3, 4, 410, 390), version=1, save="1"))
    client = as_user(people.director)
    response = client.post(url, grid((1, 2, 400, 300), (3, 4, 411, 390), version=1, save="1"))
    page = response.content.decode()
    assert response.status_code == 409
    assert "Carme" in page
    assert all(text in page for text in ("401–300", "400–300", "410–390", "411–390"))
    chosen = {"keep-1-2": "theirs", "keep-3-4": "mine", "resolve": "1"}
    response = client.post(url, grid((1, 2, 400, 300), (3, 4, 411, 390), version=2, **chosen))
    assert response.status_code == 302
    assert [(row.score_a, row.score_b) for row in round_state(people.event, 1).rows] == [(401, 300), (411, 390)]


def test_a_choice_that_contradicts_itself_comes_back_to_the_grid(as_user, people, url):
    client = as_user(people.director)
    client.post(url, grid((1, 2, 400, 300), (3, 4, 410, 390), save="1"))
    chosen = {"keep-1-2": "theirs", "resolve": "1"}
    response = client.post(url, grid((1, 3, 400, 300), version=1, **chosen))
    assert response.status_code == 422
    assert "already stands in line" in response.content.decode()
    assert round_state(people.event, 1).version == 1


def test_more_lines_without_script(as_user, people, url):
    client = as_user(people.director)
    response = client.post(url, grid((1, 2, 400, ""), lines=5, more="1"))
    page = response.content.decode()
    assert response.status_code == 200
    assert 'name="lines" value="10"' in page
    assert 'value="400"' in page


def test_save_and_go_on(as_user, people, url):
    client = as_user(people.director)
    response = client.post(url, grid((1, 2, 400, 300), next="1"))
    assert response.url == reverse("scrabble-desk-round", args=[people.event.slug, 2]) + "#stored-1"


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"lines": "x", "version": "y", "save": "1"},
        {"lines": "-3", "version": "-1", "save": "1"},
        {"lines": "999999", "version": "0", "save": "1"},
        {"lines": "2", "version": "0", "a-1": "\x00" * 10, "b-1": "9" * 5000, "score_a-1": "1e9", "save": "1"},
        {"lines": "1", "version": "0", "a-1": "1", "b-1": "2", "score_a-1": "٣", "score_b-1": "²", "save": "1"},
        {"lines": "1", "version": "0", "resolve": "1", "keep-": "theirs", "keep-x": "theirs"},
    ],
)
def test_nonsense_is_never_a_server_error(as_user, people, url, data):
    response = as_user(people.director).post(url, data)
    assert response.status_code < 500
    assert not Game.objects.exists()


@pytest.mark.parametrize("state", [EventState.SUBMITTED, EventState.APPROVED])
def test_a_closed_event_is_shown_and_not_changed(as_user, people, url, state):
    people.event.state = state
    people.event.save()
    client = as_user(people.director)
    page = client.get(url).content.decode()
    assert "data-save" not in page
    response = client.post(url, grid((1, 2, 400, 300), save="1"))
    assert response.status_code == 422
    assert not Game.objects.exists()


@pytest.mark.parametrize("number", [0, 4, 999])
def test_a_round_the_event_does_not_have(as_user, people, entries, number):
    assert (
        as_user(people.director).get(f"/scrabble/desk/events/{people.event.slug}/rounds/{number}/").status_code == 404
    )


@pytest.mark.parametrize("games", [3, 30])
def test_the_number_of_queries_does_not_depend_on_the_rows(as_user, people, django_assert_num_queries, games):
    event = make_event(state=EventState.OPEN, rounds=5)
    seats = [make_entry(event) for _ in range(2 * games)]
    for a, b in zip(seats[::2], seats[1::2], strict=True):
        make_game(a, b)
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-round", args=[event.slug, 1])
    client.get(url)
    with django_assert_num_queries(9):
        client.get(url)
    state = round_state(event, 1)
    rows = [(row.a, row.b, row.score_a + 1, row.score_b) for row in state.rows]
    with django_assert_num_queries(21):
        client.post(url, grid(*rows, version=state.version, save="1"))
    assert Game.objects.filter(event=event, superseded_at=None, score_a=401).count() == games


def test_the_sheet_and_the_slips(as_user, people, url):
    client = as_user(people.director)
    client.post(url, grid((1, 2), (3, "bye"), save="1"))
    sheet = client.get(reverse("scrabble-desk-sheet", args=[people.event.slug, 1])).content.decode()
    assert "Neus Farriol" in sheet
    assert "Vera Osintseva: no opponent, bye" in sheet
    slips = client.get(reverse("scrabble-desk-sheet", args=[people.event.slug, 1]) + "?as=slips").content.decode()
    assert slips.count('class="slip"') == 1


def test_a_page_has_no_inline_style_or_script(as_user, people, url):
    page = as_user(people.director).get(url).content.decode()
    assert "style=" not in page
    assert "<script>" not in page
    assert " onclick" not in page


def test_two_directors_on_two_rounds(as_user, people, url):
    second = reverse("scrabble-desk-round", args=[people.event.slug, 2])
    other = make_user("second")
    people.event.director_rows.create(user=other)
    as_user(people.director).post(url, grid((1, 2, 400, 300), save="1"))
    as_user(other).post(second, grid((1, 3, 400, 300), save="1"))
    assert as_user(people.director).post(url, grid((1, 2, 400, 301), version=1, save="1")).status_code == 302
    assert round_state(people.event, 2).version == 1


@pytest.mark.parametrize("lost", [["lines"], ["a-2", "b-2", "score_a-2", "score_b-2", "kind-2"], ["score_b-2"]])
def test_a_form_that_did_not_arrive_whole_empties_nothing(as_user, people, url, lost):
    client = as_user(people.director)
    client.post(url, grid((1, 2, 400, 300), (3, 4, 410, 390), save="1"))
    data = grid((1, 2, 400, 300), (3, 4, 410, 390), version=1, save="1")
    for name in lost:
        del data[name]
    response = client.post(url, data)
    assert response.status_code == 422
    assert "did not arrive whole" in response.content.decode()
    assert round_state(people.event, 1).version == 1
    check = reverse("scrabble-desk-round-check", args=[people.event.slug, 1])
    assert client.post(check, data).status_code == 422


@pytest.mark.parametrize("count", ["1", "0", "x", "-1", "1e1", "9999999999"])
def test_a_count_that_is_not_that_of_the_lines_empties_nothing(as_user, people, url, count):
    client = as_user(people.director)
    client.post(url, grid((1, 2, 400, 300), (3, 4, 410, 390), save="1"))
    data = {**grid((1, 2, 400, 300), (3, 4, 410, 390), version=1, save="1"), "lines": count}
    assert client.post(url, data).status_code == 422
    assert len(round_state(people.event, 1).rows) == 2


def test_whoever_was_signed_out_is_told_that_nothing_was_stored(client, people, entries, url):
    response = client.post(url, grid((1, 2, 400, 300), save="1"), follow=True)
    assert "what you sent was not stored" in response.content.decode()
    assert not Game.objects.exists()
