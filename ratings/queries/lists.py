"""Published lists and drafts as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ratings import store
from ratings.core.fingerprint import fingerprint
from ratings.core.listing import NO_POSITION, PreviousList
from ratings.models import ListKind, ListRow, ListState, PublishedList, RatingSystem

IntArray = NDArray[np.int64]

FIGURES: Final = (
    "order",
    "person_id",
    "club_id",
    "status",
    "active",
    "position",
    "rating",
    "title",
    "games",
    "wins",
    "season_games",
    "season_wins",
    "last_season",
    "debut",
    "progress",
    "games_since",
    "wins_since",
    "corrected",
    "moved",
    "mark",
    "last_event_id",
    "recent",
)
"""Columns of a row of a list, as stored."""


def list_columns(list_id: int) -> dict[str, list[Any]]:
    """Return the rows of a list by column, in the order of the list, in one query."""
    rows = list(ListRow.objects.filter(list=list_id).order_by("order").values_list(*FIGURES))
    return {name: [row[i] for row in rows] for i, name in enumerate(FIGURES)}


def list_fingerprint(columns: Mapping[str, Any], number: Mapping[int, int]) -> str:
    """Give the digest of the rows in their order, persons by their public number.

    Args:
        columns: Rows by column.
        number: Public number of each person.
    """
    parts: list[Any] = []
    for name in FIGURES:
        values = columns[name]
        values = values.tolist() if isinstance(values, np.ndarray) else list(values)
        if name == "person_id":
            values = [number[person] for person in values]
        elif name == "active" or name == "debut" or name == "corrected":
            values = [bool(value) for value in values]
        parts.append("\n".join("" if value is None else str(value) for value in values))
    return fingerprint(*parts)


@dataclass(frozen=True, slots=True)
class Comparable:
    """A published list as far as a comparison needs it, by person."""

    person: IntArray
    rating: IntArray
    games: IntArray
    wins_half: IntArray
    position: IntArray


def comparable(list_id: int) -> Comparable:
    """Return the rows of a list for a comparison, in one query."""
    rows = store.read_integers(
        f"""SELECT person_id, rating, games, wins, COALESCE(position, {NO_POSITION})
            FROM ratings_listrow WHERE list_id = %s ORDER BY person_id""",  # noqa: S608
        [list_id],
        5,
    )
    return Comparable(*rows)


def joined_persons(persons: IntArray) -> dict[int, int]:
    """Return, of some persons, those that are merged into another record, and into which."""
    rows = store.read_integers(
        "SELECT id, merged_into_id FROM registry_person WHERE merged_into_id IS NOT NULL AND "  # noqa: S608
        + store.any_of("id"),
        [store.id_list(persons)],
        2,
    )
    return dict(zip(rows[0].tolist(), rows[1].tolist(), strict=True))


def with_joined(previous: Comparable, joined: Mapping[int, int]) -> Comparable:
    """Read an earlier list for the records that count now.

    Of several rows of one person that of the kept record stands; if it was not on the list, the one with more games.
    """
    if not joined:
        return previous
    root, rows = rows_joined(previous.person, previous.games, joined)
    return Comparable(
        root, previous.rating[rows], previous.games[rows], previous.wins_half[rows], previous.position[rows]
    )


def rows_joined(person: IntArray, games: IntArray, joined: Mapping[int, int]) -> tuple[IntArray, IntArray]:
    """Give the records that count now of the rows of an earlier list, and the row that stands for each.

    Args:
        person: Record of each row.
        games: Career games of each row.
        joined: Records that were merged, and into which.
    """
    root = np.array([joined.get(one, one) for one in person.tolist()], dtype=np.int64)
    own = root == person
    order = np.lexsort((person, -games, ~own, root))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = root[order][1:] != root[order][:-1]
    rows = order[first]
    return root[rows], rows


def previous_list(previous: Comparable, persons: IntArray) -> tuple[PreviousList, IntArray]:
    """Give the earlier list in terms of places in a table of persons, and the rows that it was made of."""
    rows = np.flatnonzero(np.isin(previous.person, persons))
    player = np.searchsorted(persons, previous.person[rows])
    return PreviousList(player, previous.rating[rows], previous.games[rows], previous.position[rows]), rows


def list_to_compare(system: RatingSystem, kind: str, season_start: Any) -> PublishedList | None:
    """Return the list that a new one is compared with.

    The last list of a season is compared with the last one of the seasons before (section 7); any other with the list
    in force.
    """
    if kind == ListKind.CLOSE:
        return (
            PublishedList.objects.filter(system=system, state=ListState.PUBLISHED, season__starts_on__lt=season_start)
            .order_by("-as_of", "-number")
            .first()
        )
    return system.current_list


@dataclass(frozen=True, slots=True)
class PersonOrder:
    """Persons in the order of their names: keys, public numbers, clubs (-1 for none)."""

    person: IntArray
    number: IntArray
    club: IntArray


def persons_by_name() -> PersonOrder:
    """Return all records, merged ones too, in the order of their sort keys, then their numbers."""
    binary = ' COLLATE "C"' if store.is_postgresql() else ""
    rows = store.read_integers(
        f"""SELECT id, number, COALESCE(club_id, -1) FROM registry_person
            ORDER BY sort_key{binary}, number""",  # noqa: S608
        [],
        3,
    )
    return PersonOrder(*rows)


def numbers_of(persons: Iterable[int]) -> dict[int, int]:
    """Return the public numbers of persons."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT id, number FROM registry_person WHERE {store.any_of('id')}",  # noqa: S608
            [store.id_list(persons)],
        )
        return dict(cursor.fetchall())
