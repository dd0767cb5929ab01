"""The ranking: both parts, filters, sorting, pages, exports, constant queries."""

import csv
import io
import json

import pytest
from django.urls import reverse

from federation.registry.models import Person
from ratings.models import ListRow, RatingSystem, RuleSet
from tests.factories import make_person, make_user

from .site import example_site

LIST = "/scrabble/lists/2025-26/1/"
#: System, edition, editions to choose, clubs, errata, events since, rows.
LIST_QUERIES = 7
#: The same, and counts by state of the rows chosen.
FILTERED_QUERIES = 8


def text_of(response) -> str:
    content = b"".join(response.streaming_content) if response.streaming else response.content
    return content.decode("utf-8-sig")


def table_of(response) -> str:
    text = text_of(response)
    return text[text.index("<tbody>") : text.index("</tbody>")]


def add_rows(site, number: int) -> None:
    """More players on the list, all in the waiting part."""
    first = ListRow.objects.filter(list=site.lists[0]).order_by("order").last()
    rows = []
    for place in range(number):
        rows.append(
            ListRow(
                list=site.lists[0],
                order=first.order + 1 + place,
                person=make_person("Aina", f"Mora {place:03d}"),
                club=site.clubs[0],
                status="provisional",
                active=True,
                rating=900 - place,
                games=3,
                wins=2,
                progress=5,
                games_since=3,
                wins_since=2,
                recent="900,905",
                last_event=site.events[0],
            )
        )
    ListRow.objects.bulk_create(rows)
    counts = site.lists[0].counts
    counts |= {"rows": counts["rows"] + number, "provisional": number}
    site.lists[0].save()


@pytest.mark.parametrize("extra", [0, 3, 30, 130])
def test_queries_do_not_grow_with_the_rows(client, example, django_assert_num_queries, extra):
    add_rows(example, extra)
    client.get(LIST)
    with django_assert_num_queries(LIST_QUERIES):
        assert client.get(LIST).status_code == 200
    with django_assert_num_queries(FILTERED_QUERIES):
        assert client.get(LIST, {"q": "a", "sort": "-games"}).status_code == 200


@pytest.mark.parametrize("number", [2, 4])
def test_a_list_compared_with_another_asks_once_more(client, season, django_assert_num_queries, number):
    address = f"/scrabble/lists/{season.lists[number - 1].season.code}/{number}/"
    client.get(address)
    # The accounts since the list before.
    with django_assert_num_queries(LIST_QUERIES + 1):
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("language", ["en", "ca"])
@pytest.mark.parametrize("query", ["", "?sort=-games", "?state=waiting", "?category=women", "?q=farriol", "?page=9"])
def test_every_view_of_the_list_answers(client, example, language, query):
    assert client.get(LIST + query, headers={"accept-language": language}).status_code == 200


def test_the_ranking_leads_to_the_list_in_force(client, example):
    assert client.get("/scrabble/ranking/").headers["Location"] == LIST
    assert client.get("/scrabble/ranking/?format=csv").headers["Location"] == f"{LIST}?format=csv"


def test_without_a_list_the_page_says_what_is_missing(client, db):
    response = client.get("/scrabble/ranking/")
    assert response.status_code == 200
    assert "No list is published yet" in text_of(response)
    assert "none has been entered yet" in text_of(response)


def test_without_a_rating_system_every_page_still_answers(client, db):
    RuleSet.objects.all().delete()
    RatingSystem.objects.all().delete()
    for name in ("scrabble-ranking", "scrabble-lists", "scrabble-events", "scrabble-errata", "scrabble-rules"):
        assert client.get(reverse(name)).status_code == 200


def test_the_header_names_edition_dates_season_and_rules(client, example):
    text = text_of(client.get(LIST))
    for part in ("List 1 of season 2025–26", "30 April 2026", "“page”, version 1", "from 1 event and 6 games"):
        assert part in text


def test_both_parts_and_the_state_with_its_reason(client, season):
    edition = season.lists[-1]
    text = text_of(client.get(f"/scrabble/lists/2025-26/{edition.number}/"))
    ranked, waiting = text.split('<th scope="rowgroup"', 1)
    assert "Lluc Ametller" in waiting
    assert "4 games to go" in waiting
    assert "last game in 2023–24" in waiting
    assert "Lluc Ametller" not in ranked


