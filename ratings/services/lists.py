"""Lists: drafts made from a run, publication, errata."""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone
from numpy.typing import NDArray

from federation.audit.services import record
from federation.core.errors import RuleError
from federation.registry.models import FederationSettings, Season
from ratings import store
from ratings.core.listing import MOVE_CODES, NO_TITLE, Comparison, Move, RatingList, Status, compare, rating_list
from ratings.core.ruleset import RuleSet as Rules
from ratings.core.seasons import UNKNOWN
from ratings.models import (
    Correction,
    Erratum,
    EventRuleSet,
    ListKind,
    ListRow,
    ListState,
    PublishedList,
    RatingRun,
    RatingSystem,
    RunState,
)
from ratings.queries.difference import Difference, list_difference
from ratings.queries.facts import OpeningFacts, rule_sets
from ratings.queries.ledger import Careers, RunEvents, RunLines, careers, run_events, run_lines
from ratings.queries.lists import (
    comparable,
    joined_persons,
    list_fingerprint,
    list_to_compare,
    persons_by_name,
    previous_list,
    with_joined,
)
from ratings.queries.runs import greatest_list_number, last_run

__all__ = ["Difference", "draft_list", "list_difference", "publish_list", "withdraw_draft"]

IntArray = NDArray[np.int64]

_STATUS_CODES = {int(status): status.code for status in Status}


# ---- drafts -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Made:
    """A list worked out, before it is stored: rows by column of the table, and what the header says."""

    columns: dict[str, Any]
    fingerprint: str
    counts: dict[str, Any]


def draft_list(
    *,
    run: RatingRun,
    season: Season,
    as_of: dt.date,
    kind: str,
    actor: Any = None,
    corrects: PublishedList | None = None,
) -> PublishedList:
    """Make a list from a run and store it as a draft. An equal draft is returned as it is; older ones are replaced.

    The list includes the events of the run up to its date (the first list of a season those before it), and follows
    the listing rules in force on its date.

    Args:
        run: The run.
        season: Season of the list: activity, first appearances and season figures refer to it.
        as_of: Date of the list.
        kind: One of ``ListKind``.
        actor: Who prepares it.
        corrects: For a corrected edition the list that it corrects.

    Raises:
        RuleError: `no_rule_set`; `corrected_list_missing`, a corrected edition without the list it corrects.
    """
    if kind == ListKind.CORRECTION and corrects is None:
        raise RuleError("corrected_list_missing")
    system = RatingSystem.objects.select_related("current_list").get(pk=run.system_id)
    known = rule_sets(system)
    rule_set = known.on(as_of)
    events = run_events(run.pk)
    position = included(events, as_of, own_day=includes_own_day(kind, corrects))
    previous = list_to_compare(system, kind, season.starts_on)
    made = make_list(
        run=run,
        events=events,
        position=position,
        season=season.start_year,
        rules=known.rules[rule_set],
        previous=previous,
        in_force=system.current_list_id,
    )
    with transaction.atomic():
        RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
        drafts = PublishedList.objects.filter(system=system, state=ListState.DRAFT, season=season, kind=kind)
        same = drafts.filter(
            run=run,
            as_of=as_of,
            rule_set=rule_set,
            position=position,
            previous=previous,
            corrects=corrects,
            fingerprint=made.fingerprint,
            counts=made.counts,
        ).first()
        if same is not None:
            return same
        drafts.delete()
        draft = PublishedList.objects.create(
            system=system,
            season=season,
            kind=kind,
            as_of=as_of,
            rule_set=known.rows[rule_set],
            run=run,
            position=position,
            previous=previous,
            corrects=corrects,
            fingerprint=made.fingerprint,
            counts=made.counts,
            created_by=_account(actor),
        )
        rows = len(made.columns["order"])
        store.insert(ListRow, {"list_id": [draft.pk] * rows, **made.columns})
        store.refresh_statistics(ListRow, rows)
    return draft


