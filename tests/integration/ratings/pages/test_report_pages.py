"""Lists, differences, errata, season reports, records, rules, calculator, and what the shell shows of scrabble."""

import json

import pytest
from django.urls import reverse

from federation.web import menu
from ratings.models import Erratum

from .test_ranking_page import text_of

CALCULATOR = "/scrabble/rules/calculator/"
EXAMPLE = {
    "rating": "1100",
    "games": "45",
    "opponents": "1200 1\n1140 1\n1100 1\n1050 1\n1000 0\n950 0",
}


@pytest.mark.parametrize("language", ["en", "ca"])
@pytest.mark.parametrize(
    "address",
    [
        "/scrabble/lists/",
        "/scrabble/lists/difference/?a=1&b=2",
        "/scrabble/errata/",
        "/scrabble/seasons/2025-26/",
        "/scrabble/records/",
        "/scrabble/records/?season=2025-26",
        "/scrabble/rules/",
        "/scrabble/rules/?rules=sheet-1",
        CALCULATOR,
        "/",
        "/search/?q=2025-26",
    ],
)
def test_pages_answer(client, corrected, language, address):
    assert client.get(address, headers={"accept-language": language}).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        "/scrabble/lists/difference/?a=1&b=99",
        "/scrabble/lists/difference/?a=x",
        "/scrabble/lists/difference/",
        "/scrabble/errata/1999-01/",
        "/scrabble/seasons/1999-00/",
        "/scrabble/seasons/%00/",
        "/scrabble/seasons/2025–26/",
        "/scrabble/errata/%00/",
        "/scrabble/rules/?rules=nothing-1",
        "/scrabble/players/101/?list=x",
    ],
)
def test_what_does_not_exist_helps_on(client, example, address):
    response = client.get(address)
    assert response.status_code == 404
    assert '<ul class="plain">' in text_of(response)


def test_the_difference_gives_every_movement_its_reason(client, season):
    data = json.loads(text_of(client.get("/scrabble/lists/difference/?a=2&b=3&all=1&format=json")))
    codes = {row["reason_code"] for row in data["rows"]}
    assert codes <= {"played", "first_list", "became_ranked", "came_back", "turned_inactive", "others_moved"}
    assert "played" in codes
    text = text_of(client.get("/scrabble/lists/difference/?a=2&b=3"))
    assert "new games" in text
    assert "first time on the list" in text


def test_an_erratum_tells_who_moved_and_keeps_the_first_version(client, corrected):
    number = Erratum.objects.get().number
    text = text_of(client.get(reverse("scrabble-erratum", args=[number])))
    for part in (
        "One game was entered the wrong way round.",
        "<del>1116</del>",
        "<ins>1096</ins>",
        "/scrabble/lists/2025-26/1/",
        "/scrabble/lists/2025-26/2/",
        "results secretary",
    ):
        assert part in text
    assert number in text_of(client.get("/scrabble/errata/"))


def test_queries_of_an_erratum(client, corrected, django_assert_max_num_queries):
    address = reverse("scrabble-erratum", args=[Erratum.objects.get().number])
    client.get(address)
    with django_assert_max_num_queries(14):
        client.get(address)


@pytest.mark.parametrize(("name", "lists"), [("example", 1), ("season", 4)])
def test_the_page_of_all_lists_has_constant_queries(client, request, django_assert_num_queries, name, lists):
    request.getfixturevalue(name)
    client.get("/scrabble/lists/")
    # System, editions.
    with django_assert_num_queries(2):
        text = text_of(client.get("/scrabble/lists/"))
    assert text.count('<th class="who" scope="row">') == lists


@pytest.mark.parametrize(("name", "rows"), [("example", 1), ("season", 7)])
def test_records_have_constant_queries(client, request, django_assert_num_queries, name, rows):
    request.getfixturevalue(name)
    client.get("/scrabble/records/")
    # System, seasons, games, rises, highest ratings, their people.
    with django_assert_num_queries(6):
        text = text_of(client.get("/scrabble/records/"))
    assert text.count("<tr>") > rows


@pytest.mark.parametrize("pair", [(1, 2), (3, 4)])
def test_the_difference_has_constant_queries(client, season, django_assert_num_queries, pair):
    address = f"/scrabble/lists/difference/?a={pair[0]}&b={pair[1]}&all=1"
    client.get(address)
    with django_assert_num_queries(12):
        assert client.get(address).status_code == 200


def test_a_season_report(client, season):
    text = text_of(client.get("/scrabble/seasons/2025-26/"))
    for part in ("Podium", "Largest gains in points", "Newcomers", "Gone inactive", "Titles gained and lost"):
        assert part in text
    assert "Report of the closed season" in text_of(client.get("/scrabble/seasons/2024-25/"))


def test_a_season_without_a_list_says_so(client, example):
    assert "No list of this season is published yet" in text_of(client.get("/scrabble/seasons/2024-25/"))


