"""Values that every page needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the values of the page frame."""
    return {}
