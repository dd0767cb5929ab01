"""Desk pages of the registry and the steps of an event."""

import pytest
from django.urls import reverse

from federation.registry import hooks
from federation.registry.hooks import Problem
from federation.registry.models import EventDirector, Membership, PersonMerge, PersonState
from federation.registry.services import people
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer(client):
    client.force_login(make.make_user("officer", roles=("registry_officer",)))
    return client


@pytest.fixture
def secretary(client):
    client.force_login(make.make_user("secretary", roles=("results_secretary",)))
    return client


def page(response, status=200):
    assert response.status_code == status
    return response.content.decode()


def waiting_person(given="Neus", family="Fariol"):
    return people.create_person(actor=None, given_name=given, family_name=family, state=PersonState.PROVISIONAL)


@pytest.mark.parametrize("count", [1, 3])
def test_the_queue_shows_who_waits_with_suggestions(officer, count, django_assert_num_queries):
    known = make.make_person("Neus", "Farriol")
    rows = [waiting_person() for _ in range(count)]
    officer.get(reverse("registry-desk"))
    with django_assert_num_queries(9):
        text = page(officer.get(reverse("registry-desk")))
    assert f"kept={known.number}&amp;dropped={rows[0].number}" in text
    assert reverse("registry-confirm", args=[rows[-1].number]) in text


def test_an_empty_queue_says_what_it_is_for(officer):
    assert "Nobody waits" in page(officer.get(reverse("registry-desk")))


def test_confirming(officer):
    row = waiting_person()
    address = reverse("registry-confirm", args=[row.number])
    assert officer.get(address).status_code == 405
    text = page(officer.post(address, follow=True))
    assert f"Number {row.number} is confirmed." in text
    row.refresh_from_db()
    assert row.state == PersonState.CONFIRMED


def merge_form(kept, dropped, **values):
    versions = f"{kept.version}-{dropped.version}"
    return {"kept": kept.number, "dropped": dropped.number, "versions": versions, "reason": "same", **values}


def test_merging_shows_everything_first(officer):
    kept, dropped = make.make_person("Neus", "Farriol"), make.make_person("Нэус", "Фариоль")
    make.make_entry(make.make_event("Obert"), dropped)
    address = reverse("registry-merge")
    text = page(officer.get(address))
    assert "Compare" in text
    text = page(officer.get(address, {"kept": "farriol", "dropped": "nobody at all"}))
    assert f"?kept={kept.number}" in text
    assert "Nobody of that name was found." in text
    text = page(officer.get(address, {"kept": kept.number, "dropped": dropped.number}))
    assert "New aliases: Нэус Фариоль." in text
    assert "Obert" in text
    response = officer.post(address, merge_form(kept, dropped))
    assert response.headers["Location"] == reverse("registry-person", args=[kept.number])
    dropped.refresh_from_db()
    assert dropped.merged_into == kept
    # A second click finds it done.
    assert officer.post(address, merge_form(kept, dropped)).status_code == 302
    assert PersonMerge.objects.count() == 1
    assert "merged into another record" in page(officer.get(reverse("registry-person", args=[dropped.number])))


def test_a_record_that_changed_meanwhile_is_shown_again(officer):
    kept, dropped = make.make_person(), make.make_person()
    form = merge_form(kept, dropped)
    people.change_person(person=dropped, actor=None, version=0, country="AD")
    text = page(officer.post(reverse("registry-merge"), form), 422)
    assert "changed meanwhile" in text
    dropped.refresh_from_db()
    assert dropped.merged_into is None
    assert officer.post(reverse("registry-merge"), merge_form(kept, dropped)).status_code == 302


def test_what_forbids_a_merge_is_said_before_and_after(officer, monkeypatch):
    kept, dropped = make.make_person(), make.make_person()
    problem = Problem("two_people", {"round": 2, "event": "Obert"})
    monkeypatch.setattr(hooks, "_merge_checks", [lambda kept, dropped: [problem]])
    wanted = "Both records played in round 2 of Obert"
    query = {"kept": kept.number, "dropped": dropped.number}
    assert wanted in page(officer.get(reverse("registry-merge"), query))
    assert wanted in page(officer.post(reverse("registry-merge"), merge_form(kept, dropped)), 422)
    same = {"kept": kept.number, "dropped": kept.number}
    assert "Choose two different records." in page(officer.get(reverse("registry-merge"), same))
    unknown = {"kept": "987654", "dropped": kept.number}
    assert "There is no person with number 987654." in page(officer.get(reverse("registry-merge"), unknown))


def test_merging_needs_a_reason(officer):
    kept, dropped = make.make_person(), make.make_person()
    text = page(officer.post(reverse("registry-merge"), merge_form(kept, dropped, reason=" ")), 422)
    assert 'role="alert"' in text
    assert not PersonMerge.objects.exists()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_merges(officer, count, django_assert_num_queries):
    for _ in range(count):
        kept, dropped = make.make_person(), make.make_person()
        row = people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    officer.get(reverse("registry-merges"))
    with django_assert_num_queries(6):
        text = page(officer.get(reverse("registry-merges")))
    assert text.count("/split/") == count
    assert reverse("registry-split", args=[row.pk]) in text


