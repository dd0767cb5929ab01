"""Granting and taking back roles."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db import transaction

from federation.accounts.models import Role, RoleGrant, User
from federation.audit.services import record
from federation.core.errors import RuleError


def require_administrator(actor: User) -> None:
    """Refuse everybody but an administrator.

    Raises:
        PermissionDenied: the account may not manage accounts.
    """
    if not actor.has_perm("accounts.manage"):
        raise PermissionDenied


def grant_role(*, account: User, role: str, actor: User, reason: str = "") -> RoleGrant:
    """Grant one role to an account; granting it again changes nothing.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``unknown_role``.
    """
    require_administrator(actor)
    with transaction.atomic():
        return grant_unchecked(account=account, role=role, actor=actor, reason=reason)


def grant_unchecked(*, account: User, role: str, actor: User | None, reason: str = "") -> RoleGrant:
    """Grant a role inside the caller's transaction, for callers that have made sure that it may be granted."""
    if role not in Role.values:
        raise RuleError("unknown_role", {"role": role})
    locked = User.objects.select_for_update(no_key=True).get(pk=account.pk)
    grant, is_new = RoleGrant.objects.get_or_create(user=locked, role=role, defaults={"granted_by": actor})
    if is_new:
        record(action="account.role_granted", obj=locked, actor=actor, reason=reason, after={"role": role})
    _settle(account, locked)
    return grant


def revoke_role(*, account: User, role: str, actor: User, reason: str = "") -> None:
    """Take a role back; taking it back again changes nothing.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``last_administrator``: somebody must be able to manage the accounts.
    """
    require_administrator(actor)
    with transaction.atomic():
        _lock_administrators()
        locked = User.objects.select_for_update(no_key=True).get(pk=account.pk)
        grant = RoleGrant.objects.filter(user=locked, role=role).first()
        if grant is None:
            return
        if role == Role.ADMINISTRATOR:
            require_another_administrator(locked)
        grant.delete()
        record(action="account.role_revoked", obj=locked, actor=actor, reason=reason, before={"role": role})
        _settle(account, locked)


def set_roles(*, account: User, roles: Iterable[str], actor: User, reason: str = "") -> None:
    """Grant and take back until the account has just these roles.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``unknown_role``, ``last_administrator``.
    """
    require_administrator(actor)
    wanted = list(dict.fromkeys(roles))
    with transaction.atomic():
        present = set(RoleGrant.objects.filter(user=account).values_list("role", flat=True))
        for role in wanted:
            if role not in present:
                grant_role(account=account, role=role, actor=actor, reason=reason)
        # The own role of administrator goes last: it is what allows the rest.
        for role in sorted(present - set(wanted), key=lambda code: (code == Role.ADMINISTRATOR, code)):
            revoke_role(account=account, role=role, actor=actor, reason=reason)


def require_another_administrator(account: User) -> None:
    """Refuse what would leave the site without an administrator; call it inside a transaction.

    Raises:
        RuleError: ``last_administrator``.
    """
    _lock_administrators()
    others = RoleGrant.objects.filter(role=Role.ADMINISTRATOR, user__is_active=True).exclude(user=account)
    if (
        not others.exists()
        and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=account.pk).exists()
    ):
        raise RuleError("last_administrator")


def _lock_administrators() -> None:
    """Two administrators who remove each other at the same moment must wait for one another."""
    list(
        RoleGrant.objects.select_for_update(no_key=True)
        .filter(role=Role.ADMINISTRATOR)
        .order_by("id")
        .values_list("id")
    )


def _settle(account: User, locked: User) -> None:
    """Let every staff member into the admin, and make both copies of the account forget the old roles."""
    is_staff = locked.is_superuser or RoleGrant.objects.filter(user=locked).exists()
    if locked.is_staff != is_staff:
        locked.is_staff = is_staff
        locked.save(update_fields=["is_staff"])
    account.is_staff = is_staff
    for copy in (account, locked):
        copy.__dict__.pop("roles", None)
