"""Services on memberships and licences."""

from __future__ import annotations

import csv
import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from federation.accounts.models import User
from federation.audit.services import changed_fields, record
from federation.core.errors import RuleError
from federation.registry.hooks import Problem
from federation.registry.models import Club, Membership, Person, Season
from federation.registry.services.records import clean_text, lock, refuse_closed_record, snapshot, validate

EDITABLE_FIELDS = ("club", "licence", "valid_from", "valid_until")
LINES_AT_MOST = 5000
#: Characters of one line; number, club and licence need a tenth of it.
LINE_AT_MOST = 2000


@dataclass(frozen=True, slots=True)
class LineProblem:
    """What is wrong with one line of a list of memberships.

    Attributes:
        line: number of the line, the first being 1.
        column: number of the cell, the first being 1.
        problem: code and values, see `federation.registry.errors.explain`.
    """

    line: int
    column: int
    problem: Problem


@transaction.atomic
def save_membership(*, person: Person, season: Season, actor: User | None, **fields: Any) -> Membership:
    """Give a person a membership of a season, or change the one there is.

    Args:
        person: the member; a merged record stands for the one it points to.
        season: the season.
        actor: who does it.
        **fields: ``club`` (the person's by default), ``licence``, ``valid_from``, ``valid_until``.

    Raises:
        RuleError: ``membership_dates``, ``value_invalid``, ``person_anonymised``, ``field_unknown``.
    """
    row_person = lock(Person, person.root_id)
    refuse_closed_record(row_person)
    row = Membership.objects.filter(person=row_person, season=season).first()
    before = snapshot(row, EDITABLE_FIELDS) if row else {}
    if row is None:
        row = Membership(person=row_person, season=season, club=row_person.club)
    for name, value in fields.items():
        if name not in EDITABLE_FIELDS:
            raise RuleError("field_unknown", {"field": name})
        setattr(row, name, clean_text(value) if name == "licence" else value)
    validate(row, exclude=["person", "season", "club"])
    if row.valid_from and row.valid_until and row.valid_from > row.valid_until:
        raise RuleError("membership_dates", where="valid_until")
    old, new = changed_fields(before, snapshot(row, EDITABLE_FIELDS))
    if before and not new:
        return row
    row.save()
    action = "membership.changed" if before else "membership.created"
    masked = {name: bool(value) if name == "licence" else value for name, value in new.items()}
    before_masked = {name: bool(value) if name == "licence" else value for name, value in old.items()} if before else {}
    record(action=action, obj=row, actor=actor, before=before_masked, after={"season": season.pk, **masked})
    return row


@transaction.atomic
def delete_membership(*, membership: Membership, actor: User | None) -> None:
    """Delete a membership; one already deleted is no error."""
    row = Membership.objects.select_related("person", "season").filter(pk=membership.pk).first()
    if row is not None:
        record(action="membership.deleted", obj=row, actor=actor, before={"season": row.season_id, "club": row.club_id})
        row.delete()


def read_membership_lines(text: str) -> tuple[list[tuple[Person, dict[str, Any]]], list[LineProblem]]:
    """Read a list of memberships: one line a person with number, club (address), licence; only the number is needed.

    Cells are separated by semicolons, commas or tabs. A first line without a digit in its first cell is a heading,
    unless nothing follows it.

    Returns:
        the persons with their values, and every problem with line and column.
    """
    lines = text.splitlines()
    if sum(1 for line in lines if line.strip()) > LINES_AT_MOST:
        return [], [LineProblem(LINES_AT_MOST + 1, 1, Problem("lines_too_many", {"limit": LINES_AT_MOST}))]
    delimiter = max(";\t,", key=text.count)
    problems: list[LineProblem] = []
    cells = []
    for line, written in enumerate(lines, start=1):
        # Measured here: the limit of the csv module belongs to the whole process.
        if len(written) > LINE_AT_MOST:
            problems.append(LineProblem(line, 1, Problem("line_unreadable")))
            continue
        try:
            row = [clean_text(cell) for cell in next(csv.reader([written], delimiter=delimiter), [])]
        except csv.Error:
            problems.append(LineProblem(line, 1, Problem("line_unreadable")))
            continue
        if any(row):
            cells.append((line, row))
    if not cells and not problems:
        problems.append(LineProblem(1, 1, Problem("line_unreadable")))
    if len(cells) > 1 and not any(letter.isdigit() for letter in cells[0][1][0]):
        cells = cells[1:]
    numbers = {int(row[0]) for _line, row in cells if _is_number(row[0])}
    people = {p.number: p for p in Person.objects.filter(number__in=numbers).select_related("merged_into")}
    clubs = {club.slug: club for club in Club.objects.all()}
    good: list[tuple[Person, dict[str, Any]]] = []
    seen: dict[int, int] = {}
    for line, row in cells:
        number, club, licence = (*row, "", "", "")[:3]
        person = people.get(int(number)) if _is_number(number) else None
        if person is None:
            problems.append(LineProblem(line, 1, Problem("person_unknown", {"number": number})))
            continue
        if club and club not in clubs:
            problems.append(LineProblem(line, 2, Problem("club_unknown", {"club": club})))
        if len(licence) > 40:
            problems.append(LineProblem(line, 3, Problem("licence_too_long")))
        if (first := seen.setdefault(person.root_id, line)) != line:
            problems.append(LineProblem(line, 1, Problem("line_repeated", {"number": number, "line": first})))
        values: dict[str, Any] = {"licence": licence} if licence else {}
        if club in clubs:
            values["club"] = clubs[club]
        good.append((person, values))
    return good, sorted(problems, key=lambda problem: problem.line)


@transaction.atomic
def save_memberships(*, season: Season, text: str, actor: User | None, valid_from: dt.date | None = None) -> int:
    """Enter the memberships of a list, all or none; returns how many lines it had.

    Raises:
        RuleError: ``lines_wrong`` with ``problems``, see `read_membership_lines`.
    """
    rows, problems = read_membership_lines(text)
    if problems:
        raise RuleError("lines_wrong", {"count": len(problems), "problems": problems})
    dates = {"valid_from": valid_from} if valid_from else {}
    for person, values in sorted(rows, key=lambda pair: pair[0].root_id):
        save_membership(person=person, season=season, actor=actor, **values, **dates)
    return len(rows)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 9
