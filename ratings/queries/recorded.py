"""What a run recorded of its inputs, read back as the facts they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings import store
from ratings.models import RatingRun, RunEvent
from ratings.queries.facts import EventFacts, GameFacts, heading_parts

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RecordedInputs:
    """One event of a run with its recorded games.

    Attributes:
        rated_event, event, rule_set, heading, digest, inputs_digest: As stored.
        found_digest: Digest of the bytes as they are.
        found_event, found_heading: What the bytes say.
        games: Columns of the games.
        eligible, reasons, players, games_count: As stored.
    """

    rated_event: int
    event: int
    rule_set: int
    heading: str
    digest: str
    inputs_digest: str
    found_digest: str
    found_event: int
    found_heading: str
    games: dict[str, IntArray]
    eligible: bool
    reasons: list[str]
    players: int
    games_count: int


def recorded_inputs(run: RatingRun) -> Iterator[RecordedInputs]:
    """Give the events of a run in rating order with their recorded games.

    Raises:
        InvariantError: recorded bytes are damaged.
    """
    rows = (
        RunEvent.objects.filter(run=run)
        .order_by("position")
        .values_list(
            "rated_event_id",
            "rated_event__event_id",
            "rated_event__rule_set_id",
            "rated_event__heading",
            "rated_event__digest",
            "rated_event__inputs_digest",
            "rated_event__inputs",
            "rated_event__eligible",
            "rated_event__reasons",
            "rated_event__players",
            "rated_event__games",
        )
    )
    for (
        rated,
        event,
        rule_set,
        heading,
        digest,
        inputs_digest,
        inputs,
        eligible,
        reasons,
        players,
        games,
    ) in rows.iterator(chunk_size=500):
        said, columns, found = store.unpack(inputs)
        yield RecordedInputs(
            rated,
            event,
            rule_set,
            heading,
            digest,
            inputs_digest,
            found,
            said["event"],
            said["heading"],
            columns,
            eligible,
            reasons,
            players,
            games,
        )


def facts_of(inputs: Sequence[RecordedInputs]) -> tuple[EventFacts, GameFacts]:
    """Turn recorded inputs into facts as a replay reads them."""
    parts = [heading_parts(one.found_heading) for one in inputs]
    flags = np.array([part[3] for part in parts], dtype=np.bool_).reshape(len(parts), 5)
    events = EventFacts(
        ids=np.array([one.event for one in inputs], dtype=np.int64),
        keys=[(part[1], part[2], one.event) for part, one in zip(parts, inputs, strict=True)],
        season=np.array([part[0] for part in parts], dtype=np.int64),
        classic=flags[:, 0],
        published=flags[:, 1],
        approved=flags[:, 2],
        excluded=flags[:, 3],
        before_opening=flags[:, 4],
        rule_set=np.array([one.rule_set for one in inputs], dtype=np.int64),
    )
    counts = [len(one.games["id"]) for one in inputs]

    def column(name: str) -> IntArray:
        parts = [one.games[name] for one in inputs]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)

    games = GameFacts(
        event=np.repeat(np.arange(len(inputs), dtype=np.int64), counts),
        **{name: column(name) for name in ("id", "round", "a", "b", "kind", "result")},
    )
    return events, games
