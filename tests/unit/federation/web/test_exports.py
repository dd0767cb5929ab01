"""CSV, XLSX and JSON of the same rows."""

import csv
import io
import json
from datetime import date
from decimal import Decimal
from fractions import Fraction

import openpyxl
import pytest
from django.test import RequestFactory

from federation.web.exports import csv_cell, export_response, safe_text
from federation.web.formats import export_format

COLUMNS = [("name", "Player"), ("rating", "BARRUF"), ("on", "Date")]
ROWS = [["=cmd|' /C calc'!A0", -17, date(2026, 4, 30)], ['Vera; "Osintseva", jr', Decimal("3.20"), None]]
ABOUT = {"list": "2025-26/8", "fingerprint": "ab12"}


def answer(kind, rows=ROWS, **options):
    request = RequestFactory().get(f"/list/?format={kind}", headers=options.pop("headers", None))
    return export_response(request, filename="llista-8", rows=rows, columns=COLUMNS, metadata=ABOUT, **options)


def body(response):
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", "＋1", "－1", "＠1"]
)
def test_text_is_never_a_formula(text):
    assert safe_text(text) == f"'{text}"


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (-17, "-17"),
        (Decimal("-3.20"), "-3.20"),
        (Fraction(181, 55), "3.290909"),
        (0.5, "0.5"),
        (None, ""),
        (True, "1"),
        (date(2026, 4, 30), "2026-04-30"),
        ("Ona Càdec", "Ona Càdec"),
    ],
)
def test_numbers_stay_numbers_and_days_are_iso(value, cell):
    assert csv_cell(value) == cell


def test_csv_is_streamed_with_mark_and_commas():
    response = answer("csv")
    assert response.streaming
    content = body(response)
    assert content.startswith(b"\xef\xbb\xbf")
    lines = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert lines == [
        ["Player", "BARRUF", "Date"],
        ["'=cmd|' /C calc'!A0", "-17", "2026-04-30"],
        ['Vera; "Osintseva", jr', "3.20", ""],
    ]
    assert response["Content-Disposition"] == 'attachment; filename="llista-8.csv"'


def test_first_piece_of_csv_comes_before_the_last_row_is_read():
    read = []

    def endless():
        for number in range(2000):
            read.append(number)
            yield [f"p{number}", number, None]

    pieces = answer("csv", rows=endless()).streaming_content
    next(pieces), next(pieces)
    assert len(read) == 500


def test_xlsx_has_numbers_days_and_plain_text():
    book = openpyxl.load_workbook(io.BytesIO(body(answer("xlsx"))))
    sheet = book.worksheets[0]
    assert [cell.value for cell in sheet[1]] == ["Player", "BARRUF", "Date"]
    assert (sheet["A2"].data_type, sheet["A2"].value) == ("s", "=cmd|' /C calc'!A0")
    assert (sheet["B2"].data_type, sheet["B2"].value) == ("n", -17)
    assert sheet["C2"].value.date() == date(2026, 4, 30)
    assert [cell.value for cell in book.worksheets[1]["B"]] == ["2025-26/8", "ab12"]


def test_json_says_what_the_rows_stand_on():
    content = json.loads(body(answer("json")))
    assert content["about"] == ABOUT
    assert content["columns"][1] == {"name": "rating", "label": "BARRUF"}
    assert content["rows"][1] == {"name": 'Vera; "Osintseva", jr', "rating": 3.2, "on": None}


@pytest.mark.parametrize("kind", ["csv", "xlsx", "json"])
def test_same_rows_same_bytes_and_304(kind):
    first, second = answer(kind), answer(kind)
    assert body(first) == body(second)
    assert first["ETag"] == second["ETag"]
    assert answer(kind, headers={"if-none-match": first["ETag"]}).status_code == 304
    assert answer(kind, rows=ROWS[:1])["ETag"] != first["ETag"]


def test_fingerprint_makes_the_etag_without_reading_rows():
    def untouchable():
        raise AssertionError("rows were read")
        yield

    etag = answer("csv", rows=ROWS, fingerprint="f1")["ETag"]
    unchanged = answer("csv", rows=untouchable(), fingerprint="f1", headers={"if-none-match": etag})
    assert unchanged.status_code == 304


@pytest.mark.parametrize("asked", ["", "pdf", "CSV", "csv2"])
def test_unknown_format_is_the_page(asked):
    assert export_format(RequestFactory().get("/", {"format": asked})) is None
