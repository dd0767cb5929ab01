"""Storing a file, all or nothing and once; withdrawing it again.

Storing is one transaction under the lock of the event and then of the upload, so that a double click, a reload, two
browsers or a crash in the middle all end in the same: stored once, or not at all.

Withdrawing takes back what the file brought. Results are superseded, never deleted, so the entries they point to stay;
what becomes of entries and of people who came with the file and have nothing else is up to the game and to the
registry: they stay provisional and wait for the registry officer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone

from federation.accounts.models import User
from federation.audit.services import record
from federation.core.errors import RuleError
from federation.core.reading import Reading
from federation.registry.models import Club, PersonState
from federation.registry.services.people import create_person
from federation.uploads.models import Upload, UploadState
from federation.uploads.queries.analysis import Analysis, analyse
from federation.uploads.queries.matching import Match
from federation.uploads.registry import Committed, Work, kind_of
from federation.uploads.services.people import remember
from federation.uploads.services.records import aside_place, lock_owner, lock_upload


@transaction.atomic
def commit_upload(*, upload: Upload, version: int, actor: User, seen: str = "") -> Upload:
    """Store the file. One that is stored already stays as it is.

    Args:
        upload: the upload; its event (or discipline) and itself are locked here, in this order.
        version: version of the upload that the page was made from.
        actor: who stores.
        seen: `state_of` as shown with the effect; empty: not compared.

    Raises:
        RuleError: ``upload_closed``, ``upload_stale``, ``upload_not_ready``, ``upload_changed_since``, and whatever
            the game's own services refuse.
    """
    lock_owner(upload.event_id, upload.discipline_id)
    row = lock_upload(upload)
    if row.state == UploadState.COMMITTED:
        return row
    if not row.is_open:
        raise RuleError("upload_closed", {"state": row.get_state_display()})
    if row.version != version:
        raise RuleError("upload_stale", {"who": str(row.changed_by or "—"), "when": row.changed_at})
    analysis = analyse(row)
    if not analysis.is_ready:
        raise RuleError("upload_not_ready", {"count": analysis.stops})
    if seen and seen != state_of(analysis):
        raise RuleError("upload_changed_since")
    created = {match.read.key: _create(row, match, actor) for match in analysis.new_people}
    people = {key: created.get(key, person) for key, person in analysis.work.people.items()}
    committed = analysis.kind.commit(_work(analysis, people), actor)
    _remember(row, analysis, people, actor)
    row.state = UploadState.COMMITTED
    row.committed_by, row.committed_at = actor, timezone.now()
    row.receipt = _receipt(row, analysis, people, created, committed)
    row.version += 1
    row.save(update_fields=["state", "committed_by", "committed_at", "receipt", "version"])
    record(
        action="upload.committed",
        obj=row,
        actor=actor,
        after={"counts": row.receipt["counts"], "created": sorted(created.values()), "event": row.event_id},
    )
    return row


@transaction.atomic
def withdraw_upload(*, upload: Upload, reason: str, actor: User) -> Upload:
    """Take back what a file brought. Withdrawing twice changes nothing.

    Raises:
        RuleError: ``upload_not_committed``, ``reason_missing_withdraw``, and what the game refuses, for instance
            because the event is approved.
    """
    lock_owner(upload.event_id, upload.discipline_id)
    row = lock_upload(upload)
    if row.state == UploadState.WITHDRAWN:
        return row
    if row.state != UploadState.COMMITTED:
        raise RuleError("upload_not_committed")
    reason = " ".join(reason.split())[:1000]
    if not reason:
        raise RuleError("reason_missing_withdraw", where="reason")
    kind_of(row).withdraw(row, actor, reason)
    row.state = UploadState.WITHDRAWN
    row.withdrawn_by, row.withdrawn_at, row.withdrawn_reason = actor, timezone.now(), reason
    row.version += 1
    row.save(update_fields=["state", "withdrawn_by", "withdrawn_at", "withdrawn_reason", "version"])
    record(action="upload.withdrawn", obj=row, actor=actor, reason=reason, after={"event": row.event_id})
    return row


def state_of(analysis: Analysis) -> str:
    """Return a mark of everything that storing depends on: who the people are, and what is said against it."""
    told: dict[str, Any] = {
        "version": analysis.upload.version,
        "people": sorted(analysis.work.people.items()),
        "names": sorted(analysis.work.names.items()),
        "issues": [[issue.line, issue.code, issue.severity, sorted(issue.params.items())] for issue in analysis.issues],
    }
    return hashlib.sha256(json.dumps(told, default=str).encode()).hexdigest()[:24]


def _work(analysis: Analysis, people: Mapping[str, int]) -> Work:
    return replace(analysis.work, people=people)


def _create(upload: Upload, match: Match, actor: User) -> int:
    """Enter a person whom the register does not have, as provisional."""
    new = match.new
    person = create_person(
        actor=actor,
        given_name=new.get("given_name", ""),
        family_name=new.get("family_name", ""),
        state=PersonState.PROVISIONAL,
        club=Club.objects.filter(pk=int(new["club"])).first() if new.get("club") else None,
        birth_year=new.get("birth_year"),
    )
    record(action="upload.person_brought", obj=upload, actor=actor, after={"person": person.number})
    return person.pk


def _remember(upload: Upload, analysis: Analysis, people: Mapping[str, int], actor: User) -> None:
    for match in analysis.matches:
        if match.how in ("chosen", "new") and match.remember:
            decision = upload.decisions.get(match.read.key, {})
            remember(
                upload=upload,
                name=match.read.name,
                person_id=people[match.read.key],
                actor=actor,
                decision=decision,
            )


def _receipt(
    upload: Upload,
    analysis: Analysis,
    people: Mapping[str, int],
    created: Mapping[str, int],
    committed: Committed,
) -> dict[str, Any]:
    """Return what happened to each row and each person, to be kept."""
    rows = [{"file": one.file, "line": one.line, "what": one.what, "text": one.text} for one in committed.outcomes]
    for key, aside in upload.set_aside.items():
        file, line = aside_place(key)
        text = " · ".join(cell for cell in aside["cells"] if cell)[:300]
        rows.append({"file": file, "line": line, "what": "aside", "text": text, "reason": aside["reason"]})
    rows.sort(key=lambda row: (str(row["file"]), int(str(row["line"]))))
    counts: dict[str, int] = {}
    for row in rows:
        counts[str(row["what"])] = counts.get(str(row["what"]), 0) + 1
    return {
        "counts": {**counts, "people": len(set(people.values())), "created": len(created)},
        "rows": rows,
        "people": [
            {"written": match.read.name, "person": people[match.read.key], "name": match.name, "how": match.how}
            for match in analysis.matches
        ],
        "created": sorted(created.values()),
        "remarks": _read_as(analysis.reading),
        "undo": dict(committed.undo),
    }


def _read_as(reading: Reading) -> dict[str, Any]:
    return {"format": reading.format, "encoding": reading.encoding, "event": reading.event.name}
