"""What games and other apps bring to the shell: entries of the menus, fronts, searches, sections, feeds.

The shell does not know the games. Each registers here in ``AppConfig.ready()``; nothing here touches the database.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, resolve, reverse

Text = Any
"""A text or a lazy translation of one."""


def href(url_name: str, *args: Any) -> str:
    """Return the address of a name, empty if no app of this site has it."""
    try:
        return reverse(url_name, args=args)
    except NoReverseMatch:
        return ""


def href_for(user: Any, url_name: str, *args: Any) -> str:
    """Return the address of a name, empty if there is none or its page refuses this account altogether."""
    address = href(url_name, *args)
    needed = getattr(resolve(address).func, "required_permission", "") if address else ""
    return address if not needed or user.has_perm(needed) else ""


@dataclass(frozen=True, slots=True)
class Link:
    """An entry of a menu."""

    label: Text
    href: str
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class DisciplineEntry:
    """A game with its place in the masthead and its tabs."""

    code: str
    name: Text
    url_name: str
    mark: str
    subnav: tuple[tuple[Text, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a page that a game draws: its template and what the template needs."""

    template: str
    context: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something the search found.

    Attributes:
        kind: ``person``, ``club``, ``event`` or ``list``; hits are shown under these heads, in this order.
        label: name in the language of the page.
        href: address.
        detail: one line that tells it from its namesakes.
        discipline: code of the game, if it belongs to one.
        score: 0 to 100; equal scores keep the order given.
    """

    kind: str
    label: str
    href: str
    detail: str = ""
    discipline: str = ""
    score: int = 100


@dataclass(frozen=True, slots=True)
class FeedItem:
    """Something that was published: a list, an erratum, an event."""

    key: str
    at: datetime
    title: str
    href: str
    summary: str = ""
    discipline: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark of the season: the largest rise, the highest game."""

    label: str
    figure: str
    detail: str
    discipline: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """A finished event with its winner."""

    day: date
    label: str
    href: str
    winner: str
    score: str
    entries: int
    discipline: str = ""


@dataclass(frozen=True, slots=True)
class DeskLink:
    """An entry of the desk, with the number of things that wait there."""

    label: Text
    url_name: str
    permission: str | None = None
    count: Callable[[HttpRequest], int] | None = None
    detail: Text = ""
    order: int = 0
    news: Callable[[HttpRequest], str] | None = None


Front = Callable[[HttpRequest], Part | tuple[str, dict[str, Any]] | None]
Search = Callable[[str, str, int], Sequence[Hit]]
Section = Callable[[HttpRequest, Any], Part | tuple[str, dict[str, Any]] | None]

_disciplines: dict[str, DisciplineEntry] = {}
_fronts: list[Front] = []
_searches: list[Search] = []
_desk_links: dict[str, DeskLink] = {}
_sections: list[Section] = []
_figures: list[Section] = []
_feeds: list[Callable[[HttpRequest, int], Iterable[FeedItem]]] = []
_results: list[Callable[[HttpRequest, int], Iterable[Result]]] = []
_marks: list[Callable[[HttpRequest], Iterable[Mark]]] = []
_footer: dict[str, tuple[Text, str]] = {}
_events: dict[str, Callable[[Any], str]] = {}
_formats: list[tuple[Text, Text, str]] = []


def register_discipline(
    code: str, name: Text, url_name: str, subnav: Sequence[tuple[Text, str]] = (), mark: str = ""
) -> None:
    """Give a game its place in the masthead, and its tabs as pairs of label and URL name."""
    _disciplines[code] = DisciplineEntry(code, name, url_name, mark or f"m-{code}", tuple(subnav))


def register_front(front: Front) -> None:
    """Add a list in force to the home page: a template with context, or None when there is nothing yet."""
    _add(_fronts, front)


def register_search(search: Search) -> None:
    """Add a search: ``search(query, language, limit) -> hits``, best first."""
    _add(_searches, search)


def register_desk_link(
    label: Text,
    url_name: str,
    permission: str | None = None,
    *,
    count: Callable[[HttpRequest], int] | None = None,
    detail: Text = "",
    order: int = 0,
    news: Callable[[HttpRequest], str] | None = None,
) -> None:
    """Add an entry to the desk of those who have the permission.

    ``count`` says how much waits there, ``news`` what the account should read first.
    """
    _desk_links[url_name] = DeskLink(label, url_name, permission, count, detail, order, news)


