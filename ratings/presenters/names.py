"""Who is shown with a name at all."""

from __future__ import annotations

from federation.registry.models import Person, PersonState, Publication
from federation.registry.publication import publication_rule


def root_of(person: Person) -> Person:
    """The record that counts; ``merged_into`` must be loaded. Names and numbers on pages are always this one's."""
    return person.merged_into or person


def is_named(person: Person) -> bool:
    """Whether the public sees a name or initials; of the others neither club nor category is shown."""
    return person.state != PersonState.ANONYMISED and publication_rule(person) != Publication.HIDDEN


def listed_key(person: Person) -> tuple[bool, str, int]:
    """Order of people by what the public sees: full names as the alphabet has them, then the others by number."""
    shown = may_index(person)
    return not shown, person.sort_key if shown else "", person.number


def may_index(person: Person) -> bool:
    """Whether search engines may keep a page of the person: only of those shown by their full name."""
    return person.state != PersonState.ANONYMISED and publication_rule(person) == Publication.FULL
