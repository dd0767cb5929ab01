"""Who the people of a file are. Only three ways link without asking; everything else is a suggestion.

1. a number: the registry's own, or an identifier such as a licence, unless the name beside it is another one;
2. a decision that somebody took for this spelling and nobody has undone;
3. a name that, case and blanks aside, equals the name or an alias of exactly one person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from django.db.models import F
from django.db.models.functions import Coalesce

from federation.core.names import NameIndex, reason_for, spelling
from federation.core.reading import Reading, ReadPerson
from federation.registry.models import Identifier, Person, PersonState
from federation.registry.queries.people import people_index
from federation.uploads.models import NameDecision, Upload

How = Literal["number", "remembered", "spelling", "chosen", "new", "open"]

LONGEST_SPELLING = 200
"""Longest spelling that is remembered."""


@dataclass(frozen=True, slots=True)
class Match:
    """A person of the file and who it is.

    Attributes:
        read: the person as read.
        how: how it was linked; ``new`` for one to be created, ``open`` while nobody has said.
        person: key of the record that counts; a negative stand-in for a new one; None while open.
        name: the name in the register, or of the new person.
        number: public number in the register.
        new: values of a new person.
        remember: whether the spelling is remembered when the file is stored.
        hint: key of the person whose number stands beside another name.
        decision: the remembered decision that linked.
    """

    read: ReadPerson
    how: How
    person: int | None = None
    name: str = ""
    number: int | None = None
    new: Mapping[str, Any] = field(default_factory=dict)
    remember: bool = False
    hint: int | None = None
    decision: int | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """What one look at the register says about the people of a file."""

    index: NameIndex[int]
    numbers: Mapping[str, int]
    remembered: Mapping[str, tuple[int, int]]
    people: Mapping[int, Person]


def people_to_match(reading: Reading) -> list[ReadPerson]:
    """Return the people that must be known: those who stand in a game, or everybody where there are no games."""
    if not reading.games:
        return list(reading.people)
    named = {key for game in reading.games for key in (game.a, game.b) if key is not None}
    return [person for person in reading.people if person.key in named]


def match_people(upload: Upload, reading: Reading) -> tuple[list[Match], NameIndex[int]]:
    """Return who the people of a file are, in the order of the file, and the names of the register."""
    people = people_to_match(reading)
    known = _look(upload, people)
    return [_match(place, person, upload.decisions, known) for place, person in enumerate(people)], known.index


def _look(upload: Upload, people: Sequence[ReadPerson]) -> Known:
    """Ask the register about all people at once; six queries, whatever their number."""
    index = people_index()
    numbers = _by_number({person.number for person in people if person.number})
    remembered = _remembered(upload, {remembered_spelling(person.name) for person in people})
    wanted = {key for person in people for key in _spelled(index, person.name)}
    wanted |= {root for root, _ in remembered.values()} | set(numbers.values())
    wanted |= {choice["person"] for choice in upload.decisions.values() if choice.get("person")}
    return Known(index, numbers, remembered, persons_in_force(wanted))


def remembered_spelling(name: str) -> str:
    """Return the spelling under which a name is remembered, empty for one that is too long."""
    key = spelling(name)
    return key if len(key) <= LONGEST_SPELLING else ""


def persons_in_force(keys: Iterable[int]) -> dict[int, Person]:
    """Return, by the key asked for, the records that count of some persons; anonymised ones are left out."""
    rows = Person.objects.filter(pk__in=set(keys)).select_related("merged_into", "merged_into__club", "club")
    found = {row.pk: row.merged_into or row for row in rows.order_by("pk")}
    return {key: person for key, person in found.items() if person.state != PersonState.ANONYMISED}


def _by_number(texts: set[str]) -> dict[str, int]:
    """Return the records that count by what stands in the file: the public number, or an identifier of one person."""
    if not texts:
        return {}
    root = Coalesce("merged_into_id", F("pk"))
    plain = {int(text): text for text in texts if text.isascii() and text.isdigit() and len(text) < 10}
    found = {
        plain[number]: key
        for number, key in Person.objects.filter(number__in=plain).order_by("pk").values_list("number", root)
    }
    rows = Identifier.objects.filter(value__in=texts).order_by("pk")
    owners: dict[str, set[int]] = {}
    for value, key in rows.values_list("value", Coalesce("person__merged_into_id", F("person_id"))):
        owners.setdefault(value, set()).add(key)
    for value, keys in owners.items():
        everybody = keys | ({found[value]} if value in found else set())
        if len(everybody) == 1:
            found[value] = everybody.pop()
        else:
            found.pop(value, None)
    return found


def _remembered(upload: Upload, spellings: set[str]) -> dict[str, tuple[int, int]]:
    rows = NameDecision.objects.filter(
        discipline=upload.discipline_id, spelling__in=spellings, undone_at__isnull=True
    ).order_by("pk")
    root = Coalesce("person__merged_into_id", F("person_id"))
    return {text: (key, decision) for text, key, decision in rows.values_list("spelling", root, "pk")}


def _spelled(index: NameIndex[int], name: str) -> set[int]:
    return {candidate.key for candidate in index.with_spelling(name)}


def _match(place: int, read: ReadPerson, decisions: Mapping[str, Any], known: Known) -> Match:
    choice = decisions.get(read.key)
    hint = None
    if choice is not None:
        if choice.get("new"):
            new = choice["new"]
            name = f"{new.get('given_name', '')} {new.get('family_name', '')}".strip()
            return Match(read, "new", -2 - place, name, new=new, remember=bool(choice.get("remember")))
        person = known.people.get(choice.get("person", 0))
        if person is not None:
            return _linked(read, "chosen", person, remember=bool(choice.get("remember")))
    numbered = known.people.get(known.numbers.get(read.number, 0)) if read.number else None
    if numbered is not None:
        if _name_fits(read.name, numbered, known.index):
            return _linked(read, "number", numbered)
        hint = numbered.pk
    else:
        decided = known.remembered.get(remembered_spelling(read.name))
        person = known.people.get(decided[0]) if decided else None
        if person is not None and decided is not None:
            return _linked(read, "remembered", person, decision=decided[1])
        spelled = _spelled(known.index, read.name)
        person = known.people.get(next(iter(spelled))) if len(spelled) == 1 else None
        if person is not None:
            return _linked(read, "spelling", person)
    return Match(read, "open", hint=hint)


def _name_fits(name: str, person: Person, index: NameIndex[int]) -> bool:
    """Whether a name beside a number may be the person's: a slip of letters may, another name may not."""
    if not any(character.isalpha() for character in name) or person.pk in _spelled(index, name):
        return True
    for own in {person.full_name, person.latin_name}:
        if reason_for(name, own) is not None:
            return True
    own_index = NameIndex([candidate for candidate in index.candidates if candidate.key == person.pk])
    return bool(own_index.suggest(name, limit=1))


def _linked(
    read: ReadPerson, how: How, person: Person, *, remember: bool = False, decision: int | None = None
) -> Match:
    return Match(read, how, person.pk, person.full_name, person.number, remember=remember, decision=decision)
