"""Merging two records of one person, undoing it, and anonymising a person.

A merge rewrites no fact. It adds one `PersonMerge`, and three things follow from the merges that are not undone and are
kept in step here: ``merged_into`` of every record (always the last record of its chain), its state, and the aliases
derived from the names of merged records. So merges may be undone in any order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from federation.accounts.models import User
from federation.audit.services import erase_values
from federation.core.errors import RuleError
from federation.registry import hooks
from federation.registry.hooks import Label, Problem, refuse
from federation.registry.models import (
    Entry,
    Identifier,
    Membership,
    Person,
    PersonAlias,
    PersonalValues,
    PersonMerge,
    PersonState,
    Publication,
    Sex,
)
from federation.registry.services.records import (
    PERSONAL_FIELDS,
    lock,
    lock_persons,
    record_person,
    refuse_closed_record,
    require_reason,
    search_key,
    set_keys,
)


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would do.

    Attributes:
        kept: the record that stays.
        dropped: the record that will point to it.
        counts: what the dropped record and those merged into it bring, as pairs of label and count.
        aliases: spellings the kept record gains.
        records: records that point to the dropped one and will point to the kept one.
        problems: what forbids the merge; empty if it may be done.
        warnings: what speaks against the two being one person, without forbidding it.
    """

    kept: Person
    dropped: Person
    counts: list[tuple[Label, int]]
    aliases: list[str]
    records: list[Person]
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Label] = field(default_factory=list)


def merge_preview(kept: Person, dropped: Person) -> MergePreview:
    """Return everything that would move if ``dropped`` were merged into ``kept``, and what forbids it."""
    records = list(Person.objects.filter(merged_into=dropped).order_by("number"))
    keys = [dropped.pk, *(record.pk for record in records)]
    counts: list[tuple[Label, int]] = [
        (_("entries in events"), Entry.objects.filter(person__in=keys).count()),
        (_("memberships"), Membership.objects.filter(person__in=keys).count()),
        (_("identifiers"), Identifier.objects.filter(person__in=keys).count()),
        (_("aliases"), PersonAlias.objects.filter(person__in=keys, derived=False).count()),
        (_("records merged earlier"), len(records)),
    ]
    own = {kept.full_name, *PersonAlias.objects.filter(person=kept).values_list("text", flat=True)}
    problems = _problems(kept, dropped)
    if kept.pk != dropped.pk:
        counts += hooks.merge_counts(kept, dropped)
    return MergePreview(
        kept=kept,
        dropped=dropped,
        counts=counts,
        aliases=sorted(_names_of([dropped, *records]) - own),
        records=records,
        problems=problems,
        warnings=_warnings(kept, dropped),
    )


@transaction.atomic
def merge_persons(*, kept: Person, dropped: Person, reason: str, actor: User | None) -> PersonMerge:
    """Make two records count as one person, the kept one.

    Doing it twice gives the merge already made.

    Args:
        kept: the record that stays; its values are not changed.
        dropped: the record that from now on points to it.
        reason: why they are the same person.
        actor: who merges.

    Raises:
        RuleError: ``reason_missing``, ``merge_same``, ``merged_elsewhere``, ``person_merged``, ``person_anonymised``,
            ``merge_two_accounts``, and what the games hold against it, such as ``two_people``.
    """
    reason = require_reason(reason)
    rows = lock_persons([kept.pk, dropped.pk])
    kept, dropped = rows[kept.pk], rows[dropped.pk]
    done = PersonMerge.objects.filter(kept=kept, dropped=dropped, undone_at__isnull=True).first()
    if done is not None:
        return done
    refuse(_problems(kept, dropped))
    moved = list(lock_persons(Person.objects.filter(merged_into=dropped).values_list("pk", flat=True)))
    merge = PersonMerge.objects.create(
        kept=kept,
        dropped=dropped,
        moved_records=moved,
        previous_state=dropped.state,
        reason=reason,
        merged_by=actor,
    )
    before = {"state": dropped.state}
    Person.objects.filter(pk__in=moved).update(merged_into=kept)
    dropped.state, dropped.merged_into = PersonState.MERGED, kept
    _save(dropped, "state", "merged_into")
    PersonAlias.objects.filter(person=dropped, derived=True).delete()
    sync_aliases(kept)
    _save(kept)
    moved_numbers = sorted(Person.objects.filter(pk__in=moved).values_list("number", flat=True))
    record_person(
        "person.merged",
        dropped,
        actor=actor,
        reason=reason,
        before=before,
        after={"state": PersonState.MERGED.value, "merged_into": kept.number, "records": moved_numbers},
    )
    record_person("person.merge_kept", kept, actor=actor, reason=reason, after={"merged_records": [dropped.number]})
    hooks.notify_facts_changed(persons=[kept.pk, dropped.pk, *moved], why="person.merged")
    return merge


