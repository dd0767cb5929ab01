"""Runs: what the last one rated, and from where a later one may go on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from django.db.models import Max
from numpy.typing import NDArray

from federation.registry.models import Event
from ratings import store
from ratings.core.replay import NO_RATING, State
from ratings.core.seasons import UNKNOWN
from ratings.models import Checkpoint, PublishedList, RatedEvent, RatingRun, RatingSystem, RunEvent

IntArray = NDArray[np.int64]

_STATE_COLUMNS = ("rating", "games", "wins_half", "last_season")


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """One event of a run, as far as a later run needs it."""

    event: int
    rule_set: int
    heading: str
    rated_event: int
    digest: str
    inputs_digest: str


def last_run(system: RatingSystem) -> RatingRun | None:
    """Return the newest run of a system."""
    return RatingRun.objects.filter(system=system).order_by("-pk").first()


def rated_in_last_run(event: Event) -> RatedEvent | None:
    """Return how the newest run saw an event, None if no run has it as it stands now."""
    system = RatingSystem.objects.filter(discipline=event.discipline_id).first()
    run = last_run(system) if system else None
    if system is None or run is None or (system.dirty_date is not None and system.dirty_date <= event.rating_date):
        return None
    return RatedEvent.objects.filter(run_events__run=run, event=event).defer("inputs").first()


def list_in_force_with(event: Event) -> PublishedList | None:
    """Return the list in force if the event counts on it."""
    system = RatingSystem.objects.filter(discipline=event.discipline_id).select_related("current_list").first()
    edition = system.current_list if system else None
    if edition is None:
        return None
    counted = RunEvent.objects.filter(
        run=edition.run_id, position__lt=edition.position, rated_event__event=event, rated_event__eligible=True
    )
    return edition if counted.exists() else None


def recorded_events(run: RatingRun) -> list[RecordedEvent]:
    """Return the events of a run in rating order, in one query."""
    rows = (
        RunEvent.objects.filter(run=run)
        .order_by("position")
        .values_list(
            "rated_event__event_id",
            "rated_event__rule_set_id",
            "rated_event__heading",
            "rated_event_id",
            "rated_event__digest",
            "rated_event__inputs_digest",
        )
    )
    return [RecordedEvent(*row) for row in rows]


def best_checkpoint(run: RatingRun, position: int) -> Checkpoint | None:
    """Return the latest checkpoint at or before a position of a run, its own or one of the runs it goes on from."""
    usable = _usable_checkpoints(run, position)
    return Checkpoint.objects.get(pk=usable[max(usable)]) if usable else None


def inherited_checkpoints(run: RatingRun) -> list[int]:
    """Return the keys of the checkpoints of earlier runs from which a run after this one may start."""
    own = set(Checkpoint.objects.filter(run=run).values_list("position", flat=True))
    return [key for place, key in sorted(_usable_checkpoints(run, run.counts["events"]).items()) if place not in own]


def _usable_checkpoints(run: RatingRun, position: int) -> dict[int, int]:
    """Give the checkpoints up to a position of a run, by position; an earlier run's as far as it was taken over."""
    parents = {
        pk: (parent, reused)
        for pk, parent, reused in RatingRun.objects.filter(system=run.system_id).values_list(
            "pk", "parent_id", "reused_events"
        )
    }
    limits: dict[int, int] = {}
    current: int | None = run.pk
    while current is not None and current in parents and current not in limits:
        limits[current] = position
        parent, reused = parents[current]
        position, current = min(position, reused), parent
    usable: dict[int, int] = {}
    found = Checkpoint.objects.filter(run__system=run.system_id, position__lte=max(limits.values(), default=0))
    for pk, owner, place in found.order_by("run", "position").values_list("pk", "run_id", "position"):
        if owner in limits and place <= limits[owner]:
            usable[place] = pk
    return usable


def packed_state(state: State, persons: IntArray, position: int) -> tuple[bytes, str]:
    """Give the canonical bytes of what is known of all players with a game or opening data, and their digest."""
    known = np.flatnonzero((state.games > 0) | (state.rating != NO_RATING) | (state.last_season != UNKNOWN))
    columns = {name: getattr(state, name)[known] for name in _STATE_COLUMNS}
    return store.pack({"position": position}, {"person": persons[known], **columns})


def unpacked_state(blob: bytes | memoryview, persons: IntArray, empty: State) -> State | None:
    """Read a recorded state for a table of persons; None if it names a person who is not in the table."""
    _, columns, _ = store.unpack(blob)
    if not np.isin(columns["person"], persons).all():
        return None
    place = np.searchsorted(persons, columns["person"])
    values = {}
    for name in _STATE_COLUMNS:
        column = getattr(empty, name).copy()
        column[place] = columns[name]
        values[name] = column
    return State(
        position=0,
        season=empty.season,
        season_games=empty.season_games,
        season_wins_half=empty.season_wins_half,
        **values,
    )


def greatest_list_number(system: RatingSystem) -> int:
    """Return the highest number of a published list, 0 for none."""
    return system.lists.aggregate(highest=Max("number"))["highest"] or 0
