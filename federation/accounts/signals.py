"""What the sign-in libraries tell us, put into the audit."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import password_changed, password_reset
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from axes.signals import user_locked_out
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest

from federation.accounts.models import User
from federation.audit.services import record


def connect() -> None:
    """Listen to the sign-in libraries."""
    user_logged_in.connect(_signed_in, dispatch_uid="audit-signed-in")
    password_changed.connect(_password_changed, dispatch_uid="audit-password-changed")
    password_reset.connect(_password_changed, dispatch_uid="audit-password-reset")
    authenticator_added.connect(_factor_added, dispatch_uid="audit-factor-added")
    authenticator_removed.connect(_factor_removed, dispatch_uid="audit-factor-removed")
    user_locked_out.connect(_locked_out, dispatch_uid="audit-locked-out")


def _signed_in(sender: Any, user: User, request: HttpRequest | None = None, **_kwargs: Any) -> None:
    record(action="account.signed_in", obj=user, actor=user)


def _password_changed(sender: Any, request: HttpRequest, user: User, **_kwargs: Any) -> None:
    record(action="account.password_changed", obj=user, actor=user)


def _factor_added(sender: Any, user: User, authenticator: Authenticator, **_kwargs: Any) -> None:
    record(action="account.second_factor_added", obj=user, actor=user, after={"kind": str(authenticator.type)})


def _factor_removed(sender: Any, user: User, authenticator: Authenticator, **_kwargs: Any) -> None:
    record(action="account.second_factor_removed", obj=user, actor=user, before={"kind": str(authenticator.type)})


def _locked_out(sender: Any, request: HttpRequest, username: str = "", **_kwargs: Any) -> None:
    """Record the lockout of an account; of a name that nobody has, axes keeps its own note."""
    account = User.objects.filter(username__iexact=username or "").first()
    if account is not None:
        record(action="account.locked", obj=account)
