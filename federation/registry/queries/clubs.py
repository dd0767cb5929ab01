"""Reads of clubs."""

from __future__ import annotations

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from federation.registry.models import Club, Event, Person, PersonState


def _counting_people() -> QuerySet[Person]:
    """Return the records that count and have a name."""
    return Person.objects.filter(merged_into__isnull=True).exclude(state=PersonState.ANONYMISED)


def clubs_with_counts(*, active_only: bool = True) -> QuerySet[Club]:
    """Return the clubs by name, with ``people_count`` (records that count) and ``event_count``."""
    clubs = Club.objects.filter(is_active=True) if active_only else Club.objects.all()
    counts = {"people_count": _counting_people(), "event_count": Event.objects.all()}
    # Counted apart: joining both would multiply people by events.
    of_club = {
        name: Coalesce(
            Subquery(
                rows.filter(club=OuterRef("pk")).order_by().values("club").annotate(count=Count("pk")).values("count")
            ),
            0,
        )
        for name, rows in counts.items()
    }
    return clubs.annotate(**of_club).order_by("name", "pk")


def club_people(club: Club) -> QuerySet[Person]:
    """Return the people of a club, records that count, by name."""
    return _counting_people().filter(club=club).order_by("sort_key", "pk")
