"""The pages of the intake ask the database as often for 300 rows as for 3."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from tests.factories import make_user
from tests.integration.ratings.uploads.support import Wizard, make_director, open_event, people_named

pytestmark = pytest.mark.django_db

HEAD = "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2\n"
LETTERS = "bcdfghjklmnprstvxz"


def name(number: int) -> str:
    return f"P{LETTERS[number % 18]}{LETTERS[number // 18 % 18]}a Qu{LETTERS[number // 7 % 18]}{number % 18 * 'o'}x"


def text(rows: int, *, broken: bool) -> bytes:
    lines = [
        f"{row // 10 + 1};{name(2 * (row % 10))};{'x' if broken else 400};{name(2 * (row % 10) + 1)};300"
        for row in range(rows)
    ]
    return (HEAD + "\n".join(lines) + "\n").encode()


def wizard_for(client, rows: int, *, broken: bool = False) -> Wizard:
    event = open_event()
    wizard = Wizard(client, event, make_director(event))
    wizard.send(("a.csv", text(rows, broken=broken)))
    return wizard


@pytest.mark.parametrize(("step", "broken", "count"), [("rows", True, 15), ("rows", False, 16), ("people", False, 20)])
def test_open_people_and_broken_rows(client, django_assert_num_queries, step, broken, count):
    people_named(name(100), name(101))
    for rows in (3, 300):
        wizard = wizard_for(client, rows, broken=broken)
        wizard.get(step)
        with django_assert_num_queries(count):
            assert wizard.get(step).status_code == 200


def test_effect_and_receipt(client, django_assert_num_queries):
    people_named(*(name(number) for number in range(20)))
    for rows in (60, 300):
        wizard = wizard_for(client, rows)
        wizard.get("effect")
        with django_assert_num_queries(40):
            assert wizard.get("effect").status_code == 200
        wizard.commit()
        with django_assert_num_queries(10):
            assert wizard.get("receipt").status_code == 200
        wizard.post("withdraw", reason="again")


def test_lists(client, django_assert_num_queries):
    user = make_user(roles=(Role.RESULTS_SECRETARY,))
    people_named(name(0), name(1))
    for total in (1, 3):
        while True:
            client.force_login(user)
            if client.get(reverse("upload-list")).context["page"].paginator.count >= total:
                break
            wizard_for(client, 3)
        client.force_login(user)
        client.get(reverse("upload-list"))
        with django_assert_num_queries(6):
            client.get(reverse("upload-list"))
        with django_assert_num_queries(5):
            client.get(reverse("upload-names"))
        with django_assert_num_queries(6):
            client.get(reverse("upload-new"))
