"""Places where apps above this one add what accounts cannot know."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from federation.accounts.models import User

Acceptor = Callable[[User, int], None]
Describer = Callable[[int], str]
#: Lines of the own account as pairs of text and address; without an address the text is a sentence.
Links = Callable[[User], Sequence[tuple[str, str]]]


_acceptors: list[Acceptor] = []
_describers: list[Describer] = []
_links: list[Links] = []


def register_invitation_acceptor(accept: Acceptor, describe: Describer | None = None) -> None:
    """Let the registry tie a new account to a person.

    Args:
        accept: Called with the new account and the number of the person, inside the transaction of the acceptance;
            raises RuleError if the person cannot be tied.
        describe: Called with a number when an invitation is written; returns the person's name, raises RuleError if
            there is no such person or the person has an account already.
    """
    if accept not in _acceptors:
        _acceptors.append(accept)
    if describe is not None and describe not in _describers:
        _describers.append(describe)


def tie_person(account: User, person_number: int) -> None:
    """Tell the registry that the account belongs to a person."""
    for accept in _acceptors:
        accept(account, person_number)


def describe_person(person_number: int) -> str:
    """Return the name of the person with that number, empty if nobody can tell."""
    return next((describe(person_number) for describe in _describers), "")


def register_account_link(links: Links) -> None:
    """Add lines to the own account: pages that belong to whoever is signed in."""
    if links not in _links:
        _links.append(links)


def account_links(account: User) -> list[tuple[str, str]]:
    """Return the lines of an account, in the order of registration."""
    return [line for links in _links for line in links(account)]