@pytest.mark.parametrize("name", ["season", "example"])
def test_queries_of_a_report_do_not_grow(client, request, django_assert_max_num_queries, name):
    request.getfixturevalue(name)
    client.get("/scrabble/seasons/2025-26/")
    with django_assert_max_num_queries(8):
        client.get("/scrabble/seasons/2025-26/")


class TestTheRules:
    """The rule page is rendered from the rule set."""

    def test_the_example_is_computed(self, client, db):
        text = text_of(client.get("/scrabble/rules/"))
        assert "0.35 + 0.45 + 0.50 + 0.55 + 0.65 + 0.70 = <b>3.20</b>" in text
        assert "1100 + 0.80 · 20 = 1100 + 16 = <b>1116</b>" in text

    def test_the_deviation_from_the_printed_page_is_said(self, client, db):
        text = " ".join(text_of(client.get("/scrabble/rules/")).split())
        assert "the page of the federation prints .60 in its example; this site takes 0.55" in text

    def test_table_bands_and_titles(self, client, db):
        text = text_of(client.get("/scrabble/rules/"))
        for part in ('<td class="n">465</td>', "1500 to 1999", "2000 and more", "gran gran mestre", "999"):
            assert part in text

    def test_sheet_shows_the_curve(self, client, db):
        text = text_of(client.get("/scrabble/rules/?rules=sheet-1"))
        assert "E = Φ(d / 283.84)" in text
        assert "3.2153" in text
        assert "<b>1116</b>" in text
        assert "any rating" in text


class TestTheCalculator:
    """A plain form whose address holds the calculation."""

    def test_the_worked_example(self, client, db):
        text = text_of(client.get(CALCULATOR, EXAMPLE))
        for part in ("3.20", "+0.80", "<b>20</b>", "+16 points", "<b>1116</b>"):
            assert part in text

    def test_by_the_sheet(self, client, db):
        text = text_of(client.get(CALCULATOR, {**EXAMPLE, "rules": "sheet-1"}))
        assert "3.2153" in text
        assert "15.69" in text

    def test_draws_and_other_ways_to_write(self, client, db):
        text = text_of(client.get(CALCULATOR, {**EXAMPLE, "opponents": "1100;½\n1100\t0,5\n−20 1\n1100 ="}))
        assert "<b>1100</b>" in text

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"opponents": "1200 1\nhello"}, "Line 2: write the opponent’s BARRUF"),
            ({"opponents": "1200 7"}, "Line 1: “7” is not a result"),
            ({"opponents": "99999 1"}, "Line 1: “99999” is not a BARRUF"),
            ({"opponents": "1200 1\n" * 101}, "takes up to 100"),
            ({"opponents": " \n "}, "This field is required"),
            ({"opponents": "x" * 3000}, "at most 2000 characters"),
            ({"rating": "12 hundred"}, "Enter a whole number"),
            ({"rating": "999999999999999999999999"}, "less than or equal to 10000"),
            ({"games": "-1"}, "greater than or equal to 0"),
            ({"rating": ""}, "This field is required"),
        ],
    )
    def test_every_fault_is_named(self, client, db, change, message):
        response = client.get(CALCULATOR, {**EXAMPLE, **change})
        assert response.status_code == 422
        assert message in text_of(response)

    def test_nothing_is_executed_of_what_is_typed(self, client, db):
        text = text_of(client.get(CALCULATOR, {**EXAMPLE, "opponents": "<script>alert(1)</script> 1"}))
        assert "<script>alert" not in text


class TestTheShell:
    """Home, person, feed and search know scrabble."""

    def test_home(self, client, corrected):
        text = text_of(client.get("/"))
        for part in ("BARRUF list 2, as of 30 April 2026", "Worked Example", "Erratum"):
            assert part in text

    @pytest.mark.parametrize("name", ["example", "season"])
    def test_queries_of_home(self, client, request, django_assert_max_num_queries, name):
        request.getfixturevalue(name)
        client.get("/")
        with django_assert_max_num_queries(16):
            client.get("/")

    def test_the_person(self, client, example):
        text = text_of(client.get(f"/players/{example.hero.number}/"))
        assert "1116" in text
        assert f"/scrabble/events/worked-example/why/{example.hero.number}/" in text

    def test_the_feed(self, client, corrected):
        text = text_of(client.get(reverse("feed")))
        assert "BARRUF list 1" in text
        assert "Erratum" in text

    def test_lists_are_found(self, client, example):
        assert "/scrabble/lists/2025-26/1/" in text_of(client.get("/search/?q=2025-26"))

    def test_the_menu_leads_to_the_ranking(self, db):
        entry = next(one for one in menu.disciplines() if one.code == "scrabble")
        assert entry.url_name == "scrabble-ranking"
        assert all(reverse(name) for _label, name in entry.subnav)
