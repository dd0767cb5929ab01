"""What the pages of a player and of an account read."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction

from django.db.models import F, Q, QuerySet

from federation.registry.models import Person
from ratings.models import Game, LedgerRow, ListRow, ListState, PublishedList


@dataclass(frozen=True, slots=True)
class Term:
    """One game of a ledger row.

    Attributes:
        round: Number of the round.
        opponent: Key of the opponent's record.
        opponent_before: The opponent's rating before the event.
        expected: Expectation as the ledger keeps it: exact decimal, fraction or double.
        result: Half points.
        game: Key of the game.
    """

    round: int
    opponent: int
    opponent_before: int
    expected: str
    result: int
    game: int | None


@dataclass(slots=True)
class Opponent:
    """The games of a player against one other."""

    person: int
    games: int = 0
    #: Half points.
    wins: int = 0
    expected: list[str] = field(default_factory=list)
    last: date | None = None
    last_event: str = ""


def terms_of(row: LedgerRow) -> list[Term]:
    """The games of a ledger row by round, then by key; the ledger keeps them in the order in which they were rated."""
    terms = [Term(*item[:6]) for item in json.loads(row.terms)]
    return sorted(terms, key=lambda term: (term.round, term.game or 0, term.opponent))


def person_by_number(number: int) -> Person | None:
    """The record with a number, with the one it was merged into; in one query."""
    return Person.objects.select_related("club", "merged_into").filter(number=number).first()


def people_by_id(keys: Iterable[int]) -> dict[int, Person]:
    """The records that count, by the key of the record as it was rated; in one query."""
    found = Person.objects.select_related("merged_into").in_bulk(set(keys))
    return {key: person.merged_into or person for key, person in found.items()}


def ledger_of(person: Person, edition: PublishedList) -> QuerySet[LedgerRow]:
    """Accounts of a player on an edition, in rating order; event and rule set come with them."""
    return _ledger(edition).filter(person=person).order_by("rated_event__run_events__position", "id")


def _ledger(edition: PublishedList) -> QuerySet[LedgerRow]:
    """Accounts on an edition with event and rule set."""
    return (
        LedgerRow.objects.filter(
            rated_event__run_events__run_id=edition.run_id,
            rated_event__run_events__position__lt=edition.position,
        )
        .select_related("rated_event__event__season", "rated_event__rule_set")
        .defer("rated_event__inputs", "rated_event__event__excluded_reason")
    )


def account_of(person: Person, event_id: int, edition: PublishedList) -> LedgerRow | None:
    """The account of one event for one player on an edition; on an old one also that of a record merged since."""
    rows = _ledger(edition).filter(rated_event__event_id=event_id)
    own = rows.filter(Q(person=person) | Q(person__merged_into=person)).order_by("person__merged_into", "id")
    return next(iter(sorted(own, key=lambda row: row.person_id != person.pk)), None)


def list_row_of(person: Person, edition: PublishedList) -> ListRow | None:
    """The row of a player on an edition."""
    return ListRow.objects.filter(list=edition, person=person).select_related("club", "last_event").first()


def best_of(person: Person, edition: PublishedList) -> ListRow | None:
    """The row of a player with the best position on any published edition, the latest of equal ones."""
    return (
        ListRow.objects.filter(
            list__system_id=edition.system_id, list__state=ListState.PUBLISHED, person=person, position__isnull=False
        )
        .select_related("list__season")
        .order_by("position", "-list__number")
        .first()
    )


def head_to_head(rows: Iterable[LedgerRow]) -> list[Opponent]:
    """Games and wins against every opponent, from accounts in rating order; most games first, then the latest met."""
    met: dict[int, Opponent] = {}
    for row in rows:
        event = row.rated_event.event
        for term in terms_of(row):
            opponent = met.setdefault(term.opponent, Opponent(term.opponent))
            opponent.games += 1
            opponent.wins += term.result
            opponent.expected.append(term.expected)
            opponent.last = event.ends_on
            opponent.last_event = event.slug
    return sorted(met.values(), key=lambda one: (-one.games, -(one.last or date.min).toordinal(), one.person))


def mean_of(values: Iterable[str]) -> Fraction | None:
    """Mean of expectations as the ledger keeps them, None without any."""
    numbers = [Fraction(value) for value in values]
    return sum(numbers, Fraction()) / len(numbers) if numbers else None


def lists_with(row: LedgerRow) -> QuerySet[PublishedList]:
    """Published editions that include an account exactly as it stands, oldest first."""
    return (
        PublishedList.objects.filter(
            state=ListState.PUBLISHED,
            run__run_events__rated_event_id=row.rated_event_id,
            run__run_events__position__lt=F("position"),
        )
        .select_related("season")
        .order_by("number", "id")
    )


def games_by_id(keys: Iterable[int | None]) -> dict[int, Game]:
    """Games by key with both scores, in one query."""
    return (
        Game.objects.select_related("a__person", "b__person")
        .only(
            "id",
            "score_a",
            "score_b",
            "board",
            "a__person_id",
            "b__person_id",
            "a__person__merged_into",
            "b__person__merged_into",
        )
        .in_bulk({key for key in keys if key is not None})
    )
