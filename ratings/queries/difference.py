"""Two lists side by side: who moved, by how much, and why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ratings import store
from ratings.core.listing import Status
from ratings.models import LedgerRow, ListRow, PublishedList
from ratings.queries.ledger import RunEvents, run_events
from ratings.queries.lists import joined_persons

REASONS: Final = (
    "turned_inactive",
    "merged",
    "first_list",
    "became_ranked",
    "came_back",
    "no_longer_listed",
    "played",
    "correction",
    "opening_changed",
    "others_moved",
    "unchanged",
)
"""Why a line of a difference is as it is; the first that applies is the main one."""

_RANKED, _INACTIVE = Status.RANKED.code, Status.INACTIVE.code


@dataclass(frozen=True, slots=True)
class Side:
    """One person on one list."""

    status: str
    position: int | None
    rating: int
    games: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One person on two lists.

    Attributes:
        person: Key of the person, the kept record.
        before, after: The two lists; None where the person is not on one.
        reason: The main reason, one of ``REASONS``.
        events: Keys of the events that count on the second list and not on the first, in which the person played.
        corrected: Keys of the events on both lists that give the person another change now.
    """

    person: int
    before: Side | None
    after: Side | None
    reason: str
    events: tuple[int, ...]
    corrected: tuple[int, ...]

    @property
    def change(self) -> int | None:
        """Points between the two lists, None where the person is on one of them only."""
        return None if self.before is None or self.after is None else self.after.rating - self.before.rating

    @property
    def changed(self) -> bool:
        """Whether a figure differs."""
        return self.reason != "unchanged"


def list_difference(a: PublishedList, b: PublishedList) -> list[Difference]:
    """Compare two lists person by person, in the order of the second; who left it comes last.

    Each line has its reason: events played, a correction of an event that was on both lists, a change of state, a
    merge, or nothing but the movement of others. Who turns inactive is always named as such, also after a merge.
    """
    before, after = _sides(a), _sides(b)
    joined = joined_persons(np.array(sorted(before), dtype=np.int64))
    events_a, events_b = run_events(a.run_id, a.position), run_events(b.run_id, b.position)
    played = _played_since(events_a, events_b)
    corrected = _corrected(events_a, events_b)
    merged = _merged(before, after, joined)
    lines = [
        _difference(person, before.get(person), side, played[person], corrected[person], merged.get(person))
        for person, side in after.items()
    ]
    for person, side in before.items():
        if person not in after:
            reason = "merged" if joined.get(person) in after else "no_longer_listed"
            lines.append(Difference(person, side, None, reason, (), tuple(corrected[person])))
    return lines


def _merged(before: Mapping[int, Side], after: Mapping[int, Side], joined: Mapping[int, int]) -> dict[int, Side]:
    """Give, of the kept records, the row by which the first list is read: the own one, else that with more games."""
    found: dict[int, Side] = {}
    for person, side in sorted(before.items()):
        root = joined.get(person)
        if root is not None and root in after and (root not in found or found[root].games < side.games):
            found[root] = side
    return {root: before.get(root, side) for root, side in found.items()}


def _sides(one: PublishedList) -> dict[int, Side]:
    rows = ListRow.objects.filter(list=one).order_by("order")
    return {
        person: Side(status, position, rating, games)
        for person, status, position, rating, games in rows.values_list(
            "person_id", "status", "position", "rating", "games"
        )
    }


def _difference(
    person: int, before: Side | None, after: Side, events: list[int], corrected: list[int], merged: Side | None
) -> Difference:
    return Difference(
        person, before, after, _reason(before, after, events, corrected, merged), tuple(events), tuple(corrected)
    )


def _reason(before: Side | None, after: Side, events: list[int], corrected: list[int], merged: Side | None) -> str:
    earlier = merged or before
    if earlier is not None and after.status == _INACTIVE and earlier.status != _INACTIVE:
        return "turned_inactive"
    if merged is not None:
        return "merged"
    if before is None:
        return "first_list"
    if after.status == _RANKED and before.status != _RANKED:
        return "came_back" if before.status == _INACTIVE else "became_ranked"
    if events:
        return "played"
    if (before.rating, before.games) != (after.rating, after.games):
        return "correction" if corrected else "opening_changed"
    if before.position != after.position:
        return "others_moved"
    return "unchanged"


def _counted(events: RunEvents) -> dict[int, int]:
    """Give the rated event of each event that counts."""
    return {
        event: rated
        for event, rated, eligible in zip(
            events.event.tolist(), events.rated_event.tolist(), events.eligible.tolist(), strict=True
        )
        if eligible
    }


def _played_since(a: RunEvents, b: RunEvents) -> defaultdict[int, list[int]]:
    """Give, by person, the events that count on the second list only."""
    first, second = _counted(a), _counted(b)
    new = {rated: event for event, rated in second.items() if event not in first}
    found: defaultdict[int, list[int]] = defaultdict(list)
    for rated, person, _ in _lines(list(new)):
        found[person].append(new[rated])
    return found


def _corrected(a: RunEvents, b: RunEvents) -> defaultdict[int, list[int]]:
    """Give, by person, the events on either list that give the person another change or other games now."""
    first, second = _counted(a), _counted(b)
    pairs = {event: (first[event], second.get(event)) for event in first if second.get(event) != first[event]}
    changes = {(rated, person): change for rated, person, change in _lines([r for p in pairs.values() for r in p if r])}
    people: defaultdict[int, set[int]] = defaultdict(set)
    for rated, person in changes:
        people[rated].add(person)
    found: defaultdict[int, list[int]] = defaultdict(list)
    for event, (old, new) in pairs.items():
        for person in sorted(people[old] | people[new or 0]):
            if changes.get((old, person)) != changes.get((new or 0, person)):
                found[person].append(event)
    return found


def _lines(rated_events: list[int]) -> list[tuple[int, int, Any]]:
    """Return rated event, person and change of the lines of some rated events, in one query."""
    if not rated_events:
        return []
    table = LedgerRow._meta.db_table
    rows = store.read_integers(
        f"SELECT rated_event_id, person_id, change FROM {table} WHERE {store.any_of('rated_event_id')}"  # noqa: S608
        " ORDER BY rated_event_id, person_id",
        [store.id_list(rated_events)],
        3,
    )
    return [(rated, person, change) for rated, person, change in rows.T.tolist()]
