"""The replay: all events, one after another, from the opening ratings to the present ones (specification, section 7).

Everything that does not depend on ratings (who plays in which event, scores, numbers of games) is worked out for the
whole history at once; then one loop over the events applies `barruf.rate_event`. A replay can stop anywhere, give its
`State` and go on from there later, with the same outcome as in one go.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from federation.core.errors import InvariantError
from ratings.core.barruf import formulae_of, in_points, rate_event
from ratings.core.checks import check_data
from ratings.core.eligibility import failed_conditions
from ratings.core.history import BoolArray, History, IntArray, Kind
from ratings.core.ruleset import RuleSet
from ratings.core.seasons import UNKNOWN

NO_RATING: Final = -(2**40)
"""Stands for the rating of a player who has none yet; his first event gives him the first rating of its rule set."""
_PROGRESS_EVERY: Final = 256

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class State:
    """What is known of every player before the event at `position`.

    Attributes:
        position: Number of events of the history already replayed.
        season: Year in which the season starts to which the season figures belong.
        rating: Rating, or `NO_RATING`.
        games: Career games.
        wins_half: Career wins in half points.
        last_season: Season of the last game, by starting year, or `seasons.UNKNOWN`.
        season_games: Games in events of `season`.
        season_wins_half: Wins in events of `season`, in half points.
    """

    position: int
    season: int
    rating: IntArray
    games: IntArray
    wins_half: IntArray
    last_season: IntArray
    season_games: IntArray
    season_wins_half: IntArray

    @property
    def players(self) -> int:
        """Number of players."""
        return len(self.rating)


@dataclass(frozen=True, slots=True)
class Ledger:
    """One line for each player and event, with every number of the calculation; ordered by event, then player.

    Exact values are integers in units of 1 / `scale` of the line (raw changes: of 1 / (2 * scale)). With the normal
    distribution the scale is 0 and the units are 0; there the doubles `expected` and `raw` are the values. With a
    table these are the doubles nearest to the exact values, for convenience.

    `side_*` has one entry for each player of each game, grouped by line: `side_starts[i]` is the first of line i.
    """

    event: IntArray
    player: IntArray
    before: IntArray
    games: IntArray
    wins_half: IntArray
    scale: IntArray
    expected_units: NDArray[Any]
    expected: NDArray[np.float64]
    games_after: IntArray
    k: IntArray
    raw_units: NDArray[Any]
    raw: NDArray[np.float64]
    change: IntArray
    after: IntArray
    side_starts: IntArray
    side_game: IntArray
    side_line: IntArray
    side_opponent_line: IntArray
    side_result_half: IntArray
    side_term_units: NDArray[Any]
    side_term: NDArray[np.float64]

    def __len__(self) -> int:
        """Number of lines."""
        return len(self.event)

    def expected_of(self, line: int) -> Fraction | float:
        """Give the expected wins of a line: exact, or a double for the normal distribution."""
        return _value(self.expected_units, self.expected, line, int(self.scale[line]))

    def raw_of(self, line: int) -> Fraction | float:
        """Give the change of a line before rounding: exact, or a double for the normal distribution."""
        return _value(self.raw_units, self.raw, line, 2 * int(self.scale[line]))

    def term_of(self, side: int) -> Fraction | float:
        """Give the expectation of one game for one of its players."""
        return _value(self.side_term_units, self.side_term, side, int(self.scale[self.side_line[side]]))

    def sides_of(self, line: int) -> slice:
        """Give the positions of the games of a line among the sides."""
        stop = self.side_starts[line + 1] if line + 1 < len(self) else len(self.side_game)
        return slice(int(self.side_starts[line]), int(stop))

    def lines_of(self, event: int) -> slice:
        """Give the positions of the lines of an event."""
        first, last = np.searchsorted(self.event, [event, event + 1])
        return slice(int(first), int(last))


@dataclass(frozen=True, slots=True)
class Replay:
    """The outcome of a replay.

    Attributes:
        state: State after the last event replayed.
        ledger: Lines of the events replayed.
        failed_conditions: For each event of the history the bit set of `eligibility.failed_conditions`.
        checkpoints: The states asked for, by position.
    """

    state: State
    ledger: Ledger
    failed_conditions: IntArray
    checkpoints: dict[int, State]


def opening_state(
    players: int,
    season: int,
    *,
    rating: IntArray | None = None,
    games: IntArray | None = None,
    wins_half: IntArray | None = None,
    last_season: IntArray | None = None,
) -> State:
    """Give the state before the first event; what is left out is unknown or none.

    Args:
        players: Number of players.
        season: Season to which the season figures of the replay shall belong, by starting year.
        rating: Opening ratings, `NO_RATING` for players without.
        games: Opening games.
        wins_half: Opening wins in half points.
        last_season: Opening last seasons, `seasons.UNKNOWN` for players without.
    """

    def column(values: IntArray | None, default: int) -> IntArray:
        return np.full(players, default, dtype=np.int64) if values is None else np.array(values, dtype=np.int64)

    return State(
        position=0,
        season=season,
        rating=column(rating, NO_RATING),
        games=column(games, 0),
        wins_half=column(wins_half, 0),
        last_season=column(last_season, UNKNOWN),
        season_games=column(None, 0),
        season_wins_half=column(None, 0),
    )


def replay(
    history: History,
    rulesets: Sequence[RuleSet],
    opening: State,
    *,
    stop: int | None = None,
    checkpoints: Sequence[int] = (),
    eligible_only: bool = True,
    progress: Progress | None = None,
) -> Replay:
    """Rate the events of a history from the position of `opening` on (section 7).

    Args:
        history: All events in rating order, those before the position included.
        rulesets: The rule sets to which `history.event_rules` points.
        opening: The opening state, or the state of an earlier replay of the same events up to its position.
        stop: Position before which to stop; the end of the history if None.
        checkpoints: Positions for which the state is kept.
        eligible_only: Rate only events that count (section 6); False rates every event.
        progress: Called now and then with the number of events done and to do.

    Raises:
        RuleError: contradictory data, see `checks.check_data`; nothing is rated then.
        InvariantError: the state does not belong to the history.
    """
    start, stop = opening.position, history.events if stop is None else stop
    marks = sorted({mark for mark in checkpoints if start <= mark <= stop} | {stop})
    if opening.players != history.players or not 0 <= start <= stop <= history.events:
        raise InvariantError("the state does not belong to the history")
    check_data(history, start, stop)
    failed = failed_conditions(history, rulesets)
    counts = failed == 0 if eligible_only else np.ones(history.events, dtype=np.bool_)
    lines = _Lines(history, counts, start, stop)
    outcome = _rate(history, rulesets, opening, lines, progress)
    states = _states(history, opening, lines, outcome, marks)
    ledger = _ledger(history, rulesets, lines, outcome)
    return Replay(states[stop], ledger, failed, {mark: states[mark] for mark in marks if mark in set(checkpoints)})


def with_season(state: State, history: History, rulesets: Sequence[RuleSet], season: int) -> State:
    """Give a state whose season figures belong to another season.

    Season figures follow from the facts alone, so a checkpoint kept for one season serves the list of any other.

    Args:
        state: State at some position of the history, without season figures from elsewhere.
        history: The history of the state.
        rulesets: The rule sets to which `history.event_rules` points.
        season: Season to which the figures shall belong, by starting year.
    """
    lines = _Lines(history, failed_conditions(history, rulesets) == 0, 0, state.position)
    now = history.event_season[lines.event] == season
    return replace(
        state,
        season=season,
        season_games=_sums(lines.player[now], lines.games[now], state.players),
        season_wins_half=_sums(lines.player[now], lines.wins_half[now], state.players),
    )


class _Lines:
    """The lines of the ledger as far as they do not depend on ratings."""

    def __init__(self, history: History, counts: BoolArray, start: int, stop: int) -> None:
        span = history.games_between(start, stop)
        event = history.game_event[span]
        game = np.flatnonzero((history.game_kind[span] == Kind.PLAYED) & counts[event]) + span.start
        total = len(game)
        event, result = history.game_event[game], history.game_result[game]
        key = np.concatenate([event, event]) * history.players
        key += np.concatenate([history.game_a[game], history.game_b[game]])
        # Sorting by (event, player) brings the games of a line together; the order inside a line is that of the source.
        order = np.argsort(key, kind="stable")
        key = key[order]
        first = np.ones(2 * total, dtype=np.bool_)
        first[1:] = key[1:] != key[:-1]
        self.starts = np.flatnonzero(first)
        self.side_line = np.cumsum(first) - 1
        line_of_side = np.empty(2 * total, dtype=np.int64)
        line_of_side[order] = self.side_line
        self.side_opponent_line = line_of_side[(order + total) % (2 * total)] if total else self.side_line
        self.side_game = game[order % total] if total else game
        self.side_result = np.concatenate([result, 2 - result])[order]
        self.event, self.player = np.divmod(key[self.starts], max(history.players, 1))
        self.games = np.diff(self.starts, append=2 * total)
        self.wins_half = np.add.reduceat(self.side_result, self.starts) if total else self.side_result
        self.bounds = np.searchsorted(self.event, np.arange(start, stop + 1))
        self.start = start

    def until(self, position: int) -> slice:
        """Give the lines of the events before a position."""
        return slice(0, int(self.bounds[position - self.start]))

    def games_after(self, games: IntArray) -> IntArray:
        """Give the career games of each line's player after its event, from the games before the first event."""
        order = np.argsort(self.player, kind="stable")
        running = np.cumsum(self.games[order])
        player = self.player[order]
        first = np.ones(len(player), dtype=np.bool_)
        first[1:] = player[1:] != player[:-1]
        before_first = (running - self.games[order])[first]
        after = np.empty(len(player), dtype=np.int64)
        after[order] = running - before_first[np.cumsum(first) - 1] + games[player]
        return after


