"""Readings for those who enter results: players of an event, rounds as they stand, what changed in a round."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from typing import Any

from django.db.models import F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from federation.accounts.models import User
from federation.audit.models import AuditEvent
from federation.registry.models import Event
from ratings.core.rounds import Entrant, GameRow, missing_players
from ratings.models import EventRound, Game, GameKind

_ROW_FIELDS = frozenset(field.name for field in fields(GameRow))


@dataclass(frozen=True, slots=True)
class RoundState:
    """A round as it stands: its version and rows, in the order of the boards."""

    number: int
    version: int
    rows: tuple[GameRow, ...]
    changed_by: User | None
    changed_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """What the page of an event says of one round."""

    number: int
    games: int
    pending: int
    others: int
    missing: tuple[Entrant, ...]
    changed_by: User | None
    changed_at: dt.datetime | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was entered yet."""
        return not (self.games or self.pending or self.others)


def entrants(event: Event) -> list[Entrant]:
    """Return the players of an event by number; merged records count as the kept one. One query."""
    rows = (
        event.entries.annotate(root=Coalesce("person__merged_into_id", F("person_id")))
        .order_by("number", "id")
        .values_list("number", "person__given_name", "person__family_name", "person__number", "root", "withdrawn_after")
    )
    return [
        Entrant(number=number, name=f"{given} {family}".strip() or f"#{public}", person=root, withdrawn_after=withdrawn)
        for number, given, family, public, root, withdrawn in rows
    ]


def current_games(event: Event, rounds: Iterable[int] | None = None) -> QuerySet[Game]:
    """Return the games in force of an event with their entries, totally ordered."""
    games = Game.objects.filter(event=event, superseded_at__isnull=True).select_related("a", "b")
    if rounds is not None:
        games = games.filter(round__in=list(rounds))
    return games.order_by("round", F("board").asc(nulls_last=True), "id")


def highest_round(event: Event) -> int:
    """Return the last round that has a row in force, 0 for none."""
    games = Game.objects.filter(event=event, superseded_at__isnull=True)
    return int(games.aggregate(last=Max("round"))["last"] or 0)


def rounds_after(event: Event, entry: int, number: int) -> list[int]:
    """Return the rounds after one in which an entry stands in a row in force."""
    games = Game.objects.filter(event=event, superseded_at__isnull=True, round__gt=number)
    rounds = games.filter(Q(a=entry) | Q(b=entry)).values_list("round", flat=True)
    return sorted(set(rounds))


def row_of(game: Game) -> GameRow:
    """Return a stored game in terms of numbers of the event."""
    return GameRow(
        a=game.a.number,
        b=game.b.number if game.b else None,
        kind=game.kind,
        score_a=game.score_a,
        score_b=game.score_b,
        result=game.result,
        both_absent=game.both_absent,
        board=game.board,
        round=game.round,
    )


def row_as_dict(row: GameRow) -> dict[str, Any]:
    """Return a row in the terms of JSON."""
    return asdict(row)


def row_from_dict(values: dict[str, Any]) -> GameRow:
    """Return the row that `row_as_dict` wrote; unknown fields are passed over."""
    return GameRow(**{name: value for name, value in values.items() if name in _ROW_FIELDS})


def round_state(event: Event, number: int) -> RoundState:
    """Return a round as it stands. Two queries."""
    stored = EventRound.objects.filter(event=event, number=number).select_related("changed_by").first()
    return RoundState(
        number=number,
        version=stored.version if stored else 0,
        rows=tuple(row_of(game) for game in current_games(event, [number])),
        changed_by=stored.changed_by if stored else None,
        changed_at=stored.changed_at if stored and stored.version else None,
    )


def rows_at_version(event: Event, number: int, version: int) -> tuple[GameRow, ...] | None:
    """Return the rows of an older version of a round, from the record of changes; None if it is not on record."""
    stored = EventRound.objects.filter(event=event, number=number).first()
    if stored is None:
        return () if version == 0 else None
    records = AuditEvent.objects.filter(object_type="ratings.eventround", object_id=str(stored.pk)).order_by("id")
    for before in records.values_list("before", flat=True):
        if before.get("version") == version:
            return tuple(row_from_dict(row) for row in before.get("rows", []))
    return None


