"""The season report (specification, section 10): who leads, who gained, who came and who went."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from ratings.core.history import IntArray
from ratings.core.listing import (
    NO_POSITION,
    NO_TITLE,
    Comparison,
    Move,
    RatingList,
    Status,
    compare,
    titles,
)

PODIUM: Final = 3
GAINS: Final = 10


@dataclass(frozen=True, slots=True)
class PodiumPlace:
    """A player of the first three positions; more than three if they share one."""

    player: int
    position: int
    rating: int
    progress: int
    season_percentage: Fraction | None


@dataclass(frozen=True, slots=True)
class Gain:
    """Points or positions that a player gained since the previous list."""

    player: int
    amount: int


@dataclass(frozen=True, slots=True)
class TitleChange:
    """A title gained or lost; None stands for no title."""

    player: int
    before: str | None
    after: str | None
    rises: bool


@dataclass(frozen=True, slots=True)
class SeasonReport:
    """What the report of a season says. Players are in the order of the list.

    Attributes:
        podium: Players in the first three positions; the first is the leader.
        point_gains: Players with a game since the previous list by points gained, largest first.
        position_gains: Ranked players by positions gained, largest first.
        newcomers: Ranked players all of whose games belong to the season.
        promoted: Players ranked for the first time who had games before.
        back: Ranked players who were inactive on the previous list.
        gone_inactive: Inactive players who had a position on the previous list.
        debutants: All players, ranked or not, whose games all belong to the season.
        title_changes: Titles gained and lost against the previous list.
        events: Number of events of the season that count.
        players: Number of players with a game in the season.
        games: Number of games of the season; each has two players.
    """

    podium: tuple[PodiumPlace, ...]
    point_gains: tuple[Gain, ...]
    position_gains: tuple[Gain, ...]
    newcomers: tuple[int, ...]
    promoted: tuple[int, ...]
    back: tuple[int, ...]
    gone_inactive: tuple[int, ...]
    debutants: tuple[int, ...]
    title_changes: tuple[TitleChange, ...]
    events: int
    players: int
    games: int


def percentage(wins_half: int, games: int) -> Fraction | None:
    """Give the percentage of wins, None without games.

    >>> percentage(9, 6)
    Fraction(75, 1)
    """
    return Fraction(50 * wins_half, games) if games else None


def season_report(current: RatingList, previous: RatingList, events: int, *, gains: int = GAINS) -> SeasonReport:
    """Make the report of a season from its last list and the last list of the season before.

    Args:
        current: Last list of the season.
        previous: Last list of the season before.
        events: Number of events of the season that count.
        gains: Length of the two lists of gains.
    """
    comparison = compare(current, previous)
    status_before = _column_before(previous.status, comparison, Status.NEW)
    position_before = _column_before(previous.position, comparison, NO_POSITION)
    ranked = current.status == Status.RANKED
    recovered = comparison.move == Move.RECOVERED
    was_inactive = status_before == Status.INACTIVE
    gone = (current.status == Status.INACTIVE) & (position_before != NO_POSITION)
    return SeasonReport(
        podium=_podium(current, comparison),
        point_gains=_largest(current, comparison.progress, comparison.games_since > 0, gains),
        position_gains=_largest(current, comparison.moved, ranked & (comparison.move == Move.NUMBER), gains),
        newcomers=_players(current, comparison.move == Move.DEBUT),
        promoted=_players(current, recovered & ~was_inactive),
        back=_players(current, recovered & was_inactive),
        gone_inactive=_players(current, gone),
        debutants=_players(current, current.debut),
        title_changes=_title_changes(current, previous, comparison),
        events=events,
        players=int((current.season_games > 0).sum()),
        games=int(current.season_games.sum()) // 2,
    )


def _column_before(column: IntArray, comparison: Comparison, default: int) -> IntArray:
    if not len(column):
        return np.full(len(comparison.before), default, dtype=np.int64)
    return np.where(comparison.before >= 0, column[np.maximum(comparison.before, 0)], default)


def _players(current: RatingList, chosen: np.ndarray) -> tuple[int, ...]:
    return tuple(current.player[chosen].tolist())


def _podium(current: RatingList, comparison: Comparison) -> tuple[PodiumPlace, ...]:
    rows = np.flatnonzero((current.position != NO_POSITION) & (current.position <= PODIUM)).tolist()
    return tuple(
        PodiumPlace(
            player=int(current.player[row]),
            position=int(current.position[row]),
            rating=int(current.rating[row]),
            progress=int(comparison.progress[row]),
            season_percentage=percentage(int(current.season_wins_half[row]), int(current.season_games[row])),
        )
        for row in rows
    )


def _largest(current: RatingList, amount: IntArray, chosen: np.ndarray, length: int) -> tuple[Gain, ...]:
    """Give the largest positive amounts; equal ones in the order of the list."""
    rows = np.flatnonzero(chosen & (amount > 0))
    rows = rows[np.argsort(-amount[rows], kind="stable")][:length]
    return tuple(Gain(int(current.player[row]), int(amount[row])) for row in rows.tolist())


def _title_changes(current: RatingList, previous: RatingList, comparison: Comparison) -> tuple[TitleChange, ...]:
    """Find the titles that differ; the previous rating is read by the rules of the present list."""
    known = comparison.before >= 0
    shown_before = _column_before(previous.status, comparison, Status.NEW) != Status.NEW
    rating_before = _column_before(previous.rating, comparison, 0)
    before = np.where(known & shown_before, titles(rating_before, current.rules), NO_TITLE)
    changes = []
    for row in np.flatnonzero(before != current.title).tolist():
        old, new = int(before[row]), int(current.title[row])
        names = [None if title == NO_TITLE else current.rules.titles[title].name for title in (old, new)]
        rises = old == NO_TITLE or (new != NO_TITLE and new < old)
        changes.append(TitleChange(int(current.player[row]), names[0], names[1], rises))
    return tuple(changes)
