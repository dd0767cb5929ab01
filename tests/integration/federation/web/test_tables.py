"""Tables over a query: the order is total, the count of queries does not grow."""

import pytest
from django.test import RequestFactory

from federation.registry.models import Person
from federation.web.exports import export_response
from federation.web.tables import BaremTable, Column, NumberColumn
from tests.factories import make_club, make_person

pytestmark = pytest.mark.django_db


class People(BaremTable):
    number = NumberColumn("Number")
    family_name = Column("Name", row_header=True)
    club = Column("Club", accessor="club__name")
    birth_year = NumberColumn("Born")


def table(address="/", **options):
    return People(Person.objects.select_related("club")).for_request(RequestFactory().get(address), **options)


@pytest.mark.parametrize("sort", ["", "family_name", "-family_name", "club", "-club", "birth_year", "-birth_year"])
def test_order_is_total_in_both_directions(sort):
    club = make_club("Tochka")
    for turn in range(6):
        make_person(
            "Pol", "Estepa", sort_key="same", birth_year=1980 if turn % 2 else None, club=club if turn else None
        )
    made = table(f"/?sort={sort}")
    keys = [person.pk for person in made.records]
    assert sorted(keys) == sorted(Person.objects.values_list("pk", flat=True))
    assert made.data.data.query.order_by[-1] == "pk"
    if "birth_year" in sort:
        years = [person.birth_year for person in made.records]
        assert years == [1980, 1980, 1980, None, None, None]
        assert keys[:3] == sorted(keys[:3])


@pytest.mark.parametrize("count", [1, 3])
def test_one_query_for_the_count_and_one_for_the_page(django_assert_num_queries, count):
    for _ in range(count):
        make_person(club=make_club())
    with django_assert_num_queries(2):
        html = table("/?sort=club", per_page=2).as_html()
    assert html.count("<tr>") == min(count, 2) + 1


def test_export_of_a_query_is_read_in_pieces_and_has_all_rows(django_assert_num_queries):
    for _ in range(5):
        make_person(club=make_club("") if _ else None)
    request = RequestFactory().get("/?format=csv&page=2&sort=number")
    made = People(Person.objects.select_related("club")).for_request(request, per_page=2)
    with django_assert_num_queries(1):
        content = b"".join(export_response(request, table=made, filename="people").streaming_content)
    lines = content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Number,Name,Club,Born"
    assert len(lines) == 6
