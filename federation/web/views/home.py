"""The home page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from federation.registry.models import Event
from federation.web import menu
from federation.web.menu import Result
from federation.web.queries import coming_events, finished_events, player_count, season_codes

#: Rows of each list of the home page.
RESULTS = 8
PUBLISHED = 7
COMING = 7


def home(request: HttpRequest) -> HttpResponse:
    """Lists in force, results, what was published, what is coming."""
    today = timezone.localdate()
    context = {
        "today": today,
        "season_codes": season_codes(today),
        "player_count": player_count(),
        "fronts": menu.parts(menu.fronts(), request),
        "results": menu.recent_results(request, RESULTS) or _plain_results(),
        "published": menu.feed_items(request, PUBLISHED),
        "coming": [(event, menu.event_address(event)) for event in coming_events(today, COMING)],
        "marks": menu.season_marks(request),
    }
    return render(request, "web/home.html", context)


def _plain_results() -> list[Result]:
    """Return finished events without a winner, for games that do not name one."""
    return [_plain(event) for event in finished_events(RESULTS)]


def _plain(event: Event) -> Result:
    count = event.entry_count  # type: ignore[attr-defined]
    return Result(event.ends_on, event.name, menu.event_address(event), "", "", count, event.discipline.code)