def withdraw_draft(*, draft: PublishedList, actor: Any) -> None:
    """Delete a draft; a published list is never deleted.

    Raises:
        RuleError: `list_published`.
    """
    with transaction.atomic():
        RatingSystem.objects.select_for_update(no_key=True).get(pk=draft.system_id)
        row = PublishedList.objects.filter(pk=draft.pk).first()
        if row is None:
            return
        if row.state == ListState.PUBLISHED:
            raise RuleError("list_published", {"number": row.number})
        record(action="draft.withdrawn", obj=row, actor=actor)
        row.delete()


def includes_own_day(kind: str, corrects: PublishedList | None) -> bool:
    """Tell whether a list includes the events of its own day: all do but the first list of a season.

    A corrected edition includes what the list it corrects includes.
    """
    while kind == ListKind.CORRECTION and corrects is not None:
        kind, corrects = corrects.kind, corrects.corrects
    return kind != ListKind.OPENING


def included(events: RunEvents, as_of: dt.date, *, own_day: bool) -> int:
    """Give the number of first events of a run that a list includes."""
    return bisect_right(events.date, as_of) if own_day else bisect_left(events.date, as_of)


def make_list(
    *,
    run: RatingRun,
    events: RunEvents,
    position: int,
    season: int,
    rules: Rules,
    previous: PublishedList | None,
    in_force: int | None,
    lines: RunLines | None = None,
    joined: Mapping[int, int] | None = None,
) -> Made:
    """Work out a list from what a run recorded (specification, section 8).

    Args:
        run: The run.
        events: Its events.
        position: How many of them the list includes.
        season: Season of the list, by starting year.
        rules: Rules of the list.
        previous: The list it is compared with.
        in_force: Key of the list in force.
        lines: Lines of the ledger to read instead of the recorded ones, for a verification.
        joined: Merges by which the previous list is read, instead of those of today.
    """
    opening = OpeningFacts.unpacked(run.opening)
    lines = run_lines(events, position) if lines is None else lines
    known = careers(opening, lines, events.season, season)
    names = persons_by_name()
    listed = rating_list(
        known.state,
        rules,
        entered=known.entered,
        name_rank=_lookup(names.person, np.arange(len(names.person)), known.person),
        number=_lookup(names.person, names.number, known.person),
    )
    club = _lookup(names.person, names.club, known.person)
    earlier = None
    if previous is not None:
        before = comparable(previous.pk)
        joined = joined_persons(before.person) if joined is None else joined
        earlier = with_joined(before, joined)
    columns = list_columns_of(known, listed, rules, events.event, club, earlier)
    numbers = dict(zip(names.person.tolist(), names.number.tolist(), strict=True))
    fingerprint = list_fingerprint(columns, {person: numbers[person] for person in columns["person_id"].tolist()})
    counts = _counts(listed, columns, events, position, season, previous)
    counts |= {"in_force": in_force, "joined": [list(pair) for pair in sorted((joined or {}).items())]}
    return Made(columns, fingerprint, counts)


def _lookup(keys: IntArray, values: IntArray, wanted: IntArray) -> IntArray:
    """Give the value of each wanted key."""
    order = np.argsort(keys, kind="stable")
    return values[order[np.searchsorted(keys[order], wanted)]] if len(wanted) else wanted


def list_columns_of(
    known: Careers,
    listed: RatingList,
    rules: Rules,
    event: IntArray,
    club: IntArray,
    earlier: Any,
) -> dict[str, Any]:
    """Give the rows of a list as columns of the table."""
    player = listed.player
    last = known.last_position[player].tolist()
    events = event.tolist()
    titles = [title.name for title in rules.titles]
    columns: dict[str, Any] = {
        "order": np.arange(1, len(listed) + 1),
        "person_id": known.person[player],
        "club_id": _nullable(club[player], -1),
        "status": [_STATUS_CODES[status] for status in listed.status.tolist()],
        "active": listed.active,
        "position": _nullable(listed.position, 0),
        "rating": listed.rating,
        "title": ["" if title == NO_TITLE else titles[title] for title in listed.title.tolist()],
        "games": listed.games,
        "wins": listed.wins_half,
        "season_games": listed.season_games,
        "season_wins": listed.season_wins_half,
        "last_season": _nullable(listed.last_season, UNKNOWN),
        "debut": listed.debut,
        "last_event_id": [None if place < 0 else events[place] for place in last],
        "recent": [known.recent[place] for place in player.tolist()],
    }
    return columns | _compared(known, listed, earlier)


