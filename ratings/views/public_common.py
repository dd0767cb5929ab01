"""What the public pages have in common: the rating that they are about, and the answer when nothing is there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from ratings.codes import DISCIPLINE
from ratings.models import PublishedList, RatingSystem
from ratings.queries import pages_lists

Action = tuple[str, str]


class Lost(Exception):
    """There is no such page; says what was looked for and where to go on."""

    def __init__(self, title: str, text: str, actions: Sequence[Action] = ()) -> None:
        self.title = title
        self.text = text
        self.actions = list(actions)
        super().__init__(title)


class NotSetUp(Exception):
    """The discipline has no rating yet."""


def public(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Answer GET and HEAD only; give ``Lost`` a page that helps, and a new federation one that says what is missing."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        try:
            return view(request, *args, **kwargs)
        except Lost as lost:
            context = {"lost": lost}
            return render(request, "ratings/lost.html", context, status=404)
        except NotSetUp:
            return render(request, "ratings/empty.html", {"system": None})

    return answer


def system() -> RatingSystem:
    """The rating of this part of the site; ``NotSetUp`` before there is one."""
    found = pages_lists.rating_system(DISCIPLINE)
    if found is None:
        raise NotSetUp
    return found


def edition_asked(request: HttpRequest, rating: RatingSystem) -> PublishedList | None:
    """The edition on which a page stands: that of ``?list=``, else the one in force.

    Raises:
        Lost: no list of that number is published.
    """
    number = request.GET.get("list", "")
    current = rating.current_list
    if not number or (current is not None and number == str(current.number)):
        return current
    found = pages_lists.published_list(rating, int(number)) if is_number(number) else None
    if found is None:
        raise lost_list(number)
    return found


def is_number(text: str) -> bool:
    """Whether a text is a number that the database can look up."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def lost_list(number: object) -> Lost:
    """Nobody published a list of that number."""
    return Lost(
        _("There is no list %(number)s") % {"number": str(number)[:20]},
        _("Lists are numbered from 1 on, and a published list is never taken away. All of them are on one page."),
        [(_("All lists"), reverse("scrabble-lists")), (_("Ranking in force"), reverse("scrabble-ranking"))],
    )


def lost_player(number: object) -> Lost:
    """No player has that number."""
    return Lost(
        _("No player has the number %(number)s") % {"number": str(number)[:20]},
        _("A number is never given twice and never taken away. The search finds players by name or number."),
        [(_("Ranking in force"), reverse("scrabble-ranking"))],
    )


def lost_event() -> Lost:
    """No event is at that address."""
    return Lost(
        _("No event at this address"),
        _("The address may be misspelt, or the event has not been opened to the public yet."),
        [(_("All events"), reverse("scrabble-events"))],
    )


def with_list(address: str, edition: PublishedList | None, rating: RatingSystem) -> str:
    """The address of a page on an edition; the one in force needs no mention."""
    if edition is None or edition.pk == rating.current_list_id:
        return address
    return f"{address}?list={edition.number}"


def list_address(edition: PublishedList) -> str:
    """The address of an edition; its season must be loaded."""
    return reverse("scrabble-list", args=[edition.season.code, edition.number])
