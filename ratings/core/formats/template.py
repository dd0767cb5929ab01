"""The federation's template: a workbook with the entries filled in and a sheet for the results.

A director types the numbers of the players, their names, or both; `read` gives back exactly what was typed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

HEADINGS: Mapping[str, str] = {
    "entries": "Entries",
    "results": "Results",
    "number": "Number",
    "name": "Name",
    "club": "Club",
    "rating": "Rating",
    "round": "Round",
    "table": "Table",
    "number_a": "Number 1",
    "a": "Player 1",
    "score_a": "Score 1",
    "number_b": "Number 2",
    "b": "Player 2",
    "score_b": "Score 2",
}
"""Names of sheets and columns in English; a translation must be one that `headings` understands."""

_ENTRY_COLUMNS = ("number", "name", "club", "rating")
_RESULT_COLUMNS = ("round", "table", "number_a", "a", "score_a", "number_b", "b", "score_b")
_WIDTHS = {"name": 32, "a": 32, "b": 32, "club": 24}


@dataclass(frozen=True, slots=True)
class TemplateEntry:
    """A player of the event; `number` is the number that the federation or the event uses."""

    number: str
    name: str
    club: str = ""
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class TemplateRow:
    """A row of the results that is already known: a pairing, or a result when an event is exported."""

    round: int
    name_a: str = ""
    name_b: str = ""
    score_a: str = ""
    score_b: str = ""
    table: str = ""
    number_a: str = ""
    number_b: str = ""


def write_template(
    entries: Sequence[TemplateEntry],
    rounds: int,
    rows: Sequence[TemplateRow] = (),
    headings: Mapping[str, str] = HEADINGS,
) -> bytes:
    """Return the workbook.

    Args:
        entries: the players.
        rounds: how many rounds to prepare; each gets empty rows for half the players.
        rows: rows already known; if there are any, no empty rows are prepared.
        headings: names of sheets and columns in the director's language, see `HEADINGS`.
    """
    names = {**HEADINGS, **headings}
    workbook = Workbook()
    results = workbook.active
    assert isinstance(results, Worksheet)
    results.title = names["results"]
    _head(results, [names[column] for column in _RESULT_COLUMNS], _RESULT_COLUMNS)
    prepared = list(rows) or [
        TemplateRow(number, table=str(table))
        for number in range(1, rounds + 1)
        for table in range(1, (len(entries) + 1) // 2 + 1)
    ]
    for line, row in enumerate(prepared, start=2):
        values = (row.round, row.table, row.number_a, row.name_a, row.score_a, row.number_b, row.name_b, row.score_b)
        _fill(results, line, values)
    listed = workbook.create_sheet(names["entries"])
    _head(listed, [names[column] for column in _ENTRY_COLUMNS], _ENTRY_COLUMNS)
    for line, entry in enumerate(entries, start=2):
        _fill(listed, line, (entry.number, entry.name, entry.club, entry.rating))
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def _head(sheet: Worksheet, headings: Sequence[str], columns: Sequence[str]) -> None:
    for place, (heading, column) in enumerate(zip(headings, columns, strict=True), start=1):
        cell = sheet.cell(1, place, heading)
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = _WIDTHS.get(column, 11)
    sheet.freeze_panes = "A2"


def _fill(sheet: Worksheet, line: int, values: Sequence[object]) -> None:
    for place, value in enumerate(values, start=1):
        if value is None or value == "":
            continue
        cell = sheet.cell(line, place)
        assert isinstance(cell, Cell)
        text = str(value)
        if isinstance(value, int) or (
            text.isascii() and text.isdigit() and len(text) < 10 and not text.startswith("0")
        ):
            cell.value = int(text)
        else:
            # Never a formula, whatever a name begins with.
            cell.value = "".join(character for character in text if character.isprintable())
            cell.data_type = "s"
