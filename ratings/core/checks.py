"""Contradictory data (specification, section 9): a replay that meets it stops as a whole.

Games are checked in order, and for each game the codes in the order of `CODES`; the first one found names the fault.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from federation.core.errors import RuleError
from ratings.core.history import NOBODY, BoolArray, History, IntArray, Kind

CODES: Final = ("bad_kind", "missing_player", "self_play", "twice_in_round", "bad_result")


@dataclass(frozen=True, slots=True)
class DataFault:
    """The first contradiction of a history.

    Attributes:
        code: One of `CODES`.
        event: Position of the event in rating order.
        game: Position of the game in the history.
        round: Round of the game.
        player: The player concerned, or `NOBODY`.
    """

    code: str
    event: int
    game: int
    round: int
    player: int

    def error(self) -> RuleError:
        """Give the fault as an error."""
        return RuleError(
            self.code, {"event": self.event, "game": self.game, "round": self.round, "player": self.player}
        )


def first_data_fault(history: History, start: int = 0, stop: int | None = None) -> DataFault | None:
    """Find the first contradiction in the events from `start` up to, not including, `stop`.

    * `bad_kind`: an unknown kind of entry;
    * `missing_player`: no opponent, except for bye and forfeit;
    * `self_play`: a player against himself;
    * `twice_in_round`: a player has an earlier entry of any kind in the same round;
    * `bad_result`: a played game whose result is not 1, 0.5 or 0, or absent.

    Events that staff have excluded or not approved are not looked at: nothing of them is rated.
    """
    span = history.games_between(start, history.events if stop is None else stop)
    event, a, b = history.game_event[span], history.game_a[span], history.game_b[span]
    kind, result = history.game_kind[span], history.game_result[span]
    twice = _plays_twice(event, history.game_round[span], a, b, history.players)
    alone_allowed = (kind == Kind.BYE) | (kind == Kind.FORFEIT)
    faults = np.stack(
        [
            (kind < Kind.PLAYED) | (kind > Kind.PENDING),
            (a == NOBODY) | ((b == NOBODY) & ~alone_allowed),
            (a == b) & (a != NOBODY),
            twice[0] | twice[1],
            (kind == Kind.PLAYED) & ((result < 0) | (result > 2)),
        ]
    )
    faults &= (history.event_approved & ~history.event_excluded)[event]
    games = np.flatnonzero(faults.any(axis=0))
    if not len(games):
        return None
    game = int(games[0])
    code = CODES[int(faults[:, game].argmax())]
    player = b if code == "twice_in_round" and not twice[0][game] else a
    position = game + span.start
    return DataFault(
        code=code,
        event=int(event[game]),
        game=position,
        round=int(history.game_round[position]),
        player=NOBODY if code in ("bad_kind", "bad_result") else int(player[game]),
    )


def check_data(history: History, start: int = 0, stop: int | None = None) -> None:
    """Stop at the first contradiction.

    Raises:
        RuleError: with the code of the fault and, in `params`, event, game, round and player.
    """
    fault = first_data_fault(history, start, stop)
    if fault is not None:
        raise fault.error()


def _plays_twice(
    event: IntArray, round_number: IntArray, a: IntArray, b: IntArray, players: int
) -> tuple[BoolArray, BoolArray]:
    """Tell for each game whether `a`, and whether `b`, has an earlier entry in the same round of the event."""
    games = len(event)
    if not games:
        return np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.bool_)
    group = round_groups(event, round_number)
    player = np.concatenate([a, b])
    key = np.concatenate([group, group]) * (players + 1) + player + 1
    # Sorted by key and game, an entry that follows one of the same key in another game is a second appearance.
    order = np.lexsort((np.concatenate([np.arange(games)] * 2), key))
    same = np.zeros(2 * games, dtype=np.bool_)
    same[order[1:]] = (key[order[1:]] == key[order[:-1]]) & (order[1:] % games != order[:-1] % games)
    same &= player != NOBODY
    return same[:games], same[games:]


def round_groups(event: IntArray, round_number: IntArray) -> IntArray:
    """Number the pairs of event and round, rising with the event; rounds may be numbered in any way."""
    _, dense = np.unique(round_number, return_inverse=True)
    return event * (int(dense.max()) + 1 if len(dense) else 1) + dense.astype(np.int64)
