"""Signing in with user name or address and password."""

from __future__ import annotations

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend


class PasswordBackend(AuthenticationBackend):
    """Knows who somebody is; what they may do only the rules say (``<app>/rules.py``).

    The permissions that Django keeps in rows are not used: looking for them would cost two queries on every page.
    """

    def has_perm(self, user_obj: Any, perm: str, obj: Any = None) -> bool:
        """Leave it to the rules."""
        return False

    def has_module_perms(self, user_obj: Any, app_label: str) -> bool:
        """Leave it to the rules."""
        return False

    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        """Know of none."""
        return set()
