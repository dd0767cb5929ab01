"""What all services of the registry share: locks, clean values, derived keys, audit records."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction

from federation.accounts.models import User
from federation.audit.models import AuditEvent
from federation.audit.services import MASK, record
from federation.core import names
from federation.core.errors import RuleError
from federation.registry.models import Person, PersonalValues, PersonState

#: Values of a person that the audit must not hold; see `PersonalValues`.
PERSONAL_FIELDS = frozenset(
    {
        "given_name",
        "family_name",
        "latin_given_name",
        "latin_family_name",
        "sex",
        "birth_year",
        "contact",
        "note",
        "account",
        "aliases",
        "identifiers",
    }
)
#: Language whose alphabet orders the register; English and Catalan agree.
SORT_LANGUAGE = "ca"

Row = TypeVar("Row", bound=models.Model)


def lock(model: type[Row], pk: int) -> Row:
    """Return the row, locked until the end of the transaction."""
    return model._default_manager.select_for_update(no_key=True).get(pk=pk)


def lock_persons(keys: Iterable[int]) -> dict[int, Person]:
    """Return persons by key, locked in the order of their keys so that two services never wait for each other."""
    rows = Person.objects.select_for_update(no_key=True).filter(pk__in=set(keys)).order_by("pk")
    return {person.pk: person for person in rows}


_JOINERS = "\u200c\u200d"


def clean_text(text: str | None) -> str:
    """Return a text in composed letters, with single blanks, without control characters and invisible marks.

    A mark of direction would turn round what follows it on every page; joiners belong to the spelling of some names.
    """
    composed = unicodedata.normalize("NFC", text or "")
    kept = "".join(
        " " if unicodedata.category(letter) in ("Cc", "Zl", "Zp") else letter
        for letter in composed
        if letter in _JOINERS or unicodedata.category(letter) != "Cf"
    )
    return " ".join(kept.split())


def set_keys(person: Person) -> None:
    """Set the keys by which a person is sorted and found. The only place that does.

    People are sorted by the name in Latin letters, which is what most pages show, and found by the words of both forms.
    """
    given = person.latin_given_name or person.given_name
    family = person.latin_family_name or person.family_name
    person.sort_key = names.sort_key(f"{family} {given}", SORT_LANGUAGE)[:255]
    person.fold_key = search_key(person.full_name, person.latin_name)


def search_key(*texts: str) -> str:
    """Return the folded words of some names, each once, in alphabetical order, at most 255 characters."""
    words = sorted({word for text in texts for word in names.fold(text).split()})
    return " ".join(words)[:255]


def validate(row: models.Model, exclude: Iterable[str] = ()) -> None:
    """Check the fields of a row, refusing the first that is wrong.

    Raises:
        RuleError: ``value_invalid`` with ``field`` and ``problem``.
    """
    try:
        row.clean_fields(exclude=set(exclude))
    except ValidationError as error:
        field, texts = next(iter(error.message_dict.items()))
        label = row._meta.get_field(field).verbose_name  # type: ignore[union-attr]
        raise RuleError("value_invalid", {"field": label, "problem": " ".join(texts)}, where=field) from error


def save_unique(row: models.Model, refusal: RuleError) -> None:
    """Save a row that somebody else may have entered at the same moment.

    Raises:
        RuleError: the refusal, if the database finds the row's name taken.
    """
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        raise refusal from error


def require_reason(reason: str) -> str:
    """Return the reason without blanks around it; refuse an empty one (``reason_missing``)."""
    reason = reason.strip()
    if not reason:
        raise RuleError("reason_missing", where="reason")
    return reason


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: keys for rows, ISO for dates."""
    if isinstance(value, models.Model):
        return value.pk
    if value is None or isinstance(value, (bool, int, float, list, dict)):
        return value
    return str(value)


def snapshot(row: models.Model, fields: Iterable[str]) -> dict[str, Any]:
    """Return some fields of a row as JSON can hold them, without following relations."""
    return {name: plain(getattr(row, row._meta.get_field(name).attname)) for name in fields}  # type: ignore[union-attr]


def record_person(
    action: str,
    person: Person,
    *,
    actor: User | None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> AuditEvent:
    """Write an audit record of a person: personal values go to `PersonalValues`, the audit only names them."""
    before, after = dict(before or {}), dict(after or {})
    event = record(
        action=action,
        obj=person,
        actor=actor,
        reason=reason,
        before=_masked(before),
        after={**_masked(after), "version": person.version},
        label=f"{person.number}",
    )
    personal_before = {name: value for name, value in before.items() if name in PERSONAL_FIELDS}
    personal_after = {name: value for name, value in after.items() if name in PERSONAL_FIELDS}
    if any(personal_before.values()) or any(personal_after.values()):
        PersonalValues.objects.create(person=person, audit_event=event, before=personal_before, after=personal_after)
    return event


def _masked(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: MASK if name in PERSONAL_FIELDS and value else value for name, value in values.items()}


def refuse_stale(row: models.Model, version: int, actions: str) -> None:
    """Refuse a change made from an older version, naming who changed what since.

    Args:
        row: the locked row, with ``version``.
        version: the version the form was made from.
        actions: beginning of the codes of actions on such rows, for instance ``person.``.

    Raises:
        RuleError: ``stale`` with ``who``, ``what`` (names of the fields) and ``fields``.
    """
    if row.version == version:  # type: ignore[attr-defined]
        return
    fields: list[str] = []
    who = ""
    records = AuditEvent.objects.filter(action__startswith=actions, object_id=str(row.pk)).select_related("actor")
    for event in records.order_by("-id")[:50]:
        if int(event.after.get("version", 0)) <= version:
            break
        who = who or (str(event.actor) if event.actor else "")
        fields += [name for name in event.after if name not in ("version", *fields)]
    raise RuleError("stale", {"who": who or "—", "what": ", ".join(_labels(row, fields)) or "—", "fields": fields})


def _labels(row: models.Model, fields: Iterable[str]) -> list[str]:
    labels = {field.name: str(getattr(field, "verbose_name", field.name)) for field in row._meta.get_fields()}
    return [labels.get(name, name) for name in fields]


def refuse_closed_record(person: Person) -> None:
    """Refuse to work on a merged or anonymised record."""
    if person.state == PersonState.MERGED:
        assert person.merged_into is not None
        raise RuleError("person_merged", {"number": person.merged_into.number})
    if person.state == PersonState.ANONYMISED:
        raise RuleError("person_anonymised", {"number": person.number})
