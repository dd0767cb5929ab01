"""The difference of two editions: every row that differs, with the reason in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from federation.registry.models import Event, Person
from ratings.presenters.states import label_of
from ratings.queries.difference import Difference, Side


@dataclass(frozen=True, slots=True)
class Line:
    """A player on two editions, with the events that explain the row."""

    person: Person | None
    before: Side | None
    after: Side | None
    code: str
    reason: str
    change: int | None
    moved: int | None
    events: list[Event]

    @property
    def is_own(self) -> bool:
        """Whether the player's own figures differ, not only those of others."""
        return self.code != "others_moved"


def lines_of(rows: Iterable[Difference], people: Mapping[int, Person], events: Mapping[int, Event]) -> list[Line]:
    """Lay out the rows that differ."""
    return [
        Line(
            person=people.get(row.person),
            before=row.before,
            after=row.after,
            code=row.reason,
            reason=reason_text(row),
            change=row.change,
            moved=_moved(row),
            events=[events[key] for key in (row.corrected or row.events) if key in events],
        )
        for row in rows
        if row.changed
    ]


def _moved(row: Difference) -> int | None:
    if row.before is None or row.after is None or not row.before.position or not row.after.position:
        return None
    return row.before.position - row.after.position


def reason_text(row: Difference) -> str:
    """The main reason of a row in words."""
    if row.reason == "played" and row.before and row.after:
        number = max(row.after.games - row.before.games, 0)
        text = ngettext("%(number)s new game", "%(number)s new games", number) % {"number": number}
        if row.after.status != row.before.status:
            state = _("now %(state)s") % {"state": label_of(row.after.status)}
            return f"{text}, {state}"
        return text
    texts = {
        "merged": _("joined with another record of the same player"),
        "first_list": _("first time on the list"),
        "became_ranked": _("enough games: now ranked"),
        "came_back": _("back on the list after a new game"),
        "turned_inactive": _("no game in the seasons that count"),
        "no_longer_listed": _("no longer on the list"),
        "correction": _("an earlier result was corrected"),
        "opening_changed": _("the opening rating was changed"),
        "others_moved": _("own figures unchanged; others moved"),
    }
    return texts.get(row.reason, row.reason)
