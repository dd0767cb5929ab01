"""Corrections of results of approved events: proposed with their effect, applied, published with an erratum.

Order of locks: the row of the event, the row of the correction, the rating system.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from federation.accounts.models import User
from federation.audit.services import record, register_actions
from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.jobs.services import JobContext, enqueue
from federation.registry.models import Entry, Event, EventState
from federation.registry.queries.settings import federation_settings
from ratings.core.history import NOBODY
from ratings.core.rounds import GameRow, check_rows
from ratings.models import Correction, Game, ListKind, PublishedList
from ratings.queries.facts import KINDS
from ratings.queries.results import content, current_games, entrants, row_from_dict, row_of
from ratings.services.effects import Effect, EventChange, effect_of
from ratings.services.lists import draft_list, includes_own_day
from ratings.services.passes import end_first_pass, second_pass
from ratings.services.replaying import NewGame
from ratings.services.results import bump_round, create_games, lock_event, refuse_problems, round_mark, supersede
from ratings.services.runs import compute_run, current_system, mark_dirty

register_actions(
    {
        "correction.proposed": _("correction proposed"),
        "correction.refreshed": _("effect of a correction computed again"),
        "correction.applied": _("correction applied"),
        "correction.discarded": _("correction discarded"),
    }
)

#: Kind of the job that makes the run and the corrected edition.
JOB_KIND = "ratings.correct"


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a correction.

    Attributes:
        game: key of the game in force that is replaced or taken away; None for a game that is added.
        row: what stands instead, players by number in the event, with its round; None takes the game away.
    """

    game: int | None
    row: GameRow | None


@transaction.atomic
def propose_correction(*, event: Event, changes: Sequence[Change], reason: str, actor: User) -> Correction:
    """Propose a correction and compute its effect on everybody. Facts stay as they are.

    The same proposal sent twice gives one correction.

    Raises:
        RuleError: ``correction_event`` (not approved), ``reason_missing``, ``correction_empty``,
            ``game_not_current``, ``correction_is_open`` (another one of the same game waits),
            ``round_has_problems``, and what the replay finds.
    """
    locked = lock_event(event)
    reason = reason.strip()
    if locked.state != EventState.APPROVED:
        raise RuleError("correction_event", {"event": locked.name, "state": locked.get_state_display()})
    if not reason:
        raise RuleError("reason_missing", where="reason")
    games = _games_in_force(locked, [change.game for change in changes if change.game is not None])
    changes = [change for change in changes if not _is_idle(change, games)]
    if not changes:
        raise RuleError("correction_empty")
    _check_rounds(locked, changes, games)
    stored = [_as_json(change, _entry_keys(locked)) for change in changes]
    for other in Correction.objects.filter(event=locked, state=Correction.State.PROPOSED).order_by("pk"):
        if other.changes == stored and other.reason == reason:
            return other
        if {one["game"] for one in other.changes} & {change.game for change in changes if change.game is not None}:
            raise RuleError("correction_is_open", {"correction": other.pk})
    effect = effect_of(changes=[_event_change(locked, changes)])
    correction = Correction.objects.create(
        event=locked,
        changes=stored,
        reason=reason,
        effect=effect.as_json(),
        facts_version=effect.facts_version,
        proposed_by=actor,
    )
    after = {"event": locked.pk, "changes": stored}
    record(action="correction.proposed", obj=correction, actor=actor, reason=reason, after=after)
    return correction


@transaction.atomic
def refresh_correction(*, correction: Correction, actor: User) -> Correction:
    """Compute the effect of a proposal again, after other facts changed.

    Raises:
        RuleError: ``correction_decided``, ``correction_stale`` and what the replay finds.
    """
    event, row = _locked(correction)
    _require_proposed(row)
    changes = changes_of(row)
    _check_rounds(event, changes, _games_in_force(event, _replaced(changes)))
    effect = effect_of(changes=[_event_change(event, changes)])
    row.effect, row.facts_version = effect.as_json(), effect.facts_version
    row.save(update_fields=["effect", "facts_version"])
    record(action="correction.refreshed", obj=row, actor=actor, after={"facts_version": row.facts_version})
    return row


