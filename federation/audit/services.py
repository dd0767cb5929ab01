"""Writing the record of changes."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db import models, transaction

from federation.audit.actions import is_known, register_actions
from federation.audit.context import acting, current
from federation.audit.models import AuditEvent
from federation.core.errors import InvariantError

__all__ = ["MASK", "PERSONAL_FIELDS", "acting", "changed_fields", "erase_values", "record", "register_actions"]

#: Values of these fields never enter the record; that one was set or changed does.
PERSONAL_FIELDS = frozenset(
    {
        "password",
        "password1",
        "password2",
        "secret",
        "token",
        "token_digest",
        "contact",
        "email",
        "phone",
        "birth_year",
        "birth_date",
        "sex",
    }
)
MASK = "•••"


def record(
    *,
    action: str,
    obj: models.Model | None,
    actor: Any = None,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    object_type: str = "",
    object_id: str = "",
    label: str = "",
) -> AuditEvent:
    """Add one record; call it inside the transaction of the change.

    Args:
        action: Code of the closed vocabulary (``federation.audit.actions``).
        obj: What was changed. None together with ``object_type`` and ``object_id`` for what has no row.
        actor: The account that acts; left out, the one of the request or job.
        reason: Why, in the actor's words.
        before: Values before the change. Personal values are masked here, callers need not care.
        after: Values after the change.
        object_type: Kind of the object, by default its model's label (``registry.person``).
        object_id: Key of the object, by default its primary key.
        label: Name of the object, by default its ``audit_label`` or its text.

    Raises:
        InvariantError: the action is not in the vocabulary, or nothing says what was changed.
    """
    if not is_known(action):
        raise InvariantError(f"The action {action!r} is not in the vocabulary of the audit")
    if obj is not None:
        object_type = object_type or obj._meta.label_lower
        object_id = object_id or str(obj.pk)
        label = label or str(getattr(obj, "audit_label", "") or obj)
    if not object_type or not object_id:
        raise InvariantError(f"The record of {action!r} does not say what was changed")
    now = current()
    return AuditEvent.objects.create(
        action=action,
        actor=_account(actor if actor is not None else now.find_actor()),
        object_type=object_type[:60],
        object_id=object_id[:60],
        object_label=label[:200],
        reason=reason,
        before=_plain_mapping(before or {}),
        after=_plain_mapping(after or {}),
        request_id=now.request_id[:40],
    )


def changed_fields(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the values before and after of the fields that differ.

    A field that only one side has counts as changed from or to None. The values are not masked yet: ``record`` does it.

    >>> changed_fields({"name": "Ona", "club": 3}, {"name": "Ona", "club": 4})
    ({'club': 3}, {'club': 4})
    """
    names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    return {name: before.get(name) for name in names}, {name: after.get(name) for name in names}


def erase_values(*, object_type: str, object_id: str, fields: Iterable[str], label: str = "") -> int:
    """Mask the given fields in all records of one object: the one change of a record that the law may demand.

    For the anonymising of a person. The reasons go too: people write names into them. Who did what and when stays;
    returns the number of records touched.
    """
    names = frozenset(fields)
    touched = 0
    with transaction.atomic():
        rows: models.QuerySet[AuditEvent] = (
            models.QuerySet(AuditEvent).filter(object_type=object_type, object_id=object_id).order_by("id")
        )
        for event in rows.select_for_update(no_key=True):
            masked = (_masked(event.before, names), _masked(event.after, names))
            new_label = label or event.object_label
            reason = MASK if event.reason else ""
            if (*masked, new_label, reason) != (event.before, event.after, event.object_label, event.reason):
                models.QuerySet(AuditEvent).filter(pk=event.pk).update(
                    before=masked[0], after=masked[1], object_label=new_label[:200], reason=reason
                )
                touched += 1
    return touched


def _account(actor: Any) -> Any:
    """Return the account, None for a visitor or for the program itself."""
    return actor if actor is not None and getattr(actor, "is_authenticated", False) else None


def _masked(value: Any, names: frozenset[str]) -> Any:
    if isinstance(value, dict):
        return {
            key: (MASK if inner not in (None, "") else inner) if key in names else _masked(inner, names)
            for key, inner in value.items()
        }
    if isinstance(value, list):
        return [_masked(inner, names) for inner in value]
    return value


def _plain_mapping(values: Mapping[str, Any]) -> dict[str, Any]:
    plain = _masked(_plain(values), PERSONAL_FIELDS)
    assert isinstance(plain, dict)
    return plain


def _plain(value: Any) -> Any:
    """Return the value in the terms of JSON, exactly: fractions and decimals as text, dates in ISO form."""
    if value is None or isinstance(value, bool | int | float) or type(value) is str:
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, set | frozenset):
        return sorted((_plain(inner) for inner in value), key=str)
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, enum.Enum):
        return _plain(value.value)
    if isinstance(value, models.Model):
        return value.pk if isinstance(value.pk, int) else str(value.pk)
    if isinstance(value, Decimal | Fraction | uuid.UUID):
        return str(value)
    return str(value)
