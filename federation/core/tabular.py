"""Bytes into text, text into rows, workbooks into rows: safely, and with every problem as an issue.

Lines, rows and columns count from 1. Cells are text; what looks like a formula is text too and is never evaluated.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from defusedxml.common import DefusedXmlException
from openpyxl import load_workbook

from federation.core import limits
from federation.core.reading import Issues, Repair

DELIMITERS = (";", "\t", "|", ",")
_MAX_QUOTE_PROBLEMS = 20
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its line in the file and its cells, blanks at the ends removed.

    `width` is the number of cells written, trailing empty ones included.
    """

    line: int
    cells: tuple[str, ...]
    width: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a text file or of one sheet; `delimiter` is empty for a sheet."""

    rows: tuple[Row, ...]
    delimiter: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Decoded text and the name of its encoding."""

    text: str
    encoding: str


def clean_cell(text: str) -> str:
    """Return a cell without blanks at its ends, hard blanks and zero-width characters included."""
    return text.replace("\u00a0", " ").replace("\u202f", " ").strip(" \t\r\n\ufeff\u200b\u200e\u200f")


# --- bytes to text -------------------------------------------------------------------------------------------------


def decode(data: bytes, issues: Issues) -> Text:
    """Return the text of a file.

    UTF-8 with or without a mark and UTF-16 are recognised; anything else is read as Windows-1252 (Windows-1251 where
    most letters say so) with a warning that names the guess. A file that is UTF-8 but for some damaged bytes keeps
    them as replacement characters, each line an error.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return _damaged(data, "utf-16", issues)
    if data.startswith(b"\xef\xbb\xbf"):
        return _damaged(data[3:], "utf-8", issues)
    blind = _utf16_without_mark(data)
    if blind:
        issues.warning("encoding_guessed", encoding="UTF-16")
        return _damaged(data, blind, issues)
    try:
        return _controls(Text(data.decode("utf-8"), "utf-8"), issues)
    except UnicodeDecodeError:
        pass
    if _mostly_utf8(data):
        return _damaged(data, "utf-8", issues)
    encoding = _eight_bit(data)
    issues.warning(
        "encoding_guessed", encoding={"cp1252": "Windows-1252", "cp1251": "Windows-1251"}.get(encoding, "Latin-1")
    )
    return _controls(Text(data.decode(encoding, errors="replace"), encoding), issues)


def _utf16_without_mark(data: bytes) -> str:
    head = data[:2000]
    if len(head) < 4:
        return ""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.6 and even < half * 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.6 and odd < half * 0.1 else ""


def _mostly_utf8(data: bytes) -> bool:
    """Whether bytes above 127 mostly form UTF-8 characters: then the file is UTF-8 with some damage."""
    text = data.decode("utf-8", errors="replace")
    bad = text.count(_REPLACEMENT)
    good = sum(character > "\x7f" for character in text) - bad
    return good > bad


def _eight_bit(data: bytes) -> str:
    high = [byte for byte in data if byte >= 0x80]
    # In Cyrillic text nearly every letter is above 127, in Latin text few are.
    latin = sum(65 <= byte <= 90 or 97 <= byte <= 122 for byte in data)
    if sum(byte >= 0xC0 for byte in high) > max(latin, 10):
        return "cp1251"
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _damaged(data: bytes, encoding: str, issues: Issues) -> Text:
    text = data.decode(encoding, errors="replace")
    try:
        data.decode(encoding)
    except UnicodeDecodeError:
        for number, line in enumerate(split_lines(text)[0], start=1):
            if _REPLACEMENT in line:
                issues.error("damaged_bytes", number, line.index(_REPLACEMENT) + 1, encoding=encoding.upper())
    return _controls(Text(text, encoding), issues)


def _controls(text: Text, issues: Issues) -> Text:
    if not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x19\x1b-\x1f\x7f]", text.text):
        return text
    for number, line in enumerate(split_lines(text.text)[0], start=1):
        found = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x19\x1b-\x1f\x7f]", line)
        if found:
            issues.error("control_character", number, found.start() + 1)
    return text


def split_lines(text: str) -> tuple[list[str], bool]:
    r"""Return the lines, ends removed (CRLF, LF, CR), and whether the last one was ended.

    >>> split_lines("a\r\nb")
    (['a', 'b'], False)
    """
    # The DOS end-of-file mark.
    text = text.rstrip("\x1a")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    ended = lines[-1] == ""
    if ended:
        lines.pop()
    return lines, ended


def repaired_lines(lines: Sequence[str], repairs: Sequence[Repair], issues: Issues) -> list[str]:
    """Return lines with whole-line repairs applied and the limits checked; a line set aside becomes empty."""
    changed = list(lines)
    if len(changed) > limits.MAX_ROWS:
        issues.error("too_many_rows", limits.MAX_ROWS + 1, limit=limits.MAX_ROWS)
        del changed[limits.MAX_ROWS :]
    for number, line in enumerate(changed, start=1):
        if len(line) > limits.MAX_LINE:
            issues.error("line_too_long", number, limits.MAX_LINE + 1, limit=limits.MAX_LINE)
            changed[number - 1] = ""
    for repair in repairs:
        if 1 <= repair.line <= len(changed):
            changed[repair.line - 1] = (repair.text or "")[: limits.MAX_LINE]
    return changed


# --- delimited text ------------------------------------------------------------------------------------------------


def sniff_delimiter(lines: Sequence[str]) -> str:
    """Return the delimiter that divides most of the first lines alike, empty if none does.

    >>> sniff_delimiter(["Ronda;Jugador;Punts", "1;Ona;0,5", "1;Pol;0,5"])
    ';'
    """
    head = [re.sub(r'"[^"]*"', "", line) for line in lines if line.strip()][:40]
    best = ("", 0, 0)
    for delimiter in DELIMITERS:
        counts = [line.count(delimiter) for line in head]
        usual = max(set(counts), key=lambda count: (counts.count(count) if count else 0, count), default=0)
        rank = (delimiter, sum(count > 0 for count in counts), counts.count(usual) * usual)
        if usual and (rank[1] > best[1] * 1.5 or (rank[1] * 1.5 > best[1] and rank[2] > best[2])):
            best = rank
    return best[0]


def read_delimited(text: str, issues: Issues, repairs: Sequence[Repair] = ()) -> Table:
    """Return the rows of CSV or TSV text, empty rows left out.

    Quotes that are never closed are an error of their line, which is then read without quotes, so that the rest of
    the file is not swallowed.
    """
    lines, _ = split_lines(text)
    first = 0
    delimiter = ""
    if lines and re.fullmatch(r"\s*\"?sep=.\"?\s*", lines[0], re.IGNORECASE):
        delimiter, first = lines[0].strip().strip('"')[-1], 1
    delimiter = delimiter or sniff_delimiter(lines[first:])
    rows: list[Row] = []
    for number, cells in _records(lines, first, delimiter or ";", issues):
        if len(rows) >= limits.MAX_ROWS:
            issues.error("too_many_rows", number, limit=limits.MAX_ROWS)
            break
        rows.append(checked_row(number, cells, issues))
    return apply_repairs(Table(tuple(rows), delimiter), repairs)


def _records(lines: Sequence[str], first: int, delimiter: str, issues: Issues) -> Iterator[tuple[int, Sequence[str]]]:
    position, problems = first, 0
    csv.field_size_limit(limits.MAX_BYTES)
    while position < len(lines):
        quoting: Literal[0, 3] = csv.QUOTE_MINIMAL if problems < _MAX_QUOTE_PROBLEMS else csv.QUOTE_NONE
        # csv needs the line ends to keep them inside quotes.
        source = (line.replace("\0", _REPLACEMENT) + "\n" for line in lines[position:])
        reader = csv.reader(source, delimiter=delimiter, quoting=quoting, strict=True)
        start = position
        while True:
            before = position + reader.line_num
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error:
                problems += 1
                issues.error("bad_quotes", before + 1)
                yield before + 1, lines[before].replace('"', "").split(delimiter)
                start = before + 1
                break
            if any(cell.strip() for cell in cells):
                yield before + 1, cells
        position = start


def checked_row(line: int, cells: Sequence[str], issues: Issues) -> Row:
    """Return a row within the limits, trailing empty cells removed."""
    clean = [clean_cell(cell) for cell in cells]
    width = len(clean)
    while clean and not clean[-1]:
        clean.pop()
    if len(clean) > limits.MAX_COLUMNS:
        issues.error("too_many_columns", line, limits.MAX_COLUMNS + 1, limit=limits.MAX_COLUMNS)
        del clean[limits.MAX_COLUMNS :]
    for position, cell in enumerate(clean):
        if len(cell) > limits.MAX_CELL:
            issues.error("cell_too_long", line, position + 1, limit=limits.MAX_CELL)
            clean[position] = cell[: limits.MAX_CELL]
    return Row(line, tuple(clean), min(width, limits.MAX_COLUMNS))


def apply_repairs(table: Table, repairs: Sequence[Repair]) -> Table:
    """Return the table with cells repaired and rows set aside."""
    if not repairs:
        return table
    aside = {repair.line for repair in repairs if repair.text is None}
    changes: dict[int, dict[int, str]] = {}
    for repair in repairs:
        if repair.text is not None and 1 <= repair.column <= limits.MAX_COLUMNS:
            changes.setdefault(repair.line, {})[repair.column] = clean_cell(repair.text)[: limits.MAX_CELL]
    rows: list[Row] = []
    for row in table.rows:
        if row.line in aside:
            continue
        if row.line in changes:
            cells = list(row.cells) + [""] * (max(changes[row.line]) - len(row.cells))
            for column, text in changes[row.line].items():
                cells[column - 1] = text
            row = Row(row.line, tuple(cells), max(row.width, len(cells)))
        rows.append(row)
    return replace(table, rows=tuple(rows))


# --- compressed files and workbooks ----------------------------------------------------------------------------------


def open_archive(data: bytes, issues: Issues) -> zipfile.ZipFile | None:
    """Return a compressed file after checking its limits, None with an issue if it breaks one."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError, EOFError, RuntimeError, LookupError):
        issues.error("damaged_archive")
        return None
    if len(members) > limits.MAX_ZIP_MEMBERS:
        issues.error("too_many_members", limit=limits.MAX_ZIP_MEMBERS)
        return None
    total = sum(member.file_size for member in members)
    packed = max(1, sum(member.compress_size for member in members))
    if total > limits.MAX_ZIP_BYTES or (total > 1_000_000 and total / packed > limits.MAX_ZIP_RATIO):
        issues.error("zip_too_large", limit=limits.MAX_ZIP_RATIO)
        return None
    if any(member.flag_bits & 1 for member in members):
        issues.error("encrypted_file")
        return None
    return archive


