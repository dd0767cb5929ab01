"""What the registry asks about uploads: what a merge moves, and which names must go when a person is anonymised."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Person
from federation.uploads.models import CellRepair, NameDecision, Upload

_NO_NAME = "—"


def merge_counts(kept: Person, dropped: Person) -> list[tuple[str | Promise, int]]:
    """Count the remembered spellings that would lead to the kept record."""
    decisions = NameDecision.objects.filter(Q(person=dropped) | Q(person__merged_into=dropped), undone_at__isnull=True)
    return [(_("remembered spellings of the name"), decisions.count())]


def remove_names(person_keys: list[int]) -> None:
    """Forget the spellings of anonymised persons, and their names in readings, decisions, receipts and mended cells.

    The file itself stays as it came: only its director and staff can fetch it.
    """
    keys = set(person_keys)
    concerned = set(NameDecision.objects.filter(person__in=keys).values_list("upload_id", flat=True)) - {None}
    NameDecision.objects.filter(person__in=keys).delete()
    rows = Upload.objects.only("receipt", "decisions").order_by("pk")
    concerned |= {upload.pk for upload in rows.iterator(chunk_size=50) if _concerns(upload, keys)}
    for upload in Upload.objects.select_for_update(no_key=True).filter(pk__in=concerned).order_by("pk"):
        _erase(upload, keys)


def _concerns(upload: Upload, keys: set[int]) -> bool:
    people = upload.receipt.get("people", [])
    return any(one["person"] in keys for one in people) or any(
        choice.get("person") in keys for choice in upload.decisions.values()
    )


def _erase(upload: Upload, keys: set[int]) -> None:
    """Take the written names of some persons out of everything kept about an upload but the file."""
    people: list[dict[str, Any]] = upload.receipt.get("people", [])
    written = {one["written"] for one in people if one["person"] in keys} | {
        one["name"] for one in people if one["person"] in keys
    }
    by_key = {person["key"]: person for person in upload.reading.get("people", ())}
    for key, choice in upload.decisions.items():
        if choice.get("person") in keys and key in by_key:
            written.add(by_key[key]["name"])
    texts = sorted((text for text in written if len(text) > 1), key=len, reverse=True)
    for field in ("reading", "receipt", "decisions", "set_aside"):
        setattr(upload, field, _without(getattr(upload, field), texts))
    upload.save(update_fields=["reading", "receipt", "decisions", "set_aside"])
    for repair in CellRepair.objects.filter(upload=upload).order_by("pk"):
        if any(text in repair.before or text in repair.after for text in texts):
            # The other side is most often the same name, written in another way.
            before, after = _without(repair.before, texts), _without(repair.after, texts)
            repair.before = before if before != repair.before else _NO_NAME
            repair.after = after if after != repair.after else _NO_NAME
            repair.save(update_fields=["before", "after"])


def _without(value: Any, texts: list[str]) -> Any:
    if isinstance(value, str):
        for text in texts:
            value = value.replace(text, _NO_NAME)
        return value
    if isinstance(value, list):
        return [_without(item, texts) for item in value]
    if isinstance(value, dict):
        return {name: _without(item, texts) for name, item in value.items()}
    return value
