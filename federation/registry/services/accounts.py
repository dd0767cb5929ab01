"""What an invitation needs of the registry: whom a number belongs to, and the tie of the new account."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext as _

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.registry.models import Person, PersonState
from federation.registry.services.people import set_account


def person_with_number(number: int) -> Person:
    """Return the record that counts for a public number.

    Raises:
        RuleError: ``person_unknown``, ``person_anonymised``.
    """
    person = Person.objects.filter(number=number).select_related("merged_into").first()
    if person is None:
        raise RuleError("person_unknown", {"number": number}, where="person_number")
    person = person.merged_into or person
    if person.state == PersonState.ANONYMISED:
        raise RuleError("person_anonymised", {"number": person.number}, where="person_number")
    return person


def describe_person(number: int) -> str:
    """Return the full name of the person whom an invitation would tie to an account.

    Raises:
        RuleError: ``person_unknown``, ``person_anonymised``, ``person_has_account``.
    """
    person = person_with_number(number)
    if person.account_id is not None or Person.objects.filter(merged_into=person, account__isnull=False).exists():
        raise RuleError("person_has_account", {"number": person.number}, where="person_number")
    return person.full_name


def tie_account(account: User, number: int) -> None:
    """Tie a new account to the person with a number.

    Raises:
        RuleError: those of `person_with_number` and `set_account`.
    """
    set_account(person=person_with_number(number), account=account, actor=account)


def person_of(account: User) -> Person | None:
    """Return the person whom an account belongs to, the record that counts."""
    person = Person.objects.filter(account=account).select_related("merged_into").first()
    return (person.merged_into or person) if person else None


def own_lines(account: User) -> list[tuple[str, str]]:
    """Return the lines of the own account about the person whom it belongs to."""
    person = person_of(account)
    if person is None:
        none = _("This account is tied to no person of the register. Ask the registry officer if you play.")
        return [(none, "")]
    name = {"name": person.full_name, "number": person.number}
    return [(_("%(name)s, number %(number)s in the register") % name, reverse("person-detail", args=[person.number]))]
