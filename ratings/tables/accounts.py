"""Exports of a player and of an account; the account as a spreadsheet computes itself."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from typing import Any

import xlsxwriter
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Event, Person
from federation.web.exports import export_response, safe_text
from federation.web.formats import export_format
from federation.web.people import name_of
from federation.web.tables import as_number
from ratings.models import LedgerRow
from ratings.presenters.account import AccountView

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def account_export(request: HttpRequest, view: AccountView, person: Person, event: Event) -> HttpResponseBase:
    """Give the games of an account as CSV, JSON, or a spreadsheet whose cells are formulas."""
    language = get_language() or "en"
    name = f"{event.slug}-{person.number}"
    if export_format(request) == "xlsx":
        content = _workbook(view, name_of(person, language), event, language)
        etag = quote_etag(sha256(content).hexdigest()[:32])
        unchanged = get_conditional_response(request, etag=etag)
        if unchanged is not None:
            return unchanged
        response = HttpResponse(content, content_type=_XLSX)
        response["ETag"] = etag
        response["X-Robots-Tag"] = "noindex"
        response["Content-Disposition"] = content_disposition_header(True, f"{name}.xlsx") or "attachment"
        return response
    columns = [
        ("round", _("Round")),
        ("opponent", _("Opponent")),
        ("opponent_before", _("Opponent’s rating before")),
        ("difference", _("Difference")),
        ("expected", _("Expected")),
        ("result", _("Result")),
        ("surplus", _("Surplus")),
        ("points", _("Points")),
        ("score", _("Score")),
    ]
    rows = [
        (
            line.round,
            name_of(line.opponent, language) if line.opponent else "",
            line.opponent_before,
            line.difference,
            line.values[0],
            Decimal(line.result) / 2,
            line.values[1],
            line.values[2],
            line.score,
        )
        for line in view.lines
    ]
    about = {
        "player": person.number,
        "event": event.name,
        "before": view.before,
        "wins": str(Decimal(view.row.wins) / 2) if view.row else "",
        "expected": view.row.expected if view.row else "",
        "multiplier": view.k,
        "games_after": view.games_after,
        "raw_change": view.row.raw_change if view.row else "",
        "change": view.change,
        "after": view.after,
        "rule_set": str(view.row.rated_event.rule_set) if view.row else "",
    }
    return export_response(request, filename=name, rows=rows, columns=columns, metadata=about)


def _workbook(view: AccountView, name: str, event: Event, language: str) -> bytes:
    """A sheet in which expectations are given and everything after them is a formula with its value."""
    target = io.BytesIO()
    book = xlsxwriter.Workbook(target, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False})
    book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001
    bold = book.add_format({"bold": True})
    head = book.add_format({"bold": True, "bottom": 1})
    sheet = book.add_worksheet(_("Account")[:31])
    sheet.write_string(0, 0, safe_text(f"{name}, {event.name}"), bold)
    sheet.write_string(1, 0, _("Rating before"))
    sheet.write_number(1, 2, view.before)
    sheet.write_string(2, 0, _("Multiplier"))
    sheet.write_number(2, 2, view.k)
    labels = (
        _("Round"),
        _("Opponent"),
        _("Their rating"),
        _("Difference"),
        _("Expected"),
        _("Result"),
        _("Surplus"),
        _("Points"),
    )
    for place, label in enumerate(labels):
        sheet.write_string(4, place, label, head)
    first = 5
    for turn, line in enumerate(view.lines):
        row = first + turn
        sheet.write_number(row, 0, line.round)
        sheet.write_string(row, 1, safe_text(name_of(line.opponent, language)) if line.opponent else "")
        sheet.write_number(row, 2, line.opponent_before)
        sheet.write_formula(row, 3, f"=$C$2-C{row + 1}", None, line.difference)
        sheet.write_number(row, 4, float(line.values[0]))
        sheet.write_number(row, 5, line.result / 2)
        sheet.write_formula(row, 6, f"=F{row + 1}-E{row + 1}", None, float(line.values[1]))
        sheet.write_formula(row, 7, f"=G{row + 1}*$C$3", None, float(line.values[2]))
    last = first + len(view.lines)
    total = view.surplus_value * view.k
    sheet.write_string(last, 1, _("Sum"), bold)
    for column, letter, value in (
        (4, "E", float(sum((line.values[0] for line in view.lines), Fraction()))),
        (5, "F", sum(line.result for line in view.lines) / 2),
        (6, "G", float(view.surplus_value)),
        (7, "H", float(total)),
    ):
        sheet.write_formula(last, column, f"=SUM({letter}{first + 1}:{letter}{last})", bold, value)
    sheet.write_string(last + 1, 1, _("Rating after"), bold)
    # ROUND takes halves away from zero, as the rule does; rounding first to nine places takes out binary dust.
    sheet.write_formula(last + 1, 7, f"=C2+ROUND(ROUND(H{last + 1},9),0)", bold, view.after)
    sheet.set_column(1, 1, 28)
    book.close()
    return target.getvalue()


def player_export(request: HttpRequest, person: Person, ledger: Sequence[LedgerRow]) -> HttpResponseBase:
    """Give the accounts of a player, newest first, one row an event."""
    columns = [
        ("date", _("Date")),
        ("event", _("Event")),
        ("address", _("Address")),
        ("before", _("Rating before")),
        ("games", _("Games")),
        ("wins", _("Won")),
        ("expected", _("Expected")),
        ("multiplier", _("Multiplier")),
        ("raw_change", _("Change before rounding")),
        ("change", _("Change")),
        ("after", _("Rating after")),
        ("games_after", _("Games after")),
    ]
    rows = [_player_row(row) for row in reversed(ledger)]
    about = {"player": person.number, "name": name_of(person, get_language() or "en")}
    return export_response(request, filename=f"player-{person.number}", rows=rows, columns=columns, metadata=about)


def _player_row(row: LedgerRow) -> tuple[Any, ...]:
    event = row.rated_event.event
    return (
        event.ends_on,
        event.name,
        event.slug,
        row.before,
        row.games,
        Decimal(row.wins) / 2,
        as_number(row.expected),
        row.k,
        as_number(row.raw_change),
        row.change,
        row.after,
        row.games_after,
    )