def read_member(archive: zipfile.ZipFile, name: str, issues: Issues, limit: int = limits.MAX_ZIP_BYTES) -> bytes | None:
    """Return the bytes of a member, never more than `limit` whatever its header says."""
    try:
        with archive.open(name) as member:
            data = member.read(limit + 1)
    except (
        zipfile.BadZipFile,
        OSError,
        ValueError,
        NotImplementedError,
        EOFError,
        RuntimeError,
        KeyError,
        LookupError,
    ):
        issues.error("damaged_archive")
        return None
    except Exception:  # noqa: BLE001 - zlib.error, lzma errors: whatever a damaged stream makes the decoder say
        issues.error("damaged_archive")
        return None
    if len(data) > limit:
        issues.error("zip_too_large", limit=limits.MAX_ZIP_RATIO)
        return None
    return data


def read_workbook(data: bytes, issues: Issues, repairs: Sequence[Repair] = ()) -> tuple[Table, ...]:
    """Return the visible sheets of an XLSX workbook; lines are its row numbers.

    Values as saved: formulas are not evaluated, one without a saved value is an error. Numbers and dates become text
    (whole numbers without a point, dates as ISO). Cells merged downwards repeat their value.
    """
    archive = open_archive(data, issues)
    if archive is None:
        return ()
    formulas = False
    names = [name for name in archive.namelist() if name.lower().endswith((".xml", ".rels", ".vml"))]
    for name in names:
        content = read_member(archive, name, issues)
        if content is None:
            return ()
        if re.search(rb"<!\s*(DOCTYPE|ENTITY)", content.replace(b"\0", b""), re.IGNORECASE):
            issues.error("external_entities")
            return ()
        if re.match(r"xl/worksheets/[^/]+\.xml$", name):
            formulas = formulas or b"<f" in content
    try:
        return _sheets(data, archive, formulas, issues, repairs)
    except DefusedXmlException:
        issues.error("external_entities")
    except Exception:  # noqa: BLE001 - the library raises a dozen kinds of errors on damaged workbooks
        issues.error("damaged_workbook")
    return ()