@dataclass(frozen=True, slots=True)
class _Outcome:
    """The columns of the ledger that depend on ratings."""

    before: IntArray
    games_after: IntArray
    k: IntArray
    change: IntArray
    expected_units: NDArray[Any]
    expected: NDArray[np.float64]
    raw_units: NDArray[Any]
    raw: NDArray[np.float64]
    term_units: NDArray[Any]
    term: NDArray[np.float64]


def _rate(
    history: History, rulesets: Sequence[RuleSet], opening: State, lines: _Lines, progress: Progress | None
) -> _Outcome:
    """Go through the events in order and rate each with the ratings that the ones before it left."""
    formulae = [formulae_of(rules) for rules in rulesets]
    games_after = lines.games_after(opening.games)
    rating = _with_first_ratings(history, rulesets, opening, lines)
    count, sides = len(lines.player), len(lines.side_line)
    units = object if any(table.values.dtype == object for table, _ in formulae) else np.int64
    outcome = _Outcome(
        before=np.zeros(count, dtype=np.int64),
        games_after=games_after,
        k=np.zeros(count, dtype=np.int64),
        change=np.zeros(count, dtype=np.int64),
        expected_units=np.zeros(count, dtype=units),
        expected=np.zeros(count),
        raw_units=np.zeros(count, dtype=units),
        raw=np.zeros(count),
        term_units=np.zeros(sides, dtype=units),
        term=np.zeros(sides),
    )
    line_bounds = lines.bounds.tolist()
    side_bounds = np.append(lines.starts, sides)[lines.bounds].tolist()
    event_rules = history.event_rules[lines.start : lines.start + len(line_bounds) - 1].tolist()
    todo = len(event_rules)
    before = outcome.before
    for i in range(todo):
        if progress is not None and i % _PROGRESS_EVERY == 0:
            progress(i, todo)
        low, high = line_bounds[i], line_bounds[i + 1]
        if low == high:
            continue
        left, right = side_bounds[i], side_bounds[i + 1]
        expectations, multipliers = formulae[event_rules[i]]
        player = lines.player[low:high]
        own = rating[player]
        before[low:high] = own
        rated = rate_event(
            before[lines.side_line[left:right]] - before[lines.side_opponent_line[left:right]],
            lines.starts[low:high] - left,
            own,
            lines.wins_half[low:high],
            multipliers.has_many_games(games_after[low:high]),
            (expectations, multipliers),
        )
        rating[player] = own + rated.change
        outcome.k[low:high] = rated.k
        outcome.change[low:high] = rated.change
        if expectations.is_exact:
            outcome.expected_units[low:high] = rated.expected
            outcome.raw_units[low:high] = rated.raw
            outcome.term_units[left:right] = rated.terms
        else:
            outcome.expected[low:high] = rated.expected
            outcome.raw[low:high] = rated.raw
            outcome.term[left:right] = rated.terms
    if progress is not None:
        progress(todo, todo)
    return outcome


