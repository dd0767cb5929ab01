"""One row of a results sheet: who played whom, in which round, with which figures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from federation.core import limits
from federation.core.names import fold, spelling
from federation.core.reading import Issues, Kind, ReadPerson
from federation.core.tabular import Row, Table
from ratings.core.formats.common import half_points, looks_like_forfeit, score_fits
from ratings.core.formats.headings import words_of

NO_OPPONENT = frozenset(
    (  # noqa: SIM905 - a list of words
        "bye|descansa|descanso|descans|descansen|libre|lliure|exempt|exempta|exento|free|none|no opponent|ningu|nadie"
        "|nessuno|nimeni|riposo|riposa|pauza|liber|libera|odihna|otdykh|otdykhaet|svoboden|svobodna|sense rival"
        "|sin rival|senza avversario|fara adversar|bez sopernika"
    ).split("|")
)
_NO_OPPONENT_SIGNS = frozenset(("-", "–", "—", "--", "---", "_", "/", "*", "."))
_NO_SHOW = frozenset(
    (  # noqa: SIM905 - a list of words
        "np|no presentat|no presentada|no presentado|nopresentat|wo|w o|ff|forfeit|forfait|incompareixenca"
        "|incomparecencia|absent|no show|noshow|neyavka|assente|absentat"
    ).split("|")
)
_HALVES = {"½": Fraction(1, 2), "1/2": Fraction(1, 2), "1⁄2": Fraction(1, 2)}
_FIGURE = re.compile(r"[+-]?\d{1,6}(?:[.,]\d{1,4})?", re.ASCII)


@dataclass(slots=True)
class Draft:
    """A row understood, before people have keys and rounds are settled."""

    line: int
    round: int | None
    name_a: str
    name_b: str
    kind: Kind
    score_a: int | None = None
    score_b: int | None = None
    result_a: int | None = None
    table: str = ""
    first: str = ""
    extras: dict[str, str] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    only_result: bool = False


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the headings stand and what each column holds."""

    heading: Row
    roles: tuple[str, ...]
    winner: bool

    def column(self, role: str) -> int:
        """Return the number of the first column with a role, 0 if none."""
        return self.roles.index(role) + 1 if role in self.roles else 0

    @property
    def needed(self) -> int:
        """Number of the last column that every row must reach."""
        return max(self.column(role) for role in ("a", "b", "score_a", "score_b", "result", "number_a", "number_b"))


class People:
    """People of a sheet by spelling; the first one in the file comes first."""

    def __init__(self, participants: Mapping[str, ReadPerson], file: str) -> None:
        self._by_number = dict(participants)
        counts = Counter(spelling(person.name) for person in participants.values())
        self._ambiguous = {key for key, count in counts.items() if count > 1}
        # Namesakes are told apart by number only.
        self._by_spelling = {
            f"#{number}" if spelling(person.name) in self._ambiguous else spelling(person.name): person
            for number, person in participants.items()
        }
        self._file = file

    def key(self, name: str, line: int, number: str = "") -> str:
        """Return the key of a name, a new one if it was not seen before."""
        key = f"#{number}" if spelling(name) in self._ambiguous else spelling(name)
        known = self._by_spelling.get(key)
        if known is None:
            self._by_spelling[key] = ReadPerson(
                key=key, name=name, line=line, file=self._file, written=name, number=number
            )
        else:
            # A name in capitals gives way to the same name spelled normally.
            better = name if known.name.isupper() and not name.isupper() else known.name
            self._by_spelling[key] = replace(known, name=better, line=known.line or line, number=known.number or number)
        return self._by_spelling[key].key

    def is_ambiguous(self, name: str, number: str) -> bool:
        """Whether the name alone does not say who is meant."""
        return spelling(name) in self._ambiguous and number not in self._by_number

    def name_of(self, number: str) -> str:
        """Return the name that a number stands for, empty if unknown."""
        person = self._by_number.get(number)
        return person.name if person else ""

    @property
    def everybody(self) -> list[ReadPerson]:
        """Everybody, in the order of the file."""
        return list(self._by_spelling.values())


class _Cells:
    """Cells of a row by role."""

    def __init__(self, row: Row, layout: Layout) -> None:
        self._row = row
        self._layout = layout

    def __getitem__(self, role: str) -> str:
        column = self._layout.column(role)
        return self._row.cells[column - 1] if 0 < column <= len(self._row.cells) else ""


