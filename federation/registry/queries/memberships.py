"""Who was a member on a day. Merged records are read through the record they point to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from federation.registry.models import Membership, Person


def _valid_at(date: dt.date, discipline_id: int | None) -> QuerySet[Membership]:
    rows = Membership.objects.filter(
        Q(valid_from__isnull=True, season__starts_on__lte=date) | Q(valid_from__lte=date),
        Q(valid_until__isnull=True, season__ends_on__gte=date) | Q(valid_until__gte=date),
    )
    return rows if discipline_id is None else rows.filter(season__discipline=discipline_id)


def is_member_at(person: Person, date: dt.date, discipline_id: int | None = None) -> bool:
    """Whether a person, by any of the merged records, has a membership or licence valid on a day."""
    root = person.root_id
    rows = _valid_at(date, discipline_id).filter(Q(person=root) | Q(person__merged_into=root))
    return rows.exists()


def members_among(persons: Iterable[Person], date: dt.date, discipline_id: int | None = None) -> set[int]:
    """Return which of some persons have a valid membership on a day, as keys of the records that count; one query."""
    roots = {person.root_id for person in persons}
    rows = _valid_at(date, discipline_id).filter(Q(person__in=roots) | Q(person__merged_into__in=roots))
    return set(rows.values_list(Coalesce("person__merged_into", F("person")), flat=True))
