"""The player and the account: the worked example as a real event, states, merges, names, exports."""

import csv
import io

import pytest
from openpyxl import load_workbook

from federation.registry.models import Person
from ratings.models import LedgerRow

from .site import close, date
from .test_ranking_page import text_of

WHY = "/scrabble/events/worked-example/why/{}/"
PLAYER = "/scrabble/players/{}/"


class TestTheWorkedExample:
    """Player 1100, six opponents, four wins: the figures of the rule page, on the page of a real event."""

    def page(self, client, example, query=""):
        response = client.get(WHY.format(example.hero.number) + query)
        assert response.status_code == 200
        return text_of(response)

    def test_the_sentence(self, client, example):
        text = " ".join(self.page(client, example).split())
        assert "4 wins, where 3.20 were expected, is a surplus of +0.80." in text
        assert 'Times 20, that is <b class="nw">+16 points</b>: from 1100 to <b>1116</b>.' in text

    def test_the_steps(self, client, example):
        text = self.page(client, example)
        for part in (
            "opponents at 1200, 1140, 1100, 1050, 1000 and 950",
            "0.35 + 0.45 + 0.50 + 0.55 + 0.65 + 0.70 = <b>3.20</b>",
            "4 − 3.20 = <b>+0.80</b>",
            "With 51 games rated at the end of the event, and 1100 before it",
            "1100 + 0.80 · 20 = 1100 + 16 = <b>1116</b>",
        ):
            assert part in text

    def test_in_catalan_with_the_decimal_comma(self, client, example):
        text = text_of(client.get(WHY.format(example.hero.number), headers={"accept-language": "ca"}))
        assert "0,35 + 0,45 + 0,50 + 0,55 + 0,65 + 0,70 = <b>3,20</b>" in text

    def test_rows_used_and_cell_used_are_marked(self, client, example):
        text = self.page(client, example)
        assert text.count('<tr class="me"') == 4
        assert '<td class="n hit"><b>20</b></td>' in text

    def test_scores_stand_own_first(self, client, example):
        text = self.page(client, example)
        assert text.count("400–350") == 4
        assert text.count("350–400") == 2

    def test_csv_has_the_games(self, client, example):
        rows = list(csv.reader(io.StringIO(self.page(client, example, "?format=csv"))))
        assert [row[4] for row in rows[1:]] == ["0.350000", "0.450000", "0.500000", "0.550000", "0.650000", "0.700000"]

    def test_the_spreadsheet_computes_itself(self, client, example):
        response = client.get(WHY.format(example.hero.number) + "?format=xlsx")
        formulas = load_workbook(io.BytesIO(response.content)).active
        values = load_workbook(io.BytesIO(response.content), data_only=True).active
        assert formulas["D6"].value == "=$C$2-C6"
        assert formulas["H13"].value == "=C2+ROUND(ROUND(H12,9),0)"
        assert values["H13"].value == 1116

    def test_nothing_is_rated_again(self, client, example, monkeypatch):
        import ratings.core.barruf as core

        def forbidden(*args, **kwargs):
            raise AssertionError("the account recomputes")

        monkeypatch.setattr(core, "rate_event", forbidden)
        assert "1116" in self.page(client, example)

    def test_the_lists_that_contain_it(self, client, example):
        assert "/scrabble/lists/2025-26/1/" in self.page(client, example)

    def test_queries(self, client, example, django_assert_num_queries):
        self.page(client, example)
        with django_assert_num_queries(8):
            self.page(client, example)


def test_an_account_on_an_earlier_list_shows_the_first_version(client, corrected):
    number = corrected.hero.number
    now = text_of(client.get(WHY.format(number)))
    first = text_of(client.get(WHY.format(number) + "?list=1"))
    assert "<b>1116</b>" in first
    assert "<b>1096</b>" in now


def test_a_change_of_one_half_says_how_it_is_rounded(client, example):
    row = LedgerRow.objects.get(person=example.hero)
    row.raw_change, row.change, row.after, row.expected = "13.5", 14, 1114, "3.325"
    row.save()
    text = text_of(client.get(WHY.format(example.hero.number)))
    assert "1113.5, published as <b>1114</b>" in text
    assert "a half away from zero" in text


