"""The difference between a draft and the list in force, for those who decide on its publication."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from federation.registry.models import Event, Person
from federation.registry.publication import public_name
from federation.web.dates import day_month
from ratings.core.ruleset import RuleSet
from ratings.presenters.difference import reason_text
from ratings.presenters.states import reason_of
from ratings.queries.difference import Difference, Side

RANKED: Final = "ranked"
#: Events named in one row; the others are counted.
NAMED: Final = 3

_REASONS: Final[dict[str, Promise]] = {
    "played": gettext_lazy("Played"),
    "correction": gettext_lazy("Corrected"),
    "became_ranked": gettext_lazy("Now ranked"),
    "came_back": gettext_lazy("Back"),
    "turned_inactive": gettext_lazy("Inactive"),
    "first_list": gettext_lazy("First list"),
    "merged": gettext_lazy("Merged"),
    "opening_changed": gettext_lazy("Opening rating"),
    "no_longer_listed": gettext_lazy("Gone"),
    "others_moved": gettext_lazy("Others moved"),
}


@dataclass(frozen=True, slots=True)
class Chip:
    """One choice of the filter."""

    value: str
    label: str
    count: int
    is_current: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A player on the list in force and on the draft."""

    number: int
    name: str
    before: str
    before_state: str
    after: str
    after_state: str
    change: int | None
    position: str
    because: str
    is_unexplained: bool
    is_off: bool


def is_moved(line: Difference) -> bool:
    """Whether the player's own figures differ."""
    return line.reason not in ("unchanged", "others_moved")


def has_position(side: Side | None) -> bool:
    """Whether a player has a position on a list."""
    return side is not None and side.position is not None


class Filter:
    """The lines of a difference by what the reader wants to see; an unknown wish shows what changed.

    Args:
        lines: All lines of the difference.
        unexplained: Those that nothing explains.
        chosen: What the address asks for.
    """

    def __init__(self, lines: Sequence[Difference], unexplained: Iterable[Difference], chosen: str) -> None:
        strange = {line.person for line in unexplained}
        groups: dict[str, Callable[[Difference], bool]] = {
            "changed": is_moved,
            "rank": lambda line: _position(line.before) != _position(line.after),
            "enter": lambda line: has_position(line.after) and not has_position(line.before),
            "leave": lambda line: has_position(line.before) and not has_position(line.after),
            "unexplained": lambda line: line.person in strange,
        }
        self.groups = {name: [line for line in lines if test(line)] for name, test in groups.items()}
        self.reasons = {code: [line for line in lines if line.reason == code] for code in _REASONS}
        self.groups["same"] = [line for line in lines if not is_moved(line)]
        known = {**self.groups, **self.reasons}
        self.chosen = chosen if chosen in known else "changed"
        self.lines = known[self.chosen]
        self.unexplained = strange

    def chips(self) -> list[Chip]:
        """Give the choices: the groups of the design, then every reason that occurs."""
        labels = {
            "changed": _("Changed"),
            "rank": _("Rank"),
            "enter": _("Entering"),
            "leave": _("Leaving"),
            "unexplained": _("Unexplained"),
        }
        return [Chip(name, label, len(self.groups[name]), name == self.chosen) for name, label in labels.items()]

    def reason_chips(self) -> list[Chip]:
        """Give the reasons that occur, with their counts."""
        return [
            Chip(code, str(label), len(self.reasons[code]), code == self.chosen)
            for code, label in _REASONS.items()
            if self.reasons[code]
        ]

    @property
    def changed_count(self) -> int:
        """How many figures differ."""
        return len(self.groups["changed"])

    @property
    def same_count(self) -> int:
        """How many players keep their figures to the last point."""
        return len(self.groups["same"])


def _position(side: Side | None) -> int | None:
    return side.position if side else None


@dataclass(frozen=True, slots=True)
class Known:
    """What the rows of a page name.

    Attributes:
        people, events: By key.
        last_seasons: Starting year of the last season of those who turn inactive, by person.
        rules: Listing rules of the draft.
    """

    people: Mapping[int, Person]
    events: Mapping[int, Event]
    last_seasons: Mapping[int, int | None]
    rules: RuleSet


