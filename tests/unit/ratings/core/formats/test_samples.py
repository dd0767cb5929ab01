"""The sample files give exactly the reading that `expected.json` states."""

from __future__ import annotations

import json

import pytest

from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import SAMPLES, codes

pytestmark = pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the repository")

NAMES = ("swiss42.t", "open35.tou", "club9.csv", "federation29.csv", "rating-list.dat", "league65.1.rnd")


@pytest.fixture(scope="module")
def expected() -> dict:
    return json.loads((SAMPLES / "expected.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES[:4])
def test_events(name: str, expected: dict) -> None:
    reading = read([(name, (SAMPLES / name).read_bytes())])
    summary, right = reading.summary(), expected[name]
    assert codes(reading, "error") == []
    assert codes(reading, "warning") == []
    assert {key: summary["counts"][key] for key in summary["counts"]} == {key: right[key] for key in summary["counts"]}
    assert {
        person["name"]: [person[key] for key in ("played", "wins", "byes", "forfeits", "absences")]
        for person in summary["people"]
    } == right["per_player"]
    played = [game for game in summary["games"] if game["kind"] == "played"]
    for game, first in zip(played, right["first_games"], strict=False):
        assert {key: game[key] for key in first} == first
    for person in summary["people"]:
        if person["name"] in right.get("rating_list", {}):
            assert person["rating"] == right["rating_list"][person["name"]]


def test_rating_list(expected: dict) -> None:
    reading = read([("x", (SAMPLES / "rating-list.dat").read_bytes())])
    right = expected["rating-list.dat"]
    people = reading.summary()["people"]
    assert len(people) == right["rows"]
    for person, row in zip([*people[:3], people[-1]], [*right["first_rows"], right["last_row"]], strict=True):
        assert {key: person[key] for key in row} == row
    assert reading.issues == ()


def test_round_alone_is_held(expected: dict) -> None:
    reading = read([("x", (SAMPLES / "league65.1.rnd").read_bytes())])
    right = expected["league65.1.rnd"]
    assert codes(reading) == [(0, "participants_missing")]
    assert len(reading.people) == right["players_in_round"]
    assert len(reading.games) == right["games_played"]
    assert sum(game.result_a == 2 for game in reading.games) == right["wins_of_white"]
    assert {game.round for game in reading.games} == {right["round"]}


def test_event_of_the_tournament_file() -> None:
    reading = read([("x", (SAMPLES / "open35.tou").read_bytes())])
    assert (reading.event.name, reading.event.date, reading.event.rounds) == (
        "The Twelfth Open Tournament",
        "2020-03-01",
        22,
    )
