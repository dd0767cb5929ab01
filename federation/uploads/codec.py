"""Readings as JSON and back, so that a preview does not read the file again."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from federation.core.reading import EventInfo, Issue, ReadGame, Reading, ReadPerson, SourceRow

_PERSON_FIELDS = tuple(ReadPerson.__slots__)
_GAME_FIELDS = tuple(ReadGame.__slots__)
_EMPTY: tuple[object, ...] = (None, "", 0, {})


def reading_as_json(reading: Reading) -> dict[str, Any]:
    """Return a reading in plain values, without characters that a database refuses."""
    return {
        "format": reading.format,
        "event": asdict(reading.event),
        "people": [_filled(person, _PERSON_FIELDS) for person in reading.people],
        "games": [_filled(game, _GAME_FIELDS) for game in reading.games],
        "issues": [
            [issue.line, issue.column, issue.code, issue.severity, _clean(dict(issue.params)), _clean(issue.file)]
            for issue in reading.issues
        ],
        "columns": list(reading.columns),
        "rows": [[row.line, [_clean(cell) for cell in row.cells], _clean(row.file)] for row in reading.rows],
        "encoding": reading.encoding,
    }


def reading_from_json(data: dict[str, Any]) -> Reading:
    """Return the reading that `reading_as_json` wrote; an unknown one for an empty dictionary."""
    return Reading(
        format=data.get("format", "unknown"),
        event=EventInfo(**data.get("event", {})),
        people=tuple(ReadPerson(**person) for person in data.get("people", ())),
        games=tuple(ReadGame(**{"b": None, **game}) for game in data.get("games", ())),
        issues=tuple(Issue(*issue) for issue in data.get("issues", ())),
        columns=tuple(data.get("columns", ())),
        rows=tuple(SourceRow(line, tuple(cells), file) for line, cells, file in data.get("rows", ())),
        encoding=data.get("encoding", ""),
    )


def _filled(item: ReadPerson | ReadGame, fields: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields that say something; zero scores and ratings do, unlike counts left at zero."""
    values: dict[str, Any] = {}
    for name in fields:
        value = getattr(item, name)
        optional = name in ("rating", "games", "wins", "score_a", "score_b", "result_a", "deviation")
        if (optional and value is not None) or (not optional and value not in _EMPTY):
            values[name] = _clean(value)
    for name in ("key", "name") if isinstance(item, ReadPerson) else ("line", "round", "a", "kind"):
        values.setdefault(name, _clean(getattr(item, name)))
    return values


def _clean(value: Any) -> Any:
    """Replace what neither UTF-8 nor PostgreSQL can hold."""
    if isinstance(value, str):
        if "\x00" in value:
            value = value.replace("\x00", "\N{REPLACEMENT CHARACTER}")
        return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {_clean(name): _clean(item) for name, item in value.items()}
    return value