def rows_of(lines: Iterable[Difference], known: Known, unexplained: Iterable[int] = ()) -> list[Row]:
    """Lay out lines for staff, with full names."""
    strange = set(unexplained)
    return [_row(line, known, line.person in strange) for line in lines if line.person in known.people]


def _row(line: Difference, known: Known, is_unexplained: bool) -> Row:
    person = known.people[line.person]
    return Row(
        number=person.number,
        name=person.full_name or _("Player %(number)s") % {"number": person.number},
        before=_rating(line.before),
        before_state=_state(line.before),
        after=_rating(line.after),
        after_state=_state(line.after),
        change=line.change,
        position=_positions(line),
        because=_("no event, no erratum") if is_unexplained else because(line, known),
        is_unexplained=is_unexplained,
        is_off=not has_position(line.after),
    )


def _rating(side: Side | None) -> str:
    return "–" if side is None else str(side.rating).replace("-", "−")


def _state(side: Side | None) -> str:
    if side is None or side.status == RANKED:
        return ""
    return _("inactive") if side.status == "inactive" else _("in exp.")


def _positions(line: Difference) -> str:
    before, after = _position(line.before), _position(line.after)
    if before is None and after is None:
        return "–"
    if before is None:
        return _("enters, %(position)s") % {"position": after}
    if after is None:
        return _("%(position)s, leaves") % {"position": before}
    return str(after) if before == after else f"{before} → {after}"


def because(line: Difference, known: Known) -> str:
    """Give the reason of a line in words, with the events that stand behind it."""
    corrected = _events(line.corrected, known.events)
    parts = [_main_reason(line, known), _events(line.events, known.events)]
    if corrected:
        parts.append(_("corrected: %(events)s") % {"events": corrected})
    return "; ".join(part for part in parts if part) or reason_text(line)


def _main_reason(line: Difference, known: Known) -> str:
    """Give the reason without its events; empty where they say all."""
    if line.reason == "turned_inactive" and line.after is not None:
        last = known.last_seasons.get(line.person)
        return reason_of("inactive", line.after.games, last, known.rules)
    if line.reason == "became_ranked":
        number = known.rules.min_games
        return ngettext("%(number)s game reached", "%(number)s games reached", number) % {"number": number}
    says_all = (line.reason == "played" and line.events) or (line.reason == "correction" and line.corrected)
    return "" if says_all else reason_text(line)


def _events(keys: Sequence[int], events: Mapping[int, Event]) -> str:
    """Name the events, the last ones first."""
    known = [events[key] for key in keys if key in events][::-1]
    named = ", ".join(
        _("%(event)s, %(day)s") % {"event": event.name, "day": day_month(event.ends_on)} for event in known[:NAMED]
    )
    rest = len(known) - NAMED
    if rest <= 0:
        return named
    return named + " " + ngettext("and %(number)s more", "and %(number)s more", rest) % {"number": rest}


def event_keys(lines: Iterable[Difference]) -> set[int]:
    """Give the keys of all events that the rows name."""
    return {key for line in lines for key in (*line.events, *line.corrected)}


# ---- export -------------------------------------------------------------------------------------


def export_columns() -> list[tuple[str, Any]]:
    """Give name and label of each column of the export."""
    return [
        ("number", _("Number of the player")),
        ("player", _("Player")),
        ("rating_before", _("Rating before")),
        ("rating_after", _("Rating after")),
        ("change", _("Change")),
        ("position_before", _("Position before")),
        ("position_after", _("Position after")),
        ("state_before", _("State before")),
        ("state_after", _("State after")),
        ("reason_code", _("Code of the reason")),
        ("reason", _("Reason")),
    ]


def export_rows(lines: Iterable[Difference], known: Known, language: str) -> list[tuple[Any, ...]]:
    """Give the rows of the export; names follow the rules of publication."""
    return [
        (
            known.people[line.person].number,
            public_name(known.people[line.person], language),
            line.before.rating if line.before else None,
            line.after.rating if line.after else None,
            line.change,
            _position(line.before),
            _position(line.after),
            line.before.status if line.before else "",
            line.after.status if line.after else "",
            line.reason,
            because(line, known),
        )
        for line in lines
        if line.person in known.people
    ]
