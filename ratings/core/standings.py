"""The standings of an event, which are not part of the rating (specification, section 5).

Points decide (win 1, draw 1/2, bye and forfeit won 1), then the tie-breaks that the event has set, in its order:
`direct`, the points of the games among the tied, and `spread`, own minus opponents' game points. What is still equal
shares the place.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from federation.core.errors import RuleError

Player = TypeVar("Player", bound=Hashable)

DIRECT: Final = "direct"
SPREAD: Final = "spread"
TIE_BREAKS: Final = (DIRECT, SPREAD)

PLAYED: Final = "played"
BYE: Final = "bye"
FORFEIT: Final = "forfeit"
WIN: Final = 2


@dataclass(frozen=True, slots=True)
class Entry(Generic[Player]):
    """A row of a round.

    Attributes:
        a: First player.
        b: Second player, None for a bye or an absent opponent.
        kind: `played`, `bye`, `forfeit`; anything else gives nothing to anybody.
        result: Half points of `a`; None for a bye means the point of a bye.
        score_a: Game points of `a`, None if not recorded.
        score_b: Game points of `b`, None if not recorded.
        both_absent: A forfeit of both: nobody gets a point.
    """

    a: Player
    b: Player | None
    kind: str = PLAYED
    result: int | None = None
    score_a: int | None = None
    score_b: int | None = None
    both_absent: bool = False


@dataclass(frozen=True, slots=True)
class Standing(Generic[Player]):
    """One line of the standings.

    Attributes:
        player: The player.
        place: Place; equal ones share it and the following are skipped.
        points: Event points in half points, byes and forfeits won included.
        played: Games played.
        wins: Half points of the games played.
        spread: Own minus opponents' game points, over games with both scores.
        direct: Half points of the games among those with equal points before this tie-break; None where it was not
            needed.
    """

    player: Player
    place: int
    points: int
    played: int
    wins: int
    spread: int
    direct: int | None


def standings(
    players: Sequence[Player], entries: Iterable[Entry[Player]], tie_breaks: Sequence[str] = TIE_BREAKS
) -> list[Standing[Player]]:
    """Give the standings of an event, best first; inside a shared place the order of `players` stays.

    A tie-break looks at those whom everything before it left equal. Direct games are counted once for such a group,
    and not again for a part of it.

    Args:
        players: Everybody entered, each once.
        entries: Rows of all rounds; both sides must be among the players.
        tie_breaks: The event's tie-breaks, of `TIE_BREAKS`, in order.

    Raises:
        RuleError: `bad_tie_break`, a tie-break is unknown or stands twice; `unknown_player`, somebody in a row is not
            among the players.

    >>> rows = [Entry("Ada", "Bo", result=2), Entry("Bo", "Cy", result=2), Entry("Cy", None, kind="bye")]
    >>> [(line.player, line.place, line.points) for line in standings(["Ada", "Bo", "Cy"], rows)]
    [('Ada', 1, 2), ('Bo', 2, 2), ('Cy', 3, 2)]
    """
    unknown = [code for code in tie_breaks if code not in TIE_BREAKS]
    if unknown or len(set(tie_breaks)) != len(tie_breaks):
        raise RuleError("bad_tie_break", {"tie_breaks": list(tie_breaks)})
    tally = _Tally(players, entries)
    order = {player: position for position, player in enumerate(players)}
    groups = _split([list(players)], lambda player: tally.points[player])
    direct: dict[Player, int] = {}
    for code in tie_breaks:
        if code == DIRECT:
            for group in groups:
                if len(group) > 1:
                    direct.update(tally.among(group))
            groups = _split(groups, lambda player: direct.get(player, 0))
        else:
            groups = _split(groups, lambda player: tally.spread[player])
    lines: list[Standing[Player]] = []
    for group in groups:
        place = len(lines) + 1
        lines.extend(
            Standing(
                player,
                place,
                tally.points[player],
                tally.played[player],
                tally.wins[player],
                tally.spread[player],
                direct.get(player),
            )
            for player in sorted(group, key=order.__getitem__)
        )
    return lines


class _Tally(Generic[Player]):
    """Points, games and spread of everybody, and the points that pairs took from each other."""

    def __init__(self, players: Sequence[Player], entries: Iterable[Entry[Player]]) -> None:
        self.points: dict[Player, int] = dict.fromkeys(players, 0)
        self.played: dict[Player, int] = dict.fromkeys(players, 0)
        self.wins: dict[Player, int] = dict.fromkeys(players, 0)
        self.spread: dict[Player, int] = dict.fromkeys(players, 0)
        self._taken: dict[Player, dict[Player, int]] = defaultdict(lambda: defaultdict(int))
        for entry in entries:
            for player in (entry.a, entry.b):
                if player is not None and player not in self.points:
                    raise RuleError("unknown_player", {"player": str(player)})
            self._add(entry)

    def _add(self, entry: Entry[Player]) -> None:
        result = _event_points(entry)
        if result is None:
            return
        self.points[entry.a] += result
        if entry.kind == PLAYED:
            self.played[entry.a] += 1
            self.wins[entry.a] += result
        if entry.b is None:
            return
        other = 0 if entry.both_absent else WIN - result
        self.points[entry.b] += other
        self._taken[entry.a][entry.b] += result
        self._taken[entry.b][entry.a] += other
        if entry.kind == PLAYED:
            self.played[entry.b] += 1
            self.wins[entry.b] += other
            if entry.score_a is not None and entry.score_b is not None:
                self.spread[entry.a] += entry.score_a - entry.score_b
                self.spread[entry.b] += entry.score_b - entry.score_a

    def among(self, group: Sequence[Player]) -> dict[Player, int]:
        """Half points that each of a group took from the others of it."""
        members = set(group)
        return {
            player: sum(points for other, points in self._taken[player].items() if other in members) for player in group
        }


def _event_points(entry: Entry[Player]) -> int | None:
    """Half points of `a` in the event, None if the row gives nothing to anybody."""
    if entry.kind == BYE:
        return WIN if entry.result is None else entry.result
    if entry.kind == FORFEIT:
        return 0 if entry.both_absent else entry.result
    return entry.result if entry.kind == PLAYED else None


def _split(groups: Sequence[Sequence[Player]], value: Callable[[Player], int]) -> list[list[Player]]:
    """Split each group by a value, highest first; members of equal value stay together."""
    parts: list[list[Player]] = []
    for group in groups:
        by_value: dict[int, list[Player]] = defaultdict(list)
        for player in group:
            by_value[value(player)].append(player)
        parts.extend(by_value[key] for key in sorted(by_value, reverse=True))
    return parts
