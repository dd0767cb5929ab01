"""Plan of the sample federation: pure, from a fixed seed, without a database."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from ratings.core.rounds import GameRow
from ratings.demo.names import CLUBS, COUNTRY, EVENTS, FAMILY, FEMININE, GIVEN, SHARE

SEED = 20260930
PEOPLE = 400
FIRST_SEASON = 2023
SEASONS = 4
#: The sample ends here: what comes later is announced, not played.
TODAY = dt.date(2026, 11, 22)
#: Day of the opening ratings; nothing before it counts.
OPENING_DAY = dt.date(2023, 8, 31)
OPENED = 150


@dataclass(frozen=True)
class PersonPlan:
    """A person, with the strength that decides the games and is stored nowhere."""

    given: str
    family: str
    latin_given: str
    latin_family: str
    sex: str
    birth_year: int | None
    country: str
    club: int | None
    publication: str
    strength: float
    keenness: float


@dataclass
class EventPlan:
    """An event with its games; players are places in the list of people."""

    name: str
    town: str
    starts_on: dt.date
    ends_on: dt.date
    rounds: int
    club: int | None
    players: list[int]
    games: list[GameRow] = field(default_factory=list)
    modality: str = "classic"
    #: ``approved``, ``excluded``, ``submitted``, ``open`` or ``draft``.
    ends_as: str = "approved"
    excluded_reason: str = ""
    withdrawn: dict[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class OpeningPlan:
    """Opening rating of a person."""

    person: int
    rating: int
    games: int
    wins: float
    last_season: str | None


@dataclass(frozen=True)
class World:
    """Everything that the loader stores."""

    people: tuple[PersonPlan, ...]
    opening: tuple[OpeningPlan, ...]
    events: tuple[EventPlan, ...]


def make_world() -> World:
    """Return the sample federation, the same at every call."""
    random = Random(SEED)  # noqa: S311 - a sample, not a secret
    people = tuple(_people(random))
    return World(people, tuple(_opening(random, people)), tuple(_events(random, people)))


def _split(name: str) -> tuple[str, str]:
    original, _, latin = name.partition("/")
    return original, latin


def _people(random: Random) -> Iterator[PersonPlan]:
    seen: set[tuple[str, str]] = set()
    languages = [language for language, share in SHARE.items() for _ in range(share)]
    while len(seen) < PEOPLE:
        language = random.choice(languages)
        given, sex = random.choice(GIVEN[language]).split(":")
        family = random.choice(FAMILY[language])
        if sex == "f":
            family = FEMININE.get(family, family)
        if (given, family) in seen:
            if language != "ca" or " i " in family:
                continue
            family = f"{family} {random.choice(FAMILY['ca']).split()[0]}"
            if (given, family) in seen:
                continue
        seen.add((given, family))
        yield _person(random, language, given, family, sex)


def _person(random: Random, language: str, given: str, family: str, sex: str) -> PersonPlan:
    original_given, latin_given = _split(given)
    original_family, latin_family = _split(family)
    age = random.randint(11, 17) if random.random() < 0.05 else int(random.triangular(18, 86, 50))
    home = [place for place, club in enumerate(CLUBS) if club[3] == COUNTRY[language]] or [10]
    return PersonPlan(
        given=original_given,
        family=original_family,
        latin_given=latin_given,
        latin_family=latin_family,
        sex=sex if random.random() < 0.9 else "",
        birth_year=TODAY.year - age if random.random() < 0.85 else None,
        country=COUNTRY[language],
        club=random.choice(home) if random.random() < 0.92 else None,
        publication=random.choices(["auto", "initials", "hidden"], weights=[95, 3, 2])[0],
        strength=random.gauss(1080, 160),
        keenness=random.betavariate(0.7, 2.2),
    )


def _opening(random: Random, people: tuple[PersonPlan, ...]) -> Iterator[OpeningPlan]:
    for place in range(OPENED):
        person = people[place]
        games = max(3, int(random.expovariate(1 / 70)))
        share = min(0.85, max(0.12, 0.5 + (person.strength - 1080) / 900))
        last = random.choices(["2022-23", "2021-22", "2019-20", None], weights=[78, 12, 7, 3])[0]
        yield OpeningPlan(
            person=place,
            rating=round(person.strength + random.gauss(0, 45)),
            games=games,
            wins=round(games * share * 2) / 2,
            last_season=last,
        )


def _events(random: Random, people: tuple[PersonPlan, ...]) -> Iterator[EventPlan]:
    for first_year in range(FIRST_SEASON, FIRST_SEASON + SEASONS):
        newcomers = OPENED + 62 * (first_year - FIRST_SEASON)
        pool = list(range(min(PEOPLE, newcomers + 62)))
        for month in (9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7):
            year = first_year if month >= 9 else first_year + 1
            for order, (name, town, rounds) in enumerate(EVENTS[month]):
                yield _event(random, people, pool, f"{name} {year}", town, rounds, dt.date(year, month, 1), order)
    yield from _special(random, people)


def _saturday(month: dt.date, order: int) -> dt.date:
    first = (5 - month.weekday()) % 7
    return month + dt.timedelta(days=first + 7 * (1 + order))


def _event(
    random: Random,
    people: tuple[PersonPlan, ...],
    pool: list[int],
    name: str,
    town: str,
    rounds: int,
    month: dt.date,
    order: int,
) -> EventPlan:
    starts = _saturday(month, order)
    ends = starts + dt.timedelta(days=1 if rounds > 6 else 0)
    size = random.randint(14, 38)
    weights = [0.03 + people[place].keenness + (1.2 if place >= len(pool) - 40 else 0) for place in pool]
    players = _choose(random, pool, weights, size)
    club = next((place for place, row in enumerate(CLUBS) if row[2] == town), None)
    plan = EventPlan(name, town, starts, ends, rounds, club, players)
    if ends > TODAY:
        plan.ends_as = "open" if (starts - TODAY).days < 40 else "draft"
        plan.players = players[: random.randint(6, 16)] if plan.ends_as == "open" else []
        return plan
    if (TODAY - ends).days < 10:
        plan.ends_as = "submitted"
    _play(random, people, plan)
    return plan


def _choose(random: Random, pool: list[int], weights: list[float], size: int) -> list[int]:
    chosen: list[int] = []
    left, scale = list(pool), list(weights)
    while len(chosen) < min(size, len(pool)):
        place = random.choices(range(len(left)), weights=scale)[0]
        chosen.append(left.pop(place))
        scale.pop(place)
    return chosen


def _play(random: Random, people: tuple[PersonPlan, ...], plan: EventPlan) -> None:
    """Pair round after round by points without repeats where possible, and play."""
    points = dict.fromkeys(range(len(plan.players)), 0.0)
    met: set[frozenset[int]] = set()
    had_bye: set[int] = set()
    for number in range(1, plan.rounds + 1):
        if number > 2 and len(plan.players) > 12 and random.random() < 0.06:
            leaver = random.choice([place for place in points if place not in plan.withdrawn])
            plan.withdrawn[leaver] = number - 1
        present = [place for place in points if place not in plan.withdrawn]
        present.sort(key=lambda place: (-points[place], random.random()))
        if len(present) % 2:
            free = next((place for place in reversed(present) if place not in had_bye), present[-1])
            present.remove(free)
            had_bye.add(free)
            points[free] += 1
            plan.games.append(GameRow(a=free + 1, kind="bye", result=2, round=number))
        for first, second in _pairs(present, met):
            met.add(frozenset((first, second)))
            row = _game(random, people, plan, first, second, number)
            plan.games.append(row)
            points[first] += (row.result or 0) / 2
            points[second] += (2 - row.result) / 2 if row.result is not None else 0


def _pairs(present: list[int], met: set[frozenset[int]]) -> Iterator[tuple[int, int]]:
    left = list(present)
    while left:
        first = left.pop(0)
        place = next((place for place, other in enumerate(left) if frozenset((first, other)) not in met), 0)
        yield first, left.pop(place)


def _game(
    random: Random, people: tuple[PersonPlan, ...], plan: EventPlan, first: int, second: int, number: int
) -> GameRow:
    if random.random() < 0.006:
        return GameRow(a=first + 1, b=second + 1, kind="forfeit", result=2, round=number)
    one, other = people[plan.players[first]], people[plan.players[second]]
    chance = 1 / (1 + 10 ** ((other.strength - one.strength) / 400))
    base = random.gauss(372, 38)
    margin = abs(random.gauss(0, 75)) + 2
    if random.random() < 0.008:
        margin = 0
    won = random.random() < chance
    high, low = round(base + margin / 2), round(base - margin / 2)
    score_a, score_b = (high, low) if won else (low, high)
    result = 1 if score_a == score_b else (2 if score_a > score_b else 0)
    return GameRow(a=first + 1, b=second + 1, score_a=score_a, score_b=score_b, result=result, round=number)


def _special(random: Random, people: tuple[PersonPlan, ...]) -> Iterator[EventPlan]:
    """Events that do not count, each for another reason."""
    pool = list(range(280))
    even = [1.0] * len(pool)
    short = EventPlan(
        "Blitz de la Fira 2025",
        "Portvell",
        dt.date(2025, 3, 30),
        dt.date(2025, 3, 30),
        2,
        0,
        _choose(random, pool, even, 18),
    )
    _play(random, people, short)
    yield short
    pairs = EventPlan(
        "Torneig de Parelles de Carnaval 2026",
        "Serratosa",
        dt.date(2026, 2, 14),
        dt.date(2026, 2, 14),
        4,
        2,
        _choose(random, pool, even, 12),
        modality="other",
    )
    _play(random, people, pairs)
    yield pairs
    show = EventPlan(
        "Exhibició de Sant Jordi 2026",
        "Portvell",
        dt.date(2026, 4, 23),
        dt.date(2026, 4, 23),
        3,
        0,
        _choose(random, pool, even, 8),
        ends_as="excluded",
        excluded_reason="Exhibition games with handicap, announced as unrated.",
    )
    _play(random, people, show)
    yield show
