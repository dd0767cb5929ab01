"""Names of files, fingerprints, texts, typed values, the registry of kinds."""

from __future__ import annotations

import pytest

from federation.core.errors import InvariantError, RuleError
from federation.core.reading import Issue, ReadPerson
from federation.uploads import registry
from federation.uploads.candidates import split_name
from federation.uploads.queries.analysis import mark_of
from federation.uploads.services.intake import file_name, fingerprint, refuse_sizes
from federation.uploads.services.records import aside_key, aside_place
from federation.uploads.views.common import refusal, typed_text, whole


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("open.csv", "open.csv"),
        ("C:\\results\\open.csv", "open.csv"),
        ("../../etc/passwd", "passwd"),
        ("a\x00b\n.csv", "ab.csv"),
        ("a|b.t", "a_b.t"),
        ("x" * 400 + ".csv", "x" * 170 + ".csv"),
        ("", ""),
    ],
)
def test_names_of_files(sent, kept):
    assert file_name(sent) == kept


def test_the_fingerprint_tells_names_and_contents_apart():
    one = [("a", b"1"), ("b", b"2")]
    assert fingerprint(one) == fingerprint(list(reversed(one)))
    assert (
        len({fingerprint(one), fingerprint([("a", b"12"), ("b", b"")]), fingerprint([("ab", b"1"), ("", b"2")])}) == 3
    )


def test_sizes():
    refuse_sizes([5 * 1024 * 1024])
    with pytest.raises(RuleError, match="file_too_large"):
        refuse_sizes([5 * 1024 * 1024, 1])
    with pytest.raises(RuleError, match="too_many_files"):
        refuse_sizes([1] * 221)


def test_a_refusal_with_several_problems_says_them_all():
    problems = [Issue(0, 0, "no_file", "error"), Issue(0, 0, "date_missing", "error")]
    text = refusal(RuleError("no_file", {"problems": problems}))
    assert text == "Choose the file with the results. Write the day of the ratings."


def test_a_mark_is_of_one_warning_in_one_row():
    one = Issue(3, 1, "maybe_forfeit", "warning", {"a": "X"})
    others = [Issue(4, 1, "maybe_forfeit", "warning", {"a": "X"}), Issue(3, 1, "maybe_forfeit", "warning", {"a": "Y"})]
    assert mark_of(one) == mark_of(Issue(3, 1, "maybe_forfeit", "warning", {"a": "X"}))
    assert mark_of(one) not in map(mark_of, others)


def test_places_of_rows():
    assert aside_place(aside_key("a|b.csv", 12)) == ("a|b.csv", 12)


@pytest.mark.parametrize(
    ("read", "names"),
    [
        (ReadPerson("k", "Ona Càdec"), ("Ona", "Càdec")),
        (ReadPerson("k", "Ona Càdec i Om"), ("Ona", "Càdec i Om")),
        (ReadPerson("k", "Càdec"), ("", "Càdec")),
        (ReadPerson("k", "Plantatje, Ignasi"), ("Ignasi", "Plantatje")),
        (ReadPerson("k", "Càdec i Om,  Ona Maria"), ("Ona Maria", "Càdec i Om")),
        (ReadPerson("k", "Càdec, i Om, Ona"), ("i Om Ona", "Càdec")),
        (ReadPerson("k", "Càdec,"), ("", "Càdec")),
        (ReadPerson("k", ", Ona"), ("", "Ona")),
        (ReadPerson("k", "CÀDEC OM Ona"), ("Ona", "CÀDEC OM")),
        (ReadPerson("k", "Ona CÀDEC"), ("Ona", "CÀDEC")),
        (ReadPerson("k", "ONA CÀDEC OM"), ("ONA", "CÀDEC OM")),
        (ReadPerson("k", "J. M. Puig i Om"), ("J. M.", "Puig i Om")),
        (ReadPerson("k", "J. M."), ("J.", "M.")),
        (ReadPerson("k", "Вера Осинцева"), ("Вера", "Осинцева")),
        (ReadPerson("k", ""), ("", "")),
        (ReadPerson("k", "Maria Rosa Om", given="Maria Rosa", family="Om"), ("Maria Rosa", "Om")),
    ],
)
def test_given_and_family_name(read, names):
    assert split_name(read) == names


def test_typed_values():
    assert typed_text("a\x00b\r\nc") == "a b  c"
    assert typed_text("x" * 50, 10) == "x" * 11
    assert (whole("12"), whole("-1", 5), whole("1" * 12, 5), whole(None), whole("٣", 4)) == (12, 5, 5, 0, 4)


def test_kinds_of_scrabble_are_registered():
    assert {kind.purpose for kind in registry.kinds() if kind.discipline == "scrabble"} == {"results", "opening"}
    assert registry.find_kind("chess", "results") is None


def test_the_first_game_that_recognises_a_file_answers(monkeypatch):
    monkeypatch.setattr(registry, "_inspectors", {})
    with pytest.raises(InvariantError):
        registry.inspect([("a", b"")])
    registry.register_inspector("one", lambda files: {"format": "unknown", "by": 1})
    registry.register_inspector("two", lambda files: {"format": "two" if files[0][1] else "unknown", "by": 2})
    assert registry.inspect([("a", b"x")])["by"] == 2
    assert registry.inspect([("a", b"")])["by"] == 1
