"""States, titles, positions and the comparison of two lists (specification, section 8).

A rule is written once, on arrays; `state_of` and `title_of` ask it for one player.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from typing import Final, Protocol

import numpy as np

from federation.core.errors import InvariantError
from federation.core.ranking import competition_places_array
from ratings.core.history import BoolArray, IntArray
from ratings.core.replay import NO_RATING, State
from ratings.core.ruleset import RuleSet
from ratings.core.seasons import UNKNOWN, season_code

NO_POSITION: Final = 0
NO_TITLE: Final = -1


class Status(IntEnum):
    """State of a player on a list; the first condition that applies decides."""

    NEW = 0
    PROVISIONAL = 1
    INACTIVE = 2
    RANKED = 3

    @property
    def code(self) -> str:
        """The state's name in data."""
        return self.name.lower()


class Move(IntEnum):
    """How a ranked player's position moved: not at all comparable, by a number, first list, or back on the list."""

    NONE = 0
    NUMBER = 1
    DEBUT = 2
    RECOVERED = 3


MOVE_CODES: Final = {Move.DEBUT: "deb", Move.RECOVERED: "rec"}


def are_active(last_season: IntArray, season: int, rules: RuleSet) -> BoolArray:
    """Tell who is active: a game in the season of the list or one of the `active_seasons` - 1 before it.

    A season later than that of the list is active too; an unknown one is not.
    """
    return (last_season != UNKNOWN) & (last_season >= season - (rules.active_seasons - 1))


def statuses(games: IntArray, last_season: IntArray, season: int, rules: RuleSet) -> IntArray:
    """Give the states: `new` without a game, `provisional` below the minimum, then `inactive`, else `ranked`."""
    return np.select(
        [games == 0, games < rules.min_games, ~are_active(last_season, season, rules)],
        [np.int64(Status.NEW), np.int64(Status.PROVISIONAL), np.int64(Status.INACTIVE)],
        default=np.int64(Status.RANKED),
    )


def titles(rating: IntArray, rules: RuleSet) -> IntArray:
    """Give the position of the title in `rules.titles` by current rating, `NO_TITLE` below the last one."""
    rising = np.array([title.floor for title in reversed(rules.titles)], dtype=np.int64)
    reached = rising.searchsorted(rating, side="right").astype(np.int64)
    return np.where(reached == 0, NO_TITLE, len(rising) - reached)


def state_of(games: int, last_season: int, season: int, rules: RuleSet) -> tuple[Status, bool]:
    """Give the state of one player and whether he is active; seasons by starting year.

    >>> from ratings.core.ruleset import PAGE
    >>> state_of(9, 2015, 2023, PAGE)
    (<Status.PROVISIONAL: 1>, False)
    """
    last = np.array([last_season], dtype=np.int64)
    status = statuses(np.array([games], dtype=np.int64), last, season, rules)
    return Status(int(status[0])), bool(are_active(last, season, rules)[0])


def title_of(rating: int, rules: RuleSet) -> str | None:
    """Give the title held with a rating, None below the last one.

    >>> from ratings.core.ruleset import PAGE
    >>> title_of(1399, PAGE), title_of(999, PAGE)
    ('gran mestre', None)
    """
    return _title_name(int(titles(np.array([rating], dtype=np.int64), rules)[0]), rules)


class Standing(Protocol):
    """What a comparison needs to know of a previous list; `position` is `NO_POSITION` for players without one."""

    @property
    def player(self) -> IntArray:
        """Players, by number."""

    @property
    def rating(self) -> IntArray:
        """Ratings."""

    @property
    def games(self) -> IntArray:
        """Career games."""

    @property
    def position(self) -> IntArray:
        """Positions."""


@dataclass(frozen=True, slots=True)
class PreviousList:
    """A previous list as far as a comparison needs it."""

    player: IntArray
    rating: IntArray
    games: IntArray
    position: IntArray


@dataclass(frozen=True, slots=True)
class RatingList:
    """A list in its order: the ranked part, then the waiting part.

    Attributes:
        season: Season of the list, by starting year.
        rules: Rule set of the list.
        player: Players, by number.
        status: A `Status`.
        position: Place among the ranked, `NO_POSITION` for the others.
        rating: Rating.
        title: Position in `rules.titles`, or `NO_TITLE`.
        games, wins_half: Career games, and wins in half points.
        season_games, season_wins_half: The same of the events of the season.
        last_season: Season of the last game, by starting year, or `seasons.UNKNOWN`.
        active: A game within the active seasons.
        debut: All career games, at least one, were played in the season of the list.
    """

    season: int
    rules: RuleSet
    player: IntArray
    status: IntArray
    position: IntArray
    rating: IntArray
    title: IntArray
    games: IntArray
    wins_half: IntArray
    season_games: IntArray
    season_wins_half: IntArray
    last_season: IntArray
    active: BoolArray
    debut: BoolArray

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.player)

    def rows(self, comparison: "Comparison | None" = None) -> Iterator["ListRow"]:
        """Give the rows as plain objects, in the order of the list."""
        columns = (
            self.player,
            self.status,
            self.position,
            self.rating,
            self.title,
            self.games,
            self.wins_half,
            self.season_games,
            self.season_wins_half,
            self.last_season,
            self.active,
            self.debut,
        )
        rows = zip(*(column.tolist() for column in columns), strict=True)
        changes = comparison.rows() if comparison else (None for _ in range(len(self)))
        for row, change in zip(rows, changes, strict=True):
            player, status, position, rating, title, games, wins, season_games, season_wins, last, active, debut = row
            yield ListRow(
                player=player,
                status=Status(status).code,
                position=position or None,
                rating=rating,
                title=_title_name(title, self.rules),
                games=games,
                wins=Fraction(wins, 2),
                season_games=season_games,
                season_wins=Fraction(season_wins, 2),
                last_season=season_code(last),
                active=active,
                debut=debut,
                change=change,
            )


