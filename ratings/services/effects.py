"""What a change of facts would do to everybody: a replay with the change assumed. Nothing is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from federation.core.errors import RuleError
from federation.registry.models import Event
from ratings.codes import RATING_SYSTEM
from ratings.core.history import NOBODY
from ratings.core.replay import NO_RATING, State
from ratings.models import ListRow, RatingSystem
from ratings.services.replaying import (
    Facts,
    NewGame,
    Overlay,
    Stretch,
    read_facts,
    reasons_against,
    replay_stretches,
)
from ratings.services.starting import Start, where_to_start

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EventChange:
    """Changed games of one event.

    Attributes:
        event: Key of the event.
        removed: Keys of games that would no longer count.
        added: Games that would count.
        as_approved: Take the event as if its results were approved.
    """

    event: int
    removed: frozenset[int] = frozenset()
    added: tuple[NewGame, ...] = ()
    as_approved: bool = False


@dataclass(frozen=True, slots=True)
class PersonEffect:
    """What a change does to one person.

    Attributes:
        person: Key of the kept record, or the (negative) stand-in of somebody not registered yet.
        before: Rating at present, None for somebody without one.
        after: Rating with the change, None for somebody who would have none.
        games_before, games_after: Career games.
        position: Position on the list in force, None for none.
    """

    person: int
    before: int | None
    after: int | None
    games_before: int
    games_after: int
    position: int | None

    @property
    def change(self) -> int:
        """Points gained by the change; 0 where a rating is missing on one side."""
        return 0 if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does.

    Attributes:
        rows: Persons whose rating or games would change, largest movement first, then by key.
        reasons: For each changed event the reasons why it would not count; empty if it would.
        events: Number of events that would be rated anew.
        facts_version: Version of the facts on which this rests.
    """

    rows: tuple[PersonEffect, ...]
    reasons: dict[int, list[str]]
    events: int
    facts_version: int

    def as_json(self) -> dict[str, object]:
        """Give plain values to be stored with a proposal."""
        return {
            "rows": [
                [row.person, row.before, row.after, row.games_before, row.games_after, row.position]
                for row in self.rows
            ],
            "reasons": {str(event): reasons for event, reasons in self.reasons.items()},
            "events": self.events,
            "facts_version": self.facts_version,
        }

    @classmethod
    def from_json(cls, data: dict[str, object]) -> Effect:
        """Read stored values again."""
        rows, reasons = data.get("rows", []), data.get("reasons", {})
        assert isinstance(rows, list)
        assert isinstance(reasons, dict)
        return cls(
            rows=tuple(PersonEffect(*row) for row in rows),
            reasons={int(event): list(codes) for event, codes in reasons.items()},
            events=int(str(data.get("events", 0))),
            facts_version=int(str(data.get("facts_version", 0))),
        )


def effect_of(*, changes: Sequence[EventChange], system: RatingSystem | None = None) -> Effect:
    """Replay with changed facts and say what it does to everybody.

    Args:
        changes: The changes, one entry an event.
        system: The rating system; the one of scrabble if left out.

    Raises:
        RuleError: contradictory data (the codes of section 9), or `event_not_rated`: none of the events would take
            part in the rating.
    """
    marked = system or RatingSystem.objects.get(code=RATING_SYSTEM)
    overlay = Overlay(
        removed=frozenset(key for change in changes for key in change.removed),
        added={change.event: change.added for change in changes},
        as_approved=frozenset(change.event for change in changes if change.as_approved),
    )
    strangers = {
        person for change in changes for game in change.added for person in (game.a, game.b) if person < NOBODY
    }
    now = _with_strangers(read_facts(marked), strangers)
    then = _with_strangers(read_facts(marked, overlay=overlay), strangers) if overlay.as_approved else now
    changed = {change.event for change in changes}
    places = [place for place, event in enumerate(then.events.ids.tolist()) if event in changed]
    if not places:
        raise RuleError("event_not_rated", {"events": sorted(changed)})
    start = where_to_start(now, marked, now.opening.packed()[1], at_most=places[0])
    before, _ = end_state(now, start, None, frozenset())
    after, stretches = end_state(then, start, overlay, changed)
    return Effect(
        rows=effect_rows(marked, now.persons, before, after),
        reasons=stretches,
        events=len(then.events) - places[0],
        facts_version=now.version,
    )


def effect_of_event(
    *, event: Event, games: Sequence[NewGame], removed: Iterable[int] = (), system: RatingSystem | None = None
) -> Effect:
    """Say what an event would do if these were its results (added to those it has) and staff had approved them."""
    change = EventChange(event.pk, frozenset(removed), tuple(games), as_approved=True)
    return effect_of(changes=[change], system=system)


def _with_strangers(facts: Facts, strangers: Iterable[int]) -> Facts:
    """Add stand-ins for people who are not registered yet to the table of persons."""
    extra = np.array(sorted(strangers), dtype=np.int64)
    return replace(facts, persons=np.union1d(extra, facts.persons)) if len(extra) else facts


def end_state(
    facts: Facts, start: Start, overlay: Overlay | None, changed: Iterable[int]
) -> tuple[State, dict[int, list[str]]]:
    """Replay to the end without writing; give the last state and, for the events asked for, why they do not count."""
    state, reasons = start.state, {}
    for stretch in replay_stretches(facts, start.replayed_from, state, overlay=overlay):
        state = stretch.outcome.state
        for place, event in enumerate(stretch.events.ids.tolist()):
            if event in changed:
                reasons[event] = _reasons(stretch, place)
    return state, reasons


def _reasons(stretch: Stretch, place: int) -> list[str]:
    return reasons_against(
        int(stretch.outcome.failed_conditions[place]),
        excluded=bool(stretch.events.excluded[place]),
        before_opening=bool(stretch.events.before_opening[place]),
    )


def effect_rows(system: RatingSystem, persons: IntArray, before: State, after: State) -> tuple[PersonEffect, ...]:
    """Give everybody whose rating or games differ between two states, largest movement first."""
    moved = np.flatnonzero((before.rating != after.rating) | (before.games != after.games))
    keys = persons[moved].tolist()
    positions = dict(
        ListRow.objects.filter(list=system.current_list_id, person__in=keys).values_list("person_id", "position")
    )
    columns = (before.rating[moved], after.rating[moved], before.games[moved], after.games[moved])
    rows = [
        PersonEffect(
            person=person,
            before=None if old == NO_RATING else old,
            after=None if new == NO_RATING else new,
            games_before=games_before,
            games_after=games_after,
            position=positions.get(person),
        )
        for person, old, new, games_before, games_after in zip(
            keys, *(column.tolist() for column in columns), strict=True
        )
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.change), row.person)))