def _with_first_ratings(history: History, rulesets: Sequence[RuleSet], opening: State, lines: _Lines) -> IntArray:
    """Give every player of a line who has no rating the first rating of the rules of his first event."""
    rating = opening.rating.copy()
    player, first = np.unique(lines.player, return_index=True)
    newcomer = rating[player] == NO_RATING
    initial = np.array([rules.initial_rating for rules in rulesets], dtype=np.int64)
    rating[player[newcomer]] = initial[history.event_rules[lines.event[first[newcomer]]]]
    return rating


def _states(
    history: History, opening: State, lines: _Lines, outcome: _Outcome, marks: Sequence[int]
) -> dict[int, State]:
    """Give the states at some positions: the opening state and all lines before the position."""
    return {mark: _state_at(history, opening, lines, outcome, mark) for mark in marks}


def _state_at(history: History, opening: State, lines: _Lines, outcome: _Outcome, position: int) -> State:
    past = lines.until(position)
    player, season = lines.player[past], history.event_season[lines.event[past]]
    rating, last_season = opening.rating.copy(), opening.last_season.copy()
    # Lines are in rating order: the last assignment to a player stands.
    rating[player] = outcome.before[past] + outcome.change[past]
    np.maximum.at(last_season, player, season)
    now = season == opening.season
    return State(
        position=position,
        season=opening.season,
        rating=rating,
        games=opening.games + _sums(player, lines.games[past], opening.players),
        wins_half=opening.wins_half + _sums(player, lines.wins_half[past], opening.players),
        last_season=last_season,
        season_games=opening.season_games + _sums(player[now], lines.games[past][now], opening.players),
        season_wins_half=opening.season_wins_half + _sums(player[now], lines.wins_half[past][now], opening.players),
    )