def test_undoing_a_merge(officer):
    kept, dropped = make.make_person(), make.make_person()
    row = people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    address = reverse("registry-split", args=[row.pk])
    assert f"Number {dropped.number} will count by itself again" in page(officer.get(address))
    assert 'role="alert"' in page(officer.post(address, {"reason": ""}), 422)
    for _ in range(2):
        assert officer.post(address, {"reason": "two persons"}).status_code == 302
    dropped.refresh_from_db()
    assert dropped.merged_into is None
    assert "undone" in page(officer.get(reverse("registry-merges")))
    assert "already undone" in page(officer.get(address))


def test_anonymising_asks_for_the_number(officer):
    person = make.make_person("Neus", "Farriol")
    address = reverse("registry-anonymise", args=[person.number])
    assert "There is no way back" in page(officer.get(address))
    text = page(officer.post(address, {"reason": "asked", "confirmation": "1"}), 422)
    assert f"Type the number {person.number} to confirm." in text
    person.refresh_from_db()
    assert person.state == PersonState.CONFIRMED
    form = {"reason": "asked", "confirmation": str(person.number)}
    text = page(officer.post(address, form, follow=True))
    assert f"Anonymous player {person.number}" in text
    assert "Farriol" not in text


def test_the_record_shows_earlier_values(officer):
    person = people.create_person(actor=None, given_name="Neus", family_name="Farriol")
    people.change_person(person=person, actor=None, version=0, family_name="Farriol i Pont")
    text = page(officer.get(reverse("registry-person", args=[person.number])))
    assert "Changes of personal values" in text
    assert "<td>family name</td><td>Farriol</td><td>Farriol i Pont</td>" in text
    assert officer.get(reverse("registry-person", args=[987654])).status_code == 404


def test_memberships_are_pasted(officer):
    season, person = make.make_season(), make.make_person()
    address = reverse("registry-memberships")
    assert "Enter memberships" in page(officer.get(address))
    text = page(officer.post(address, {"season": season.pk, "lines": f"{person.number}\n987654"}), 422)
    assert "There is no person with number 987654." in text
    assert not Membership.objects.exists()
    text = page(officer.post(address, {"season": season.pk, "lines": str(person.number)}, follow=True))
    assert "1 membership of season 2025–26 is entered." in text
    assert Membership.objects.count() == 1


@pytest.fixture
def _no_games(monkeypatch):
    monkeypatch.setattr(hooks, "_submit_checks", [])
    monkeypatch.setattr(hooks, "_approval_checks", [])


@pytest.mark.usefixtures("_no_games")
def test_an_event_goes_its_way(secretary):
    event = make.make_event(state="draft")
    make.make_entry(event)
    address = reverse("registry-event", args=[event.pk])
    for step, state in (("open", "open"), ("submit", "submitted"), ("approve", "approved")):
        assert f'value="{step}"' in page(secretary.get(address))
        assert secretary.post(address, {"step": step, "reason": ""}).status_code == 302
        event.refresh_from_db()
        assert event.state == state
    assert "Write the reason." in page(secretary.post(address, {"step": "exclude", "reason": ""}), 422)
    assert "Choose a step." in page(secretary.post(address, {"step": "fly"}), 422)
    text = page(secretary.post(address, {"step": "exclude", "reason": "old list of words"}, follow=True))
    assert "old list of words" in text


@pytest.mark.usefixtures("_no_games")
def test_a_director_hands_in_but_does_not_approve(client):
    user = make.make_user("director")
    event, other = make.make_event(state="open"), make.make_event(state="open")
    make.make_entry(event)
    EventDirector.objects.create(event=event, user=user)
    client.force_login(user)
    assert client.get(reverse("registry-event", args=[other.pk])).status_code == 403
    address = reverse("registry-event", args=[event.pk])
    assert 'value="exclude"' not in page(client.get(address))
    assert client.post(address, {"step": "submit"}).status_code == 302
    assert client.post(address, {"step": "approve"}).status_code == 403
    event.refresh_from_db()
    assert event.state == "submitted"


@pytest.mark.usefixtures("_no_games")
def test_provisional_persons_are_named_before_approval(secretary):
    event = make.make_event(state="submitted")
    person = waiting_person()
    make.make_entry(event, person)
    address = reverse("registry-event", args=[event.pk])
    assert person.full_name in page(secretary.get(address))
    assert person.full_name in page(secretary.post(address, {"step": "approve"}), 422)


def test_odd_addresses_are_not_found(officer):
    huge = 10**20
    for name in ("registry-person", "registry-anonymise", "registry-split", "person-redirect", "registry-event"):
        response = officer.get(reverse(name, args=[huge]))
        assert response.status_code in (403, 404), name
    for text in ("\x00", "9" * 30, "%", "·", "x" * 5000):
        assert officer.get(reverse("registry-merge"), {"kept": text, "dropped": text}).status_code == 200
    assert officer.get(reverse("registry-merges"), {"page": "-3"}).status_code == 200