def register_person_section(section: Section) -> None:
    """Add a section to the page of a person: ``section(request, person) -> (template, context) | None``."""
    _add(_sections, section)


def register_person_figure(figure: Section) -> None:
    """Add a row to the table of figures in force on the page of a person (template of one ``<tr>``)."""
    _add(_figures, figure)


def register_feed(feed: Callable[[HttpRequest, int], Iterable[FeedItem]]) -> None:
    """Add a provider of what was published: ``feed(request, limit) -> items``, newest first."""
    _add(_feeds, feed)


def register_results(results: Callable[[HttpRequest, int], Iterable[Result]]) -> None:
    """Add a provider of finished events: ``results(request, limit) -> results``, newest first."""
    _add(_results, results)


def register_marks(marks: Callable[[HttpRequest], Iterable[Mark]]) -> None:
    """Add a provider of the marks of the season."""
    _add(_marks, marks)


def register_footer_link(label: Text, url_name: str) -> None:
    """Add a link to the foot of every page, after the rules and errata of the games."""
    _footer[url_name] = (label, url_name)


def register_event_address(discipline: str, address: Callable[[Any], str]) -> None:
    """Say where the page of an event of a game is."""
    _events[discipline] = address


def register_open_data(label: Text, detail: Text, url_name: str) -> None:
    """Add an address to the page of open data."""
    if not any(name == url_name for _, _, name in _formats):
        _formats.append((label, detail, url_name))


def _add(registry: list[Any], entry: Any) -> None:
    if entry not in registry:
        registry.append(entry)


def disciplines() -> tuple[DisciplineEntry, ...]:
    """Return the games in the order they were registered."""
    return tuple(_disciplines.values())


def fronts() -> tuple[Front, ...]:
    """Return the makers of the lists in force."""
    return tuple(_fronts)


def searches() -> tuple[Search, ...]:
    """Return the searches."""
    return tuple(_searches)


def person_sections() -> tuple[Section, ...]:
    """Return the makers of sections of the page of a person."""
    return tuple(_sections)


def person_figures() -> tuple[Section, ...]:
    """Return the makers of rows of figures in force."""
    return tuple(_figures)


def open_data() -> list[tuple[Text, Text, str]]:
    """Return label, detail and address of the registered open data that this site has."""
    return [(label, detail, address) for label, detail, name in _formats if (address := href(name))]


def desk_links(request: HttpRequest) -> list[tuple[DeskLink, str]]:
    """Return the entries of the desk that the account may open, with their addresses."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return []
    return [
        (link, address)
        for link in sorted(_desk_links.values(), key=lambda link: link.order)
        if (address := href(link.url_name)) and (link.permission is None or user.has_perm(link.permission))
    ]


def footer_links() -> list[tuple[Text, str]]:
    """Return label and URL name of the links at the foot."""
    return list(_footer.values())


def event_address(event: Any) -> str:
    """Return the address of the page of an event, empty if its game has none."""
    address = _events.get(event.discipline.code)
    return address(event) if address else ""


def feed_items(request: HttpRequest, limit: int) -> list[FeedItem]:
    """Return what was published, newest first."""
    found = [item for feed in _feeds for item in feed(request, limit)]
    return sorted(found, key=lambda item: (item.at, item.key), reverse=True)[:limit]


def recent_results(request: HttpRequest, limit: int) -> list[Result]:
    """Return finished events, newest first."""
    found = [result for results in _results for result in results(request, limit)]
    return sorted(found, key=lambda result: (-result.day.toordinal(), result.label, result.href))[:limit]


def season_marks(request: HttpRequest) -> list[Mark]:
    """Return the marks of the season."""
    return [mark for marks in _marks for mark in marks(request)]


def parts(makers: Iterable[Callable[..., Any]], *args: Any) -> list[Part]:
    """Return what the makers drew; a pair of template and context is taken as well."""
    drawn = [maker(*args) for maker in makers]
    return [part if isinstance(part, Part) else Part(*part) for part in drawn if part is not None]
