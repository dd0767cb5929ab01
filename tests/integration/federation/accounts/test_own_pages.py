"""The own account leads to the pages of whoever is signed in, and says if it belongs to no person."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.registry.models import EventDirector, PersonState
from tests.factories import make_event, make_person, make_user

pytestmark = pytest.mark.django_db

NOBODY = "tied to no person of the register"


@pytest.fixture
def page(client):
    def text(account):
        client.force_login(account)
        return client.get(reverse("account")).content.decode()

    return text


def test_a_player_is_led_to_the_own_rating(page):
    person = make_person("Ona", "Càdec", account=make_user("ona"))
    text = page(person.account)
    assert f'href="{reverse("person-detail", args=[person.number])}"' in text
    assert f'href="{reverse("scrabble-player", args=[person.number])}"' in text
    assert NOBODY not in text
    assert reverse("scrabble-desk-events") not in text


def test_a_merged_record_leads_to_the_one_that_counts(page):
    kept = make_person("Ona", "Càdec")
    dropped = make_person("Ona", "Cadec", account=make_user("ona"), merged_into=kept, state=PersonState.MERGED)
    text = page(dropped.account)
    assert reverse("scrabble-player", args=[kept.number]) in text
    assert reverse("scrabble-player", args=[dropped.number]) not in text


def test_an_account_without_a_person_is_told_so(page):
    text = page(make_user("nobody"))
    assert NOBODY in text
    assert "My rating" not in text


def test_a_director_is_led_to_the_own_events(page):
    account = make_user("director")
    EventDirector.objects.create(event=make_event(), user=account)
    assert f'href="{reverse("scrabble-desk-events")}"' in page(account)
