"""Made-up facts in bulk: seasons, events, persons, entries and games straight into the tables."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import numpy as np
from django.db import transaction
from django.utils import timezone

from federation.registry.models import Discipline, Entry, Event, Person, Season
from ratings import store
from ratings.models import Game, RatingSystem

FIRST_YEAR = 2000


@dataclass(frozen=True)
class Size:
    """How much to make; a game is one result of two players."""

    seasons: int
    events: int
    players: int
    rounds: int
    persons: int

    @property
    def games(self) -> int:
        return self.seasons * self.events * self.rounds * self.players // 2


FIFTY_THOUSAND = Size(seasons=20, events=25, players=20, rounds=10, persons=1_000)
MILLION = Size(seasons=20, events=100, players=100, rounds=10, persons=20_000)


def seed(size: Size, *, number: int = 1) -> None:
    """Write the facts: approved events, everybody paired anew in each round, skewed activity."""
    rng = np.random.default_rng(number)
    discipline = Discipline.objects.get(code="scrabble")
    with transaction.atomic():
        persons = _persons(size)
        for year in range(FIRST_YEAR, FIRST_YEAR + size.seasons):
            season = Season.objects.create(
                discipline=discipline,
                code=f"{year}-{(year + 1) % 100:02d}",
                starts_on=dt.date(year, 9, 1),
                ends_on=dt.date(year + 1, 8, 31),
                state="open",
            )
            _season(size, rng, season, persons)
        RatingSystem.objects.update(facts_version=number)


def _persons(size: Size) -> np.ndarray:
    ids = np.array(store.reserve_ids(Person, size.persons))
    names = [f"person {i:06d}" for i in range(size.persons)]
    empty = [""] * size.persons
    columns = {
        "id": ids,
        "number": np.arange(1, size.persons + 1),
        "state": ["confirmed"] * size.persons,
        "given_name": empty,
        "family_name": names,
        "latin_given_name": empty,
        "latin_family_name": empty,
        "sort_key": names,
        "fold_key": names,
        "sex": empty,
        "country": empty,
        "contact": empty,
        "publication": ["auto"] * size.persons,
        "note": empty,
        "version": [0] * size.persons,
        "created_at": [_now()] * size.persons,
    }
    store.insert(Person, columns)
    return ids


def _season(size: Size, rng: np.random.Generator, season: Season, persons: np.ndarray) -> None:
    count = size.events
    ids = store.reserve_ids(Event, count)
    days = [(season.starts_on + dt.timedelta(days=5 + i * 350 // count)).isoformat() for i in range(count)]
    empty = [""] * count
    store.insert(
        Event,
        {
            "id": ids,
            "discipline_id": [season.discipline_id] * count,
            "season_id": [season.pk] * count,
            "slug": [f"{season.code}-{i}" for i in range(count)],
            "name": [f"Event {season.code} {i}" for i in range(count)],
            "modality": ["classic"] * count,
            "starts_on": days,
            "ends_on": days,
            "rating_date": days,
            "sequence": [0] * count,
            "rounds": [size.rounds] * count,
            "venue": empty,
            "town": empty,
            "state": ["approved"] * count,
            "excluded_reason": empty,
            "results_public": [True] * count,
            "tie_breaks": ["[]"] * count,
            "version": [0] * count,
            "created_at": [_now()] * count,
        },
    )
    weight = 1 / np.arange(1, len(persons) + 1) ** 0.3
    weight /= weight.sum()
    people = np.concatenate([rng.choice(persons, size.players, replace=False, p=weight) for _ in ids])
    _results(size, rng, np.array(ids), people)


def _results(size: Size, rng: np.random.Generator, events: np.ndarray, people: np.ndarray) -> None:
    """Write entries and games of the events of a season."""
    count, players, tables = len(events), size.players, size.players // 2
    entries = np.array(store.reserve_ids(Entry, len(people)))
    store.insert(
        Entry,
        {
            "id": entries,
            "event_id": np.repeat(events, players),
            "person_id": people,
            "number": np.tile(np.arange(1, players + 1), count),
        },
    )
    rounds = np.repeat(entries.reshape(count, players), size.rounds, axis=0)
    order = rng.permuted(rounds, axis=1)
    games = count * size.rounds * tables
    store.insert(
        Game,
        {
            "event_id": np.repeat(events, size.rounds * tables),
            "round": np.tile(np.repeat(np.arange(1, size.rounds + 1), tables), count),
            "board": np.tile(np.arange(1, tables + 1), count * size.rounds),
            "a_id": order[:, :tables].ravel(),
            "b_id": order[:, tables:].ravel(),
            "kind": ["played"] * games,
            "result": rng.choice([0, 1, 2], games, p=[0.48, 0.02, 0.5]),
            "both_absent": [False] * games,
            "superseded_reason": [""] * games,
            "created_at": [_now()] * games,
        },
    )


def _now() -> str:
    return timezone.now().strftime("%Y-%m-%d %H:%M:%S")
