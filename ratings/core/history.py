"""The facts of a rating: events and games, as plain objects and as the arrays that a replay reads.

A `History` holds all events in rating order (specification, section 7) and all their games. Players are numbers from 0
on; the caller keeps the table from his identifiers to these numbers. Results are half points of player `a`.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from federation.core.errors import InvariantError

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

NOBODY: Final = -1
NO_RESULT: Final = -1
BAD_RESULT: Final = -2
CLASSIC: Final = "classic"


class Kind(IntEnum):
    """What an entry of a round is; only `PLAYED` is a game for the rating (section 2)."""

    UNKNOWN = -1
    PLAYED = 0
    BYE = 1
    FORFEIT = 2
    VOID = 3
    PENDING = 4


KIND_NAMES: Final[Mapping[str, Kind]] = {kind.name.lower(): kind for kind in Kind if kind is not Kind.UNKNOWN}


@dataclass(frozen=True, slots=True)
class Game:
    """An entry of a round.

    Attributes:
        round: Number of the round.
        a: First player, by number.
        b: Second player, or `NOBODY`.
        kind: What the entry is.
        result: Half points of `a` (0, 1, 2), `NO_RESULT`, or `BAD_RESULT` for something else.
    """

    round: int
    a: int
    b: int = NOBODY
    kind: Kind = Kind.PLAYED
    result: int = NO_RESULT


@dataclass(frozen=True, slots=True)
class Event:
    """An event with its games.

    Attributes:
        id: Identifier, last key of the rating order.
        season: Year in which its season starts.
        rating_date: Day by which it is ordered.
        sequence: Order among events of one day.
        classic: One against one.
        published: The results of all games are public or handed in.
        approved: Staff have approved the results.
        excluded: Staff have excluded the event.
        rules: Position of its rule set in the rule sets of the replay.
        games: Entries in the order of the source.
    """

    id: str
    season: int
    rating_date: datetime.date
    sequence: int = 0
    classic: bool = True
    published: bool = True
    approved: bool = True
    excluded: bool = False
    rules: int = 0
    games: tuple[Game, ...] = ()

    @property
    def rating_key(self) -> tuple[datetime.date, int, str]:
        """The key of the rating order (section 7)."""
        return (self.rating_date, self.sequence, self.id)


@dataclass(frozen=True, slots=True)
class History:
    """All events in rating order and all their games, as arrays.

    Attributes:
        players: Number of players; players are 0 to `players` - 1.
        event_season: Year in which the season of each event starts.
        event_rules: Position of the rule set of each event.
        event_classic, event_published, event_approved, event_excluded: What eligibility asks of each event.
        game_event: Event of each game, never falling; within an event the games keep the order of their source.
        game_round: Round.
        game_a, game_b: Players; `NOBODY` for none.
        game_kind: A `Kind`.
        game_result: Half points of `a`, `NO_RESULT` or `BAD_RESULT`.
    """

    players: int
    event_season: IntArray
    event_rules: IntArray
    event_classic: BoolArray
    event_published: BoolArray
    event_approved: BoolArray
    event_excluded: BoolArray
    game_event: IntArray
    game_round: IntArray
    game_a: IntArray
    game_b: IntArray
    game_kind: IntArray
    game_result: IntArray
    _bounds: IntArray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse arrays that do not fit together.

        Raises:
            InvariantError: lengths differ, games are not in the order of events, or a player does not exist.
        """
        events, games = len(self.event_season), len(self.game_event)
        for name in ("rules", "classic", "published", "approved", "excluded"):
            if len(getattr(self, f"event_{name}")) != events:
                raise InvariantError(f"event_{name} has not one entry for each of {events} events")
        for name in ("round", "a", "b", "kind", "result"):
            if len(getattr(self, f"game_{name}")) != games:
                raise InvariantError(f"game_{name} has not one entry for each of {games} games")
        if games:
            if self.game_event[0] < 0 or self.game_event[-1] >= events or (np.diff(self.game_event) < 0).any():
                raise InvariantError("games are not in the order of their events")
            for side in (self.game_a, self.game_b):
                if side.min() < NOBODY or side.max() >= self.players:
                    raise InvariantError("a game names a player who does not exist")
        bounds = np.searchsorted(self.game_event, np.arange(events + 1))
        object.__setattr__(self, "_bounds", bounds.astype(np.int64))

    @classmethod
    def build(
        cls,
        *,
        players: int,
        event_season: ArrayLike,
        game_event: ArrayLike,
        game_round: ArrayLike,
        game_a: ArrayLike,
        game_b: ArrayLike,
        game_kind: ArrayLike,
        game_result: ArrayLike,
        event_rules: ArrayLike = 0,
        event_classic: ArrayLike = True,
        event_published: ArrayLike = True,
        event_approved: ArrayLike = True,
        event_excluded: ArrayLike = False,
    ) -> Self:
        """Make a history from anything numpy understands; one value stands for all events."""
        season = _ints(event_season)
        shape = season.shape

        def flags(values: ArrayLike) -> BoolArray:
            return np.broadcast_to(np.asarray(values, dtype=np.bool_), shape)

        return cls(
            players=players,
            event_season=season,
            event_rules=np.broadcast_to(_ints(event_rules), shape),
            event_classic=flags(event_classic),
            event_published=flags(event_published),
            event_approved=flags(event_approved),
            event_excluded=flags(event_excluded),
            game_event=_ints(game_event),
            game_round=_ints(game_round),
            game_a=_ints(game_a),
            game_b=_ints(game_b),
            game_kind=_ints(game_kind),
            game_result=_ints(game_result),
        )

    @property
    def events(self) -> int:
        """Number of events."""
        return len(self.event_season)

    @property
    def games(self) -> int:
        """Number of entries of all rounds, whatever their kind."""
        return len(self.game_event)

    def games_of(self, event: int) -> slice:
        """Give the positions of the games of an event."""
        return slice(int(self._bounds[event]), int(self._bounds[event + 1]))

    def games_between(self, start: int, stop: int) -> slice:
        """Give the positions of the games of the events from `start` up to, not including, `stop`."""
        return slice(int(self._bounds[start]), int(self._bounds[stop]))

    def with_players_joined(self, keep: int, drop: int) -> "History":
        """Give the history in which all entries of `drop` are entries of `keep` (section 9, merge)."""
        return replace(
            self,
            game_a=np.where(self.game_a == drop, keep, self.game_a),
            game_b=np.where(self.game_b == drop, keep, self.game_b),
        )


def rating_order(events: Iterable[Event]) -> list[Event]:
    """Order events for rating: by rating date, sequence number and identifier (section 7)."""
    return sorted(events, key=lambda event: event.rating_key)


def history_of(events: Sequence[Event], players: int) -> History:
    """Turn events, already in rating order, into arrays."""
    games = [(position, game) for position, event in enumerate(events) for game in event.games]
    return History.build(
        players=players,
        event_season=[event.season for event in events],
        event_rules=[event.rules for event in events],
        event_classic=[event.classic for event in events],
        event_published=[event.published for event in events],
        event_approved=[event.approved for event in events],
        event_excluded=[event.excluded for event in events],
        game_event=[position for position, _ in games],
        game_round=[game.round for _, game in games],
        game_a=[game.a for _, game in games],
        game_b=[game.b for _, game in games],
        game_kind=[int(game.kind) for _, game in games],
        game_result=[game.result for _, game in games],
    )


def _ints(values: Any) -> IntArray:
    return np.asarray(values, dtype=np.int64)
