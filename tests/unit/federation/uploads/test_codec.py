"""Readings survive their way through JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from federation.core.reading import EventInfo, Issue, ReadGame, Reading, ReadPerson, SourceRow
from federation.uploads.codec import reading_as_json, reading_from_json
from ratings.core.formats import read

FIXTURES = Path(__file__).parents[4] / "tests" / "fixtures" / "scrabble"


@pytest.mark.parametrize("name", ["open6.t", "open6.tou", "form5.csv", "federation5.csv", "opening.csv", "archive.tsh"])
def test_a_reading_comes_back_equal(name):
    reading = read([(name, (FIXTURES / name).read_bytes())])
    again = reading_from_json(json.loads(json.dumps(reading_as_json(reading))))
    assert again.summary() == reading.summary()
    assert (again.rows, again.columns, again.people) == (reading.rows, reading.columns, reading.people)


def test_zero_is_not_nothing():
    reading = Reading(
        "x",
        EventInfo("e", "2026-01-01", 3),
        (ReadPerson("a", "A", rating=0, games=0, wins=0.0), ReadPerson("b", "B")),
        (ReadGame(1, 1, "a", "b", "played", 0, -5, 0), ReadGame(2, 2, "a", None, "absent")),
        (Issue(1, 2, "bad_score", "error", {"text": "x"}, "f"),),
        ("round",),
        (SourceRow(1, ("a", ""), "f"),),
        "utf-8",
    )
    assert reading_from_json(json.loads(json.dumps(reading_as_json(reading)))) == reading


def test_characters_that_a_database_refuses_are_replaced():
    reading = Reading("x", rows=(SourceRow(1, ("a\x00b\ud800",)),))
    text = json.dumps(reading_as_json(reading))
    assert "\\u0000" not in text
    assert "\\ud800" not in text


def test_nothing_stored_is_an_unknown_reading():
    assert reading_from_json({}) == Reading("unknown")
