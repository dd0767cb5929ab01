"""Reads of clubs."""

from __future__ import annotations

from django.db.models import Case, Count, F, OuterRef, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from federation.registry.models import Club, Event, EventState, Person
from federation.registry.queries.publication import is_named, is_named_in_full


def _counting_people() -> QuerySet[Person]:
    """Return the records that count and are shown with a name: of a nameless player the club is not public."""
    return Person.objects.filter(is_named(), merged_into__isnull=True)


def clubs_with_counts(*, active_only: bool = True) -> QuerySet[Club]:
    """Return the clubs by name, with ``people_count`` (people with a name) and ``event_count`` (no drafts)."""
    clubs = Club.objects.filter(is_active=True) if active_only else Club.objects.all()
    counts = {"people_count": _counting_people(), "event_count": Event.objects.exclude(state=EventState.DRAFT)}
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
    """Return the people of a club who are shown with a name, by name; those shown by initials follow by number."""
    shown = Case(When(is_named_in_full(), then=F("sort_key")))
    return _counting_people().filter(club=club).order_by(shown.asc(nulls_last=True), "number", "pk")
