"""What a file is, by its content alone; names of files are not trusted."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from typing import Literal

from federation.core.reading import Issues
from federation.core.tabular import Table, Text, decode, open_archive, read_delimited, read_workbook, split_lines
from ratings.core.formats import aupair, dbase, lists, sheets, swissperfect, tourney_js, tsh

Kind = Literal[
    "empty", "archive", "old_excel", "opendocument", "unknown", "damaged",
    "tsh", "tsh-configuration", "tsh-archive", "tsh-live", "aupair", "aupair-ratings",
    "sheet", "list", "headings",
    "sp-round", "sp-standings", "sp-settings", "sp-participants", "sp-results",
]  # fmt: skip


@dataclass(slots=True)
class Detected:
    """A file with what was found out on the way, so that nothing is read twice."""

    kind: Kind
    text: Text | None = None
    lines: list[str] = field(default_factory=list)
    ended: bool = True
    tables: tuple[Table, ...] = ()
    dbase: dbase.DbaseTable | None = None


def detect(data: bytes, issues: Issues) -> Detected:
    """Return the kind of a file; issues of decoding are added on the way."""
    content = data
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        content = content.removeprefix(mark)
    if not content.strip(b" \t\r\n\0\x1a"):
        return Detected("empty")
    if data.startswith(b"PK"):
        return _compressed(data, issues)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return Detected("old_excel")
    if dbase.looks_like_dbase(data):
        return _table(data, issues)
    if data.startswith((b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"Rar!", b"7z\xbc\xaf", b"\x1f\x8b", b"{\\rtf")):
        return Detected("unknown")
    text = decode(data, issues)
    lines, ended = split_lines(text.text)
    found = Detected("unknown", text, lines, ended)
    if tourney_js.looks_like_live_file(text.text):
        found.kind = "tsh-live"
        return found
    found.kind = _lines_kind(lines)
    if found.kind == "unknown":
        _delimited(found)
    return found


def is_archive(data: bytes) -> bool:
    """Whether a file is a compressed set of files and no workbook or document, told by what it lists alone."""
    return data.startswith(b"PK\x03\x04") and _kind_of_archive(open_archive(data, Issues())) == "archive"


def _kind_of_archive(archive: zipfile.ZipFile | None) -> Literal["archive", "workbook", "opendocument", "damaged"]:
    if archive is None:
        return "damaged"
    names = set(archive.namelist())
    if "xl/workbook.xml" in names:
        return "workbook"
    return "opendocument" if "mimetype" in names and "content.xml" in names else "archive"


def _compressed(data: bytes, issues: Issues) -> Detected:
    archive = open_archive(data, issues)
    kind = _kind_of_archive(archive)
    if kind == "workbook":
        tables = read_workbook(data, issues)
        if issues.has_errors and not tables:
            return Detected("damaged")
        return Detected(_tables_kind(tables), tables=tables)
    return Detected(kind)


def _table(data: bytes, issues: Issues) -> Detected:
    table = dbase.read_dbase(data, issues)
    if table is None:
        return Detected("damaged")
    if swissperfect.is_participants(table):
        return Detected("sp-participants", dbase=table)
    if swissperfect.is_results(table):
        return Detected("sp-results", dbase=table)
    issues.error("table_without_columns", columns="ID, SURNAME / ROUND, WHITE, BLACK, W_SCORE, B_SCORE")
    return Detected("damaged", dbase=table)


def _lines_kind(lines: list[str]) -> Kind:
    if aupair.looks_like_tournament(lines):
        return "aupair"
    if tsh.looks_like_configuration(lines):
        return "tsh-archive" if any(line.startswith("#begin_file") for line in lines) else "tsh-configuration"
    if swissperfect.looks_like_settings(lines):
        return "sp-settings"
    if aupair.looks_like_rating_list(lines):
        return "aupair-ratings"
    return "unknown"


def _delimited(found: Detected) -> None:
    assert found.text is not None
    # Issues are found again, with repairs applied, by the reader.
    table = read_delimited(found.text.text, Issues())
    kind: Kind = _tables_kind((table,))
    if kind in ("unknown", "headings") and tsh.looks_like_division(found.lines):
        found.kind = "tsh"
        return
    found.kind, found.tables = kind, (table,)


def _tables_kind(tables: tuple[Table, ...]) -> Kind:
    if any(map(swissperfect.is_round_export, tables)):
        return "sp-round"
    if any(map(swissperfect.is_standings_export, tables)):
        return "sp-standings"
    if any(sheets.find_layout(table) for table in tables):
        return "sheet"
    if any(lists.find_list_layout(table) for table in tables):
        return "list"
    return "headings" if any(sheets.half_heading(table) for table in tables) else "unknown"
