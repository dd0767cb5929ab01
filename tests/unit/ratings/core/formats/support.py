"""Where the sample files are, and small helpers to look at a reading."""

from __future__ import annotations

import struct
from pathlib import Path

from federation.core.reading import Reading

ROOT = Path(__file__).parents[5]
FIXTURES = ROOT / "tests" / "fixtures" / "scrabble"
SAMPLES = ROOT.parent / "shared" / "samples" / "scrabble"


def fixture(name: str) -> tuple[str, bytes]:
    return name, (FIXTURES / name).read_bytes()


def codes(reading: Reading, severity: str = "") -> list[tuple[int, str]]:
    return [(issue.line, issue.code) for issue in reading.issues if severity in ("", issue.severity)]


def tallies(reading: Reading) -> dict[str, list[float]]:
    people = reading.summary()["people"]
    return {
        person["name"]: [person[name] for name in ("played", "wins", "byes", "forfeits", "absences")]
        for person in people
    }


def games(reading: Reading) -> list[tuple]:
    return [
        (g["round"], g["a"], g["b"], g["kind"], g["score_a"], g["score_b"], g["result_a"])
        for g in reading.summary()["games"]
    ]


def dbase(columns: list[tuple[str, str, int]], rows: list[list[object]]) -> bytes:
    """Return a dBase III table; columns are name, type, length."""
    length = 1 + sum(width for _, _, width in columns)
    header = 32 + 32 * len(columns) + 1
    data = bytearray(struct.pack("<BBBBIHH20x", 3, 125, 10, 12, len(rows), header, length))
    for name, kind, width in columns:
        data += struct.pack("<11sc4xBB14x", name.encode(), kind.encode(), width, 0)
    data += b"\r"
    for row in rows:
        data += b" "
        for (_, kind, width), value in zip(columns, row, strict=True):
            text = str(value).encode("cp1252")
            data += text.rjust(width) if kind == "N" else text.ljust(width)
    return bytes(data + b"\x1a")


PARTICIPANT_COLUMNS = [
    ("ORDER", "N", 4),
    ("ID", "N", 4),
    ("SURNAME", "C", 20),
    ("FIRSTNAME", "C", 15),
    ("FEDER", "C", 3),
    ("CLUB", "C", 12),
    ("INTL_RTG", "N", 5),
    ("WITHDRAWAL", "N", 3),
]
RESULT_COLUMNS = [
    (name, "N", 5)
    for name in ("ROUND", "WHITE", "BLACK", "W_SCORE", "B_SCORE", "W_TYPE", "B_TYPE", "W_SUBSCO", "B_SUBSCO")
]


def participants_table() -> bytes:
    return dbase(
        PARTICIPANT_COLUMNS,
        [
            [1, 1, "Riera", "Neus", "CAT", "Portvell", 912, 0],
            [2, 2, "Bastida", "Oriol", "CAT", "Carrasca", 1034, 0],
            [3, 3, "Prat", "Gal·la", "CAT", "", 0, 2],
            ["", "", "", "", "", "", "", ""],
        ],
    )


def results_table() -> bytes:
    return dbase(
        RESULT_COLUMNS,
        [
            [1, 1, 2, 2, 0, 1, 1, 804, 770],
            [1, 3, 0, 2, 0, 0, 0, 0, 0],
            [2, 2, 1, 1, 1, 1, 1, 0, 0],
            [3, 1, 3, 2, 0, 2, 3, 0, 0],
            [4, 1, 2, 0, 0, 0, 0, 0, 0],
        ],
    )
