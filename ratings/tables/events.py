"""The list of events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from federation.registry.models import Event
from federation.web.tables import BaremTable, Column, DateColumn, LinkColumn, NumberColumn
from ratings.models import PublishedList, RatedEvent
from ratings.presenters.whether import short_reason, whether_counts


class EventTable(BaremTable):
    """Public events with whether they count."""

    day = DateColumn(_("Date"), accessor="ends_on", order_by=("rating_date", "sequence"))
    name = LinkColumn(_("Event"), href=lambda record: reverse("scrabble-event", args=[record.slug]), row_header=True)
    season = Column(_("Season"), css="mid", order_by="season.starts_on", initial_sort_descending=True)
    place = Column(_("Place"), accessor="venue", css="wide", empty_values=())
    players = NumberColumn(_("Players"), accessor="entry_count", css="n mid", initial_sort_descending=True)
    games = NumberColumn(_("Games"), accessor="game_count", css="n mid", initial_sort_descending=True)
    state = Column(_("BARRUF"), accessor="state", orderable=False)

    class Meta(BaremTable.Meta):
        order_by = "-day"

    empty_text = _("No event yet")
    empty_detail = _("Events appear here as soon as a director opens them.")

    #: Events as the list in force saw them.
    ratings: Mapping[int, RatedEvent] = {}
    edition: PublishedList | None = None

    def render_place(self, record: Event) -> str:
        """Venue and town."""
        return ", ".join(part for part in (record.venue, record.town) if part)

    value_place = render_place

    def value_season(self, record: Event) -> str:
        """Code of the season."""
        return record.season.code

    def render_state(self, record: Event) -> Any:
        """Whether the event counts, in one or two words, and why not."""
        rated = self.ratings.get(record.pk)
        counted = whether_counts(record, rated, self.edition)
        css = {"yes": "tag ok", "no": "tag warn"}.get(counted.code, "tag")
        reasons = ", ".join(short_reason(code) for code in rated.reasons) if rated is not None else ""
        if not reasons:
            return format_html('<span class="{}">{}</span>', css, counted.label)
        return format_html('<span class="{}">{}</span> <span class="soft">{}</span>', css, counted.label, reasons)

    def value_state(self, record: Event) -> str:
        """The reasons why the event does not count, or the word."""
        rated = self.ratings.get(record.pk)
        if rated is not None and rated.reasons:
            return " ".join(rated.reasons)
        return str(whether_counts(record, rated, self.edition).label)
