"""The rows of a file as the page of the preview shows them: cells, what is wrong, what can be typed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from federation.core.reading import Issue, SourceRow
from federation.problems import explain
from federation.uploads.queries.analysis import Analysis, mark_of
from federation.uploads.services.records import aside_key, aside_place
from federation.uploads.services.repairs import cell_text

#: Place of a cell in the form: number of the file, line, column.
Place = tuple[int, int, int]

PAGE = 200
"""Rows of one page of the preview."""

FILE_REMARKS = frozenset({"no_entry", "column_unknown", "unused_file"})
"""Remarks that a file may have by the dozen: they stand together, folded."""

SHOWS = ("all", "problems", "look", "fine", "aside")
_LOOKALIKES = str.maketrans({"O": "0", "o": "0", "Q": "0", "l": "1", "I": "1", "|": "1", "S": "5", "B": "8", "Z": "2"})
_FIGURES = frozenset({"bad_score", "bad_number", "bad_round"})


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing said of a row.

    Attributes:
        tone: ``err``, ``warn``, ``ok`` (a warning found right) or ``info``.
        mark: what confirms a warning; empty for others.
    """

    text: str
    tone: str
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a row: its text in three parts, the middle one being what is wrong."""

    text: str
    before: str = ""
    wrong: str = ""
    after: str = ""
    minor: bool = False
    figure: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """Something that can be typed to mend a row."""

    name: str
    label: str
    value: str
    invalid: bool = False
    problems: Sequence[str] = ()
    suggestion: str = ""


@dataclass
class RowView:
    """A row of the preview."""

    file: int
    line: int
    cells: list[Cell]
    state: str
    remarks: list[Remark] = field(default_factory=list)
    fields: list[Field] = field(default_factory=list)
    is_open: bool = False
    can_edit: bool = True
    aside: Mapping[str, object] | None = None
    reason: str = ""
    reason_problem: str = ""
    is_next: bool = False

    @property
    def anchor(self) -> str:
        """Address of the row on the page."""
        return f"row-{self.file}-{self.line}" if self.file else f"row-{self.line}"

    @property
    def place(self) -> str:
        """Value of the buttons of the row."""
        return f"{self.file}:{self.line}"

    @property
    def tone(self) -> str:
        """Tone of the row."""
        return {"problem": "err", "look": "warn"}.get(self.state, "")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table."""

    label: str
    place: int
    minor: bool
    figure: bool


@dataclass
class RowsView:
    """All rows of a page of the preview, with the counts of all pages."""

    columns: list[Column]
    rows: list[RowView]
    counts: dict[str, int]
    files: list[str]
    general: list[Remark]
    remarks: list[Remark]
    is_text: bool


@dataclass(frozen=True, slots=True)
class Typed:
    """What a person typed and is not stored: kept on the page."""

    cells: Mapping[Place, str] = field(default_factory=dict)
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)
    problems: Mapping[tuple[int, int], str] = field(default_factory=dict)
    edit: tuple[int, int] | None = None


_FIGURE_ROLES = frozenset(("round", "table", "rating", "games", "wins"))


def files_of(analysis: Analysis) -> list[str]:
    """Return the names of the files in the order of their rows; one without a name where one came alone."""
    names = {row.file: 0 for row in analysis.reading.rows}
    names |= {aside_place(key)[0]: 0 for key in analysis.upload.set_aside}
    names |= {issue.file: 0 for issue in analysis.file_issues if issue.line}
    return list(names) or [""]


