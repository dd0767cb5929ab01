"""Runs: marking results stale, replaying them, writing what came out."""

from __future__ import annotations

import datetime as dt
import importlib.metadata
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any, Final

import numpy as np
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Q, Sum
from django.utils import timezone

from federation.core.errors import RuleError
from federation.jobs.services import JobContext
from federation.registry.models import Event
from ratings import store
from ratings.codes import RATING_SYSTEM
from ratings.core.fingerprint import fingerprint
from ratings.models import Checkpoint, LedgerRow, RatedEvent, RatingRun, RatingSystem, RunEvent
from ratings.queries.facts import EventKey
from ratings.queries.runs import last_run
from ratings.services.effects import Effect, EventChange, PersonEffect, effect_of, effect_of_event
from ratings.services.replaying import (
    EventRecord,
    Facts,
    FactsMovedError,
    NewGame,
    Progress,
    Recording,
    ledger_columns,
    read_facts,
    recorded,
)
from ratings.services.starting import BEGINNING, Start, dirty_key, where_to_start

__all__ = [
    "Effect",
    "EventChange",
    "NewGame",
    "PersonEffect",
    "compute_run",
    "current_system",
    "effect_of",
    "effect_of_event",
    "lock_system",
    "mark_dirty",
]

_ATTEMPTS: Final = 5
_WARNINGS: Final = 500


def current_system() -> RatingSystem:
    """Return the rating system of scrabble."""
    return RatingSystem.objects.select_related("discipline", "current_list").get(code=RATING_SYSTEM)


def lock_system(key: int) -> RatingSystem:
    """Return a rating system, locked: before the lock on a season, a task or a list (docs/architecture.md)."""
    return RatingSystem.objects.select_for_update(no_key=True).get(pk=key)


def mark_dirty(
    *,
    system: RatingSystem | None = None,
    event_ids: Iterable[int] = (),
    person_ids: Iterable[int] = (),
    from_start: bool = False,
    why: str,
) -> None:
    """Note that facts changed, so that the next run replays from the first event concerned.

    Call it inside the transaction that changes the facts. Marks only move backwards until a run has finished.

    Args:
        system: The rating system; the one of scrabble if left out.
        event_ids: Events whose state, dates or games changed.
        person_ids: Persons whose identity changed; everything they took part in is stale.
        from_start: Everything is stale.
        why: Code of the action, for the log of the request.
    """
    code = system.code if system else RATING_SYSTEM
    with transaction.atomic():
        row = RatingSystem.objects.select_for_update(no_key=True).get(code=code)
        key = (BEGINNING, 0, 0) if from_start else _first_key(row, tuple(event_ids), tuple(person_ids))
        row.facts_version += 1
        if key is not None and (row.dirty_date is None or key < dirty_key(row)):
            row.dirty_date, row.dirty_sequence, row.dirty_event_id = key
        row.save(update_fields=["facts_version", "dirty_date", "dirty_sequence", "dirty_event_id"])


def _first_key(system: RatingSystem, events: Sequence[int], persons: Sequence[int]) -> EventKey | None:
    """Give the key of the first event concerned, None if there is none in this discipline."""
    concerned = Q(pk__in=events)
    if persons:
        concerned |= Q(entries__person__in=persons) | Q(entries__person__merged_into__in=persons)
    return (
        Event.objects.filter(concerned, discipline=system.discipline_id)
        .order_by("rating_date", "sequence", "pk")
        .values_list("rating_date", "sequence", "pk")
        .first()
    )


def compute_run(
    *,
    system: RatingSystem,
    progress: Progress | None = None,
    actor: Any = None,
    job: JobContext | None = None,
    full: bool = False,
) -> RatingRun:
    """Replay what is stale and record it as a run, or return the last run if nothing changed.

    The result equals a replay from the first event. Nothing is written unless all of it is: one transaction, in which
    the version of the facts is checked again. Facts that changed while the replay read them are read once more.

    Args:
        system: The rating system.
        progress: Called with events done, events to do and a stage; the job's own if left out.
        actor: Who asked.
        job: The job, if it is one; what is written is written while the job is still this attempt's.
        full: Replay from the first event, whatever is known.

    Raises:
        RuleError: contradictory data (`params` names event, game and round), `no_rule_set`, or `facts_moving` if the
            facts never stood still. Nothing is written then, and what was stale stays so.
    """
    report = progress or (job.progress if job else None)
    for _ in range(_ATTEMPTS):
        started = timezone.now()
        try:
            return _computed(system, report, actor, job, full, started)
        except FactsMovedError:
            continue
    raise RuleError("facts_moving")


