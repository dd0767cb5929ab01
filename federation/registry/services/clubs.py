"""Services on clubs."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.text import slugify

from federation.accounts.models import User
from federation.audit.services import changed_fields, record
from federation.core.errors import RuleError
from federation.core.names import fold
from federation.registry.models import Club
from federation.registry.services.records import clean_text, lock, save_unique, snapshot, validate

EDITABLE_FIELDS = ("name", "slug", "short_name", "town", "country", "is_active")
_TEXTS = ("name", "short_name", "town")


@transaction.atomic
def save_club(*, club: Club | None = None, actor: User | None, **fields: Any) -> Club:
    """Enter a club, or change one; without a change nothing is written.

    Args:
        club: the club to change; none to enter one.
        actor: who does it.
        **fields: of `EDITABLE_FIELDS`; the address is made from the name unless given.

    Raises:
        RuleError: ``value_invalid``, ``slug_taken``, ``club_name_taken``, ``field_unknown``.
    """
    row = lock(Club, club.pk) if club is not None and club.pk else Club()
    before = snapshot(row, EDITABLE_FIELDS) if row.pk else {}
    for name, value in fields.items():
        if name not in EDITABLE_FIELDS:
            raise RuleError("field_unknown", {"field": name})
        if name in _TEXTS:
            value = clean_text(value)
        elif name == "country":
            value = clean_text(value).upper()
        setattr(row, name, value)
    row.slug = row.slug or _free_slug(row.name)
    validate(row)
    others = Club.objects.exclude(pk=row.pk)
    if others.filter(slug=row.slug).exists():
        raise RuleError("slug_taken", {"slug": row.slug}, where="slug")
    if others.filter(name=row.name).exists():
        raise RuleError("club_name_taken", {"name": row.name}, where="name")
    old, new = changed_fields(before, snapshot(row, EDITABLE_FIELDS))
    if not new:
        return row
    action = "club.changed" if row.pk else "club.created"
    save_unique(row, RuleError("slug_taken", {"slug": row.slug}, where="slug"))
    record(action=action, obj=row, actor=actor, before=old if before else {}, after=new)
    return row


@transaction.atomic
def delete_club(*, club: Club, actor: User | None) -> None:
    """Delete a club entered by mistake.

    Raises:
        RuleError: ``club_has_facts``.
    """
    row = lock(Club, club.pk)
    record(action="club.deleted", obj=row, actor=actor, before=snapshot(row, EDITABLE_FIELDS))
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError as error:
        raise RuleError("club_has_facts", {"club": club.name}) from error


def _free_slug(name: str) -> str:
    base = slugify(fold(name))[:50].strip("-") or "club"
    taken = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in [base, *(f"{base}-{turn}" for turn in range(2, 10_000))] if slug not in taken)
