"""How accounts are made: by invitation only."""

from __future__ import annotations

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class InvitedOnlyAdapter(DefaultAccountAdapter):
    """Closes the public sign-up."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse: an account begins with an invitation."""
        return False