def _compared(known: Careers, listed: RatingList, earlier: Any) -> dict[str, Any]:
    """Give the columns that compare with the previous list; empty ones without it."""
    rows = len(listed)
    if earlier is None:
        none = [None] * rows
        return {
            "progress": none,
            "games_since": none,
            "wins_since": none,
            "corrected": np.zeros(rows, dtype=np.bool_),
            "moved": none,
            "mark": [""] * rows,
        }
    previous, chosen = previous_list(earlier, known.person)
    comparison: Comparison = compare(listed, previous)
    wins_then = earlier.wins_half[chosen]
    before = np.where(comparison.before >= 0, wins_then[np.maximum(comparison.before, 0)], 0) if len(chosen) else 0
    number = comparison.move == Move.NUMBER
    return {
        "progress": comparison.progress,
        "games_since": comparison.games_since,
        "wins_since": listed.wins_half - before,
        "corrected": comparison.corrected,
        "moved": [
            moved if has else None for moved, has in zip(comparison.moved.tolist(), number.tolist(), strict=True)
        ],
        "mark": [MOVE_CODES.get(Move(move), "") for move in comparison.move.tolist()],
    }


def _nullable(values: IntArray, nothing: int) -> list[int | None]:
    return [None if value == nothing else value for value in values.tolist()]


def _counts(
    listed: RatingList,
    columns: Mapping[str, Any],
    events: RunEvents,
    position: int,
    season: int,
    previous: PublishedList | None,
) -> dict[str, Any]:
    """Count what the header of a list says, so that no page counts rows."""
    eligible = np.flatnonzero(events.eligible[:position])
    in_season = eligible[events.season[eligible] == season]
    before: set[int] = set()
    if previous is not None:
        earlier = run_events(previous.run_id, previous.position)
        before = set(earlier.event[earlier.eligible].tolist())
    since = [place for place in eligible.tolist() if int(events.event[place]) not in before]
    statuses = columns["status"]
    return {
        "rows": len(listed),
        **{status.code: statuses.count(status.code) for status in Status},
        "events": len(eligible),
        "games": int(events.games[eligible].sum()),
        "events_since": [int(events.event[place]) for place in since],
        "games_since": int(sum(int(events.games[place]) for place in since)),
        "season_events": len(in_season),
        "season_games": int(events.games[in_season].sum()),
        "season_players": int((listed.season_games > 0).sum()),
        "debuts": int(listed.debut.sum()),
        "corrected": int(np.asarray(columns["corrected"]).sum()),
    }


# ---- publication --------------------------------------------------------------------------------