def read_row(row: Row, layout: Layout, table: Table, people: People, issues: Issues) -> Draft | None:
    """Return what a row says, None for an empty or a refused one."""
    cells = _Cells(row, layout)
    if table.delimiter and row.width < layout.needed:
        issues.error("row_too_short", row.line, max(row.width, 1), found=row.width, expected=layout.needed)
        return None
    width = len(layout.heading.cells)
    if any(row.cells[width:]):
        column = next(place for place, cell in enumerate(row.cells[width:], start=width + 1) if cell)
        issues.error("too_many_cells", row.line, column, text=row.cells[column - 1])
        return None
    if not any(cells[role] for role in ("a", "b", "score_a", "score_b", "result", "number_a", "number_b")):
        # A template's empty row, or a heading of a round.
        return None
    fits, number = _round(row, cells["round"], layout, issues)
    if not fits:
        return None
    names = _names(row, cells, layout, people, issues)
    if names is None:
        return None
    draft = _figures(row, cells, layout, *names, issues)
    if draft is None:
        return None
    draft.round = number
    draft.table = cells["table"]
    draft.numbers = {draft.name_a: cells["number_a"], draft.name_b: cells["number_b"]}
    draft.extras = {
        layout.heading.cells[place]: cell
        for place, cell in enumerate(row.cells)
        if cell and layout.roles[place] in ("extra", "") and layout.heading.cells[place]
    }
    starts = fold(cells["starts"])
    draft.first = "a" if starts in ("first", "1", "1st") else "b" if starts in ("second", "2", "2nd") else ""
    return draft


def _round(row: Row, text: str, layout: Layout, issues: Issues) -> tuple[bool, int | None]:
    column = layout.column("round")
    if not column:
        return True, None
    if not text:
        issues.error("round_missing", row.line, column)
        return False, None
    words = [word for word in words_of(text) if word.isdigit()]
    whole = re.fullmatch(r"(\d{1,6})[.,]0+", text, re.ASCII)
    if whole:
        words = [whole[1]]
    if len(words) != 1 or len(words[0]) > 6 or int(words[0]) == 0 or (re.search(r"^-|\d[.,]\d", text) and not whole):
        issues.error("bad_round", row.line, column, text=text)
        return False, None
    if int(words[0]) > limits.MAX_ROUNDS:
        issues.error("too_many_rounds", row.line, column, round=words[0], limit=limits.MAX_ROUNDS)
        return False, None
    return True, int(words[0])


def is_no_opponent(text: str) -> bool:
    """Whether a cell says that there is no opponent.

    >>> is_no_opponent("BYE"), is_no_opponent("-"), is_no_opponent("Descansa"), is_no_opponent("Ona Càdec")
    (True, True, True, False)
    """
    return not text or text in _NO_OPPONENT_SIGNS or fold(text) in NO_OPPONENT


def _names(row: Row, cells: _Cells, layout: Layout, people: People, issues: Issues) -> tuple[str, str] | None:
    names: list[str] = []
    for side in ("a", "b"):
        text = " ".join(cells[side].split())
        number = cells[f"number_{side}"]
        if not text and number:
            text = people.name_of(number)
            if not text:
                issues.error(
                    "unknown_player", row.line, layout.column(f"number_{side}"), number=number, round=cells["round"]
                )
                return None
        listed = people.name_of(number) if number else ""
        if is_no_opponent(text):
            text = ""
        elif listed and spelling(listed) != spelling(text):
            issues.error("number_names_another", row.line, layout.column(side), number=number, name=listed, text=text)
            return None
        elif people.is_ambiguous(text, number):
            issues.error("name_ambiguous", row.line, layout.column(side), name=text)
            return None
        elif not any(character.isalpha() for character in text) or "\N{REPLACEMENT CHARACTER}" in text:
            issues.error("bad_name", row.line, layout.column(side), text=text)
            return None
        names.append(text)
    if not any(names):
        issues.error("name_missing", row.line, layout.column("a") or 1)
        return None
    return names[0], names[1]


def _number(text: str) -> Fraction | None:
    """Return a figure as it stands, None if it is none."""
    text = text.replace("\u2212", "-").strip()
    if text in _HALVES:
        return _HALVES[text]
    return Fraction(text.replace(",", ".")) if _FIGURE.fullmatch(text) else None


def _figures(row: Row, cells: _Cells, layout: Layout, name_a: str, name_b: str, issues: Issues) -> Draft | None:
    texts = [cells["score_a"], cells["score_b"]]
    columns = [layout.column("score_a"), layout.column("score_b")]
    if cells["result"]:
        parts = re.fullmatch(r"\s*(½|[\d.,/]+)\s*[-–—:]\s*(½|[\d.,/]+)\s*", cells["result"])
        if not parts:
            issues.error("bad_score", row.line, layout.column("result"), text=cells["result"])
            return None
        texts, columns = [parts[1], parts[2]], [layout.column("result")] * 2
    elif not any(texts) and (cells["result_a"] or cells["result_b"]):
        texts, columns = [cells["result_a"], cells["result_b"]], [layout.column("result_a"), layout.column("result_b")]
    if name_a and name_b:
        no_shows = [fold(text) in _NO_SHOW and bool(text) for text in texts]
        if any(no_shows):
            return _no_show(row, name_a, name_b, texts, no_shows, columns, issues)
    figures: list[Fraction | None] = []
    for text, column in zip(texts, columns, strict=True):
        figure = _number(text) if text else None
        if text and figure is None and not (is_no_opponent(text) and not (name_a and name_b)):
            issues.error("bad_score", row.line, column, text=text)
            return None
        figures.append(figure)
    if not (name_a and name_b):
        return _alone(row, name_a, name_b, figures, columns, layout, issues)
    draft = _pair(row, name_a, name_b, figures, columns, layout, issues)
    if draft is not None and draft.score_a is not None and (cells["result_a"] or cells["result_b"]):
        results = [_number(cells["result_a"]), _number(cells["result_b"])]
        if results[0] is not None and results[0] * 2 != draft.result_a:
            issues.error(
                "result_against_score", row.line, layout.column("result_a"),
                result=cells["result_a"], score_a=draft.score_a, score_b=draft.score_b or 0,
            )  # fmt: skip
            return None
    return draft


