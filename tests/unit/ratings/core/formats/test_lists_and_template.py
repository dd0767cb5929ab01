from __future__ import annotations

import pytest

from ratings.core.formats import read
from ratings.core.formats.template import TemplateEntry, TemplateRow, write_template
from tests.unit.ratings.core.formats.support import codes, fixture, games

ENTRIES = [
    TemplateEntry("12", "Ona Càdec", "Portvell", 900),
    TemplateEntry("13", "=Pol Mir"),
    TemplateEntry("0014", "Iu Mas"),
    TemplateEntry("15", "Eva Roc"),
]


def test_opening_ratings() -> None:
    reading = read([fixture("opening.csv")])
    assert reading.format == "opening-ratings"
    assert [(p.name, p.rating, p.games, p.wins, p.last_season) for p in reading.people] == [
        ("Neus Riera", 912, 57, 28.5, "2024-25"),
        ("Oriol Bastida", 1034, 41, 30, "2023-24"),
    ]
    assert codes(reading) == []


@pytest.mark.parametrize(
    ("row", "column", "code"),
    [
        ("A,x,1,1,2024-25", 2, "bad_number"),
        ("A,900,-1,1,2024-25", 3, "bad_number"),
        ("A,900,1,2,2024-25", 4, "wins_above_games"),
        ("A,900,1,1,2024", 5, "bad_season"),
        ("7,900,1,1,2024-25", 1, "bad_name"),
        ("A,,1,1,2024-25", 2, "bad_number"),
        ("A,900", 2, "row_too_short"),
    ],
)
def test_refused_rows_of_opening_ratings(row: str, column: int, code: str) -> None:
    reading = read([("x", f"Person,Rating,Games,Wins,Last season\n{row}\nB,900,1,1,2024-25\n".encode())])
    assert [(issue.line, issue.column, issue.code) for issue in reading.issues] == [(2, column, code)]
    assert [person.name for person in reading.people] == ["B"]


def test_participants_never_keep_addresses() -> None:
    reading = read([("x", b"Name,Rating,Email\nOna Prat,900,ona@example.org\n")])
    assert reading.format == "participants"
    assert "example" not in str(reading.people)


def test_same_number_or_name_twice() -> None:
    reading = read([("x", b"Number,Name\n1,Ona Prat\n1,Pol Mir\n2,ona prat\n")])
    assert codes(reading, "error") == [(3, "number_twice"), (4, "same_name_twice")]


def test_template_gives_back_what_was_typed() -> None:
    rows = [
        TemplateRow(1, score_a="400", score_b="380", number_a="12", number_b="13", table="1"),
        TemplateRow(1, "Eva Roc", "Iu Mas", "1", "0"),
        TemplateRow(2, "Ona Càdec", "BYE", number_a="12"),
        TemplateRow(2, number_a="13", number_b="15"),
    ]
    reading = read([("x.xlsx", write_template(ENTRIES, 2, rows))])
    assert reading.format == "template"
    assert [(person.number, person.name, person.club, person.rating) for person in reading.people] == [
        ("12", "Ona Càdec", "Portvell", 900),
        ("13", "=Pol Mir", "", None),
        ("0014", "Iu Mas", "", None),
        ("15", "Eva Roc", "", None),
    ]
    assert games(reading) == [
        (1, "Ona Càdec", "=Pol Mir", "played", 400, 380, 1),
        (1, "Eva Roc", "Iu Mas", "played", None, None, 1),
        (2, "Ona Càdec", None, "bye", None, None, 1),
        (2, "=Pol Mir", "Eva Roc", "pending", None, None, None),
    ]
    assert codes(reading, "error") == []


def test_empty_template_has_no_results_yet() -> None:
    reading = read([("x", write_template(ENTRIES, 3))])
    assert codes(reading, "error") == [(0, "no_rows")]
    assert len(reading.people) == 4


def test_template_in_another_language() -> None:
    catalan = {
        "entries": "Inscrits", "results": "Resultats", "number": "Número", "name": "Nom", "club": "Club",
        "rating": "BARRUF", "round": "Ronda", "table": "Taula", "number_a": "Número 1", "a": "Jugador 1",
        "score_a": "Puntuació 1", "number_b": "Número 2", "b": "Jugador 2", "score_b": "Puntuació 2",
    }  # fmt: skip
    rows = [TemplateRow(1, score_a="400", score_b="380", number_a="12", number_b="13")]
    reading = read([("x", write_template(ENTRIES, 1, rows, catalan))])
    assert games(reading) == [(1, "Ona Càdec", "=Pol Mir", "played", 400, 380, 1)]


def test_number_and_name_must_agree() -> None:
    rows = [TemplateRow(1, "Eva Roc", "Iu Mas", "1", "0", number_a="12"), TemplateRow(1, number_a="99", number_b="13")]
    assert codes(read([("x", write_template(ENTRIES, 1, rows))]), "error") == [
        (2, "number_names_another"),
        (3, "unknown_player"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty_file"),
        (b"\xef\xbb\xbf \r\n", "empty_file"),
        (b"hello\nworld\n", "unknown_format"),
        (b"%PDF-1.4 ...", "unknown_format"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "old_excel"),
        (b"PK\x03\x04 cut", "damaged_archive"),
    ],
)
def test_other_files(data: bytes, code: str) -> None:
    reading = read([("x", data)])
    assert reading.format == "unknown"
    assert [issue.code for issue in reading.issues] == [code]


def test_limits() -> None:
    assert codes(read([("x", b"a" * (5 * 1024 * 1024 + 1))])) == [(0, "file_too_large")]
    assert codes(read([("x", b"a")] * 300)) == [(0, "too_many_files")]
    assert codes(read([])) == [(0, "empty_file")]


def test_results_of_two_formats_together() -> None:
    assert (0, "mixed_files") in codes(read([fixture("open6.tou"), fixture("form5.csv")]))
