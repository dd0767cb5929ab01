"""Reads of clubs."""

from __future__ import annotations

from django.db.models import Count, Q, QuerySet

from federation.registry.models import Club, Person, PersonState

_COUNTING = Q(people__merged_into__isnull=True) & ~Q(people__state=PersonState.ANONYMISED)


def clubs_with_counts(*, active_only: bool = True) -> QuerySet[Club]:
    """Return the clubs by name, with ``people_count`` (records that count) and ``event_count``."""
    clubs = Club.objects.filter(is_active=True) if active_only else Club.objects.all()
    return clubs.annotate(
        people_count=Count("people", filter=_COUNTING, distinct=True), event_count=Count("events", distinct=True)
    ).order_by("name", "pk")


def club_people(club: Club) -> QuerySet[Person]:
    """Return the people of a club, records that count, by name."""
    people = Person.objects.filter(club=club, merged_into__isnull=True).exclude(state=PersonState.ANONYMISED)
    return people.order_by("sort_key", "pk")