@pytest.mark.parametrize(
    "address",
    [
        "/scrabble/events/worked-example/why/999999/",
        "/scrabble/events/nowhere/why/101/",
        "/scrabble/players/999999/",
        "/scrabble/players/99999999999999999999/",
    ],
)
def test_what_does_not_exist_helps_on(client, example, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "<h1>" in text_of(response)


def test_a_player_without_an_account_is_told_why(client, example):
    from tests.factories import make_person

    response = client.get(WHY.format(make_person().number))
    assert response.status_code == 404
    assert "has no account of this player" in text_of(response)


@pytest.mark.parametrize("language", ["en", "ca"])
def test_the_player_page_has_events_opponents_and_graph(client, example, language):
    text = text_of(client.get(PLAYER.format(example.hero.number), headers={"accept-language": language}))
    assert WHY.format(example.hero.number) in text
    assert '<svg class="plot"' in text
    assert text.count("Pol Oponent") == 6


#: System, person, row, ledger, best, opponents; the club comes with the person.
@pytest.mark.parametrize("events", [1, 3])
def test_queries_do_not_grow_with_the_events(client, example, django_assert_num_queries, events):
    from tests.factories import make_entry, make_event, make_game

    for turn in range(events - 1):
        day = date(2026, 5, 2 + turn)
        event = make_event(season=example.season, slug=f"more-{turn}", starts_on=day)
        entries = [make_entry(event, person) for person in example.people[:4]]
        for number, (a, b, c, d) in enumerate(((0, 1, 2, 3), (0, 2, 1, 3), (0, 3, 1, 2)), start=1):
            make_game(entries[a], entries[b], round=number)
            make_game(entries[c], entries[d], round=number)
    if events > 1:
        close(example.season, date(2026, 5, 31))
    client.get(PLAYER.format(example.hero.number))
    with django_assert_num_queries(6):
        text = text_of(client.get(PLAYER.format(example.hero.number)))
    assert text.count("/why/") >= events


def test_a_provisional_player_reads_what_is_missing(client, season):
    person = next(person for person in season.people if person.family_name == "Ametller")
    text = text_of(client.get(PLAYER.format(person.number)))
    assert "Why am I not ranked?" in text
    assert "4 games to go" in text
    assert "At least 10 rated games" in text


def test_an_inactive_player_reads_when_the_last_game_was(client, season):
    person = next(person for person in season.people if person.family_name == "Saguer")
    text = text_of(client.get(PLAYER.format(person.number)))
    assert "Inactive: last game in 2023–24." in text


def test_a_ranked_player_is_not_asked_why(client, example):
    assert "Why am I not ranked?" not in text_of(client.get(PLAYER.format(example.hero.number)))


def test_a_player_without_games_has_a_page(client, example):
    from tests.factories import make_person

    text = text_of(client.get(PLAYER.format(make_person("Ada", "Nova").number)))
    assert "Not on list 1" in text


def test_a_merged_number_leads_to_the_kept_record(client, example):
    from tests.factories import make_person

    dropped = make_person("N.", "Farriol")
    Person.objects.filter(pk=dropped.pk).update(state="merged", merged_into=example.hero)
    response = client.get(PLAYER.format(dropped.number) + "?all=1")
    assert response.status_code == 302
    assert response.headers["Location"] == PLAYER.format(example.hero.number) + "?all=1"
    assert client.get(WHY.format(dropped.number)).headers["Location"] == WHY.format(example.hero.number)


def test_names_follow_the_publication_rule_everywhere(client, example):
    hero = example.hero
    hero.publication = "hidden"
    hero.save()
    hero.aliases.create(text="Neus la Gran", fold_key="neus la gran")
    other = example.people[1]
    for address in (
        PLAYER.format(hero.number),
        WHY.format(hero.number),
        PLAYER.format(other.number),
        WHY.format(other.number),
        "/scrabble/events/worked-example/",
        "/scrabble/events/worked-example/?view=rounds",
        "/scrabble/events/worked-example/?view=players",
        "/scrabble/events/worked-example/?format=csv",
        "/scrabble/seasons/2025-26/",
        "/scrabble/records/",
        "/",
        PLAYER.format(other.number) + "?format=csv",
        WHY.format(other.number) + "?format=csv",
    ):
        text = text_of(client.get(address))
        assert "Farriol" not in text, address
        assert "Neus" not in text, address


def test_search_engines_keep_only_full_names(client, example):
    assert "noindex" not in text_of(client.get(PLAYER.format(example.hero.number)))
    example.hero.publication = "initials"
    example.hero.save()
    assert "noindex" in text_of(client.get(PLAYER.format(example.hero.number)))
    assert "noindex" in text_of(client.get(WHY.format(example.hero.number)))


def test_exports_of_a_player(client, example):
    rows = list(csv.reader(io.StringIO(text_of(client.get(PLAYER.format(example.hero.number) + "?format=csv")))))
    assert rows[1][1:3] == ["Worked Example", "worked-example"]
    assert rows[1][-2:] == ["1116", "51"]


def test_an_export_answers_head_and_etag(client, example):
    player = PLAYER.format(example.hero.number) + "?format=json"
    for address in (player, WHY.format(example.hero.number) + "?format=xlsx"):
        etag = client.get(address).headers["ETag"]
        assert client.head(address).status_code == 200
        assert client.get(address, headers={"if-none-match": etag}).status_code == 304
