from __future__ import annotations

import io
import zipfile

from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import (
    RESULT_COLUMNS,
    codes,
    dbase,
    fixture,
    games,
    participants_table,
    results_table,
    tallies,
)

SETTINGS = b"[Desktop]\r\nRound=4\r\n[Tournament Info]\r\nName=League of the Wells\r\nRounds=5\r\nTableNosStart=11\r\n"


def test_rounds_with_a_list_of_participants() -> None:
    reading = read([fixture("league4.2.rnd"), fixture("league4.csv"), fixture("league4.1.rnd")])
    assert reading.format == "swissperfect"
    assert games(reading) == [
        (1, "Neus Riera", "Oriol Bastida", "played", None, None, 1),
        (1, "Gal·la Prat", "Èlia Pons", "played", None, None, 0.5),
        (2, "Oriol Bastida", "Gal·la Prat", "played", None, None, 0),
        (2, "Èlia Pons", "Neus Riera", "played", None, None, 0),
    ]
    assert [person.club for person in reading.people] == ["Portvell", "Carrasca", "", "Carrasca"]
    assert codes(reading) == []


def test_rounds_alone_are_held() -> None:
    reading = read([fixture("league4.1.rnd")])
    assert codes(reading) == [(0, "participants_missing")]
    assert [person.name for person in reading.people] == ["1", "2", "3", "4"]


def test_tables() -> None:
    files = [("x.trn", participants_table()), ("x.sco", results_table()), ("x.ini", SETTINGS)]
    reading = read(files)
    assert (reading.event.name, reading.event.rounds) == ("League of the Wells", 5)
    assert games(reading) == [
        (1, "Neus Riera", "Oriol Bastida", "played", 402, 385, 1),
        (1, "Gal·la Prat", None, "bye", None, None, 1),
        (2, "Oriol Bastida", "Neus Riera", "played", None, None, 0.5),
        (3, "Neus Riera", "Gal·la Prat", "forfeit", None, None, 1),
        (4, "Neus Riera", "Oriol Bastida", "pending", None, None, None),
    ]
    assert [game.table for game in reading.games] == ["11", "12", "11", "11", "11"]
    assert [(person.rating, person.withdrawn) for person in reading.people] == [(912, 0), (1034, 0), (0, 2)]
    assert codes(reading, "error") == []


def test_zip_with_the_whole_set() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("league/a.trn", participants_table())
        archive.writestr("league/b.rnd", fixture("league4.1.rnd")[1])
        archive.writestr("league/b.stg", b"PLACING|SHORT_PLACING|PLAYER_ID|TOTAL_SCORE||\r\n1|1|1|1||\r\n")
        archive.writestr("__MACOSX/._a.trn", b"x")
    reading = read([("x.zip", content.getvalue())])
    assert tallies(reading)["Neus Riera"] == [1, 1, 0, 0, 0]
    assert [(issue.file, issue.line, issue.code) for issue in reading.issues] == [("b.rnd", 3, "unknown_player")]


def test_participants_alone() -> None:
    assert codes(read([("x", participants_table())]), "error") == [(0, "results_missing")]


def test_figures_are_doubled() -> None:
    def result(*row: int):
        return read([("a", participants_table()), ("b", dbase(RESULT_COLUMNS, [list(row)]))])

    assert codes(result(1, 1, 2, 3, 0, 1, 1, 0, 0), "error") == [(1, "figure_not_doubled")]
    assert codes(result(1, 1, 2, 2, 0, 1, 1, 801, 700), "error") == [(1, "figure_not_doubled")]
    assert codes(result(1, 1, 2, 2, 2, 1, 1, 0, 0), "error") == [(1, "results_do_not_add_up")]
    assert codes(result(1, 1, 2, 2, 0, 1, 1, 700, 800), "error") == [(1, "result_against_score")]
    assert codes(result(1, 1, 1, 2, 0, 1, 1, 0, 0), "error") == [(1, "self_play")]


def test_cut_table() -> None:
    reading = read([("a", participants_table()), ("b", results_table()[:-60])])
    assert "damaged_table" in [issue.code for issue in reading.issues]
    assert {issue.file for issue in reading.issues if issue.code == "damaged_table"} == {"b"}


def test_bad_rows_of_an_export() -> None:
    heading = "ROUND|TABLE_NO|WHITE_ID|BLACK_ID|WHITE_SCORE|BLACK_SCORE\r\n"
    rows = "1|1|1|2|1|1\r\n1|2|3|9|1|0\r\n1|3|x|4|1|0\r\n1|4|3|4|1|\r\n1|5|3|4\r\n1|6|3|4|2|0\r\n"
    reading = read([("r", (heading + rows).encode()), fixture("league4.csv")])
    assert codes(reading, "error") == [
        (2, "results_do_not_add_up"),
        (3, "unknown_player"),
        (4, "bad_number"),
        (5, "score_missing"),
        (6, "row_too_short"),
        (7, "bad_score"),
    ]


def test_same_round_twice_names_the_file() -> None:
    name, data = fixture("league4.1.rnd")
    reading = read([(name, data), ("again.rnd", data), fixture("league4.csv")])
    assert {(issue.file, issue.line, issue.code) for issue in reading.issues} == {
        ("again.rnd", 2, "duplicate_row"),
        ("again.rnd", 3, "duplicate_row"),
    }