def rounds_overview(event: Event, players: list[Entrant]) -> list[RoundSummary]:
    """Return all rounds of an event, announced or entered. Two queries."""
    rows: dict[int, list[GameRow]] = defaultdict(list)
    for number, a, b, kind in Game.objects.filter(event=event, superseded_at__isnull=True).values_list(
        "round", "a__number", "b__number", "kind"
    ):
        rows[number].append(GameRow(a=a, b=b, kind=kind, round=number))
    stored = {row.number: row for row in EventRound.objects.filter(event=event).select_related("changed_by")}
    by_number = {entrant.number: entrant for entrant in players}
    summaries = []
    for number in range(1, max([event.rounds, *rows, *(n for n, row in stored.items() if row.version)], default=0) + 1):
        kinds = Counter(row.kind for row in rows[number])
        mark = stored.get(number)
        summaries.append(
            RoundSummary(
                number=number,
                games=kinds[GameKind.PLAYED],
                pending=kinds[GameKind.PENDING],
                others=sum(kinds.values()) - kinds[GameKind.PLAYED] - kinds[GameKind.PENDING],
                missing=tuple(by_number[n] for n in missing_players(rows[number], players, number)),
                changed_by=mark.changed_by if mark else None,
                changed_at=mark.changed_at if mark and mark.version else None,
            )
        )
    return summaries


def round_differences(
    base: Iterable[GameRow] | None, theirs: Iterable[GameRow], mine: Iterable[GameRow]
) -> list[dict[str, Any]]:
    """Return, by player with the lowest number of the row, where a round and a stale form differ.

    Args:
        base: rows that the form was made from, None if unknown.
        theirs: rows in force.
        mine: rows of the stale form.

    Returns:
        Dictionaries of ``a``, ``b`` (numbers), ``base``, ``theirs`` and ``mine`` (a row as a dictionary or None) for
        each pair that is not the same in ``theirs`` and ``mine``, or that they changed.
    """
    sides = [_by_pair(rows or ()) for rows in (base, theirs, mine)]
    differences = []
    for pair in sorted({*sides[0], *sides[1], *sides[2]}, key=lambda key: (key[0], key[1] or 0)):
        was, stands, typed = (side.get(pair) for side in sides)
        if _same(stands, typed) and (base is None or _same(was, stands)):
            continue
        differences.append(
            {
                "a": pair[0],
                "b": pair[1],
                "base": row_as_dict(was) if was else None,
                "theirs": row_as_dict(stands) if stands else None,
                "mine": row_as_dict(typed) if typed else None,
                "changed_by_them": base is not None and not _same(was, stands),
            }
        )
    return differences


def _by_pair(rows: Iterable[GameRow]) -> dict[tuple[int, int | None], GameRow]:
    return {(row.a, row.b): row for row in (row.canonical() for row in rows)}


def content(row: GameRow) -> tuple[Any, ...]:
    """Return what makes two rows the same fact: everything but the board and the side it is told from."""
    told = row.canonical()
    return (told.a, told.b, told.kind, told.score_a, told.score_b, told.result, told.both_absent)


def _same(one: GameRow | None, other: GameRow | None) -> bool:
    if one is None or other is None:
        return one is other
    return content(one) == content(other)


def game_history(event: Event, game: Game) -> list[Game]:
    """Return all versions of the rows that the players of a game had in its round, oldest first. One query."""
    seats = [seat for seat in (game.a_id, game.b_id) if seat is not None]
    rows = Game.objects.filter(event=event, round=game.round)
    return list(
        (rows.filter(a_id__in=seats) | rows.filter(b_id__in=seats))
        .select_related("a__person", "b__person", "created_by", "superseded_who", "upload")
        .order_by("created_at", "id")
    )
