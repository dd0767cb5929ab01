"""What a reader of directors' files gives back, the same for every game.

A reader never raises on bad input. Whatever it finds wrong becomes an `Issue` with the line, the column and a code;
the text of a code is in `ISSUE_TEXTS` and says what to do. Severities:

* ``error``: the row cannot be stored as it is; it is repaired or set aside first;
* ``warning``: the row can be stored, but a person has to look at it and confirm;
* ``info``: nothing to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from federation.core.issue_texts import ISSUE_TEXTS
from federation.core.limits import MAX_ISSUES

Severity = Literal["error", "warning", "info"]
Kind = Literal["played", "bye", "forfeit", "absent", "void", "pending"]

WHOLE_LINE = 0
"""Column of an issue or a repair that concerns a whole line."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing found in a file.

    Attributes:
        line: line (or row of a sheet), from 1; 0 for the whole file.
        column: cell of a sheet or character of a text line, from 1; 0 for the whole line.
        code: key of `ISSUE_TEXTS`.
        severity: error, warning or info.
        params: values for the text.
        file: name of the file, where several were given.
    """

    line: int
    column: int
    code: str
    severity: Severity
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    file: str = ""

    def text(self, template: str | None = None) -> str:
        """Return the English text, or `template` (a translation of it) filled with the values."""
        return (template if template is not None else ISSUE_TEXTS[self.code]) % self.params


@dataclass(frozen=True, slots=True)
class Repair:
    """A change of the file made by a person in the preview; the file itself is kept as it came.

    Attributes:
        line: line (or row) of the file, from 1.
        column: cell, from 1; 0 replaces the whole line of a text format.
        text: the new content; None sets the whole line aside.
        file: name of the file, where several were given.
    """

    line: int
    column: int = WHOLE_LINE
    text: str | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class SourceRow:
    """A row as it stands in the file, for the preview. A text line is one cell."""

    line: int
    cells: tuple[str, ...]
    file: str = ""


@dataclass(frozen=True, slots=True)
class EventInfo:
    """What a file says of its event. Dates are ISO texts, empty when unknown; `rounds` is 0 when unknown."""

    name: str = ""
    date: str = ""
    rounds: int = 0


@dataclass(frozen=True, slots=True)
class ReadPerson:
    """A person of a file.

    Attributes:
        key: identity inside this reading, the one that games refer to.
        name: as published, given name first where the file tells them apart.
        line: where the person is first named.
        number: registry number or licence, when the file has one.
        rating: None when the file has none; 0 there means unrated.
        games, wins: of a rating list, the career; None elsewhere. `wins` may hold halves.
        last_season, last_played: of a rating list; the day as ``yyyymmdd``.
        withdrawn: round of withdrawal, 0 for none.
    """

    key: str
    name: str
    line: int = 0
    file: str = ""
    written: str = ""
    given: str = ""
    family: str = ""
    number: str = ""
    rating: int | None = None
    club: str = ""
    country: str = ""
    section: str = ""
    nick: str = ""
    games: int | None = None
    wins: float | None = None
    last_season: str = ""
    last_played: str = ""
    deviation: float | None = None
    withdrawn: int = 0


@dataclass(frozen=True, slots=True)
class ReadGame:
    """A game, or what stands in its place.

    Attributes:
        line: line of the file; in formats that tell a game twice, the line of the first player.
        a, b: keys of people; `b` is None where there is no opponent.
        kind: only ``played`` games rate.
        score_a, score_b: game points, None when the file has none.
        result_a: half points of the first player (2 won, 1 drawn, 0 lost), None when undecided.
        first: who started, ``a`` or ``b``, empty when unknown.
        extras: best plays and other columns, heading to text.
    """

    line: int
    round: int
    a: str
    b: str | None
    kind: Kind
    score_a: int | None = None
    score_b: int | None = None
    result_a: int | None = None
    table: str = ""
    first: str = ""
    file: str = ""
    other_line: int = 0
    extras: Mapping[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of one person: games, half points from games, and rounds without a game by kind."""

    played: int = 0
    half_points: int = 0
    byes: int = 0
    forfeits: int = 0
    absences: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything read from one upload.

    Attributes:
        format: code of the format, ``unknown`` when none was recognised.
        people, games: in the order of the file.
        columns: meaning of each column of a sheet ("round", "a", "score_a", ...), empty for text formats.
        rows: rows as they stand in the file.
        encoding: how the bytes were read.
    """

    format: str
    event: EventInfo = EventInfo()
    people: tuple[ReadPerson, ...] = ()
    games: tuple[ReadGame, ...] = ()
    issues: tuple[Issue, ...] = ()
    columns: tuple[str, ...] = ()
    rows: tuple[SourceRow, ...] = ()
    encoding: str = ""

    @property
    def has_errors(self) -> bool:
        """Whether anything stops the file."""
        return any(issue.severity == "error" for issue in self.issues)

    @property
    def rejected_lines(self) -> tuple[int, ...]:
        """Lines with an error, each once, in order; 0 when the file as a whole has one."""
        return tuple(sorted({issue.line for issue in self.issues if issue.severity == "error"}))

    @property
    def last_round(self) -> int:
        """Highest round with a game or what stands in its place."""
        return max((game.round for game in self.games), default=0)

    def person(self, key: str) -> ReadPerson | None:
        """Return the person with this key."""
        return next((person for person in self.people if person.key == key), None)

    def tallies(self) -> dict[str, Tally]:
        """Return the counts of every person, by key."""
        counts: dict[str, Counter[str]] = {person.key: Counter() for person in self.people}
        for game in self.games:
            for key, result in (
                (game.a, game.result_a),
                (game.b, None if game.result_a is None else 2 - game.result_a),
            ):
                if key is None:
                    continue
                count = counts.setdefault(key, Counter())
                count[game.kind] += 1
                if game.kind == "played" and result is not None:
                    count["half_points"] += result
        return {
            key: Tally(count["played"], count["half_points"], count["bye"], count["forfeit"], count["absent"])
            for key, count in counts.items()
        }

    def summary(self) -> dict[str, object]:
        """Return the reading as plain values for JSON: format, event, people, games, issues and counts."""
        names = {person.key: person.name for person in self.people}
        tallies = self.tallies()
        played = [game for game in self.games if game.kind == "played"]
        return {
            "format": self.format,
            "event": {"name": self.event.name, "date": self.event.date, "rounds": self.event.rounds},
            "counts": {
                "players": len(self.people),
                "rounds": self.event.rounds or self.last_round,
                "last_round": self.last_round,
                "games_played": len(played),
                "draws": sum(game.result_a == 1 for game in played),
                "byes": sum(tally.byes for tally in tallies.values()),
                "forfeits": sum(tally.forfeits for tally in tallies.values()),
                "absences": sum(tally.absences for tally in tallies.values()),
            },
            "people": [_person_summary(person, tallies[person.key]) for person in self.people],
            "games": [_game_summary(game, names) for game in self.games],
            "rejected_lines": list(self.rejected_lines),
            "issues": [_issue_summary(issue) for issue in self.issues],
        }


def points(half_points: int) -> int | float:
    """Return half points as points, whole where they are whole.

    >>> points(7), points(6)
    (3.5, 3)
    """
    return half_points // 2 if half_points % 2 == 0 else half_points / 2


def _person_summary(person: ReadPerson, tally: Tally) -> dict[str, object]:
    summary: dict[str, object] = {
        "name": person.name,
        "played": tally.played,
        "wins": points(tally.half_points),
        "byes": tally.byes,
        "forfeits": tally.forfeits,
        "absences": tally.absences,
    }
    if person.rating is not None:
        summary["rating"] = person.rating
    if person.games is not None:
        summary["games"] = person.games
    if person.wins is not None:
        summary["career_wins"] = person.wins
    for name in ("nick", "country", "club", "number", "section", "last_played", "last_season"):
        if getattr(person, name):
            summary[name] = getattr(person, name)
    if person.deviation is not None:
        summary["deviation"] = person.deviation
    return summary


def _game_summary(game: ReadGame, names: Mapping[str, str]) -> dict[str, object]:
    return {
        "line": game.line,
        "round": game.round,
        "table": game.table,
        "a": names.get(game.a, game.a),
        "b": None if game.b is None else names.get(game.b, game.b),
        "kind": game.kind,
        "score_a": game.score_a,
        "score_b": game.score_b,
        "result_a": None if game.result_a is None else points(game.result_a),
    }


def _issue_summary(issue: Issue) -> dict[str, object]:
    summary: dict[str, object] = {
        "line": issue.line,
        "column": issue.column,
        "code": issue.code,
        "severity": issue.severity,
        "text": issue.text(),
    }
    if issue.file:
        summary["file"] = issue.file
    return summary


class Issues:
    """Collects issues while a file is read, at most `MAX_ISSUES` of them."""

    def __init__(self, file: str = "") -> None:
        self.file = file
        self._found: list[Issue] = []
        self._left_out = 0
        self._left_out_error = False

    def _add(self, severity: Severity, code: str, line: int, column: int, params: Mapping[str, str | int]) -> None:
        if len(self._found) >= MAX_ISSUES:
            self._left_out += 1
            self._left_out_error = self._left_out_error or severity == "error"
            return
        short = {name: value if isinstance(value, int) else shorten(value) for name, value in params.items()}
        self._found.append(Issue(line, column, code, severity, short, self.file))

    def error(self, code: str, line: int = 0, column: int = 0, /, **params: str | int) -> None:
        """Add something that stops the row."""
        self._add("error", code, line, column, params)

    def warning(self, code: str, line: int = 0, column: int = 0, /, **params: str | int) -> None:
        """Add something that a person has to confirm."""
        self._add("warning", code, line, column, params)

    def info(self, code: str, line: int = 0, column: int = 0, /, **params: str | int) -> None:
        """Add something to know."""
        self._add("info", code, line, column, params)

    def extend(self, issues: Iterable[Issue]) -> None:
        """Add issues found elsewhere, with this file's name if they have none."""
        for issue in issues:
            if len(self._found) >= MAX_ISSUES:
                self._left_out += 1
                self._left_out_error = self._left_out_error or issue.severity == "error"
            else:
                self._found.append(issue if issue.file else replace(issue, file=self.file))

    def has(self, code: str) -> bool:
        """Whether an issue with this code was added."""
        return any(issue.code == code for issue in self._found)

    @property
    def has_errors(self) -> bool:
        """Whether an error was added."""
        return self._left_out_error or any(issue.severity == "error" for issue in self._found)

    def sorted(self) -> tuple[Issue, ...]:
        """Return the issues by file, line and column; the order of finding decides the rest."""
        issues = sorted(self._found, key=lambda issue: (issue.file, issue.line, issue.column))
        if self._left_out:
            severity: Severity = "error" if self._left_out_error else "warning"
            issues.append(Issue(0, 0, "too_many_issues", severity, {"count": self._left_out}, self.file))
        return tuple(issues)


def shorten(text: str, length: int = 60) -> str:
    """Return a text fit to be quoted in a message: one line, no control characters, at most `length` characters."""
    clean = "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
    return clean if len(clean) <= length else clean[: length - 1] + "…"


def repairs_of(repairs: Sequence[Repair], file: str) -> tuple[Repair, ...]:
    """Return the repairs that concern this file; those without a file's name concern every file."""
    return tuple(repair for repair in repairs if repair.file in ("", file))
