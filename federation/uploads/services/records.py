"""What the services of uploads share: locks in one order, stale forms, the reading made anew."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.core.reading import Repair
from federation.registry.models import Discipline, Event
from federation.uploads.codec import reading_as_json
from federation.uploads.models import CellRepair, Upload, UploadFile
from federation.uploads.registry import UploadKind, kind_of


def lock_owner(event_id: int | None, discipline_id: int) -> None:
    """Lock the row that owns what a file is stored into: the event, or the discipline. Always before the upload."""
    if event_id is not None:
        Event.objects.select_for_update(no_key=True).get(pk=event_id)
    else:
        Discipline.objects.select_for_update(no_key=True).get(pk=discipline_id)


def lock_upload(upload: Upload) -> Upload:
    """Return the upload, locked, with its event and discipline."""
    rows = Upload.objects.select_for_update(of=("self",), no_key=True).select_related(
        "event__season", "discipline", "changed_by"
    )
    return rows.get(pk=upload.pk)


def lock_open(upload: Upload) -> Upload:
    """Return the upload, locked, after refusing one that is closed.

    Raises:
        RuleError: ``upload_closed``.
    """
    row = lock_upload(upload)
    if not row.is_open:
        raise RuleError("upload_closed", {"state": row.get_state_display()})
    return row


def refuse_stale(upload: Upload, version: int) -> None:
    """Refuse a change from a form that was made before somebody changed the upload.

    Raises:
        RuleError: ``upload_stale`` with ``who`` and ``when``.
    """
    if upload.version != version:
        who = str(upload.changed_by) if upload.changed_by else "—"
        raise RuleError("upload_stale", {"who": who, "when": upload.changed_at, "version": upload.version})


def touch(upload: Upload, actor: User, fields: tuple[str, ...]) -> None:
    """Store changed fields under the next version."""
    upload.version += 1
    upload.changed_by = actor
    upload.changed_at = timezone.now()
    upload.save(update_fields=[*fields, "version", "changed_by", "changed_at"])


def aside_key(file: str, line: int) -> str:
    """Return the key of a row in ``Upload.set_aside``.

    >>> aside_key("a.csv", 3)
    'a.csv|3'
    """
    return f"{file}|{line}"


def aside_place(key: str) -> tuple[str, int]:
    """Return file and line of a key of ``Upload.set_aside``."""
    file, _, line = key.rpartition("|")
    return file, int(line)


def contents(upload: Upload) -> list[tuple[str, bytes]]:
    """Return names and bytes of the files of an upload, in the order they came."""
    rows = UploadFile.objects.filter(upload=upload).select_related("file").order_by("position", "pk")
    return [(row.name, bytes(row.file.content)) for row in rows]


def repairs_of(upload: Upload) -> list[Repair]:
    """Return what people changed: cells and lines, then rows set aside."""
    rows = CellRepair.objects.filter(upload=upload).order_by("file", "line", "column", "pk")
    repairs = [Repair(row.line, row.column, row.after, row.file) for row in rows]
    places = sorted(aside_place(key) for key in upload.set_aside)
    return repairs + [Repair(line, file=file) for file, line in places]


def read_again(upload: Upload, kind: UploadKind | None = None) -> dict[str, Any]:
    """Return the reading of the files with everything changed by people, as JSON."""
    kind = kind or kind_of(upload)
    return reading_as_json(kind.read(contents(upload), repairs_of(upload)))
