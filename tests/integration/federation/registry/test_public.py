"""Public pages of clubs, and the address of a person's number."""

import pytest
from django.urls import reverse

from federation.registry.models import Club
from federation.registry.services import people
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("count", [1, 3])
def test_clubs(client, count, django_assert_num_queries):
    clubs = [make.make_club() for _ in range(count)]
    for club in clubs:
        make.make_person(club=club)
    Club.objects.create(name="Closed", slug="closed", is_active=False)
    client.get(reverse("club-list"))
    with django_assert_num_queries(1):
        text = client.get(reverse("club-list")).content.decode()
    for club in clubs:
        assert reverse("club-detail", args=[club.slug]) in text
    assert "Closed" not in text


def test_no_clubs_yet(client):
    assert "No clubs yet" in client.get(reverse("club-list")).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_a_club_shows_public_names(client, count, django_assert_num_queries):
    club = make.make_club()
    for _ in range(count):
        make.make_person("Neus", "Farriol", club=club)
        make.make_event(club=club)
    make.make_person("Iu", "Petit", club=club, birth_year=2020)
    make.make_person("Ocult", "Secret", club=club, publication="hidden")
    kept, dropped = make.make_person("Vera", "Om", club=club), make.make_person("Vera", "Hom", club=club)
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    draft = make.make_event("Not yet", club=club, state="draft")
    address = reverse("club-detail", args=[club.slug])
    client.get(address)
    with django_assert_num_queries(3):
        text = client.get(address).content.decode()
    assert text.count("Neus Farriol") == count
    assert "I. P." in text
    for hidden in ("Petit", "Secret", "Hom", draft.name, "2020"):
        assert hidden not in text


def test_an_unknown_club_is_not_found(client):
    assert client.get(reverse("club-detail", args=["nowhere"])).status_code == 404


def test_the_number_of_a_merged_record_leads_to_the_one_that_counts(client):
    kept, dropped = make.make_person(), make.make_person()
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    for person in (kept, dropped):
        response = client.get(reverse("person-redirect", args=[person.number]))
        assert response.headers["Location"] == reverse("person-detail", args=[kept.number])
    assert client.get(reverse("person-redirect", args=[987654])).status_code == 404
