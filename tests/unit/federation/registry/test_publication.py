"""Names in public."""

import pytest
import time_machine

from federation.registry.models import Club, FederationSettings, Person, PersonState, Publication
from federation.registry.publication import public_name, short_name


@pytest.fixture(autouse=True)
def _in_2026(monkeypatch):
    monkeypatch.setattr(FederationSettings, "adult_age_in_force", 18)
    with time_machine.travel("2026-04-18T12:00:00Z", tick=False):
        yield


def person(**fields):
    values = {"number": 395, "given_name": "Вера", "family_name": "Осинцева", "birth_year": 1980}
    values |= {"latin_given_name": "Vera", "latin_family_name": "Osintseva"}
    return Person(**{**values, **fields})


@pytest.mark.parametrize("language", ["en", "ca", "it", "ro"])
def test_latin_pages_show_the_latin_form(language):
    assert public_name(person(), language) == "Vera Osintseva"


def test_russian_pages_show_the_own_script():
    assert public_name(person(), "ru") == "Вера Осинцева"


def test_without_a_latin_form_the_name_is_shown_as_it_is():
    row = person(given_name="Gal·la", family_name="d'Estepa", latin_given_name="", latin_family_name="")
    assert public_name(row, "en") == "Gal·la d'Estepa"
    assert short_name(row, "en") == "G. d'Estepa"


@pytest.mark.parametrize(
    ("birth_year", "shown"),
    [(None, "Vera Osintseva"), (2007, "Vera Osintseva"), (2008, "V. O."), (2012, "V. O.")],
)
def test_minors_are_initials_until_the_end_of_the_year_they_come_of_age(birth_year, shown):
    assert public_name(person(birth_year=birth_year), "en") == shown


def test_a_minor_may_be_shown_in_full_if_so_entered():
    assert public_name(person(birth_year=2012, publication=Publication.FULL), "en") == "Vera Osintseva"


def test_initials_and_hidden():
    assert public_name(person(publication=Publication.INITIALS), "ru") == "В. О."
    assert public_name(person(publication=Publication.HIDDEN), "en") == "Player 395"
    assert short_name(person(publication=Publication.INITIALS), "en") == "V. O."


def test_a_provisional_person_is_shown_like_any_other():
    assert public_name(person(state=PersonState.PROVISIONAL), "en") == "Vera Osintseva"


def test_an_anonymised_person_has_only_a_number():
    row = person(state=PersonState.ANONYMISED, publication=Publication.FULL)
    assert public_name(row, "en") == short_name(row, "en") == "Anonymous player 395"


def test_names_cost_no_query():
    # No database is allowed in unit tests: a query would raise.
    assert public_name(person(club=Club(pk=1, name="EGM")), "en") == "Vera Osintseva"


def test_the_age_of_the_settings_counts(monkeypatch):
    monkeypatch.setattr(FederationSettings, "adult_age_in_force", 16)
    assert public_name(person(birth_year=2009), "en") == "Vera Osintseva"
