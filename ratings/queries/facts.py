"""The facts of a rating as arrays: events in rating order, their games, opening ratings, persons."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from typing import Any, Final

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from federation.core.errors import RuleError
from federation.registry.models import Event, EventState, Modality, PersonMerge
from ratings import store
from ratings.core.history import Kind
from ratings.core.merging import Opening, merged_opening
from ratings.core.ruleset import RuleSet as Rules
from ratings.core.seasons import UNKNOWN, season_start
from ratings.models import GameKind, OpeningRating, RatingSystem, RuleSet

IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

EventKey = tuple[dt.date, int, int]
"""Key of the rating order: rating date, sequence number, identifier (specification, section 7)."""

RATED_STATES: Final = (EventState.APPROVED, EventState.EXCLUDED)
NO_BOARD: Final = 32_767
KINDS: Final[Mapping[str, Kind]] = {
    GameKind.PLAYED: Kind.PLAYED,
    GameKind.BYE: Kind.BYE,
    GameKind.FORFEIT: Kind.FORFEIT,
    GameKind.VOID: Kind.VOID,
    GameKind.PENDING: Kind.PENDING,
}
_KIND_CASE: Final = " ".join(f"WHEN '{name}' THEN {int(kind)}" for name, kind in KINDS.items())


@dataclass(frozen=True, slots=True)
class RuleSets:
    """The rule sets of a system: rows and values by key, and first days in force with their keys, rising."""

    rows: Mapping[int, RuleSet]
    rules: Mapping[int, Rules]
    in_force: Sequence[tuple[dt.date, int]]

    def on(self, day: dt.date) -> int:
        """Give the key of the rule set in force on a day.

        Raises:
            RuleError: `no_rule_set`, none was in force yet.
        """
        place = bisect_right(self.in_force, day, key=itemgetter(0))
        if not place:
            raise RuleError("no_rule_set", {"date": day.isoformat()})
        return self.in_force[place - 1][1]


def rule_sets(system: RatingSystem) -> RuleSets:
    """Return all rule sets of a system, in one query."""
    rows = {row.pk: row for row in RuleSet.objects.filter(system=system).order_by("pk")}
    valid = sorted((row.valid_from, row.pk) for row in rows.values() if row.valid_from is not None)
    return RuleSets(
        rows=rows,
        rules={key: Rules.from_parameters(row.parameters) for key, row in rows.items()},
        in_force=valid,
    )


@dataclass(frozen=True)
class EventFacts:
    """Events in rating order, one entry each; games are not among them.

    Attributes:
        ids: Keys of the events.
        keys: Keys of the rating order.
        season: Starting year of the season.
        classic, published, approved, excluded: What eligibility asks (section 6).
        before_opening: On or before the day of the opening list: never counts.
        rule_set: Key of the rule set of each event.
    """

    ids: IntArray
    keys: Sequence[EventKey]
    season: IntArray
    classic: BoolArray
    published: BoolArray
    approved: BoolArray
    excluded: BoolArray
    before_opening: BoolArray
    rule_set: IntArray

    def __len__(self) -> int:
        """Number of events."""
        return len(self.ids)

    @cached_property
    def headings(self) -> list[str]:
        """What order, season and eligibility ask of each event, as canonical text."""
        flags = zip(
            self.keys,
            self.season.tolist(),
            self.classic.tolist(),
            self.published.tolist(),
            self.approved.tolist(),
            self.excluded.tolist(),
            self.before_opening.tolist(),
            strict=True,
        )
        return [
            f"{season} {key[0].isoformat()} {key[1]} {classic:d}{published:d}{approved:d}{excluded:d}{before:d}"
            for key, season, classic, published, approved, excluded, before in flags
        ]

    def between(self, start: int, stop: int) -> EventFacts:
        """Give the events from position `start` up to, not including, `stop`."""
        part = slice(start, stop)
        return EventFacts(
            self.ids[part],
            self.keys[part],
            self.season[part],
            self.classic[part],
            self.published[part],
            self.approved[part],
            self.excluded[part],
            self.before_opening[part],
            self.rule_set[part],
        )


def heading_parts(heading: str) -> tuple[int, dt.date, int, tuple[bool, ...]]:
    """Read season, rating date, sequence and the five flags of a heading."""
    season, date, sequence, flags = heading.split(" ")
    return int(season), dt.date.fromisoformat(date), int(sequence), tuple(flag == "1" for flag in flags)


def event_facts(
    system: RatingSystem,
    known: RuleSets,
    opening_date: dt.date | None,
    *,
    as_approved: Iterable[int] = (),
    pins: bool = True,
) -> EventFacts:
    """Return the events of a system's discipline that staff have approved or excluded, in rating order.

    Args:
        system: The rating system.
        known: Its rule sets.
        opening_date: Day of the opening list; events up to it never count.
        as_approved: Events to take as if they were approved, for a preview.
        pins: False takes every event by the rules of its date, whatever it was published with.

    Raises:
        RuleError: `no_rule_set`, an event is older than every rule set.
    """
    preview = set(as_approved)
    chosen = Q(state__in=RATED_STATES) | Q(pk__in=preview) if preview else Q(state__in=RATED_STATES)
    rows = list(
        Event.objects.filter(chosen, discipline=system.discipline_id)
        .order_by("rating_date", "sequence", "pk")
        .values_list(
            "pk",
            "rating_date",
            "sequence",
            "season__code",
            "modality",
            "results_public",
            "state",
            "pinned_rule_set__rule_set_id",
        )
    )
    rule_set = [pin if pin is not None and pins else known.on(date) for _, date, *_, pin in rows]
    states = [EventState.APPROVED if row[0] in preview else row[6] for row in rows]
    return EventFacts(
        ids=np.array([row[0] for row in rows], dtype=np.int64),
        keys=[(row[1], row[2], row[0]) for row in rows],
        season=np.array([season_start(row[3]) for row in rows], dtype=np.int64),
        classic=np.array([row[4] == Modality.CLASSIC for row in rows], dtype=np.bool_),
        published=np.array([row[5] for row in rows], dtype=np.bool_),
        approved=np.ones(len(rows), dtype=np.bool_),
        excluded=np.array([state == EventState.EXCLUDED for state in states], dtype=np.bool_),
        before_opening=np.array([opening_date is not None and row[1] <= opening_date for row in rows], dtype=np.bool_),
        rule_set=np.array(rule_set, dtype=np.int64),
    )


# ---- games --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Current games by event (in the order asked for), round, board and key; persons are keys of kept records.

    Attributes:
        event: Place of the event in the list asked for, from 0.
        id: Key of the game; 0 for one that is not stored.
        round: Round.
        a, b: Persons; -1 for nobody.
        kind: A `Kind`.
        result: Half points of `a`, -1 for none.
    """

    event: IntArray
    id: IntArray
    round: IntArray
    a: IntArray
    b: IntArray
    kind: IntArray
    result: IntArray

    def __len__(self) -> int:
        """Number of games."""
        return len(self.id)

    def columns(self, part: slice) -> dict[str, IntArray]:
        """Give the columns of some games as they are recorded."""
        names = ("id", "round", "a", "b", "kind", "result")
        return {name: getattr(self, name)[part] for name in names}


