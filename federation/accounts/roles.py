"""Who is who: the predicates that the permissions of all apps are made of.

Roles of a staff member are granted to the account (``RoleGrant``); an administrator has them all. Directors are named
on their events (``federation.registry.rules``), a player is an account tied to a person.
"""

from __future__ import annotations

from typing import Any

import rules

from federation.accounts.models import Role


def _has(user: Any, role: Role) -> bool:
    return bool(getattr(user, "is_active", False)) and role in getattr(user, "roles", ())


@rules.predicate
def is_signed_in(user: Any) -> bool:
    """The visitor has signed in."""
    return bool(getattr(user, "is_authenticated", False) and getattr(user, "is_active", False))


@rules.predicate
def is_results_secretary(user: Any) -> bool:
    """The account has the role of a results secretary."""
    return _has(user, Role.RESULTS_SECRETARY)


@rules.predicate
def is_ratings_officer(user: Any) -> bool:
    """The account has the role of a ratings officer."""
    return _has(user, Role.RATINGS_OFFICER)


@rules.predicate
def is_registry_officer(user: Any) -> bool:
    """The account has the role of a registry officer."""
    return _has(user, Role.REGISTRY_OFFICER)


@rules.predicate
def is_administrator(user: Any) -> bool:
    """The account has the role of an administrator."""
    return _has(user, Role.ADMINISTRATOR)


@rules.predicate
def is_staff_member(user: Any) -> bool:
    """The account has any of the four roles."""
    return bool(getattr(user, "is_active", False)) and bool(getattr(user, "roles", ()))
