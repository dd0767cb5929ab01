"""``manage.py inspect_file`` prints the reading as JSON and stores nothing."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from federation.core import limits

FIXTURES = Path(__file__).parents[4] / "tests" / "fixtures" / "scrabble"


def inspect(*paths: Path) -> dict:
    out = StringIO()
    call_command("inspect_file", *map(str, paths), stdout=out)
    return json.loads(out.getvalue())


def test_a_file_of_results():
    # Without the database: a query would fail here.
    answer = inspect(FIXTURES / "federation5.csv")
    assert answer["format"] == "results-sheet"
    assert {"event", "people", "games", "issues"} <= set(answer)
    assert {"name", "played", "wins", "byes", "forfeits", "absences"} <= set(answer["people"][0])
    assert {"line", "column", "code", "severity", "text"} <= set(answer["issues"][0])


def test_files_of_one_event_together():
    answer = inspect(FIXTURES / "league4.1.rnd", FIXTURES / "league4.2.rnd", FIXTURES / "league4.csv")
    assert answer["format"] == "swissperfect"
    assert answer["counts"]["games_played"] == 4


def test_unknown_content_is_an_answer(tmp_path):
    (tmp_path / "x.bin").write_bytes(b"\x01\x02 nothing")
    answer = inspect(tmp_path / "x.bin")
    assert answer["format"] == "unknown"
    assert answer["issues"][0]["severity"] == "error"


def test_paths_that_cannot_be_read(tmp_path, monkeypatch):
    with pytest.raises(CommandError, match="No such file"):
        inspect(tmp_path / "none.csv")
    with pytest.raises(CommandError, match="directory"):
        inspect(tmp_path)
    (tmp_path / "big.csv").write_bytes(b"x" * 100)
    monkeypatch.setattr(limits, "MAX_BYTES", 10)
    with pytest.raises(CommandError, match="larger"):
        inspect(tmp_path / "big.csv")
