from __future__ import annotations

import io
import zipfile

import pytest
from openpyxl import Workbook

from federation.core import limits
from federation.core.issue_texts import ISSUE_TEXTS
from federation.core.reading import Issue, Issues, Repair
from federation.core.tabular import (
    column_letter,
    decode,
    open_archive,
    parse_date,
    read_delimited,
    read_workbook,
    sniff_delimiter,
    split_lines,
)


def codes(issues: Issues) -> list[str]:
    return [issue.code for issue in issues.sorted()]


@pytest.mark.parametrize(
    ("encoding", "read_as", "warned"),
    [
        ("utf-8", "utf-8", False),
        ("utf-8-sig", "utf-8", False),
        ("utf-16", "utf-16", False),
        ("utf-16-le", "utf-16-le", True),
        ("utf-16-be", "utf-16-be", True),
        ("cp1252", "cp1252", True),
    ],
)
def test_encodings(encoding: str, read_as: str, warned: bool) -> None:
    issues = Issues()
    text = decode("Èlia Càdec, 400\nÒscar Muñoz, 380\n".encode(encoding), issues)
    assert text.text == "Èlia Càdec, 400\nÒscar Muñoz, 380\n"
    assert text.encoding == read_as
    assert codes(issues) == (["encoding_guessed"] if warned else [])


def test_cyrillic_windows_text() -> None:
    issues = Issues()
    assert decode("Вера Осинцева; Пётр Ёлкин\n".encode("cp1251"), issues).text == "Вера Осинцева; Пётр Ёлкин\n"
    assert issues.sorted()[0].params == {"encoding": "Windows-1251"}


def test_latin1_with_bytes_that_windows_does_not_know() -> None:
    assert decode(b"caf\xe9 \x81\n", Issues()).encoding == "latin-1"


def test_damaged_utf8_names_the_line() -> None:
    issues = Issues()
    data = "Èlia Càdec\nÒscar Muñoz\n".encode().replace("ñ".encode(), b"\xc3")
    assert decode(data, issues).encoding == "utf-8"
    assert [(issue.line, issue.column, issue.code, issue.severity) for issue in issues.sorted()] == [
        (2, 9, "damaged_bytes", "error")
    ]


def test_control_characters_are_errors() -> None:
    issues = Issues()
    decode(b"a\nb\x00c\n", issues)
    assert [(issue.line, issue.column, issue.code) for issue in issues.sorted()] == [(2, 2, "control_character")]


def test_line_ends() -> None:
    assert split_lines("a\r\nb\rc\nd") == (["a", "b", "c", "d"], False)
    assert split_lines("a\n\x1a") == (["a"], True)
    assert split_lines("") == ([], True)


@pytest.mark.parametrize(
    ("lines", "delimiter"),
    [
        (["Ronda;Jugador;Punts", "1;Ona;0,5", "1;Pol;0,5"], ";"),
        (["a,b,c", '1,"x,y",2'], ","),
        (["a\tb", "1\t2"], "\t"),
        (["a|b", "1|2"], "|"),
        (["A title", "", "a;b", "1;2"], ";"),
        (["word"], ""),
    ],
)
def test_delimiter(lines: list[str], delimiter: str) -> None:
    assert sniff_delimiter(lines) == delimiter


def test_rows_keep_their_lines() -> None:
    issues = Issues()
    table = read_delimited('a;b;\n\n"two\nlines"; x ;\n3;4;;;\n', issues)
    assert [(row.line, row.cells, row.width) for row in table.rows] == [
        (1, ("a", "b"), 3),
        (3, ("two\nlines", "x"), 3),
        (5, ("3", "4"), 5),
    ]
    assert codes(issues) == []


def test_open_quote_does_not_swallow_the_file() -> None:
    issues = Issues()
    table = read_delimited('a;b\n"1;2\n3;4\n', issues)
    assert [row.cells for row in table.rows] == [("a", "b"), ("1", "2"), ("3", "4")]
    assert [(issue.line, issue.code) for issue in issues.sorted()] == [(2, "bad_quotes")]


def test_separator_line() -> None:
    assert [row.cells for row in read_delimited("sep=;\na,x;b\n", Issues()).rows] == [("a,x", "b")]


