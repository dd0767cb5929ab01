"""``{% load barem %}``: numbers and dates in the language, icons, names of people, addresses with filters kept."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django import template
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from federation.registry.models import Club, Person
from federation.web import dates, menu, numbers, people
from federation.web.menu import Part

register = template.Library()

#: Icons of the sprite, by the level of a message.
_LEVELS = {"success": ("ok", "check"), "warning": ("warn", "warn"), "error": ("err", "warn")}


def _is_empty(value: Any) -> bool:
    return value is None or value == ""


@register.filter
def signed(value: Any, places: int = 0) -> str:
    """Difference with its sign; zero has none."""
    return "" if _is_empty(value) else numbers.signed(value, int(places))


@register.filter
def minus(value: Any) -> str:
    """Number with a real minus sign."""
    return "" if _is_empty(value) else numbers.exact(value)


@register.filter
def decimal(value: Any, places: int = 2) -> str:
    """Number with so many places, rounded half away from zero."""
    return "" if _is_empty(value) else numbers.decimal(value, int(places))


@register.filter
def percent(value: Any, places: int = 0) -> str:
    """Share of one as percent."""
    return "" if _is_empty(value) else numbers.percent(value, int(places))


@register.filter
def halves(value: Any) -> str:
    """Half points as points."""
    return "" if _is_empty(value) else numbers.halves(value)


@register.filter
def exact(value: Any, places: int | None = None) -> str:
    """Exact number, from "3.20" or "181/55"."""
    return "" if _is_empty(value) else numbers.exact(value, None if places is None else int(places))


def _time(day: date | datetime, text: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', dates.as_date(day).isoformat(), text)


@register.filter
def short_date(value: date | datetime | None) -> SafeString | str:
    """Day with a short month, in a ``<time>``."""
    return "" if _is_empty(value) else _time(value, dates.short_date(value))  # type: ignore[arg-type]


@register.filter
def long_date(value: date | datetime | None) -> SafeString | str:
    """Day in full, in a ``<time>``."""
    return "" if _is_empty(value) else _time(value, dates.long_date(value))  # type: ignore[arg-type]


@register.filter
def day_month(value: date | datetime | None) -> SafeString | str:
    """Day and short month, in a ``<time>``."""
    return "" if _is_empty(value) else _time(value, dates.day_month(value))  # type: ignore[arg-type]


@register.filter
def near_date(value: date | datetime | None) -> SafeString | str:
    """Day and short month, with the year if it is not this one, in a ``<time>``."""
    if _is_empty(value):
        return ""
    day = dates.as_date(value)  # type: ignore[arg-type]
    plain = day.year == timezone.localdate().year
    return _time(day, dates.day_month(day) if plain else dates.short_date(day))


@register.filter
def weekday_date(value: date | datetime | None) -> str:
    """Day of the week and day in full."""
    return "" if _is_empty(value) else dates.weekday_date(value)  # type: ignore[arg-type]


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """Day and time, in a ``<time>``."""
    if value is None:
        return ""
    return format_html('<time datetime="{}">{}</time>', value.isoformat(timespec="seconds"), dates.moment(value))


@register.filter
def date_range(first: date | None, last: date | None = None) -> str:
    """Days from first to last in full: ``{{ event.starts_on|date_range:event.ends_on }}``."""
    return "" if first is None else dates.date_range(first, last or first)


@register.filter
def short_range(first: date | None, last: date | None = None) -> str:
    """Days from first to last with a short month and no year."""
    return "" if first is None else dates.date_range(first, last or first, short=True)


@register.filter
def unlocal(value: Any) -> str:
    """Plain number with a point, for attributes of SVG."""
    return str(value)


@register.filter
def notice_tone(level: str) -> str:
    """Class of a notice for the level of a message."""
    return _LEVELS.get((level or "").split(" ")[-1], ("", ""))[0]


@register.filter
def notice_icon(level: str) -> str:
    """Icon of a notice for the level of a message."""
    return _LEVELS.get((level or "").split(" ")[-1], ("", "info"))[1]


@register.filter
def season_code(code: Any) -> str:
    """Code of a season with a dash: 2025–26."""
    return str(code).replace("-", "–")


@register.filter
def month_year(day: date) -> str:
    """Month and year as a heading."""
    return dates.month_year(day)


@register.simple_tag(takes_context=True)
def draw(context: template.Context, part: Part) -> SafeString:
    """Draw a part that a game registered, with the page's context below its own."""
    with context.push(**part.context):
        engine = context.template.engine if context.template is not None else template.Engine.get_default()
        return engine.get_template(part.template).render(context)


@register.simple_tag
def club_link(club: Club | None) -> SafeString | str:
    """Name of a club, as a link if clubs have pages."""
    if club is None:
        return ""
    address = menu.href("club-detail", club.slug)
    return format_html('<a href="{}">{}</a>', address, club.name) if address else club.name


@register.simple_tag
def icon(name: str) -> SafeString:
    """Icon of the sprite, hidden from readers of the text."""
    return format_html('<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><use href="#i-{}"/></svg>', name)


@register.simple_tag
def mark(name: str) -> SafeString:
    """Mark of a game: ``{% mark "m-scrabble" %}`` or ``{% mark "scrabble" %}``."""
    if not name:
        return mark_safe("")
    name = name if name.startswith("m-") else f"m-{name}"
    return format_html('<svg class="mark" viewBox="0 0 20 20" aria-hidden="true"><use href="#{}"/></svg>', name)


@register.simple_tag
def move(places: int | None) -> SafeString:
    """Change of rank: places gained, lost (negative), none, or None for a newcomer to the list."""
    return people.move_html(places)


@register.simple_tag
def person_name(person: Person) -> str:
    """Name of a person as the public may see it in this language."""
    return people.name_of(person, get_language() or "en")


@register.simple_tag
def query_string(request: HttpRequest | None, **changes: Any) -> str:
    """This page's query with some parameters changed; None takes one out."""
    query = request.GET.copy() if request else QueryDict(mutable=True)
    query.pop("lang", None)
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = str(value)
    return f"?{query.urlencode()}" if query else "?"


@register.simple_tag(takes_context=True)
def current_if(context: template.Context, value: Any, other: Any) -> SafeString:
    """``aria-current`` when two values are the same: ``<a {% current_if round number %}>``."""
    return mark_safe(' aria-current="true"') if str(value) == str(other) else mark_safe("")
