"""Changes of an account itself."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from django.db import IntegrityError, transaction

from federation.accounts.models import User
from federation.accounts.services.roles import require_administrator, require_another_administrator
from federation.audit.services import changed_fields, record
from federation.core.errors import RuleError

_CHANGEABLE = ("first_name", "last_name", "email", "language")


def change_account(*, account: User, actor: User, **fields: str) -> User:
    """Change name, address or language of an account.

    Args:
        account: The account to change: the actor's own, or any for an administrator.
        actor: Who changes it.
        fields: Some of ``first_name``, ``last_name``, ``email``, ``language``.

    Raises:
        PermissionDenied: another's account, and the actor is not an administrator.
        RuleError: ``email_taken``.
    """
    if actor.pk != account.pk:
        require_administrator(actor)
    unknown = set(fields) - set(_CHANGEABLE)
    if unknown:
        raise TypeError(f"An account has no changeable {', '.join(sorted(unknown))}")
    try:
        with transaction.atomic():
            locked = User.objects.select_for_update(no_key=True).get(pk=account.pk)
            before = {name: getattr(locked, name) for name in fields}
            old, new = changed_fields(before, fields)
            if new:
                for name, value in new.items():
                    setattr(locked, name, value)
                locked.save(update_fields=list(new))
                record(action="account.changed", obj=locked, actor=actor, before=old, after=new)
    except IntegrityError as error:
        raise RuleError("email_taken") from error
    account.refresh_from_db(fields=list(_CHANGEABLE))
    return account


def close_account(*, account: User, actor: User, reason: str = "") -> None:
    """Close an account: nobody can sign in with it, its past stays.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``last_administrator``, ``own_account``.
    """
    require_administrator(actor)
    if account.pk == actor.pk:
        raise RuleError("own_account")
    with transaction.atomic():
        require_another_administrator(account)
        _set_active(account, False, actor, reason)


def open_account(*, account: User, actor: User, reason: str = "") -> None:
    """Open a closed account again.

    Raises:
        PermissionDenied: the actor is not an administrator.
    """
    require_administrator(actor)
    with transaction.atomic():
        _set_active(account, True, actor, reason)


def reset_second_factor(*, account: User, actor: User, reason: str = "") -> int:
    """Remove the second factor of somebody who lost it; returns how many devices and code lists were removed.

    Raises:
        PermissionDenied: the actor is not an administrator.
    """
    require_administrator(actor)
    with transaction.atomic():
        removed, _by_model = Authenticator.objects.filter(user=account).delete()
        if removed:
            record(action="account.second_factor_reset", obj=account, actor=actor, reason=reason)
    return removed


def _set_active(account: User, is_active: bool, actor: User, reason: str) -> None:
    locked = User.objects.select_for_update(no_key=True).get(pk=account.pk)
    if locked.is_active == is_active:
        return
    locked.is_active = is_active
    locked.save(update_fields=["is_active"])
    account.is_active = is_active
    action = "account.activated" if is_active else "account.deactivated"
    record(action=action, obj=locked, actor=actor, reason=reason)
