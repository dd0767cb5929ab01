"""The page of a player."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from federation.registry.models import Person
from federation.web import charts
from federation.web.dates import short_date
from federation.web.numbers import halves, percent
from ratings.core import ruleset as core
from ratings.core.listing import title_of
from ratings.models import LedgerRow, ListRow, PublishedList
from ratings.presenters.account import figure
from ratings.presenters.rules import rules_of
from ratings.presenters.states import StateText, state_of, why_not_ranked
from ratings.queries.pages_players import Opponent, mean_of

#: Rows shown at first of a long table; the whole of it is one click away.
SHORT = 12


@dataclass(frozen=True, slots=True)
class EventLine:
    """One event of a player."""

    day: date
    name: str
    slug: str
    games: int
    wins: str
    expected: str
    k: int
    change: int
    before: int
    after: int


@dataclass(slots=True)
class OpponentLine:
    """All games against one other player."""

    key: int
    games: int
    wins: int
    expected: str
    last: date | None
    last_event: str
    person: Person | None = None

    @property
    def score(self) -> str:
        """Won and lost: «9–21»."""
        return f"{halves(self.wins)}–{halves(2 * self.games - self.wins)}"

    @property
    def share(self) -> str:
        """Share of the points won."""
        return percent(Fraction(self.wins, 2 * self.games))


@dataclass(slots=True)
class PlayerPage:
    """Everything that the page of a player shows."""

    row: ListRow | None
    state: StateText | None
    best: ListRow | None
    lines: list[EventLine]
    events: list[EventLine]
    opponents: list[OpponentLine]
    event_count: int
    opponent_count: int
    game_count: int
    conditions: list[tuple[bool, str, str]] = field(default_factory=list)
    highest: int | None = None
    highest_is_now: bool = False
    first: int | None = None
    title: str = ""

    @property
    def opponent_ids(self) -> list[int]:
        """Keys of the opponents that are named."""
        return [line.key for line in self.opponents]

    def name_opponents(self, people: Mapping[int, Person]) -> None:
        """Attach the people; a record merged since the list is left without a link."""
        for line in self.opponents:
            line.person = people.get(line.key)


def player_page(
    *,
    edition: PublishedList | None,
    row: ListRow | None,
    best: ListRow | None,
    ledger: Sequence[LedgerRow],
    opponents: Sequence[Opponent],
    everything: bool,
    person: Person | None = None,
) -> PlayerPage:
    """Lay out the record of a player on an edition; ``everything`` shows long tables whole."""
    rules = rules_of(edition.rule_set) if edition else None
    limit = None if everything else SHORT
    lines = [_event_line(account) for account in reversed(ledger)]
    ratings = [*(account.before for account in ledger[:1]), *(account.after for account in ledger)]
    page = PlayerPage(
        row=row,
        state=state_of(row, rules) if row and rules else None,
        best=best,
        lines=lines,
        events=lines[:limit],
        opponents=[_opponent_line(one) for one in opponents[:limit]],
        event_count=len(lines),
        opponent_count=len(opponents),
        game_count=sum(account.games for account in ledger),
        highest=max(ratings, default=None),
        highest_is_now=bool(ratings) and ratings[-1] == max(ratings),
        first=ledger[0].before if ledger else None,
    )
    if row and rules and edition:
        page.title = row.title or _title(row, rules)
        if row.status != "ranked":
            page.conditions = why_not_ranked(row, rules, edition.season.start_year)
    return page


def _title(row: ListRow, rules: core.RuleSet) -> str:
    return "" if row.status == "new" else title_of(row.rating, rules) or ""


def _event_line(account: LedgerRow) -> EventLine:
    event = account.rated_event.event
    is_curve = rules_of(account.rated_event.rule_set).expectation == "normal"
    return EventLine(
        day=event.ends_on,
        name=event.name,
        slug=event.slug,
        games=account.games,
        wins=halves(account.wins),
        expected=figure(account.expected, is_curve),
        k=account.k,
        change=account.change,
        before=account.before,
        after=account.after,
    )


def _opponent_line(one: Opponent) -> OpponentLine:
    mean = mean_of(one.expected)
    return OpponentLine(
        key=one.person,
        games=one.games,
        wins=one.wins,
        expected="" if mean is None else percent(mean),
        last=one.last,
        last_event=one.last_event,
    )


def chart(page: PlayerPage, rules: core.RuleSet | None, address: Callable[[str], str]) -> dict[str, Any]:
    """The graph of the rating over events: geometry, the sentence for readers of the text, and the note."""
    if not page.lines:
        return {"plot": None}
    days = [line.day for line in reversed(page.lines)]
    points = [
        charts.Point(line.day.toordinal(), line.after, f"{short_date(line.day)}, {line.name}", address(line.slug))
        for line in reversed(page.lines)
    ]
    floors = [band.floor for band in rules.bands if band.floor is not None] if rules else []
    marks = [(floor, _("%(rating)s: the multiplier drops") % {"rating": floor}) for floor in floors]
    years = charts.year_labels(days[0], days[-1]) or [(days[-1].toordinal(), str(days[-1].year))]
    note = ngettext("%(number)s event", "%(number)s events", page.event_count) % {"number": page.event_count}
    label = ngettext(
        "BARRUF history. From %(first)s to %(last)s in %(count)s event",
        "BARRUF history. From %(first)s to %(last)s in %(count)s events",
        page.event_count,
    ) % {"first": page.first, "last": page.lines[0].after, "count": page.event_count}
    return {"plot": charts.plot(points, marks=marks, x_labels=years), "plot_note": note, "plot_label": label}
