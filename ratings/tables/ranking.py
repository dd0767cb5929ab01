"""The ranking: both parts of a list, with every column of section 10 of the specification."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter
from typing import Any, Self

from django.core.paginator import Paginator
from django.db.models import Case, F, QuerySet, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _

from federation.registry.models import Event
from federation.registry.publication import public_name
from federation.web import charts
from federation.web.formats import export_format
from federation.web.numbers import rounded, signed
from federation.web.tables import (
    PER_PAGE,
    BaremTable,
    Column,
    HalvesColumn,
    NumberColumn,
    SignedColumn,
)
from ratings.core.ruleset import RuleSet
from ratings.models import ListRow, PublishedList
from ratings.presenters.names import is_named, root_of
from ratings.presenters.rules import title_code_of
from ratings.presenters.states import label_of, reason_of
from ratings.queries import pages_lists

EMPTY = mark_safe("")
_UP = mark_safe('<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M5 1.5 9 8.5H1z"/></svg>')
_DOWN = mark_safe('<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M5 8.5 1 1.5h8z"/></svg>')

#: Column, abbreviation in the head, full name in the legend and in exports.
LEGEND: dict[str, tuple[Any, Any]] = {
    "position": (gettext_lazy("Pos."), gettext_lazy("Position among the ranked players")),
    "move": (gettext_lazy("Move"), gettext_lazy("Positions gained or lost since the previous list")),
    "title_code": (gettext_lazy("Title"), gettext_lazy("Title by current rating")),
    "player": (gettext_lazy("Player"), gettext_lazy("Player")),
    "club": (gettext_lazy("Club"), gettext_lazy("Club")),
    "rating": (gettext_lazy("BARRUF"), gettext_lazy("Rating")),
    "progress": (gettext_lazy("±"), gettext_lazy("Rating gained or lost since the previous list")),
    "wins_since": (gettext_lazy("W+"), gettext_lazy("Games won since the previous list")),
    "games_since": (gettext_lazy("G+"), gettext_lazy("Games since the previous list")),
    "season_wins": (gettext_lazy("Ws"), gettext_lazy("Games won this season")),
    "season_games": (gettext_lazy("Gs"), gettext_lazy("Games this season")),
    "season_share": (gettext_lazy("S%"), gettext_lazy("Percentage won this season")),
    "wins": (gettext_lazy("W"), gettext_lazy("Games won ever")),
    "games": (gettext_lazy("G"), gettext_lazy("Games ever")),
    "share": (gettext_lazy("W%"), gettext_lazy("Percentage won ever")),
    "losses": (gettext_lazy("L"), gettext_lazy("Games lost ever")),
    "recent": (
        gettext_lazy("Last 12"),
        gettext_lazy("Rating after each of the last 12 events, each line on a scale of its own"),
    ),
    "number": (gettext_lazy("No."), gettext_lazy("Number of the player")),
    "state": (gettext_lazy("State"), gettext_lazy("State")),
    "reason": (gettext_lazy("Reason"), gettext_lazy("Reason of the state")),
    "corrected": (gettext_lazy("†"), gettext_lazy("Corrected: the rating moved without a new game")),
}


def _head(name: str) -> Any:
    return LEGEND[name][0]


class ShareColumn(NumberColumn):
    """Column of shares, shown as a percentage with one place and without the sign, as the head says it.

    Args:
        wins: Attribute of the half points.
        games: Attribute of the games.
    """

    def __init__(self, *args: Any, wins: str, games: str, **kwargs: Any) -> None:
        super().__init__(*args, initial_sort_descending=True, **kwargs)
        self._of = attrgetter(wins, games)

    def render(self, record: ListRow) -> str:
        """Return the percentage, rounded half up on the integers that it is made of."""
        wins, games = self._of(record)
        tenths = (1000 * wins + games) // (2 * games) if games else 0
        return f"{tenths // 10}{_point()}{tenths % 10}" if games else ""

    def value(self, record: ListRow) -> Decimal | None:  # type: ignore[override]
        """Return the percentage with two places."""
        wins, games = self._of(record)
        return rounded(Fraction(50 * wins, games), 2) if games else None


class PointsColumn(HalvesColumn):
    """Column of half points; a long list writes thousands of them, so the common case is short."""

    def render(self, value: Any) -> Any:
        """Return the points."""
        if value >= 0:
            return f"{value // 2}{_point()}5" if value % 2 else value // 2
        return super().render(value)


def _point() -> str:
    """The decimal sign of the language."""
    return "." if (get_language() or "en").startswith("en") else ","


class RankingTable(BaremTable):
    """Rows of an edition; the ranked part comes first whatever the column sorted by."""

    position = NumberColumn(_head("position"), accessor="position", order_by="order", empty_values=())
    move = Column(_head("move"), accessor="moved", css="mid", empty_values=(), initial_sort_descending=True)
    title_code = Column(
        _head("title_code"), accessor="title", css="mid", order_by="rating", initial_sort_descending=True
    )
    player = Column(_head("player"), accessor="person", row_header=True, order_by="person.sort_key")
    club = Column(_head("club"), accessor="club", css="mid", order_by="club.name")
    rating = NumberColumn(_head("rating"), css="n fig", initial_sort_descending=True)
    progress = SignedColumn(_head("progress"))
    wins_since = PointsColumn(_head("wins_since"), css="n wide", initial_sort_descending=True)
    games_since = NumberColumn(_head("games_since"), css="n wide", initial_sort_descending=True)
    season_wins = PointsColumn(_head("season_wins"), css="n wide", initial_sort_descending=True)
    season_games = NumberColumn(_head("season_games"), css="n wide", initial_sort_descending=True)
    season_share = ShareColumn(_head("season_share"), wins="season_wins", games="season_games", css="n wide")
    wins = PointsColumn(_head("wins"), css="n wide", initial_sort_descending=True)
    games = NumberColumn(_head("games"), css="n mid", initial_sort_descending=True)
    share = ShareColumn(_head("share"), wins="wins", games="games", css="n mid")
    losses = PointsColumn(_head("losses"), css="n wide", initial_sort_descending=True)
    recent = Column(_head("recent"), css="n wide", orderable=False, exclude_from_export=True)
    # Only in exports.
    number = NumberColumn(_head("number"), accessor="person.number", visible=False)
    state = Column(_head("state"), accessor="status", visible=False)
    reason = Column(_head("reason"), accessor="status", visible=False)
    corrected = Column(_head("corrected"), visible=False)

    class Meta(BaremTable.Meta):
        order_by = "position"

    def __init__(
        self, data: QuerySet[ListRow], *, edition: PublishedList, rules: RuleSet, list_query: str = "", **kwargs: Any
    ) -> None:
        self.edition = edition
        self.rules = rules
        #: ``?list=8`` on editions that are not in force.
        self.list_query = list_query
        self.accounts: Mapping[int, Sequence[Event]] = {}
        self.erratum_address = ""
        self.me: int | None = None
        self.count: int | None = None
        self.language = get_language() or "en"
        self._codes = {title.name: title_code_of(rules, title.name) for title in rules.titles}
        self._labels = {status: label_of(status) for status in ("ranked", "provisional", "inactive", "new")}
        self._addresses = _Addresses(list_query)
        self._unchanged, self._why, self._you = _("unchanged"), _("why?"), _("you")
        super().__init__(data, **kwargs)

    # ---- order and pages ---------------------------------------------------------------------------------------
    def _ordered_query(self, known: Sequence[str]) -> QuerySet[ListRow]:
        rows: QuerySet[ListRow] = self._records
        if not known or known[0] == "position":
            return rows.order_by("order", "pk")
        ordering: list[Any] = ["part"]
        for alias in known:
            for path, down in self._paths(alias):
                field = self._sorted_by(path)
                ordering.append(field.desc(nulls_last=True) if down else field.asc(nulls_last=True))
        return rows.order_by(*ordering, "order", "pk")

    @staticmethod
    def _sorted_by(path: str) -> Any:
        """The value that a column is sorted by: names and clubs only as far as the public sees them."""
        if path == "person__sort_key":
            name = Coalesce(F("person__merged_into__sort_key"), F("person__sort_key"))
            return Case(When(pages_lists.of_people_named_in_full(), then=name))
        if path == "club__name":
            return Case(When(pages_lists.of_named_people(), then=F("club__name")))
        return F(path)

    def for_request(self, request: HttpRequest, per_page: int | None = PER_PAGE) -> Self:
        """Take order and page from the address; the count of rows is known already."""
        super().for_request(request, None)
        if per_page and not export_format(request):
            self.paginator = Paginator(self.data.data, per_page)
            if self.count is not None:
                self.paginator.__dict__["count"] = self.count
            self.page = self.paginator.get_page(request.GET.get(self.prefixed_page_field))
            self.page.object_list = list(self.page.object_list)
        return self

    # ---- the page ----------------------------------------------------------------------------------------------
    def row_class(self, record: ListRow) -> str:
        """Mark the reader's own row and those without a position."""
        if record.person_id == self.me:
            return "me"
        return "" if record.status == "ranked" else "off"

    def body(self) -> SafeString:
        """Return the rows; a heading stands where the waiting part begins."""
        records = self.records
        waiting = [record for record in records if record.status != "ranked"]
        if not waiting:
            return super().body()
        ranked = [record for record in records if record.status == "ranked"]
        heading = format_html(
            '<tr><th scope="rowgroup" colspan="{}"><b>{}</b> {}</th></tr>\n',
            len(list(self.columns)),
            _("In expectation"),
            _("not yet, or no longer, ranked"),
        )
        return self._rows(ranked) + heading + self._rows(waiting)

    def _rows(self, records: Sequence[ListRow]) -> SafeString:
        kept, self.page.object_list = self.page.object_list, records
        try:
            return super().body()
        finally:
            self.page.object_list = kept

    def render_position(self, record: ListRow) -> Any:
        """Position with the move for narrow pages, or the state and its reason in its place."""
        if record.status == "ranked":
            return format_html('{}<span class="line2 small">{}</span>', record.position, self._move(record))
        reason = reason_of(record.status, record.games, record.last_season, self.rules)
        if record.status == "inactive":
            return format_html('<span class="state">{}, {}</span>', self._labels["inactive"], reason)
        return format_html('<span class="state">{}</span>', reason)

    def render_move(self, record: ListRow) -> Any:
        """Triangle and number, or the mark of a newcomer."""
        return self._move(record)

    def _move(self, record: ListRow) -> SafeString:
        if record.mark:
            text = _("new") if record.mark == "deb" else _("back")
            return format_html('<span class="move">{}</span>', text)
        if record.moved is None:
            return EMPTY
        if record.moved == 0:
            return format_html(
                '<span class="move"><span aria-hidden="true">–</span><span class="vh">{}</span></span>',
                self._unchanged,
            )
        up = record.moved > 0
        return format_html(
            '<span class="move {}">{}<span class="vh">{} </span>{}</span>',
            "up" if up else "down",
            _UP if up else _DOWN,
            _("up") if up else _("down"),
            abs(record.moved),
        )

    def render_title_code(self, value: str) -> Any:
        """Initials of the title, with the title itself at hand."""
        return format_html('<abbr title="{}">{}</abbr>', value, self._codes.get(value, value))

    def render_player(self, record: ListRow) -> Any:
        """Name, the mark of a correction, and club and games for narrow pages."""
        club = self.render_club(record)
        games = ngettext("%(number)s game", "%(number)s games", record.games) % {"number": record.games}
        return format_html(
            '<a href="{}">{}</a>{}{}<span class="line2 small">{}{}{}</span>',
            self._addresses.player(root_of(record.person).number),
            public_name(root_of(record.person), self.language),
            self._correction(record),
            format_html(' <span class="tag you mid">{}</span>', self._you) if record.person_id == self.me else EMPTY,
            club,
            " · " if club else "",
            games,
        )

    def _correction(self, record: ListRow) -> SafeString:
        if not record.corrected:
            return EMPTY
        return format_html(
            ' <a class="ref" href="{}">†<span class="vh">{}</span></a>',
            self.erratum_address or "#corrected",
            _("Corrected row"),
        )

    def render_club(self, record: ListRow) -> Any:
        """Name of the club; a nameless player has none."""
        return record.club.name if record.club and is_named(root_of(record.person)) else ""

    def render_rating(self, record: ListRow) -> Any:
        """Rating, linked to the account of the last event."""
        rating = record.rating if record.rating >= 0 else signed(record.rating)
        if record.last_event is None:
            return rating
        return format_html(
            '<a href="{}">{}<span class="vh">, {}</span></a>',
            self._addresses.account(record.last_event.slug, root_of(record.person).number),
            rating,
            self._why,
        )

    def render_progress(self, record: ListRow) -> Any:
        """Progress, linked to its account: the one event since the previous list, or the events of the player."""
        if not record.progress and not record.games_since:
            return EMPTY
        events = self.accounts.get(record.person_id, ())
        if len(events) == 1:
            address = self._addresses.account(events[0].slug, root_of(record.person).number)
        else:
            address = f"{self._addresses.player(root_of(record.person).number)}#events"
        return format_html(
            '<a href="{}">{}<span class="vh">, {}</span></a>', address, signed(record.progress or 0), self._why
        )

    def render_recent(self, value: str) -> Any:
        """Line of the last twelve ratings."""
        drawn = charts.spark([int(part) for part in value.split(",") if part])
        if drawn is None:
            return EMPTY
        return format_html(
            '<svg class="spark" viewBox="0 0 88 20" aria-hidden="true"><path d="{}"/><circle cx="{}" cy="{}" r="2.4"/>'
            "</svg>",
            drawn["path"],
            drawn["x"],
            drawn["y"],
        )

    # ---- the export --------------------------------------------------------------------------------------------
    def export_columns(self) -> list[tuple[str, str]]:
        """Return names and full labels: abbreviations belong to the page."""
        return [(bound.name, str(LEGEND[bound.name][1])) for bound in self._exported()]

    def value_position(self, record: ListRow) -> int | None:
        """Position, nothing for those without."""
        return record.position

    def value_move(self, record: ListRow) -> Any:
        """Number, ``deb``, ``rec`` or nothing."""
        return record.mark or record.moved

    def value_title_code(self, value: str) -> str:
        """The title in full."""
        return value

    def value_number(self, record: ListRow) -> int:
        """Number of the record that counts."""
        return root_of(record.person).number

    def value_player(self, record: ListRow) -> str:
        """The name as the public may see it."""
        return public_name(root_of(record.person), self.language)

    def value_club(self, record: ListRow) -> str:
        """Name of the club; a nameless player has none."""
        return str(self.render_club(record))

    def value_state(self, record: ListRow) -> str:
        """Code of the state."""
        return record.status

    def value_reason(self, record: ListRow) -> str:
        """Reason of the state."""
        return reason_of(record.status, record.games, record.last_season, self.rules)


class _Addresses:
    """Addresses of players and accounts, made once and filled by hand: one table has hundreds."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._player = reverse("scrabble-player", args=[0])[:-2]
        self._account = reverse("scrabble-account", args=["SLUG", 0])[:-2]

    def player(self, number: int) -> str:
        return f"{self._player}{number}/{self._query}"

    def account(self, slug: str, number: int) -> str:
        return f"{self._account.replace('SLUG', slug)}{number}/{self._query}"