def test_ranked_players_stay_first_whatever_the_sort(client, season):
    edition = season.lists[-1]
    address = f"/scrabble/lists/2025-26/{edition.number}/?format=json&sort="
    for name in ("rating", "-rating", "player", "club", "-games", "share", "progress", "losses", "move", "title_code"):
        rows = json.loads(text_of(client.get(address + name)))["rows"]
        states = [row["state"] == "ranked" for row in rows]
        assert states == sorted(states, reverse=True), name
        assert len(rows) == edition.counts["rows"]


def test_sorting_is_total(client, season):
    edition = season.lists[-1]
    address = f"/scrabble/lists/2025-26/{edition.number}/?format=json&sort=-season_games"
    first = json.loads(text_of(client.get(address)))["rows"]
    assert [row["number"] for row in first] == [
        row["number"] for row in json.loads(text_of(client.get(address)))["rows"]
    ]
    ranked = [row for row in first if row["state"] == "ranked"]
    assert [row["season_games"] for row in ranked] == sorted((r["season_games"] for r in ranked), reverse=True)


def test_search_forgives_accents_order_and_alphabet(client, season):
    address = f"/scrabble/lists/2025-26/{season.lists[-1].number}/?q="
    for query, name in (
        ("pont farriol", "Neus Farriol i Pont"),
        ("NÚRIA", "Núria Sagrelles"),
        ("turcanu", "Ștefan Țurcanu-Vlad"),
        ("Осинцева", "Vera Osintseva"),
    ):
        assert name in table_of(client.get(address + query)), query
    assert "No player on this list matches" in text_of(client.get(f"{address}zzzz"))
    assert client.get(f"{address}%00%0a").status_code == 200


def test_filters_by_club_state_and_category(client, season):
    address = f"/scrabble/lists/2025-26/{season.lists[-1].number}/?format=json&"
    club = season.clubs[0]
    rows = json.loads(text_of(client.get(f"{address}club={club.slug}")))["rows"]
    assert {row["club"] for row in rows} == {club.name}
    rows = json.loads(text_of(client.get(f"{address}state=inactive")))["rows"]
    assert {row["state"] for row in rows} == {"inactive"}
    rows = json.loads(text_of(client.get(f"{address}category=women")))["rows"]
    women = {person.number for person in season.people if person.sex == "f"}
    assert {row["number"] for row in rows} <= women
    assert rows


def test_unknown_filters_are_as_if_not_asked(client, example):
    everybody = table_of(client.get(LIST))
    assert table_of(client.get(f"{LIST}?club=nowhere&state=odd&category=x&sort=nothing&page=x")) == everybody


def test_the_bar_leads_to_other_editions_and_keeps_the_filters(client, season):
    response = client.get("/scrabble/lists/2025-26/4/?season=2024-25&list=4&state=ranked&club=")
    assert response.headers["Location"] == "/scrabble/lists/2024-25/2/?state=ranked"
    response = client.get("/scrabble/lists/2025-26/4/?season=2025-26&list=3")
    assert response.headers["Location"] == "/scrabble/lists/2025-26/3/"
    assert client.get("/scrabble/lists/1999-00/4/").headers["Location"] == "/scrabble/lists/2025-26/4/"


@pytest.mark.parametrize("address", ["/scrabble/lists/2025-26/77/", "/scrabble/lists/2025-26/99999999999999999999/"])
def test_an_unknown_number_helps_on(client, example, address):
    response = client.get(address)
    assert response.status_code == 404
    assert reverse("scrabble-lists") in text_of(response)


def test_a_draft_is_not_public(client, example):
    from ratings.services.lists import draft_list

    from .site import date

    draft_list(run=example.lists[0].run, season=example.season, as_of=date(2026, 5, 31), kind="regular")
    assert client.get("/scrabble/lists/2025-26/2/").status_code == 404


def test_exports_have_the_rows_of_the_page(client, example):
    rows = list(csv.reader(io.StringIO(text_of(client.get(f"{LIST}?format=csv")))))
    assert len(rows) == 1 + 7
    hero = next(row for row in rows if "Neus Farriol i Pont" in row)
    assert "1116" in hero
    assert "Position among the ranked players" in rows[0]
    data = json.loads(text_of(client.get(f"{LIST}?format=json")))
    assert data["about"]["fingerprint"] == example.lists[0].fingerprint
    assert [row["rating"] for row in data["rows"]] == [int(row[5]) for row in rows[1:]]
    workbook = client.get(f"{LIST}?format=xlsx")
    assert workbook.content.startswith(b"PK")