def test_formulas_are_text() -> None:
    table = read_delimited("a;b\n=1+1;@x\n", Issues())
    assert table.rows[1].cells == ("=1+1", "@x")


def test_limits_of_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROWS", 2)
    monkeypatch.setattr(limits, "MAX_COLUMNS", 3)
    monkeypatch.setattr(limits, "MAX_CELL", 5)
    issues = Issues()
    table = read_delimited("a;b;c;d\nlonger text;b\nc\n", issues)
    assert sorted(codes(issues)) == ["cell_too_long", "too_many_columns", "too_many_rows"]
    assert table.rows[0].cells == ("a", "b", "c")
    assert table.rows[1].cells == ("longe", "b")


def test_repairs() -> None:
    repairs = [Repair(2, 1, "x"), Repair(2, 3, "z"), Repair(3)]
    table = read_delimited("a;b\n1;2\n3;4\n", Issues(), repairs)
    assert [row.cells for row in table.rows] == [("a", "b"), ("x", "2", "z")]


def workbook_bytes(*rows: list[object], merge: str = "") -> bytes:
    workbook = Workbook()
    sheet = workbook.active
    for row in rows:
        sheet.append(row)
    if merge:
        sheet.merge_cells(merge)
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def test_workbook_cells_become_text() -> None:
    issues = Issues()
    (table,) = read_workbook(workbook_bytes(["a", 1, 0.5, None, True, "  x ", None], [], ["=1+1", 400.0]), issues)
    assert [(row.line, row.cells) for row in table.rows] == [
        (1, ("a", "1", "0.5", "", "1", "x")),
        (3, ("", "400")),
    ]
    assert [(issue.line, issue.column, issue.code) for issue in issues.sorted()] == [(3, 1, "formula_without_value")]


def test_merged_cells_repeat_their_value() -> None:
    (table,) = read_workbook(workbook_bytes(["r", "x"], [1, "a"], [None, "b"], [2, "c"], merge="A2:A3"), Issues())
    assert [row.cells[0] for row in table.rows] == ["r", "1", "1", "2"]


def test_workbook_with_entities_is_refused() -> None:
    source = zipfile.ZipFile(io.BytesIO(workbook_bytes(["a"])))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as target:
        for name in source.namelist():
            data = source.read(name)
            if name.startswith("xl/worksheets"):
                data = b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + data
            target.writestr(name, data)
    issues = Issues()
    assert read_workbook(content.getvalue(), issues) == ()
    assert codes(issues) == ["external_entities"]


def test_bomb_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("a.csv", b"0" * 5_000_000)
    issues = Issues()
    assert open_archive(content.getvalue(), issues) is None
    assert codes(issues) == ["zip_too_large"]


def test_damaged_workbook_is_an_issue() -> None:
    data = workbook_bytes(["a", 1], ["b", 2])
    for cut in range(0, len(data), 97):
        issues = Issues()
        assert read_workbook(data[:cut], issues) == ()
        assert issues.has_errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("01.03.2020", "2020-03-01"),
        ("1/3/2020", "2020-03-01"),
        ("2020-03-01 10:00", "2020-03-01"),
        ("May 30-31, 2026", "2026-05-30"),
    ],
)
def test_dates(text: str, expected: str) -> None:
    assert parse_date(text) == expected


@pytest.mark.parametrize("text", ["", "31.02.2020", "soon", "2020"])
def test_no_dates(text: str) -> None:
    assert parse_date(text) == ""


def test_column_letters() -> None:
    assert [column_letter(number) for number in (1, 26, 27, 60)] == ["A", "Z", "AA", "BH"]


def test_issue_list_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("federation.core.reading.MAX_ISSUES", 2)
    issues = Issues()
    for line in range(5):
        issues.warning("blank_line", line)
    issues.error("no_games")
    assert codes(issues) == ["blank_line", "blank_line", "too_many_issues"]
    assert issues.sorted()[-1] == Issue(0, 0, "too_many_issues", "error", {"count": 4})
    assert issues.has_errors


def test_texts_say_what_is_wrong_and_end_as_sentences() -> None:
    for code, text in ISSUE_TEXTS.items():
        assert text[-1] == ".", code
