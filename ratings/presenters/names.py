"""Who is shown with a name at all."""

from __future__ import annotations

from federation.registry.models import Person, PersonState, Publication
from federation.registry.publication import publication_rule


def is_named(person: Person) -> bool:
    """Whether the public sees a name or initials; of the others neither club nor category is shown."""
    return person.state != PersonState.ANONYMISED and publication_rule(person) != Publication.HIDDEN
