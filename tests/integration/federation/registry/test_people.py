"""Services on persons."""

import pytest

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Identifier, Person, PersonalValues, PersonNumber, PersonState
from federation.registry.queries.categories import in_category
from federation.registry.queries.people import (
    doubtful_people,
    people_index,
    people_matching,
    person_of,
)
from federation.registry.services import people
from federation.registry.services.accounts import describe_person, tie_account
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture
def officer():
    return make.make_user("officer", roles=("registry_officer",), first_name="Ona", last_name="Prat")


def create(actor=None, given="Gal·la", family="d'Estepa-Prat", **fields):
    return people.create_person(actor=actor, given_name=given, family_name=family, **fields)


def refused(code, write, **values):
    with pytest.raises(RuleError) as caught:
        write(**values)
    assert caught.value.code == code
    assert explain(caught.value) != code
    return caught.value


def test_a_person_gets_the_next_number_and_a_record(officer):
    first, second = create(officer), create(officer, family="Om")
    assert second.number > first.number
    assert (first.state, first.version) == (PersonState.CONFIRMED, 0)
    record = AuditEvent.objects.get(action="person.created", object_id=str(first.pk))
    assert (record.actor, record.object_type, record.object_label) == (officer, "registry.person", str(first.number))


def test_a_number_is_never_given_again(officer):
    first = create(officer)
    number = first.number
    people.delete_person(person=first, actor=officer)
    assert create(officer).number > number


def test_numbers_brought_along_are_passed_over():
    last = PersonNumber.objects.create().pk
    Person.objects.create(number=last + 1, family_name="Font")
    Person.objects.create(number=last + 3, family_name="Font")
    assert people.reserve_numbers(2) == [last + 2, last + 4]


def test_provisional_persons_take_their_numbers_from_the_same_sequence():
    one, other = create(state=PersonState.PROVISIONAL), create()
    assert other.number == one.number + 1
    assert one.state == PersonState.PROVISIONAL


def test_names_are_cleaned_and_keyed():
    row = create(given="  Вера ", family="Осинцева\n", latin_given_name="Vera", latin_family_name="Ossinzewa")
    assert (row.given_name, row.family_name) == ("Вера", "Осинцева")
    assert row.fold_key == "osintseva ossinzewa vera"
    assert row.sort_key == create(given="Vera", family="Ossinzewa").sort_key
    assert create(given="Gal·la", family="Prat").fold_key == "galla prat"


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("name_missing", {"family": " "}),
        ("value_invalid", {"birth_year": 1800}),
        ("value_invalid", {"country": "España"}),
        ("value_invalid", {"publication": "loud"}),
        ("value_invalid", {"sex": "q"}),
        ("value_invalid", {"given": "x" * 81}),
        ("value_invalid", {"state": "merged"}),
        ("field_unknown", {"number": 7}),
        ("identifier_invalid", {"identifiers": [("egd", "1 2")]}),
        ("value_invalid", {"identifiers": [("fide", "12")]}),
        ("name_missing", {"aliases": [" "]}),
    ],
)
def test_what_cannot_be_entered_leaves_nothing(code, fields):
    refused(code, create, **fields)
    assert not Person.objects.exists()
    assert not AuditEvent.objects.exists()


def test_a_change_is_recorded_without_its_personal_values(officer):
    row = create(officer, birth_year=1990)
    changed = people.change_person(
        person=row, actor=officer, version=0, family_name="Om", birth_year=1991, country="ad"
    )
    assert (changed.version, changed.country, changed.fold_key) == (1, "AD", "galla om")
    record = AuditEvent.objects.get(action="person.changed")
    assert record.after["country"] == "AD"
    assert "Om" not in str(record.after)
    assert "1991" not in str(record.after)
    values = PersonalValues.objects.get(audit_event=record)
    assert values.before == {"family_name": "d'Estepa-Prat", "birth_year": 1990}
    assert values.after == {"family_name": "Om", "birth_year": 1991}


def test_the_same_change_twice_is_one(officer):
    row = create(officer)
    for _ in range(2):
        people.change_person(person=row, actor=officer, version=0, country="AD")
    assert AuditEvent.objects.filter(action="person.changed").count() == 1


def test_a_stale_form_says_who_changed_what(officer):
    row = create(officer)
    people.change_person(person=row, actor=officer, version=0, country="AD")
    error = refused("stale", people.change_person, person=row, actor=None, version=0, contact="x")
    assert (error.params["who"], error.params["what"]) == ("Ona Prat", "country")
    row.refresh_from_db()
    assert row.contact == ""


def test_confirming(officer):
    row = create(state=PersonState.PROVISIONAL)
    for _ in range(2):
        people.confirm_person(person=row, actor=officer)
    row.refresh_from_db()
    assert row.state == PersonState.CONFIRMED
    assert AuditEvent.objects.filter(action="person.confirmed").count() == 1


def test_a_taken_identifier_says_whose_it_is():
    owner = create(given="Neus", family="Farriol", identifiers=[("egd", "12")])
    other = create()
    error = refused("identifier_taken", people.add_identifier, person=other, scheme="egd", value="12", actor=None)
    assert explain(error) == f"EGD 12 already belongs to Neus Farriol, number {owner.number}."
    assert people.add_identifier(person=owner, scheme="egd", value="12", actor=None).person == owner
    assert Identifier.objects.count() == 1