def _sheets(
    data: bytes, archive: zipfile.ZipFile, formulas: bool, issues: Issues, repairs: Sequence[Repair]
) -> tuple[Table, ...]:
    workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    written = load_workbook(io.BytesIO(data), read_only=True, data_only=False) if formulas else None
    tables: list[Table] = []
    for sheet in workbook.worksheets:
        if sheet.sheet_state != "visible":
            continue
        sheet.reset_dimensions()
        spans = _merged_downwards(archive, getattr(sheet, "_worksheet_path", ""))
        source = _formula_rows(written[sheet.title]) if written is not None else {}
        rows: list[Row] = []
        previous: dict[int, str] = {}
        for number, values in enumerate(sheet.iter_rows(values_only=True, max_row=limits.MAX_ROWS + 1), start=1):
            cells = [_cell_text(value) for value in values[: limits.MAX_COLUMNS + 1]]
            for column in source.get(number, ()):
                if column <= len(cells) and values[column - 1] is None:
                    issues.error("formula_without_value", number, column)
            for column, first, last in spans:
                if column <= len(cells) and first < number <= last and not cells[column - 1]:
                    cells[column - 1] = previous.get(column, "")
            previous = {column: cells[column - 1] for column, _, _ in spans if column <= len(cells)}
            if number > limits.MAX_ROWS:
                issues.error("too_many_rows", number, limit=limits.MAX_ROWS)
                break
            if not any(cells):
                continue
            rows.append(checked_row(number, cells, issues))
        tables.append(apply_repairs(Table(tuple(rows), "", sheet.title), repairs))
    return tuple(tables)


