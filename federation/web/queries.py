"""Reads of the shell: the calendar and what the home page counts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db.models import Count, Q, QuerySet

from federation.registry.models import Event, EventState, Person, PersonState, Season

#: States in which the public sees an event.
PUBLIC_STATES = (EventState.OPEN, EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED)


def public_events() -> QuerySet[Event]:
    """Return the events that the public sees, with discipline and club; drafts are left out."""
    return Event.objects.filter(state__in=PUBLIC_STATES).select_related("discipline", "club")


def with_entry_counts(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return the events with ``entry_count``."""
    return events.annotate(entry_count=Count("entries"))


def coming_events(today: dt.date, limit: int) -> Sequence[Event]:
    """Return the next events that are not over, with ``entry_count``, soonest first."""
    coming = public_events().filter(ends_on__gte=today, state=EventState.OPEN)
    return list(with_entry_counts(coming).order_by("starts_on", "ends_on", "name", "pk")[:limit])


def finished_events(limit: int) -> Sequence[Event]:
    """Return the latest events whose results were approved, with ``entry_count``, newest first."""
    finished = public_events().filter(state=EventState.APPROVED)
    return list(with_entry_counts(finished).order_by("-ends_on", "name", "pk")[:limit])


def calendar_events(*, since: dt.date, until: dt.date, discipline: str = "") -> QuerySet[Event]:
    """Return the events that touch a span of days, with ``entry_count``, in the order of the calendar."""
    found = public_events().filter(ends_on__gte=since, starts_on__lte=until)
    if discipline:
        found = found.filter(discipline__code=discipline)
    return with_entry_counts(found).order_by("starts_on", "ends_on", "name", "pk")


def event_years() -> list[int]:
    """Return the years in which events begin or end, latest first."""
    years = Event.objects.filter(state__in=PUBLIC_STATES).order_by().values_list("starts_on__year", "ends_on__year")
    return sorted({year for pair in years.distinct() for year in pair}, reverse=True)


def player_count() -> int:
    """Return the number of people in the register: records that count."""
    return Person.objects.exclude(state__in=(PersonState.MERGED, PersonState.ANONYMISED)).count()


def season_codes(today: dt.date) -> list[str]:
    """Return the codes of the seasons that a day lies in, each once."""
    seasons = Season.objects.filter(Q(starts_on__lte=today), Q(ends_on__gte=today)).order_by("code")
    return list(seasons.values_list("code", flat=True).distinct())


def open_events_since(moment: dt.datetime, limit: int) -> Sequence[Event]:
    """Return the events entered since a moment that are open for entries, newest first."""
    opened = public_events().filter(created_at__gte=moment, state=EventState.OPEN)
    return list(opened.order_by("-created_at", "-pk")[:limit])