def _no_show(
    row: Row,
    name_a: str,
    name_b: str,
    texts: Sequence[str],
    no_shows: Sequence[bool],
    columns: Sequence[int],
    issues: Issues,
) -> Draft | None:
    if all(no_shows):
        return Draft(row.line, None, name_a, name_b, "forfeit")
    present = 0 if no_shows[1] else 1
    figure = _number(texts[present]) if texts[present] else Fraction(1)
    if figure is None or figure <= 0:
        issues.error("forfeit_unclear", row.line, columns[present])
        return None
    return Draft(row.line, None, name_a, name_b, "forfeit", result_a=2 if present == 0 else 0)


def _alone(
    row: Row,
    name_a: str,
    name_b: str,
    figures: Sequence[Fraction | None],
    columns: Sequence[int],
    layout: Layout,
    issues: Issues,
) -> Draft | None:
    own, none = (figures[0], figures[1]) if name_a else (figures[1], figures[0])
    name = name_a or name_b
    for figure, column in zip(figures, columns, strict=True):
        if figure is not None and figure.denominator not in (1, 2):
            issues.error("bad_score", row.line, column, text=str(float(figure)))
            return None
    if (own is not None and none is not None and own < none) or (own is not None and own < 0):
        issues.warning(
            "maybe_forfeit", row.line, columns[0],
            a=name, b="BYE", score_a=str(own), score_b=str(none if none is not None else ""),
            round=_round_text(row, layout),
        )  # fmt: skip
        return Draft(row.line, None, name, "", "forfeit", result_a=0)
    score = int(own) if own is not None and own > 1 and own.denominator == 1 else None
    return Draft(row.line, None, name, "", "bye", score_a=score, result_a=2)


def _pair(
    row: Row,
    name_a: str,
    name_b: str,
    figures: Sequence[Fraction | None],
    columns: Sequence[int],
    layout: Layout,
    issues: Issues,
) -> Draft | None:
    first, second = figures
    if first is None and second is None:
        issues.info("pending_game", row.line, columns[0], a=name_a, b=name_b, round=_round_text(row, layout))
        return Draft(row.line, None, name_a, name_b, "pending")
    if first is None or second is None:
        missing = 0 if first is None else 1
        issues.error("score_missing", row.line, columns[missing], name=(name_a, name_b)[missing])
        return None
    if {first, second} <= {Fraction(0), Fraction(1, 2), Fraction(1)} and not first == second == 0:
        if first + second != 1:
            issues.error("results_do_not_add_up", row.line, columns[0], a=_plain(first), b=_plain(second))
            return None
        if layout.winner and first < second:
            issues.error(
                "winner_lower", row.line, columns[0], winner=name_a, score_a=_plain(first), score_b=_plain(second)
            )
            return None
        return Draft(row.line, None, name_a, name_b, "played", result_a=int(first * 2), only_result=True)
    return _scores(row, name_a, name_b, first, second, columns, layout, issues)


def _round_text(row: Row, layout: Layout) -> str:
    return _Cells(row, layout)["round"] or "?"


def _plain(figure: Fraction) -> str:
    return str(int(figure)) if figure.denominator == 1 else str(float(figure))


def _scores(
    row: Row,
    name_a: str,
    name_b: str,
    first: Fraction,
    second: Fraction,
    columns: Sequence[int],
    layout: Layout,
    issues: Issues,
) -> Draft | None:
    for figure, column in ((first, columns[0]), (second, columns[1])):
        if figure.denominator != 1:
            issues.error("bad_score", row.line, column, text=_plain(figure))
            return None
        if not score_fits(int(figure)):
            issues.error("score_impossible", row.line, column, score=_plain(figure))
            return None
    score_a, score_b = int(first), int(second)
    if score_a == score_b == 0:
        issues.error("no_result", row.line, columns[0])
        return None
    if layout.winner and score_a < score_b:
        issues.error("winner_lower", row.line, columns[0], winner=name_a, score_a=score_a, score_b=score_b)
        return None
    if layout.winner and score_a == score_b:
        issues.info("draw_with_winner", row.line, columns[0], score=score_a)
    kind: Kind = "played"
    result: int | None = half_points(score_a, score_b)
    if looks_like_forfeit(score_a, score_b):
        issues.warning(
            "maybe_forfeit", row.line, columns[0],
            a=name_a, b=name_b, score_a=score_a, score_b=score_b, round=_round_text(row, layout),
        )  # fmt: skip
        kind = "forfeit"
        result = None if score_a < 0 and score_b < 0 else result
    return Draft(row.line, None, name_a, name_b, kind, score_a, score_b, result)
