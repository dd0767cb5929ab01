"""The rows of a page as CSV, XLSX or JSON, at the page's own address with ``?format=``.

CSV is UTF-8 with a byte order mark, commas, a point in decimals and ISO dates, so that every spreadsheet reads it the
same. Text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import xlsxwriter
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header, quote_etag
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.web import numbers
from federation.web.formats import export_format
from federation.web.tables import BaremTable

_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
#: First characters that make a spreadsheet take a text for a formula, the wide ones of East Asian keyboards too.
_DANGEROUS = tuple("=+-@\t\r\n＝＋－＠")
#: Largest integer a spreadsheet holds exactly, and its longest text.
_EXACT_IN_SHEET = 2**53
_LONGEST_IN_SHEET = 32_767
#: Lines of CSV sent at once.
_CHUNK = 500


def export_response(
    request: HttpRequest,
    *,
    filename: str,
    table: BaremTable | None = None,
    rows: Iterable[Sequence[Any]] | None = None,
    columns: Sequence[tuple[str, Any]] = (),
    metadata: Mapping[str, Any] | None = None,
    fingerprint: str = "",
) -> HttpResponseBase:
    """Return the rows in the format that the address asks for.

    Args:
        request: the request; its ``format`` must be one of `formats.FORMATS`.
        filename: name of the file without its ending.
        table: a table, whose columns, order and values are taken; or else
        rows: the values, with
        columns: name and label of each.
        metadata: what the rows stand on: list, date, rule set, fingerprint; shown in JSON and XLSX.
        fingerprint: of what is frozen, for the ETag; without one the rows in memory are digested, and a query that
            is streamed has no ETag.
    """
    kind = export_format(request) or "csv"
    if table is not None:
        columns = table.export_columns()
        rows = table.export_rows()
        in_memory = not isinstance(table.data.data, QuerySet)
    else:
        in_memory = isinstance(rows, list | tuple)
    rows = rows if rows is not None else []
    metadata = dict(metadata or {})
    etag = None
    if fingerprint or in_memory:
        if in_memory and not fingerprint:
            rows = list(rows)
            fingerprint = hashlib.sha256(repr(rows).encode()).hexdigest()
        seed = "\n".join([fingerprint, kind, request.get_full_path(), get_language() or "", repr(metadata)])
        etag = quote_etag(hashlib.sha256(seed.encode()).hexdigest()[:32])
        unchanged = get_conditional_response(request, etag=etag)
        if unchanged is not None:
            return unchanged
    response: HttpResponseBase
    if kind == "csv":
        response = StreamingHttpResponse(csv_lines(columns, rows), content_type=_TYPES[kind])
    elif kind == "xlsx":
        response = HttpResponse(xlsx_bytes(columns, rows, metadata), content_type=_TYPES[kind])
    else:
        response = HttpResponse(json_text(columns, rows, metadata), content_type=_TYPES[kind])
    response["Content-Disposition"] = content_disposition_header(True, f"{filename}.{kind}") or "attachment"
    response["X-Robots-Tag"] = "noindex"
    if etag:
        response["ETag"] = etag
    return response


def safe_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> safe_text("=1+1"), safe_text("Pol Estepa"), safe_text(" @x")
    ("'=1+1", 'Pol Estepa', "' @x")
    """
    return f"'{text}" if text.startswith(_DANGEROUS) or text.lstrip().startswith(_DANGEROUS) else text


def csv_cell(value: Any) -> str:
    """Return a value as CSV has it: numbers with a point, days as ISO, text made safe."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, Fraction):
        value = numbers.rounded(value, 6)
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    return safe_text(str(value))


def csv_lines(columns: Sequence[tuple[str, Any]], rows: Iterable[Sequence[Any]]) -> Iterator[bytes]:
    """Give the file piece by piece, the head first."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)

    def take() -> bytes:
        text = buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
        return text.encode()

    writer.writerow([safe_text(str(label)) for _name, label in columns])
    yield b"\xef\xbb\xbf" + take()
    for number, row in enumerate(rows, 1):
        writer.writerow([csv_cell(value) for value in row])
        if number % _CHUNK == 0:
            yield take()
    rest = take()
    if rest:
        yield rest


def json_text(columns: Sequence[tuple[str, Any]], rows: Iterable[Sequence[Any]], metadata: Mapping[str, Any]) -> str:
    """Return ``{"about": ..., "columns": [...], "rows": [{...}]}``."""
    names = [name for name, _label in columns]
    content = {
        "about": metadata,
        "columns": [{"name": name, "label": str(label)} for name, label in columns],
        "rows": [dict(zip(names, row, strict=True)) for row in rows],
    }
    return json.dumps(content, ensure_ascii=False, default=_plain, indent=1) + "\n"


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        value = numbers.rounded(value, 6)
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def xlsx_bytes(columns: Sequence[tuple[str, Any]], rows: Iterable[Sequence[Any]], metadata: Mapping[str, Any]) -> bytes:
    """Return a workbook with the rows and a sheet that says what they stand on. Text is never a formula."""
    target = io.BytesIO()
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    book = xlsxwriter.Workbook(target, options)
    # The same rows give the same bytes.
    book.set_properties({"created": datetime(2000, 1, 1)})  # noqa: DTZ001
    bold = book.add_format({"bold": True, "bottom": 1})
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet(_("Rows")[:31])
    sheet.freeze_panes(1, 0)
    for place, (_name, label) in enumerate(columns):
        sheet.write_string(0, place, str(label), bold)
    for line, row in enumerate(rows, 1):
        for place, value in enumerate(row):
            _write(sheet, line, place, value, day)
    if metadata:
        about = book.add_worksheet(_("About")[:31])
        for line, (name, value) in enumerate(metadata.items()):
            about.write_string(line, 0, str(name), bold)
            _write(about, line, 1, value, day)
    book.close()
    return target.getvalue()


def _write(sheet: Any, line: int, place: int, value: Any, day: Any) -> None:
    if value is None or value == "":
        return
    if isinstance(value, Fraction):
        value = numbers.rounded(value, 6)
    if isinstance(value, bool):
        sheet.write_boolean(line, place, value)
    elif isinstance(value, int | Decimal | float) and -_EXACT_IN_SHEET < value < _EXACT_IN_SHEET:
        sheet.write_number(line, place, value)
    elif isinstance(value, datetime):
        local = timezone.localtime(value) if timezone.is_aware(value) else value
        sheet.write_string(line, place, local.isoformat(sep=" ", timespec="minutes"))
    elif isinstance(value, date):
        sheet.write_datetime(line, place, datetime(value.year, value.month, value.day), day)  # noqa: DTZ001
    else:
        sheet.write_string(line, place, str(value)[:_LONGEST_IN_SHEET])