@dataclass(frozen=True, slots=True)
class RowChange:
    """A row against the previous list; `moved` is a number of positions, `deb`, `rec` or None."""

    progress: int
    games_since: int
    corrected: bool
    moved: int | str | None


@dataclass(frozen=True, slots=True)
class ListRow:
    """One row of a list as plain values."""

    player: int
    status: str
    position: int | None
    rating: int
    title: str | None
    games: int
    wins: Fraction
    season_games: int
    season_wins: Fraction
    last_season: str | None
    active: bool
    debut: bool
    change: RowChange | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A list against the previous one, one entry a row of the list.

    Attributes:
        progress: Rating minus previous rating, the first rating if there is none.
        games_since: Career games minus career games then.
        corrected: The rating moved without a new game.
        move: A `Move`.
        moved: Previous position minus position, where `move` is `NUMBER`.
        before: Position of the row in the previous list, -1 if the player was not on it.
    """

    progress: IntArray
    games_since: IntArray
    corrected: BoolArray
    move: IntArray
    moved: IntArray
    before: IntArray

    def rows(self) -> Iterator[RowChange]:
        """Give the entries as plain objects."""
        columns = (self.progress, self.games_since, self.corrected, self.move, self.moved)
        for progress, since, corrected, move, moved in zip(*(c.tolist() for c in columns), strict=True):
            number: int | str | None = moved if move == Move.NUMBER else MOVE_CODES.get(move)
            yield RowChange(progress, since, corrected, number)


def rating_list(
    state: State,
    rules: RuleSet,
    *,
    entered: BoolArray | None = None,
    name_rank: IntArray | None = None,
    number: IntArray | None = None,
) -> RatingList:
    """Make the list of the season of a state (section 8).

    On the list are the players with a game and those entered with opening data. Only ranked players have positions.
    Ranked players come first; within each part the order is by rating, more games, name, player number.

    Args:
        state: The outcome of a replay; its season figures belong to the season of the list.
        rules: The rule set of the list.
        entered: Players entered with opening data; none if left out.
        name_rank: Place of each player's name in the alphabet of the list; all equal if left out.
        number: Number by which the order becomes total; the player's own if left out.
    """
    listed = state.games > 0
    if entered is not None:
        listed = listed | entered
    player = np.flatnonzero(listed)
    rating = state.rating[player]
    rating = np.where(rating == NO_RATING, rules.initial_rating, rating)
    status = statuses(state.games[player], state.last_season[player], state.season, rules)
    waiting = status != Status.RANKED
    names = np.zeros(len(player), dtype=np.int64) if name_rank is None else name_rank[player]
    numbers = player if number is None else number[player]
    order = np.lexsort((numbers, names, -state.games[player], -rating, waiting))
    player, rating, status = player[order], rating[order], status[order]
    ranked = len(player) - int(waiting.sum())
    position = np.full(len(player), NO_POSITION, dtype=np.int64)
    position[:ranked] = competition_places_array(rating[:ranked])
    games, season_games = state.games[player], state.season_games[player]
    return RatingList(
        season=state.season,
        rules=rules,
        player=player,
        status=status,
        position=position,
        rating=rating,
        title=np.where(status == Status.NEW, NO_TITLE, titles(rating, rules)),
        games=games,
        wins_half=state.wins_half[player],
        season_games=season_games,
        season_wins_half=state.season_wins_half[player],
        last_season=state.last_season[player],
        active=are_active(state.last_season[player], state.season, rules),
        debut=(games > 0) & (season_games == games),
    )


def compare(current: RatingList, previous: Standing) -> Comparison:
    """Compare a list with the previous one, or with the same one from before a correction (section 8).

    The move of a ranked player is the first that applies: `deb` if all his games were played in the season of the
    list; `rec` if he had no position before; else the number of positions won. Others have no move.

    Raises:
        InvariantError: a player is twice on the previous list.
    """
    before = _rows_before(current.player, previous.player)
    known = before >= 0
    rating = np.where(known, _taken(previous.rating, before), current.rules.initial_rating)
    progress = current.rating - rating
    games_since = current.games - np.where(known, _taken(previous.games, before), 0)
    position = np.where(known, _taken(previous.position, before), NO_POSITION)
    move = np.select(
        [current.status != Status.RANKED, current.debut, position == NO_POSITION],
        [np.int64(Move.NONE), np.int64(Move.DEBUT), np.int64(Move.RECOVERED)],
        default=np.int64(Move.NUMBER),
    )
    return Comparison(
        progress=progress,
        games_since=games_since,
        corrected=(progress != 0) & (games_since == 0),
        move=move,
        moved=np.where(move == Move.NUMBER, position - current.position, 0),
        before=before,
    )


def _rows_before(player: IntArray, previous: IntArray) -> IntArray:
    """Find each player's row in the previous list, -1 if there is none."""
    if not len(previous):
        return np.full(len(player), -1, dtype=np.int64)
    order = np.argsort(previous, kind="stable")
    ordered = previous[order]
    if (ordered[1:] == ordered[:-1]).any():
        raise InvariantError("a player is twice on the previous list")
    place = np.minimum(np.searchsorted(ordered, player), len(ordered) - 1)
    return np.where(ordered[place] == player, order[place], -1).astype(np.int64)


def _taken(column: IntArray, rows: IntArray) -> IntArray:
    """Take rows of a column; where there is no row any value will do."""
    return column[np.maximum(rows, 0)] if len(column) else np.zeros(len(rows), dtype=np.int64)


def _title_name(title: int, rules: RuleSet) -> str | None:
    return None if title == NO_TITLE else rules.titles[title].name
