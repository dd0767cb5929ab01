"""What a person mends in a file: cells and lines, rows set aside, warnings found right. The file is kept as it came."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from django.db import transaction
from django.utils import timezone

from federation.accounts.models import User
from federation.audit.services import record
from federation.core import limits
from federation.core.errors import RuleError
from federation.core.reading import SourceRow
from federation.uploads.codec import reading_from_json
from federation.uploads.models import CellRepair, Upload
from federation.uploads.services.records import aside_key, lock_open, read_again, refuse_stale, touch

Rows: TypeAlias = "dict[tuple[str, int], SourceRow]"

MOST_CONFIRMED = 5000
"""Most warnings whose confirmation is kept."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A new text for a cell; column 0 for a whole line of a text format."""

    file: str
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True)
class Aside:
    """A row to be set aside, with the reason."""

    file: str
    line: int
    reason: str


@transaction.atomic
def mend(
    *,
    upload: Upload,
    version: int,
    actor: User,
    cells: Iterable[Cell] = (),
    aside: Iterable[Aside] = (),
    back: Iterable[tuple[str, int]] = (),
    confirm: Iterable[str] = (),
    doubt: Iterable[str] = (),
) -> Upload:
    """Store everything that a person changed in the preview, and read the file again.

    What is so already changes nothing, so that a form sent twice does no harm.

    Args:
        upload: the upload; it is locked here.
        version: version of the upload that the form was made from.
        actor: who mends.
        cells: new texts.
        aside: rows that are left out.
        back: rows that are taken in again, as pairs of file and line.
        confirm: marks of warnings that were looked at and are right.
        doubt: marks of warnings that are to be looked at again.

    Raises:
        RuleError: ``upload_closed``, ``upload_stale``, ``row_unknown``, ``cell_too_long``, ``reason_missing``.
    """
    row = lock_open(upload)
    rows = {(source.file, source.line): source for source in reading_from_json(row.reading).rows}
    try:
        changed = _changes(list(cells), rows)
        left_out = _left_out(row, list(aside), rows)
    except RuleError:
        # A row that is gone is no mystery once it is known who changed the file.
        refuse_stale(row, version)
        raise
    taken_in = [(file, line) for file, line in back if aside_key(file, line) in row.set_aside]
    confirmed = (set(row.confirmed) | set(confirm)) - set(doubt)
    if not (changed or left_out or taken_in) and confirmed == set(row.confirmed):
        return row
    refuse_stale(row, version)
    _keep(row, changed, rows, actor)
    for one in left_out:
        source = rows[one.file, one.line]
        row.set_aside[aside_key(one.file, one.line)] = {
            "reason": one.reason,
            "cells": list(source.cells),
            "by": str(actor),
            "at": timezone.now().isoformat(timespec="seconds"),
        }
    for file, line in taken_in:
        del row.set_aside[aside_key(file, line)]
    row.confirmed = sorted(confirmed)[-MOST_CONFIRMED:]
    if changed or left_out or taken_in:
        row.reading = read_again(row)
        row.format = row.reading["format"][:30]
    touch(row, actor, ("reading", "format", "set_aside", "confirmed"))
    record(
        action="upload.mended",
        obj=row,
        actor=actor,
        after={
            "cells": len(changed),
            "lines": sorted({cell.line for cell in changed})[:200],
            "set_aside": [one.line for one in left_out][:200],
            "taken_in": [line for _, line in taken_in][:200],
            "confirmed": len(confirmed),
            "version": row.version,
        },
    )
    return row


def _changes(cells: Sequence[Cell], rows: Rows) -> list[Cell]:
    """Return the cells whose text is another than the one that stands there."""
    changed: list[Cell] = []
    for cell in cells:
        source = rows.get((cell.file, cell.line))
        if source is None:
            raise RuleError("row_unknown", {"line": cell.line})
        longest = limits.MAX_CELL if cell.column else limits.MAX_LINE
        if len(cell.text) > longest or cell.column > limits.MAX_COLUMNS:
            raise RuleError("cell_too_long", {"limit": longest}, where=str(cell.line))
        if cell.text != cell_text(source, cell.column):
            changed.append(cell)
    return changed


def _keep(upload: Upload, cells: Sequence[Cell], rows: Rows, actor: User) -> None:
    stored = {(one.file, one.line, one.column): one for one in CellRepair.objects.filter(upload=upload)}
    for cell in cells:
        repair = stored.get((cell.file, cell.line, cell.column))
        if repair is None:
            before = cell_text(rows[cell.file, cell.line], cell.column)
            repair = CellRepair(upload=upload, file=cell.file, line=cell.line, column=cell.column, before=before)
        repair.after, repair.made_by = cell.text, actor
        repair.save()


def _left_out(upload: Upload, asides: Sequence[Aside], rows: Rows) -> list[Aside]:
    """Return the rows that are not set aside yet."""
    new: list[Aside] = []
    for one in asides:
        key = aside_key(one.file, one.line)
        if key in upload.set_aside:
            continue
        if (one.file, one.line) not in rows:
            raise RuleError("row_unknown", {"line": one.line})
        reason = " ".join(one.reason.split())[:500]
        if not reason:
            raise RuleError("reason_missing", where=key)
        new.append(Aside(one.file, one.line, reason))
    return new


def cell_text(row: SourceRow, column: int) -> str:
    """Return the text of a cell, of the whole line for column 0."""
    place = max(column, 1) - 1
    return row.cells[place] if place < len(row.cells) else ""
