"""Standings of an event; they are not part of the rating (specification, section 5).

Points, then the direct games among the tied, then the point spread, then a shared place; which of these apply is a
setting of the event.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from federation.core.errors import RuleError
from federation.core.ranking import competition_places
from ratings.core.history import NOBODY, Game, Kind
from ratings.core.results import DRAW, LOSS, WIN

CRITERIA: Final = ("direct", "spread")
DEFAULT_CRITERIA: Final = CRITERIA


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player in the standings of an event.

    Attributes:
        player: Player, by number.
        place: Place; equal players share it and the following ones are skipped.
        points_half: Points in half points, byes and forfeits won included.
        played: Games actually played.
        wins, draws, losses: Of these.
        direct_half: Half points from games against players with equal points; None if nobody has equal points.
        spread: Own game points minus the opponents', of games with recorded points.
    """

    player: int
    place: int
    points_half: int
    played: int
    wins: int
    draws: int
    losses: int
    direct_half: int | None
    spread: int


@dataclass(slots=True)
class _Tally:
    points_half: int = 0
    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    spread: int = 0
    against: dict[int, int] = field(default_factory=lambda: defaultdict(int))


def standings(
    entries: Iterable[int], games: Iterable[Game], criteria: Sequence[str] = DEFAULT_CRITERIA
) -> list[StandingRow]:
    """Give the standings of an event, best first; within a shared place by player number.

    A win is worth 1 point, a draw one half, a bye and a forfeit won 1. A bye with a recorded result is worth that.
    Void and pending entries are worth nothing.

    Args:
        entries: Registered players; those who appear in a game only are added.
        games: Entries of all rounds.
        criteria: What breaks ties, in order: `direct`, `spread`.

    Raises:
        RuleError: `bad_criterion`.
    """
    unknown = [name for name in criteria if name not in CRITERIA]
    if unknown:
        raise RuleError("bad_criterion", {"criterion": unknown[0]})
    tallies = _tallies(entries, games)
    points = {player: tally.points_half for player, tally in tallies.items()}
    tied = defaultdict(set)
    for player, value in points.items():
        tied[value].add(player)
    direct = {
        player: sum(half for other, half in tally.against.items() if other in tied[points[player]])
        for player, tally in tallies.items()
    }
    values = {"direct": direct, "spread": {player: tally.spread for player, tally in tallies.items()}}
    keys = {player: (points[player], *(values[name][player] for name in criteria)) for player in tallies}
    places = dict(zip(keys, competition_places(list(keys.values())), strict=True))
    rows = [
        StandingRow(
            player=player,
            place=places[player],
            points_half=tally.points_half,
            played=tally.played,
            wins=tally.wins,
            draws=tally.draws,
            losses=tally.losses,
            direct_half=direct[player] if len(tied[points[player]]) > 1 else None,
            spread=tally.spread,
        )
        for player, tally in tallies.items()
    ]
    return sorted(rows, key=lambda row: (row.place, row.player))


def _tallies(entries: Iterable[int], games: Iterable[Game]) -> dict[int, _Tally]:
    tallies: dict[int, _Tally] = {player: _Tally() for player in entries}
    for game in games:
        for player in (game.a, game.b):
            if player != NOBODY:
                tallies.setdefault(player, _Tally())
        if game.kind is Kind.BYE and game.a != NOBODY:
            tallies[game.a].points_half += game.result if LOSS <= game.result <= WIN else WIN
        elif game.kind in (Kind.FORFEIT, Kind.PLAYED) and LOSS <= game.result <= WIN:
            _count(tallies, game.a, game.b, game.result, game)
            _count(tallies, game.b, game.a, WIN - game.result, game)
    return tallies


def _count(tallies: dict[int, _Tally], own: int, other: int, result: int, game: Game) -> None:
    """Add one side of a game; a forfeit gives points and counts as a direct game, but is not played."""
    if own == NOBODY:
        return
    tally = tallies[own]
    tally.points_half += result
    if other != NOBODY:
        tally.against[other] += result
    if game.kind is not Kind.PLAYED:
        return
    tally.played += 1
    tally.wins += result == WIN
    tally.draws += result == DRAW
    tally.losses += result == LOSS
    if game.score_a is not None and game.score_b is not None:
        spread = game.score_a - game.score_b
        tally.spread += spread if own == game.a else -spread
