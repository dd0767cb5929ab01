"""What the pages of the desk share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from federation.core.errors import RuleError
from federation.problems import explain_all
from federation.registry.models import Event
from ratings.codes import DISCIPLINE


def event_of(slug: str) -> Event:
    """Return the scrabble event at an address, or answer 404."""
    return get_object_or_404(Event.objects.select_related("season", "club"), discipline__code=DISCIPLINE, slug=slug)


def typed(data: Mapping[str, Any], name: str, most: int = 2000) -> str:
    """Return a text that a browser sent, cut and without the character that no database stores."""
    return str(data.get(name, ""))[:most].replace("\x00", "").strip()


def of_address(request: HttpRequest, slug: str, **kwargs: Any) -> Event:
    """Return the event that a permission is about."""
    return event_of(slug)


def attempt(request: HttpRequest, action: Callable[[], Any], done: str = "") -> Any:
    """Do something and say how it went: the given sentence, or what is wrong and how to mend it.

    Returns:
        What the action gave, True if it gave nothing; None if a rule refused it.
    """
    try:
        result = action()
    except RuleError as error:
        for sentence in explain_all(error, "results"):
            messages.error(request, sentence)
        return None
    if done:
        messages.success(request, done)
    return result or True
