"""Two registry records of one person (specification, section 9, merge)."""

from dataclasses import dataclass

import numpy as np

from federation.core.errors import RuleError
from ratings.core.checks import round_groups
from ratings.core.history import History
from ratings.core.seasons import UNKNOWN


@dataclass(frozen=True, slots=True)
class Opening:
    """What is known of a player from before the first event (section 7, seed).

    Attributes:
        rating: Rating, None for the first rating.
        games: Career games.
        wins_half: Career wins in half points.
        last_season: Season of the last game, by starting year, or `seasons.UNKNOWN`.
    """

    rating: int | None = None
    games: int = 0
    wins_half: int = 0
    last_season: int = UNKNOWN

    @property
    def is_empty(self) -> bool:
        """Tell whether the record says nothing."""
        return self == Opening()


def check_one_person(history: History, keep: int, drop: int) -> None:
    """Refuse to join two players who both appear in one round of any event, whatever the kind of entry.

    Raises:
        RuleError: `same_record`, the two are one already; `two_people`, with event and round.
    """
    if keep == drop:
        raise RuleError("same_record", {"player": keep})
    if not history.games:
        return
    group = round_groups(history.game_event, history.game_round)

    def games_with(player: int) -> np.ndarray:
        return np.flatnonzero((history.game_a == player) | (history.game_b == player))

    kept, dropped = games_with(keep), games_with(drop)
    both = kept[np.isin(group[kept], group[dropped])]
    if len(both):
        game = int(both[0])
        raise RuleError("two_people", {"event": int(history.game_event[game]), "round": int(history.game_round[game])})


def merged_opening(keep: Opening | None, drop: Opening | None) -> Opening | None:
    """Join the opening data of two records of one person.

    Games and wins are added, the last season is the later one, and the rating is that of the record with more games,
    with equal games the kept record's. The rating of a record without opening data does not count.
    """
    kept, dropped = keep or Opening(), drop or Opening()
    if keep is None and drop is None:
        return None
    if dropped.is_empty:
        rating = kept.rating
    elif kept.is_empty:
        rating = dropped.rating
    else:
        rating = kept.rating if kept.games >= dropped.games else dropped.rating
    return Opening(
        rating=rating,
        games=kept.games + dropped.games,
        wins_half=kept.wins_half + dropped.wins_half,
        last_season=max(kept.last_season, dropped.last_season),
    )
