"""The multiplier K (specification, section 4).

K depends on the pre-event rating and on the games of the player including those of the event. The rule is written
once, on arrays; `multiplier` asks it for one player.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ratings.core.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class MultiplierTable:
    """The multipliers of one rule set as arrays.

    Attributes:
        floors: Lowest rating of the second band, the third and so on.
        columns: One row per band: multiplier up to the threshold of games, multiplier above it.
        games_threshold: Last number of games of the first column.
    """

    floors: NDArray[np.int64]
    columns: NDArray[np.int64]
    games_threshold: int

    def has_many_games(self, games_after: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the column: 0 up to the threshold of games, the threshold included, and 1 above it."""
        return (games_after > self.games_threshold).astype(np.int64)

    def of(self, before: NDArray[np.int64], column: NDArray[np.int64]) -> NDArray[np.int64]:
        """Give the multipliers for pre-event ratings and columns; a band's floor belongs to the band."""
        return self.columns[self.floors.searchsorted(before, side="right"), column]


@dataclass(frozen=True, slots=True)
class MultiplierReason:
    """Why a multiplier applies: the band and the side of the threshold of games.

    Attributes:
        k: The multiplier.
        floor: Lowest rating of the band, None if it has none.
        ceiling: Highest rating of the band, None if it has none.
        games_threshold: The number of games up to which the first column goes.
        many_games: Whether the player has more games than that.
    """

    k: int
    floor: int | None
    ceiling: int | None
    games_threshold: int
    many_games: bool


@lru_cache(maxsize=64)
def multiplier_table(rules: RuleSet) -> MultiplierTable:
    """Give the bands of a rule set as arrays."""
    return MultiplierTable(
        floors=np.array([band.floor for band in rules.bands[1:]], dtype=np.int64),
        columns=np.array([(band.few_games, band.many_games) for band in rules.bands], dtype=np.int64),
        games_threshold=rules.games_threshold,
    )


def multiplier(rating: int, games_after: int, rules: RuleSet) -> int:
    """Give K for a pre-event rating and the games including the event's (section 4).

    >>> from ratings.core.ruleset import PAGE
    >>> multiplier(1100, 50, PAGE), multiplier(1100, 51, PAGE), multiplier(1500, 51, PAGE)
    (30, 20, 16)
    """
    table = multiplier_table(rules)
    column = table.has_many_games(np.array([games_after], dtype=np.int64))
    return int(table.of(np.array([rating], dtype=np.int64), column)[0])


def multiplier_reason(rating: int, games_after: int, rules: RuleSet) -> MultiplierReason:
    """Give K with the band and the column that decide it, as the player's page shows them (section 10)."""
    table = multiplier_table(rules)
    position = int(table.floors.searchsorted(rating, side="right"))
    above = table.floors[position] if position < len(table.floors) else None
    return MultiplierReason(
        k=multiplier(rating, games_after, rules),
        floor=rules.bands[position].floor,
        ceiling=None if above is None else int(above) - 1,
        games_threshold=rules.games_threshold,
        many_games=games_after > rules.games_threshold,
    )