@transaction.atomic
def split_person(*, merge: PersonMerge, reason: str, actor: User | None) -> PersonMerge:
    """Undo a merge, whatever happened to either record since; a merge already undone stays as it is.

    The dropped record counts by itself again, with the state it had and the records that had been merged into it.

    Raises:
        RuleError: ``reason_missing``, ``person_anonymised``.
    """
    reason = require_reason(reason)
    tree = _tree_below([merge.dropped_id])
    first = PersonMerge.objects.get(pk=merge.pk)
    roots = Person.objects.filter(pk=first.dropped_id).values_list("merged_into_id", flat=True)
    rows = lock_persons([first.kept_id, *tree, *(key for key in roots if key)])
    merge = lock(PersonMerge, merge.pk)
    if merge.undone_at is not None:
        return merge
    dropped = rows[merge.dropped_id]
    assert dropped.merged_into_id is not None
    root = rows.get(dropped.merged_into_id) or lock(Person, dropped.merged_into_id)
    if root.state == PersonState.ANONYMISED:
        raise RuleError("person_anonymised", {"number": root.number})
    merge.undone_at, merge.undone_by = timezone.now(), actor
    merge.save(update_fields=["undone_at", "undone_by"])
    dropped.state, dropped.merged_into = merge.previous_state, None
    _save(dropped, "state", "merged_into")
    below = [key for key in _tree_below([dropped.pk]) if key != dropped.pk]
    Person.objects.filter(pk__in=below).update(merged_into=dropped)
    sync_aliases(root)
    sync_aliases(dropped)
    _save(root)
    numbers = sorted(Person.objects.filter(pk__in=below).values_list("number", flat=True))
    record_person(
        "person.split",
        dropped,
        actor=actor,
        reason=reason,
        before={"state": PersonState.MERGED.value, "merged_into": root.number},
        after={"state": dropped.state, "records": numbers},
    )
    record_person("person.split_kept", root, actor=actor, reason=reason, before={"merged_records": [dropped.number]})
    hooks.notify_facts_changed(persons=[root.pk, dropped.pk, *below], why="person.split")
    return merge


@transaction.atomic
def anonymise_person(*, person: Person, reason: str, actor: User | None) -> Person:
    """Remove for good who a person was, from the record and those merged into it. Facts and ratings stay.

    Name, Latin form, aliases, identifiers, licences, contact, year of birth, sex, notes, the tie to an account and the
    personal values of earlier changes are deleted. Number, club, country, entries and results stay, so that every table
    adds up. There is no way back. A person already anonymised stays as it is.

    Raises:
        RuleError: ``reason_missing``, ``person_merged``.
    """
    reason = require_reason(reason)
    row = lock(Person, person.pk)
    if row.state == PersonState.ANONYMISED:
        return row
    refuse_closed_record(row)
    group = lock_persons([row.pk, *Person.objects.filter(merged_into=row).values_list("pk", flat=True)])
    row = group[row.pk]
    keys = sorted(group)
    PersonAlias.objects.filter(person__in=keys).delete()
    Identifier.objects.filter(person__in=keys).delete()
    PersonalValues.objects.filter(person__in=keys).delete()
    Membership.objects.filter(person__in=keys).update(licence="")
    PersonMerge.objects.filter(dropped__in=keys).update(reason="")
    before = row.state
    row.state = PersonState.ANONYMISED
    for record in group.values():
        _forget(record, row.number)
    hooks.remove_names(keys)
    for key in keys:
        erase_values(object_type="registry.person", object_id=str(key), fields=PERSONAL_FIELDS)
    merged = sorted(record.number for record in group.values() if record.pk != row.pk)
    record_person(
        "person.anonymised",
        row,
        actor=actor,
        reason=reason,
        before={"state": before},
        after={"state": PersonState.ANONYMISED.value, "records": merged},
    )
    return row


