"""Conditions on people by what the public sees of their names; the rules are those of `registry.publication`.

Whoever is not shown by the full name is never found or put in order by it: the place between two neighbours of an
alphabetical list tells a name as well as the name itself.
"""

from __future__ import annotations

from django.db.models import Q
from django.utils import timezone

from federation.registry.models import FederationSettings, PersonState, Publication


def is_named(path: str = "") -> Q:
    """Return the condition for people shown with a name or initials; of the others the club is not shown either.

    Args:
        path: the way to the person, with its closing underscores: ``person__``.
    """
    return ~Q(**{f"{path}publication": Publication.HIDDEN}) & ~Q(**{f"{path}state": PersonState.ANONYMISED})


def is_named_in_full(path: str = "") -> Q:
    """Return the condition for people shown by their full name; ``path`` as for `is_named`."""
    youngest = timezone.localdate().year - FederationSettings.adult_age_in_force
    minor = Q(**{f"{path}publication": Publication.AUTOMATIC, f"{path}birth_year__gte": youngest})
    return is_named(path) & ~Q(**{f"{path}publication": Publication.INITIALS}) & ~minor
