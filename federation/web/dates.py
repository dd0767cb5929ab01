"""Dates as the language writes them. Django's formats have no article for Catalan months and no ranges."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import formats, timezone
from django.utils.translation import get_language, gettext

_CATALAN = (
    ("de gener", "gen."), ("de febrer", "febr."), ("de març", "març"), ("d’abril", "abr."), ("de maig", "maig"),
    ("de juny", "juny"), ("de juliol", "jul."), ("d’agost", "ag."), ("de setembre", "set."), ("d’octubre", "oct."),
    ("de novembre", "nov."), ("de desembre", "des."),
)  # fmt: skip
_ENGLISH = (
    ("January", "Jan"), ("February", "Feb"), ("March", "Mar"), ("April", "Apr"), ("May", "May"), ("June", "Jun"),
    ("July", "Jul"), ("August", "Aug"), ("September", "Sep"), ("October", "Oct"), ("November", "Nov"),
    ("December", "Dec"),
)  # fmt: skip


def _language(language: str | None) -> str:
    return (language or get_language() or "en").split("-")[0]


def as_date(value: date | datetime) -> date:
    """Return the day, for a moment the day in the federation's own time zone."""
    if isinstance(value, datetime):
        return timezone.localtime(value).date() if timezone.is_aware(value) else value.date()
    return value


def _month(day: date, language: str, *, short: bool) -> str:
    if language == "ca":
        return _CATALAN[day.month - 1][short]
    if language == "en":
        return _ENGLISH[day.month - 1][short]
    return formats.date_format(day, "M" if short else "E")


def _year(day: date, language: str) -> str:
    return f"de {day.year}" if language == "ca" else str(day.year)


def long_date(value: date | datetime, language: str | None = None) -> str:
    """Return the day in full.

    >>> long_date(date(2026, 4, 30), "en"), long_date(date(2026, 4, 30), "ca")
    ('30 April 2026', '30 d’abril de 2026')
    """
    day, language = as_date(value), _language(language)
    return f"{day.day} {_month(day, language, short=False)} {_year(day, language)}"


def short_date(value: date | datetime, language: str | None = None) -> str:
    """Return the day with a short month.

    >>> short_date(date(2026, 4, 30), "en"), short_date(date(2026, 4, 30), "ca")
    ('30 Apr 2026', '30 abr. 2026')
    """
    day, language = as_date(value), _language(language)
    return f"{day.day} {_month(day, language, short=True)} {day.year}"


def day_month(value: date | datetime, language: str | None = None) -> str:
    """Return the day with a short month and no year, for lists where the year is plain.

    >>> day_month(date(2026, 5, 10), "en"), day_month(date(2026, 5, 10), "ca")
    ('10 May', '10 maig')
    """
    day, language = as_date(value), _language(language)
    return f"{day.day} {_month(day, language, short=True)}"


def weekday_date(value: date | datetime, language: str | None = None) -> str:
    """Return the day of the week and the day in full, in the active language."""
    day, language = as_date(value), _language(language)
    weekday = formats.date_format(day, "l")
    if language == "ca":
        return f"{weekday.lower()}, {long_date(day, language)}"
    return f"{weekday} {long_date(day, language)}"


def date_range(first: date, last: date, language: str | None = None, *, short: bool = False) -> str:
    """Return the days from first to last.

    >>> date_range(date(2026, 4, 18), date(2026, 4, 19), "en"), date_range(date(2026, 4, 18), date(2026, 4, 19), "ca")
    ('18 and 19 April 2026', '18 i 19 d’abril de 2026')
    >>> date_range(date(2026, 5, 30), date(2026, 6, 1), "en", short=True)
    '30 May – 1 Jun'
    """
    first, last, language = as_date(first), as_date(last), _language(language)
    written = day_month if short else long_date
    if last <= first:
        return written(first, language)
    if (first.year, first.month) == (last.year, last.month):
        pair = (last - first).days == 1 and not short
        glue = (" i " if language == "ca" else " and " if language == "en" else "–") if pair else "–"
        return f"{first.day}{glue}{written(last, language)}"
    if first.year == last.year and not short:
        return f"{first.day} {_month(first, language, short=False)} – {long_date(last, language)}"
    return f"{written(first, language)} – {written(last, language)}"


def month_year(value: date | datetime, language: str | None = None) -> str:
    """Return month and year as a heading.

    >>> month_year(date(2026, 4, 1), "en"), month_year(date(2026, 4, 1), "ca")
    ('April 2026', 'Abril de 2026')
    """
    day, language = as_date(value), _language(language)
    month = _month(day, language, short=False).removeprefix("de ").removeprefix("d’")
    return f"{month[:1].upper()}{month[1:]} {_year(day, language)}"


def moment(value: datetime, language: str | None = None) -> str:
    """Return day and time in the federation's own time zone."""
    local = timezone.localtime(value) if timezone.is_aware(value) else value
    return gettext("%(day)s, %(time)s") % {"day": long_date(local, language), "time": f"{local:%H:%M}"}
