"""Opening ratings: what was known of players before the first event in the system (specification, section 7)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from federation.audit.services import record
from federation.core.errors import RuleError
from federation.registry.models import Person
from federation.uploads.models import Upload
from ratings import store
from ratings.core.barruf import half_points, opening_rating
from ratings.core.ruleset import MAX_RATING
from ratings.core.seasons import UNKNOWN, season_start
from ratings.models import ListState, OpeningList, OpeningRating, PublishedList, RatingSystem
from ratings.services.runs import current_system, mark_dirty

MAX_GAMES: Final = 100_000


@dataclass(frozen=True, slots=True)
class OpeningRow:
    """One person of an opening list.

    Attributes:
        person: Key of the record.
        rating: Rating; decimals are rounded half away from zero.
        games: Career games.
        wins: Career wins, draws as halves.
        last_season: Code of the season of the last game (``2023-24``), its starting year, or None if unknown.
        line: Where the row stands in its file, for messages.
    """

    person: int
    rating: Decimal | Fraction | int
    games: int
    wins: Decimal | Fraction | int = 0
    last_season: str | int | None = None
    line: int = 0


def enter_opening(
    *,
    rows: Sequence[OpeningRow],
    as_of: dt.date,
    actor: Any,
    upload: Upload | None = None,
    system: RatingSystem | None = None,
) -> OpeningList:
    """Store opening ratings, all or none. Events up to the day never count; everything is stale afterwards.

    The same upload a second time gives the list that it made.

    Args:
        rows: One row a person.
        as_of: Day of the ratings.
        actor: Who enters them.
        upload: The upload they come from.
        system: The rating system; the one of scrabble if left out.

    Raises:
        RuleError: `opening_empty`; `opening_exists`, withdraw the list in force first; `opening_after_published`, a
            published list counts an event of that day or before; and, with `line`, `opening_person_unknown`,
            `opening_twice`, `opening_games`, `opening_wins`, `opening_rating_impossible`, `bad_wins`, `bad_season`.
    """
    if not rows:
        raise RuleError("opening_empty")
    with transaction.atomic():
        row = RatingSystem.objects.select_for_update(no_key=True).get(pk=(system or current_system()).pk)
        in_force = row.opening_lists.filter(withdrawn_at=None).first()
        if in_force is not None:
            if upload is not None and in_force.upload_id == upload.pk:
                return in_force
            raise RuleError("opening_exists", {"date": in_force.as_of.isoformat()})
        _refuse_late(row, as_of)
        columns = _columns(rows)
        made = OpeningList.objects.create(
            system=row,
            as_of=as_of,
            upload=upload,
            created_by=actor if getattr(actor, "is_authenticated", False) else None,
        )
        store.insert(OpeningRating, {"opening_list_id": [made.pk] * len(rows), **columns})
        mark_dirty(system=row, from_start=True, why="opening.entered")
        record(action="opening.entered", obj=made, actor=actor, after={"as_of": as_of, "persons": len(rows)})
    return made


def withdraw_opening(*, opening: OpeningList, reason: str, actor: Any) -> OpeningList:
    """Take an opening list out of force, with a reason; its rows are kept. A second time nothing happens.

    Raises:
        RuleError: `reason_missing`.
    """
    if not reason.strip():
        raise RuleError("reason_missing")
    with transaction.atomic():
        system = RatingSystem.objects.select_for_update(no_key=True).get(pk=opening.system_id)
        row = OpeningList.objects.select_for_update(no_key=True).get(pk=opening.pk)
        if row.withdrawn_at is None:
            row.withdrawn_at, row.withdrawn_reason = timezone.now(), reason.strip()
            row.save(update_fields=["withdrawn_at", "withdrawn_reason"])
            mark_dirty(system=system, from_start=True, why="opening.withdrawn")
            record(action="opening.withdrawn", obj=row, actor=actor, reason=row.withdrawn_reason)
    return row


def _refuse_late(system: RatingSystem, as_of: dt.date) -> None:
    """Refuse opening ratings that would take events out of a published list."""
    counted = PublishedList.objects.filter(
        system=system,
        state=ListState.PUBLISHED,
        run__run_events__rated_event__eligible=True,
        run__run_events__rated_event__event__rating_date__lte=as_of,
    )
    if counted.exists():
        raise RuleError("opening_after_published", {"date": as_of.isoformat()})


def _columns(rows: Sequence[OpeningRow]) -> dict[str, Any]:
    known = dict(Person.objects.filter(pk__in={row.person for row in rows}).values_list("pk", "merged_into_id"))
    seen: dict[int, int] = {}
    columns: dict[str, list[Any]] = {"person_id": [], "rating": [], "games": [], "wins": [], "last_season": []}
    for row in rows:
        try:
            values = _values(row, known, seen)
        except RuleError as error:
            raise RuleError(error.code, {**error.params, "line": row.line}, error.where) from error
        for name, value in zip(columns, values, strict=True):
            columns[name].append(value)
    return columns


def _values(
    row: OpeningRow, known: Mapping[int, int | None], seen: dict[int, int]
) -> tuple[int, int, int, int, int | None]:
    if row.person not in known:
        raise RuleError("opening_person_unknown", {"person": row.person})
    root = known[row.person] or row.person
    if root in seen:
        raise RuleError("opening_twice", {"person": root, "other_line": seen[root]})
    seen[root] = row.line
    if not 0 <= row.games <= MAX_GAMES:
        raise RuleError("opening_games", {"games": row.games, "highest": MAX_GAMES})
    wins = half_points(row.wins)
    if wins > 2 * row.games:
        raise RuleError("opening_wins", {"wins": str(row.wins), "games": row.games})
    rating = opening_rating(row.rating)
    if abs(rating) > MAX_RATING:
        raise RuleError("opening_rating_impossible", {"rating": rating, "highest": MAX_RATING})
    season = season_start(row.last_season) if not isinstance(row.last_season, int) else row.last_season
    return row.person, rating, row.games, wins, None if season == UNKNOWN else season
