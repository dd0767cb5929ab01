"""Second factor for staff, where the federation asks for it."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from federation.accounts.queries import has_second_factor

#: Kept in the session once the factor was seen, so that it is not looked up for every page.
_SEEN = "has_second_factor"


class TwoFactorMiddleware:
    """Send staff without a second factor to set one up; signing in and out and static files stay reachable."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.REQUIRE_TWO_FACTOR:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or redirect to the set-up page."""
        if self._is_exempt(request) or not self._lacks_factor(request):
            return self.get_response(request)
        messages.warning(request, _("Staff sign in with a second factor here. Set it up now; then go on."))
        return redirect("mfa_activate_totp")

    def _is_exempt(self, request: HttpRequest) -> bool:
        return request.path.startswith((reverse("account"), settings.STATIC_URL, "/health"))

    def _lacks_factor(self, request: HttpRequest) -> bool:
        user = request.user
        if not user.is_authenticated or not user.roles or request.session.get(_SEEN) == user.pk:
            return False
        if has_second_factor(user):
            request.session[_SEEN] = user.pk
            return False
        return True