@transaction.atomic
def apply_correction(*, correction: Correction, actor: User) -> Correction:
    """Supersede the facts, mark what follows as stale, and ask for the corrected edition.

    Applying twice applies once.

    Raises:
        RuleError: ``correction_decided`` (discarded), ``correction_second_person``, ``correction_event``,
            ``correction_stale`` (a game was changed meanwhile), ``correction_effect_stale`` (the effect shown is not
            the effect any more).
    """
    event, row = _locked(correction)
    if row.state == Correction.State.APPLIED:
        return row
    _require_proposed(row)
    if event.state != EventState.APPROVED:
        raise RuleError("correction_event", {"event": event.name, "state": event.get_state_display()})
    if federation_settings().two_person_publishing and row.proposed_by_id == actor.pk:
        raise RuleError("correction_second_person")
    changes = changes_of(row)
    games = _games_in_force(event, _replaced(changes))
    if current_system().facts_version != row.facts_version:
        raise RuleError("correction_effect_stale")
    _replace(event, row, changes, games, actor)
    row.state, row.decided_by, row.decided_at = Correction.State.APPLIED, actor, timezone.now()
    row.save(update_fields=["state", "decided_by", "decided_at"])
    mark_dirty(event_ids=[event.pk], why="correction.applied")
    record(action="correction.applied", obj=row, actor=actor, reason=row.reason, after={"changes": row.changes})
    prepare_edition(correction=row, actor=actor)
    return row


@transaction.atomic
def discard_correction(*, correction: Correction, reason: str, actor: User) -> Correction:
    """Put a proposal away; discarding twice discards once.

    Raises:
        RuleError: ``correction_decided`` (applied), ``reason_missing``.
    """
    _event, row = _locked(correction)
    if row.state == Correction.State.DISCARDED:
        return row
    _require_proposed(row)
    if not reason.strip():
        raise RuleError("reason_missing", where="reason")
    row.state, row.decided_by, row.decided_at = Correction.State.DISCARDED, actor, timezone.now()
    row.save(update_fields=["state", "decided_by", "decided_at"])
    record(action="correction.discarded", obj=row, actor=actor, reason=reason.strip())
    return row


def prepare_edition(*, correction: Correction, actor: User | None) -> Job:
    """Ask for the run and the corrected edition that follow from a correction."""
    return enqueue(kind=JOB_KIND, key=f"correction-{correction.pk}", params={"correction": correction.pk}, actor=actor)


def make_edition(context: JobContext) -> dict[str, Any]:
    """Work of the job: run, and a corrected edition of the list in force if that includes the event."""
    correction = Correction.objects.select_related("event").get(pk=context.params["correction"])
    system = current_system()
    run = compute_run(system=system, actor=context.actor, job=context)
    in_force = system.current_list
    if in_force is None or not _includes(in_force, correction.event):
        return {"run": run.pk, "draft": None}
    with context.finishing() as job:
        draft = draft_list(
            run=run,
            season=in_force.season,
            as_of=in_force.as_of,
            kind=ListKind.CORRECTION,
            actor=context.actor,
            corrects=in_force,
        )
        end_first_pass(job, draft)
    return {"run": run.pk, "draft": draft.pk, "second_pass": second_pass(context, draft)}


def _includes(edition: PublishedList, event: Event) -> bool:
    own_day = includes_own_day(edition.kind, edition.corrects)
    return event.rating_date <= edition.as_of if own_day else event.rating_date < edition.as_of


def effect_rows(correction: Correction) -> Effect:
    """Return the effect stored with a correction."""
    return Effect.from_json(correction.effect)


def changes_of(correction: Correction) -> list[Change]:
    """Return the stored changes, with players by number in the event."""
    numbers = dict(Entry.objects.filter(event=correction.event_id).values_list("pk", "number"))
    changes = []
    for stored in correction.changes:
        row = None
        if not stored["remove"]:
            row = row_from_dict({**stored, "a": numbers[stored["a"]], "b": numbers.get(stored["b"])})
        changes.append(Change(game=stored["game"], row=row))
    return changes


# ---- parts --------------------------------------------------------------------------------------


def _locked(correction: Correction) -> tuple[Event, Correction]:
    event = lock_event(Event(pk=correction.event_id))
    row = Correction.objects.select_for_update(of=("self",), no_key=True).get(pk=correction.pk)
    row.event = event
    return event, row


def _require_proposed(correction: Correction) -> None:
    if correction.state != Correction.State.PROPOSED:
        raise RuleError("correction_decided", {"state": correction.get_state_display()})


