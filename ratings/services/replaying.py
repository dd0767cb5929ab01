"""From facts to outcomes: reads the facts in stretches, replays them and keeps what a run records. Writes nothing.

A stretch is some events that are read and replayed together, so that a history of any length fits into memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from federation.core.errors import RuleError
from federation.registry.models import Event, Person
from ratings import store
from ratings.core.eligibility import reasons_of
from ratings.core.fingerprint import fingerprint
from ratings.core.history import NOBODY, History, Kind
from ratings.core.replay import NO_RATING, Ledger, Replay, State, opening_state, replay
from ratings.core.seasons import UNKNOWN
from ratings.models import RatingSystem
from ratings.queries.facts import (
    EventFacts,
    GameFacts,
    OpeningFacts,
    RuleSets,
    event_facts,
    game_counts,
    games_of,
    opening_facts,
    root_persons,
    rule_sets,
    with_added,
)
from ratings.queries.runs import packed_state

IntArray = NDArray[np.int64]
Progress = Callable[[int, int, str], None]

STRETCH: Final = 100_000
"""Most games that are read and replayed together."""


class FactsMovedError(Exception):
    """Facts changed while they were read; reading them again helps."""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game that is not stored: persons by key of the kept record, -1 for nobody; result -1 for none."""

    round: int
    a: int
    b: int = NOBODY
    kind: int = int(Kind.PLAYED)
    result: int = -1


@dataclass(frozen=True, slots=True)
class Overlay:
    """Changes of facts that a preview assumes.

    Attributes:
        removed: Keys of games that do not count.
        added: Games to add, by key of the event.
        as_approved: Events to take as approved.
    """

    removed: frozenset[int] = frozenset()
    added: Mapping[int, Sequence[NewGame]] = field(default_factory=dict)
    as_approved: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Facts:
    """What a run needs to know before it reads a game."""

    system: RatingSystem
    version: int
    known: RuleSets
    events: EventFacts
    opening: OpeningFacts
    persons: IntArray

    def opening_state(self) -> State:
        """Give the state before the first event."""
        columns = {}
        place = np.searchsorted(self.persons, self.opening.person)
        if not np.isin(self.opening.person, self.persons).all():
            raise FactsMovedError
        for name, default in (("rating", NO_RATING), ("games", 0), ("wins_half", 0), ("last_season", UNKNOWN)):
            column = np.full(len(self.persons), default, dtype=np.int64)
            column[place] = getattr(self.opening, name)
            columns[name] = column
        return opening_state(len(self.persons), UNKNOWN, **columns)


