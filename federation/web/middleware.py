"""Request identity and language."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.http import escape_leading_slashes

from federation.web import menu
from federation.web.context import federation_settings
from federation.web.formats import export_format

LANGUAGE_PARAMETER = "lang"


def _read_by_programs(request: HttpRequest) -> bool:
    """Whether programs without cookies read the address: an export, the subscribed calendar, the feed."""
    return export_format(request) is not None or request.path in (menu.href("calendar-ical"), menu.href("feed"))


class RequestIdMiddleware:
    """Give every request an identity that logs and audit records carry."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Attach the identity and answer with it."""
        request.request_id = uuid.uuid4().hex  # type: ignore[attr-defined]
        response = self.get_response(request)
        response["X-Request-Id"] = request.request_id  # type: ignore[attr-defined]
        return response


class LanguageMiddleware(LocaleMiddleware):
    """Choose the language from the cookie, then from the browser; ``?lang=ca`` sets the cookie and is taken away.

    Exports, the calendar and the feed keep it in their address: what reads them has no cookies.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:  # type: ignore[override]
        """Activate the language, or remember a newly chosen one and go back to the address without the choice."""
        chosen = request.GET.get(LANGUAGE_PARAMETER, "") if request.method in ("GET", "HEAD") else ""
        if chosen not in dict(settings.LANGUAGES):
            super().process_request(request)
            return None
        if _read_by_programs(request):
            translation.activate(chosen)
            request.LANGUAGE_CODE = chosen
            return None
        query = request.GET.copy()
        del query[LANGUAGE_PARAMETER]
        # A path of two slashes would be another host.
        address = escape_leading_slashes(request.path) + (f"?{query.urlencode()}" if query else "")
        response = HttpResponseRedirect(address)
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME,
            chosen,
            max_age=settings.LANGUAGE_COOKIE_AGE,
            path=settings.LANGUAGE_COOKIE_PATH,
            domain=settings.LANGUAGE_COOKIE_DOMAIN,
            secure=settings.LANGUAGE_COOKIE_SECURE,
            httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite=settings.LANGUAGE_COOKIE_SAMESITE,  # type: ignore[arg-type]
        )
        response["Cache-Control"] = "no-store"
        return response

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say that the answer depends on the cookie as well as on the browser's languages."""
        response = super().process_response(request, response)
        patch_vary_headers(response, ["Cookie"])
        return response


class FederationMiddleware:
    """Read the federation's own settings before a page is made: the rule for names of minors is one of them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        """Read them, but not for a view that must answer without a database."""
        if not getattr(view, "without_database", False):
            federation_settings()


class PlainAddressMiddleware:
    """Answer «not found» to an address with a NUL character: no name has one, and PostgreSQL refuses to look for it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request.

        Raises:
            Http404: the address has a NUL character.
        """
        if "\x00" in request.path_info:
            raise Http404
        return self.get_response(request)
