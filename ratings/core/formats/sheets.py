"""Results sheets (CSV, TSV, XLSX): one row a game, headings in six languages.

Covers the on-line form (winner, winner's score, opponent, opponent's score), the federation's sheet and its template.
If both figures of a row are 0, 0.5 or 1 and add up to 1 they are results, otherwise scores (spec section 9).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from federation.core import limits
from federation.core.names import spelling
from federation.core.reading import EventInfo, Issues, ReadGame, Reading, ReadPerson, SourceRow
from federation.core.tabular import Row, Table
from ratings.core.formats.common import (
    Source,
    check_names,
    check_rounds,
    finish,
)
from ratings.core.formats.headings import columns_of, names_a_winner
from ratings.core.formats.sheet_rows import Draft, Layout, People, read_row

HEADING_ROWS = 12
"""How many rows may stand above the headings."""


def find_layout(table: Table) -> Layout | None:
    """Return the layout of a sheet if one of its first rows names two players."""
    for row in table.rows[:HEADING_ROWS]:
        roles = columns_of(row.cells)
        if ("a" in roles and "b" in roles) or ("number_a" in roles and "number_b" in roles and "score_a" in roles):
            return Layout(row, tuple(roles), names_a_winner(row.cells))
    return None


def half_heading(table: Table) -> Row | None:
    """Return a row that looks like headings of results although a player is missing."""
    for row in table.rows[:HEADING_ROWS]:
        roles = set(columns_of(row.cells))
        if len(roles & {"round", "a", "b", "score_a", "score_b", "result", "submitted"}) >= 2:
            return row
    return None


def read(
    source: Source,
    tables: Sequence[Table],
    *,
    format_name: str = "sheet",
    participants: Mapping[str, ReadPerson] | None = None,
) -> Reading:
    """Return the reading of the sheets that hold results.

    Args:
        source: the file, for issues and names.
        tables: its sheets; those without headings of results are left out.
        format_name: format of the reading.
        participants: people by number, where another sheet lists them.
    """
    issues = source.issues
    drafts: list[Draft] = []
    layouts = [(table, layout) for table in tables if (layout := find_layout(table)) is not None]
    people = People(participants or {}, issues.file)
    for table, layout in layouts:
        drafts += _drafts(table, layout, people, issues, several=len(layouts) > 1)
    if not drafts and not issues.has_errors:
        issues.error("no_rows")
    drafts = _without_cut_row(drafts, source, layouts)
    _settle_rounds(drafts, issues)
    if any(draft.only_result for draft in drafts) and any(draft.score_a is not None for draft in drafts):
        issues.info("mixed_scores_and_results")
    games = [_game(draft, people, issues.file) for draft in drafts]
    check_names(people.everybody, issues)
    # Rounds that were only counted say nothing of who is missing.
    games = check_rounds(games, people.everybody, issues, explicit=issues.has("no_round_column"))
    named = {key for game in games for key in (game.a, game.b)}
    # Whoever stands only in refused rows is shown too: the name may be what was wrong.
    everybody = [person for person in people.everybody if person.key in named or not participants or person.line]
    return finish(
        source,
        format_name,
        _event(layouts, games),
        everybody,
        games,
        layouts[0][1].roles if layouts else (),
        [SourceRow(row.line, row.cells, issues.file) for table, _ in layouts for row in table.rows],
    )


def _without_cut_row(drafts: list[Draft], source: Source, layouts: Sequence[tuple[Table, Layout]]) -> list[Draft]:
    """Refuse the last row of a file that ends without a line end if its last score may have lost a figure."""
    if source.ended or not drafts or drafts[-1].line != len(source.lines) or drafts[-1].score_a is None:
        return drafts
    layout = layouts[-1][1]
    column = layout.needed
    last = {"score_a": drafts[-1].score_a, "score_b": drafts[-1].score_b}.get(layout.roles[column - 1])
    repaired = any(repair.line == drafts[-1].line for repair in source.repairs)
    if last is None or abs(last) > 99 or repaired or layouts[-1][0].rows[-1].width > column:
        return drafts
    source.issues.error("last_row_cut", drafts[-1].line, column, score=last)
    return drafts[:-1]


def _event(layouts: Sequence[tuple[Table, Layout]], games: Sequence[ReadGame]) -> EventInfo:
    name = ""
    if layouts:
        table, layout = layouts[0]
        above = [row for row in table.rows if row.line < layout.heading.line]
        name = next((row.cells[0] for row in above if row.cells and row.cells[0]), "")
    return EventInfo(name, "", max((game.round for game in games), default=0))


def _drafts(table: Table, layout: Layout, people: People, issues: Issues, *, several: bool) -> list[Draft]:
    found_number = re.search(r"\d{1,3}", table.name)
    sheet_round = int(found_number.group()) if several and found_number and not layout.column("round") else None
    drafts: list[Draft] = []
    _check_headings(layout, issues)
    for row in table.rows:
        if row.line <= layout.heading.line or row.cells == layout.heading.cells:
            continue
        draft = read_row(row, layout, table, people, issues)
        if draft is not None:
            draft.round = draft.round if draft.round is not None else sheet_round
            drafts.append(draft)
    return drafts


def _check_headings(layout: Layout, issues: Issues) -> None:
    line = layout.heading.line
    for column, (role, heading) in enumerate(zip(layout.roles, layout.heading.cells, strict=True), start=1):
        if role and role not in ("extra", "submitted", "starts") and layout.roles.count(role) > 1:
            if layout.roles.index(role) != column - 1:
                issues.error("column_twice", line, column, heading=heading)
        elif not role and heading:
            issues.info("column_unknown", line, column, heading=heading)
    if not layout.column("result"):
        for role, example in (("score_a", "Puntuació 1"), ("score_b", "Puntuació 2")):
            if not layout.column(role) and not layout.column(role.replace("score", "result")):
                issues.error("column_missing", line, column=example)


# --- rounds ----------------------------------------------------------------------------------------------------------


def _settle_rounds(drafts: Sequence[Draft], issues: Issues) -> None:
    """Number the rounds where the sheet has none, or has every round twice because two games were played in it."""
    if drafts and all(draft.round is None for draft in drafts):
        played: Counter[str] = Counter()
        for draft in drafts:
            names = [spelling(name) for name in (draft.name_a, draft.name_b) if name]
            draft.round = min(1 + max(played[name] for name in names), limits.MAX_ROUNDS)
            for name in names:
                played[name] = draft.round
        issues.warning("no_round_column")
        return
    if not _two_games_a_round(drafts):
        return
    last = max(draft.round or 0 for draft in drafts)
    block = _second_block(drafts)
    seen: Counter[tuple[int, str]] = Counter()
    for place, draft in enumerate(drafts):
        names = [spelling(name) for name in (draft.name_a, draft.name_b) if name]
        written = draft.round or 0
        if block:
            draft.round = written + (last if place >= block else 0)
        else:
            game = max(seen[written, name] for name in names)
            draft.round = 2 * written - 1 + min(game, 1)
            for name in names:
                seen[written, name] += 1
    issues.warning("two_games_a_round", rounds=2 * last)


def _two_games_a_round(drafts: Sequence[Draft]) -> bool:
    """Whether most people have exactly two entries in most rounds, and nobody more."""
    entries = Counter(
        (draft.round, spelling(name)) for draft in drafts for name in (draft.name_a, draft.name_b) if name
    )
    twice = sum(count == 2 for count in entries.values())
    return bool(entries) and max(entries.values()) == 2 and twice * 3 > len(entries) * 2


def _second_block(drafts: Sequence[Draft]) -> int:
    """Return where the rounds start again from the first one, 0 if they do not: 1 to 5, then 1 to 5 again."""
    restarts = [place for place in range(1, len(drafts)) if (drafts[place].round or 0) < (drafts[place - 1].round or 0)]
    if len(restarts) != 1:
        return 0
    names: Counter[tuple[int | None, str]] = Counter()
    for draft in drafts[: restarts[0]]:
        names.update((draft.round, spelling(name)) for name in (draft.name_a, draft.name_b) if name)
    return restarts[0] if max(names.values()) == 1 else 0


def _game(draft: Draft, people: People, file: str) -> ReadGame:
    key_a = people.key(draft.name_a, draft.line, draft.numbers.get(draft.name_a, ""))
    key_b = people.key(draft.name_b, draft.line, draft.numbers.get(draft.name_b, "")) if draft.name_b else None
    return ReadGame(
        line=draft.line,
        round=draft.round or 1,
        a=key_a,
        b=key_b,
        kind=draft.kind,
        score_a=draft.score_a,
        score_b=draft.score_b,
        result_a=draft.result_a,
        table=draft.table,
        first=draft.first,
        file=file,
        extras=draft.extras,
    )
