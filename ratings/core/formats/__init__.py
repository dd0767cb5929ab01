"""Readers and writers of directors' files of scrabble; `read` is the entrance.

Formats: tsh (division, configuration, archive, live file), AUPAIR (tournament, rating list), results sheets (CSV,
TSV, XLSX, on-line form, federation's template), SwissPerfect (tables, round exports with participants), opening
ratings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from federation.core import limits
from federation.core.reading import EventInfo, Issue, Issues, Reading, ReadPerson, Repair, SourceRow, repairs_of
from federation.core.tabular import (
    Table,
    apply_repairs,
    open_archive,
    read_delimited,
    read_member,
    repaired_lines,
)
from ratings.core.formats import aupair, lists, sheets, swissperfect, tourney_js, tsh
from ratings.core.formats.common import Source
from ratings.core.formats.detect import Detected, detect, is_archive

__all__ = ["read"]


class _File:
    """A file with what is known of it."""

    def __init__(self, name: str, data: bytes, repairs: Sequence[Repair], several: bool) -> None:
        self.name = name
        self.repairs = repairs_of(repairs, name if several else "") if several else tuple(repairs)
        self.issues = Issues(name if several else "")
        self.found: Detected = detect(data, self.issues)

    def source(self) -> Source:
        """Return the file for a reader, repairs of whole lines applied."""
        found = self.found
        if self.repairs and found.text is not None and not found.tables:
            # What was wrong with the bytes is judged again after the repair.
            self.issues = _without_lines(self.issues, {repair.line for repair in self.repairs})
        source = Source(self.name, b"", self.issues, self.repairs, found.text, found.lines, found.ended)
        if not found.tables and found.lines:
            source.lines = repaired_lines(found.lines, self.repairs, self.issues)
        last = next((line for line in reversed(source.lines) if line.strip()), "")
        if found.text is not None and not found.ended and not last.startswith("***"):
            self.issues.warning("unfinished_last_line", len(found.lines))
        return source

    def tables(self) -> tuple[Table, ...]:
        """Return the rows, repairs applied, with the issues of reading them."""
        if self.found.text is not None:
            self.issues = _without_lines(self.issues, {repair.line for repair in self.repairs})
            return (read_delimited(self.found.text.text, self.issues, self.repairs),)
        with_results = [table for table in self.found.tables if sheets.find_layout(table)]
        if self.repairs and len(with_results) > 1:
            self.issues.warning("repairs_ignored")
            return self.found.tables
        only = with_results or list(self.found.tables[:1])
        return tuple(apply_repairs(table, self.repairs) if table in only else table for table in self.found.tables)


def _without_lines(issues: Issues, lines: set[int]) -> Issues:
    kept = Issues(issues.file)
    kept.extend(issue for issue in issues.sorted() if not issue.line or issue.line not in lines)
    return kept


def read(files: Sequence[tuple[str, bytes]], repairs: Sequence[Repair] = ()) -> Reading:
    """Return the reading of one upload: one file, a compressed set of files, or several files of one event.

    Never raises on bad input: every problem is an issue of the reading.

    Args:
        files: name and bytes of each file; names only tell files apart.
        repairs: cells or lines changed by a person in the preview.
    """
    issues = Issues()
    if len(files) > limits.MAX_FILES:
        issues.error("too_many_files", limit=limits.MAX_FILES)
        return Reading("unknown", issues=issues.sorted())
    if sum(len(data) for _, data in files) > limits.MAX_BYTES:
        issues.error("file_too_large", limit=limits.MAX_BYTES // (1024 * 1024))
        return Reading("unknown", issues=issues.sorted())
    try:
        return _read(files, repairs, issues)
    except Exception:  # noqa: BLE001 - the last net: a director gets an answer even where a reader has a mistake
        issues.error("unreadable")
        return Reading("unknown", issues=issues.sorted())


def _read(files: Sequence[tuple[str, bytes]], repairs: Sequence[Repair], issues: Issues) -> Reading:
    members = _unpacked(files, issues)
    if not members:
        if not issues.has_errors:
            issues.error("empty_file")
        return Reading("unknown", issues=issues.sorted())
    several = len(members) > 1
    opened = [_File(name, data, repairs, several) for name, data in members]
    reading = _joined(opened, issues)
    general = issues.sorted()
    return replace(reading, issues=general + reading.issues) if general else reading


def _unpacked(files: Sequence[tuple[str, bytes]], issues: Issues) -> list[tuple[str, bytes]]:
    """Return the files, those inside compressed ones included, one level deep."""
    members: list[tuple[str, bytes]] = []
    for name, data in files:
        if not is_archive(data):
            members.append((name, data))
            continue
        archive = open_archive(data, issues)
        if archive is None:
            continue
        for member in archive.infolist():
            base = member.filename.replace("\\", "/").rsplit("/", 1)[-1]
            if member.is_dir() or base.startswith(".") or "__MACOSX" in member.filename:
                continue
            content = read_member(archive, member.filename, issues, limits.MAX_BYTES)
            if content is None:
                return []
            if is_archive(content):
                issues.error("nested_archive")
                return []
            members.append((base, content))
    if len(members) > limits.MAX_FILES:
        issues.error("too_many_files", limit=limits.MAX_FILES)
        return []
    return members


def _joined(files: Sequence[_File], issues: Issues) -> Reading:
    kinds = [file.found.kind for file in files]
    if any(kind in ("sp-round", "sp-results", "sp-participants", "sp-settings") for kind in kinds):
        return _swissperfect(files)
    if any(kind in ("tsh", "tsh-archive") for kind in kinds):
        return _tsh(files)
    if len(files) == 1:
        return _single(files[0])
    with_results = [file for file in files if file.found.kind in ("sheet", "aupair", "tsh-live")]
    if len(with_results) == 1:
        reading = _single(with_results[0])
        unused = [issue for file in files if file is not with_results[0] for issue in _unused(file)]
        return replace(reading, issues=reading.issues + tuple(unused))
    issues.error("mixed_files")
    found = tuple(issue for file in files for issue in file.issues.sorted())
    return Reading("unknown", issues=found)


def _unused(file: _File) -> tuple[Issue, ...]:
    if not file.issues.has_errors:
        file.issues.warning("unused_file")
    return file.issues.sorted()


def _single(file: _File) -> Reading:
    kind = file.found.kind
    if kind == "aupair":
        return aupair.read_tournament(file.source())
    if kind == "aupair-ratings":
        return aupair.read_rating_list(file.source())
    if kind == "tsh-live" and file.found.text is not None:
        return tourney_js.read(file.source(), file.found.text.text)
    if kind == "sheet":
        tables = file.tables()
        source = file.source()
        return sheets.read(source, tables, format_name=_sheet_format(tables), participants=_listed(tables, source))
    if kind == "list":
        tables = file.tables()
        return lists.read(file.source(), tables)
    return _refused(file)


def _sheet_format(tables: Sequence[Table]) -> str:
    layouts = [layout for table in tables if (layout := sheets.find_layout(table))]
    if layouts and layouts[0].winner and layouts[0].column("submitted"):
        return "results-form"
    if layouts and layouts[0].column("number_a") and any(lists.find_list_layout(table) for table in tables):
        return "template"
    return "results-sheet"


def _listed(tables: Sequence[Table], source: Source) -> dict[str, ReadPerson]:
    """Return the people of a list in the same workbook, by number."""
    for table in tables:
        layout = lists.find_list_layout(table)
        if layout is not None and sheets.find_layout(table) is None:
            people = lists.people_of(table, layout, source.issues)
            return {person.number: person for person in people if person.number}
    return {}


def _refused(file: _File) -> Reading:
    """Return the reading of a file that holds nothing readable, with the reason."""
    kind, issues = file.found.kind, file.issues
    if kind == "empty":
        issues.error("empty_file")
    elif kind in ("old_excel", "opendocument"):
        issues.error(kind)
    elif kind == "headings":
        issues.error("headings_missing", 1)
    elif kind == "archive" or not issues.has_errors or kind == "unknown":
        issues.error("unknown_format")
    rows: list[SourceRow] = []
    for table in file.found.tables[:1]:
        rows = [SourceRow(row.line, row.cells, issues.file) for row in table.rows]
    encoding = file.found.text.encoding if file.found.text else ""
    return Reading("unknown", EventInfo(), issues=issues.sorted(), rows=tuple(rows), encoding=encoding)


def _tsh(files: Sequence[_File]) -> Reading:
    archives = [file for file in files if file.found.kind == "tsh-archive"]
    if archives:
        reading = tsh.read_archive(archives[0].source())
        unused = [issue for file in files if file is not archives[0] for issue in _unused(file)]
        return replace(reading, issues=reading.issues + tuple(unused))
    event = EventInfo()
    names: dict[str, str] = {}
    divisions: list[tuple[str, Source]] = []
    rest: list[Issue] = []
    for file in files:
        if file.found.kind == "tsh-configuration":
            event, names = tsh.read_configuration(file.source().lines)
            rest += list(file.issues.sorted())
    for file in files:
        if file.found.kind == "tsh":
            base = file.name.lower()
            divisions.append((names.get(base, file.name.rsplit(".", 1)[0].upper()), file.source()))
        elif file.found.kind != "tsh-configuration":
            rest += list(_unused(file))
    reading = tsh.read(divisions, event)
    return replace(reading, issues=reading.issues + tuple(rest))


def _swissperfect(files: Sequence[_File]) -> Reading:
    parts = swissperfect.Parts()
    rest: list[Issue] = []
    encoding = ""
    for file in files:
        kind, found = file.found.kind, file.found
        encoding = encoding or (found.text.encoding if found.text else "")
        if kind == "sp-participants" and found.dbase is not None:
            parts.participants.append((file.issues, swissperfect.participants_of(found.dbase, file.issues)))
        elif kind == "sp-results" and found.dbase is not None:
            parts.results.append((file.issues, found.dbase))
        elif kind == "sp-settings":
            parts.settings = swissperfect.read_settings(file.source().lines)
            rest += file.issues.sorted()
        elif kind == "sp-round":
            tables = file.tables()
            file.source()
            parts.rounds += [(file.issues, table) for table in tables if swissperfect.is_round_export(table)]
        elif kind == "list":
            parts.participants.append((file.issues, _listed_people(file)))
        elif kind == "sp-standings":
            rest += file.issues.sorted()
        else:
            rest += _unused(file)
    if parts.results and parts.rounds:
        # The table of results holds every round already.
        for issues, _ in parts.rounds:
            issues.info("unused_file")
            rest += issues.sorted()
        parts.rounds = []
    reading = swissperfect.read(parts)
    return replace(reading, issues=reading.issues + tuple(rest), encoding=encoding)


def _listed_people(file: _File) -> list[ReadPerson]:
    tables = file.tables()
    file.source()
    for table in tables:
        layout = lists.find_list_layout(table)
        if layout is not None and layout.column("number"):
            people = lists.people_of(table, layout, file.issues)
            return [replace(person, key=str(int(person.number))) for person in people if _is_number(person.number)]
    return []


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9
