"""The grid of one round: lines typed by hand, or made from what is stored."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from federation.core.errors import RuleError
from federation.problems import explain
from ratings.core.rounds import MAX_ROWS, Entrant, GameRow, Problem, ReadRound, TypedRow, read_round

KIND_LABELS: tuple[tuple[str, str | Promise], ...] = (
    ("game", _("game")),
    ("bye", _("bye")),
    ("won", _("forfeit, player won")),
    ("lost", _("forfeit, player lost")),
    ("absent", _("both absent")),
    ("void", _("void")),
)
_WHOLE = re.compile(r"[+-]?\d{1,9}")
CELLS = ("a", "b", "score_a", "score_b", "kind")
MAX_CELL = 160
#: Empty lines beyond those that the players of the event need.
SPARE_LINES = 2


@dataclass(slots=True)
class GridLine:
    """One line as the page shows it."""

    number: int
    typed: TypedRow
    problems: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def tone(self) -> str:
        """``err``, ``warn`` or empty."""
        severities = {severity for _cell, severity, _text in self.problems}
        return "err" if "error" in severities else "warn" if severities else ""

    @property
    def wrong(self) -> dict[str, bool]:
        """Cells with an error, for ``aria-invalid``."""
        return {cell: True for cell, severity, _text in self.problems if severity == "error"}


class RoundGrid:
    """Lines of one round with everything that is wrong with them.

    Args:
        entrants: players of the event.
        number: the round.
        lines: what was typed.
        check: read the lines at once; a grid made from stored rows shows warnings only when asked.
    """

    def __init__(
        self, entrants: Sequence[Entrant], number: int, lines: Sequence[TypedRow], *, check: bool = True
    ) -> None:
        self.entrants = entrants
        self.number = number
        self.read: ReadRound = read_round(lines, entrants, number)
        self.lines = [GridLine(row.line, row) for row in lines]
        if check:
            self.mark(self.read.problems)

    @classmethod
    def from_rows(
        cls, entrants: Sequence[Entrant], number: int, rows: Iterable[GameRow], *, spare: int = 0
    ) -> RoundGrid:
        """Make the grid of what is stored, with empty lines for the players not yet seated."""
        names = {entrant.number: f"{entrant.number} {entrant.name}" for entrant in entrants}
        lines = [typed_row(line, row, names) for line, row in enumerate(rows, start=1)]
        seats = -(-len(entrants) // 2)
        total = min(max(len(lines) + max(spare, 1), seats + SPARE_LINES), MAX_ROWS)
        lines += [TypedRow(line) for line in range(len(lines) + 1, total + 1)]
        return cls(entrants, number, lines)

    @classmethod
    def from_post(cls, entrants: Sequence[Entrant], number: int, data: Mapping[str, Any]) -> RoundGrid:
        """Read the grid that a browser sent.

        Raises:
            RuleError: ``too_many_lines``; ``form_incomplete`` where the count or a cell did not arrive, for then a line
                that is missing would be taken for a line that was emptied.
        """
        count = whole(data.get("lines"), 0)
        if count > MAX_ROWS:
            raise RuleError("too_many_lines", {"limit": MAX_ROWS})
        if count < 1 or any(f"{name}-{line}" not in data for line in range(1, count + 1) for name in CELLS[:4]):
            raise RuleError("form_incomplete")
        if f"a-{count + 1}" in data:
            raise RuleError("form_incomplete")
        lines = [
            TypedRow(
                line=line,
                a=_cell(data, "a", line),
                b=_cell(data, "b", line),
                score_a=_cell(data, "score_a", line),
                score_b=_cell(data, "score_b", line),
                kind=_cell(data, "kind", line) or "game",
            )
            for line in range(1, count + 1)
        ]
        return cls(entrants, number, lines)

    def mark(self, problems: Iterable[Problem]) -> None:
        """Attach problems to their lines."""
        by_line: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
        for problem in problems:
            by_line[problem.line].append((problem.cell, problem.severity, explain(problem, "results")))
        for line in self.lines:
            line.problems = by_line[line.number]

    def add_lines(self, count: int = 5) -> None:
        """Add empty lines at the end."""
        start = len(self.lines) + 1
        self.lines += [GridLine(line, TypedRow(line)) for line in range(start, min(start + count, MAX_ROWS + 1))]

    @property
    def errors(self) -> list[tuple[int, str]]:
        """Line and text of each error, for the notice above the grid."""
        return [
            (line.number, text) for line in self.lines for _cell, severity, text in line.problems if severity == "error"
        ]

    @property
    def missing(self) -> list[Entrant]:
        """Players who stand in no line."""
        numbers = set(self.read.missing)
        return [entrant for entrant in self.entrants if entrant.number in numbers]

    @property
    def pending(self) -> int:
        """Games still without a result."""
        return sum(1 for row in self.read.rows if row.kind == "pending")

    @property
    def pending_text(self) -> str:
        """How many games have no result yet, in a sentence; empty for none."""
        if not self.pending:
            return ""
        text = ngettext("%(count)s game without a result.", "%(count)s games without a result.", self.pending)
        return text % {"count": self.pending}

    @property
    def most(self) -> int:
        """Most lines of a round."""
        return MAX_ROWS

    @property
    def kinds(self) -> tuple[tuple[str, str | Promise], ...]:
        """Choices of the last column."""
        return KIND_LABELS

    def as_json(self) -> dict[str, Any]:
        """Return what the live check answers."""
        names = {entrant.number: f"{entrant.number} {entrant.name}" for entrant in self.entrants}
        resolved = {
            str(line): {"a": names[row.a], "b": names[row.b] if row.b is not None else ""}
            for line, row in zip(self.read.lines, self.read.rows, strict=True)
            if row.a in names and (row.b is None or row.b in names)
        }
        return {
            "problems": [
                {"line": line.number, "cell": cell, "severity": severity, "text": text}
                for line in self.lines
                for cell, severity, text in line.problems
            ],
            "names": resolved,
            "missing": [names[entrant.number] for entrant in self.missing],
            "pending": self.pending_text,
        }


def typed_row(line: int, row: GameRow, names: Mapping[int, str]) -> TypedRow:
    """Return the cells that would be typed for a stored row."""
    kind = row.kind if row.kind in ("bye", "void") else "game"
    if row.kind == "forfeit":
        kind = "absent" if row.both_absent else "won" if row.result == 2 else "lost"
    score_a, score_b = figure(row.score_a), figure(row.score_b)
    if row.kind == "played" and row.score_a is None and row.result is not None:
        score_a, score_b = halves(row.result), halves(2 - row.result)
    return TypedRow(
        line=line,
        a=names.get(row.a, str(row.a)),
        b="" if row.b is None else names.get(row.b, str(row.b)),
        score_a=score_a,
        score_b=score_b,
        kind=kind,
    )


def figure(score: int | None) -> str:
    """Return a score as typed."""
    return "" if score is None else str(score)


def halves(value: int) -> str:
    """Return half points as typed: 1, 0.5 or 0, with the decimal sign of the language."""
    return {0: "0", 1: number_format("0.5", 1), 2: "1"}[value]


def row_text(values: Mapping[str, Any] | None) -> str:
    """Return a stored row in a few words, for comparisons: figures or kind."""
    if values is None:
        return str(_("no line"))
    row = typed_row(1, GameRow(**values), {})
    if values["kind"] in ("played", "pending"):
        return f"{row.score_a}–{row.score_b}" if row.score_a or row.score_b else str(_("no result yet"))
    return str(dict(KIND_LABELS)[row.kind])


def whole(text: object, default: int) -> int:
    """Return a small whole number from a form, the default for anything else, also for one of more than 9 figures."""
    typed = str(text).strip()
    return int(typed) if _WHOLE.fullmatch(typed) else default


def _cell(data: Mapping[str, Any], name: str, line: int) -> str:
    return str(data.get(f"{name}-{line}", ""))[:MAX_CELL].replace("\x00", "").strip()
