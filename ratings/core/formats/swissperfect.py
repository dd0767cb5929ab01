"""SwissPerfect: the tables of a tournament (`.trn`, `.sco`, `.ini`) and the text exports of rounds (`.rnd`).

In the tables all figures are doubled. A round export has numbers only, so that it needs the participants: the `.trn`
table or a sheet with numbers and names. A player without a pairing is not marked in any way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from federation.core import limits
from federation.core.reading import EventInfo, Issue, Issues, ReadGame, Reading, ReadPerson, SourceRow
from federation.core.tabular import Row, Table
from ratings.core.formats.common import check_names, check_rounds, half_points, score_fits
from ratings.core.formats.dbase import DbaseTable, Record

ROUND_HEADING = ("ROUND", "TABLE_NO", "WHITE_ID", "BLACK_ID", "WHITE_SCORE", "BLACK_SCORE")
_PLAYED = 1


@dataclass(frozen=True, slots=True)
class Settings:
    """What the `.ini` file says."""

    name: str = ""
    rounds: int = 0
    first_table: int = 1


@dataclass(slots=True)
class Parts:
    """Files of one tournament, sorted by what they are."""

    participants: list[tuple[Issues, list[ReadPerson]]] = field(default_factory=list)
    rounds: list[tuple[Issues, Table]] = field(default_factory=list)
    results: list[tuple[Issues, DbaseTable]] = field(default_factory=list)
    settings: Settings = Settings()
    general: Issues = field(default_factory=Issues)


def is_participants(table: DbaseTable) -> bool:
    """Whether a table is a `.trn`."""
    return bool(table.column("SURNAME") and table.column("ID"))


def is_results(table: DbaseTable) -> bool:
    """Whether a table is a `.sco`."""
    return all(table.column(name) for name in ("ROUND", "WHITE", "BLACK", "W_SCORE", "B_SCORE"))


def is_round_export(table: Table) -> bool:
    """Whether a table begins with the heading of a round export."""
    return bool(table.rows) and {"ROUND", "WHITE_ID", "BLACK_ID"} <= {cell.upper() for cell in table.rows[0].cells}


def is_standings_export(table: Table) -> bool:
    """Whether a table begins with the heading of a standings export."""
    return bool(table.rows) and {"PLACING", "PLAYER_ID"} <= {cell.upper() for cell in table.rows[0].cells}


def looks_like_settings(lines: Sequence[str]) -> bool:
    """Whether lines are the settings of a tournament."""
    return any(line.strip() == "[Tournament Info]" for line in lines)


def read_settings(lines: Sequence[str]) -> Settings:
    """Return name, rounds and first table of the settings."""
    section, values = "", {}
    for line in lines:
        text = line.strip()
        if re.fullmatch(r"\[.+\]", text):
            section = text[1:-1]
        elif section == "Tournament Info" and "=" in text:
            name, _, value = text.partition("=")
            values[name.strip().lower()] = value.strip()
    return Settings(
        values.get("name", "")[: limits.MAX_CELL],
        _count(values.get("rounds", ""), 0),
        _count(values.get("tablenosstart", ""), 1),
    )


def _count(text: str, otherwise: int) -> int:
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) else otherwise


def participants_of(table: DbaseTable, issues: Issues) -> list[ReadPerson]:
    """Return the people of a `.trn` table; blank reserve records are left out."""
    people: list[ReadPerson] = []
    lines: dict[int, int] = {}
    for record in table.records:
        family, given = record.values.get("SURNAME", ""), record.values.get("FIRSTNAME", "")
        if not family and not given:
            continue
        number = record.number("ID")
        name = " ".join(f"{given} {family}".split())
        if number is None or number <= 0:
            text = record.values.get("ID", "")
            issues.error("bad_number", record.line, table.column("ID"), text=text, column="ID")
            continue
        if not any(character.isalpha() for character in name) or "\N{REPLACEMENT CHARACTER}" in name:
            issues.error("bad_name", record.line, table.column("SURNAME"), text=name)
            continue
        if number in lines:
            issues.error("number_twice", record.line, table.column("ID"), number=number, other_line=lines[number])
            continue
        lines[number] = record.line
        rating = record.number("INTL_RTG") or record.number("LOC_RTG")
        people.append(
            ReadPerson(
                key=str(number),
                name=name,
                line=record.line,
                file=issues.file,
                written=name,
                given=given,
                family=family,
                number=record.values.get("LOC_ID", "").strip("0 ") and record.values.get("LOC_ID", ""),
                rating=rating or 0,
                club=record.values.get("CLUB", ""),
                country=record.values.get("FEDER", ""),
                withdrawn=max(0, record.number("WITHDRAWAL") or 0),
            )
        )
    return people


def read(parts: Parts) -> Reading:
    """Return the reading of the files of one tournament."""
    people: list[ReadPerson] = [person for _, group in parts.participants for person in group]
    games: list[ReadGame] = []
    rows: list[SourceRow] = []
    for issues, table in parts.rounds:
        games += _export_games(table, issues)
        rows += [SourceRow(row.line, row.cells, issues.file) for row in table.rows]
    for issues, results in parts.results:
        games += _table_games(results, parts.settings, issues)
    collected = [parts.general, *(issues for issues, _ in parts.participants + parts.rounds + parts.results)]
    known = {person.key: person for person in people}
    if games and not people:
        parts.general.error("participants_missing")
        numbers = sorted({key for game in games for key in (game.a, game.b) if key}, key=int)
        people = [ReadPerson(key=number, name=number, number="") for number in numbers]
    elif people and not (parts.rounds or parts.results):
        parts.general.error("results_missing")
    else:
        games = _known_games(games, known, collected)
    if known:
        check_names(people, parts.general)
    by_file = {issues.file: issues for issues in collected}
    games = _checked(games, people, by_file, parts.general, explicit=any(issues.has_errors for issues in collected))
    unique = list({id(issues): issues for issues in collected}.values())
    found: list[Issue] = [issue for issues in unique for issue in issues.sorted()]
    return Reading(
        format="swissperfect",
        event=EventInfo(parts.settings.name, "", max(parts.settings.rounds, max((g.round for g in games), default=0))),
        people=tuple(people),
        games=tuple(games),
        issues=tuple(found),
        columns=("round", "table", "a", "b", "score_a", "score_b") if parts.rounds else (),
        rows=tuple(rows),
    )


def _known_games(
    games: Sequence[ReadGame], known: Mapping[str, ReadPerson], collected: Sequence[Issues]
) -> list[ReadGame]:
    by_file = {issues.file: issues for issues in collected}
    kept: list[ReadGame] = []
    for game in games:
        unknown = [key for key in (game.a, game.b) if key is not None and key not in known]
        if unknown:
            by_file[game.file].error("unknown_player", game.line, number=unknown[0], round=game.round)
        else:
            kept.append(game)
    return kept


def _checked(
    games: Sequence[ReadGame],
    people: Sequence[ReadPerson],
    by_file: Mapping[str, Issues],
    general: Issues,
    *,
    explicit: bool,
) -> list[ReadGame]:
    """Check rounds over all files and put each issue under the file of its line."""
    ordered = sorted(games, key=lambda game: game.round)
    found = Issues()
    kept = check_rounds(ordered, people, found, explicit=explicit)
    kept_ones = {id(game) for game in kept}
    dropped = {(game.line, game.round): game.file for game in ordered if id(game) not in kept_ones}
    for issue in found.sorted():
        file = dropped.get((issue.line, int(issue.params.get("round", 0) or 0)), "") if issue.line else ""
        target = by_file.get(file, general)
        target.extend([replace(issue, file=target.file)])
    return kept


def _export_games(table: Table, issues: Issues) -> list[ReadGame]:
    heading = [cell.upper() for cell in table.rows[0].cells]
    columns = {name: heading.index(name) + 1 for name in ROUND_HEADING if name in heading}
    missing = [name for name in ROUND_HEADING if name not in columns and name != "TABLE_NO"]
    if missing:
        issues.error("table_without_columns", 1, columns=", ".join(missing))
        return []
    games = [_export_game(row, columns, issues) for row in table.rows[1:]]
    if not any(games) and not issues.has_errors:
        issues.error("no_rows")
    return [game for game in games if game is not None]


def _export_game(row: Row, columns: Mapping[str, int], issues: Issues) -> ReadGame | None:
    if row.width < max(columns.values()):
        issues.error("row_too_short", row.line, max(row.width, 1), found=row.width, expected=max(columns.values()))
        return None
    cells = {name: row.cells[place - 1] if place <= len(row.cells) else "" for name, place in columns.items()}
    numbers: dict[str, int] = {}
    for name in ("ROUND", "WHITE_ID", "BLACK_ID"):
        text = cells[name] or ("0" if name == "BLACK_ID" else "")
        if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
            issues.error("bad_number", row.line, columns[name], text=text, column=name)
            return None
        numbers[name] = int(text)
    number, white, black = numbers["ROUND"], numbers["WHITE_ID"], numbers["BLACK_ID"]
    if not 1 <= number <= limits.MAX_ROUNDS:
        issues.error("too_many_rounds", row.line, columns["ROUND"], round=number, limit=limits.MAX_ROUNDS)
        return None
    scores: list[int | None] = []
    for name in ("WHITE_SCORE", "BLACK_SCORE"):
        half = {"": None, "0": 0, "0.5": 1, "0,5": 1, "½": 1, "1": 2, "0.0": 0, "1.0": 2}.get(cells[name], -1)
        if half == -1:
            issues.error("bad_score", row.line, columns[name], text=cells[name])
            return None
        scores.append(half)
    game = ReadGame(
        row.line, number, str(white), str(black) if black > 0 else None, "played",
        table=cells.get("TABLE_NO", ""), file=issues.file,
    )  # fmt: skip
    return _with_result(game, white, black, scores[0], scores[1], columns["WHITE_SCORE"], issues)


def _with_result(
    game: ReadGame, white: int, black: int, first: int | None, second: int | None, column: int, issues: Issues
) -> ReadGame | None:
    """Return a game with the half points of both players judged."""
    if white <= 0 and black > 0:
        return _alone(replace(game, a=str(black), b=None), second)
    if white <= 0:
        issues.error("bad_number", game.line, 0, text=str(white), column="WHITE_ID")
        return None
    if black <= 0:
        return _alone(game, first)
    if not first and not second:
        issues.info("pending_game", game.line, column, a=game.a, b=game.b or "", round=game.round)
        return replace(game, kind="pending")
    if first is None or second is None:
        issues.error("score_missing", game.line, column, name=(game.a if first is None else game.b) or "")
        return None
    if first + second != 2:
        issues.error("results_do_not_add_up", game.line, column, a=str(first / 2), b=str(second / 2))
        return None
    return replace(game, result_a=first)


def _alone(game: ReadGame, half: int | None) -> ReadGame:
    if half:
        return replace(game, kind="bye", result_a=half)
    return replace(game, kind="absent")


def _table_games(table: DbaseTable, settings: Settings, issues: Issues) -> list[ReadGame]:
    games: list[ReadGame] = []
    tables: dict[int, int] = {}
    for record in table.records:
        number, white, black = record.number("ROUND"), record.number("WHITE"), record.number("BLACK")
        if not number and not white and not black:
            continue
        if number is None or white is None or black is None:
            name = "ROUND" if number is None else "WHITE" if white is None else "BLACK"
            text = record.values.get(name, "")
            issues.error("bad_number", record.line, table.column(name), text=text, column=name)
            continue
        if not 1 <= number <= limits.MAX_ROUNDS:
            issues.error("too_many_rounds", record.line, table.column("ROUND"), round=number, limit=limits.MAX_ROUNDS)
            continue
        # Rounds are stored in the order of the tables.
        tables[number] = tables.get(number, settings.first_table - 1) + 1
        game = ReadGame(
            record.line, number, str(white), str(black) if black > 0 else None, "played",
            table=str(tables[number]), file=issues.file,
        )  # fmt: skip
        judged = _table_game(game, record, white, black, table, issues)
        if judged is not None:
            games.append(judged)
    return games


def _table_game(
    game: ReadGame, record: Record, white: int, black: int, table: DbaseTable, issues: Issues
) -> ReadGame | None:
    halves = [record.number("W_SCORE") or 0, record.number("B_SCORE") or 0]
    for half, name in zip(halves, ("W_SCORE", "B_SCORE"), strict=True):
        if half not in (0, 1, 2):
            issues.error("figure_not_doubled", record.line, table.column(name), text=str(half), column=name)
            return None
    types = [record.number("W_TYPE") or 0, record.number("B_TYPE") or 0]
    if not (table.column("W_TYPE") and table.column("B_TYPE")):
        types = [_PLAYED, _PLAYED]
    column = table.column("W_SCORE")
    if white <= 0 or black <= 0:
        return _with_result(game, white, black, halves[0], halves[1], column, issues)
    if types == [0, 0] and halves == [0, 0]:
        return _with_result(game, white, black, None, None, column, issues)
    if types != [_PLAYED, _PLAYED]:
        # Decided without play: a forfeit, possibly of both.
        return replace(game, kind="forfeit", result_a=halves[0] if sum(halves) == 2 else None)
    if sum(halves) != 2:
        issues.error("results_do_not_add_up", record.line, column, a=str(halves[0] / 2), b=str(halves[1] / 2))
        return None
    return _with_scores(replace(game, result_a=halves[0]), record, table, issues)


def _with_scores(game: ReadGame, record: Record, table: DbaseTable, issues: Issues) -> ReadGame | None:
    doubled = [record.number("W_SUBSCO") or 0, record.number("B_SUBSCO") or 0]
    if doubled == [0, 0]:
        return game
    for figure, name in zip(doubled, ("W_SUBSCO", "B_SUBSCO"), strict=True):
        if figure % 2:
            issues.error("figure_not_doubled", record.line, table.column(name), text=str(figure), column=name)
            return None
        if not score_fits(figure // 2):
            issues.error("score_impossible", record.line, table.column(name), score=figure // 2)
            return None
    score_a, score_b = doubled[0] // 2, doubled[1] // 2
    if half_points(score_a, score_b) != game.result_a:
        issues.error(
            "result_against_score", record.line, table.column("W_SUBSCO"),
            result=str((game.result_a or 0) / 2), score_a=score_a, score_b=score_b,
        )  # fmt: skip
        return None
    return replace(game, score_a=score_a, score_b=score_b)