def read_facts(system: RatingSystem, *, overlay: Overlay | None = None, pins: bool = True) -> Facts:
    """Read everything but the games; the version first, so that a change while reading shows."""
    version = RatingSystem.objects.values_list("facts_version", flat=True).get(pk=system.pk)
    known = rule_sets(system)
    opening = opening_facts(system)
    as_approved = overlay.as_approved if overlay else ()
    events = event_facts(system, known, opening.as_of, as_approved=as_approved, pins=pins)
    return Facts(system, version, known, events, opening, root_persons())


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some events replayed together.

    Attributes:
        start: Position of its first event in the run; events inside count from 0.
        events: Its events.
        games: Their games.
        history: The same as the core reads it.
        rules: Rule sets to which the history points, by key.
        before, outcome: State before, and what the replay gave.
    """

    start: int
    events: EventFacts
    games: GameFacts
    history: History
    rules: Sequence[int]
    before: State
    outcome: Replay

    @property
    def stop(self) -> int:
        """Position after its last event."""
        return self.start + len(self.events)


def replay_stretches(
    facts: Facts,
    start: int,
    state: State,
    *,
    overlay: Overlay | None = None,
    marks: Sequence[int] = (),
    progress: Progress | None = None,
) -> Iterator[Stretch]:
    """Replay all events from position `start` on, stretch by stretch.

    Args:
        facts: The facts.
        start: Position of the first event to replay.
        state: State before it.
        overlay: Changes to assume.
        marks: Positions at which the state is kept.
        progress: Called with events done and to do.

    Raises:
        RuleError: contradictory data; `params` names event, game, round and person.
        FactsMovedError: a game names a person who was not there when the facts were read.
    """
    total = len(facts.events)
    counts = game_counts(facts.events.ids[start:])
    for first, stop in _stretches(counts, start):
        stretch = _replay_stretch(facts, first, stop, state, overlay, [mark - first for mark in marks])
        state = stretch.outcome.state
        if progress is not None:
            progress(stop - start, total - start, "")
        yield stretch


def _stretches(counts: IntArray, start: int) -> Iterator[tuple[int, int]]:
    first, games = start, 0
    for i, count in enumerate(counts.tolist()):
        if games and games + count > STRETCH:
            yield first, start + i
            first, games = start + i, 0
        games += count
    if len(counts) and first < start + len(counts):
        yield first, start + len(counts)


def _replay_stretch(
    facts: Facts, first: int, stop: int, state: State, overlay: Overlay | None, marks: Sequence[int]
) -> Stretch:
    events = facts.events.between(first, stop)
    games = games_of(events.ids, without=overlay.removed if overlay else ())
    if overlay and overlay.added:
        games = with_added(games, _added_rows(events, overlay))
    keys = sorted(set(events.rule_set.tolist()))
    history = history_of_facts(events, games, facts.persons, keys)
    before = replace(state, position=0)
    rules = [facts.known.rules[key] for key in keys]
    try:
        outcome = replay(history, rules, before, checkpoints=[mark for mark in marks if mark > 0])
    except RuleError as error:
        raise _located(error, events, games, facts.persons) from error
    return Stretch(first, events, games, history, keys, before, outcome)


def _added_rows(events: EventFacts, overlay: Overlay) -> list[tuple[int, int, int, int, int, int]]:
    return [
        (place, game.round, game.a, game.b, game.kind, game.result)
        for place, event in enumerate(events.ids.tolist())
        for game in overlay.added.get(event, ())
    ]


def history_of_facts(events: EventFacts, games: GameFacts, persons: IntArray, keys: Sequence[int]) -> History:
    """Turn facts into the arrays of the core; players are places in the table of persons.

    An event before the opening list is shown to the core as an excluded one: nothing of it is rated.
    """
    return History.build(
        players=len(persons),
        event_season=events.season,
        event_rules=np.searchsorted(np.array(keys, dtype=np.int64), events.rule_set),
        event_classic=events.classic,
        event_published=events.published,
        event_approved=events.approved,
        event_excluded=events.excluded | events.before_opening,
        game_event=games.event,
        game_round=games.round,
        game_a=_places(games.a, persons),
        game_b=_places(games.b, persons),
        game_kind=games.kind,
        game_result=games.result,
    )


def _places(ids: IntArray, persons: IntArray) -> IntArray:
    """Give the places of persons in the table, `NOBODY` for -1."""
    if not len(ids):
        return ids
    somebody = ids != NOBODY
    place = np.searchsorted(persons, ids)
    found = persons[np.minimum(place, len(persons) - 1)] == ids if len(persons) else np.zeros(len(ids), dtype=np.bool_)
    if (somebody & ~found).any():
        raise FactsMovedError
    return np.where(somebody, place, NOBODY).astype(np.int64)


def _located(error: RuleError, events: EventFacts, games: GameFacts, persons: IntArray) -> RuleError:
    """Name event, game and person of a data error by their keys and names."""
    params = dict(error.params)
    event = Event.objects.get(pk=int(events.ids[int(str(params["event"]))]))
    player = int(str(params.get("player", NOBODY)))
    person = Person.objects.filter(pk=int(persons[player])).first() if player != NOBODY else None
    return RuleError(
        error.code,
        {
            "event": event.pk,
            "event_name": event.name,
            "event_slug": event.slug,
            "game": int(games.id[int(str(params["game"]))]),
            "round": params["round"],
            "person": person.pk if person else None,
            "number": person.number if person else None,
        },
        where=event.name,
    )


def reasons_against(failed: int, *, excluded: bool, before_opening: bool) -> list[str]:
    """Give the reasons why an event does not count, in the order of section 6.

    ``before_opening`` stands after the decisions of staff: the event is older than the opening list.
    """
    reasons = list(reasons_of(failed))
    if before_opening:
        place = reasons.index("excluded")
        reasons[place : place + 1] = ["excluded", "before_opening"] if excluded else ["before_opening"]
    return reasons


# ---- what a run records -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventRecord:
    """One event as a run records it."""

    event: int
    rule_set: int
    heading: str
    inputs: bytes
    inputs_digest: str
    digest: str
    eligible: bool
    reasons: tuple[str, ...]
    players: int
    games: int


@dataclass(frozen=True, slots=True)
class LedgerPart:
    """The lines of one stretch and what their accounts need; narrow arrays, for a run keeps all of them.

    Attributes:
        start: Position in the run of the event 0 of the lines.
        ledger: The lines.
        wins_after: Career wins of each line after its event, in half points.
        person: Key of the person of each line.
        game_id, game_round: Keys and rounds of the games of the stretch.
    """

    start: int
    ledger: Ledger
    wins_after: IntArray
    person: IntArray
    game_id: IntArray
    game_round: NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Checkmark:
    """The state after some events, as a run records it."""

    position: int
    state: bytes
    digest: str


@dataclass(slots=True)
class Recording:
    """Everything a run records of the events from `start` on."""

    start: int
    events: list[EventRecord] = field(default_factory=list)
    parts: list[LedgerPart] = field(default_factory=list)
    checkmarks: list[Checkmark] = field(default_factory=list)


def season_ends(events: EventFacts) -> list[int]:
    """Give the positions before which a new season begins, and the end: there states are kept."""
    if not len(events):
        return [0]
    latest = np.maximum.accumulate(events.season)
    return [*(np.flatnonzero(latest[1:] > latest[:-1]) + 1).tolist(), len(events)]


def recorded(facts: Facts, start: int, state: State, *, progress: Progress | None = None) -> Recording:
    """Replay from `start` on and keep what a run records.

    Raises:
        RuleError, FactsMovedError: see ``replay_stretches``.
    """
    recording = Recording(start)
    marks = season_ends(facts.events)
    rule_digests = {key: rules.digest() for key, rules in facts.known.rules.items()}
    for stretch in replay_stretches(facts, start, state, marks=marks, progress=progress):
        part = ledger_part(stretch, facts.persons)
        recording.events += event_records(stretch, part, rule_digests)
        recording.parts.append(_narrow(part))
        for mark, kept in sorted(stretch.outcome.checkpoints.items()):
            position = stretch.start + mark
            recording.checkmarks.append(Checkmark(position, *packed_state(kept, facts.persons, position)))
    if start == len(facts.events):
        recording.checkmarks.append(Checkmark(start, *packed_state(state, facts.persons, start)))
    return recording


def ledger_part(stretch: Stretch, persons: IntArray) -> LedgerPart:
    """Give the lines of a stretch with the persons and games they name."""
    ledger = stretch.outcome.ledger
    return LedgerPart(
        start=stretch.start,
        ledger=ledger,
        wins_after=_running(ledger.player, ledger.wins_half, stretch.before.wins_half),
        person=persons[ledger.player] if len(ledger) else np.zeros(0, dtype=np.int64),
        game_id=stretch.games.id,
        game_round=stretch.games.round.astype(np.int16),
    )


def _running(player: IntArray, values: IntArray, before: IntArray) -> IntArray:
    """Give, for each line, the total of a player's values up to it, from a starting total of each player."""
    if not len(player):
        return np.zeros(0, dtype=np.int64)
    order = np.argsort(player, kind="stable")
    running = np.cumsum(values[order])
    first = np.ones(len(player), dtype=np.bool_)
    first[1:] = player[order][1:] != player[order][:-1]
    base = (running - values[order])[first]
    total = np.empty(len(player), dtype=np.int64)
    total[order] = running - base[np.cumsum(first) - 1] + before[player[order]]
    return total