def test_a_taken_identifier_of_a_merged_record_names_the_one_that_counts():
    owner, dropped = create(given="Neus", family="Farriol"), create(identifiers=[("egd", "12")])
    people.merge_persons(kept=owner, dropped=dropped, reason="same", actor=None)
    error = refused("identifier_taken", people.add_identifier, person=create(), scheme="egd", value="12", actor=None)
    assert error.params["number"] == owner.number


def test_aliases_and_identifiers_come_and_go(officer):
    row = create(officer)
    alias = people.add_alias(person=row, text="La  Gal·la", actor=officer)
    assert (alias.text, alias.fold_key) == ("La Gal·la", "galla la")
    assert people.add_alias(person=row, text="La Gal·la", actor=officer) == alias
    identifier = people.add_identifier(person=row, scheme="wespa", value="77", actor=officer)
    people.remove_alias(alias=alias, actor=officer)
    people.remove_identifier(identifier=identifier, actor=officer)
    people.remove_identifier(identifier=identifier, actor=officer)
    assert not row.aliases.exists()
    assert not row.identifiers.exists()
    actions = AuditEvent.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == [
        "person.created",
        "person.alias_added",
        "person.identifier_added",
        "person.alias_removed",
        "person.identifier_removed",
    ]


def test_a_person_with_facts_is_not_deleted():
    row = create()
    make.make_entry(make.make_event(), row)
    refused("person_has_facts", people.delete_person, person=row, actor=None)
    assert Person.objects.filter(pk=row.pk).exists()


def test_accounts_are_tied_once(officer):
    one, other, account = create(), create(), make.make_user()
    people.set_account(person=one, account=account, actor=officer)
    people.set_account(person=one, account=account, actor=officer)
    assert person_of(account) == one
    refused("account_taken", people.set_account, person=other, account=account, actor=officer)
    refused("person_has_account", people.set_account, person=one, account=make.make_user(), actor=officer)
    people.set_account(person=one, account=None, actor=officer)
    assert person_of(account) is None


def test_an_invitation_ties_the_account_to_the_record_that_counts():
    kept, dropped, account = create(given="Neus", family="Farriol"), create(), make.make_user()
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    assert describe_person(dropped.number) == "Neus Farriol"
    tie_account(account, dropped.number)
    assert person_of(account) == kept
    refused("person_has_account", describe_person, number=kept.number)
    error = refused("person_unknown", describe_person, number=987654)
    assert explain(error) == "There is no person with number 987654."
    people.anonymise_person(person=kept, reason="asked", actor=None)
    refused("person_anonymised", tie_account, account=account, number=kept.number)


@pytest.mark.parametrize(
    "text",
    ["galla", "GAL·LA destepa", "prat gal", "d'estepa", "Estepa", "Галла", "nana", "77x"],
)
def test_people_are_found_whatever_the_writing(text):
    row = create(given="Gal·la", family="d'Estepa Prat", aliases=["Nana Estepa"], identifiers=[("wespa", "77X")])
    create(given="Pol", family="Om")
    assert list(people_matching(text)) == [row]


def test_people_are_found_by_number_and_across_scripts():
    row = create(given="Вера", family="Осинцева")
    assert list(people_matching(str(row.number))) == [row]
    assert list(people_matching("osintseva vera")) == [row]
    assert not people_matching("99999999999999999999")
    assert not people_matching("---")
    assert people_matching("").count() == 1


def test_the_index_knows_names_and_aliases(django_assert_num_queries):
    row = create(
        given="Вера", family="Осинцева", latin_given_name="Vera", latin_family_name="Osintseva", aliases=["V O"]
    )
    with django_assert_num_queries(2):
        index = people_index()
    for name in ("вера осинцева", "VERA OSINTSEVA", "v o"):
        assert [candidate.key for candidate in index.with_spelling(name)] == [row.pk]


@pytest.mark.parametrize("count", [1, 3])
def test_doubtful_persons_come_with_suggestions(count, django_assert_num_queries):
    known = create(given="Neus", family="Farriol")
    waiting = [create(given="Neus", family="Fariol", state=PersonState.PROVISIONAL) for _ in range(count)]
    with django_assert_num_queries(4):
        rows = doubtful_people()
    assert [row.person for row in rows] == waiting
    assert known in [person for person, _found in rows[0].suggestions]
    assert waiting[0] not in [person for person, _found in rows[0].suggestions]


@pytest.mark.parametrize(
    ("birth_year", "junior", "senior"),
    [(2008, True, False), (2007, False, False), (1967, False, False), (1966, False, True), (None, False, False)],
)
def test_categories_follow_the_year(birth_year, junior, senior):
    row = create(birth_year=birth_year)
    found = {
        name for name in ("junior", "senior") if Person.objects.filter(in_category(name, 2026), pk=row.pk).exists()
    }
    assert found == {name for name, holds in (("junior", junior), ("senior", senior)) if holds}


@pytest.mark.parametrize(("sex", "women"), [("f", True), ("m", False), ("x", False), ("", False)])
def test_the_category_of_women(sex, women):
    row = create(sex=sex)
    assert Person.objects.filter(in_category("women", 2026), pk=row.pk).exists() is women
