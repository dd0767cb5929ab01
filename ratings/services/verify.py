"""Recomputing a published list from what its run recorded, and saying where it differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from federation.core.errors import InvariantError, RuleError
from ratings.core.fingerprint import fingerprint
from ratings.core.history import NOBODY
from ratings.core.replay import State, replay
from ratings.core.ruleset import RuleSet as Rules
from ratings.models import LedgerRow, PublishedList, RatingRun, RuleSet
from ratings.queries.facts import EventFacts, OpeningFacts, RuleSets
from ratings.queries.ledger import RunLines, run_events
from ratings.queries.lists import FIGURES, list_columns, list_fingerprint, numbers_of
from ratings.queries.recorded import RecordedInputs, facts_of, recorded_inputs
from ratings.queries.runs import packed_state
from ratings.services.lists import make_list
from ratings.services.replaying import (
    STRETCH,
    EventRecord,
    Facts,
    LedgerPart,
    Stretch,
    event_records,
    history_of_facts,
    ledger_columns,
    ledger_part,
)

IntArray = NDArray[np.int64]

LEDGER: Final = (
    "person_id",
    "before",
    "games",
    "wins",
    "expected",
    "games_after",
    "wins_after",
    "k",
    "raw_change",
    "change",
    "after",
    "terms",
)
#: Names and clubs may have changed since, so the club is only checked by the fingerprint of the rows.
COMPARED: Final = tuple(name for name in FIGURES if name not in ("order", "person_id", "club_id"))
MOST_FINDINGS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One place where what is stored is not what follows from the recorded inputs.

    Attributes:
        what: ``rule_set``, ``inputs``, ``event``, ``ledger``, ``run``, ``list`` or ``fingerprint``.
        where: Which row, in words.
        column: The column.
        stored, recomputed: The two values as text.
    """

    what: str
    where: str
    column: str
    stored: str
    recomputed: str

    def __str__(self) -> str:
        """Give the finding in one line."""
        return f"{self.what}, {self.where}, {self.column}: stored {self.stored}, recomputed {self.recomputed}"


@dataclass(slots=True)
class Verification:
    """The outcome of a verification."""

    published: PublishedList
    events: int = 0
    lines: int = 0
    rows: int = 0
    findings: list[Finding] = field(default_factory=list)

    @property
    def identical(self) -> bool:
        """Whether nothing differs."""
        return not self.findings

    def compare(self, what: str, where: str, column: str, stored: Any, recomputed: Any) -> None:
        """Note a difference, if there is one."""
        if stored != recomputed and len(self.findings) < MOST_FINDINGS:
            self.findings.append(Finding(what, where, column, str(stored), str(recomputed)))


def verify_list(published: PublishedList, *, progress: Callable[[int, int], None] | None = None) -> Verification:
    """Recompute a list from recorded inputs alone: opening ratings, games and rules as its run kept them.

    Facts, registry and later runs are not read, so later corrections do not matter.

    Args:
        published: The list; a draft is recomputed in the same way.
        progress: Called with events done and events to do.
    """
    done = Verification(published)
    run = published.run
    try:
        lines = _verify_run(done, run, progress)
    except (InvariantError, RuleError) as error:
        done.findings.append(Finding("inputs", f"run {run.pk}", "bytes", "recorded", str(error)))
        return done
    _verify_rows(done, run, lines)
    return done


# ---- run and ledger -----------------------------------------------------------------------------