def event_records(stretch: Stretch, part: LedgerPart, rule_digests: Mapping[int, str]) -> Iterator[EventRecord]:
    """Give what a run records of each event of a stretch."""
    events, ledger = stretch.events, part.ledger
    numbers = np.column_stack(
        [
            part.person,
            ledger.before,
            ledger.games,
            ledger.wins_half,
            ledger.games_after,
            part.wins_after,
            ledger.k,
            ledger.change,
            ledger.after,
        ]
    )
    bounds = np.searchsorted(ledger.event, np.arange(len(events) + 1)).tolist()
    played, players = _played_counts(stretch)
    failed = stretch.outcome.failed_conditions.tolist()
    for i, heading in enumerate(events.headings):
        event, rule_set = int(events.ids[i]), int(events.rule_set[i])
        inputs, inputs_digest = packed_inputs(event, heading, stretch.games, stretch.history.games_of(i))
        lines = slice(bounds[i], bounds[i + 1])
        digest = event_digest(inputs_digest, rule_digests[rule_set], numbers[lines], ledger, lines)
        reasons = reasons_against(
            failed[i], excluded=bool(events.excluded[i]), before_opening=bool(events.before_opening[i])
        )
        yield EventRecord(
            event=event,
            rule_set=rule_set,
            heading=heading,
            inputs=inputs,
            inputs_digest=inputs_digest,
            digest=digest,
            eligible=not reasons,
            reasons=tuple(reasons),
            players=players[i],
            games=played[i],
        )


