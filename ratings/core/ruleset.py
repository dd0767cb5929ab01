"""Rule sets: every value of the BARRUF rating that a federation can configure (specification, section 1).

`PAGE` is the published rule page and the default, `SHEET` the working spreadsheet behind the official lists. Name,
version and date of validity belong to the stored row; this module knows the values only.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from federation.core.errors import RuleError

EXPECTATIONS: Final = ("table", "normal")
LOOKUPS: Final = ("nearest", "next", "reached", "linear")
DEFAULT_LOOKUP: Final = "nearest"
DEFAULT_SIGMA: Final = 283.84
MAX_RATING: Final = 100_000
MAX_DIFFERENCE: Final = 10_000
MAX_MULTIPLIER: Final = 1_000
MAX_COUNT: Final = 10_000
MAX_ROWS: Final = 100
MAX_DIGITS: Final = 12


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table of expectations: up to this difference the higher rated player expects this share.

    Attributes:
        difference: Rating points, not negative.
        hundredths: Expectation of the higher rated player in hundredths, 50 to 100, exact.
    """

    difference: int
    hundredths: Fraction


@dataclass(frozen=True, slots=True)
class Band:
    """A band of ratings with its two multipliers.

    Attributes:
        floor: Lowest rating of the band; None for the first band, which has no floor.
        few_games: Multiplier of a player with games up to the threshold.
        many_games: Multiplier of a player with more games.
    """

    floor: int | None
    few_games: int
    many_games: int


