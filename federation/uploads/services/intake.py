"""Receiving files: kept once per content, read at once, the same files twice lead to the first upload."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from federation.accounts.models import User
from federation.audit.services import record
from federation.core import limits
from federation.core.errors import RuleError
from federation.core.reading import Reading
from federation.registry.models import Discipline, Event
from federation.uploads.codec import reading_as_json
from federation.uploads.models import StoredFile, Upload, UploadFile, UploadState
from federation.uploads.registry import UploadKind
from federation.uploads.services.records import lock_owner, lock_upload

LONGEST_NAME = 200


def receive_files(
    *,
    kind: UploadKind,
    event: Event | None,
    files: Sequence[tuple[str, bytes]],
    actor: User,
    options: dict[str, Any] | None = None,
) -> tuple[Upload, bool]:
    """Keep the files and read them.

    They are read before the transaction begins: a large sheet takes seconds, and nobody else could write meanwhile.
    Files with the same names and contents that are being checked or are stored for this event already lead to that
    upload; after a withdrawal they may come again.

    Args:
        kind: the purpose.
        event: the event, None for purposes without one.
        files: names and bytes.
        actor: who sends.
        options: further values that the purpose asks for.

    Returns:
        The upload, and whether it is new.

    Raises:
        RuleError: ``no_file``, ``too_many_files``, ``file_too_large``.
    """
    if not files:
        raise RuleError("no_file", where="files")
    refuse_sizes([len(data) for _, data in files])
    named = _named(files)
    digest = fingerprint(named)
    discipline = event.discipline if event is not None else Discipline.objects.get(code=kind.discipline)
    there = _sent_before(kind, discipline, event, digest)
    if there is not None:
        return there, False
    reading = kind.read(named, ())
    with transaction.atomic():
        lock_owner(event.pk if event else None, discipline.pk)
        there = _sent_before(kind, discipline, event, digest)
        if there is not None:
            return there, False
        return _keep(kind, discipline, event, named, digest, reading, actor, options or {}), True


def _sent_before(kind: UploadKind, discipline: Discipline, event: Event | None, digest: str) -> Upload | None:
    """Return the upload of the same files that is being checked or is stored."""
    return (
        Upload.objects.filter(discipline=discipline, purpose=kind.purpose, event=event, sha256=digest)
        .filter(state__in=(UploadState.CHECKED, UploadState.COMMITTED))
        .order_by("pk")
        .first()
    )


def _keep(
    kind: UploadKind,
    discipline: Discipline,
    event: Event | None,
    named: Sequence[tuple[str, bytes]],
    digest: str,
    reading: Reading,
    actor: User,
    options: dict[str, Any],
) -> Upload:
    upload = Upload.objects.create(
        discipline=discipline,
        purpose=kind.purpose,
        event=event,
        sha256=digest,
        format=reading.format[:30],
        reading=reading_as_json(reading),
        options=options,
        created_by=actor,
        changed_by=actor,
        changed_at=timezone.now(),
    )
    for position, (name, data) in enumerate(named):
        stored, _ = StoredFile.objects.get_or_create(
            sha256=hashlib.sha256(data).hexdigest(), defaults={"content": data, "size": len(data)}
        )
        UploadFile.objects.create(upload=upload, name=name, file=stored, position=position)
    record(
        action="upload.received",
        obj=upload,
        actor=actor,
        after={
            "files": [name for name, _ in named],
            "sha256": digest,
            "format": upload.format,
            "event": upload.event_id,
        },
    )
    return upload


@transaction.atomic
def reject_upload(*, upload: Upload, actor: User) -> Upload:
    """Put a file away that is not wanted: nothing of it is stored in the event. Doing it twice changes nothing.

    Raises:
        RuleError: ``upload_closed`` for one that was stored.
    """
    row = lock_upload(upload)
    if row.state == UploadState.REJECTED:
        return row
    if not row.is_open:
        raise RuleError("upload_closed", {"state": row.get_state_display()})
    row.state = UploadState.REJECTED
    row.save(update_fields=["state"])
    record(action="upload.rejected", obj=row, actor=actor)
    return row


def refuse_sizes(sizes: Sequence[int]) -> None:
    """Refuse too many or too large files, before their contents are read.

    Raises:
        RuleError: ``too_many_files``, ``file_too_large``.
    """
    if len(sizes) > limits.MAX_FILES:
        raise RuleError("too_many_files", {"limit": limits.MAX_FILES}, where="files")
    if sum(sizes) > limits.MAX_BYTES:
        raise RuleError("file_too_large", {"limit": limits.MAX_BYTES // (1024 * 1024)}, where="files")


def fingerprint(files: Sequence[tuple[str, bytes]]) -> str:
    """Return the SHA-256 over names and contents, whatever the order in which the files came."""
    digest = hashlib.sha256()
    for name, data in sorted(files):
        encoded = name.encode()
        digest.update(len(encoded).to_bytes(4, "big") + encoded + len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _named(files: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return the files under clean names, each its own, in the order of the names."""
    named: list[tuple[str, bytes]] = []
    taken: set[str] = set()
    for number, (name, data) in enumerate(sorted(files), start=1):
        clean = file_name(name) or f"file-{number}"
        stem, dot, ending = clean.rpartition(".")
        tries = 1
        while clean.casefold() in taken:
            tries += 1
            clean = f"{stem[:180]}-{tries}{dot}{ending}" if dot else f"{ending[:180]}-{tries}"
        taken.add(clean.casefold())
        named.append((clean, data))
    return named


def file_name(name: str) -> str:
    r"""Return the name of a file without folders and control characters, its ending kept if it must be cut.

    >>> file_name("C:\\results\\open.csv"), file_name("a/../b.t")
    ('open.csv', 'b.t')
    """
    base = os.path.basename(name.replace("\\", "/"))
    base = "".join(letter for letter in unicodedata.normalize("NFC", base) if letter.isprintable())
    base = base.encode("utf-8", "replace").decode("utf-8").replace("|", "_").strip()
    stem, dot, ending = base.rpartition(".")
    if len(base) <= LONGEST_NAME - 10:
        return base
    return f"{stem[: LONGEST_NAME - 30]}{dot}{ending[:10]}" if dot else base[: LONGEST_NAME - 10]
