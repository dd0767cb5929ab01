"""What the public must not learn from any page: names not published in full, their clubs, sex, year of birth."""

import re

import pytest

from federation.registry.models import Person
from tests.factories import make_club, make_person

from .test_ranking_page import text_of

#: How a person may be kept from the full name.
KEPT = {
    "hidden": {"publication": "hidden"},
    "initials": {"publication": "initials"},
    "minor": {"birth_year": 2012},
    "anonymised": {"state": "anonymised"},
}
SECRETS = ("Zebedeu", "Aaronet", "1987654", "secret@example.org")


def keep(person: Person, kind: str) -> Person:
    """Give a person a name of its own, contact data, and the rule."""
    values = {"given_name": "Zebedeu", "family_name": "Aaronet", "contact": "secret@example.org", **KEPT[kind]}
    values |= {"latin_given_name": "", "latin_family_name": "", "sort_key": "0a", "fold_key": "aaronet zebedeu"}
    Person.objects.filter(pk=person.pk).update(**values)
    person.refresh_from_db()
    return person


def addresses(client, number: int) -> list[str]:
    """Every address that the public pages lead to within two clicks, exports too."""
    found = {"/", "/clubs/", "/calendar/?year=2026", "/calendar.ics", "/feed/", "/search/?q=aaronet", "/robots.txt"}
    found |= {f"/search/?q={number}", f"/players/{number}/", f"/scrabble/players/{number}/", "/search/?q=zebe"}
    for _click in range(2):
        for address in sorted(found):
            response = client.get(address, follow=True)
            if response["Content-Type"].startswith("text/html"):
                links = re.findall(r'href="(/[^"#]*|\?[^"#]*)', response.content.decode())
                base = response.wsgi_request.path
                found |= {
                    (base + link if link.startswith("?") else link).replace("&amp;", "&")
                    for link in links
                    if "lang=" not in link and "/static/" not in link and "/account/" not in link
                }
    return sorted(found)


@pytest.mark.parametrize("kind", KEPT)
def test_no_page_and_no_export_tells_a_name_that_is_not_public(client, example, kind):
    person = keep(example.hero, kind)
    seen = addresses(client, person.number)
    assert len(seen) > 60
    assert {"format=csv", "format=json"} <= {address.rpartition("?")[2] for address in seen}
    for address in seen:
        response = client.get(address, follow=True)
        assert response.status_code in (200, 404), address
        if "spreadsheetml" in response["Content-Type"]:
            continue
        text = text_of(response) + str(response.headers)
        if "/search/?q=" in address:
            # The words of a search stand on its page; nobody is found by them.
            assert not address.endswith(("aaronet", "zebe")) or 'href="/players/' not in text, address
            continue
        for secret in SECRETS:
            assert secret.casefold() not in text.casefold(), address


@pytest.mark.parametrize("kind", KEPT)
@pytest.mark.parametrize("sort", ["player", "-player"])
def test_the_alphabet_does_not_place_who_is_not_named(client, season, kind, sort):
    first = Person.objects.order_by("sort_key").filter(pk__in=[person.pk for person in season.people[:30]])[0]
    person = keep(first, kind)
    names = [row.person_id for row in _rows(client, f"/scrabble/lists/2025-26/4/?state=ranked&sort={sort}")]
    assert names[-1] == person.pk
    middle = Person.objects.filter(pk__in=names[:-1])
    expected = [one.pk for one in middle.order_by("sort_key", "pk")]
    assert names[:-1] == (expected if sort == "player" else expected[::-1])


@pytest.mark.parametrize("kind", ["hidden", "anonymised"])
@pytest.mark.parametrize("sort", ["club", "-club"])
def test_the_order_of_clubs_does_not_place_who_has_none(client, season, kind, sort):
    address = f"/scrabble/lists/2025-26/4/?state=ranked&sort={sort}"
    person = keep(_rows(client, address)[3].person, kind)
    rows = _rows(client, address)
    assert rows[-1].person_id == person.pk


def _rows(client, address):
    table = client.get(address).context["table"]
    return list(table.records)


@pytest.mark.parametrize("kind", KEPT)
def test_a_club_names_only_who_is_named(client, db, kind):
    club = make_club("Ela Geminada")
    other = make_person("Berta", "Zamora", club=club)
    person = keep(make_person("Pol", "Oponent", club=club), kind)
    page = client.get(f"/clubs/{club.slug}/").content.decode()
    numbers = [int(number) for number in re.findall(r'href="/players/(\d+)/"', page)]
    shown = KEPT[kind].get("publication") == "initials" or "birth_year" in KEPT[kind]
    assert numbers == [other.number, *([person.number] if shown else [])]
    assert f"{1 + shown} person" in page


def test_who_is_nameless_is_found_by_number_without_a_club(client, db):
    for kind in ("hidden", "anonymised"):
        person = keep(make_person("Pol", f"Oponent {kind}", club=make_club(f"Club {kind}")), kind)
        assert f"Club {kind}" not in client.get(f"/search/?kind=person&q={person.number}").content.decode()


@pytest.mark.parametrize("category", ["junior", "senior"])
def test_editions_of_the_past_do_not_tell_when_somebody_came_of_age(client, season, category):
    Person.objects.filter(pk=season.people[0].pk).update(birth_year=1965)
    old = client.get(f"/scrabble/lists/2023-24/1/?category={category}")
    assert [row.pk for row in old.context["table"].records] == [
        row.pk for row in client.get("/scrabble/lists/2023-24/1/").context["table"].records
    ]
    assert f'value="{category}"' not in old.content.decode()
    assert f'value="{category}"' in client.get("/scrabble/lists/2025-26/4/").content.decode()


def test_the_year_of_birth_and_the_sex_are_on_no_page(client, example):
    Person.objects.filter(pk=example.hero.pk).update(birth_year=1961, note="fragile", contact="secret@example.org")
    for address in addresses(client, example.hero.number):
        response = client.get(address, follow=True)
        if "spreadsheetml" not in response["Content-Type"]:
            text = text_of(response)
            assert not {"1961", "fragile", "secret@example.org"} & set(re.findall(r"[\w@.]+", text)), address