def game_counts(event_ids: IntArray) -> IntArray:
    """Return the number of current games of each event."""
    counted = store.read_integers(
        "SELECT event_id, COUNT(*) FROM ratings_game WHERE superseded_at IS NULL AND "  # noqa: S608
        f"{store.any_of('event_id')} GROUP BY event_id",
        [store.id_list(event_ids)],
        2,
    )
    counts = dict(zip(counted[0].tolist(), counted[1].tolist(), strict=True))
    return np.array([counts.get(event, 0) for event in event_ids.tolist()], dtype=np.int64)


def games_of(event_ids: IntArray, *, without: Iterable[int] = ()) -> GameFacts:
    """Return the current games of some events, in two queries: entries are few, so they are not joined in the database.

    Args:
        event_ids: Keys of the events; the games come in this order.
        without: Games to leave out, for a preview.
    """
    rows = store.read_integers(
        f"""SELECT event_id, id, round, COALESCE(board, {NO_BOARD}), a_id, COALESCE(b_id, -1),
                   CASE kind {_KIND_CASE} ELSE -1 END, COALESCE(result, -1)
            FROM ratings_game WHERE superseded_at IS NULL AND {store.any_of("event_id")}""",  # noqa: S608
        [store.id_list(event_ids)],
        8,
    )
    left_out = list(without)
    if left_out:
        rows = rows[:, ~np.isin(rows[1], left_out)]
    by_id = np.argsort(event_ids, kind="stable")
    place = by_id[np.searchsorted(event_ids[by_id], rows[0])] if len(event_ids) else rows[0]
    order = np.lexsort((rows[1], rows[3], rows[2], place))
    rows = rows[:, order]
    a, b = _persons_of_entries(event_ids, rows[4], rows[5])
    return GameFacts(event=place[order], id=rows[1], round=rows[2], a=a, b=b, kind=rows[6], result=rows[7])