def test_an_export_is_not_sent_twice_until_a_name_is_shown_in_another_way(client, example):
    address = f"{LIST}?format=csv"
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"if-none-match": etag}).status_code == 304
    hero = example.hero
    hero.publication, hero.version = "hidden", hero.version + 1
    hero.save()
    again = client.get(address, headers={"if-none-match": etag})
    assert again.status_code == 200
    assert "Farriol" not in text_of(again)


def test_the_own_row_of_a_signed_in_player_is_marked(client, example):
    account = make_user("neus")
    example.hero.account = account
    example.hero.save()
    client.force_login(account)
    text = text_of(client.get(LIST))
    assert text.count('<tr class="me"') == 1
    assert '<span class="tag you mid">you</span>' in text
    client.force_login(make_user("somebody"))
    assert '<tr class="me"' not in text_of(client.get(LIST))


def test_other_methods_are_refused(client, example):
    assert client.post(LIST).status_code == 405
    assert client.head(LIST).status_code == 200


def test_every_rating_leads_to_its_account(client, example):
    table = table_of(client.get(LIST))
    assert f'href="/scrabble/events/worked-example/why/{example.hero.number}/"' in table
    assert "why?" in table


def test_a_corrected_list_and_its_erratum_name_each_other(client, corrected):
    old, new = text_of(client.get(LIST)), text_of(client.get("/scrabble/lists/2025-26/2/"))
    address = reverse("scrabble-erratum", args=[corrected.lists[1].erratum.number])
    assert address in old
    assert address in new
    assert LIST in new
    assert "†" in new
    assert "Corrected: the rating moved without a new game" in new
    assert "An earlier edition" in old


class TestNamesInPublic:
    """Nothing of the list may tell more than the publication rules allow."""

    def search(self, client, **query):
        return json.loads(text_of(client.get(LIST, {"format": "json", **query})))["rows"]

    def test_a_hidden_player_has_a_number_only(self, client, example):
        hero = example.hero
        hero.publication = "hidden"
        hero.save()
        text = text_of(client.get(LIST))
        assert "Farriol" not in text
        assert self.search(client, q="farriol") == []
        assert self.search(client, category="women") == []
        assert hero.number not in {row["number"] for row in self.search(client, club=example.clubs[0].slug)}
        row = self.search(client, q=str(hero.number))[0]
        assert (row["player"], row["club"]) == (f"Player {hero.number}", "")

    def test_a_minor_is_shown_by_initials_and_not_found_by_name(self, client, example):
        from django.utils import timezone

        hero = example.hero
        hero.birth_year = timezone.localdate().year - 15
        hero.save()
        assert "Farriol" not in text_of(client.get(LIST))
        assert self.search(client, q="farriol") == []
        assert self.search(client, q=str(hero.number))[0]["rating"] == 1116

    def test_a_record_merged_since_is_shown_as_the_one_that_counts(self, client, example):
        kept, dropped = make_person("Ada", "Nova", publication="hidden"), example.hero
        Person.objects.filter(pk=dropped.pk).update(state="merged", merged_into=kept)
        text = text_of(client.get(LIST))
        assert "Farriol" not in text
        assert f"Player {kept.number}" in text
        assert self.search(client, q="farriol") == []
        assert self.search(client, category="women") == []
        assert client.get("/").status_code == 200
        account = client.get(f"/scrabble/events/worked-example/why/{kept.number}/")
        assert "<b>1116</b>" in text_of(account)

    def test_an_anonymised_player_keeps_the_figures(self, client, example):
        hero = example.hero
        hero.state = "anonymised"
        hero.save()
        assert "Farriol" not in text_of(client.get(LIST))
        assert self.search(client, q=str(hero.number))[0]["rating"] == 1116


def test_pages_of_a_long_list_keep_the_filters(client, db):
    example_site(extra=140)
    text = text_of(client.get(f"{LIST}?sort=-games"))
    assert "?sort=-games&amp;page=2" in text
    assert text.count("<tr") < 115
    second = text_of(client.get(f"{LIST}?page=2"))
    assert "101–147 of 147" in second


@pytest.mark.parametrize("asked", ["", "x", "pdf", "CSV", "%00", "csv,json", "%D9%A1"])
@pytest.mark.parametrize(
    "address",
    [
        LIST,
        "/scrabble/events/",
        "/scrabble/events/worked-example/",
        "/scrabble/events/worked-example/why/101/",
        "/scrabble/players/101/",
        "/calendar/?year=2026&a=1",
    ],
)
def test_an_unknown_format_is_the_page_itself(client, example, address, asked):
    joint = "&" if "?" in address else "?"
    response = client.get(f"{address}{joint}format={asked}&sort=-rating")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/html")
