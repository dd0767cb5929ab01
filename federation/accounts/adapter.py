"""How the sign-in library makes accounts, counts failures and answers."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse


class InvitedOnlyAdapter(DefaultAccountAdapter):
    """Closes the public sign-up, leaves the counting of failures to axes, and follows the language of the account."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Refuse: an account begins with an invitation."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Do not count failures here: axes does, keeps them in the database and shows one clear page."""

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> HttpResponse:
        """Continue in the language that the account has chosen."""
        response = super().post_login(request, user, **kwargs)
        set_language_cookie(response, user.language)
        return response


def set_language_cookie(response: HttpResponse, language: str) -> None:
    """Let the following pages be in this language; nothing for an empty one."""
    if language in dict(settings.LANGUAGES):
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            language,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
            secure=settings.LANGUAGE_COOKIE_SECURE,
        )


def attempted_name(request: HttpRequest, credentials: dict[str, Any] | None) -> str:
    """Return the name or address that somebody tries to sign in with, by which axes counts the failures."""
    given = credentials or {}
    name = given.get("username") or given.get("email") or request.POST.get("login", "")
    return str(name).strip().casefold()[:255]