def _verify_run(done: Verification, run: RatingRun, progress: Callable[[int, int], None] | None) -> RunLines:
    """Replay all recorded events; compare every rated event and every line of the ledger."""
    known = _rule_sets(done, run)
    facts, state, opening_digest = _facts(run, known)
    digests = {key: rules.digest() for key, rules in known.rules.items()}
    inputs: list[str] = []
    outcomes: list[str] = []
    parts: list[LedgerPart] = []
    start = 0
    for batch in _batches(recorded_inputs(run)):
        stretch = _stretch(facts, batch, state, start)
        part = ledger_part(stretch, facts.persons)
        records = list(event_records(stretch, part, digests))
        for one, record in zip(batch, records, strict=True):
            _compare_event(done, one, record)
            inputs.append(f"{record.inputs_digest} {digests[record.rule_set]}")
            outcomes.append(record.digest)
        _compare_ledger(done, batch, part)
        parts.append(part)
        state, start = stretch.outcome.state, stretch.stop
        done.events += len(batch)
        done.lines += len(part.ledger)
        if progress is not None:
            progress(done.events, run.counts.get("events", done.events))
    state_digest = packed_state(state, facts.persons, start)[1]
    where = f"run {run.pk}"
    done.compare("run", where, "fingerprint", run.fingerprint, fingerprint(opening_digest, "\n".join(inputs)))
    done.compare("run", where, "outcome", run.outcome, fingerprint("\n".join(outcomes), state_digest))
    return _lines(parts, done.published.position)


def _rule_sets(done: Verification, run: RatingRun) -> RuleSets:
    rows = {row.pk: row for row in RuleSet.objects.filter(system=run.system_id).order_by("pk")}
    rules = {key: Rules.from_parameters(row.parameters) for key, row in rows.items()}
    for key, row in rows.items():
        done.compare("rule_set", str(row), "digest", row.digest, rules[key].digest())
    return RuleSets(rows, rules, ())


def _facts(run: RatingRun, known: RuleSets) -> tuple[Facts, State, str]:
    """Give the table of persons that the recorded inputs name, and the opening state."""
    opening = OpeningFacts.unpacked(run.opening)
    people = [opening.person]
    people += [one.games[side] for one in recorded_inputs(run) for side in ("a", "b")]
    persons = np.unique(np.concatenate(people))
    persons = persons[persons != NOBODY]
    nothing = np.zeros(0, dtype=np.int64)
    flags = np.zeros(0, dtype=np.bool_)
    events = EventFacts(nothing, [], nothing, flags, flags, flags, flags, flags, nothing)
    facts = Facts(run.system, 0, known, events, opening, persons)
    return facts, facts.opening_state(), opening.packed()[1]


def _batches(inputs: Iterator[RecordedInputs]) -> Iterator[list[RecordedInputs]]:
    """Take the events together as far as they fit."""
    batch: list[RecordedInputs] = []
    games = 0
    for one in inputs:
        count = len(one.games["id"])
        if batch and games + count > STRETCH:
            yield batch
            batch, games = [], 0
        batch.append(one)
        games += count
    if batch:
        yield batch


def _stretch(facts: Facts, batch: Sequence[RecordedInputs], state: State, start: int) -> Stretch:
    events, games = facts_of(batch)
    keys = sorted(set(events.rule_set.tolist()))
    history = history_of_facts(events, games, facts.persons, keys)
    before = replace(state, position=0)
    outcome = replay(history, [facts.known.rules[key] for key in keys], before)
    return Stretch(start, events, games, history, keys, before, outcome)


def _compare_event(done: Verification, stored: RecordedInputs, found: EventRecord) -> None:
    where = f"event {stored.event}"
    done.compare("inputs", where, "event", stored.event, stored.found_event)
    done.compare("inputs", where, "heading", stored.heading, stored.found_heading)
    done.compare("inputs", where, "digest", stored.inputs_digest, stored.found_digest)
    done.compare("event", where, "eligible", stored.eligible, found.eligible)
    done.compare("event", where, "reasons", tuple(stored.reasons), found.reasons)
    done.compare("event", where, "players", stored.players, found.players)
    done.compare("event", where, "games", stored.games_count, found.games)
    done.compare("event", where, "outcome", stored.digest, found.digest)