def rows_view(analysis: Analysis, *, show: str, page: int, typed: Typed | None = None) -> RowsView:
    """Return the rows that a page of the preview shows.

    Args:
        analysis: the upload.
        show: which rows (`SHOWS`).
        page: page from 1.
        typed: what was typed and not stored.
    """
    typed = typed or Typed()
    files = files_of(analysis)
    columns = _columns(analysis)
    by_row: dict[tuple[str, int], list[Issue]] = defaultdict(list)
    for issue in analysis.file_issues:
        by_row[issue.file, issue.line].append(issue)
    confirmed = set(analysis.upload.confirmed)
    used = _used_lines(analysis)
    views: list[tuple[RowView, SourceRow, list[Issue]]] = []
    for row in _all_rows(analysis, files, by_row):
        issues = [issue for issue in by_row.get((row.file, row.line), []) if issue.severity != "info"]
        state = _state(analysis, row, issues, confirmed, used)
        views.append((RowView(files.index(row.file), row.line, [], state), row, issues))
    counts = _counts([view.state for view, _, _ in views])
    wanted = [one for one in views if show == "all" or _shown(one[0].state, show)]
    part = wanted[(page - 1) * PAGE : page * PAGE]
    for view, row, issues in part:
        _fill(view, row, issues, by_row.get((row.file, row.line), []), analysis, columns, confirmed, typed)
    first = next((view for view, _, _ in part if view.state in ("problem", "look")), None)
    if first is not None:
        first.is_next = True
    said = _general(analysis, {(row.file, row.line) for _, row, _ in views})
    lasting = [issue for issue in said if issue.severity != "info" or issue.code not in FILE_REMARKS]
    general = [_remark(issue, confirmed) for issue in lasting]
    remarks = [_remark(issue, confirmed) for issue in said if issue not in lasting]
    pages = {"shown": len(wanted), "pages": max(1, -(-len(wanted) // PAGE))}
    return RowsView(
        columns, [view for view, _, _ in part], counts | pages, files, general, remarks, not analysis.reading.columns
    )


def _general(analysis: Analysis, rows: set[tuple[str, int]]) -> list[Issue]:
    """Return the issues that no row shows, each text once."""
    shown = [issue for issue in analysis.file_issues if not issue.line or (issue.file, issue.line) not in rows]
    return list({mark_of(issue): issue for issue in shown}.values())


def _columns(analysis: Analysis) -> list[Column]:
    """Return the columns with a meaning; of a text format the line itself."""
    roles = analysis.kind.roles
    read = analysis.reading.columns
    if not read:
        widest = max((len(row.cells) for row in analysis.reading.rows[:50]), default=1)
        if widest <= 1:
            return [Column(_("Text of the line"), 0, False, False)]
        return [Column(str(place), place, place > 4, False) for place in range(1, min(widest, 8) + 1)]
    return [
        Column(str(roles[role]), place, _is_minor(role), _is_figure(role))
        for place, role in enumerate(read, start=1)
        if role in roles and role not in read[: place - 1]
    ]


def _is_minor(role: str) -> bool:
    return role in ("round", "table", "starts", "club", "country", "season") or role.startswith("number")


def _is_figure(role: str) -> bool:
    return role in _FIGURE_ROLES or role.startswith(("score", "result", "number"))


def _all_rows(
    analysis: Analysis, files: Sequence[str], by_row: Mapping[tuple[str, int], Sequence[Issue]]
) -> list[SourceRow]:
    """Return the rows of the file with those set aside, in its order."""
    rows = {(row.file, row.line): row for row in analysis.reading.rows if any(row.cells)}
    for key, aside in analysis.upload.set_aside.items():
        file, line = aside_place(key)
        rows[file, line] = SourceRow(line, tuple(aside["cells"]), file)
    known = {(row.file, row.line): row for row in analysis.reading.rows}
    for place in by_row:
        if place[1] and place not in rows and place in known:
            rows[place] = known[place]
    return sorted(rows.values(), key=lambda row: (files.index(row.file), row.line))


def _used_lines(analysis: Analysis) -> set[tuple[str, int]]:
    lines = {(person.file, person.line) for person in analysis.reading.people}
    for game in analysis.reading.games:
        lines |= {(game.file, game.line), (game.file, game.other_line)}
    return lines


def _state(
    analysis: Analysis, row: SourceRow, issues: Iterable[Issue], confirmed: set[str], used: set[tuple[str, int]]
) -> str:
    if aside_key(row.file, row.line) in analysis.upload.set_aside:
        return "aside"
    severities = {issue.severity for issue in issues if issue.severity == "error" or mark_of(issue) not in confirmed}
    if "error" in severities:
        return "problem"
    if "warning" in severities:
        return "look"
    return "fine" if (row.file, row.line) in used else "unused"


def _counts(states: Sequence[str]) -> dict[str, int]:
    return {
        "all": len(states),
        "problems": states.count("problem"),
        "look": states.count("look"),
        "fine": states.count("fine"),
        "aside": states.count("aside"),
    }


def _shown(state: str, show: str) -> bool:
    return {"problems": "problem", "look": "look", "fine": "fine", "aside": "aside"}.get(show, state) == state


def _fill(
    view: RowView,
    row: SourceRow,
    issues: Sequence[Issue],
    everything: Sequence[Issue],
    analysis: Analysis,
    columns: Sequence[Column],
    confirmed: set[str],
    typed: Typed,
) -> None:
    view.can_edit = bool(analysis.reading.rows) and analysis.reading.format != "unknown"
    waiting = [issue for issue in issues if issue.severity == "error" or mark_of(issue) not in confirmed]
    view.cells = [_cell(row, column, waiting) for column in columns]
    view.aside = analysis.upload.set_aside.get(aside_key(row.file, row.line))
    if view.aside is not None:
        return
    view.remarks = [_remark(issue, confirmed) for issue in everything]
    place = (view.file, view.line)
    was_typed = any(key[:2] == place for key in typed.cells)
    is_edited = typed.edit == place
    view.reason, view.reason_problem = typed.reasons.get(place, ""), typed.problems.get(place, "")
    view.is_open = bool(waiting) or was_typed or is_edited
    if view.is_open and view.can_edit:
        view.fields = _fields(view, row, waiting, analysis, columns, typed, whole=is_edited or was_typed)


def _remark(issue: Issue, confirmed: set[str]) -> Remark:
    mark = mark_of(issue)
    if issue.severity == "warning":
        return Remark(_placed(issue), "ok" if mark in confirmed else "warn", mark)
    return Remark(_placed(issue), "err" if issue.severity == "error" else "info")


def _placed(issue: Issue) -> str:
    """Return the sentence, with the file where several were sent and the issue is of the whole file."""
    text = explain(issue, "uploads")
    return f"{issue.file}: {text}" if issue.file and not issue.line else text


def _cell(row: SourceRow, column: Column, issues: Sequence[Issue]) -> Cell:
    text = cell_text(row, column.place)
    if column.place:
        wrong = any(issue.column == column.place for issue in issues)
        return Cell(text, wrong=text if wrong else "", minor=column.minor, figure=column.figure)
    place = next((issue.column for issue in issues if 0 < issue.column <= len(text)), 0)
    if not place:
        return Cell(text)
    end = next((at for at in range(place, len(text)) if text[at] in " ;,"), len(text))
    return Cell(text, text[: place - 1], text[place - 1 : end], text[end:])


def _fields(
    view: RowView,
    row: SourceRow,
    issues: Sequence[Issue],
    analysis: Analysis,
    columns: Sequence[Column],
    typed: Typed,
    *,
    whole: bool,
) -> list[Field]:
    """Return what can be typed: the cells named by the problems, or all of the row where a problem names none."""
    if not analysis.reading.columns:
        text = typed.cells.get((view.file, view.line, 0), cell_text(row, 0))
        problems = [explain(issue, "uploads") for issue in issues if issue.severity == "error"]
        label = _("Line %(line)s") % {"line": view.line}
        return [Field(f"c:{view.file}:{view.line}:0", label, text, bool(problems))]
    named = {issue.column for issue in issues if issue.column}
    if whole or any(not issue.column for issue in issues):
        named |= {column.place for column in columns}
    labels = {column.place: column.label for column in columns}
    headings = _headings(analysis)
    fields = []
    for place in sorted(named):
        text = typed.cells.get((view.file, view.line, place), cell_text(row, place))
        here = [issue for issue in issues if issue.column == place]
        label = labels.get(place) or headings.get(place) or str(place)
        fields.append(
            Field(
                f"c:{view.file}:{view.line}:{place}",
                _("%(column)s, row %(line)s") % {"column": label, "line": view.line},
                text,
                any(issue.severity == "error" for issue in here),
                (),
                _suggestion(text, here),
            )
        )
    return fields


def _headings(analysis: Analysis) -> dict[int, str]:
    """Return the headings of the file by column, for cells without a meaning."""
    wide = len(analysis.reading.columns)
    row = next((row for row in analysis.reading.rows if len(row.cells) == wide), None)
    return dict(enumerate(row.cells, start=1)) if row else {}


def _suggestion(text: str, issues: Sequence[Issue]) -> str:
    """Return the figure that was probably meant where letters stand for figures, empty if none."""
    if not any(issue.code in _FIGURES for issue in issues):
        return ""
    guess = text.translate(_LOOKALIKES).replace(" ", "")
    return guess if guess != text and guess.isascii() and guess.isdigit() else ""
