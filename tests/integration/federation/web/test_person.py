"""The page of a person."""

import pytest
from django.utils import timezone

from federation.web.menu import Part
from tests.factories import make_club, make_person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("count", [1, 3])
def test_query_count_does_not_grow(visitor, django_assert_num_queries, count):
    person = make_person(club=make_club())
    for _ in range(count):
        make_person(state="merged", merged_into=person)
    # Settings, the person, other numbers.
    with django_assert_num_queries(3):
        assert visitor.get(f"/players/{person.number}/").status_code == 200


def test_facts_and_sections(visitor, bare_menu):
    person = make_person("Neus", "Farriol i Pont", club=make_club("Ela Geminada", town="Portvell"))
    spark = {"path": f"M{person.number}", "x": "1", "y": "1"}
    bare_menu.register_person_section(lambda request, who: Part("web/_spark.html", {"spark": spark}))
    bare_menu.register_person_section(lambda request, who: None)
    page = visitor.get(f"/players/{person.number}/").content.decode()
    assert "<h1>Neus Farriol i Pont</h1>" in page
    assert "Ela Geminada" in page
    assert f'd="M{person.number}"' in page
    assert "noindex" not in page


def test_merged_number_redirects_for_good_and_keeps_the_query(visitor):
    kept = make_person(number=102)
    make_person(number=103, state="merged", merged_into=kept)
    response = visitor.get("/players/103/?sort=-rating")
    assert (response.status_code, response["Location"]) == (301, "/players/102/?sort=-rating")


@pytest.mark.parametrize("number", [1, 2_147_483_648, 10**30])
def test_unknown_number_is_not_found(visitor, number):
    response = visitor.get(f"/players/{number}/")
    assert response.status_code == 404
    assert "No player has this number." in response.content.decode()


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"publication": "hidden"}, "Player 102"),
        ({"state": "anonymised"}, "Anonymous player 102"),
        ({"publication": "initials"}, "N. F."),
        ({"birth_year": "minor"}, "N. F."),
    ],
)
def test_name_follows_the_rule_of_publication(visitor, fields, shown):
    if fields.get("birth_year") == "minor":
        fields = {"birth_year": timezone.localdate().year - 10}
    make_person("Neus", "Farriol", number=102, club=make_club("Ela Geminada"), **fields)
    page = visitor.get("/players/102/").content.decode()
    assert f"<h1>{shown}</h1>" in page
    assert "Farriol" not in page
    assert '<meta name="robots" content="noindex">' in page
    assert ("Ela Geminada" in page) == (shown == "N. F.")
