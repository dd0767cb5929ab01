"""How a name is shown to the public. Works on the row alone: no query, the same answer every time.

A page in Russian shows a name in its own script; the other languages of the site show the Latin form. Minors are shown
by initials unless another rule is set: since only the year of birth is known, a person counts as a minor until the end
of the year in which the age of `FederationSettings.adult_age` is reached.
"""

from __future__ import annotations

from contextlib import nullcontext

from django.utils import timezone, translation
from django.utils.translation import gettext

from federation.core.names import initials
from federation.registry.models import FederationSettings, Person, PersonState, Publication

#: Languages whose readers read Cyrillic.
CYRILLIC_LANGUAGES = frozenset({"ru"})


def public_name(person: Person, language: str) -> str:
    """Return the name of a person as the public may see it.

    Give it the record that counts; a merged record is shown under its own name. A provisional person is shown like any
    other.

    Args:
        person: the record.
        language: code of the language of the page.
    """
    rule = publication_rule(person)
    if person.state == PersonState.ANONYMISED or rule == Publication.HIDDEN:
        return _nameless(person, language)
    given, family = name_parts(person, language)
    if rule == Publication.INITIALS:
        return initials(given, family) or _nameless(person, language)
    return f"{given} {family}".strip()


def short_name(person: Person, language: str) -> str:
    """Return the name with the given name as initial, “N. Farriol”, as the public may see it."""
    if person.state == PersonState.ANONYMISED or publication_rule(person) != Publication.FULL:
        return public_name(person, language)
    given, family = name_parts(person, language)
    return f"{initials(given, '')} {family}".strip() if given else family


def publication_rule(person: Person) -> Publication:
    """Return the rule that applies: full, initials or hidden; ``auto`` is decided by the year of birth."""
    if person.publication != Publication.AUTOMATIC:
        return Publication(person.publication)
    return Publication.INITIALS if is_minor(person) else Publication.FULL


def is_minor(person: Person) -> bool:
    """Whether a person may be below the age of full names this year; one whose year of birth is unknown is not."""
    if person.birth_year is None:
        return False
    return timezone.localdate().year - person.birth_year <= FederationSettings.adult_age_in_force


def name_parts(person: Person, language: str) -> tuple[str, str]:
    """Return given and family name in the form that fits a language."""
    if language.split("-")[0] in CYRILLIC_LANGUAGES:
        return person.given_name, person.family_name
    return person.latin_given_name or person.given_name, person.latin_family_name or person.family_name


def _nameless(person: Person, language: str) -> str:
    """Return what stands for the name of a hidden or anonymised player."""
    with nullcontext() if translation.get_language() == language else translation.override(language):
        if person.state == PersonState.ANONYMISED:
            text = gettext("Anonymous player %(number)s")
        else:
            text = gettext("Player %(number)s")
        return text % {"number": person.number}
