"""Lists of people: participants of an event, and the opening ratings from which a history starts (CSV, XLSX)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from federation.core.names import spelling
from federation.core.reading import EventInfo, Issues, Reading, ReadPerson, SourceRow
from federation.core.tabular import Row, Table
from ratings.core.formats.common import Source, check_names, finish
from ratings.core.formats.headings import list_meaning
from ratings.core.formats.sheets import HEADING_ROWS

_SEASON = re.compile(r"(\d{4})\s*[-–/]\s*(\d{2}|\d{4})")
HIGHEST_RATING = 5000


@dataclass(frozen=True, slots=True)
class ListLayout:
    """Where the headings of a list stand and what each column holds."""

    heading: Row
    roles: tuple[str, ...]

    def column(self, role: str) -> int:
        """Return the number of the column with a role, 0 if none."""
        return self.roles.index(role) + 1 if role in self.roles else 0

    @property
    def is_opening(self) -> bool:
        """Whether the list holds careers: a rating and the games behind it."""
        return bool(self.column("rating") and self.column("games"))


def find_list_layout(table: Table) -> ListLayout | None:
    """Return the layout of a list if one of its first rows has a name and a number or a rating."""
    for row in table.rows[:HEADING_ROWS]:
        roles = [list_meaning(heading) for heading in row.cells]
        if "family" in roles and "name" in roles and "given" not in roles:
            # Cognoms and Nom: the second is the given name.
            roles[roles.index("name")] = "given"
        named = "name" in roles or "family" in roles
        if named and ("number" in roles or "rating" in roles):
            return ListLayout(row, tuple(roles))
    return None


def season_code(text: str) -> str:
    """Return the code of a season, empty if the text is none.

    >>> season_code("2024-25"), season_code("2024/2025"), season_code("2024-26")
    ('2024-25', '2024-25', '')
    """
    found = _SEASON.fullmatch(text.strip())
    if not found:
        return ""
    start, end = int(found[1]), int(found[2][-2:])
    return f"{start}-{end:02d}" if (start + 1) % 100 == end else ""


def read(source: Source, tables: Sequence[Table]) -> Reading:
    """Return the people of the first sheet that is a list, without games."""
    issues = source.issues
    for table in tables:
        layout = find_list_layout(table)
        if layout is None:
            continue
        people = people_of(table, layout, issues)
        if not people and not issues.has_errors:
            issues.error("no_rows")
        check_names(people, issues)
        return finish(
            source,
            "opening-ratings" if layout.is_opening else "participants",
            EventInfo(),
            people,
            (),
            layout.roles,
            [SourceRow(row.line, row.cells, issues.file) for row in table.rows],
        )
    issues.error("headings_missing")
    return finish(source, "unknown", EventInfo(), (), (), (), ())


def people_of(table: Table, layout: ListLayout, issues: Issues) -> list[ReadPerson]:
    """Return the people of a list. E-mail addresses and birth dates are not read."""
    people: list[ReadPerson] = []
    numbers: dict[str, int] = {}
    for row in table.rows:
        if row.line <= layout.heading.line:
            continue
        person = _person(row, layout, table, issues)
        if person is None:
            continue
        if person.number and person.number in numbers:
            issues.error(
                "number_twice",
                row.line,
                layout.column("number"),
                number=person.number,
                other_line=numbers[person.number],
            )
            continue
        if person.number:
            numbers[person.number] = row.line
        people.append(person)
    return people


def _person(row: Row, layout: ListLayout, table: Table, issues: Issues) -> ReadPerson | None:
    def cell(role: str) -> str:
        column = layout.column(role)
        return row.cells[column - 1] if 0 < column <= len(row.cells) else ""

    needed = max(layout.column(role) for role in ("name", "family", "rating", "games", "wins", "season"))
    if table.delimiter and row.width < needed:
        issues.error("row_too_short", row.line, max(row.width, 1), found=row.width, expected=needed)
        return None
    given, family = cell("given"), cell("family")
    written = cell("name") or (f"{family}, {given}" if given and family else family or given)
    name = " ".join((cell("name") or f"{given} {family}").split())
    if not name and not any(row.cells):
        return None
    if not any(character.isalpha() for character in name) or "\N{REPLACEMENT CHARACTER}" in name:
        if not name and layout.column("number") and len([text for text in row.cells if text]) <= 1:
            # A reserve row: a number without a name.
            return None
        issues.error("bad_name", row.line, layout.column("name") or layout.column("family"), text=name)
        return None
    figures: dict[str, Fraction | None] = {}
    for role in ("rating", "games", "wins"):
        fits, figures[role] = _figure(row, layout, role, cell(role), issues)
        if not fits:
            return None
    games, wins = figures["games"], figures["wins"]
    if games is not None and wins is not None and wins > games:
        issues.error(
            "wins_above_games", row.line, layout.column("wins"), name=name, wins=cell("wins"), games=cell("games")
        )
        return None
    season = season_code(cell("season"))
    if cell("season") and not season:
        issues.error("bad_season", row.line, layout.column("season"), text=cell("season"))
        return None
    number = re.sub(r"\.0+$", "", cell("number"))
    rating = figures["rating"]
    return ReadPerson(
        key=number or spelling(name),
        name=name,
        line=row.line,
        file=issues.file,
        written=written,
        given=given,
        family=family,
        number=number,
        rating=None if rating is None else int(rating),
        club=cell("club"),
        country=cell("country"),
        games=None if games is None else int(games),
        wins=None if wins is None else float(wins),
        last_season=season,
    )


def _figure(row: Row, layout: ListLayout, role: str, text: str, issues: Issues) -> tuple[bool, Fraction | None]:
    if not text:
        if layout.is_opening and role in ("rating", "games"):
            issues.error("bad_number", row.line, layout.column(role), text=text, column=role)
            return False, None
        return True, None
    found = re.fullmatch(r"-?\d{1,6}(?:[.,]\d{1,4})?", text, re.ASCII)
    figure = Fraction(text.replace(",", ".")) if found else None
    steps = 2 if role == "wins" else 1
    if figure is None or steps % figure.denominator or (figure < 0 and role != "rating") or abs(figure) > 10**6:
        issues.error("bad_number", row.line, layout.column(role), text=text, column=role)
        return False, None
    if role == "rating" and abs(figure) > HIGHEST_RATING:
        issues.error("bad_number", row.line, layout.column(role), text=text, column=role)
        return False, None
    return True, figure
