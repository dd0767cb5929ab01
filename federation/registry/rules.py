"""Permissions of the registry."""

from __future__ import annotations

from typing import Any

import rules

from federation.accounts.permissions import register_admin_permissions
from federation.accounts.roles import (
    is_administrator,
    is_registry_officer,
    is_results_secretary,
    is_staff_member,
)
from federation.registry.models import EventDirector


def directed_event_ids(user: Any) -> frozenset[int]:
    """Return the keys of the events an account directs; asked once for each account object, that is, each request."""
    if not getattr(user, "is_authenticated", False) or not user.is_active:
        return frozenset()
    if not hasattr(user, "_directed_event_ids"):
        rows = EventDirector.objects.filter(user=user).values_list("event_id", flat=True)
        user._directed_event_ids = frozenset(rows)
    return frozenset(user._directed_event_ids)


@rules.predicate
def is_director(user: Any, event: Any) -> bool:
    """The account is named as a director of the event; without an event, of any."""
    directed = directed_event_ids(user)
    return bool(directed) if event is None else event.pk in directed


for name in (
    "change_person",
    "merge_person",
    "split_person",
    "anonymise_person",
    "confirm_person",
    "change_membership",
    "change_club",
):
    rules.set_perm(f"registry.{name}", is_registry_officer)
for name in ("create_event", "approve_event", "reopen_event", "exclude_event"):
    rules.set_perm(f"registry.{name}", is_results_secretary)
rules.set_perm("registry.run_event", is_director | is_results_secretary)
rules.set_perm("registry.change_settings", is_administrator)
#: Names in full, sex and year of birth, contact: who works with the register or with results.
rules.set_perm("registry.see_full_names", is_staff_member | is_director)

_officer, _secretary = is_registry_officer, is_results_secretary
register_admin_permissions("registry", "person", add=_officer, change=_officer, delete=_officer)
register_admin_permissions("registry", "personalias", add=_officer, change=_officer, delete=_officer)
register_admin_permissions("registry", "identifier", add=_officer, change=_officer, delete=_officer)
register_admin_permissions("registry", "personmerge")
register_admin_permissions("registry", "club", add=_officer, change=_officer, delete=_officer)
register_admin_permissions("registry", "membership", add=_officer, change=_officer, delete=_officer)
register_admin_permissions("registry", "season", add=_secretary, change=_secretary, delete=_secretary)
register_admin_permissions("registry", "event", add=_secretary, change=_secretary, delete=_secretary)
register_admin_permissions("registry", "entry", add=_secretary, change=_secretary, delete=_secretary)
register_admin_permissions("registry", "eventdirector", add=_secretary, change=_secretary, delete=_secretary)
register_admin_permissions("registry", "discipline", add=is_administrator, change=is_administrator)
register_admin_permissions("registry", "federationsettings", add=is_administrator, change=is_administrator)
