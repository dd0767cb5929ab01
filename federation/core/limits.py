"""Limits on everything that comes from outside; each has its own issue code in `federation.core.reading`."""

from __future__ import annotations

MAX_BYTES = 5 * 1024 * 1024
"""Largest file accepted, in bytes."""

MAX_FILES = 220
"""Most files of one upload: 200 rounds with participants, settings and standings."""

MAX_ROWS = 20_000
"""Most rows read of one file."""

MAX_COLUMNS = 60
"""Most columns of one row; the rest is refused."""

MAX_ROUNDS = 200
"""Highest number of a round."""

MAX_CELL = 500
"""Longest text of one cell, in characters."""

MAX_NAME = 120
"""Longest name of a person, in characters."""

MAX_LINE = 20_000
"""Longest line of a text file, in characters."""

MAX_ZIP_RATIO = 100
"""Most times a compressed file may grow."""

MAX_ZIP_BYTES = 60 * 1024 * 1024
"""Most bytes that a compressed file may hold in all."""

MAX_ZIP_MEMBERS = 400
"""Most members of a compressed file."""

MAX_ISSUES = 500
"""Most issues kept of one upload; after that one issue says how many were left out."""
