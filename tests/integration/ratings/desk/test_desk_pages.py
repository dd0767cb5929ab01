"""Events at the desk: entering, changing, entries, handing in, approving; query counts."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.registry.models import Entry, Event, EventState, Person
from ratings.core.rounds import GameRow
from ratings.services.results import save_round
from tests.factories import make_entry, make_event, make_person, make_season
from tests.integration.ratings.desk.conftest import grid

FORM = {
    "name": "Open de Sants",
    "starts_on": "2026-03-07",
    "ends_on": "2026-03-08",
    "rounds": "6",
    "modality": "classic",
    "sequence": "0",
    "tie_breaks": "direct spread",
    "results_public": "on",
    "directors": "director",
}


def test_the_results_secretary_enters_an_event(as_user, people):
    client = as_user(people.results_secretary)
    response = client.post(reverse("scrabble-desk-event-new"), FORM)
    event = Event.objects.get(name="Open de Sants")
    assert response.url == reverse("scrabble-desk-event", args=[event.slug])
    assert (event.season, event.state, event.rounds) == (make_season(), EventState.OPEN, 6)
    assert (event.rating_date, event.tie_breaks) == (event.ends_on, ["direct", "spread"])
    assert list(event.directors.all()) == [people.director]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"starts_on": "2026-03-09"}, "is not after its last day"),
        ({"ends_on": "1999-01-01", "starts_on": "1999-01-01"}, "No season"),
        ({"directors": "nobody"}, "no account with the user name"),
        ({"rounds": "9999"}, "200"),
        ({"name": ""}, "required"),
        ({"starts_on": "yesterday"}, "valid date"),
    ],
)
def test_an_event_with_a_fault_is_not_stored(as_user, people, change, text):
    before = Event.objects.count()
    response = as_user(people.results_secretary).post(reverse("scrabble-desk-event-new"), {**FORM, **change})
    assert response.status_code == 422
    assert text in response.content.decode()
    assert Event.objects.count() == before


def test_a_stale_event_form_says_who_changed_it(as_user, people):
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-event-edit", args=[people.event.slug])
    version = people.event.version
    client.post(url, {**FORM, "name": "Open of Portvell", "venue": "Casa del Mar", "version": version})
    response = client.post(url, {**FORM, "name": "Open of Portvell", "venue": "Elsewhere", "version": version})
    assert response.status_code == 422
    assert "changed this record meanwhile" in response.content.decode()
    people.event.refresh_from_db()
    assert people.event.venue == "Casa del Mar"


def test_players_are_entered_by_number_or_letters(as_user, people):
    client = as_user(people.director)
    url = reverse("scrabble-desk-entry-add", args=[people.event.slug])
    ona, pol = make_person("Ona", "Càdec"), make_person("Pol", "Cadena")
    client.post(url, {"q": str(ona.number)})
    client.post(url, {"q": "cadena"})
    assert list(Entry.objects.filter(event=people.event).values_list("person", "number")) == [(ona.pk, 1), (pol.pk, 2)]
    response = client.post(url, {"q": "zzz"})
    assert response.status_code == 422
    assert "Nobody in the register fits" in response.content.decode()


def test_several_people_who_fit_are_offered(as_user, people):
    client = as_user(people.director)
    url = reverse("scrabble-desk-entry-add", args=[people.event.slug])
    make_person("Ona", "Càdec"), make_person("Pol", "Cadena")
    response = client.post(url, {"q": "cad"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Ona Càdec" in page
    assert "Pol Cadena" in page
    part = client.get(url, {"q": "cad"}, headers={"HX-Request": "true"}).content.decode()
    assert "Ona Càdec" in part
    assert "<html" not in part
    assert Entry.objects.filter(event=people.event).count() == 0


def test_a_debutant_gets_a_provisional_record(as_user, people):
    client = as_user(people.director)
    url = reverse("scrabble-desk-entry-add", args=[people.event.slug])
    client.post(url, {"new": "1", "given_name": "Nil", "family_name": "Novell", "birth_year": "2001"})
    person = Person.objects.get(family_name="Novell")
    assert person.state == "provisional"
    assert Entry.objects.get(event=people.event).person == person
    response = client.post(url, {"new": "1", "given_name": "", "family_name": ""})
    assert response.status_code == 422


def test_withdrawal_and_back_and_removal(as_user, people, entries):
    client = as_user(people.director)
    url = reverse("scrabble-desk-entry", args=[people.event.slug, 2])
    client.post(url, {"after": "1"})
    entries[1].refresh_from_db()
    assert entries[1].withdrawn_after == 1
    client.post(url, {"back": "1"})
    entries[1].refresh_from_db()
    assert entries[1].withdrawn_after is None
    client.post(url, {"after": "ninety"})
    client.post(url, {"remove": "1"})
    assert not Entry.objects.filter(pk=entries[1].pk).exists()


def play(event, actor, rounds=3):
    rows = [
        GameRow(1, 2, "played", 400, 300, 2),
        GameRow(3, 4, "played", 350, 340, 2),
        GameRow(5, 6, "played", 1, 2, 0),
    ]
    for number in range(1, rounds + 1):
        save_round(event=event, number=number, version=0, rows=rows, actor=actor)


def test_from_handing_in_to_approval(as_user, people, entries):
    play(people.event, people.director)
    client = as_user(people.director)
    page = client.get(reverse("scrabble-desk-event", args=[people.event.slug])).content.decode()
    assert "Every round is complete." in page
    client.post(reverse("scrabble-desk-event-step", args=[people.event.slug]), {"step": "submit"})
    people.event.refresh_from_db()
    assert people.event.state == EventState.SUBMITTED
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-approval", args=[people.event.slug])
    page = client.get(url).content.decode()
    assert "Once approved, the event counts for the rating." in page
    assert "Neus Farriol" in page
    assert client.post(url, {"step": "back", "reason": ""}).status_code == 422
    client.post(url, {"step": "back", "reason": "round 2 is wrong"})
    people.event.refresh_from_db()
    assert people.event.state == EventState.OPEN
    assert client.post(url, {"step": "approve"}).status_code == 302
    people.event.refresh_from_db()
    assert people.event.state == EventState.APPROVED


def test_an_event_without_a_result_is_not_handed_in(as_user, people, entries):
    client = as_user(people.director)
    response = client.post(
        reverse("scrabble-desk-event-step", args=[people.event.slug]), {"step": "submit"}, follow=True
    )
    assert "has no result yet" in response.content.decode()
    people.event.refresh_from_db()
    assert people.event.state == EventState.OPEN


def test_approval_shows_what_stops_it(as_user, people, entries):
    play(people.event, people.director, rounds=2)
    debutant = make_person("Nil", "Novell", state="provisional")
    make_entry(people.event, debutant)
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-approval", args=[people.event.slug])
    page = client.get(url).content.decode()
    assert "Nil Novell" in page
    assert "fewer rounds with a played game" in page
    assert "No membership or licence" in page
    response = client.post(url, {"step": "approve"})
    assert response.status_code == 422
    people.event.refresh_from_db()
    assert people.event.state == EventState.OPEN


def test_excluded_with_a_reason(as_user, people, entries):
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-approval", args=[people.event.slug])
    client.post(url, {"step": "exclude", "reason": "exhibition for charity"})
    page = client.get(reverse("scrabble-desk-event", args=[people.event.slug])).content.decode()
    assert "exhibition for charity" in page


@pytest.mark.parametrize("count", [1, 3])
def test_queries_of_the_list_of_events(as_user, people, django_assert_num_queries, count):
    for _ in range(count):
        event = make_event(state=EventState.OPEN)
        make_entry(event)
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-events")
    client.get(url)
    with django_assert_num_queries(7):
        page = client.get(url).content.decode()
    assert page.count("scrabble/desk/events/event-") == count


@pytest.mark.parametrize("count", [2, 12])
def test_queries_of_the_page_of_an_event(as_user, people, django_assert_num_queries, count):
    event = make_event(state=EventState.OPEN, rounds=count)
    for _ in range(2 * count):
        make_entry(event)
    for number in range(1, count + 1):
        rows = [GameRow(1 + 2 * board, 2 + 2 * board, "played", 400, 300, 2) for board in range(count)]
        save_round(event=event, number=number, version=0, rows=rows, actor=people.director)
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-event", args=[event.slug])
    client.get(url)
    with django_assert_num_queries(17):
        client.get(url)


@pytest.mark.parametrize(
    "query", ["?state=nonsense&season=%00&q=%27%22<>&page=-1", "?page=99999", "?state=all&season=2025-26&q=open"]
)
def test_filters_take_anything(as_user, people, query):
    assert as_user(people.results_secretary).get(reverse("scrabble-desk-events") + query).status_code == 200


def test_typing_in_the_admin_is_the_same_grid(as_user, people, entries):
    client = as_user(people.results_secretary)
    url = reverse("admin:scrabble_round", args=[people.event.pk, 1])
    page = client.get(url).content.decode()
    assert "data-grid" in page
    assert "style=" not in page
    client.post(url, grid((1, 2, 400, 300), save="1"))
    response = client.post(url, grid((1, 2, 400, 299), version=0, save="1"))
    assert response.status_code == 409
    assert "400–300" in response.content.decode()
    check = reverse("admin:scrabble_round_check", args=[people.event.pk, 1])
    assert client.post(check, grid((1, 1, 400, 300))).json()["problems"][0]["cell"] == "b"


@pytest.mark.parametrize("boards", [2, 6])
def test_queries_of_the_page_of_approval(as_user, people, django_assert_num_queries, boards):
    event = make_event(state=EventState.SUBMITTED, rounds=3)
    for _ in range(2 * boards):
        make_entry(event)
    rows = [GameRow(1 + 2 * board, 2 + 2 * board, "played", 400, 300, 2) for board in range(boards)]
    event.state = EventState.OPEN
    event.save()
    for number in (1, 2, 3):
        save_round(event=event, number=number, version=0, rows=rows, actor=people.director)
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-approval", args=[event.slug])
    client.get(url)
    with django_assert_num_queries(34):
        client.get(url)