def sync_aliases(root: Person) -> None:
    """Make the derived aliases of a record those that follow from the records merged into it."""
    records = list(Person.objects.filter(merged_into=root))
    own = set(PersonAlias.objects.filter(person=root, derived=False).values_list("text", flat=True))
    wanted = _names_of(records) - own - {root.full_name} if records else set()
    there = dict(PersonAlias.objects.filter(person=root, derived=True).values_list("text", "pk"))
    PersonAlias.objects.filter(pk__in=[key for text, key in there.items() if text not in wanted]).delete()
    PersonAlias.objects.bulk_create(
        PersonAlias(person=root, text=text, fold_key=search_key(text), derived=True)
        for text in sorted(wanted - set(there))
    )


def _names_of(records: Iterable[Person]) -> set[str]:
    """Return the names, Latin names and entered aliases of some records."""
    records = list(records)
    texts = {name[:200] for record in records for name in (record.full_name, record.latin_name)}
    entered = PersonAlias.objects.filter(person__in=[record.pk for record in records], derived=False)
    return texts | set(entered.values_list("text", flat=True))


def _tree_below(keys: Iterable[int]) -> list[int]:
    """Return the keys and those of all records that lead to them by merges not undone."""
    found = set(keys)
    level = list(found)
    while level:
        merges = PersonMerge.objects.filter(undone_at__isnull=True, kept__in=level)
        level = [key for key in merges.values_list("dropped_id", flat=True) if key not in found]
        found.update(level)
    return sorted(found)


def _problems(kept: Person, dropped: Person) -> list[Problem]:
    if kept.pk == dropped.pk:
        return [Problem("merge_same")]
    problems = []
    for person in (kept, dropped):
        if person.state == PersonState.MERGED:
            assert person.merged_into is not None
            params = {"number": person.number, "target": person.merged_into.number}
            problems.append(Problem("merged_elsewhere", params))
        elif person.state == PersonState.ANONYMISED:
            problems.append(Problem("person_anonymised", {"number": person.number}))
    accounts = Person.objects.filter(account__isnull=False)
    if problems:
        return problems
    if all((accounts.filter(pk=one.pk) | accounts.filter(merged_into=one)).exists() for one in (kept, dropped)):
        problems.append(Problem("merge_two_accounts"))
    return problems + hooks.merge_problems(kept, dropped)


def _warnings(kept: Person, dropped: Person) -> list[Label]:
    warnings: list[Label] = []
    if kept.birth_year and dropped.birth_year and kept.birth_year != dropped.birth_year:
        warnings.append(_("The years of birth differ."))
    if kept.sex and dropped.sex and kept.sex != dropped.sex:
        warnings.append(_("The sex entered differs."))
    if kept.club_id and dropped.club_id and kept.club_id != dropped.club_id:
        warnings.append(_("The clubs differ."))
    if kept.country and dropped.country and kept.country != dropped.country:
        warnings.append(_("The countries differ."))
    if kept.state == PersonState.PROVISIONAL and dropped.state == PersonState.CONFIRMED:
        warnings.append(_("The record to be kept is provisional and the other is confirmed: perhaps swap them."))
    return warnings


def _forget(record: Person, number: int) -> None:
    record.given_name = record.latin_given_name = record.latin_family_name = ""
    record.family_name = f"Anonymous player {number}"
    record.sex, record.birth_year, record.contact, record.note = Sex.UNKNOWN, None, "", ""
    record.publication = Publication.AUTOMATIC
    record.account = None
    set_keys(record)
    record.version += 1
    record.save()


def _save(person: Person, *fields: str) -> None:
    """Save some fields of a locked record as a new version."""
    person.version += 1
    person.save(update_fields=[*fields, "version"])
