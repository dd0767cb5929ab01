"""One round as a person types it: reading of the cells, and what is wrong with them.

The grid of results asks the same questions live and when it is saved, so the answers are here and nowhere else. A
`Problem` with severity ``error`` stops the round from being stored; a ``warning`` is shown and stops nothing.

Source of the rules: specification of BARRUF, sections 2, 5 (points of byes and forfeits) and 9 (data errors).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from federation.core.names import fold
from ratings.core.formats.common import SCORE_RANGE

Severity = Literal["error", "warning"]

WIN: Final = 2
DRAW: Final = 1
LOSS: Final = 0

MAX_ROWS: Final = 400
"""Most rows of one round."""

USUAL_SCORES: Final = (100, 800)
"""Scores outside are possible, but worth a second look."""

BYE_WORDS: Final = frozenset({"bye", "lliure", "descansa", "exempt", "exempta", "libre", "0", "-", "–", "—"})
"""What a director writes for «no opponent», folded where it has letters."""

KINDS: Final = ("game", "bye", "won", "lost", "absent", "void")
"""Choices of a row: a game (without scores: still to be played), bye, forfeit won, forfeit lost, both absent, void."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of the event.

    Attributes:
        number: number in the event.
        name: as staff and directors see it.
        person: key of the record in the register that counts, merges followed.
        withdrawn_after: last round before the withdrawal, None for none.
    """

    number: int
    name: str
    person: int
    withdrawn_after: int | None = None


@dataclass(frozen=True, slots=True)
class TypedRow:
    """Cells of one line of the grid, as typed."""

    line: int
    a: str = ""
    b: str = ""
    score_a: str = ""
    score_b: str = ""
    kind: str = "game"

    @property
    def is_empty(self) -> bool:
        """Whether nothing was typed, so that the line does not exist."""
        return not any(text.strip() for text in (self.a, self.b, self.score_a, self.score_b))


@dataclass(frozen=True, slots=True)
class GameRow:
    """An entry of a round in terms of numbers of the event; the kinds are those of the facts.

    Attributes:
        a, b: numbers of the players in the event; `b` is None where there is no opponent.
        kind: ``played``, ``bye``, ``forfeit``, ``void`` or ``pending``.
        result: half points of `a` (2, 1, 0), also the event points of a bye or forfeit; None where there is none.
        both_absent: a forfeit of both.
    """

    a: int
    b: int | None = None
    kind: str = "played"
    score_a: int | None = None
    score_b: int | None = None
    result: int | None = None
    both_absent: bool = False
    board: int | None = None
    round: int = 0

    def canonical(self) -> GameRow:
        """Return the same fact told from the player with the lower number."""
        if self.b is None or self.a <= self.b:
            return self
        result = self.result
        if result is not None and not self.both_absent:
            result = WIN - result
        return replace(self, a=self.b, b=self.a, score_a=self.score_b, score_b=self.score_a, result=result)

    @property
    def players(self) -> tuple[int, ...]:
        """Numbers of the one or two players."""
        return (self.a,) if self.b is None else (self.a, self.b)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong, or worth a look, in a line of the grid.

    Attributes:
        line: line of the grid from 1; 0 for the round as a whole.
        cell: ``a``, ``b``, ``score_a``, ``score_b``, ``kind`` or empty for the line.
    """

    line: int
    cell: str
    code: str
    severity: Severity = "error"
    params: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class ReadRound:
    """What the lines of a grid say: rows by line, and all problems at once."""

    rows: tuple[GameRow, ...]
    lines: tuple[int, ...]
    problems: tuple[Problem, ...]
    missing: tuple[int, ...] = ()

    @property
    def has_errors(self) -> bool:
        """Whether the round cannot be stored as typed."""
        return any(problem.severity == "error" for problem in self.problems)


