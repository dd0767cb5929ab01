"""The wizard walked by a director without scripts: repairs, decisions, storing, withdrawing."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from federation.audit.models import AuditEvent
from federation.registry.models import Entry, EventState, FederationSettings, MembershipPolicy, Person, PersonState
from federation.registry.services.events import approval_problems
from federation.uploads.models import CellRepair, NameDecision, StoredFile, Upload
from federation.uploads.registry import UploadKind
from ratings.models import Game
from ratings.views.desk_approval import approval_checks
from tests.factories import make_club, make_entry, make_game, make_person
from tests.integration.ratings.uploads.support import Wizard, fixture, make_director, open_event, people_named

pytestmark = pytest.mark.django_db

HEAD = "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2\n"
GOOD = HEAD + "1;Neus Riera;402;Oriol Bastida;385\n1;Gal·la Prat;377;Èlia Pons;410\n"


@pytest.fixture
def event():
    return open_event(rounds=3)


@pytest.fixture
def wizard(client, event):
    return Wizard(client, event, make_director(event))


@pytest.fixture
def people():
    return people_named("Neus Riera", "Oriol Bastida", "Gal·la Prat", "Èlia Pons")


def send(wizard, text: str, name: str = "open.csv"):
    return wizard.send((name, text.encode()))


def results(event) -> list[tuple]:
    games = Game.objects.filter(event=event, superseded_at=None).select_related("a__person", "b__person")
    return [
        (game.round, game.a.person.family_name, game.score_a, game.b and game.b.person.family_name, game.score_b)
        for game in games.order_by("round", "board", "id")
    ]


def test_a_good_file_goes_straight_to_the_effect(wizard, event, people):
    assert send(wizard, GOOD)["Location"] == reverse("upload-detail", args=[wizard.upload.pk])
    assert wizard.get("detail")["Location"] == reverse("upload-effect", args=[wizard.upload.pk])
    page = wizard.get("effect")
    assert page.context["played"] == 2
    assert len(page.context["lines"]) == 0
    assert "fewer rounds" in page.content.decode()
    assert wizard.commit()["Location"] == reverse("upload-receipt", args=[wizard.upload.pk])
    assert results(event) == [(1, "Riera", 402, "Bastida", 385), (1, "Prat", 377, "Pons", 410)]
    assert list(event.entries.order_by("number").values_list("person__family_name", flat=True)) == [
        "Riera", "Bastida", "Prat", "Pons",
    ]  # fmt: skip
    assert Person.objects.count() == 4
    record = AuditEvent.objects.get(action="upload.committed")
    assert record.actor == wizard.user
    receipt = wizard.upload.receipt
    assert receipt["counts"] == {"stored": 2, "people": 4, "created": 0}
    assert [row["line"] for row in receipt["rows"]] == [2, 3]


def test_every_problem_is_shown_at_once_and_a_cell_is_mended(wizard, event, people):
    send(wizard, HEAD + "1;Neus Riera;4O2;Oriol Bastida;385\n1;Gal·la Prat;x;Èlia Pons;410\n")
    page = wizard.get("rows")
    assert [(issue.line, issue.column, issue.code) for issue in page.context["analysis"].errors] == [
        (2, 3, "bad_score"),
        (3, 3, "bad_score"),
    ]
    html = page.content.decode()
    assert '<b class="was">4O2</b>' in html
    assert 'name="use" value="0:2:3=402"' in html
    answer = wizard.fix({"c:0:2:3": "402", "c:0:3:3": "377"}, save="0:2")
    assert answer.status_code == 302
    assert wizard.get("rows").context["analysis"].errors == []
    assert [(one.line, one.column, one.before, one.after) for one in CellRepair.objects.all()] == [
        (2, 3, "4O2", "402"),
        (3, 3, "x", "377"),
    ]
    assert b"4O2" in bytes(StoredFile.objects.get().content)
    wizard.commit()
    assert results(event)[0] == (1, "Riera", 402, "Bastida", 385)


def test_one_row_is_swapped_by_htmx_and_typing_elsewhere_is_kept(wizard, people):
    send(wizard, HEAD + "1;Neus Riera;4O2;Oriol Bastida;385\n1;Gal·la Prat;x;Èlia Pons;410\n")
    data = {"version": 0, "c:0:2:3": "4O2", "c:0:3:3": "still wrong", "use": "0:2:3=402"}
    answer = wizard.client.post(reverse("upload-rows", args=[wizard.upload.pk]), data, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert 'value="still wrong"' in answer.content.decode()
    assert [issue.line for issue in answer.context["analysis"].errors] == [3]


def test_a_row_is_set_aside_with_a_reason_and_taken_in_again(wizard, event, people):
    send(wizard, GOOD + "1;Neus Riera;1;Gal·la Prat;\n")
    answer = wizard.fix({"r:0:4": "  "}, aside="0:4")
    assert answer.status_code == 422
    assert "Write why the row is set aside." in answer.content.decode()
    assert wizard.fix({"r:0:4": "typed twice"}, aside="0:4").status_code == 302
    assert wizard.upload.set_aside["|4"]["reason"] == "typed twice"
    assert wizard.get("rows").context["analysis"].errors == []
    wizard.fix(back="0:4")
    assert wizard.upload.set_aside == {}
    assert len(wizard.get("rows").context["analysis"].errors) == 1
    wizard.fix({"r:0:4": "typed twice"}, aside="0:4")
    wizard.commit()
    assert len(results(event)) == 2
    aside = [row for row in wizard.upload.receipt["rows"] if row["what"] == "aside"]
    assert [(row["line"], row["reason"]) for row in aside] == [(4, "typed twice")]


def test_a_warning_must_be_looked_at(wizard, people):
    send(wizard, HEAD + "1;Neus Riera;50;Oriol Bastida;-50\n1;Gal·la Prat;377;Èlia Pons;410\n")
    page = wizard.get("rows")
    (warning,) = page.context["analysis"].to_confirm
    assert warning.code == "maybe_forfeit"
    assert wizard.get("effect").status_code == 302
    wizard.commit()
    assert wizard.upload.state == "checked"
    mark = page.context["view"].rows[1].remarks[0].mark
    wizard.fix(confirm=mark)
    assert wizard.get("rows").context["analysis"].is_ready
    wizard.fix(doubt=mark)
    assert not wizard.get("rows").context["analysis"].is_ready
    wizard.confirm_all()
    # A confirmation holds for the row as it was.
    wizard.fix({"c:0:2:3": "60"}, save="1")
    assert len(wizard.get("rows").context["analysis"].to_confirm) == 1


def test_nobody_is_linked_by_a_similar_name(wizard, event):
    people_named("Neus Riera", "Oriol Bastida", "Gal·la Prat")
    make_person("Вера", "Осинцева", latin_given_name="Vera", latin_family_name="Osintseva")
    rows = (
        "1;Riera Neus;402;oriol  BASTIDA;385\n1;Galla Prat;377;Вера Осинцева;410\n2;Vera Osinceva;300;Nova Gent;200\n"
    )
    send(wizard, HEAD + rows)
    matches = {match.read.name: match.how for match in wizard.get("people").context["analysis"].matches}
    assert matches == {
        "Riera Neus": "open",
        "oriol BASTIDA": "spelling",
        "Galla Prat": "open",
        "Вера Осинцева": "spelling",
        "Vera Osinceva": "open",
        "Nova Gent": "open",
    }
    asked = {one.match.read.name: one for one in wizard.get("people").context["questions"]}
    assert {name: one.picked for name, one in asked.items()} == dict.fromkeys(asked, "")
    best = {
        name: (one.candidates[0].person.family_name, one.candidates[0].reason)
        for name, one in asked.items()
        if one.candidates
    }
    assert best["Riera Neus"] == ("Riera", "word_order")
    assert best["Galla Prat"] == ("Prat", "accents")
    assert best["Vera Osinceva"] == ("Осинцева", "script")
    assert asked["Nova Gent"].candidates == []


def test_decisions_are_stored_remembered_used_and_undone(client, wizard, event, people):
    send(wizard, HEAD + "1;Riera Neus;402;Oriol Bastida;385\n")
    neus = people[0]
    assert wizard.decide({"Riera Neus": {"p": str(neus.number), "m": "1"}}).status_code == 302
    assert not NameDecision.objects.exists()
    wizard.commit()
    decision = NameDecision.objects.get()
    assert (decision.spelling, decision.person, decision.reason, decision.score) == (
        "riera neus",
        neus,
        "word_order",
        95,
    )
    other = open_event()
    second = Wizard(client, other, make_director(other))
    send(second, HEAD + "1;RIERA NEUS;402;Oriol Bastida;380\n")
    page = second.get("people")
    assert [match.how for match in page.context["analysis"].matches] == ["remembered", "spelling"]
    assert str(wizard.user) in page.content.decode()
    # Only whoever decided, or staff, undoes it.
    assert client.post(reverse("upload-forget", args=[decision.pk])).status_code == 403
    client.force_login(wizard.user)
    assert "riera neus" in client.get(reverse("upload-names")).content.decode()
    assert client.post(reverse("upload-forget", args=[decision.pk])).status_code == 302
    assert client.post(reverse("upload-forget", args=[decision.pk])).status_code == 302
    assert AuditEvent.objects.filter(action="upload.name_forgotten").count() == 1
    client.force_login(second.user)
    assert [match.how for match in second.get("people").context["analysis"].matches] == ["open", "spelling"]


def test_a_number_links_unless_another_name_stands_beside_it(wizard, people):
    neus, oriol = people[0], people[1]
    text = (
        "Ronda;Número 1;Jugador 1;Puntuació 1;Número 2;Jugador 2;Puntuació 2\n"
        f"1;{neus.number};Neus Rierra;402;{oriol.number};Maria Ferrer;385\n"
    )
    send(wizard, text)
    page = wizard.get("people")
    matches = page.context["analysis"].matches
    assert [(match.how, match.hint) for match in matches] == [("number", None), ("open", oriol.pk)]
    (question,) = page.context["questions"]
    assert question.candidates[0].person == oriol
    assert question.candidates[0].why == "the number in the file"


def test_a_debutant_is_created_provisional_with_the_file(wizard, event, people):
    club = make_club("Escacs de Garraf")
    send(wizard, HEAD + "1;Neus Riera;402;Jan Nou i Vell;385\n")
    before = Person.objects.count()
    answer = wizard.decide({"Jan Nou i Vell": {"p": "new", "g": "Jan", "f": "", "k": str(club.pk), "y": "2001"}})
    assert answer.status_code == 422
    assert "Write the family name." in answer.content.decode()
    assert 'value="2001"' in answer.content.decode()
    answer = wizard.decide(
        {"Jan Nou i Vell": {"p": "new", "g": "Jan", "f": "Nou i Vell", "k": str(club.pk), "y": "190"}}
    )
    assert answer.status_code == 422
    values = {"p": "new", "g": "Jan", "f": "Nou i Vell", "k": str(club.pk), "y": "2001"}
    assert wizard.decide({"Jan Nou i Vell": values}).status_code == 302
    assert Person.objects.count() == before
    assert "new" in wizard.get("effect").content.decode()
    wizard.commit()
    person = Person.objects.get(family_name="Nou i Vell")
    assert (person.state, person.club, person.birth_year) == (PersonState.PROVISIONAL, club, 2001)
    assert Entry.objects.filter(event=event, person=person).exists()
    assert "Jan Nou i Vell" in wizard.get("receipt").content.decode()


def test_searching_keeps_what_was_typed(wizard, people):
    send(wizard, HEAD + "1;Xxxx Yyyy;402;Zzzz Wwww;385\n")
    answer = wizard.decide(
        {"Xxxx Yyyy": {"q": "bast"}, "Zzzz Wwww": {"g": "Zoé", "f": "Wwww", "y": "1999"}}, search="0"
    )
    assert answer.status_code == 200
    asked = {one.match.read.name: one for one in answer.context["questions"]}
    assert [one.person.family_name for one in asked["Xxxx Yyyy"].candidates] == ["Bastida"]
    assert (asked["Zzzz Wwww"].given, asked["Zzzz Wwww"].year) == ("Zoé", "1999")
    answer = wizard.decide({"Xxxx Yyyy": {"q": "nobody at all"}})
    assert "Nobody fits" in answer.content.decode()


def test_a_decision_can_be_undone_and_an_automatic_link_changed(wizard, people):
    neus, oriol = people[0], people[1]
    send(wizard, HEAD + "1;Riera Neus;402;Gal·la Prat;385\n")
    wizard.decide({"Riera Neus": {"p": str(neus.number)}})
    page = wizard.get("people")
    data = {f"w:{one['place']}": one["match"].read.key for one in page.context["settled"]}
    wizard.post("people", undo="0", **data)
    assert wizard.upload.decisions == {}
    answer = wizard.post("people", change="1", **data)
    (changed,) = [one for one in answer.context["questions"] if one.match.read.name == "Gal·la Prat"]
    wizard.post("people", save="1", **{"w:1": changed.match.read.key, "p:1": str(oriol.number)})
    assert wizard.upload.decisions["gal·la prat"]["person"] == oriol.pk


def test_two_names_for_one_person_in_one_round_stop_the_file(wizard, people):
    send(wizard, HEAD + "1;Neus Riera;402;Riera N.;385\n")
    wizard.decide({"Riera N.": {"p": str(people[0].number)}})
    codes = [issue.code for issue in wizard.get("rows").context["analysis"].errors]
    assert codes == ["person_twice_in_round"]


def test_a_stale_form_stores_nothing_and_keeps_what_was_typed(client, wizard, event, people):
    send(wizard, HEAD + "1;Neus Riera;4O2;Oriol Bastida;385\n1;Gal·la Prat;x;Èlia Pons;410\n")
    other = make_director(event)
    client.force_login(other)
    wizard.fix({"c:0:3:3": "377"}, save="1")
    client.force_login(wizard.user)
    answer = wizard.fix({"c:0:2:3": "402", "c:0:3:3": "399"}, version=0, save="1")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert f"{other} changed this file meanwhile" in html
    assert 'value="402"' in html
    assert 'value="399"' in html
    assert CellRepair.objects.count() == 1
    # The same form, sent again from the page that says so, is stored.
    assert wizard.fix({"c:0:2:3": "402", "c:0:3:3": "399"}, save="1").status_code == 302
    assert CellRepair.objects.get(line=3).after == "399"


def test_a_double_click_is_not_stale(wizard, people):
    send(wizard, HEAD + "1;Neus Riera;4O2;Oriol Bastida;385\n")
    for _ in range(2):
        assert wizard.fix({"c:0:2:3": "402"}, version=0, save="1").status_code == 302
    assert wizard.upload.version == 1


def test_a_stale_decision_is_explained(client, wizard, event, people):
    send(wizard, HEAD + "1;Riera Neus;402;Bastida Oriol;385\n")
    page = wizard.get("people")
    data = {f"w:{one.place}": one.match.read.key for one in page.context["questions"]}
    other = make_director(event)
    client.force_login(other)
    wizard.post("people", save="1", **data, **{"p:0": str(people[0].number)})
    client.force_login(wizard.user)
    answer = wizard.post("people", version=0, save="1", **data, **{"p:1": str(people[1].number)})
    assert answer.status_code == 409
    assert str(other) in answer.content.decode()
    (question,) = [one for one in answer.context["questions"] if one.place == 1]
    assert question.picked == str(people[1].number)


def test_storing_twice_gives_the_same(wizard, event, people):
    send(wizard, GOOD)
    seen = wizard.get("effect").context["seen"]
    for _ in range(3):
        answer = wizard.post("commit", version=0, seen=seen)
        assert answer["Location"] == reverse("upload-receipt", args=[wizard.upload.pk])
    assert len(results(event)) == 2
    assert AuditEvent.objects.filter(action="upload.committed").count() == 1


def test_storing_after_the_facts_changed_asks_to_look_again(wizard, event, people):
    send(wizard, GOOD)
    seen = wizard.get("effect").context["seen"]
    make_entry(event, people[0])
    people[0].family_name = "Rierol"
    people[0].save()
    make_person("Neus", "Riera")
    answer = wizard.post("commit", seen=seen)
    assert answer["Location"] == reverse("upload-detail", args=[wizard.upload.pk])
    assert results(event) == []
    assert wizard.upload.state == "checked"


def test_a_failure_in_the_middle_stores_nothing(wizard, event, people, monkeypatch):
    send(wizard, HEAD + "1;Neus Riera;402;Jan Nou;385\n")
    wizard.decide({"Jan Nou": {"p": "new", "g": "Jan", "f": "Nou"}})

    def fails(*args, **kwargs):
        raise RuntimeError("crash")

    monkeypatch.setattr("federation.uploads.services.commit._receipt", fails)
    with pytest.raises(RuntimeError):
        wizard.commit()
    wizard.upload.refresh_from_db()
    assert wizard.upload.state == "checked"
    assert (results(event), event.entries.count()) == ([], 0)
    assert not Person.objects.filter(family_name="Nou").exists()
    monkeypatch.undo()
    wizard.commit()
    assert len(results(event)) == 1


def test_the_same_file_twice_leads_to_the_first(wizard, event, people):
    send(wizard, GOOD)
    first = wizard.upload.pk
    send(wizard, GOOD)
    assert wizard.upload.pk == first
    wizard.commit()
    answer = wizard.client.get(send(wizard, GOOD)["Location"], follow=True)
    assert wizard.upload.pk == first
    assert "This file was stored already" in answer.content.decode()
    assert Upload.objects.count() == 1


def test_rows_that_are_in_the_event_stay_and_contradictions_stop(wizard, event, people):
    seats = [make_entry(event, person) for person in people]
    make_game(seats[1], seats[0], 385, 402)
    make_game(seats[2], seats[3], 300, 410)
    send(wizard, GOOD)
    analysis = wizard.get("rows").context["analysis"]
    assert [(issue.line, issue.code) for issue in analysis.errors] == [(3, "stored_differently")]
    assert "300–410" in wizard.get("rows").content.decode()
    wizard.fix({"r:0:3": "the sheet is right"}, aside="0:3")
    wizard.commit()
    assert wizard.upload.receipt["counts"]["known"] == 1
    assert len(results(event)) == 2


def test_a_pairing_gets_its_result(wizard, event, people):
    seats = [make_entry(event, person) for person in people]
    pairing = make_game(seats[0], seats[1], None, None, kind="pending", board=7)
    send(wizard, GOOD)
    wizard.commit()
    pairing.refresh_from_db()
    assert pairing.superseded_by is not None
    assert (pairing.superseded_by.score_a, pairing.superseded_by.board) == (402, 7)
    assert len(results(event)) == 2


def test_a_withdrawn_file_no_longer_counts_and_may_come_again(wizard, event, people):
    send(wizard, HEAD + "1;Neus Riera;402;Jan Nou;385\n")
    wizard.decide({"Jan Nou": {"p": "new", "g": "Jan", "f": "Nou"}})
    wizard.commit()
    first = wizard.upload.pk
    assert wizard.post("withdraw", reason=" ").status_code == 422
    for _ in range(2):
        assert wizard.post("withdraw", reason="wrong file").status_code == 302
    assert (wizard.upload.state, wizard.upload.withdrawn_reason) == ("withdrawn", "wrong file")
    assert results(event) == []
    assert Game.objects.filter(event=event).count() == 1
    assert set(event.entries.values_list("withdrawn_after", flat=True)) == {0}
    assert Person.objects.get(family_name="Nou").state == PersonState.PROVISIONAL
    page = " ".join(wizard.get("receipt").content.decode().split())
    assert "wrong file" in page
    assert "2 entries that came with it stay, withdrawn before the first round: Neus Riera (1), Jan Nou (2)." in page
    send(wizard, HEAD + "1;Neus Riera;402;Jan Nou;385\n")
    assert wizard.upload.pk != first
    assert wizard.commit().status_code == 302
    assert len(results(event)) == 1
    assert set(event.entries.values_list("withdrawn_after", flat=True)) == {None}
    assert Person.objects.filter(family_name="Nou").count() == 1


def test_who_came_with_a_withdrawn_file_does_not_stop_the_approval(wizard, event, people):
    send(wizard, HEAD + "1;Neus Riera;402;Jan Nou;385\n")
    wizard.decide({"Jan Nou": {"p": "new", "g": "Jan", "f": "Nou"}})
    wizard.commit()
    assert [one.code for one in approval_problems(event)] == ["provisional_persons"]
    wizard.post("withdraw", reason="wrong file")
    send(wizard, GOOD)
    wizard.commit()
    assert approval_problems(event) == []
    assert "Jan Nou" not in str(approval_checks(event))
    newcomer = event.entries.get(person__family_name="Nou")
    make_game(newcomer, event.entries.get(person__family_name="Riera"), round=2)
    assert [one.code for one in approval_problems(event)] == ["provisional_persons"]
    assert "Jan Nou" in str(approval_checks(event))


@pytest.mark.parametrize("state", [EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED])
def test_a_closed_event_takes_no_file_and_gives_none_back(wizard, event, people, state):
    send(wizard, GOOD)
    wizard.commit()
    event.state, event.excluded_reason = state, "no"
    event.save()
    wizard.post("withdraw", reason="too late")
    assert wizard.upload.state == "committed"
    assert len(results(event)) == 2
    page = wizard.client.get(reverse("upload-file", args=["scrabble", event.slug]))
    assert 'type="file"' not in page.content.decode()
    send(wizard, HEAD + "2;Neus Riera;402;Oriol Bastida;385\n")
    wizard.commit()
    assert wizard.upload.state == "checked"


def test_membership_warns_or_blocks_as_the_federation_says(wizard, event, people):
    send(wizard, GOOD)
    analysis = wizard.get("effect").context["analysis"]
    assert [issue.code for issue in analysis.remarks] == ["memberships_missing"]
    FederationSettings.objects.update_or_create(pk=1, defaults={"membership_policy": MembershipPolicy.BLOCK})
    assert [issue.code for issue in wizard.get("rows").context["analysis"].errors] == ["memberships_block"]
    wizard.commit()
    assert wizard.upload.state == "checked"


def test_formulas_stay_text(wizard, event, people):
    make_person("=cmd()", "Neus")
    text = HEAD + "1;Neus Riera;402;=cmd() Neus;385\n"
    send(wizard, text)
    page = wizard.get("rows")
    assert page.status_code == 200
    wizard.decide(
        {
            one.match.read.name: {"p": "new", "g": "=cmd()", "f": "X"}
            for one in wizard.get("people").context["questions"]
        }
    )
    wizard.commit()
    content = wizard.get("receipt", "?format=csv").content.decode("utf-8-sig")
    assert not any(cell.startswith(("=", "+", "@")) for line in content.splitlines() for cell in line.split(","))


def test_the_original_is_a_download(wizard, people):
    send(wizard, GOOD, "../x/<b>.html")
    answer = wizard.client.get(reverse("upload-original", args=[wizard.upload.pk, 0]))
    assert answer.content == GOOD.encode()
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Type"] == "application/octet-stream"


def test_a_file_is_put_away(wizard, event, people):
    send(wizard, GOOD)
    assert wizard.post("reject").status_code == 302
    assert wizard.upload.state == "rejected"
    assert wizard.get("receipt").status_code == 200
    wizard.commit()
    assert (wizard.upload.state, results(event)) == ("rejected", [])


@pytest.mark.parametrize("step", ["commit", "withdraw", "reject"])
def test_whoever_comes_to_a_step_without_its_form_sees_the_file(wizard, event, people, step):
    send(wizard, GOOD)
    answer = wizard.get(step)
    assert (answer.status_code, answer["Location"]) == (302, reverse("upload-detail", args=[wizard.upload.pk]))
    assert (wizard.upload.state, results(event)) == ("checked", [])


def test_events_to_come_are_not_events_played(wizard, people):
    (riera, *_others) = people_named("Neus Riera i Om")
    today = timezone.localdate()
    for days in (-30, -10, 30):
        day = today + timedelta(days=days)
        make_entry(open_event(starts_on=day, ends_on=day), riera)
    gone = open_event(starts_on=today - timedelta(days=1), ends_on=today - timedelta(days=1))
    make_entry(gone, riera, withdrawn_after=0)
    send(wizard, HEAD + "1;Neus Riera i Omm;402;Oriol Bastida;385\n")
    (question,) = wizard.get("people").context["questions"]
    (found,) = [one for one in question.candidates if one.person == riera]
    assert (found.events, found.last_played) == (2, today - timedelta(days=10))


def test_the_page_of_the_file_offers_the_template(wizard, event):
    page = wizard.client.get(reverse("upload-file", args=["scrabble", event.slug])).content.decode()
    assert f'href="{reverse("upload-template", args=["scrabble", event.slug])}"' in page


def test_no_page_asks_a_function_of_a_kind_whether_it_is_there():
    """Django calls what it finds: a function with a parameter then counts as nothing."""
    functions = [one.name for one in fields(UploadKind) if "Callable" in str(one.type)]
    assert "template" in functions
    folder = settings.BASE_DIR / "templates" / "uploads"
    texts = [page.read_text(encoding="utf-8") for page in sorted(folder.glob("*.html"))]
    assert [name for name in functions for text in texts if f"kind.{name}" in text] == []


def test_the_template_comes_back_as_results(wizard, event, people):
    from io import BytesIO

    from openpyxl import load_workbook

    for person in people:
        make_entry(event, person)
    answer = wizard.client.get(reverse("upload-template", args=["scrabble", event.slug]))
    book = load_workbook(BytesIO(answer.content))
    sheet = book.worksheets[0]
    for row, (a, score_a, b, score_b) in enumerate(((0, 402, 1, 385), (2, 377, 3, 410)), start=2):
        for column, value in ((1, 1), (3, people[a].number), (5, score_a), (6, people[b].number), (8, score_b)):
            sheet.cell(row, column, value)
    while sheet.max_row > 3:
        sheet.delete_rows(sheet.max_row)
    content = BytesIO()
    book.save(content)
    wizard.send(("template.xlsx", content.getvalue()))
    analysis = wizard.get("rows").context["analysis"]
    assert analysis.reading.format == "template"
    assert {match.how for match in analysis.matches} == {"number"}
    wizard.commit()
    assert results(event) == [(1, "Riera", 402, "Bastida", 385), (1, "Prat", 377, "Pons", 410)]


def test_swissperfect_files_come_together(wizard, event):
    people_named("Neus Riera", "Oriol Bastida", "Gal·la Prat", "Èlia Pons")
    wizard.send(fixture("league4.1.rnd"), fixture("league4.2.rnd"), fixture("league4.csv"))
    assert wizard.upload.files.count() == 3
    page = wizard.get("rows")
    assert page.status_code == 200
    assert page.context["analysis"].errors == []
    wizard.confirm_all()
    wizard.commit()
    assert wizard.upload.state == "committed"
    assert Game.objects.filter(event=event, kind="played").count() == 4


def test_a_line_of_a_text_format_is_mended_whole(wizard, event):
    name, data = fixture("open6.t")
    people_named("Neus Riera", "Oriol Bastida", "Ștefan Țurcanu-Vlad")
    make_person("Gal·la", "Prat i Serra")
    lines = data.decode().splitlines()
    wizard.send((name, data.replace(b"402 377", b"4x2 377")))
    page = wizard.get("rows")
    assert page.context["view"].is_text
    assert 1 in {issue.line for issue in page.context["analysis"].errors}
    wizard.fix({"c:0:1:0": lines[0]}, save="1")
    assert wizard.get("rows").context["analysis"].errors == []
    wizard.confirm_all()
    wizard.commit()
    assert wizard.upload.state == "committed"


def test_a_player_of_a_tsh_file_is_set_aside_and_the_rest_is_stored(wizard, event):
    name, data = fixture("open6.t")
    people_named("Oriol Bastida", "Ștefan Țurcanu-Vlad")
    make_person("Gal·la", "Prat i Serra")
    wizard.send((name, data))
    wizard.fix({"r:0:1": "played out of competition"}, aside="0:1")
    assert wizard.get("rows").context["analysis"].errors == []
    wizard.confirm_all()
    wizard.commit()
    assert wizard.upload.state == "committed"
    assert not event.entries.filter(person__family_name="Riera").exists()
    assert event.entries.count() == 3
