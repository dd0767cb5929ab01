"""`manage.py conform`: lines, counts and exit status."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from federation.core import conformance
from ratings.conformance import cases

VECTORS = Path(__file__).parents[3] / "vectors" / "barruf.json"


@pytest.fixture(autouse=True)
def barruf():
    conformance.register("barruf", cases)


def written(tmp_path, text):
    file = tmp_path / "vectors.json"
    file.write_bytes(text)
    return file


def test_all_vectors_pass(capsys):
    call_command("conform", "barruf", VECTORS)
    lines = capsys.readouterr().out.splitlines()
    count = len(json.loads(VECTORS.read_bytes())["cases"])
    assert lines == [f"{count} passed, 0 failed"]


def test_a_case_that_differs_is_named_and_gives_status_1(tmp_path, capsys):
    document = {
        "cases": [
            {"id": "good", "kind": "rounding", "input": {"value": "13.5"}, "expected": {"rounded": 14}},
            {"id": "wrong", "kind": "rounding", "input": {"value": "-13.5"}, "expected": {"rounded": -13}},
            {"id": "odd", "kind": "unheard-of", "input": {}, "expected": {}},
        ]
    }
    with pytest.raises(SystemExit) as caught:
        call_command("conform", "barruf", written(tmp_path, json.dumps(document).encode()))
    assert caught.value.code == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FAIL wrong: expected rounded = -13, got rounded = -14"
    assert lines[1].startswith("FAIL odd: expected {}, got ")
    assert lines[2:] == ["1 passed, 2 failed"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"{", "line 1, column 2"),
        (b'{"cases": 5}', "form of barruf"),
        (b"[]", "form of barruf"),
        (b'{"cases": [1]}', "form of barruf"),
        (b'{"cases": [NaN]}', "NaN"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
    ],
)
def test_a_file_of_another_form_is_explained(tmp_path, text, message):
    with pytest.raises(CommandError, match=message) as caught:
        call_command("conform", "barruf", written(tmp_path, text))
    assert caught.value.returncode == 2


def test_a_missing_file_and_an_unknown_domain_are_explained(tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("conform", "barruf", tmp_path / "none.json")
    with pytest.raises(CommandError, match=r"Known domains: .*barruf"):
        call_command("conform", "chess", VECTORS)
