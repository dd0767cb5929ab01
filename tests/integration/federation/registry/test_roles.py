"""Who may do what in the registry: every permission and page for every role."""

import pytest
from django.urls import reverse

from federation.registry.models import EventDirector
from federation.registry.rules import is_director
from federation.registry.services import people
from tests import factories as make

pytestmark = pytest.mark.django_db

STAFF = ("results_secretary", "ratings_officer", "registry_officer", "administrator")
WHO = ("player", "director", *STAFF)
OFFICER = {"registry_officer", "administrator"}
SECRETARY = {"results_secretary", "administrator"}

PERMISSIONS = {
    "registry.change_person": OFFICER,
    "registry.merge_person": OFFICER,
    "registry.split_person": OFFICER,
    "registry.anonymise_person": OFFICER,
    "registry.confirm_person": OFFICER,
    "registry.change_membership": OFFICER,
    "registry.change_club": OFFICER,
    "registry.create_event": SECRETARY,
    "registry.approve_event": SECRETARY,
    "registry.reopen_event": SECRETARY,
    "registry.exclude_event": SECRETARY,
    "registry.run_event": SECRETARY | {"director"},
    "registry.change_settings": {"administrator"},
    "registry.view_person": set(STAFF),
    "registry.add_person": OFFICER,
    "registry.delete_person": OFFICER,
    "registry.add_membership": OFFICER,
    "registry.add_event": SECRETARY,
    "registry.change_event": SECRETARY,
    "registry.add_season": SECRETARY,
    "registry.change_discipline": {"administrator"},
    "registry.delete_discipline": set(),
    "registry.change_federationsettings": {"administrator"},
    "registry.change_personmerge": set(),
}


def account(who, event=None):
    user = make.make_user(who, roles=(who,) if who in STAFF else (), is_staff=who in STAFF)
    if who == "director" and event is not None:
        EventDirector.objects.create(event=event, user=user)
    return user


@pytest.mark.parametrize("who", WHO)
def test_every_permission(who):
    event = make.make_event()
    user = account(who, event)
    may = {name for name in PERMISSIONS if user.has_perm(name, event)}
    assert may == {name for name, allowed in PERMISSIONS.items() if who in allowed}


def test_a_director_runs_only_the_own_event(django_assert_num_queries):
    event, other = make.make_event(), make.make_event()
    user = account("director", event)
    with django_assert_num_queries(1):
        assert is_director(user, event)
        assert not is_director(user, other)
        assert is_director(user, None)


def test_a_closed_account_may_nothing():
    event = make.make_event()
    user = account("director", event)
    user.is_active = False
    assert not user.has_perm("registry.run_event", event)


PAGES = {
    "registry-desk": OFFICER,
    "registry-person": OFFICER,
    "registry-anonymise": OFFICER,
    "registry-merge": OFFICER,
    "registry-merges": OFFICER,
    "registry-split": OFFICER,
    "registry-memberships": OFFICER,
    "registry-event": SECRETARY | {"director"},
    "club-list": {*WHO, "visitor"},
    "club-detail": {*WHO, "visitor"},
}


@pytest.fixture
def pages():
    kept, dropped = make.make_person(), make.make_person()
    merge = people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    event, club = make.make_event(), make.make_club()
    arguments = {"registry-person": kept.number, "registry-anonymise": kept.number, "registry-split": merge.pk}
    arguments |= {"registry-event": event.pk, "club-detail": club.slug}
    return event, {name: reverse(name, args=[arguments[name]] if name in arguments else []) for name in PAGES}


@pytest.mark.parametrize("who", ["visitor", *WHO])
def test_every_page(client, who, pages):
    event, addresses = pages
    if who != "visitor":
        client.force_login(account(who, event))
    for name, address in addresses.items():
        wanted = 200 if who in PAGES[name] else 302 if who == "visitor" else 403
        assert client.get(address).status_code == wanted, name


@pytest.mark.parametrize("who", ["visitor", *WHO])
def test_every_action(client, who):
    event = make.make_event(state="open")
    kept, dropped, gone = make.make_person(), make.make_person(), make.make_person()
    waiting = make.make_person(state="provisional")
    old = people.merge_persons(kept=kept, dropped=make.make_person(), reason="same", actor=None)
    if who != "visitor":
        client.force_login(account(who, event))
    kept.refresh_from_db()
    versions = f"{kept.version}-{dropped.version}"
    merge = {"kept": kept.number, "dropped": dropped.number, "versions": versions, "reason": "same"}
    actions = [
        (reverse("registry-confirm", args=[waiting.number]), {}),
        (reverse("registry-merge"), merge),
        (reverse("registry-split", args=[old.pk]), {"reason": "two"}),
        (reverse("registry-anonymise", args=[gone.number]), {"reason": "asked", "confirmation": gone.number}),
    ]
    for address, form in actions:
        response = client.post(address, form)
        if who in OFFICER or who == "visitor":
            assert response.status_code == 302, address
            assert ("login" in response.headers["Location"]) is (who == "visitor")
        else:
            assert response.status_code == 403, address
    dropped.refresh_from_db()
    assert (dropped.merged_into == kept) is (who in OFFICER)


def test_other_staff_do_not_see_what_only_the_registry_needs(client):
    person = make.make_person(birth_year=1987, contact="neus@example.org", sex="f")
    address = reverse("admin:registry_person_change", args=[person.pk])
    client.force_login(account("ratings_officer"))
    text = client.get(address).content.decode()
    assert person.family_name in text
    assert "1987" not in text
    assert "neus@example.org" not in text
    assert client.post(address, {"family_name": "X"}).status_code == 403
    client.force_login(account("registry_officer"))
    assert "neus@example.org" in client.get(address).content.decode()