_LEADING_NUMBER = re.compile(r"\s*(\d{1,5})\b[\s.)·-]*(.*)", re.DOTALL)
_RESULTS: Final[Mapping[str, int]] = {"0": 0, "0.5": 1, ".5": 1, "½": 1, "1/2": 1, "1": 2, "0.0": 0, "1.0": 2}
_WHOLE = re.compile(r"[+-]?\d{1,6}")


def find_players(text: str, entrants: Sequence[Entrant]) -> list[Entrant]:
    """Return the players that a typed text may mean: a number, a number with the name, or the beginnings of words.

    Every typed word must begin a word of the name; case, accents, order of words and script do not matter. A name
    typed in full beats longer names that merely begin with it.

    >>> ona = Entrant(7, "Ona Càdec", 70)
    >>> [found.number for found in find_players("cad o", [ona, Entrant(8, "Pol Roig", 80)])]
    [7]
    """
    match = _LEADING_NUMBER.fullmatch(text)
    if match:
        rest = fold(match.group(2))
        return [
            entrant
            for entrant in entrants
            if entrant.number == int(match.group(1)) and (not rest or _begins(rest.split(), fold(entrant.name)))
        ]
    words = fold(text).split()
    if not words:
        return []
    found = [entrant for entrant in entrants if _begins(words, fold(entrant.name))]
    exact = [entrant for entrant in found if sorted(fold(entrant.name).split()) == sorted(words)]
    return exact or found


def _begins(words: Sequence[str], name: str) -> bool:
    """Whether each typed word begins another word of the name."""
    left = name.split()
    for word in sorted(words, key=len, reverse=True):
        hit = next((part for part in left if part.startswith(word)), None)
        if hit is None:
            return False
        left.remove(hit)
    return True


def read_round(typed: Sequence[TypedRow], entrants: Sequence[Entrant], round_number: int) -> ReadRound:
    """Read the lines of a grid and find everything that is wrong with them.

    Args:
        typed: lines in their order; empty ones are passed over.
        entrants: players of the event.
        round_number: the round they belong to.

    Returns:
        Rows of the lines that could be read, all problems, and the numbers of players who stand in no line although
        they have not withdrawn.
    """
    problems: list[Problem] = []
    rows: list[GameRow] = []
    lines: list[int] = []
    for row in typed:
        if row.is_empty:
            continue
        read = _read_row(row, entrants, round_number, problems)
        if read is not None:
            rows.append(read)
            lines.append(row.line)
    problems += check_rows(rows, entrants, round_number, lines)
    return ReadRound(
        rows=tuple(rows),
        lines=tuple(lines),
        problems=tuple(sorted(problems, key=lambda problem: problem.line)),
        missing=missing_players(rows, entrants, round_number),
    )


def missing_players(rows: Iterable[GameRow], entrants: Sequence[Entrant], round_number: int) -> tuple[int, ...]:
    """Return the numbers of players in no row of the round although they have not withdrawn before it."""
    seated = {number for row in rows for number in row.players}
    return tuple(
        entrant.number
        for entrant in entrants
        if entrant.number not in seated and (entrant.withdrawn_after is None or entrant.withdrawn_after >= round_number)
    )


