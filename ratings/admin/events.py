"""The event of the registry with its rounds as a grid: the page that results are entered on from the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from federation.registry.admin.calendar import EventAdmin
from federation.registry.models import Event
from ratings.codes import DISCIPLINE
from ratings.queries.results import entrants, rounds_overview
from ratings.services.results import ENTRY_STATES
from ratings.views.desk_rounds import check_answer, round_page

#: What a hand gets beyond the rounds of an event whose number of rounds is not announced.
ONE_MORE = 1


class EventWithRoundsAdmin(EventAdmin):
    """The registry's page of an event; for scrabble with a grid for each round."""

    change_form_template = "admin/ratings/event_change_form.html"

    def get_urls(self) -> list[URLPattern]:
        """Add the grid of a round and its live check."""
        wrap = self.admin_site.admin_view
        return [
            path("<int:pk>/rounds/<int:number>/", wrap(self.round_view), name="scrabble_round"),
            path("<int:pk>/rounds/<int:number>/check/", wrap(self.check_view), name="scrabble_round_check"),
            *super().get_urls(),
        ]

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show the rounds with what is missing in each."""
        context = {**(extra_context or {})}
        if object_id is not None and request.method == "GET":
            event = self.get_object(request, object_id)
            if (
                event is not None
                and event.discipline.code == DISCIPLINE
                and request.user.has_perm("registry.run_event", event)
            ):
                context |= self._rounds(event)
        return super().changeform_view(request, object_id, form_url, context)

    def round_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """The grid of a round."""
        event = self._event(request, pk)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("%(event)s, round %(round)s") % {"event": event.name, "round": number},
            "event_address": reverse("admin:registry_event_change", args=[pk]),
            "base_template": "admin/base_site.html",
        }
        return round_page(
            request,
            event,
            number,
            template="admin/ratings/round.html",
            address=lambda turn: reverse("admin:scrabble_round", args=[pk, turn]),
            check_address=reverse("admin:scrabble_round_check", args=[pk, number]),
            extra=context,
        )

    def check_view(self, request: HttpRequest, pk: int, number: int) -> HttpResponse:
        """What is wrong with the lines typed so far."""
        if request.method != "POST":
            raise Http404
        return check_answer(request, self._event(request, pk), number)

    def _event(self, request: HttpRequest, pk: int) -> Event:
        events = Event.objects.select_related("season", "club", "discipline")
        event = get_object_or_404(events, pk=pk, discipline__code=DISCIPLINE)
        if not request.user.has_perm("registry.run_event", event):
            raise PermissionDenied
        return event

    def _rounds(self, event: Event) -> dict[str, Any]:
        summaries = rounds_overview(event, entrants(event))
        numbers = [one.number for one in summaries]
        more = 0 if event.rounds else max(numbers, default=0) + ONE_MORE
        return {
            "scrabble_rounds": [
                (one, reverse("admin:scrabble_round", args=[event.pk, one.number])) for one in summaries
            ],
            "scrabble_more": (more, reverse("admin:scrabble_round", args=[event.pk, more])) if more else None,
            "scrabble_open": event.state in ENTRY_STATES,
        }


admin.site.unregister(Event)
admin.site.register(Event, EventWithRoundsAdmin)
