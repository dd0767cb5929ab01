"""What the registry asks the ratings: which facts went stale, and what speaks against a merge."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from federation.registry.hooks import Problem
from federation.registry.models import Entry, Person
from ratings.models import Game, OpeningRating
from ratings.queries.merges import first_round_in_common
from ratings.services.runs import mark_dirty


def facts_changed(*, persons: Iterable[int] = (), events: Iterable[int] = (), why: str) -> None:
    """Mark the rating stale from the first event concerned; called inside the transaction of the change."""
    mark_dirty(event_ids=events, person_ids=persons, why=why)


def merge_problems(kept: Person, dropped: Person) -> list[Problem]:
    """Refuse to join two records that appear in one round of an event, whatever the kind of entry (section 9)."""
    found = first_round_in_common(kept.root_id, dropped.root_id)
    return [] if found is None else [Problem("two_people", {"event": found[0], "round": found[1]})]


def merge_counts(kept: Person, dropped: Person) -> list[tuple[str | Promise, int]]:
    """Count what would be read for the kept record after a merge."""
    own = Q(person=dropped) | Q(person__merged_into=dropped)
    entries = Entry.objects.filter(own).values("pk")
    games = Game.objects.filter(Q(a__in=entries) | Q(b__in=entries), superseded_at=None)
    counted = games.aggregate(all_games=Count("pk"), their_events=Count("event", distinct=True))
    opening = OpeningRating.objects.filter(own, opening_list__withdrawn_at=None).count()
    return [
        (_("scrabble games"), counted["all_games"]),
        (_("scrabble events"), counted["their_events"]),
        (_("opening ratings"), opening),
    ]
