"""What the report of a season, the difference of two editions and the records read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.db.models import Max, QuerySet
from django.db.models.functions import Greatest

from federation.registry.models import PersonMerge, Season
from ratings.core.listing import NO_POSITION, NO_TITLE, RatingList, Status
from ratings.core.report import SeasonReport, season_report
from ratings.core.ruleset import RuleSet
from ratings.core.seasons import UNKNOWN
from ratings.models import Game, LedgerRow, ListRow, PublishedList
from ratings.queries.lists import rows_joined

_COLUMNS: Final = (
    "person_id",
    "status",
    "position",
    "rating",
    "title",
    "games",
    "wins",
    "season_games",
    "season_wins",
    "last_season",
    "active",
    "debut",
)
_ROW_COLUMNS: Final = (
    *("status", "position", "rating", "title", "games", "wins_half", "season_games", "season_wins_half"),
    *("last_season", "active", "debut"),
)
_STATUS: Final = {status.code: int(status) for status in Status}


def rating_list_of(edition: PublishedList, rules: RuleSet) -> RatingList:
    """The rows of an edition as arrays, players by the key of the person; one query."""
    rows = list(ListRow.objects.filter(list=edition).order_by("order").values_list(*_COLUMNS))
    columns: list[Sequence[Any]] = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in _COLUMNS]
    titles = {title.name: place for place, title in enumerate(rules.titles)}

    def integers(values: Sequence[Any]) -> np.ndarray:
        return np.array(values, dtype=np.int64)

    return RatingList(
        season=edition.season.start_year,
        rules=rules,
        player=integers(columns[0]),
        status=integers([_STATUS[code] for code in columns[1]]),
        position=integers([NO_POSITION if value is None else value for value in columns[2]]),
        rating=integers(columns[3]),
        title=integers([titles.get(name, NO_TITLE) for name in columns[4]]),
        games=integers(columns[5]),
        wins_half=integers(columns[6]),
        season_games=integers(columns[7]),
        season_wins_half=integers(columns[8]),
        last_season=integers([UNKNOWN if value is None else value for value in columns[9]]),
        active=np.array(columns[10], dtype=np.bool_),
        debut=np.array(columns[11], dtype=np.bool_),
    )


def report_of(
    last: PublishedList, before: PublishedList | None, rules: RuleSet, rules_before: RuleSet | None
) -> SeasonReport:
    """The report of a season from its last edition and that of the season before, or nothing before.

    The earlier edition is read for the records that the last one counts: whoever was merged between the two keeps
    his position and his rating of then.
    """
    current = rating_list_of(last, rules)
    if before is None:
        previous = _nobody(current)
    else:
        previous = _as_joined(rating_list_of(before, rules_before or rules), set(current.player.tolist()))
    return season_report(current, previous, int(last.counts.get("season_events", 0)))


def _as_joined(previous: RatingList, listed: set[int]) -> RatingList:
    """Read an earlier edition for the records of a later one; a merge after the later one is not looked at."""
    gone = set(previous.player.tolist()) - listed
    if not gone:
        return previous
    kept = dict(PersonMerge.objects.filter(undone_at__isnull=True).order_by("pk").values_list("dropped", "kept"))
    ends = {person: _root(person, kept, listed) for person in gone}
    joined = {person: end for person, end in ends.items() if end in listed}
    root, rows = rows_joined(previous.player, previous.games, joined)
    columns = {name: getattr(previous, name)[rows] for name in _ROW_COLUMNS}
    return replace(previous, player=root, **columns)


def _root(person: int, kept: Mapping[int, int], listed: set[int]) -> int:
    """Follow the merges of a record to the first one that is on a list, else to the end."""
    passed = {person}
    while person not in listed and person in kept and kept[person] not in passed:
        person = kept[person]
        passed.add(person)
    return person


def _nobody(current: RatingList) -> RatingList:
    """A list with nobody on it, of the season before."""
    none = np.zeros(0, dtype=np.int64)
    never = np.zeros(0, dtype=np.bool_)
    return RatingList(
        season=current.season - 1,
        rules=current.rules,
        player=none,
        status=none,
        position=none,
        rating=none,
        title=none,
        games=none,
        wins_half=none,
        season_games=none,
        season_wins_half=none,
        last_season=none,
        active=never,
        debut=never,
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A game with its highest score, for the records."""

    game: Game
    points: int


def highest_games(edition: PublishedList, season: Season | None, limit: int) -> list[Scored]:
    """Games with the highest single score in events that count on an edition, the earliest of equal ones first."""
    games = (
        Game.objects.filter(
            superseded_at__isnull=True,
            kind="played",
            score_a__isnull=False,
            score_b__isnull=False,
            event__ratings__run_events__run_id=edition.run_id,
            event__ratings__run_events__position__lt=edition.position,
            event__ratings__eligible=True,
        )
        .annotate(top=Greatest("score_a", "score_b"))
        .select_related("event__season", "a__person__merged_into", "b__person__merged_into")
        .order_by("-top", "event__rating_date", "id")
    )
    if season is not None:
        games = games.filter(event__season=season)
    return [Scored(game, game.top) for game in games[:limit]]


def largest_rises(edition: PublishedList, season: Season | None, limit: int) -> QuerySet[LedgerRow]:
    """Accounts with the largest change on an edition, the earliest of equal ones first."""
    rows = (
        LedgerRow.objects.filter(
            rated_event__run_events__run_id=edition.run_id, rated_event__run_events__position__lt=edition.position
        )
        .select_related("person__merged_into", "rated_event__event__season")
        .defer("terms", "rated_event__inputs")
        .order_by("-change", "rated_event__run_events__position", "id")
    )
    if season is not None:
        rows = rows.filter(rated_event__event__season=season)
    return rows[:limit]


def highest_ratings(edition: PublishedList, limit: int) -> list[tuple[int, int]]:
    """Persons by the highest rating after any event, as pairs of key and rating."""
    rows = (
        LedgerRow.objects.filter(
            rated_event__run_events__run_id=edition.run_id, rated_event__run_events__position__lt=edition.position
        )
        .order_by()
        .values("person_id")
        .annotate(top=Max("after"))
        .order_by("-top", "person_id")
        .values_list("person_id", "top")
    )
    return list(rows[:limit])
