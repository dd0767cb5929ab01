"""Where a replay may begin: the first event that is not as the last run saw it, and a recorded state before it."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ratings import store
from ratings.core.replay import State
from ratings.models import RatingRun, RatingSystem
from ratings.queries.facts import EventKey
from ratings.queries.runs import RecordedEvent, best_checkpoint, last_run, recorded_events, unpacked_state
from ratings.services.replaying import Facts

BEGINNING: Final = dt.date.min


@dataclass(frozen=True, slots=True)
class Start:
    """Where a replay begins.

    Attributes:
        parent: The run whose first events are taken over, None for a replay from the first event.
        events: Events of the parent.
        position: Position of the first event that differs.
        replayed_from: Position of the first event to replay: a state before it is recorded.
        state: The state before it.
    """

    parent: RatingRun | None
    events: Sequence[RecordedEvent]
    position: int
    replayed_from: int
    state: State


def dirty_key(system: RatingSystem) -> EventKey:
    """Give the key of the rating order from which a system is marked stale."""
    return (system.dirty_date or BEGINNING, system.dirty_sequence or 0, system.dirty_event_id or 0)


def where_to_start(
    facts: Facts, marked: RatingSystem, opening_digest: str, *, full: bool = False, at_most: int | None = None
) -> Start:
    """Find the first event that differs from the last run, and a recorded state at or before it.

    Args:
        facts: The facts.
        marked: The system with its marks, read before the facts.
        opening_digest: Digest of the opening ratings.
        full: Begin with the first event, whatever is known.
        at_most: Begin at this position at the latest.
    """
    opening = facts.opening_state()
    parent = None if full else last_run(facts.system)
    if parent is None:
        return Start(None, (), 0, 0, opening)
    before = recorded_events(parent)
    position = _first_difference(facts, before, marked)
    if at_most is not None:
        position = min(position, at_most)
    if store.unpack(parent.opening)[2] != opening_digest:
        position = 0
    checkpoint = best_checkpoint(parent, position) if position else None
    state = unpacked_state(checkpoint.state, facts.persons, opening) if checkpoint else None
    if checkpoint is None or state is None:
        return Start(parent, before, position, 0, opening)
    return Start(parent, before, position, checkpoint.position, state)


def _first_difference(facts: Facts, before: Sequence[RecordedEvent], marked: RatingSystem) -> int:
    """Give the position of the first event that is not as the last run saw it."""
    events = facts.events
    now = zip(events.ids.tolist(), events.rule_set.tolist(), events.headings, strict=True)
    same = min(len(events), len(before))
    for place, (old, new) in enumerate(zip(before, now, strict=False)):
        if (old.event, old.rule_set, old.heading) != new:
            same = place
            break
    if marked.dirty_date is not None:
        same = min(same, bisect_left(events.keys, dirty_key(marked)))
    return same
