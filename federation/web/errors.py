"""Pages for what went wrong."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400."""
    return HttpResponse(status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403."""
    return HttpResponse(status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return HttpResponse(status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500."""
    return HttpResponse(status=500)
