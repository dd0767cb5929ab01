"""Tables: cells, order, pages."""

import time
from decimal import Decimal

import pytest
from django.template import engines
from django.test import RequestFactory
from django.utils.html import format_html

from federation.web.tables import (
    BaremTable,
    Column,
    HalvesColumn,
    LinkColumn,
    NumberColumn,
    PercentColumn,
    SignedColumn,
)


class Ranking(BaremTable):
    rank = NumberColumn("Rank")
    name = LinkColumn("Player", row_header=True, href=lambda record: f"/players/{record['number']}/")
    club = Column("Club", css="mid")
    rating = NumberColumn("BARRUF", css="n fig", initial_sort_descending=True)
    change = SignedColumn("±")
    wins = HalvesColumn("Won", css="n wide")
    share = PercentColumn("Won %", orderable=False)

    class Meta(BaremTable.Meta):
        order_by = "rank"

    def row_class(self, record):
        return "me" if record["number"] == 2 else ""


def rows(count=3):
    return [
        {
            "rank": place,
            "name": f"Pol <{place}>",
            "number": place,
            "club": "Tochka" if place % 2 else None,
            "rating": 1500 - place // 2,
            "change": place - 2,
            "wins": place,
            "share": "0.5",
        }
        for place in range(1, count + 1)
    ]


def table(address="/", count=3, **options):
    return Ranking(rows(count), caption="BARRUF ranking").for_request(RequestFactory().get(address), **options)


def test_cells_are_escaped_and_written_in_the_language(settings):
    html = table().body()
    assert '<th scope="row" class="who"><a href="/players/1/">Pol &lt;1&gt;</a></th>' in html
    assert '<td class="n">−1</td>' in html
    assert '<td class="n wide">0.5</td>' in html
    assert '<td class="mid"></td>' in html
    assert html.count('<tr class="me">') == 1


def test_heads_have_scope_sort_links_and_the_active_order():
    html = table("/?club=egm&page=2").as_html()
    assert '<caption class="vh">BARRUF ranking</caption>' in html
    assert '<th scope="col" class="n" aria-sort="ascending"><a href="?club=egm&amp;sort=-rank">' in html
    assert '<a href="?club=egm&amp;sort=-rating">' in html
    assert html.count("aria-sort") == 1
    assert '<th scope="col" class="n">Won %</th>' in html


def test_first_click_takes_the_useful_direction_and_the_second_turns_it():
    assert 'href="?sort=-change"' in table("/").as_html()
    assert 'href="?sort=change"' in table("/?sort=-change").as_html()
    # Back to the default order the address is plain.
    assert '<a href="?">Rank' in table("/?sort=-rank").as_html()


@pytest.mark.parametrize("bad", ["", "nothing", "-share", "share", "--rank", "rank'", "%00", "a,b,c,d,e"])
def test_unknown_order_leaves_the_default(bad):
    made = table(f"/?sort={bad}")
    assert [record["rank"] for record in made.records] == [1, 2, 3]


def test_equal_values_keep_the_order_given_in_both_directions():
    given = [record["rank"] for record in rows(9)]
    up = [record["rank"] for record in table("/?sort=rating", count=9).records]
    down = [record["rank"] for record in table("/?sort=-rating", count=9).records]
    assert up == sorted(given, key=lambda place: 1500 - place // 2)
    assert down == sorted(given, key=lambda place: place // 2)


def test_missing_values_come_last_in_both_directions():
    for address in ("/?sort=club", "/?sort=-club"):
        assert [record["club"] for record in table(address).records] == ["Tochka", "Tochka", None]


def test_long_list_has_pages_and_a_wild_page_is_the_last():
    html = table("/?page=2", count=250).as_html()
    assert "101–200 of 250" in html
    assert '<a href="?page=3" rel="next">' in html
    assert '<a href="?" rel="prev">' in html
    assert "201–250 of 250" in table("/?page=999", count=250).as_html()
    assert "1–100 of 250" in table("/?page=x", count=250).as_html()


def test_sums_stand_in_the_foot():
    made = Ranking(rows(), sums={"rank": "Sum", "change": 0, "wins": 6}).for_request(RequestFactory().get("/"))
    foot = made.as_html().split("<tfoot>")[1]
    assert '<th scope="row" class="n">Sum</th>' in foot
    assert '<td class="n wide">3</td>' in foot


def test_empty_table_says_why_and_offers_a_way_on():
    class Empty(Ranking):
        empty_detail = "Fewer filters show more."
        empty_links = [("Clear all filters", "?")]

        class Meta(BaremTable.Meta):
            empty_text = "No player matches"

    html = Empty([]).for_request(RequestFactory().get("/")).as_html()
    assert "<table" not in html
    assert "No player matches" in html
    assert '<a class="btn" href="?">Clear all filters</a>' in html


def test_own_render_takes_what_it_names_and_the_export_its_value():
    class Own(BaremTable):
        change = SignedColumn("±")

        def render_change(self, value, record):
            return format_html('<a href="{}">{}</a>', record["why"], value)

        def value_change(self, record):
            return record["change"] * 2

    made = Own([{"change": 3, "why": "/why/?a&b"}])
    assert '<a href="/why/?a&amp;b">3</a>' in made.body()
    assert list(made.export_rows()) == [[6]]


def test_export_has_numbers_not_texts():
    first = next(iter(table().export_rows()))
    assert first == [1, "Pol <1>", "Tochka", 1500, -1, Decimal("0.5"), Decimal("0.5")]


@pytest.mark.benchmark
def test_body_costs_at_most_twice_a_plain_loop():
    loop = engines["django"].from_string(
        "{% load barem %}{% for r in rows %}<tr><td class='n'>{{ r.rank }}</td><th class='who' scope='row'>"
        "<a href='/players/{{ r.number }}/'>{{ r.name }}</a></th><td class='mid'>{{ r.club }}</td>"
        "<td class='n fig'>{{ r.rating }}</td><td class='n'>{{ r.change|signed }}</td>"
        "<td class='n'>{{ r.wins|halves }}</td><td class='n'>{{ r.share|percent }}</td></tr>{% endfor %}"
    )
    data = rows(500)

    def best(make):
        times = []
        for _ in range(10):
            start = time.perf_counter()
            make()
            times.append(time.perf_counter() - start)
        return min(times)

    request = RequestFactory().get("/")
    ours = best(lambda: Ranking(data).for_request(request, per_page=None).as_html())
    assert ours <= 2 * best(lambda: loop.render({"rows": data}))
