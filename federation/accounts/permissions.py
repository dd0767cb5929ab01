"""Permissions of pages and of the admin."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import rules
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from federation.accounts.roles import is_staff_member

P = ParamSpec("P")


def permission_required(
    permission: str, fn: Callable[..., Any] | None = None
) -> Callable[[Callable[P, HttpResponseBase]], Callable[P, HttpResponseBase]]:
    """Guard a view.

    A visitor is sent to the sign-in page and comes back after it; an account without the permission gets the page 403.

    Args:
        permission: Name of a registered permission, for example ``registry.merge_person``.
        fn: Called with the request and the view's keyword arguments, returns the object that the permission is about.
    """

    def decorate(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
        @wraps(view)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            request = next(argument for argument in args if isinstance(argument, HttpRequest))
            if not request.user.is_authenticated:
                if request.method == "POST":
                    messages.warning(request, _("You were signed out meanwhile: what you sent was not stored."))
                return redirect_to_login(request.get_full_path())
            subject = fn(request, **kwargs) if fn is not None else None
            if not request.user.has_perm(permission, subject):
                raise PermissionDenied
            return view(*args, **kwargs)

        guarded.required_permission = permission  # type: ignore[attr-defined]
        return guarded

    return decorate


def register_admin_permissions(
    app_label: str,
    model_name: str,
    *,
    view: rules.Predicate = is_staff_member,
    add: rules.Predicate | None = None,
    change: rules.Predicate | None = None,
    delete: rules.Predicate | None = None,
) -> None:
    """Register what the admin asks about one model; what is left out nobody may do.

    Also lets staff see the app in the admin's index. Call it from ``<app>/rules.py``.
    """
    never = rules.predicates.always_false
    named = {"view": view, "add": add or never, "change": change or never, "delete": delete or never}
    for verb, predicate in named.items():
        rules.set_perm(f"{app_label}.{verb}_{model_name}", predicate)
    if not rules.perm_exists(app_label):
        rules.add_perm(app_label, is_staff_member)
