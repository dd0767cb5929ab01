"""Entering results: rounds by hand, whole events from uploads. Nothing is overwritten; what changes is superseded.

The row of the event is locked first; it guards the marks of its rounds.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from federation.accounts.models import User
from federation.audit.services import record, register_actions
from federation.core.errors import RuleError
from federation.registry.models import Entry, Event, EventState
from federation.uploads.models import Upload
from ratings.core.rounds import MAX_ROWS, GameRow, Problem, check_rows
from ratings.models import EventRound, Game, GameKind
from ratings.queries.results import (
    content,
    current_games,
    entrants,
    round_differences,
    row_as_dict,
    row_of,
    rows_at_version,
)

register_actions(
    {
        "results.saved": _("results of a round saved"),
        "results.entered": _("results entered from a file"),
        "results.withdrawn": _("results of a file withdrawn"),
    }
)

#: States in which results are entered; afterwards they change by a correction, or the event is reopened.
ENTRY_STATES = (EventState.DRAFT, EventState.OPEN)
MAX_ROUND = 200
#: Game rows of one write.
BATCH = 500


@transaction.atomic
def save_round(*, event: Event, number: int, version: int, rows: Iterable[GameRow], actor: User) -> int:
    """Make the rows the round, superseding only what differs.

    Saving what is stored already writes nothing, so a form that is sent twice does no harm, even if its version is
    old. Rows that are missing are superseded without a successor.

    Args:
        event: the event; it is locked here.
        number: round from 1.
        version: version of the round that the form was made from.
        rows: all entries of the round, players by their number in the event.
        actor: who enters them.

    Returns:
        The version after saving.

    Raises:
        RuleError: ``results_closed`` (the event is not open), ``round_unknown``, ``round_has_problems`` (with
            ``problems``), ``round_stale`` (with ``who``, ``when``, ``version`` and ``differences``).
    """
    locked = lock_event(event)
    rows = tuple(replace(row, round=number) for row in rows)
    require_open(locked)
    _check_number(locked, number)
    games = list(current_games(locked, [number]))
    mark = round_mark(locked, number)
    if {content(row) for row in rows} == {content(row_of(game)) for game in games} and len(rows) == len(games):
        return mark.version
    if mark.version != version:
        raise _stale(mark, version, games, rows)
    refuse_problems(check_rows(rows, entrants(locked), number))
    replace_rows(event=locked, games=games, rows=rows, actor=actor, now=timezone.now())
    return bump_round(mark, games, rows, actor)


@transaction.atomic
def enter_games(*, event: Event, games: Iterable[GameRow], actor: User, upload: Upload | None = None) -> int:
    """Add the games of a file, all or nothing.

    Rows that are stored already stay as they are, so entering a file twice changes nothing. A pairing that still has no
    result is superseded by the row of the same two players.

    Args:
        event: the event; it is locked here.
        games: rows with their ``round``, players by number in the event.
        actor: who commits the file.
        upload: the upload they come from; it is what `remove_games` withdraws.

    Returns:
        How many rows were added.

    Raises:
        RuleError: ``results_closed``, ``round_unknown``, or ``round_has_problems`` with ``round`` and ``problems``
            when the rows contradict each other or what is stored.
    """
    locked = lock_event(event)
    require_open(locked)
    by_round: dict[int, list[GameRow]] = defaultdict(list)
    for row in games:
        by_round[row.round].append(row)
    for number in by_round:
        _check_number(locked, number, announced=False)
    players = entrants(locked)
    stored: dict[int, list[Game]] = defaultdict(list)
    for game in current_games(locked, by_round):
        stored[game.round].append(game)
    added = 0
    for number in sorted(by_round):
        known = {content(row_of(game)) for game in stored[number]}
        new = [row for row in by_round[number] if content(row) not in known]
        if not new:
            continue
        played = {frozenset(row.players) for row in new if row.kind != GameKind.PENDING}
        pairings = [game for game in stored[number] if _is_pairing_of(game, played)]
        kept = [row_of(game) for game in stored[number] if game not in pairings]
        refuse_problems(check_rows([*kept, *new], players, number), number)
        mark = round_mark(locked, number)
        boards = {frozenset(row_of(game).players): game.board for game in pairings}
        new = [
            replace(row, board=boards.get(frozenset(row.players)) or row.board or place)
            for place, row in enumerate(new, start=len(kept) + 1)
        ]
        supersede(pairings, actor=actor, now=timezone.now())
        made = create_games(event=locked, rows=new, actor=actor, upload=upload)
        _name_successors(pairings, made)
        bump_round(mark, stored[number], [*kept, *new], actor, upload=upload)
        added += len(new)
    if added:
        _raise_round_count(locked, max(by_round))
        record(
            action="results.entered",
            obj=locked,
            actor=actor,
            after={"games": added, "rounds": sorted(by_round), "upload": upload.pk if upload else None},
        )
    return added


def _is_pairing_of(game: Game, played: set[frozenset[int]]) -> bool:
    return game.kind == GameKind.PENDING and frozenset(row_of(game).players) in played


def _name_successors(gone: Sequence[Game], made: Sequence[Game]) -> None:
    """Point superseded pairings to the rows that took their place."""
    heirs = {frozenset((game.a_id, game.b_id)): game.pk for game in made}
    for game in gone:
        game.superseded_by_id = heirs.get(frozenset((game.a_id, game.b_id)))
    Game.objects.bulk_update(gone, ["superseded_by"], batch_size=BATCH)


@transaction.atomic
def remove_games(*, event: Event, upload: Upload, actor: User, reason: str = "") -> int:
    """Withdraw what an upload brought: its games in force are superseded without a successor.

    Returns:
        How many were withdrawn; 0 when it was done already.

    Raises:
        RuleError: ``results_closed`` when the event is no longer open.
    """
    locked = lock_event(event)
    games = [game for game in current_games(locked) if game.upload_id == upload.pk]
    if not games:
        return 0
    require_open(locked)
    stored: dict[int, list[Game]] = defaultdict(list)
    for game in current_games(locked, {game.round for game in games}):
        stored[game.round].append(game)
    now = timezone.now()
    supersede(games, actor=actor, now=now, reason=reason or "upload withdrawn")
    for number, rows in sorted(stored.items()):
        kept = [row_of(game) for game in rows if game.upload_id != upload.pk]
        bump_round(round_mark(locked, number), rows, kept, actor, upload=upload, reason=reason)
    record(
        action="results.withdrawn",
        obj=locked,
        actor=actor,
        reason=reason,
        before={"games": len(games), "rounds": sorted(stored), "upload": upload.pk},
    )
    return len(games)


# ---- the parts, also used by corrections ----------------------------------------------------------


def lock_event(event: Event) -> Event:
    """Return the event's row, locked: the first lock of everything that writes results."""
    return Event.objects.select_for_update(of=("self",), no_key=True).select_related("season").get(pk=event.pk)