@dataclass(frozen=True, slots=True)
class Title:
    """A title and the rating from which it is held."""

    floor: int
    name: str


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The values of one version of the rules (specification, section 1). Hashable, so that tables can be cached.

    Attributes:
        expectation: `table` or `normal`.
        lookup: How a difference between two rows of the table is read: one of `LOOKUPS`.
        table: Rows by rising difference.
        sigma: Spread of the normal distribution in rating points.
        initial_rating: Rating of a player before the first event.
        bands: Bands by rising floor, the first without one.
        games_threshold: Last number of games of the first column of multipliers.
        min_games: Games from which a player is ranked.
        active_seasons: Number of seasons, the present one included, in one of which an active player has a game.
        min_rounds: Rounds with a played game that an event needs.
        min_players: Players with a played game that an event needs.
        titles: Titles by falling floor.
    """

    expectation: str
    lookup: str
    table: tuple[TableRow, ...]
    sigma: float
    initial_rating: int
    bands: tuple[Band, ...]
    games_threshold: int
    min_games: int
    active_seasons: int
    min_rounds: int
    min_players: int
    titles: tuple[Title, ...]

    def __post_init__(self) -> None:
        """Refuse values that are no rule.

        Raises:
            RuleError: with the code of the first fault and, in `where`, the name of the value.
        """
        if self.expectation not in EXPECTATIONS:
            raise RuleError("bad_expectation", {"value": self.expectation}, "expectation")
        if self.lookup not in LOOKUPS:
            raise RuleError("bad_lookup", {"value": self.lookup}, "lookup")
        if not 1 <= self.sigma <= MAX_DIFFERENCE:
            raise RuleError("bad_sigma", {"value": self.sigma, "lowest": 1, "highest": MAX_DIFFERENCE}, "sigma")
        _check_table(self.table)
        _check_bands(self.bands)
        _check_titles(self.titles)
        _check_range("initial_rating", self.initial_rating, -MAX_RATING, MAX_RATING)
        _check_range("games_threshold", self.games_threshold, 0, MAX_COUNT)
        _check_range("min_games", self.min_games, 0, MAX_COUNT)
        _check_range("active_seasons", self.active_seasons, 1, 100)
        _check_range("min_rounds", self.min_rounds, 0, MAX_COUNT)
        _check_range("min_players", self.min_players, 0, MAX_COUNT)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> "RuleSet":
        """Read a rule set from plain values, as they stand in JSON.

        Keys: `expectation`, `lookup` (None: the nearest row), `table` (pairs of difference and hundredths), `sigma`
        (None: 283.84), `initial_rating`, `bands` (triples of floor and two multipliers), `games_threshold`,
        `min_games`, `active_seasons`, `min_rounds`, `min_players`, `categories` (pairs of floor and title).

        Raises:
            RuleError: `unknown_parameter`, `missing_parameter`, `bad_number`, `bad_table`, `bad_bands`,
                `bad_titles`, `bad_expectation`, `bad_lookup`, `bad_sigma`; `where` names the value.
        """
        unknown = sorted(str(key) for key in parameters if key not in PARAMETERS)
        if unknown:
            raise RuleError("unknown_parameter", {"names": unknown}, unknown[0])
        missing = [key for key in PARAMETERS if key not in parameters and key not in ("lookup", "sigma")]
        if missing:
            raise RuleError("missing_parameter", {"names": missing}, missing[0])
        sigma = parameters.get("sigma")
        lookup = parameters.get("lookup")
        return cls(
            expectation=parameters["expectation"],
            lookup=DEFAULT_LOOKUP if lookup is None else lookup,
            table=_rows_of(parameters["table"]),
            sigma=DEFAULT_SIGMA if sigma is None else float(_exact("sigma", sigma)),
            initial_rating=_integer("initial_rating", parameters["initial_rating"]),
            bands=_bands_of(parameters["bands"]),
            games_threshold=_integer("games_threshold", parameters["games_threshold"]),
            min_games=_integer("min_games", parameters["min_games"]),
            active_seasons=_integer("active_seasons", parameters["active_seasons"]),
            min_rounds=_integer("min_rounds", parameters["min_rounds"]),
            min_players=_integer("min_players", parameters["min_players"]),
            titles=_titles_of(parameters["categories"]),
        )

    def to_parameters(self) -> dict[str, Any]:
        """Give the plain values again; `from_parameters` of them is an equal rule set."""
        return {
            "expectation": self.expectation,
            "lookup": self.lookup,
            "table": [[row.difference, _plain(row.hundredths)] for row in self.table],
            "sigma": self.sigma,
            "initial_rating": self.initial_rating,
            "bands": [[band.floor, band.few_games, band.many_games] for band in self.bands],
            "games_threshold": self.games_threshold,
            "min_games": self.min_games,
            "active_seasons": self.active_seasons,
            "min_rounds": self.min_rounds,
            "min_players": self.min_players,
            "categories": [[title.floor, title.name] for title in self.titles],
        }

    def digest(self) -> str:
        """Give the SHA-256 of the values in canonical JSON: equal rules have equal digests."""
        text = json.dumps(self.to_parameters(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def _exact(name: str, value: object) -> Fraction:
    if isinstance(value, bool) or not isinstance(value, int | float | str | Decimal | Fraction):
        raise RuleError("bad_number", {"value": value}, name)
    if isinstance(value, Fraction):
        return value
    try:
        number = Decimal(str(value))
    except InvalidOperation as error:
        raise RuleError("bad_number", {"value": value}, name) from error
    if not number.is_finite() or abs(number.adjusted()) > MAX_DIGITS:
        raise RuleError("bad_number", {"value": value}, name)
    return Fraction(number)


def _integer(name: str, value: object) -> int:
    exact = _exact(name, value)
    if exact.denominator != 1:
        raise RuleError("bad_number", {"value": value}, name)
    return int(exact)


def _plain(value: Fraction) -> int | str:
    return int(value) if value.denominator == 1 else str(value)


def _tuples(name: str, code: str, value: object, width: int) -> list[Sequence[Any]]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise RuleError(code, {"reason": "shape"}, name)
    rows = list(value)
    if not 1 <= len(rows) <= MAX_ROWS:
        raise RuleError(code, {"reason": "length", "highest": MAX_ROWS}, name)
    if any(not isinstance(row, list | tuple) or len(row) != width for row in rows):
        raise RuleError(code, {"reason": "shape"}, name)
    return rows


def _rows_of(value: object) -> tuple[TableRow, ...]:
    return tuple(
        TableRow(_integer("table", difference), _fraction_or_exact(hundredths))
        for difference, hundredths in _tuples("table", "bad_table", value, 2)
    )


def _fraction_or_exact(value: object) -> Fraction:
    if isinstance(value, str) and "/" in value:
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError) as error:
            raise RuleError("bad_number", {"value": value}, "table") from error
    return _exact("table", value)


def _bands_of(value: object) -> tuple[Band, ...]:
    return tuple(
        Band(None if floor is None else _integer("bands", floor), _integer("bands", few), _integer("bands", many))
        for floor, few, many in _tuples("bands", "bad_bands", value, 3)
    )


def _titles_of(value: object) -> tuple[Title, ...]:
    if isinstance(value, list | tuple) and not value:
        return ()
    titles = [
        Title(_integer("categories", floor), name) for floor, name in _tuples("categories", "bad_titles", value, 2)
    ]
    return tuple(sorted(titles, key=lambda title: -title.floor))


def _check_table(table: tuple[TableRow, ...]) -> None:
    """Refuse a table that does not start with equal ratings at one half, or does not rise."""
    if not table or table[0] != TableRow(0, Fraction(50)):
        raise RuleError("bad_table", {"reason": "start"}, "table")
    if table[-1].difference > MAX_DIFFERENCE:
        raise RuleError("bad_table", {"reason": "difference", "highest": MAX_DIFFERENCE}, "table")
    for row, following in pairwise(table):
        if following.difference <= row.difference:
            raise RuleError("bad_table", {"reason": "order", "difference": following.difference}, "table")
        if following.hundredths < row.hundredths:
            raise RuleError("bad_table", {"reason": "falls", "difference": following.difference}, "table")
    if table[-1].hundredths > 100:
        raise RuleError("bad_table", {"reason": "above_one"}, "table")


def _check_bands(bands: tuple[Band, ...]) -> None:
    """Refuse bands that leave a rating without a multiplier, or give it two."""
    if not bands or bands[0].floor is not None:
        raise RuleError("bad_bands", {"reason": "start"}, "bands")
    floors = [band.floor for band in bands[1:]]
    if any(floor is None or abs(floor) > MAX_RATING for floor in floors):
        raise RuleError("bad_bands", {"reason": "floor"}, "bands")
    if any(following <= floor for floor, following in pairwise(floor for floor in floors if floor is not None)):
        raise RuleError("bad_bands", {"reason": "order"}, "bands")
    for band in bands:
        if not all(1 <= k <= MAX_MULTIPLIER for k in (band.few_games, band.many_games)):
            raise RuleError("bad_bands", {"reason": "multiplier", "highest": MAX_MULTIPLIER}, "bands")


def _check_titles(titles: tuple[Title, ...]) -> None:
    if any(not isinstance(title.name, str) or not title.name.strip() for title in titles):
        raise RuleError("bad_titles", {"reason": "name"}, "categories")
    if any(title.floor <= following.floor for title, following in pairwise(titles)):
        raise RuleError("bad_titles", {"reason": "order"}, "categories")


def _check_range(name: str, value: int, lowest: int, highest: int) -> None:
    if not lowest <= value <= highest:
        raise RuleError("bad_number", {"value": value, "lowest": lowest, "highest": highest}, name)


PARAMETERS: Final = (
    "expectation",
    "lookup",
    "table",
    "sigma",
    "initial_rating",
    "bands",
    "games_threshold",
    "min_games",
    "active_seasons",
    "min_rounds",
    "min_players",
    "categories",
)

_TABLE: Final = (
    (0, 50),
    (40, 55),
    (75, 60),
    (110, 65),
    (150, 70),
    (195, 75),
    (240, 80),
    (295, 85),
    (365, 90),
    (465, 95),
)
_TITLES: Final = (
    (1400, "gran gran mestre"),
    (1300, "gran mestre"),
    (1200, "mestre"),
    (1100, "expert"),
    (1000, "avançat"),
)

PAGE: Final = RuleSet.from_parameters(
    {
        "expectation": "table",
        "lookup": "nearest",
        "table": _TABLE,
        "sigma": None,
        "initial_rating": 999,
        "bands": ((None, 30, 20), (1500, 24, 16), (2000, 15, 10)),
        "games_threshold": 50,
        "min_games": 10,
        "active_seasons": 2,
        "min_rounds": 3,
        "min_players": 4,
        "categories": _TITLES,
    }
)
SHEET: Final = RuleSet.from_parameters(
    PAGE.to_parameters()
    | {"expectation": "normal", "sigma": 283.84, "initial_rating": 950, "bands": ((None, 30, 20),), "min_games": 11}
)
PRESETS: Final[Mapping[str, RuleSet]] = MappingProxyType({"page": PAGE, "sheet": SHEET})