def check_rows(
    rows: Sequence[GameRow], entrants: Sequence[Entrant], round_number: int, lines: Sequence[int] | None = None
) -> list[Problem]:
    """Find contradictions between rows of one round, and in the figures of each.

    Codes of errors: ``unknown_player``, ``missing_player``, ``self_play``, ``twice_in_round``,
    ``two_entries_one_person``, ``bad_result``, ``score_impossible``; of warnings: ``withdrawn_player``,
    ``score_unusual``.
    """
    by_number = {entrant.number: entrant for entrant in entrants}
    lines = lines if lines is not None else range(1, len(rows) + 1)
    problems: list[Problem] = []
    seated: dict[int, int] = {}
    persons: dict[int, tuple[int, int]] = {}
    for line, row in zip(lines, rows, strict=True):
        problems += _row_problems(row, line)
        if row.b == row.a:
            problems.append(Problem(line, "b", "self_play", params={"name": _name(by_number, row.a)}))
            seated.setdefault(row.a, line)
            continue
        for cell, number in zip(("a", "b"), row.players, strict=False):
            entrant = by_number.get(number)
            if entrant is None:
                problems.append(Problem(line, cell, "unknown_player", params={"text": str(number)}))
                continue
            if number in seated:
                params = {"name": entrant.name, "other_line": seated[number]}
                problems.append(Problem(line, cell, "twice_in_round", params=params))
                continue
            seated[number] = line
            other_line, other = persons.setdefault(entrant.person, (line, number))
            if other != number:
                params = {"name": entrant.name, "other_line": other_line, "other": other, "number": number}
                problems.append(Problem(line, cell, "two_entries_one_person", params=params))
            if entrant.withdrawn_after is not None and entrant.withdrawn_after < round_number:
                params = {"name": entrant.name, "round": entrant.withdrawn_after}
                problems.append(Problem(line, cell, "withdrawn_player", "warning", params))
    return problems


def _row_problems(row: GameRow, line: int) -> list[Problem]:
    """Find what a row contradicts by itself."""
    problems = []
    if row.b is None and row.kind not in ("bye", "forfeit"):
        problems.append(Problem(line, "b", "missing_player"))
    if row.b is not None and row.kind == "bye":
        problems.append(Problem(line, "b", "bye_with_opponent"))
    if row.kind == "played":
        if row.result not in (LOSS, DRAW, WIN):
            problems.append(Problem(line, "score_a", "bad_result"))
        elif (
            row.score_a is not None
            and row.score_b is not None
            and row.result != result_of_scores(row.score_a, row.score_b)
        ):
            problems.append(Problem(line, "score_a", "result_contradicts_scores"))
    if row.kind in ("pending", "void") and row.result is not None:
        problems.append(Problem(line, "kind", "bad_result"))
    if row.score_a is None and row.score_b is not None:
        problems.append(Problem(line, "score_a", "score_missing"))
    for cell, score in (("score_a", row.score_a), ("score_b", row.score_b)):
        if score is None:
            continue
        if not SCORE_RANGE[0] <= score <= SCORE_RANGE[1]:
            params = {"score": score, "low": SCORE_RANGE[0], "high": SCORE_RANGE[1]}
            problems.append(Problem(line, cell, "score_impossible", params=params))
        elif row.kind == "played" and not USUAL_SCORES[0] <= score <= USUAL_SCORES[1]:
            problems.append(Problem(line, cell, "score_unusual", "warning", {"score": score}))
    return problems


def result_of_scores(score_a: int, score_b: int) -> int:
    """Half points of the first player: the result follows from the scores (specification, section 2).

    >>> result_of_scores(392, 368), result_of_scores(400, 400)
    (2, 1)
    """
    return WIN if score_a > score_b else LOSS if score_a < score_b else DRAW


def _name(by_number: Mapping[int, Entrant], number: int) -> str:
    entrant = by_number.get(number)
    return entrant.name if entrant else str(number)


def _read_row(row: TypedRow, entrants: Sequence[Entrant], round_number: int, problems: list[Problem]) -> GameRow | None:
    """Read one line; add what is wrong and return None where no row can be made of it."""
    before = len(problems)
    kind = row.kind if row.kind in KINDS else "game"
    if row.kind not in KINDS:
        problems.append(Problem(row.line, "kind", "bad_kind", params={"text": row.kind[:40]}))
    if kind == "game" and _is_bye(row.b) and row.a.strip():
        kind = "bye"
    a = _player(row, "a", row.a, entrants, problems)
    b = None
    if kind == "bye":
        if row.b.strip() and not _is_bye(row.b):
            problems.append(Problem(row.line, "b", "bye_with_opponent"))
    elif row.b.strip() and not _is_bye(row.b):
        b = _player(row, "b", row.b, entrants, problems)
    elif kind in ("game", "void"):
        problems.append(Problem(row.line, "b", "missing_player"))
    figures = _figures(row, kind, problems)
    if a is None or len(problems) > before or figures is None:
        return None
    fact_kind, score_a, score_b, result = figures
    return GameRow(
        a=a,
        b=b,
        kind=fact_kind,
        score_a=score_a,
        score_b=score_b,
        result=result,
        both_absent=kind == "absent",
        board=row.line,
        round=round_number,
    )


