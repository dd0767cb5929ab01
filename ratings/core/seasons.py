"""Seasons: the code `YYYY-YY` and the year in which a season starts (specification, section 2).

Inside the core a season is the year in which it starts, so that seasons compare as integers; `UNKNOWN` stands for
a player without a known season.
"""

import datetime
import re
from typing import Final

from federation.core.errors import RuleError

UNKNOWN: Final = -1
FIRST_MONTH: Final = 9
_CODE: Final = re.compile(r"(\d{4})-(\d{2})")


def season_start(code: str | None) -> int:
    """Give the year in which a season starts, or `UNKNOWN` for no season.

    Raises:
        RuleError: `bad_season`, the code is not two consecutive years written `YYYY-YY`.

    >>> season_start("2023-24"), season_start("1999-00")
    (2023, 1999)
    """
    if code is None:
        return UNKNOWN
    match = _CODE.fullmatch(code) if isinstance(code, str) else None
    if match is None or (int(match[1]) + 1) % 100 != int(match[2]):
        raise RuleError("bad_season", {"season": code})
    return int(match[1])


def season_code(start: int) -> str | None:
    """Give the code of the season that starts in a year, or None for `UNKNOWN`.

    >>> season_code(1999)
    '1999-00'
    """
    return None if start == UNKNOWN else f"{start:04d}-{(start + 1) % 100:02d}"


def season_of(day: datetime.date, first_month: int = FIRST_MONTH) -> int:
    """Give the season to which a day belongs; the Catalan season runs from September to August.

    >>> season_of(datetime.date(2024, 8, 31)), season_of(datetime.date(2024, 9, 1))
    (2023, 2024)
    """
    return day.year if day.month >= first_month else day.year - 1