def _compare_ledger(done: Verification, batch: Sequence[RecordedInputs], part: LedgerPart) -> None:
    """Compare every column of every line."""
    found = ledger_columns(part)
    columns = [_plain(found[name]) for name in LEDGER]
    rated = [one.rated_event for one in batch]
    keys = [rated[event] for event in part.ledger.event.tolist()]
    recomputed = {(key, row[0]): row for key, *row in zip(keys, *columns, strict=True)}
    for some in _some(rated, 500):
        rows = LedgerRow.objects.filter(rated_event__in=some).order_by("rated_event", "person")
        for key, event, *row in rows.values_list("rated_event_id", "rated_event__event_id", *LEDGER).iterator():
            where = f"event {event}, person {row[0]}"
            want = recomputed.pop((key, row[0]), None)
            if want is None:
                done.compare("ledger", where, "line", "present", "absent")
            elif row != want:
                for name, old, new in zip(LEDGER, row, want, strict=True):
                    done.compare("ledger", where, name, old, new)
    for key, person in recomputed:
        done.compare("ledger", f"rated event {key}, person {person}", "line", "absent", "present")


def _some(values: Sequence[int], size: int) -> Iterator[list[int]]:
    rest = iter(values)
    while chunk := list(islice(rest, size)):
        yield chunk


def _lines(parts: Sequence[LedgerPart], position: int) -> RunLines:
    """Give the recomputed lines of the events that the list includes, as the ledger would give them."""
    columns: list[list[IntArray]] = [[] for _ in range(7)]
    for part in parts:
        ledger = part.ledger
        place = ledger.event + part.start
        inside = place < position
        values = (
            part.person,
            place,
            ledger.games,
            ledger.wins_half,
            ledger.games_after,
            part.wins_after,
            ledger.after,
        )
        for column, value in zip(columns, values, strict=True):
            column.append(value[inside])
    joined = [np.concatenate(column) if column else np.zeros(0, dtype=np.int64) for column in columns]
    order = np.lexsort((joined[1], joined[0]))
    return RunLines(*(column[order] for column in joined))


# ---- rows of the list ---------------------------------------------------------------------------


def _verify_rows(done: Verification, run: RatingRun, lines: RunLines) -> None:
    """Compare the rows of the list with those that follow from the recomputed lines."""
    published = done.published
    joined = dict(published.counts.get("joined", []))
    made = make_list(
        run=run,
        events=run_events(run.pk),
        position=published.position,
        season=published.season.start_year,
        rules=Rules.from_parameters(published.rule_set.parameters),
        previous=published.previous,
        in_force=published.counts.get("in_force"),
        lines=lines,
        joined=joined,
    )
    stored = list_columns(published.pk)
    numbers = numbers_of(stored["person_id"])
    where = f"list {published.number}"
    done.rows = len(stored["order"])
    done.compare("fingerprint", where, "rows", published.fingerprint, list_fingerprint(stored, numbers))
    done.compare("list", where, "header", published.counts, made.counts)
    found = {name: _plain(values) for name, values in made.columns.items()}
    _compare_rows(done, stored, found, numbers)
    _compare_order(done, stored, found)


def _compare_rows(
    done: Verification, stored: Mapping[str, list[Any]], found: Mapping[str, list[Any]], numbers: Mapping[int, int]
) -> None:
    place = {person: i for i, person in enumerate(found["person_id"])}
    for i, person in enumerate(stored["person_id"]):
        where = f"list {done.published.number}, number {numbers[person]}"
        j = place.pop(person, None)
        if j is None:
            done.compare("list", where, "row", "present", "absent")
            continue
        for name in COMPARED:
            done.compare("list", where, name, stored[name][i], found[name][j])
    for person in place:
        done.compare("list", f"list {done.published.number}, person {person}", "row", "absent", "present")


def _compare_order(done: Verification, stored: Mapping[str, list[Any]], found: Mapping[str, list[Any]]) -> None:
    """Compare the order as far as figures decide it; inside a tie names decide, and names may have changed since."""

    def figures(columns: Mapping[str, list[Any]]) -> list[tuple[Any, ...]]:
        return list(zip(columns["position"], columns["rating"], columns["games"], strict=True))

    done.compare("list", f"list {done.published.number}", "numbering", stored["order"], list(found["order"]))
    for order, (old, new) in enumerate(zip(figures(stored), figures(found), strict=False), start=1):
        done.compare("list", f"list {done.published.number}, row {order}", "order", old, new)


def _plain(values: Any) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else list(values)
