"""What other rules would change on the list, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from federation.registry.models import Person
from ratings.presenters.states import label_of
from ratings.services.rulesets import ListedEffect


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A person with position, state and title: one text where both are equal, else before and after."""

    person: Person
    position: str
    state: str
    title: str


def listed_lines(rows: Sequence[ListedEffect]) -> list[ListedLine]:
    """Return the lines of the effect of rules on a list, in one query."""
    people = Person.objects.in_bulk([row.person for row in rows])
    lines = []
    for row in rows:
        sides = (row.before, row.after)
        positions = ["–" if side is None or side.position is None else str(side.position) for side in sides]
        states = [_("not on the list") if side is None else label_of(side.status) for side in sides]
        titles = [side.title if side and side.title else "–" for side in sides]
        lines.append(ListedLine(people[row.person], _change(positions), _change(states), _change(titles)))
    return lines


def _change(texts: Sequence[str]) -> str:
    before, after = texts
    return after if before == after else f"{before} → {after}"