def publish_list(*, draft: PublishedList, actor: Any, reason: str = "") -> PublishedList:
    """Publish a draft: number, date and the pointer to the list in force, in one transaction.

    Publishing twice publishes once. The list in force stays if it is of a later date: a corrected edition of an old
    list is published beside it. A corrected edition comes with an erratum.

    Args:
        draft: The draft.
        actor: Who publishes; where the federation asks for two persons, not the one who prepared it.
        reason: For a corrected edition what was wrong; the reasons of the corrections if left out.

    Raises:
        RuleError: `second_person_needed`, `draft_stale` (facts or the list in force changed since), `draft_replaced`,
            `erratum_reason_missing`.
    """
    with transaction.atomic():
        system = RatingSystem.objects.select_for_update(no_key=True).get(pk=draft.system_id)
        row = PublishedList.objects.select_for_update(no_key=True).filter(pk=draft.pk).first()
        if row is None:
            raise RuleError("draft_replaced")
        if row.state == ListState.PUBLISHED:
            return row
        _check_second_person(row, actor)
        _check_fresh(system, row)
        row.number = greatest_list_number(system) + 1
        row.state = ListState.PUBLISHED
        row.published_at, row.published_by = timezone.now(), _account(actor)
        row.save(update_fields=["number", "state", "published_at", "published_by"])
        replaced = system.current_list
        if replaced is None or row.as_of >= replaced.as_of:
            system.current_list = row
            system.save(update_fields=["current_list"])
        _pin_rule_sets(row)
        _mark_runs(row)
        if row.kind == ListKind.CORRECTION:
            _write_erratum(row, reason)
        record(
            action="list.published",
            obj=row,
            actor=actor,
            reason=reason,
            before={"in_force": replaced.number if replaced else None},
            after={"number": row.number, "kind": row.kind, "as_of": row.as_of, "fingerprint": row.fingerprint},
        )
    return row


def _check_second_person(draft: PublishedList, actor: Any) -> None:
    needed = FederationSettings.objects.filter(pk=1, two_person_publishing=True).exists()
    if needed and draft.created_by_id is not None and draft.created_by_id == getattr(actor, "pk", None):
        raise RuleError("second_person_needed", {"name": str(actor)})


def _check_fresh(system: RatingSystem, draft: PublishedList) -> None:
    """Refuse a draft made from facts that are no longer the facts, or compared with a list no longer in force."""
    run = draft.run
    newest = last_run(system)
    moved = system.dirty_date is not None or system.facts_version != run.facts_version
    if moved or newest is None or newest.pk != run.pk or draft.counts.get("in_force") != system.current_list_id:
        raise RuleError("draft_stale", {"prepared": draft.created_at.isoformat(timespec="minutes")})


def _pin_rule_sets(published: PublishedList) -> None:
    """Keep the rule set of every event that the list includes for all later replays (section 1)."""
    counted = published.run.run_events.filter(
        position__lt=published.position,
        rated_event__eligible=True,
        rated_event__event__pinned_rule_set=None,
    ).values_list("rated_event__event_id", "rated_event__rule_set_id")
    new = sorted(counted)
    store.insert(
        EventRuleSet, {"event_id": [event for event, _ in new], "rule_set_id": [rule_set for _, rule_set in new]}
    )


def _mark_runs(published: PublishedList) -> None:
    runs = RatingRun.objects.filter(system=published.system_id)
    runs.filter(pk=published.run_id).update(state=RunState.PUBLISHED)
    runs.filter(pk__lt=published.run_id).exclude(state=RunState.SUPERSEDED).update(state=RunState.SUPERSEDED)


def _write_erratum(published: PublishedList, reason: str) -> Erratum:
    """Write the public note of a corrected edition, with the corrections applied since the list it corrects."""
    replaced = published.corrects
    assert replaced is not None
    corrections = list(
        Correction.objects.filter(
            state=Correction.State.APPLIED,
            errata=None,
            decided_at__gte=replaced.published_at,
            event__ratings__run_events__run=published.run_id,
            event__ratings__run_events__position__lt=published.position,
        ).order_by("decided_at", "pk")
    )
    text = reason.strip() or "\n".join(dict.fromkeys(row.reason.strip() for row in corrections if row.reason.strip()))
    if not text:
        raise RuleError("erratum_reason_missing")
    year = timezone.localdate().year
    numbers = Erratum.objects.filter(number__startswith=f"{year}-").values_list("number", flat=True)
    following = max((int(number.partition("-")[2]) for number in numbers), default=0) + 1
    erratum = Erratum.objects.create(
        number=f"{year}-{following:02d}",
        corrected_list=published,
        replaced_list=replaced,
        reason=text,
        published_at=published.published_at or timezone.now(),
    )
    erratum.corrections.set(corrections)
    return erratum


def _account(actor: Any) -> Any:
    return actor if getattr(actor, "is_authenticated", False) else None
