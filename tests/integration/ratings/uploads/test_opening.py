"""Opening ratings through the same wizard."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from ratings.models import OpeningList, OpeningRating
from tests.factories import make_discipline, make_event, make_season, make_user
from tests.integration.ratings.uploads.support import Wizard, fixture, people_named

pytestmark = pytest.mark.django_db


@pytest.fixture
def wizard(client):
    make_discipline()
    return Wizard(client, None, make_user(roles=(Role.RATINGS_OFFICER,)))


def stored() -> list[tuple]:
    rows = OpeningRating.objects.filter(opening_list__withdrawn_at=None).order_by("person__number")
    return list(rows.values_list("person__family_name", "rating", "games", "wins", "last_season"))


def test_a_list_is_stored_once_and_withdrawn(wizard):
    people_named("Neus Riera", "Oriol Bastida")
    assert wizard.send_opening(fixture("opening.csv"), as_of="2025-08-31").status_code == 302
    assert "2025-08-31" in wizard.get("effect").content.decode()
    for _ in range(2):
        wizard.commit()
    assert wizard.upload.state == "committed"
    assert stored() == [("Riera", 912, 57, 57, 2024), ("Bastida", 1034, 41, 60, 2023)]
    assert OpeningList.objects.get().as_of == date(2025, 8, 31)
    assert wizard.get("receipt").status_code == 200
    wizard.post("withdraw", reason="another list was meant")
    assert stored() == []
    assert OpeningList.objects.get().withdrawn_reason == "another list was meant"


def test_the_day_is_asked_for(wizard):
    answer = wizard.send_opening(fixture("opening.csv"), as_of="soon")
    assert answer.status_code == 422
    assert "Write the day of the ratings." in answer.content.decode()


def test_a_second_list_waits_for_the_first_to_be_withdrawn(wizard):
    people_named("Neus Riera", "Oriol Bastida")
    wizard.send_opening(fixture("opening.csv"), as_of="2025-08-31")
    wizard.commit()
    name, data = fixture("opening.csv")
    wizard.send_opening((name, data.replace(b"912", b"913")), as_of="2025-08-31")
    assert [issue.code for issue in wizard.get("rows").context["analysis"].errors] == ["opening_exists"]
    wizard.commit()
    assert wizard.upload.state == "checked"


def test_results_are_no_opening_ratings(wizard):
    wizard.send_opening(fixture("federation5.csv"), as_of="2025-08-31")
    page = wizard.get("rows")
    assert "opening_not_a_list" in [issue.code for issue in page.context["analysis"].errors]


def test_missing_wins_are_named(wizard):
    people_named("Neus Riera")
    wizard.send_opening(("o.csv", b"Persona;BARRUF;Partides\nNeus Riera;912;57\n"), as_of="2025-08-31")
    assert [issue.code for issue in wizard.get("rows").context["analysis"].errors] == ["opening_value_missing"]


def test_two_rows_of_one_person_stop_the_list(wizard):
    neus, _oriol = people_named("Neus Riera", "Oriol Bastida")
    text = "Persona;BARRUF;Partides;Victòries\nNeus Riera;912;57;20\nRiera N.;900;5;2\n".encode()
    wizard.send_opening(("o.csv", text), as_of="2025-08-31")
    wizard.decide({"Riera N.": {"p": str(neus.number)}})
    assert [issue.code for issue in wizard.get("rows").context["analysis"].errors] == ["person_twice"]


def test_a_new_person_comes_with_the_list(wizard):
    people_named("Neus Riera")
    wizard.send_opening(fixture("opening.csv"), as_of="2025-08-31")
    assert wizard.get("detail")["Location"] == reverse("upload-people", args=[wizard.upload.pk])
    wizard.decide({"Oriol Bastida": {"p": "new", "g": "Oriol", "f": "Bastida"}})
    wizard.commit()
    assert [row[0] for row in stored()] == ["Bastida", "Riera"] or len(stored()) == 2


def test_a_day_after_a_counted_event_is_refused_in_words(wizard):
    season = make_season()
    make_event(season=season, starts_on=date(2025, 10, 1))
    people_named("Neus Riera", "Oriol Bastida")
    wizard.send_opening(fixture("opening.csv"), as_of="2026-01-31")
    assert wizard.commit().status_code == 302
    assert wizard.upload.state == "committed"