def _games_in_force(event: Event, keys: Iterable[int]) -> dict[int, Game]:
    """Return the games of some keys, all of them in force.

    Raises:
        RuleError: ``game_not_current``.
    """
    wanted = set(keys)
    games = {game.pk: game for game in current_games(event) if game.pk in wanted}
    if len(games) != len(wanted):
        raise RuleError("game_not_current")
    return games


def _is_idle(change: Change, games: dict[int, Game]) -> bool:
    """Whether a change changes nothing."""
    if change.game is None or change.row is None:
        return change.game is None and change.row is None
    game = games[change.game]
    return content(change.row) == content(row_of(game)) and change.row.round in (0, game.round)


def _round(change: Change, games: dict[int, Game]) -> int:
    """Return the round of a new row: its own, or that of the game it replaces."""
    row = change.row
    assert row is not None
    return row.round or games[change.game or 0].round


def _check_rounds(event: Event, changes: Sequence[Change], games: dict[int, Game]) -> None:
    """Refuse changes after which a round would contradict itself."""
    players = entrants(event)
    added: dict[int, list[GameRow]] = defaultdict(list)
    for change in changes:
        if change.row is not None:
            number = _round(change, games)
            if not 1 <= number <= 200:
                raise RuleError("round_unknown", {"round": number, "rounds": event.rounds})
            added[number].append(replace(change.row, round=number))
    gone = {change.game for change in changes}
    for number, rows in sorted(added.items()):
        kept = [row_of(game) for game in current_games(event, [number]) if game.pk not in gone]
        refuse_problems(check_rows([*rows, *kept], players, number), number)


def _replaced(changes: Sequence[Change]) -> list[int]:
    return [change.game for change in changes if change.game is not None]


def _entry_keys(event: Event) -> dict[int, int]:
    return dict(Entry.objects.filter(event=event).values_list("number", "pk"))


def _as_json(change: Change, entries: dict[int, int]) -> dict[str, Any]:
    """Return a change as it is stored: players by the key of their entry."""
    row = change.row
    if row is None:
        return {"game": change.game, "remove": True}
    return {
        "game": change.game,
        "remove": False,
        "round": row.round,
        "board": row.board,
        "a": entries[row.a],
        "b": entries[row.b] if row.b is not None else None,
        "kind": row.kind,
        "score_a": row.score_a,
        "score_b": row.score_b,
        "result": row.result,
        "both_absent": row.both_absent,
    }


def _event_change(event: Event, changes: Sequence[Change]) -> EventChange:
    """Return the changes in the terms of the replay: persons instead of entries."""
    persons = {entrant.number: entrant.person for entrant in entrants(event)}
    rounds = dict(Game.objects.filter(pk__in=_replaced(changes)).values_list("pk", "round"))
    added = tuple(
        NewGame(
            round=change.row.round or rounds[change.game or 0],
            a=persons[change.row.a],
            b=persons[change.row.b] if change.row.b is not None else NOBODY,
            kind=int(KINDS[change.row.kind]),
            result=-1 if change.row.result is None else change.row.result,
        )
        for change in changes
        if change.row is not None
    )
    return EventChange(event=event.pk, removed=frozenset(_replaced(changes)), added=added)


def _replace(
    event: Event, correction: Correction, changes: Sequence[Change], games: dict[int, Game], actor: User
) -> None:
    """Supersede and add, round by round on record."""
    now = timezone.now()
    rounds = {game.round for game in games.values()}
    rounds |= {_round(change, games) for change in changes if change.row is not None}
    before = {number: list(current_games(event, [number])) for number in sorted(rounds)}
    supersede(list(games.values()), actor=actor, now=now, reason=correction.reason)
    for change in changes:
        if change.row is None:
            continue
        old = games.get(change.game or 0)
        board = old.board if old else change.row.board
        row = replace(change.row, round=_round(change, games), board=board)
        (new,) = create_games(event=event, rows=[row], actor=actor)
        if old is not None:
            Game.objects.filter(pk=old.pk).update(superseded_by=new)
    for number, was in before.items():
        rows = [row_of(game) for game in current_games(event, [number])]
        bump_round(round_mark(event, number), was, rows, actor, reason=correction.reason)


def editions_waiting() -> list[PublishedList]:
    """Return corrected editions that are prepared and wait for somebody to publish them."""
    return list(
        PublishedList.objects.filter(kind=ListKind.CORRECTION, state="draft")
        .select_related("corrects", "created_by", "season")
        .order_by("-created_at", "-pk")
    )
