"""What the registry asks: remembered names in the preview of a merge, and nothing left of a name that must go."""

from __future__ import annotations

import json

import pytest

from federation.accounts.models import Role
from federation.registry.hooks import merge_counts
from federation.registry.services.merges import anonymise_person, merge_persons
from federation.uploads.models import CellRepair, NameDecision
from tests.factories import make_user
from tests.integration.ratings.uploads.support import Wizard, make_director, open_event, people_named

pytestmark = pytest.mark.django_db

TEXT = "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2\n1;Riera Neus;402;Oriol Bastida;385\n".encode()


@pytest.fixture
def wizard(client):
    event = open_event()
    neus, _ = people_named("Neus Riera", "Oriol Bastida")
    wizard = Wizard(client, event, make_director(event))
    wizard.send(("a.csv", TEXT))
    wizard.decide({"Riera Neus": {"p": str(neus.number), "m": "1"}})
    wizard.neus = neus
    return wizard


def test_a_merge_shows_and_moves_remembered_names(client, wizard):
    wizard.commit()
    (other,) = people_named("Neus Riera i Om")
    counts = {str(label): count for label, count in merge_counts(other, wizard.neus)}
    assert counts["remembered spellings of the name"] == 1
    merge_persons(kept=other, dropped=wizard.neus, reason="same", actor=make_user(roles=(Role.REGISTRY_OFFICER,)))
    event = open_event()
    second = Wizard(client, event, make_director(event))
    second.send(("b.csv", TEXT))
    match = second.get("people").context["analysis"].matches[0]
    assert (match.how, match.person) == ("remembered", other.pk)


def test_an_anonymised_person_leaves_no_name(wizard):
    wizard.commit()
    anonymise_person(person=wizard.neus, reason="asked for it", actor=make_user(roles=(Role.REGISTRY_OFFICER,)))
    assert not NameDecision.objects.exists()
    wizard.upload.refresh_from_db()
    kept = json.dumps([wizard.upload.receipt, wizard.upload.reading, wizard.upload.decisions], ensure_ascii=False)
    assert "Riera" not in kept.replace("riera neus", "")
    assert "Bastida" in kept
    assert wizard.get("receipt").status_code == 200


@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("Riera Nues", "Riera Neus", ("—", "—")),
        ("Riera Neus", "Riera Nues", ("—", "—")),
        (
            "1;Riera Nues;402;O. Om;385",
            "1;Riera Neus;402;O. Om;385",
            ("—", "1;—;402;O. Om;385"),
        ),
        ("Oriol Bastid", "Oriol Bastida", ("Oriol Bastid", "Oriol Bastida")),
        ("4O2", "402", ("4O2", "402")),
    ],
)
def test_an_anonymised_person_leaves_no_name_in_mended_cells(wizard, before, after, left):
    wizard.commit()
    repair = CellRepair.objects.create(
        upload=wizard.upload, line=2, column=2, before=before, after=after, made_by=wizard.user
    )
    anonymise_person(person=wizard.neus, reason="asked for it", actor=make_user(roles=(Role.REGISTRY_OFFICER,)))
    repair.refresh_from_db()
    assert (repair.before, repair.after) == left


def test_a_chosen_person_who_is_gone_is_asked_for_again(wizard):
    anonymise_person(person=wizard.neus, reason="asked for it", actor=make_user(roles=(Role.REGISTRY_OFFICER,)))
    wizard.upload.refresh_from_db()
    assert wizard.get("people").context["analysis"].matches[0].how == "open"
