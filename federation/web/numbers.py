"""Numbers as the language writes them: decimal sign, minus, percent. Pure but for the active language."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, Decimal, InvalidOperation
from fractions import Fraction

from django.utils.translation import get_language

Number = int | float | str | Decimal | Fraction

MINUS = "\N{MINUS SIGN}"
NO_BREAK = "\N{NO-BREAK SPACE}"
#: Languages that write a decimal point; all others of the site write a comma.
_POINT = frozenset({"en"})
#: Languages that put no space before the percent sign.
_TIGHT_PERCENT = frozenset({"it"})
#: Places shown of a number whose decimals never end.
_ENDLESS_PLACES = 4
_LONGEST = 200
_HUGE = re.compile(r"[eE][+-]?\d{3}")


def _language(language: str | None) -> str:
    return (language or get_language() or "en").split("-")[0]


def exact_value(value: Number) -> Fraction | None:
    """Return the value as a fraction; None if it is not a finite number. Accepts "3.20" and "181/55"."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, float):
        value = repr(value)
    if isinstance(value, str):
        value = value.strip().replace(MINUS, "-")
        if len(value) > _LONGEST or _HUGE.search(value):
            return None
    try:
        return Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError, InvalidOperation):
        return None


def rounded(value: Fraction, places: int) -> Decimal:
    """Return the value rounded half away from zero."""
    scaled = abs(value) * 10**places
    whole = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    return Decimal(-whole if value < 0 else whole).scaleb(-places)


def written(text: str, language: str | None = None) -> str:
    """Return a plain number ("-3.25") with the sign and the decimal sign of the language."""
    if _language(language) not in _POINT:
        text = text.replace(".", ",")
    return text.replace("-", MINUS)


def decimal(value: Number, places: int = 2, language: str | None = None) -> str:
    """Return the value with a fixed number of places, rounded half away from zero.

    >>> decimal("2.675", 2, "en"), decimal("-1/3", 2, "ca")
    ('2.68', '−0,33')
    """
    number = exact_value(value)
    if number is None:
        return str(value)
    result = rounded(number, places)
    return written(f"{result or Decimal(0):.{places}f}", language)


def signed(value: Number, places: int = 0, language: str | None = None) -> str:
    """Return a difference: always with its sign, zero without one.

    >>> signed(7), signed(-7), signed(0)
    ('+7', '−7', '0')
    """
    number = exact_value(value)
    if number is None:
        return str(value)
    if places == 0 and number.denominator != 1:
        text = exact(value, language=language)
    else:
        text = decimal(value, places, language)
    return f"+{text}" if number > 0 and text.strip("0.,") else text


def percent(share: Number, places: int = 0, language: str | None = None) -> str:
    """Return a share of one as percent, with a no-break space where the language has one.

    >>> percent("0.589", 1, "en").split(), percent("0.589", 1, "ca").split()
    (['58.9', '%'], ['58,9', '%'])
    """
    number = exact_value(share)
    if number is None:
        return str(share)
    space = "" if _language(language) in _TIGHT_PERCENT else NO_BREAK
    return f"{decimal(number * 100, places, language)}{space}%"


def halves(value: Number, language: str | None = None) -> str:
    """Return a count of half points as points.

    >>> halves(5, "en"), halves(5, "ca"), halves(4)
    ('2.5', '2,5', '2')
    """
    number = exact_value(value)
    if number is None:
        return str(value)
    return decimal(number / 2, 0 if number % 2 == 0 else 1, language)


def exact(value: Number, places: int | None = None, language: str | None = None) -> str:
    """Return an exact number with all the places it has; one whose decimals never end is cut and says so with «…».

    Text keeps the zeros it is written with: "3.20" stays 3.20.

    >>> exact("3.20", language="ca"), exact("181/55", language="en"), exact("181/55", 2, "en")
    ('3,20', '3.2909…', '3.29')
    """
    number = exact_value(value)
    if number is None:
        return str(value)
    if places is not None:
        return decimal(value, places, language)
    if isinstance(value, str) and "/" not in value and "e" not in value.lower():
        return written(value.strip().lstrip("+").replace(MINUS, "-"), language)
    rest = number.denominator
    for factor in (2, 5):
        while rest % factor == 0:
            rest //= factor
    if rest == 1:
        places = next(count for count in range(400) if 10**count % number.denominator == 0)
        return decimal(number, places, language)
    cut = (Decimal(abs(number).numerator) / Decimal(abs(number).denominator)).quantize(
        Decimal(1).scaleb(-_ENDLESS_PLACES), rounding=ROUND_DOWN
    )
    return written(f"{'-' if number < 0 else ''}{cut}", language) + "…"
