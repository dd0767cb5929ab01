"""tsh's live file (`tourney.js`): the same facts as the division files, as one JSON object ``newt={…}``.

Each division is written out as the lines of a division file and read as one, so that all checks are the same; the
line of an issue is the number of the player.
"""

from __future__ import annotations

import json
import re
from typing import Any

from federation.core import limits
from federation.core.reading import EventInfo, Issues, Reading
from federation.core.tabular import parse_date
from ratings.core.formats import tsh
from ratings.core.formats.common import Source, finish

_START = re.compile(r"\s{0,20}(?:var )?newt\s{0,5}=\s{0,5}(?=\{)")


def looks_like_live_file(text: str) -> bool:
    """Whether a text is a live file."""
    return bool(_START.match(text))


def read(source: Source, text: str) -> Reading:
    """Return the reading of a live file; several divisions are numbered apart."""
    content = _content(text)
    divisions = content.get("divisions") if isinstance(content, dict) else None
    if not isinstance(divisions, list):
        source.issues.error("unreadable")
        return finish(source, "tsh", EventInfo(), (), (), rows=())
    configuration = content.get("config")
    settings: dict[str, Any] = configuration if isinstance(configuration, dict) else {}
    event = EventInfo(
        str(settings.get("event_name") or "")[: limits.MAX_CELL],
        parse_date(str(settings.get("event_date") or "")[:100]),
    )
    parts: list[tuple[str, Source]] = []
    for place, division in enumerate(divisions, start=1):
        if isinstance(division, dict):
            name = str(division.get("name") or place)[:20]
            issues = source.issues if not parts else Issues(source.issues.file)
            parts.append((name, Source(source.name, b"", issues, (), source.text, _lines(division))))
    if not parts:
        source.issues.error("no_games")
        return finish(source, "tsh", event, (), (), rows=())
    return tsh.read(parts, event)


def _content(text: str) -> Any:
    body = text[_START.match(text).end() :] if _START.match(text) else text  # type: ignore[union-attr]
    try:
        content, _ = json.JSONDecoder().raw_decode(body)
    except (ValueError, RecursionError):
        return None
    return content


def _lines(division: dict[str, Any]) -> list[str]:
    """Return a division as lines of a division file; index 0 of its players is empty."""
    players = division.get("players")
    lines: list[str] = []
    for player in (players if isinstance(players, list) else [])[: limits.MAX_ROWS]:
        if not isinstance(player, dict):
            continue
        name = " ".join(str(player.get("name") or "").replace(";", " ").replace("#", " ").split())
        extra = player.get("etc")
        fields = (
            [f"p12 {_figures(extra.get('p12'))}", f"board {_figures(extra.get('board'))}"]
            if isinstance(extra, dict)
            else []
        )
        rating = player.get("rating")
        head = f"{name} {rating if isinstance(rating, int) and rating >= 0 else 0} {_figures(player.get('pairings'))}"
        lines.append("; ".join([head, _figures(player.get("scores")), "", *fields])[: limits.MAX_LINE])
    return lines


def _figures(values: object) -> str:
    return " ".join("?" if value is None else str(value) for value in values) if isinstance(values, list) else ""