def _computed(
    system: RatingSystem,
    progress: Progress | None,
    actor: Any,
    job: JobContext | None,
    full: bool,
    started: dt.datetime,
) -> RatingRun:
    """Read, replay and write once."""
    # The mark is read before the facts: one set later belongs to a change that the version check finds.
    marked = RatingSystem.objects.get(pk=system.pk)
    facts = read_facts(system)
    if facts.version != marked.facts_version:
        raise FactsMovedError
    opening, opening_digest = facts.opening.packed()
    start = where_to_start(facts, marked, opening_digest, full=full)
    try:
        recording = recorded(facts, start.replayed_from, start.state, progress=progress)
    except RuleError:
        if RatingSystem.objects.values_list("facts_version", flat=True).get(pk=system.pk) != facts.version:
            raise FactsMovedError from None
        raise
    fingerprints = _fingerprints(facts, start, recording, opening_digest)
    with _writing(job):
        locked = RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
        newest = last_run(system)
        known = newest.pk if newest else None
        if locked.facts_version != facts.version or (not full and known != (start.parent.pk if start.parent else None)):
            raise FactsMovedError
        if newest is not None and (newest.fingerprint, newest.outcome) == fingerprints:
            run = newest
            RatingRun.objects.filter(pk=run.pk).update(facts_version=facts.version)
            run.facts_version = facts.version
        else:
            run = _write(facts, start, recording, fingerprints, opening, actor, job, started)
        RatingSystem.objects.filter(pk=system.pk).update(dirty_date=None, dirty_sequence=None, dirty_event_id=None)
    return run


def _writing(job: JobContext | None) -> AbstractContextManager[Any]:
    return job.finishing() if job else transaction.atomic()


def _fingerprints(facts: Facts, start: Start, recording: Recording, opening_digest: str) -> tuple[str, str]:
    """Give the digests of all ordered inputs and of all ordered outcomes."""
    digests = {key: rules.digest() for key, rules in facts.known.rules.items()}
    kept = start.events[: start.replayed_from]
    inputs = [f"{event.inputs_digest} {digests[event.rule_set]}" for event in kept]
    inputs += [f"{event.inputs_digest} {digests[event.rule_set]}" for event in recording.events]
    outcomes = [event.digest for event in kept] + [event.digest for event in recording.events]
    return (
        fingerprint(opening_digest, "\n".join(inputs)),
        fingerprint("\n".join(outcomes), recording.checkmarks[-1].digest),
    )


# ---- writing ------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def code_version() -> str:
    """Return the version of the program, for the record of a run."""
    try:
        return importlib.metadata.version("barem")[:40]
    except importlib.metadata.PackageNotFoundError:
        return str(getattr(settings, "VERSION", "0.1.0"))[:40]


def _write(
    facts: Facts,
    start: Start,
    recording: Recording,
    fingerprints: tuple[str, str],
    opening: bytes,
    actor: Any,
    job: JobContext | None,
    started: dt.datetime,
) -> RatingRun:
    """Write run, events, ledger and checkpoints; rows that an earlier run already has are shared."""
    rated, new = _rated_events(facts.system, recording)
    shared = _length_in_common(start, rated)
    run = RatingRun.objects.create(
        system=facts.system,
        fingerprint=fingerprints[0],
        outcome=fingerprints[1],
        opening=opening,
        code_version=code_version(),
        parent=start.parent,
        reused_events=shared,
        facts_version=facts.version,
        job=job.job if job else None,
        created_by=actor if getattr(actor, "is_authenticated", False) else None,
        started_at=started,
        finished_at=timezone.now(),
    )
    _write_ledger(recording, new)
    if start.parent is not None:
        _take_over(run, start.parent, start.replayed_from)
    store.insert(
        RunEvent,
        {
            "run_id": [run.pk] * len(rated),
            "position": list(range(recording.start, recording.start + len(rated))),
            "rated_event_id": rated,
        },
    )
    Checkpoint.objects.bulk_create(
        Checkpoint(run=run, position=mark.position, state=mark.state, digest=mark.digest)
        for mark in recording.checkmarks
        if mark.position > shared or mark.position == len(facts.events)
    )
    run.counts, run.warnings = _counts(run), _warnings(run)
    run.finished_at = timezone.now()
    run.save(update_fields=["counts", "warnings", "finished_at"])
    return run