def _is_bye(text: str) -> bool:
    text = text.strip()
    return text in BYE_WORDS or fold(text) in BYE_WORDS


def _player(row: TypedRow, cell: str, text: str, entrants: Sequence[Entrant], problems: list[Problem]) -> int | None:
    """Return the number of the one player that a cell names."""
    if not text.strip():
        problems.append(Problem(row.line, cell, "player_empty"))
        return None
    found = find_players(text, entrants)
    if len(found) == 1:
        return found[0].number
    if found:
        names = ", ".join(f"{entrant.number} {entrant.name}" for entrant in found[:6])
        problems.append(Problem(row.line, cell, "ambiguous_player", params={"text": text[:60], "names": names}))
    else:
        problems.append(Problem(row.line, cell, "unknown_player", params={"text": text[:60]}))
    return None


def _figures(
    row: TypedRow, kind: str, problems: list[Problem]
) -> tuple[str, int | None, int | None, int | None] | None:
    """Return kind, scores and half points of a line, or None after adding what is wrong.

    Both figures among 0, 0.5 and 1 that add up to 1 are results, not scores (specification, section 9).
    """
    texts = [text.strip().replace(",", ".").replace("−", "-") for text in (row.score_a, row.score_b)]
    if kind != "game":
        return _figures_without_game(row, kind, texts, problems)
    if not any(texts):
        return ("pending", None, None, None)
    if not all(texts):
        problems.append(Problem(row.line, "score_b" if texts[0] else "score_a", "score_missing"))
        return None
    if all(text in _RESULTS for text in texts):
        halves = [_RESULTS[text] for text in texts]
        if sum(halves) == WIN:
            return ("played", None, None, halves[0])
        code = "no_result" if not any(halves) else "results_do_not_add_up"
        problems.append(Problem(row.line, "score_a", code, params={"a": row.score_a, "b": row.score_b}))
        return None
    scores = _scores(row, texts, problems)
    if scores is None:
        return None
    return ("played", scores[0], scores[1], result_of_scores(*scores))


def _figures_without_game(
    row: TypedRow, kind: str, texts: Sequence[str], problems: list[Problem]
) -> tuple[str, int | None, int | None, int | None] | None:
    """Figures of a bye, forfeit or void game: points of the event, and scores only where the event gives some."""
    points = {"bye": WIN, "won": WIN, "lost": LOSS, "absent": LOSS, "void": None}[kind]
    fact_kind = kind if kind in ("bye", "void") else "forfeit"
    if not any(texts):
        return (fact_kind, None, None, points)
    if texts[1] and not texts[0]:
        problems.append(Problem(row.line, "score_a", "score_missing"))
        return None
    given = _scores(row, [text for text in texts if text], problems)
    if given is None:
        return None
    return (fact_kind, given[0], given[1] if len(given) > 1 else None, points)


def _scores(row: TypedRow, texts: Sequence[str], problems: list[Problem]) -> list[int] | None:
    """Return whole numbers; their size is judged by `check_rows`."""
    scores = []
    for cell, text in zip(("score_a", "score_b"), texts, strict=False):
        if _WHOLE.fullmatch(text):
            scores.append(int(text))
        else:
            problems.append(Problem(row.line, cell, "bad_score", params={"text": text[:20]}))
    return scores if len(scores) == len(texts) else None
