"""Tells the audit who acts in this request."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from federation.audit.context import acting_lazily


class ActorMiddleware:
    """Carry the signed-in account and the request's identity to the audit records made while answering."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request; the account is looked up only when something is recorded."""
        with acting_lazily(lambda: getattr(request, "user", None), getattr(request, "request_id", "")):
            return self.get_response(request)
