"""Saying who somebody is, and undoing it; remembered spellings and forgetting them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from federation.accounts.models import User
from federation.audit.services import record
from federation.core.errors import RuleError
from federation.registry.models import Club, Person, PersonState
from federation.uploads.codec import reading_from_json
from federation.uploads.models import NameDecision, Upload
from federation.uploads.queries.matching import people_to_match, remembered_spelling
from federation.uploads.services.records import lock_open, refuse_stale, touch


@dataclass(frozen=True, slots=True)
class Choice:
    """Who somebody of the file is.

    Attributes:
        key: key in the reading.
        person: key of the person, None for a new one.
        new: ``given_name``, ``family_name``, ``club`` (key or None), ``birth_year`` (or None) of a new person.
        remember: whether the spelling is remembered when the file is stored.
        score, reason: of the suggestion that was followed, if one was.
    """

    key: str
    person: int | None = None
    new: Mapping[str, Any] = field(default_factory=dict)
    remember: bool = True
    score: int | None = None
    reason: str = ""


@transaction.atomic
def decide(
    *, upload: Upload, version: int, actor: User, choices: list[Choice], undo: list[str] | None = None
) -> Upload:
    """Store who people of a file are; a new person is created only when the file is stored.

    Args:
        upload: the upload; it is locked here.
        version: version of the upload that the form was made from.
        actor: who decides.
        choices: the decisions.
        undo: keys of the reading about which nothing is decided any more.

    Raises:
        RuleError: ``upload_closed``, ``upload_stale``, ``person_unknown``, ``family_name_missing``, ``value_invalid``.
    """
    row = lock_open(upload)
    keys = {person.key for person in people_to_match(reading_from_json(row.reading))}
    before = dict(row.decisions)
    for choice in choices:
        if choice.key in keys:
            row.decisions[choice.key] = _as_decision(choice, actor)
    for key in undo or ():
        row.decisions.pop(key, None)
    if _content(row.decisions) == _content(before):
        return row
    refuse_stale(row, version)
    touch(row, actor, ("decisions",))
    record(
        action="upload.people_decided",
        obj=row,
        actor=actor,
        after={
            "decided": sum(1 for choice in choices if choice.key in keys),
            "undone": len(undo or ()),
            "version": row.version,
        },
    )
    return row


def _as_decision(choice: Choice, actor: User) -> dict[str, Any]:
    decision: dict[str, Any] = {
        "remember": choice.remember,
        "score": choice.score,
        "reason": choice.reason[:40],
        "by": actor.pk,
        "who": str(actor),
        "at": timezone.now().isoformat(timespec="seconds"),
    }
    if choice.person is None:
        return {**decision, "new": checked_new_person(choice.new)}
    person = Person.objects.filter(pk=choice.person).select_related("merged_into").first()
    root = (person.merged_into or person) if person else None
    if root is None or root.state == PersonState.ANONYMISED:
        raise RuleError("person_unknown", {"number": choice.person})
    return {**decision, "person": root.pk}


def checked_new_person(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a new person, clean.

    Raises:
        RuleError: ``family_name_missing``, ``value_invalid``.
    """
    person = Person(
        number=0,
        given_name=" ".join(str(values.get("given_name", "")).split()),
        family_name=" ".join(str(values.get("family_name", "")).split()),
        birth_year=values.get("birth_year"),
    )
    if not any(letter.isalpha() for letter in person.family_name):
        raise RuleError("family_name_missing", where="family_name")
    try:
        person.clean_fields(exclude=["number", "sort_key", "fold_key", "club", "merged_into", "account", "version"])
    except ValidationError as error:
        name, texts = next(iter(error.message_dict.items()))
        label = Person._meta.get_field(name).verbose_name  # type: ignore[union-attr]
        raise RuleError("value_invalid", {"field": str(label), "problem": " ".join(texts)}, where=name) from error
    club = values.get("club")
    if club is not None and not Club.objects.filter(pk=club).exists():
        raise RuleError("value_invalid", {"field": str(Person._meta.get_field("club").verbose_name), "problem": "?"})  # type: ignore[union-attr]
    return {
        "given_name": person.given_name,
        "family_name": person.family_name,
        "birth_year": person.birth_year,
        "club": club,
    }


def _content(decisions: Mapping[str, Any]) -> dict[str, Any]:
    """Return what decisions say, without who took them and when."""
    told = ("person", "new", "remember")
    return {key: {name: one[name] for name in told if name in one} for key, one in decisions.items()}


def remember(*, upload: Upload, name: str, person_id: int, actor: User, decision: Mapping[str, Any]) -> None:
    """Remember for the next file that a spelling is a person; called inside the transaction that stores the file."""
    spelled = remembered_spelling(name)
    if not spelled:
        return
    in_force = NameDecision.objects.select_for_update(no_key=True).filter(
        discipline=upload.discipline_id, spelling=spelled, undone_at__isnull=True
    )
    known = in_force.first()
    if known is not None and known.person_id == person_id:
        return
    in_force.update(undone_at=timezone.now(), undone_by=actor)
    NameDecision.objects.create(
        discipline_id=upload.discipline_id,
        spelling=spelled,
        person_id=person_id,
        upload=upload,
        score=decision.get("score"),
        reason=decision.get("reason", ""),
        decided_by=actor,
    )


@transaction.atomic
def forget_name(*, decision: NameDecision, actor: User) -> NameDecision:
    """Undo a remembered spelling; what was stored with it stays. Undoing twice changes nothing."""
    row = NameDecision.objects.select_for_update(no_key=True).get(pk=decision.pk)
    if row.undone_at is not None:
        return row
    row.undone_at, row.undone_by = timezone.now(), actor
    row.save(update_fields=["undone_at", "undone_by"])
    record(action="upload.name_forgotten", obj=row, actor=actor, label=f"{row.pk}", before={"person": row.person_id})
    return row
