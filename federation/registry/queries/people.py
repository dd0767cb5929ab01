"""Reads of people: search, suggestions, who waits."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from federation.core.names import Candidate, NameIndex, Suggestion, fold
from federation.registry.models import (
    Entry,
    Identifier,
    Membership,
    Person,
    PersonAlias,
    PersonMerge,
    PersonState,
)

#: Words of a search that are looked at.
WORDS_AT_MOST = 8


def active_people() -> QuerySet[Person]:
    """Return the records that count: not merged, not anonymised; by name."""
    return Person.objects.exclude(state__in=(PersonState.MERGED, PersonState.ANONYMISED)).order_by("sort_key", "pk")


def people_matching(text: str, people: QuerySet[Person] | None = None) -> QuerySet[Person]:
    """Return the persons whose name, alias, number or identifier fits a text, in the order of the queryset.

    Case, accents, hyphens, word order and script do not matter; every word must begin a word of the name, or of one of
    the aliases.
    """
    people = active_people() if people is None else people
    text = text.replace("\x00", "")[:200]
    words = fold(text).split()[:WORDS_AT_MOST]
    if not words:
        return people.none() if text.strip() else people
    in_name, in_alias = Q(), Q(person=OuterRef("pk"))
    for word in words:
        in_name &= Q(fold_key__startswith=word) | Q(fold_key__contains=f" {word}")
        in_alias &= Q(fold_key__startswith=word) | Q(fold_key__contains=f" {word}")
    found = in_name | Q(Exists(PersonAlias.objects.filter(in_alias)))
    if len(words) == 1:
        found |= Q(Exists(Identifier.objects.filter(person=OuterRef("pk"), value__iexact=text.strip())))
        if words[0].isdigit() and len(words[0]) <= 9:
            found |= Q(number=int(words[0]))
    return people.filter(found)


def people_index() -> NameIndex[int]:
    """Return all names and aliases of the records that count, by key of the person, for matching many names.

    Two queries, whatever the number of people.
    """
    candidates: list[Candidate[int]] = []
    fields = ("pk", "given_name", "family_name", "latin_given_name", "latin_family_name")
    for person in active_people().only(*fields):
        candidates += [Candidate(person.pk, name) for name in {person.full_name: 0, person.latin_name: 0}]
    aliases = PersonAlias.objects.exclude(person__state__in=(PersonState.MERGED, PersonState.ANONYMISED))
    candidates += [Candidate(key, text) for key, text in aliases.order_by("pk").values_list("person_id", "text")]
    return NameIndex(candidates)


@dataclass(frozen=True, slots=True)
class Doubtful:
    """A provisional person with those it may be.

    Attributes:
        person: the provisional record.
        entries: entries in events.
        suggestions: persons it may be, best first, with the reason.
    """

    person: Person
    entries: int
    suggestions: list[tuple[Person, Suggestion[int]]]


def provisional_people() -> QuerySet[Person]:
    """Return the persons whom directors brought and the registry has not confirmed yet, oldest first."""
    waiting = Person.objects.filter(state=PersonState.PROVISIONAL).select_related("club")
    return waiting.annotate(entry_count=Count("entries")).order_by("created_at", "pk")


def doubtful_people(limit: int = 50, suggestions: int = 3) -> list[Doubtful]:
    """Return the provisional persons, oldest first, with suggestions of whom they may be; four queries at most."""
    waiting = list(provisional_people()[:limit])
    if not waiting:
        return []
    found = people_index().suggest_many([person.full_name for person in waiting], limit=suggestions + 1)
    keys = {suggestion.key for row in found for suggestion in row}
    people = {person.pk: person for person in Person.objects.filter(pk__in=keys).select_related("club")}
    return [
        Doubtful(
            person,
            person.entry_count,  # type: ignore[attr-defined]
            [(people[s.key], s) for s in row if s.key != person.pk and s.key in people][:suggestions],
        )
        for person, row in zip(waiting, found, strict=True)
    ]


def namesakes(person: Person, limit: int = 5) -> list[tuple[Person, Suggestion[int]]]:
    """Return other persons whose names are like a person's, best first."""
    found = people_index().suggest(person.full_name, limit=limit + 1)
    people = {row.pk: row for row in Person.objects.filter(pk__in=[s.key for s in found]).select_related("club")}
    return [(people[s.key], s) for s in found if s.key != person.pk and s.key in people][:limit]


def open_merges() -> QuerySet[PersonMerge]:
    """Return the merges that are not undone, latest first."""
    rows = PersonMerge.objects.filter(undone_at__isnull=True).select_related("kept", "dropped", "merged_by")
    return rows.order_by("-merged_at", "-pk")


def all_merges() -> QuerySet[PersonMerge]:
    """Return all merges, undone ones too, latest first."""
    rows = PersonMerge.objects.select_related("kept", "dropped__merged_into", "merged_by", "undone_by")
    return rows.order_by("-merged_at", "-pk")


@dataclass(frozen=True, slots=True)
class RecordFacts:
    """A record with what hangs on it, for comparing two of them."""

    person: Person
    entries: list[Entry]
    memberships: list[Membership]
    identifiers: list[Identifier]
    aliases: list[PersonAlias]
    records: list[Person]


def record_facts(person: Person, entries: int = 8) -> RecordFacts:
    """Return a record with its latest entries, memberships, identifiers, aliases and the records merged into it."""
    records = list(Person.objects.filter(merged_into=person).order_by("number"))
    keys = [person.pk, *(record.pk for record in records)]
    played = Entry.objects.filter(person__in=keys).select_related("event", "person")
    members = Membership.objects.filter(person__in=keys).select_related("season", "club")
    return RecordFacts(
        person=person,
        entries=list(played.order_by("-event__rating_date", "-event__sequence", "-pk")[:entries]),
        memberships=list(members.order_by("-season__starts_on", "pk")),
        identifiers=list(Identifier.objects.filter(person__in=keys).order_by("scheme", "value", "pk")),
        aliases=list(PersonAlias.objects.filter(person=person).order_by("text", "pk")),
        records=records,
    )


def person_of(user: object) -> Person | None:
    """Return the person an account is tied to: the record that counts, or none."""
    if not getattr(user, "is_authenticated", False):
        return None
    person = Person.objects.filter(account=user).select_related("merged_into").first()  # type: ignore[misc]
    return (person.merged_into or person) if person else None
