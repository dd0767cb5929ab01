"""A small reader of dBase III tables, enough for the tables of SwissPerfect."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

from federation.core import limits
from federation.core.reading import Issues

_VERSIONS = frozenset((0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x83, 0x8B, 0xF5))
# Code pages by the header's language byte; SwissPerfect writes the Windows page whatever its header says.
_CODE_PAGES = {0x64: "cp852", 0x65: "cp866", 0xC8: "cp1250", 0xC9: "cp1251"}
_DOS_PAGES = {0x01: "cp437", 0x02: "cp850"}


@dataclass(frozen=True, slots=True)
class Field:
    """A column: its name, type, first byte inside a record, and length."""

    name: str
    kind: str
    start: int
    length: int


@dataclass(frozen=True, slots=True)
class Record:
    """A record and its number, from 1."""

    line: int
    values: Mapping[str, str]

    def number(self, name: str) -> int | None:
        """Return a whole number, None if the field is empty or holds something else."""
        text = self.values.get(name, "").strip()
        try:
            value = float(text.replace(",", "."))
        except ValueError:
            return None
        return int(value) if abs(value) < 1e9 and value == int(value) else None


@dataclass(frozen=True, slots=True)
class DbaseTable:
    """Columns by name, in order, and the records that are not deleted."""

    fields: tuple[Field, ...]
    records: tuple[Record, ...]

    def column(self, name: str) -> int:
        """Return the place of a column, from 1; 0 if there is none."""
        return next((place for place, field in enumerate(self.fields, start=1) if field.name == name), 0)


def looks_like_dbase(data: bytes) -> bool:
    """Whether bytes begin like a dBase table."""
    if len(data) < 33 or data[0] not in _VERSIONS:
        return False
    header, record = struct.unpack_from("<HH", data, 8)
    return (header - 32) % 32 in (0, 1, 2, 8) and header >= 33 and record > 1 and data[2] <= 12 and data[3] <= 31


def read_dbase(data: bytes, issues: Issues) -> DbaseTable | None:
    """Return a table, None with an issue if its head is damaged.

    Fewer records than the head promises are an error: the file was cut.
    """
    count, header, length = struct.unpack_from("<IHH", data, 4)
    fields = _fields(data, header)
    if not fields or sum(field.length for field in fields) + 1 > length:
        issues.error("damaged_table", found=0, expected=count)
        return None
    available = max(0, len(data) - header) // length
    if available < count:
        issues.error("damaged_table", found=available, expected=count)
    if count > limits.MAX_ROWS:
        issues.error("too_many_rows", limit=limits.MAX_ROWS)
    encoding = _encoding(data[29], data[header:])
    records: list[Record] = []
    for number in range(min(count, available, limits.MAX_ROWS)):
        start = header + number * length
        record = data[start : start + length]
        if record[:1] == b"*":
            continue
        values = {field.name: _value(record, field, encoding) for field in fields}
        records.append(Record(number + 1, values))
    return DbaseTable(tuple(fields), tuple(records))


def _encoding(language: int, content: bytes) -> str:
    """Return the code page; a DOS page only if the letters lie where DOS has them and Windows has signs."""
    if language in _DOS_PAGES:
        high = [byte for byte in content if byte >= 0x80]
        if high and all(byte < 0xC0 for byte in high):
            return _DOS_PAGES[language]
    return _CODE_PAGES.get(language, "cp1252")


def _fields(data: bytes, header: int) -> list[Field]:
    fields: list[Field] = []
    start = 1
    for place in range(32, min(header, len(data)) - 31, 32):
        if data[place] == 0x0D or len(fields) > 255:
            break
        name = data[place : place + 11].split(b"\0")[0].decode("ascii", errors="replace").strip().upper()
        length = data[place + 16]
        if not name or not length:
            return []
        fields.append(Field(name, chr(data[place + 11]), start, length))
        start += length
    return fields


def _value(record: bytes, field: Field, encoding: str) -> str:
    content = record[field.start : field.start + field.length]
    if field.kind == "I" and len(content) == 4:
        return str(struct.unpack("<i", content)[0])
    content = content.split(b"\0")[0]
    if not content.isascii():
        try:
            return content.decode("utf-8").strip()
        except UnicodeDecodeError:
            pass
    return content.decode(encoding, errors="replace").strip()
