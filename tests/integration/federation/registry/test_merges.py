"""Merging, splitting, anonymising."""

import pytest

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry import hooks
from federation.registry.hooks import Problem
from federation.registry.models import Person, PersonalValues, PersonMerge, PersonState
from federation.registry.services import people
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def heard(monkeypatch):
    """What the listeners hear, with the games' own ones silenced."""
    calls = []
    monkeypatch.setattr(hooks, "_facts_listeners", [lambda **values: calls.append(values)])
    return calls


def merge(kept, dropped, reason="the same person"):
    result = people.merge_persons(kept=kept, dropped=dropped, reason=reason, actor=None)
    for person in (kept, dropped):
        person.refresh_from_db()
    return result


def split(row):
    return people.split_person(merge=row, reason="two persons", actor=None)


def code_of(write, **values):
    with pytest.raises(RuleError) as caught:
        write(**values)
    assert explain(caught.value) != caught.value.code
    return caught.value.code


def aliases(person):
    return set(person.aliases.values_list("text", flat=True))


def trio():
    names = [("Neus", "Farriol"), ("Neus", "Fariol"), ("Нэус", "Фарриол")]
    return [make.make_person(given, family) for given, family in names]


def test_a_merge_points_and_rewrites_no_fact(heard):
    kept, dropped, _other = trio()
    entry = make.make_entry(make.make_event(), dropped)
    row = merge(kept, dropped)
    assert (dropped.state, dropped.merged_into, dropped.root_id) == (PersonState.MERGED, kept, kept.pk)
    entry.refresh_from_db()
    assert entry.person == dropped
    assert aliases(kept) == {"Neus Fariol"}
    assert (row.previous_state, row.reason) == ("confirmed", "the same person")
    assert heard == [{"persons": (kept.pk, dropped.pk), "events": (), "why": "person.merged"}]
    actions = set(AuditEvent.objects.values_list("action", "object_id"))
    assert actions == {("person.merged", str(dropped.pk)), ("person.merge_kept", str(kept.pk))}


def test_a_double_click_is_one_merge(heard):
    kept, dropped, _other = trio()
    assert merge(kept, dropped) == merge(kept, dropped)
    assert PersonMerge.objects.count() == 1
    assert len(heard) == 1


def test_pointers_stay_flat_and_come_back():
    one, two, three = trio()
    merge(two, three)
    above = merge(one, two)
    three.refresh_from_db()
    assert three.merged_into == one
    assert above.moved_records == [three.pk]
    assert aliases(one) == {"Neus Fariol", "Нэус Фарриол"}
    assert aliases(two) == set()
    split(above)
    for person in (one, two, three):
        person.refresh_from_db()
    assert (two.state, two.merged_into, three.merged_into) == ("confirmed", None, two)
    assert (aliases(one), aliases(two)) == (set(), {"Нэус Фарриол"})


def test_a_merge_below_another_is_undone_by_itself():
    one, two, three = trio()
    below = merge(two, three)
    above = merge(one, two)
    split(below)
    for person in (one, two, three):
        person.refresh_from_db()
    assert (two.merged_into, three.merged_into, three.state) == (one, None, "confirmed")
    assert aliases(one) == {"Neus Fariol"}
    split(above)
    two.refresh_from_db()
    three.refresh_from_db()
    assert (two.merged_into, three.merged_into) == (None, None)


def test_a_record_merged_anew_stays_where_it_is_when_its_old_company_leaves():
    one, two, three = trio()
    below = merge(two, three)
    above = merge(one, two)
    split(below)
    merge(one, three)
    split(above)
    three.refresh_from_db()
    assert three.merged_into == one


def test_splitting_twice_changes_nothing(heard):
    one, two, _three = trio()
    row = merge(one, two)
    assert split(row).undone_at == split(row).undone_at
    assert [call["why"] for call in heard] == ["person.merged", "person.split"]
    assert merge(one, two) != row


def test_a_provisional_record_is_provisional_again_after_the_split():
    one = make.make_person()
    two = make.make_person(state=PersonState.PROVISIONAL)
    row = merge(one, two)
    split(row)
    two.refresh_from_db()
    assert two.state == PersonState.PROVISIONAL


def test_entered_aliases_outlive_a_merge_with_the_same_name():
    one, two, _three = trio()
    people.add_alias(person=one, text="Neus Fariol", actor=None)
    row = merge(one, two)
    split(row)
    assert aliases(one) == {"Neus Fariol"}


def test_what_forbids_a_merge(monkeypatch):
    one, two, three = trio()
    values = {"reason": "x", "actor": None}
    assert code_of(people.merge_persons, kept=one, dropped=one, **values) == "merge_same"
    assert code_of(people.merge_persons, kept=one, dropped=two, reason=" ", actor=None) == "reason_missing"
    merge(one, two)
    assert code_of(people.merge_persons, kept=three, dropped=two, **values) == "merged_elsewhere"
    assert code_of(people.merge_persons, kept=two, dropped=three, **values) == "merged_elsewhere"
    problem = Problem("two_people", {"round": 2, "event": "Open"})
    monkeypatch.setattr(hooks, "_merge_checks", [lambda kept, dropped: [problem]])
    assert code_of(people.merge_persons, kept=one, dropped=three, **values) == "two_people"
    assert PersonMerge.objects.count() == 1
    three.refresh_from_db()
    assert three.merged_into is None


def test_two_accounts_are_not_merged():
    one, two, three = trio()
    people.set_account(person=three, account=make.make_user(), actor=None)
    merge(two, three)
    people.set_account(person=one, account=make.make_user(), actor=None)
    values = {"reason": "x", "actor": None}
    assert code_of(people.merge_persons, kept=one, dropped=two, **values) == "merge_two_accounts"