def _sums(player: IntArray, values: IntArray, players: int) -> IntArray:
    # Sums of counts stay far below 2 ** 53, where doubles are exact.
    return np.bincount(player, weights=values, minlength=players).astype(np.int64)


def _ledger(history: History, rulesets: Sequence[RuleSet], lines: _Lines, outcome: _Outcome) -> Ledger:
    scales = np.array([formulae_of(rules)[0].scale for rules in rulesets], dtype=outcome.expected_units.dtype)
    scale = scales[history.event_rules[lines.event]]
    _fill_doubles(outcome.expected, outcome.expected_units, scale)
    _fill_doubles(outcome.raw, outcome.raw_units, 2 * scale)
    _fill_doubles(outcome.term, outcome.term_units, scale[lines.side_line])
    return Ledger(
        event=lines.event,
        player=lines.player,
        before=outcome.before,
        games=lines.games,
        wins_half=lines.wins_half,
        scale=scale,
        expected_units=outcome.expected_units,
        expected=outcome.expected,
        games_after=outcome.games_after,
        k=outcome.k,
        raw_units=outcome.raw_units,
        raw=outcome.raw,
        change=outcome.change,
        after=outcome.before + outcome.change,
        side_starts=lines.starts,
        side_game=lines.side_game,
        side_line=lines.side_line,
        side_opponent_line=lines.side_opponent_line,
        side_result_half=lines.side_result,
        side_term_units=outcome.term_units,
        side_term=outcome.term,
    )


def _fill_doubles(doubles: NDArray[np.float64], units: NDArray[Any], scale: NDArray[Any]) -> None:
    """Write the doubles nearest to the exact values; both operands are exact, so one division rounds correctly."""
    exact = scale != 0
    doubles[exact] = units[exact] / scale[exact]


def _value(units: NDArray[Any], doubles: NDArray[np.float64], position: int, scale: int) -> Fraction | float:
    return in_points(int(units[position]), scale) if scale else float(doubles[position])
