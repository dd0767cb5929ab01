"""Days and spans of days in English and Catalan."""

from datetime import date

import pytest

from federation.web import dates


@pytest.mark.parametrize(
    ("first", "last", "english", "catalan"),
    [
        (date(2026, 4, 18), date(2026, 4, 18), "18 April 2026", "18 d’abril de 2026"),
        (date(2026, 4, 18), date(2026, 4, 19), "18 and 19 April 2026", "18 i 19 d’abril de 2026"),
        (date(2026, 5, 1), date(2026, 5, 3), "1–3 May 2026", "1–3 de maig de 2026"),
        (date(2026, 5, 30), date(2026, 6, 1), "30 May – 1 June 2026", "30 de maig – 1 de juny de 2026"),
        (
            date(2025, 12, 30),
            date(2026, 1, 2),
            "30 December 2025 – 2 January 2026",
            "30 de desembre de 2025 – 2 de gener de 2026",
        ),
    ],
)
def test_spans_of_days(first, last, english, catalan):
    assert dates.date_range(first, last, "en") == english
    assert dates.date_range(first, last, "ca") == catalan


def test_catalan_months_take_their_article():
    written = [dates.long_date(date(2026, month, 1), "ca") for month in (1, 4, 8, 10)]
    assert written == ["1 de gener de 2026", "1 d’abril de 2026", "1 d’agost de 2026", "1 d’octubre de 2026"]


def test_short_span_has_no_year():
    assert dates.date_range(date(2026, 5, 30), date(2026, 5, 31), "en", short=True) == "30–31 May"