def require_open(event: Event) -> None:
    """Refuse unless results may be entered.

    Raises:
        RuleError: ``results_closed`` with the ``state`` of the event.
    """
    if event.state not in ENTRY_STATES:
        raise RuleError("results_closed", {"event": event.name, "state": event.get_state_display()})


def refuse_problems(problems: Sequence[Problem], number: int = 0) -> None:
    """Raise ``round_has_problems`` if there is an error among the problems."""
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise RuleError("round_has_problems", {"problems": errors, "count": len(errors), "round": number})


def replace_rows(
    *,
    event: Event,
    games: Sequence[Game],
    rows: Sequence[GameRow],
    actor: User,
    now: dt.datetime,
    reason: str = "",
) -> list[Game]:
    """Supersede the games that are not among the rows and add the rows that are not among the games.

    A new row becomes the successor of the old rows of its players and takes over their board.

    Returns:
        The games added.
    """
    wanted = {content(row) for row in rows}
    known = {content(row_of(game)) for game in games}
    gone = [game for game in games if content(row_of(game)) not in wanted]
    supersede(gone, actor=actor, now=now, reason=reason)
    boards = {seat: game.board for game in reversed(gone) for seat in row_of(game).players if game.board}
    new = [
        replace(row, board=boards.get(row.a) or boards.get(row.b or 0) or row.board or position)
        for position, row in enumerate(rows, start=1)
        if content(row) not in known
    ]
    added = create_games(event=event, rows=new, actor=actor)
    seats = {seat: game.pk for game in reversed(added) for seat in (game.b_id, game.a_id) if seat is not None}
    successors = []
    for game in gone:
        heir = seats.get(game.a_id) or seats.get(game.b_id or 0)
        if heir is not None:
            game.superseded_by_id = heir
            successors.append(game)
    Game.objects.bulk_update(successors, ["superseded_by"], batch_size=BATCH)
    return added


