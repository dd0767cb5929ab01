"""The effect of a change in the terms of a page: names, ratings and positions before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from federation.registry.models import Person
from ratings.models import ListRow, PublishedList, RatingSystem
from ratings.queries.difference import Side, list_difference

_LAST: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class EffectLine:
    """One person: rating and position before and after a change; None where there is none."""

    person: Person
    before: int | None
    after: int | None
    games_before: int
    games_after: int
    position_before: int | None
    position_after: int | None

    @property
    def change(self) -> int | None:
        """Points gained or lost, None where a rating is missing on one side."""
        return None if self.before is None or self.after is None else self.after - self.before


def effect_lines(
    system: RatingSystem, rows: Sequence[tuple[int, int | None, int | None, int, int]]
) -> list[EffectLine]:
    """Return the lines of an effect: those whose rating or games change, then those who only change their position.

    Positions are those of the ranked part of the list in force, and what they would be with the change; who is not
    ranked there has none. Three queries.

    Args:
        system: The rating system.
        rows: person, rating before and after, games before and after.
    """
    ranked = ranked_ratings(system)
    moved = {person: after - before for person, before, after, *_ in rows if before is not None and after is not None}
    then = {person: rating + moved.get(person, 0) for person, rating in ranked.items()}
    before, after = positions(ranked), positions(then)
    named = {person for person, *_ in rows}
    displaced = [person for person in ranked if person not in named and before[person] != after[person]]
    people = Person.objects.select_related("club").in_bulk([*(key for key in named if key > 0), *displaced])
    lines = [
        EffectLine(people[person], old, new, games_old, games_new, before.get(person), after.get(person))
        for person, old, new, games_old, games_new in rows
        if person in people
    ]
    careers = dict(
        ListRow.objects.filter(list=system.current_list_id, person__in=displaced).values_list("person_id", "games")
    )
    lines += [
        EffectLine(
            people[person],
            ranked[person],
            ranked[person],
            careers[person],
            careers[person],
            before[person],
            after[person],
        )
        for person in sorted(displaced, key=lambda key: (after[key], key))
    ]
    return lines


def lines_between(a: PublishedList, b: PublishedList) -> list[EffectLine]:
    """Return everybody whose rating, games or position differ between two lists, largest movement first."""
    rows = [row for row in list_difference(a, b) if row.changed]
    people = Person.objects.select_related("club").in_bulk([row.person for row in rows])
    lines = [_between(people[row.person], row.before, row.after) for row in rows if row.person in people]
    return sorted(lines, key=lambda line: (-abs(line.change or 0), line.position_after or _LAST, line.person.pk))


def _between(person: Person, before: Side | None, after: Side | None) -> EffectLine:
    return EffectLine(
        person,
        before.rating if before else None,
        after.rating if after else None,
        before.games if before else 0,
        after.games if after else 0,
        before.position if before else None,
        after.position if after else None,
    )


def stored_lines(rows: Sequence[tuple[int, int | None, int | None, int, int]]) -> list[EffectLine]:
    """Return the lines of an effect as it was, without positions of today; in one query."""
    people = Person.objects.select_related("club").in_bulk([person for person, *_rest in rows])
    return [
        EffectLine(people[person], before, after, games_before, games_after, None, None)
        for person, before, after, games_before, games_after in rows
        if person in people
    ]


def ranked_ratings(system: RatingSystem) -> dict[int, int]:
    """Return the ratings of the ranked part of the list in force, by person."""
    rows = ListRow.objects.filter(list=system.current_list_id, status="ranked")
    return dict(rows.values_list("person_id", "rating")) if system.current_list_id else {}


def positions(ratings: Mapping[int, int]) -> dict[int, int]:
    """Return positions by rating, shared and then skipped (specification, section 8)."""
    place: dict[int, int] = {}
    for order, rating in enumerate(sorted(ratings.values(), reverse=True), start=1):
        place.setdefault(rating, order)
    return {person: place[rating] for person, rating in ratings.items()}
