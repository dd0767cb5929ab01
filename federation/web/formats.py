"""What ``?format=`` of an address asks for."""

from __future__ import annotations

from django.http import HttpRequest

FORMATS = ("csv", "xlsx", "json")


def export_format(request: HttpRequest) -> str | None:
    """Return the format asked for by ``?format=``, None for the page itself and for what nobody knows."""
    asked = request.GET.get("format", "")
    return asked if asked in FORMATS else None
