from __future__ import annotations

import pytest

from federation.core.errors import RuleError
from federation.core.reading import EventInfo, ReadGame, Reading, ReadPerson
from ratings.core.formats import read
from ratings.core.formats.writers import ascii_name, write_csv, write_tou, write_tsh
from tests.unit.ratings.core.formats.support import codes, fixture, games, tallies


def test_tsh_and_back() -> None:
    reading = read([fixture("open6.t")])
    again = read([("x.t", write_tsh(reading))])
    assert games(again) == games(reading)
    assert [person.rating for person in again.people] == [person.rating for person in reading.people]
    assert codes(again) == []


def test_aupair_and_back() -> None:
    reading = read([fixture("open6.tou")])
    assert write_tou(reading) == fixture("open6.tou")[1].replace(b"2001   1", b"2001  +1")


def test_csv_and_back() -> None:
    reading = read([fixture("open6.t")])
    again = read([("x.csv", write_csv(reading))])
    played = [game for game in games(reading) if game[3] == "played"]
    assert [game for game in games(again) if game[3] == "played"] == played
    assert {name: counts[:4] for name, counts in tallies(again).items()} == {
        name: counts[:4] for name, counts in tallies(reading).items()
    }


def one_game(**changes: object) -> Reading:
    game = ReadGame(1, 1, "1", "2", "played", **{"score_a": 400, "score_b": 300, "result_a": 2, **changes})
    people = (ReadPerson("1", "=Вера Осинцева"), ReadPerson("2", "Gal·la Pérez"))
    return Reading("x", EventInfo("Ópen", "2025-10-12"), people, (game,))


def test_texts_are_no_formulas() -> None:
    assert "'=Вера" in write_csv(one_game()).decode("utf-8-sig")


def test_aupair_is_ascii() -> None:
    data = write_tou(one_game()).decode("ascii")
    assert data.startswith("*M12.10.2025 Open\r\n")
    assert "Vera Osintseva       2400   2\r\n" in data
    assert ascii_name("Gal·la Pérez") == "Galla Perez"


def test_what_cannot_be_written_says_why() -> None:
    for write, changes, code in (
        (write_tsh, {"score_a": None}, "scores_missing"),
        (write_tou, {"score_a": None}, "scores_missing"),
        (write_tou, {"score_a": 1000}, "score_not_writable"),
    ):
        with pytest.raises(RuleError) as caught:
            write(one_game(**changes))
        assert caught.value.code == code