def supersede(games: Sequence[Game], *, actor: User, now: dt.datetime, reason: str = "") -> None:
    """Take games out of force, with author and reason. A game is superseded once."""
    Game.objects.filter(pk__in=[game.pk for game in games], superseded_at__isnull=True).update(
        superseded_at=now, superseded_who=actor, superseded_reason=reason
    )


def create_games(*, event: Event, rows: Sequence[GameRow], actor: User, upload: Upload | None = None) -> list[Game]:
    """Add rows as games, in one write."""
    entries: Mapping[int, int] = dict(Entry.objects.filter(event=event).values_list("number", "pk"))
    games = [
        Game(
            event=event,
            round=row.round,
            board=row.board,
            a_id=entries[row.a],
            b_id=entries[row.b] if row.b is not None else None,
            kind=row.kind,
            score_a=row.score_a,
            score_b=row.score_b,
            result=row.result,
            both_absent=row.both_absent,
            upload=upload,
            created_by=actor,
        )
        for row in rows
    ]
    return Game.objects.bulk_create(games, batch_size=BATCH)


def bump_round(
    mark: EventRound,
    before: Sequence[Game],
    after: Sequence[GameRow],
    actor: User,
    *,
    upload: Upload | None = None,
    reason: str = "",
) -> int:
    """Give the round its next version and record what it was and is."""
    old_version = mark.version
    mark.version += 1
    mark.changed_by = actor
    mark.save()
    extra: dict[str, Any] = {"upload": upload.pk} if upload else {}
    record(
        action="results.saved",
        obj=mark,
        actor=actor,
        reason=reason,
        label=f"{mark.event.name}, {mark.number}",
        before={"version": old_version, "rows": [row_as_dict(row_of(game)) for game in before]},
        after={"version": mark.version, "rows": [row_as_dict(row) for row in after], **extra},
    )
    return mark.version


def round_mark(event: Event, number: int) -> EventRound:
    """Return the mark of a round, a new one not yet stored; the lock on the event guards it."""
    mark = EventRound.objects.filter(event=event, number=number).select_related("changed_by").first()
    mark = mark or EventRound(event=event, number=number)
    mark.event = event
    return mark


def _check_number(event: Event, number: int, *, announced: bool = True) -> None:
    """Refuse a round that the event does not have; a file may bring more rounds than were announced."""
    highest = event.rounds if announced and event.rounds else MAX_ROUND
    if not 1 <= number <= highest:
        raise RuleError("round_unknown", {"round": number, "rounds": highest})


def _raise_round_count(event: Event, highest: int) -> None:
    if event.rounds < highest:
        Event.objects.filter(pk=event.pk).update(rounds=highest, version=F("version") + 1)
        event.rounds = highest


def _stale(mark: EventRound, version: int, games: Sequence[Game], rows: Sequence[GameRow]) -> RuleError:
    """Return the error that tells who changed the round meanwhile, and in what."""
    standing = [row_of(game) for game in games]
    base = rows_at_version(mark.event, mark.number, version)
    return RuleError(
        "round_stale",
        {
            "who": str(mark.changed_by) if mark.changed_by else "",
            "when": mark.changed_at,
            "round": mark.number,
            "version": mark.version,
            "differences": round_differences(base, standing, rows),
        },
    )


__all__ = ["ENTRY_STATES", "MAX_ROWS", "enter_games", "remove_games", "save_round"]
