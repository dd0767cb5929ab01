"""The search: any spelling, order and script; never more names than the pages show."""

from datetime import date
from urllib.parse import quote

import pytest
from django.utils import timezone

from federation.web.menu import Hit
from tests.factories import make_club, make_event, make_person, make_user

pytestmark = pytest.mark.django_db


def found(client, query):
    return client.get("/search/", {"q": query}).content.decode()


@pytest.mark.parametrize("query", ["farriol", "FARRIOL neus", "Pont Far", "neus i pont", "fàrriol", "102", "#102"])
def test_person_by_any_spelling_and_by_number(visitor, query):
    make_person("Neus", "Farriol i Pont", number=102)
    assert '<a href="/players/102/">Neus Farriol i Pont</a>' in found(visitor, query)


@pytest.mark.parametrize("query", ["осинцева", "Osintseva", "vera osint"])
def test_person_in_any_alphabet_under_the_name_of_the_language(visitor, query):
    person = make_person("Вера", "Осинцева", latin_given_name="Vera", latin_family_name="Osintseva")
    assert f'<a href="/players/{person.number}/">Vera Osintseva</a>' in found(visitor, query)


@pytest.mark.parametrize("query", ["Fariol", "neus fariol", "Ferriol", "farriol pere"])
def test_no_match_names_who_is_close(visitor, query):
    make_person("Neus", "Farriol i Pont", number=102)
    page = found(visitor, query)
    assert "Nothing in the register matches" in page
    assert (">Neus Farriol i Pont</a>" in page) == (query != "farriol pere")


def test_club_and_event_without_accents(visitor):
    make_club("Faristol de Llevant", town="Portvell")
    make_event("Trofeu Ela Geminàda", starts_on=date(2026, 4, 18))
    assert "Faristol de Llevant" in found(visitor, "llevant")
    page = found(visitor, "geminada 2026")
    assert "Trofeu Ela Geminàda" in page
    assert "18 April 2026" in page


def test_names_not_published_in_full_are_found_by_number_only(visitor, client):
    year = timezone.localdate().year
    make_person("Nil", "Petit", number=7, birth_year=year - 12)
    make_person("Ona", "Amagada", number=8, publication="hidden")
    make_person("Pol", "Inicial", number=9, publication="initials")
    for query in ("petit", "amagada", "inicial", "petet", "amagadda"):
        page = found(visitor, query)
        assert "/players/" not in page
    for number in (7, 8, 9):
        page = found(visitor, str(number))
        assert f'href="/players/{number}/"' in page
        assert not any(name in page for name in ("Petit", "Amagada", "Inicial"))
    client.force_login(make_user(roles=("registry_officer",)))
    assert "/players/7/" in found(client, "petit")


def test_merged_number_leads_to_the_kept_record(visitor):
    kept = make_person("Neus", "Farriol", number=102)
    make_person("Neus", "Fariol", number=103, merged_into=kept, state="merged")
    assert 'href="/players/102/"' in found(visitor, "103")


@pytest.mark.parametrize(
    "query", ["", " ", "'", '"', "<script>", "%", "\\", "\x00", "a" * 5000, "😀", "-", "=1+1", "9" * 40, "ŀ·l", "Ⅷ"]
)
def test_never_fails(visitor, query):
    response = visitor.get(f"/search/?q={quote(query)}")
    assert response.status_code == 200
    assert "<script>" not in response.content.decode().split("<main")[1]


def test_more_than_ten_are_counted_and_reached(visitor):
    for turn in range(12):
        make_person("Pol", f"Estepa {turn:02}")
    page = found(visitor, "estepa")
    assert "12 matches" in page
    assert '<a href="?q=estepa&amp;kind=person">All 12</a>' in page
    assert visitor.get("/search/?q=estepa&kind=person").content.decode().count('href="/players/') == 12


def test_hits_of_the_games_join_and_do_not_repeat(visitor, bare_menu):
    make_person("Neus", "Farriol", number=102)
    bare_menu.register_search(
        lambda query, language, limit: [
            Hit("list", "BARRUF list 8", "/l/8/", "30 April 2026", "scrabble"),
            Hit("person", "Neus Farriol", "/players/102/"),
        ]
    )
    page = found(visitor, "farriol")
    assert page.count('href="/players/102/"') == 1
    assert 'href="/l/8/"' in page


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_does_not_grow(visitor, django_assert_num_queries, count):
    for turn in range(count):
        make_person("Pol", f"Estepa {turn}")
        make_club(f"Estepa {turn}")
        make_event(f"Estepa {turn}")
    # Settings, people, clubs, names of events, the events found.
    with django_assert_num_queries(5):
        visitor.get("/search/?q=estepa")
