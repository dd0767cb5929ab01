"""The form of a correction: one game as it stands, and as it should be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from federation.problems import explain
from ratings.core.rounds import Entrant, GameRow, Problem, TypedRow, read_round
from ratings.forms.grid import typed_row, whole
from ratings.services.results import MAX_ROUND

CELLS = ("a", "b", "score_a", "score_b", "kind")


class CorrectionForm:
    """One line, its round, whether it is taken away, and the reason.

    Args:
        entrants: players of the event.
        data: what was sent; None shows the game as it stands.
        row: the game that is corrected; None for a game to add.
    """

    def __init__(self, entrants: Sequence[Entrant], data: Mapping[str, Any] | None, row: GameRow | None) -> None:
        self.entrants = entrants
        names = {entrant.number: f"{entrant.number} {entrant.name}" for entrant in entrants}
        self.typed = typed_row(1, row, names) if row else TypedRow(1)
        self.round = row.round if row else 1
        self.round_text = str(self.round)
        self.reason = ""
        self.remove = False
        self.problems: list[str] = []
        self.row: GameRow | None = None
        if data is not None:
            self._read(data)

    def _read(self, data: Mapping[str, Any]) -> None:
        cells = {name: str(data.get(name, ""))[:160].replace("\x00", "").strip() for name in CELLS}
        self.typed = TypedRow(1, **{**cells, "kind": cells["kind"] or "game"})
        self.round_text = str(data.get("round", ""))[:20].replace("\x00", "").strip()
        self.round = whole(self.round_text, 0)
        self.reason = str(data.get("reason", ""))[:2000].replace("\x00", "").strip()
        self.remove = data.get("remove") == "on"
        if self.remove:
            return
        read = read_round([self.typed], self.entrants, self.round)
        problems = [problem for problem in read.problems if problem.severity == "error"]
        if not read.rows and not problems:
            problems = [Problem(1, "a", "player_empty")]
        if not 1 <= self.round <= MAX_ROUND:
            problems.append(Problem(0, "", "round_unknown", params={"round": self.round_text, "rounds": MAX_ROUND}))
        self.problems = [explain(problem, "results") for problem in problems]
        self.row = read.rows[0] if read.rows and not problems else None