def packed_inputs(event: int, heading: str, games: GameFacts, part: slice) -> tuple[bytes, str]:
    """Give the canonical bytes of one event as the replay reads it, and their digest."""
    return store.pack({"event": event, "heading": heading}, games.columns(part))


def event_digest(inputs_digest: str, rules_digest: str, numbers: IntArray, ledger: Ledger, lines: slice) -> str:
    """Give the digest of an event: what went in, and every number that came out."""
    exact = bool(ledger.scale[lines].all())
    values = (ledger.expected_units, ledger.raw_units) if exact else (ledger.expected, ledger.raw)
    return fingerprint(inputs_digest, rules_digest, numbers, values[0][lines], values[1][lines])


def _played_counts(stretch: Stretch) -> tuple[list[int], list[int]]:
    """Give the played games, and the players with one, of each event."""
    history = stretch.history
    played = history.game_kind == Kind.PLAYED
    event = history.game_event[played]
    both = np.concatenate([event, event])
    player = np.concatenate([history.game_a[played], history.game_b[played]])
    distinct = np.unique(both * max(history.players, 1) + player)
    players = np.bincount(distinct // max(history.players, 1), minlength=history.events)
    return np.bincount(event, minlength=history.events).tolist(), players.tolist()


def _narrow(part: LedgerPart) -> LedgerPart:
    """Keep the sides of the lines in as few bytes as they need."""
    ledger = part.ledger
    exact = len(ledger) == 0 or bool(ledger.scale.all())
    units = ledger.side_term_units
    if exact and units.dtype != object and (not len(units) or units.max() < 2**31):
        units = units.astype(np.int32)
    narrow = replace(
        ledger,
        side_game=ledger.side_game.astype(np.int32),
        side_line=ledger.side_line.astype(np.int32),
        side_opponent_line=ledger.side_opponent_line.astype(np.int32),
        side_result_half=ledger.side_result_half.astype(np.int8),
        side_term_units=units,
        side_term=np.zeros(0) if exact else ledger.side_term,
    )
    return replace(part, ledger=narrow)


# ---- rows of the ledger -------------------------------------------------------------------------


def ledger_columns(part: LedgerPart, chosen: NDArray[np.bool_] | None = None) -> dict[str, object]:
    """Give the rows of the ledger as columns of the table, without the key of the rated event.

    Args:
        part: The lines.
        chosen: The lines wanted, all if left out.
    """
    ledger = part.ledger
    lines = np.arange(len(ledger)) if chosen is None else np.flatnonzero(chosen)
    scale = ledger.scale[lines]
    return {
        "person_id": part.person[lines],
        "before": ledger.before[lines],
        "games": ledger.games[lines],
        "wins": ledger.wins_half[lines],
        "expected": store.exact_texts(ledger.expected_units[lines], scale, ledger.expected[lines]),
        "games_after": ledger.games_after[lines],
        "wins_after": part.wins_after[lines],
        "k": ledger.k[lines],
        "raw_change": store.exact_texts(ledger.raw_units[lines], 2 * scale, ledger.raw[lines]),
        "change": ledger.change[lines],
        "after": ledger.after[lines],
        "terms": _terms(part, lines, chosen),
    }


def _terms(part: LedgerPart, lines: IntArray, chosen: NDArray[np.bool_] | None) -> list[str]:
    """Write the games of each line: round, opponent, his rating before, expectation, result in half points, game."""
    ledger = part.ledger
    if not len(lines):
        return []
    sides = slice(None) if chosen is None else np.flatnonzero(chosen[ledger.side_line])
    opponent = ledger.side_opponent_line[sides]
    game = ledger.side_game[sides]
    doubles = ledger.side_term[sides] if len(ledger.side_term) else np.zeros(len(game))
    expectation = store.exact_texts(ledger.side_term_units[sides], ledger.scale[ledger.side_line[sides]], doubles)
    columns = (
        part.game_round[game].tolist(),
        part.person[opponent].tolist(),
        ledger.before[opponent].tolist(),
        expectation,
        ledger.side_result_half[sides].tolist(),
        part.game_id[game].tolist(),
    )
    texts = [f'[{n},{who},{rating},"{e}",{won},{key}]' for n, who, rating, e, won, key in zip(*columns, strict=True)]
    stops = np.cumsum(ledger.games[lines]).tolist()
    starts = [0, *stops[:-1]]
    return [f"[{','.join(texts[low:high])}]" for low, high in zip(starts, stops, strict=True)]
