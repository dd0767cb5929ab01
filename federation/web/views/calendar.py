"""The calendar of events, as a page and as iCalendar, and the feed of what was published."""

from __future__ import annotations

import datetime as dt
import hashlib
from itertools import groupby

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import quote_etag
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from icalendar import Calendar
from icalendar import Event as CalendarEvent

from federation.registry.models import Event
from federation.web import dates, menu
from federation.web.context import federation_settings
from federation.web.exports import export_response
from federation.web.formats import export_format
from federation.web.menu import FeedItem
from federation.web.queries import calendar_events, event_years, open_events_since

FEED_ITEMS = 40
#: How far back and ahead the subscribed calendar reaches.
BACK, AHEAD = dt.timedelta(days=400), dt.timedelta(days=800)
#: New dates of the calendar stay in the feed so long.
NEWS = dt.timedelta(days=60)


#: Columns of the export.
EXPORTED = (
    ("starts_on", gettext_lazy("First day")),
    ("ends_on", gettext_lazy("Last day")),
    ("discipline", gettext_lazy("Discipline")),
    ("name", gettext_lazy("Event")),
    ("venue", gettext_lazy("Place")),
    ("town", gettext_lazy("Town")),
    ("rounds", gettext_lazy("Rounds")),
    ("entries", gettext_lazy("Entries")),
    ("state", gettext_lazy("State")),
    ("address", gettext_lazy("Address")),
)


def _exported(event: Event) -> list[object]:
    address = menu.event_address(event)
    return [
        event.starts_on,
        event.ends_on,
        event.discipline.code,
        event.name,
        event.venue,
        event.town,
        event.rounds or None,
        event.entry_count,  # type: ignore[attr-defined]
        event.get_state_display(),
        settings.BASE_URL + address if address else "",
    ]


def _discipline(request: HttpRequest) -> str:
    asked = request.GET.get("discipline", "")
    return asked if asked in {game.code for game in menu.disciplines()} else ""


def calendar(request: HttpRequest) -> HttpResponseBase:
    """Coming events by month, or with ``?year=`` all of one year; the same rows with ``?format=``."""
    today = timezone.localdate()
    years = event_years()
    asked = request.GET.get("year", "")
    year = int(asked) if asked.isascii() and asked.isdigit() and int(asked[:6]) in years else None
    since, until = (dt.date(year, 1, 1), dt.date(year, 12, 31)) if year else (today, today + AHEAD)
    discipline = _discipline(request)
    events = calendar_events(since=since, until=until, discipline=discipline)
    if export_format(request):
        return export_response(
            request, filename="calendar", columns=EXPORTED, rows=[_exported(event) for event in events]
        )
    months = [
        (month, [(event, menu.event_address(event)) for event in group])
        for month, group in groupby(events, key=lambda event: max(event.starts_on, since).replace(day=1))
    ]
    context = {
        "months": months,
        "years": years,
        "year": year,
        "code": discipline,
        "games": menu.disciplines(),
        "count": sum(len(group) for _month, group in months),
    }
    return render(request, "web/calendar.html", context)


def calendar_ical(request: HttpRequest) -> HttpResponseBase:
    """The calendar for subscription, events of the last year and of the next two."""
    today = timezone.localdate()
    site = federation_settings()
    host = settings.BASE_URL.split("//")[-1].split(":")[0]
    book = Calendar()
    book.add("prodid", f"-//Barem//{site.name}//{(get_language() or 'en').upper()}")
    book.add("version", "2.0")
    book.add("x-wr-calname", site.name)
    for event in calendar_events(since=today - BACK, until=today + AHEAD, discipline=_discipline(request)):
        book.add_component(_ical_event(event, host))
    content = book.to_ical()
    return _conditional(request, content, "text/calendar; charset=utf-8", "calendar.ics")


def _ical_event(event: Event, host: str) -> CalendarEvent:
    entry = CalendarEvent()
    entry.add("uid", f"event-{event.pk}@{host}")
    entry.add("dtstamp", event.created_at)
    entry.add("sequence", event.version)
    entry.add("dtstart", event.starts_on)
    # The end of a day event is the first day after it.
    entry.add("dtend", event.ends_on + dt.timedelta(days=1))
    entry.add("summary", event.name)
    place = ", ".join(filter(None, [event.venue, event.town]))
    if place:
        entry.add("location", place)
    address = menu.event_address(event)
    if address:
        entry.add("url", settings.BASE_URL + address)
    entry.add("categories", [event.discipline.name])
    return entry


def feed(request: HttpRequest) -> HttpResponseBase:
    """Published lists, errata and new dates, newest first, as Atom."""
    site = federation_settings()
    news = [_news(event) for event in open_events_since(timezone.now() - NEWS, FEED_ITEMS)]
    items = [*menu.feed_items(request, FEED_ITEMS), *news]
    items.sort(key=lambda item: (item.at, item.key), reverse=True)
    page = Atom1Feed(
        title=site.name,
        link=settings.BASE_URL + "/",
        feed_url=settings.BASE_URL + request.path,
        subtitle=_("Published lists, errata and dates"),
        description="",
        language=get_language() or "en",
    )
    for item in items[:FEED_ITEMS]:
        page.add_item(
            title=item.title,
            link=settings.BASE_URL + item.href,
            description=item.summary,
            unique_id=f"{settings.BASE_URL}/#{item.key}",
            pubdate=item.at,
            updateddate=item.at,
        )
    if not items:
        # An empty feed still needs a date, and must not change with every look.
        page.latest_post_date = lambda: dt.datetime(2000, 1, 1, tzinfo=dt.UTC)  # type: ignore[method-assign]
    return _conditional(request, page.writeString("utf-8").encode(), "application/atom+xml; charset=utf-8", "")


def _news(event: Event) -> FeedItem:
    title = _("New date: %(event)s, %(days)s") % {
        "event": event.name,
        "days": dates.date_range(event.starts_on, event.ends_on),
    }
    address = menu.event_address(event) or menu.href("calendar")
    return FeedItem(f"event-{event.pk}", event.created_at, title, address, event.town, event.discipline.code)


def _conditional(request: HttpRequest, content: bytes, content_type: str, filename: str) -> HttpResponseBase:
    etag = quote_etag(hashlib.sha256(content).hexdigest()[:32])
    unchanged = get_conditional_response(request, etag=etag)
    if unchanged is not None:
        return unchanged
    response = HttpResponse(content, content_type=content_type)
    response["ETag"] = etag
    if filename:
        response["Content-Disposition"] = f'inline; filename="{filename}"'
    return response
