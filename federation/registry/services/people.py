"""Services on persons: create, change, confirm; their aliases, identifiers and account.

Merging, splitting and anonymising are in `federation.registry.services.merges` and offered here too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import IntegrityError, transaction

from federation.accounts.models import User
from federation.audit.services import changed_fields
from federation.core.errors import RuleError
from federation.registry.models import Identifier, Person, PersonAlias, PersonNumber, PersonState
from federation.registry.services.merges import (
    MergePreview,
    anonymise_person,
    merge_persons,
    merge_preview,
    split_person,
    sync_aliases,
)
from federation.registry.services.records import (
    clean_text,
    lock,
    record_person,
    refuse_closed_record,
    refuse_stale,
    search_key,
    set_keys,
    snapshot,
    validate,
)

__all__ = [
    "MergePreview",
    "add_alias",
    "add_identifier",
    "anonymise_person",
    "change_person",
    "confirm_person",
    "create_person",
    "delete_person",
    "merge_persons",
    "merge_preview",
    "remove_alias",
    "remove_identifier",
    "reserve_numbers",
    "set_account",
    "split_person",
]

_NAMES = ("given_name", "family_name", "latin_given_name", "latin_family_name")
EDITABLE_FIELDS = (*_NAMES, "sex", "birth_year", "country", "club", "contact", "publication", "note")
#: Set by services only, or checked where they are used.
_NOT_VALIDATED = ("number", "sort_key", "fold_key", "club", "merged_into", "account", "version", "state")


def reserve_numbers(count: int) -> list[int]:
    """Return that many public numbers that nobody has or had, ascending.

    Whoever makes persons in bulk takes their numbers here. A number whose transaction is rolled back may be lost on
    PostgreSQL; it is never given twice.
    """
    numbers: list[int] = []
    while len(numbers) < count:
        rows = PersonNumber.objects.bulk_create([PersonNumber() for _ in range(count - len(numbers))])
        given = {row.pk for row in rows}
        # Records taken over from elsewhere may have brought their numbers along.
        given -= set(Person.objects.filter(number__in=given).values_list("number", flat=True))
        numbers += sorted(given)
    return numbers


@transaction.atomic
def create_person(
    *,
    actor: User | None,
    given_name: str,
    family_name: str,
    state: str = PersonState.CONFIRMED,
    aliases: Iterable[str] = (),
    identifiers: Iterable[tuple[str, str]] = (),
    **fields: Any,
) -> Person:
    """Enter a person under the next number.

    Args:
        actor: who enters.
        given_name: in its own script.
        family_name: in its own script; may not be empty.
        state: ``confirmed``, or ``provisional`` for one whom a director brought.
        aliases: other spellings of the name.
        identifiers: pairs of scheme and value.
        **fields: others of `EDITABLE_FIELDS`.

    Raises:
        RuleError: ``name_missing``, ``value_invalid``, ``field_unknown``, ``identifier_taken``.
    """
    if state not in (PersonState.CONFIRMED, PersonState.PROVISIONAL):
        raise RuleError("value_invalid", {"field": "state", "problem": state})
    person = Person(state=state)
    _assign(person, {"given_name": given_name, "family_name": family_name, **fields})
    person.number = reserve_numbers(1)[0]
    person.save()
    values = {name: value for name, value in snapshot(person, EDITABLE_FIELDS).items() if value not in ("", None)}
    record_person("person.created", person, actor=actor, after={"state": state, **values})
    for text in aliases:
        add_alias(person=person, text=text, actor=actor)
    for scheme, value in identifiers:
        add_identifier(person=person, scheme=scheme, value=value, actor=actor)
    return person


@transaction.atomic
def change_person(*, person: Person, actor: User | None, version: int, **fields: Any) -> Person:
    """Change values of a person.

    Nothing is written when the values are already so, whatever the version: a second click does nothing.

    Args:
        person: the record.
        actor: who changes.
        version: ``person.version`` as the form had it.
        **fields: any of `EDITABLE_FIELDS`.

    Raises:
        RuleError: ``stale``, ``person_merged``, ``person_anonymised``, ``name_missing``, ``value_invalid``,
            ``field_unknown``.
    """
    row = lock(Person, person.pk)
    refuse_closed_record(row)
    before = snapshot(row, EDITABLE_FIELDS)
    _assign(row, fields)
    old, new = changed_fields(before, snapshot(row, EDITABLE_FIELDS))
    if not new:
        return row
    refuse_stale(row, version, "person.")
    row.version += 1
    row.save()
    if set(new) & set(_NAMES):
        sync_aliases(row)
    record_person("person.changed", row, actor=actor, before=old, after=new)
    return row


@transaction.atomic
def confirm_person(*, person: Person, actor: User | None) -> Person:
    """Confirm a provisional person; one already confirmed stays as it is.

    Raises:
        RuleError: ``person_merged``, ``person_anonymised``.
    """
    row = lock(Person, person.pk)
    refuse_closed_record(row)
    if row.state == PersonState.CONFIRMED:
        return row
    row.state = PersonState.CONFIRMED
    row.version += 1
    row.save(update_fields=["state", "version"])
    record_person(
        "person.confirmed",
        row,
        actor=actor,
        before={"state": PersonState.PROVISIONAL.value},
        after={"state": PersonState.CONFIRMED.value},
    )
    return row


@transaction.atomic
def add_alias(*, person: Person, text: str, actor: User | None) -> PersonAlias:
    """Add another spelling of a person's name; one that is there already is returned.

    Raises:
        RuleError: ``name_missing``, ``value_invalid``, ``person_merged``, ``person_anonymised``.
    """
    row = lock(Person, person.pk)
    refuse_closed_record(row)
    text = clean_text(text)
    if not text:
        raise RuleError("name_missing", where="text")
    alias = PersonAlias.objects.filter(person=row, text=text).first()
    if alias is not None and not alias.derived:
        return alias
    alias = alias or PersonAlias(person=row, text=text)
    alias.derived = False
    alias.fold_key = search_key(text)
    validate(alias, exclude=["person"])
    alias.save()
    _touch(row)
    record_person("person.alias_added", row, actor=actor, after={"aliases": text})
    return alias


@transaction.atomic
def remove_alias(*, alias: PersonAlias, actor: User | None) -> None:
    """Remove a spelling that staff entered. The name of a merged record stays as long as the merge.

    Raises:
        RuleError: ``person_anonymised``, ``person_merged``.
    """
    row = lock(Person, alias.person_id)
    refuse_closed_record(row)
    deleted, _rows = PersonAlias.objects.filter(pk=alias.pk, derived=False).delete()
    if not deleted:
        return
    sync_aliases(row)
    _touch(row)
    record_person("person.alias_removed", row, actor=actor, before={"aliases": alias.text})


@transaction.atomic
def add_identifier(*, person: Person, scheme: str, value: str, actor: User | None) -> Identifier:
    """Give a person an identifier of another body; the same one twice changes nothing.

    Raises:
        RuleError: ``identifier_taken`` naming whom it belongs to, ``identifier_invalid``, ``value_invalid``,
            ``person_merged``, ``person_anonymised``.
    """
    row = lock(Person, person.pk)
    refuse_closed_record(row)
    value = clean_text(value)
    if not value or len(value) > 40 or " " in value:
        raise RuleError("identifier_invalid", where="value")
    identifier = Identifier(person=row, scheme=scheme, value=value)
    validate(identifier, exclude=["person"])
    taken = _identifier_owner(identifier)
    if taken is not None:
        if taken.person_id == row.pk:
            return taken
        raise _identifier_taken(identifier, taken.person)
    try:
        with transaction.atomic():
            identifier.save()
    except IntegrityError as error:
        taken = _identifier_owner(identifier)
        if taken is None:
            raise
        raise _identifier_taken(identifier, taken.person) from error
    _touch(row)
    record_person("person.identifier_added", row, actor=actor, after={"identifiers": f"{scheme} {value}"})
    return identifier


@transaction.atomic
def remove_identifier(*, identifier: Identifier, actor: User | None) -> None:
    """Take an identifier away from a person.

    Raises:
        RuleError: ``person_anonymised``, ``person_merged``.
    """
    row = lock(Person, identifier.person_id)
    refuse_closed_record(row)
    deleted, _rows = Identifier.objects.filter(pk=identifier.pk).delete()
    if deleted:
        _touch(row)
        text = f"{identifier.scheme} {identifier.value}"
        record_person("person.identifier_removed", row, actor=actor, before={"identifiers": text})


@transaction.atomic
def set_account(*, person: Person, account: User | None, actor: User | None) -> Person:
    """Tie an account to a person, or untie it with ``None``.

    Raises:
        RuleError: ``account_taken``, ``person_has_account``, ``person_merged``, ``person_anonymised``.
    """
    row = lock(Person, person.pk)
    refuse_closed_record(row)
    if row.account_id == (account.pk if account else None):
        return row
    if account is not None:
        other = Person.objects.filter(account=account).select_related("merged_into").first()
        if other is not None:
            raise RuleError("account_taken", {"number": (other.merged_into or other).number})
        if row.account_id is not None or Person.objects.filter(merged_into=row, account__isnull=False).exists():
            raise RuleError("person_has_account", {"number": row.number})
    before = {"account": row.account_id}
    row.account = account
    row.version += 1
    row.save(update_fields=["account", "version"])
    action = "person.account_tied" if account else "person.account_untied"
    record_person(action, row, actor=actor, before=before, after={"account": row.account_id})
    return row


@transaction.atomic
def delete_person(*, person: Person, actor: User | None) -> None:
    """Delete a record entered by mistake, on which nothing hangs yet. Its number is not given again.

    Raises:
        RuleError: ``person_has_facts``.
    """
    row = lock(Person, person.pk)
    if has_facts(row):
        raise RuleError("person_has_facts", {"number": row.number})
    record_person("person.deleted", row, actor=actor, before={"number": row.number, "state": row.state})
    row.delete()


def has_facts(person: Person) -> bool:
    """Whether rows that are never deleted refer to the person."""
    protected = (relation for relation in person._meta.related_objects if not _deleted_along(relation))
    return any(
        relation.related_model._default_manager.filter(**{relation.field.name: person}).exists()
        for relation in protected
    )


def _deleted_along(relation: Any) -> bool:
    return relation.on_delete is not None and relation.on_delete.__name__ == "CASCADE"


def _assign(person: Person, fields: dict[str, Any]) -> None:
    """Set values, cleaned and checked, and the keys that follow from them."""
    for name, value in fields.items():
        if name not in EDITABLE_FIELDS:
            raise RuleError("field_unknown", {"field": name})
        if name == "note":
            value = (value or "").strip()
        elif name == "country":
            value = clean_text(value).upper()
        elif name in _NAMES or name == "contact":
            value = clean_text(value)
        setattr(person, name, value)
    if not person.family_name:
        raise RuleError("name_missing", where="family_name")
    validate(person, exclude=_NOT_VALIDATED)
    set_keys(person)


def _identifier_owner(identifier: Identifier) -> Identifier | None:
    rows = Identifier.objects.filter(scheme=identifier.scheme, value=identifier.value)
    return rows.select_related("person__merged_into").first()


def _identifier_taken(identifier: Identifier, person: Person) -> RuleError:
    owner = person.merged_into or person
    params = {"scheme": identifier.get_scheme_display(), "value": identifier.value}
    return RuleError("identifier_taken", {**params, "name": owner.full_name, "number": owner.number}, where="value")


def _touch(person: Person) -> None:
    person.version += 1
    person.save(update_fields=["version"])