def _formula_rows(sheet: Any) -> dict[int, list[int]]:
    sheet.reset_dimensions()
    found: dict[int, list[int]] = {}
    for number, values in enumerate(sheet.iter_rows(values_only=True, max_row=limits.MAX_ROWS), start=1):
        columns = [
            column
            for column, value in enumerate(values[: limits.MAX_COLUMNS], start=1)
            if isinstance(value, str) and value.startswith("=")
        ]
        if columns:
            found[number] = columns
    return found


def _merged_downwards(archive: zipfile.ZipFile, path: str) -> list[tuple[int, int, int]]:
    """Return column, first row and last row of cells merged over several rows of one column."""
    try:
        content = archive.read(path.lstrip("/"))
    except KeyError:
        return []
    spans: list[tuple[int, int, int]] = []
    for found in re.finditer(rb'<mergeCell [^>]*?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"', content):
        column, first, last_column, last = found.groups()
        if column == last_column and int(last) > int(first):
            spans.append((_column_number(column.decode()), int(first), int(last)))
    return spans[: limits.MAX_ROWS]


def _column_number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, int):
        # Python refuses to write integers of thousands of digits.
        return str(value) if abs(value) < 10**30 else "#"
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return "#"
        return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(round(value, 10))
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ", "seconds")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return clean_cell(str(value))


def column_letter(column: int) -> str:
    """Return the name of a sheet's column.

    >>> column_letter(1), column_letter(28)
    ('A', 'AB')
    """
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def parse_date(text: str) -> str:
    """Return a date as ISO text, empty if it is none or ambiguous in no known way.

    Day comes before month, as the federations write it, unless the year comes first.

    >>> parse_date("01.03.2020"), parse_date("2020-3-1"), parse_date("March 1, 2020"), parse_date("32.1.2020")
    ('2020-03-01', '2020-03-01', '2020-03-01', '')
    """
    text = text.strip()
    found = re.search(r"\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})\b", text)
    parts = found.groups() if found else None
    if parts is None:
        found = re.search(r"\b(\d{1,2})[-./](\d{1,2})[-./](\d{4})\b", text)
        parts = (found[3], found[2], found[1]) if found else None
    if parts is None:
        found = re.search(r"\b([A-Za-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?(?:\s*-\s*\d{1,2})?,? (\d{4})\b", text)
        months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        if found and found[1].lower() in months:
            parts = (found[3], str(months.index(found[1].lower()) + 1), found[2])
    if parts is None:
        return ""
    try:
        return dt.date(int(parts[0]), int(parts[1]), int(parts[2])).isoformat()
    except ValueError:
        return ""
