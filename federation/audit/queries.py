"""Reads of the record of changes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import QuerySet

from federation.audit.actions import action_text
from federation.audit.models import AuditEvent


@dataclass(frozen=True)
class Change:
    """One field of a record: what it was and what it became."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True)
class HistoryEntry:
    """One line in the history of an object."""

    at: datetime
    text: str
    actor: str
    reason: str
    changes: tuple[Change, ...]


def events_of(obj: models.Model) -> QuerySet[AuditEvent]:
    """Return the records of one object, newest first."""
    return AuditEvent.objects.filter(object_type=obj._meta.label_lower, object_id=str(obj.pk)).order_by("-id")


def history_of(obj: models.Model, *, limit: int = 50, is_public: bool = False) -> list[HistoryEntry]:
    """Return the newest records of an object for a page, in one query.

    Args:
        obj: The object.
        limit: The most records returned.
        is_public: Leave out who it was, the reason and the values: what the public may see of a change.
    """
    return [_entry(event, is_public) for event in events_of(obj).select_related("actor")[:limit]]


def _entry(event: AuditEvent, is_public: bool) -> HistoryEntry:
    if is_public:
        return HistoryEntry(event.at, action_text(event.action), "", "", ())
    changes = tuple(
        Change(name, event.before.get(name), event.after.get(name)) for name in {**event.before, **event.after}
    )
    return HistoryEntry(event.at, action_text(event.action), str(event.actor or ""), event.reason, changes)