def _length_in_common(start: Start, rated: Sequence[int]) -> int:
    """Give the number of first events that are the very rows of the parent run."""
    if start.parent is None:
        return 0
    place = start.replayed_from
    for old, new in zip(start.events[place:], rated, strict=False):
        if old.rated_event != new:
            break
        place += 1
    return place


def _rated_events(system: RatingSystem, recording: Recording) -> tuple[list[int], dict[int, int]]:
    """Find or write the rated events.

    Returns:
        Their keys in rating order, and the keys of the new ones by position in the run.
    """
    known = _known(system, recording.events)
    missing = [
        (place, record)
        for place, record in enumerate(recording.events, start=recording.start)
        if (record.event, record.digest) not in known
    ]
    ids = store.reserve_ids(RatedEvent, len(missing))
    records = [record for _, record in missing]
    store.insert(
        RatedEvent,
        {
            "id": ids,
            "system_id": [system.pk] * len(records),
            "event_id": [record.event for record in records],
            "rule_set_id": [record.rule_set for record in records],
            "digest": [record.digest for record in records],
            "heading": [record.heading for record in records],
            "inputs": [record.inputs for record in records],
            "inputs_digest": [record.inputs_digest for record in records],
            "eligible": [record.eligible for record in records],
            "reasons": ["[" + ", ".join(f'"{code}"' for code in record.reasons) + "]" for record in records],
            "players": [record.players for record in records],
            "games": [record.games for record in records],
        },
    )
    new = {place: key for (place, _), key in zip(missing, ids, strict=True)}
    rated = [
        new[place] if place in new else known[record.event, record.digest]
        for place, record in enumerate(recording.events, start=recording.start)
    ]
    return rated, new


def _known(system: RatingSystem, records: Sequence[EventRecord]) -> dict[tuple[int, str], int]:
    """Return the rated events that earlier runs wrote for the same events, by event and digest."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT event_id, digest, id FROM ratings_ratedevent WHERE system_id = %s AND {store.any_of('event_id')}"  # noqa: S608
            " ORDER BY id DESC",
            [system.pk, store.id_list(record.event for record in records)],
        )
        return {(event, digest): key for event, digest, key in cursor.fetchall()}


def _write_ledger(recording: Recording, new: dict[int, int]) -> None:
    """Write the lines of the rated events that are new, one stretch after another."""
    written = 0
    for part in recording.parts:
        position = part.ledger.event + part.start
        stop = int(position[-1]) + 1 if len(position) else part.start
        keys = np.zeros(max(stop - part.start, 0), dtype=np.int64)
        for place, key in new.items():
            if part.start <= place < stop:
                keys[place - part.start] = key
        rated = keys[part.ledger.event] if len(position) else position
        chosen = rated > 0
        if chosen.any():
            columns = ledger_columns(part, None if chosen.all() else chosen)
            written += store.insert(LedgerRow, {"rated_event_id": rated[chosen], **columns})
    store.refresh_statistics(LedgerRow, written)
    store.refresh_statistics(RatedEvent, written)


def _take_over(run: RatingRun, parent: RatingRun, count: int) -> None:
    """Refer to the first events of the parent run."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO ratings_runevent (run_id, position, rated_event_id)"
            " SELECT %s, position, rated_event_id FROM ratings_runevent WHERE run_id = %s AND position < %s",
            [run.pk, parent.pk, count],
        )


def _counts(run: RatingRun) -> dict[str, int]:
    """Count the events of a run, those that count, and the games of these."""
    rows = RatedEvent.objects.filter(run_events__run=run)
    totals = rows.aggregate(
        all_events=Count("pk"),
        counted=Count("pk", filter=Q(eligible=True)),
        their_games=Sum("games", filter=Q(eligible=True)),
    )
    return {
        "events": totals["all_events"],
        "eligible": totals["counted"],
        "games": totals["their_games"] or 0,
    }


def _warnings(run: RatingRun) -> list[dict[str, Any]]:
    """Name the events of a run that do not count."""
    rows = RatedEvent.objects.filter(run_events__run=run, eligible=False).order_by("run_events__position")
    return [
        {"code": "event_does_not_count", "event": event, "reasons": reasons}
        for event, reasons in rows.values_list("event_id", "reasons")[:_WARNINGS]
    ]
