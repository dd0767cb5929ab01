"""Forms of the desk sent twice, in part, or with nonsense: one fact, a plain answer, nothing guessed."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.registry.models import Entry, Event, Person
from ratings.core.rounds import GameRow
from ratings.models import Correction
from ratings.services.results import save_round
from tests.factories import make_person

EVENT = {
    "name": "Gran Premi de Portvell",
    "starts_on": "2026-04-18",
    "ends_on": "2026-04-18",
    "rounds": "5",
    "modality": "classic",
    "tie_breaks": "direct spread",
    "results_public": "on",
    "directors": "director",
}


@pytest.fixture
def secretary(as_user, people):
    return as_user(people.results_secretary)


@pytest.fixture
def entering(people):
    return reverse("scrabble-desk-entry-add", args=[people.event.slug])


def said(client, response) -> str:
    """The page that the browser shows at last."""
    while response.status_code == 302:
        response = client.get(response.url)
    return response.content.decode()


def test_an_event_sent_twice(secretary):
    first = secretary.post(reverse("scrabble-desk-event-new"), EVENT)
    again = secretary.post(reverse("scrabble-desk-event-new"), EVENT)
    assert again.url == first.url
    assert "is entered already" in said(secretary, again)
    assert Event.objects.filter(name=EVENT["name"]).count() == 1


def test_another_event_of_the_same_name_and_days(secretary):
    secretary.post(reverse("scrabble-desk-event-new"), EVENT)
    response = secretary.post(reverse("scrabble-desk-event-new"), {**EVENT, "town": "Portvell"})
    assert response.status_code == 422
    assert "is entered already, on the same days" in response.content.decode()
    assert 'value="Portvell"' in response.content.decode()


def test_rounds_with_results_stay_rounds_of_the_event(secretary, people, entries):
    save_round(
        event=people.event, number=3, version=0, rows=[GameRow(1, 2, "played", 400, 300, 2)], actor=people.director
    )
    url = reverse("scrabble-desk-event-edit", args=[people.event.slug])
    data = {**EVENT, "rounds": "2", "version": people.event.version, "season": people.event.season_id}
    response = secretary.post(url, data)
    assert response.status_code == 422
    assert "Round 3 has results" in response.content.decode()
    assert secretary.post(url, {**data, "rounds": "3"}).status_code == 302


def test_a_rating_date_outside_the_season_is_told(secretary, people):
    url = reverse("scrabble-desk-event-edit", args=[people.event.slug])
    day = people.event.season.starts_on.replace(year=people.event.season.starts_on.year - 1).isoformat()
    data = {**EVENT, "starts_on": day, "ends_on": day, "version": people.event.version}
    page = said(secretary, secretary.post(url, {**data, "season": people.event.season_id}))
    assert "is not in the season" in page


def test_a_player_entered_twice(secretary, people, entering):
    person = make_person("Roc", "Violer")
    secretary.post(entering, {"q": str(person.number)})
    for text in (str(person.number), "viol"):
        page = secretary.post(entering, {"q": text}).content.decode()
        assert "Roc Violer is already entered with number 1" in page
        assert "Nobody in the register fits “" not in page
    assert Entry.objects.filter(event=people.event).count() == 1


@pytest.mark.parametrize("number", ["abc", "0", "-2", "2.5", "10000", "99999999999"])
def test_a_number_that_is_none_is_not_passed_over(secretary, people, entering, number):
    person = make_person("Roc", "Violer")
    response = secretary.post(entering, {"q": str(person.number), "number": number})
    assert "between 1 and 9999" in said(secretary, response)
    assert not Entry.objects.filter(event=people.event).exists()


def test_the_number_stays_while_one_of_several_is_chosen(secretary, entering):
    for family in ("Violer", "Violant"):
        make_person("Roc", family)
    page = secretary.post(entering, {"q": "viol", "number": "12"}).content.decode()
    assert page.count('<input type="hidden" name="number" value="12">') == 2


def test_a_newcomer_sent_twice_is_one_person(secretary, people, entering):
    data = {"new": "1", "given_name": "Àfrica", "family_name": "Bel-lloc", "birth_year": "1990"}
    assert secretary.post(entering, data).status_code == 302
    again = secretary.post(entering, {**data, "given_name": "africa", "family_name": "Bell Lloc"})
    same = secretary.post(entering, data)
    assert same.status_code == 422
    assert "Àfrica Bel-lloc" in same.content.decode()
    assert 'value="other"' in same.content.decode()
    assert again.status_code in (302, 422)
    before = Person.objects.count()
    assert secretary.post(entering, {**data, "new": "other"}).status_code == 302
    assert Person.objects.count() == before + 1


def test_nobody_is_born_in_the_future(secretary, entering):
    data = {"new": "1", "given_name": "Ona", "family_name": "Càdec", "birth_year": "2099"}
    response = secretary.post(entering, data)
    assert response.status_code == 422
    assert "still to come" in response.content.decode()


def test_an_entry_removed_twice(secretary, people, entries):
    url = reverse("scrabble-desk-entry", args=[people.event.slug, 6])
    secretary.post(url, {"remove": "1"})
    assert "Number 6 is not entered any more." in said(secretary, secretary.post(url, {"remove": "1"}))


def test_a_withdrawal_before_rounds_that_were_played_is_told(secretary, people, entries):
    save_round(
        event=people.event, number=2, version=0, rows=[GameRow(1, 2, "played", 400, 300, 2)], actor=people.director
    )
    url = reverse("scrabble-desk-entry", args=[people.event.slug, 2])
    assert "still stands in later rounds: 2" in said(secretary, secretary.post(url, {"after": "1"}))


@pytest.mark.parametrize("number", ["", "x", "0", "-1", "201", "1.5", "99999999999"])
def test_a_game_is_added_to_a_round_that_there_is(secretary, people, entries, number):
    people.event.state = "approved"
    people.event.save()
    url = reverse("scrabble-desk-correction-new", args=[people.event.slug])
    data = {"game": "new", "round": number, "a": "1", "b": "2", "score_a": "300", "score_b": "200", "kind": "game"}
    response = secretary.post(url, {**data, "reason": "left out"})
    assert response.status_code == 422
    assert f'name="round" inputmode="numeric" value="{number}"' in response.content.decode()
    assert not Correction.objects.exists()
