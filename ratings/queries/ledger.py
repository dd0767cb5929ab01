"""The ledger of a run as arrays: who played what, and what it made of the ratings."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ratings import store
from ratings.core.replay import NO_RATING, State
from ratings.core.seasons import UNKNOWN
from ratings.models import RunEvent
from ratings.queries.facts import OpeningFacts, heading_parts

IntArray = NDArray[np.int64]

_EVENTS_AT_ONCE: Final = 1_000
RECENT_EVENTS: Final = 12
"""Ratings kept in a row of a list for its small graph."""


@dataclass(frozen=True, slots=True)
class RunEvents:
    """The first events of a run, one entry each, in rating order."""

    event: IntArray
    rated_event: IntArray
    season: IntArray
    date: list[dt.date]
    eligible: NDArray[np.bool_]
    games: IntArray

    def __len__(self) -> int:
        """Number of events."""
        return len(self.event)


def run_events(run_id: int, position: int | None = None) -> RunEvents:
    """Return the events of a run before a position (all if left out), in one query."""
    rows = RunEvent.objects.filter(run=run_id).order_by("position")
    if position is not None:
        rows = rows.filter(position__lt=position)
    values = list(
        rows.values_list(
            "rated_event__event_id",
            "rated_event_id",
            "rated_event__heading",
            "rated_event__eligible",
            "rated_event__games",
        )
    )
    headings = [heading_parts(row[2]) for row in values]
    return RunEvents(
        event=np.array([row[0] for row in values], dtype=np.int64),
        rated_event=np.array([row[1] for row in values], dtype=np.int64),
        season=np.array([heading[0] for heading in headings], dtype=np.int64),
        date=[heading[1] for heading in headings],
        eligible=np.array([row[3] for row in values], dtype=np.bool_),
        games=np.array([row[4] for row in values], dtype=np.int64),
    )


@dataclass(frozen=True, slots=True)
class RunLines:
    """Lines of the ledger of the first events of a run, ordered by person, then position.

    Attributes:
        person: Persons.
        position: Position of the event in the run.
        games, wins_half: Of the event.
        games_after, wins_after, after: Career games, career wins in half points, rating after it.
    """

    person: IntArray
    position: IntArray
    games: IntArray
    wins_half: IntArray
    games_after: IntArray
    wins_after: IntArray
    after: IntArray

    def __len__(self) -> int:
        """Number of lines."""
        return len(self.person)


def run_lines(events: RunEvents, position: int) -> RunLines:
    """Return the lines of the events of a run before a position, in one query for each thousand events.

    The events are named by their keys instead of being joined: a database that has just been filled has no statistics
    yet, and would join badly.
    """
    rated = events.rated_event[:position]
    blocks = [_lines_of(rated[start : start + _EVENTS_AT_ONCE]) for start in range(0, len(rated), _EVENTS_AT_ONCE)]
    rows = np.hstack(blocks) if blocks else np.zeros((7, 0), dtype=np.int64)
    by_key = np.argsort(rated, kind="stable")
    if len(rated):
        rows[1] = by_key[np.searchsorted(rated[by_key], rows[1])]
    rows = rows[:, np.lexsort((rows[1], rows[0]))]
    return RunLines(*rows)


def _lines_of(rated_events: IntArray) -> IntArray:
    return store.read_integers(
        "SELECT person_id, rated_event_id, games, wins, games_after, wins_after, after FROM ratings_ledgerrow WHERE "  # noqa: S608
        + store.any_of("rated_event_id"),
        [store.id_list(rated_events)],
        7,
    )


@dataclass(frozen=True, slots=True)
class Careers:
    """Everybody with a game or opening data at some position of a run.

    Attributes:
        person: Persons, rising; players of `state` are places in it.
        state: What is known of them; the season figures are those of the season asked for.
        entered: Entered with opening data.
        last_position: Position in the run of the last event with a game, -1 for none.
        recent: Ratings after the last events, oldest first, separated by commas.
    """

    person: IntArray
    state: State
    entered: NDArray[np.bool_]
    last_position: IntArray
    recent: list[str]


def careers(opening: OpeningFacts, lines: RunLines, event_season: IntArray, season: int) -> Careers:
    """Sum up the lines of a run for a list.

    Args:
        opening: The opening ratings that the run began with.
        lines: The lines, from ``run_lines``.
        event_season: Season of each event of the run, by starting year.
        season: Season of the season figures, by starting year.
    """
    person = np.union1d(opening.person, lines.person)
    count = len(person)
    place = np.searchsorted(person, lines.person)
    last = np.searchsorted(lines.person, person, side="right") - 1
    played = np.zeros(count, dtype=np.bool_)
    played[place] = True
    entered = np.isin(person, opening.person)
    columns = {}
    for name, default, now in (
        ("rating", NO_RATING, lines.after),
        ("games", 0, lines.games_after),
        ("wins_half", 0, lines.wins_after),
    ):
        column = np.full(count, default, dtype=np.int64)
        column[entered] = getattr(opening, name)
        column[played] = now[last[played]]
        columns[name] = column
    line_season = event_season[lines.position] if len(lines) else lines.position
    last_season = np.full(count, UNKNOWN, dtype=np.int64)
    last_season[entered] = opening.last_season
    np.maximum.at(last_season, place, line_season)
    inside = line_season == season
    state = State(
        position=0,
        season=season,
        last_season=last_season,
        season_games=_sums(place[inside], lines.games[inside], count),
        season_wins_half=_sums(place[inside], lines.wins_half[inside], count),
        **columns,
    )
    last_position = np.full(count, -1, dtype=np.int64)
    last_position[played] = lines.position[last[played]]
    return Careers(person, state, entered, last_position, _recent(lines, person))


def _sums(place: IntArray, values: IntArray, count: int) -> IntArray:
    return np.bincount(place, weights=values, minlength=count).astype(np.int64)


def _recent(lines: RunLines, person: IntArray) -> list[str]:
    """Write the ratings after the last events of each person."""
    stops = np.searchsorted(lines.person, person, side="right")
    starts = np.maximum(np.searchsorted(lines.person, person, side="left"), stops - RECENT_EVENTS)
    ratings = list(map(str, lines.after.tolist()))
    return [",".join(ratings[low:high]) for low, high in zip(starts.tolist(), stops.tolist(), strict=True)]