def _persons_of_entries(event_ids: IntArray, a: IntArray, b: IntArray) -> tuple[IntArray, IntArray]:
    """Give the kept record of the person of each entry; -1 stays."""
    known = _entries(store.any_of("e.event_id"), event_ids)
    strangers = np.setdiff1d(np.concatenate([a, b[b >= 0]]), known[0])
    if len(strangers):
        known = np.hstack([known, _entries(store.any_of("e.id"), strangers)])
        known = known[:, np.argsort(known[0])]
    if not len(a):
        return a, b
    somebody = b >= 0
    opponent = known[1][np.searchsorted(known[0], np.where(somebody, b, a))]
    return known[1][np.searchsorted(known[0], a)], np.where(somebody, opponent, -1)


def _entries(condition: str, ids: IntArray) -> IntArray:
    """Return entries, rising, with the kept records of their persons."""
    return store.read_integers(
        f"""SELECT e.id, COALESCE(p.merged_into_id, p.id) FROM registry_entry e
            JOIN registry_person p ON p.id = e.person_id WHERE {condition} ORDER BY e.id""",  # noqa: S608
        [store.id_list(ids)],
        2,
    )


def with_added(games: GameFacts, added: Sequence[tuple[int, int, int, int, int, int]]) -> GameFacts:
    """Add games that are not stored: place of the event, round, a, b (-1: nobody), kind, result (-1: none)."""
    if not added:
        return games
    extra = np.array(added, dtype=np.int64).T
    event = np.concatenate([games.event, extra[0]])
    number = np.concatenate([games.round, extra[1]])
    order = np.lexsort((np.arange(len(event)), number, event))
    joined = {
        name: np.concatenate([getattr(games, name), extra[i]])[order]
        for i, name in enumerate(("event", "round", "a", "b", "kind", "result"))
    }
    return replace(games, id=np.concatenate([games.id, np.zeros(len(added), dtype=np.int64)])[order], **joined)


# ---- persons and opening ratings ----------------------------------------------------------------


def root_persons() -> IntArray:
    """Return the keys of all records that are not merged into another, rising."""
    return store.read_integers("SELECT id FROM registry_person WHERE merged_into_id IS NULL ORDER BY id", [], 1)[0]


@dataclass(frozen=True, slots=True)
class OpeningFacts:
    """Opening ratings of kept records, by person; all arrays have one entry a person."""

    as_of: dt.date | None
    person: IntArray
    rating: IntArray
    games: IntArray
    wins_half: IntArray
    last_season: IntArray

    def packed(self) -> tuple[bytes, str]:
        """Give the canonical bytes and their digest."""
        heading = {"as_of": self.as_of.isoformat() if self.as_of else None}
        names = ("person", "rating", "games", "wins_half", "last_season")
        return store.pack(heading, {name: getattr(self, name) for name in names})

    @classmethod
    def unpacked(cls, blob: bytes | memoryview) -> OpeningFacts:
        """Read the recorded bytes again."""
        heading, columns, _ = store.unpack(blob)
        as_of = heading["as_of"]
        return cls(as_of=dt.date.fromisoformat(as_of) if as_of else None, **columns)


def opening_facts(system: RatingSystem) -> OpeningFacts:
    """Return the opening list in force, records of one person joined as section 9 says.

    Merges are followed in the order in which they were made, so that «the kept record» is what it was then.
    """
    rows = OpeningRating.objects.filter(opening_list__system=system, opening_list__withdrawn_at=None).values_list(
        "opening_list__as_of", "person_id", "rating", "games", "wins", "last_season"
    )
    known: dict[int, Opening] = {}
    as_of: dt.date | None = system.opening_lists.filter(withdrawn_at=None).values_list("as_of", flat=True).first()
    for _, person, rating, games, wins, season in rows:
        known[person] = Opening(rating, games, wins, UNKNOWN if season is None else season)
    if known:
        merges = PersonMerge.objects.filter(undone_at=None).order_by("merged_at", "pk")
        for kept, dropped in merges.values_list("kept_id", "dropped_id"):
            joined = merged_opening(known.get(kept), known.pop(dropped, None))
            if joined is not None:
                known[kept] = joined
    people = sorted(known)
    columns: list[list[Any]] = [
        people,
        [known[person].rating for person in people],
        [known[person].games for person in people],
        [known[person].wins_half for person in people],
        [known[person].last_season for person in people],
    ]
    return OpeningFacts(as_of, *(np.array(column, dtype=np.int64) for column in columns))
