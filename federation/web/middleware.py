"""Request identity and language."""

from __future__ import annotations

import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware


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
    """Choose the language from the cookie, then from the browser."""
