"""The codes under which the database knows the game and its rating."""

from __future__ import annotations

from typing import Final

DISCIPLINE: Final = "scrabble"
RATING_SYSTEM: Final = "barruf"
