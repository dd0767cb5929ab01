"""Every figure of an export stands on the page, and the three formats hold the same."""

import csv
import io
import json
import re
from decimal import Decimal
from html import unescape

import openpyxl
import pytest

from .test_ranking_page import text_of

FIGURES = (
    *("position", "rating", "progress", "wins_since", "games_since", "season_wins", "season_games", "season_share"),
    *("wins", "games", "share", "losses"),
)
#: Columns of the page, in their order, among which the figures stand.
PAGE = (
    *("position", "move", "title_code", "player", "club", "rating", "progress", "wins_since", "games_since"),
    *("season_wins", "season_games", "season_share", "wins", "games", "share", "losses", "recent"),
)


def cells_of(row: str) -> list[str]:
    """Text of the cells, without what is for narrow pages or for readers of the text alone."""
    row = re.sub(r'<span class="(?:vh|line2 small)">.*?</span>(?=</td>|</th>|</a>|</span>|$|<)', "", row)
    return [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row)]


def number_of(text: str) -> Decimal | None:
    text = text.replace("−", "-").replace(",", ".").lstrip("+").split("(")[0].strip()
    return Decimal(text) if re.fullmatch(r"-?\d+(\.\d+)?", text) else None


@pytest.mark.parametrize("language", ["en", "ca"])
@pytest.mark.parametrize("query", ["", "state=waiting", "sort=-games", "club=punt-volat&sort=player"])
def test_the_ranking_and_its_exports_hold_the_same_figures(client, season, language, query):
    client.cookies["django_language"] = language
    address = f"/scrabble/lists/2025-26/4/?{query}"
    body = re.search(r'<table class="five sticky sortable">.*?<tbody>(.*?)</tbody>', text_of(client.get(address)), re.S)
    shown = [cells_of(row) for row in re.findall(r"<tr[^>]*>(.*?)</tr>", body[1], re.S) if "rowgroup" not in row]
    content = json.loads(text_of(client.get(f"{address}&format=json&lang={language}")))
    rows = content["rows"]
    assert len(shown) == len(rows) > 1
    for cells, row in zip(shown, rows, strict=True):
        on_page = dict(zip(PAGE, cells, strict=True))
        assert on_page["player"].startswith(row["player"])
        assert on_page["club"] == row["club"]
        for name in FIGURES:
            number, exact = number_of(on_page[name]), row[name]
            if name in ("share", "season_share"):
                assert (number is None) == (exact is None)
                assert number is None or abs(number - Decimal(str(exact))) <= Decimal("0.051"), (row["player"], name)
            elif number is None:
                assert exact in (None, 0), (row["player"], name)
            else:
                assert number == Decimal(str(exact)), (row["player"], name)
    names = [column["name"] for column in content["columns"]]
    table = list(csv.reader(io.StringIO(text_of(client.get(f"{address}&format=csv&lang={language}")))))
    assert table[0] == [column["label"] for column in content["columns"]]
    book = openpyxl.load_workbook(io.BytesIO(client.get(f"{address}&format=xlsx&lang={language}").content))
    sheet = list(book.worksheets[0].iter_rows(values_only=True))
    assert list(sheet[0]) == table[0]
    for row, line, cells in zip(rows, table[1:], sheet[1:], strict=True):
        for name, text, value in zip(names, line, cells, strict=True):
            exact = row[name]
            if isinstance(exact, int | float) and not isinstance(exact, bool):
                assert Decimal(text) == Decimal(str(exact)) == Decimal(str(value)), name
            elif name != "corrected":
                assert (exact or "") == text == (value or ""), name


def test_catalan_heads_are_not_english(client, season):
    client.cookies["django_language"] = "ca"
    page = text_of(client.get("/scrabble/lists/2025-26/4/"))
    for word in (">Mov.<", ">V+<", ">Pt<", "Partides guanyades aquesta temporada", "Posicions guanyades o perdudes"):
        assert word in page
    labels = text_of(client.get("/scrabble/lists/2025-26/4/?format=csv&lang=ca")).splitlines()[0]
    assert "Games" not in labels
    assert "Partides en total" in labels