def test_a_merged_record_is_closed():
    one, two, _three = trio()
    merge(one, two)
    for write, values in (
        (people.change_person, {"version": two.version, "country": "AD"}),
        (people.confirm_person, {}),
        (people.add_alias, {"text": "x"}),
        (people.add_identifier, {"scheme": "egd", "value": "1"}),
        (people.set_account, {"account": make.make_user()}),
        (people.anonymise_person, {"reason": "x"}),
    ):
        assert code_of(write, person=two, actor=None, **values) == "person_merged"


def test_the_preview_counts_what_moves(monkeypatch):
    one, two, three = trio()
    two.birth_year = 1990
    two.save()
    merge(two, three)
    make.make_entry(make.make_event(), two)
    make.make_entry(make.make_event(), three)
    people.add_identifier(person=two, scheme="egd", value="5", actor=None)
    monkeypatch.setattr(hooks, "_merge_previews", [lambda kept, dropped: [("games", 7)]])
    monkeypatch.setattr(hooks, "_merge_checks", [])
    preview = people.merge_preview(one, two)
    assert [count for _label, count in preview.counts] == [2, 0, 1, 0, 1, 7]
    assert preview.aliases == ["Neus Fariol", "Нэус Фарриол"]
    assert preview.records == [three]
    assert preview.problems == []
    assert [str(text) for text in preview.warnings] == ["The years of birth differ."]


def test_a_failing_listener_undoes_the_merge(monkeypatch):
    def fail(**values):
        raise RuntimeError("no")

    monkeypatch.setattr(hooks, "_facts_listeners", [fail])
    one, two, _three = trio()
    with pytest.raises(RuntimeError):
        people.merge_persons(kept=one, dropped=two, reason="x", actor=None)
    two.refresh_from_db()
    assert two.merged_into is None
    assert not AuditEvent.objects.exists()
    assert not PersonMerge.objects.exists()


def test_anonymising_leaves_no_name_anywhere(monkeypatch, heard):
    forgotten = []
    monkeypatch.setattr(hooks, "_anonymisers", [forgotten.append])
    club = make.make_club()
    one = people.create_person(
        actor=None, given_name="Neus", family_name="Farriol", birth_year=1990, sex="f", contact="neus@example.org",
        note="phone Farriol", club=club, country="AD", aliases=["La Neus"], identifiers=[("egd", "77123")],
        latin_given_name="Neus", latin_family_name="Farriol",
    )  # fmt: skip
    two = people.create_person(actor=None, given_name="Neus", family_name="Fariol", state=PersonState.PROVISIONAL)
    people.set_account(person=one, account=make.make_user(), actor=None)
    one.refresh_from_db()
    people.change_person(person=one, actor=None, version=one.version, family_name="Farriol i Pont")
    entry = make.make_entry(make.make_event(), two)
    merge(one, two, reason="Neus Farriol told us")
    heard.clear()

    people.anonymise_person(person=one, reason="asked by letter", actor=None)

    one.refresh_from_db()
    two.refresh_from_db()
    assert (one.state, two.state, two.merged_into) == (PersonState.ANONYMISED, PersonState.MERGED, one)
    assert one.full_name == two.full_name == f"Anonymous player {one.number}"
    for person in (one, two):
        assert (person.birth_year, person.sex, person.contact, person.note, person.account) == (None, "", "", "", None)
        assert not person.aliases.exists()
        assert not person.identifiers.exists()
    assert (one.club, one.country) == (club, "AD")
    entry.refresh_from_db()
    assert entry.person == two
    assert not PersonalValues.objects.exists()
    assert sorted(forgotten[0]) == sorted([one.pk, two.pk])
    assert heard == []
    kept = [
        str(list(model.objects.filter(**by).values()))
        for model, by in (
            (Person, {}),
            (PersonMerge, {}),
            (AuditEvent, {"object_type": "registry.person"}),
        )
    ]
    text = "".join(kept)
    for word in ("Farriol", "Fariol", "Neus", "1990", "77123", "example.org"):
        assert word not in text


def test_anonymising_twice_is_once_and_nothing_comes_back():
    one, two, three = trio()
    row = merge(one, two)
    for _ in range(2):
        people.anonymise_person(person=one, reason="asked", actor=None)
    assert AuditEvent.objects.filter(action="person.anonymised").count() == 1
    values = {"reason": "x", "actor": None}
    assert code_of(people.split_person, merge=row, **values) == "person_anonymised"
    assert code_of(people.merge_persons, kept=three, dropped=one, **values) == "person_anonymised"
    assert code_of(people.change_person, person=one, actor=None, version=9, country="AD") == "person_anonymised"
    assert code_of(people.anonymise_person, person=three, reason="", actor=None) == "reason_missing"


@pytest.mark.parametrize(
    ("round_of_other", "kind", "allowed"),
    [(1, "played", False), (2, "played", True), (1, "bye", False), (2, "bye", True)],
)
def test_whoever_played_in_one_round_is_two_people(round_of_other, kind, allowed):
    one, other, third = trio()
    event = make.make_event("Obert")
    a, b, c = (make.make_entry(event, person) for person in (one, other, third))
    fourth, fifth = make.make_entry(event), make.make_entry(event)
    make.make_game(a, fourth, round=1)
    if kind == "played":
        make.make_game(fifth, c, round=round_of_other)
    else:
        make.make_game(c, None, None, None, round=round_of_other)
    # The third record plays for the second one, into which it was merged.
    merge(other, third)
    values = {"kept": one, "dropped": other, "reason": "same", "actor": None}
    if allowed:
        assert people.merge_persons(**values).pk
    else:
        assert code_of(people.merge_persons, **values) == "two_people"
    assert b.person == other
