"""Entering somebody whom the register does not have: a provisional record and an entry, together or not at all."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.core.names import fold
from federation.registry.models import Entry, Event, Person, PersonState
from federation.registry.services.events import add_entry
from federation.registry.services.people import create_person
from federation.registry.services.records import lock

#: Namesakes that are told.
MOST_NAMES = 5


@transaction.atomic
def enter_newcomer(
    *, event: Event, actor: User, given_name: str, family_name: str, is_other: bool = False, **fields: Any
) -> Entry:
    """Make a provisional record of a player and enter it; the registry officer confirms or merges it.

    Somebody of the same name whom the register has is not made again without a word: a form that is sent twice would
    do that, and a director who did not search first. The row of the event is locked, so two senders come one after
    the other.

    Args:
        event: the event.
        actor: who enters.
        given_name: in its own script.
        family_name: in its own script.
        is_other: whoever has the same name is known and is somebody else.
        **fields: others of a person, such as ``birth_year`` and ``club``.

    Raises:
        RuleError: ``newcomer_known`` (with ``names``), and those of `create_person` and `add_entry`.
    """
    locked = lock(Event, event.pk)
    if not is_other:
        namesakes = people_named_so(given_name, family_name)
        if namesakes:
            names = ", ".join(f"{person.number} {person.full_name}" for person in namesakes[:MOST_NAMES])
            raise RuleError("newcomer_known", {"names": names}, where="family_name")
    person = create_person(
        actor=actor, state=PersonState.PROVISIONAL, given_name=given_name, family_name=family_name, **fields
    )
    return add_entry(event=locked, person=person, actor=actor)


def people_named_so(given_name: str, family_name: str) -> list[Person]:
    """Return the records in use whose name has the same words; case, accents and order do not matter."""
    words = sorted(fold(f"{given_name} {family_name}").split())
    if not words:
        return []
    people = Person.objects.filter(state__in=(PersonState.CONFIRMED, PersonState.PROVISIONAL))
    for word in words:
        people = people.filter(Q(fold_key__startswith=word) | Q(fold_key__contains=f" {word}"))
    ordered = people.order_by("sort_key", "number")[:200]
    return [person for person in ordered if sorted(fold(person.full_name).split()) == words]
