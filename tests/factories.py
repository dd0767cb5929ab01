"""Small makers of rows for tests. Every value may be named; what is not named is plain and valid."""

from __future__ import annotations

from datetime import date
from itertools import count
from typing import Any

from federation.accounts.models import RoleGrant, User
from federation.core.names import fold_key, sort_key
from federation.registry.models import Club, Discipline, Entry, Event, EventState, Person, Season
from ratings.models import Game, GameKind

_numbers = count(1)


def make_user(username: str = "", *, roles: tuple[str, ...] = (), password: str = "", **fields: Any) -> User:
    """An account with roles."""
    username = username or f"user{next(_numbers)}"
    user = User(username=username, **fields)
    user.set_password(password or "correct horse battery")
    user.save()
    RoleGrant.objects.bulk_create(RoleGrant(user=user, role=role) for role in roles)
    return user


def make_discipline(code: str = "scrabble", **fields: Any) -> Discipline:
    """The discipline of a code, made if it is missing."""
    return Discipline.objects.get_or_create(code=code, defaults={"name": code.capitalize(), **fields})[0]


def make_club(name: str = "", **fields: Any) -> Club:
    """A club."""
    number = next(_numbers)
    return Club.objects.create(name=name or f"Club {number}", slug=fields.pop("slug", f"club-{number}"), **fields)


def make_person(given_name: str = "", family_name: str = "", **fields: Any) -> Person:
    """A person, adult unless ``birth_year`` is named, with the keys that the services keep."""
    given = given_name or "Neus"
    family = family_name or f"Farriol {next(_numbers)}"
    number = fields.pop("number", None) or 1 + max(Person.objects.values_list("number", flat=True), default=100)
    fields.setdefault("birth_year", 1980)
    fields.setdefault("sort_key", sort_key(f"{family} {given}")[:255])
    fields.setdefault("fold_key", fold_key(f"{given} {family}")[:255])
    return Person.objects.create(number=number, given_name=given, family_name=family, **fields)


def make_season(code: str = "2025-26", *, discipline: Discipline | None = None, **fields: Any) -> Season:
    """The season of a code, from 1 September to 31 August, made if it is missing."""
    year = int(code[:4])
    dates = {"starts_on": date(year, 9, 1), "ends_on": date(year + 1, 8, 31), "state": "open", **fields}
    return Season.objects.get_or_create(discipline=discipline or make_discipline(), code=code, defaults=dates)[0]


def make_event(name: str = "", *, season: Season | None = None, **fields: Any) -> Event:
    """An event of one day in April 2026, approved unless ``state`` is named."""
    season = season or make_season()
    name = name or f"Open {next(_numbers)}"
    starts_on = fields.pop("starts_on", date(2026, 4, 18))
    ends_on = fields.pop("ends_on", starts_on)
    fields.setdefault("state", EventState.APPROVED)
    fields.setdefault("rating_date", ends_on)
    return Event.objects.create(
        discipline=season.discipline,
        season=season,
        name=name,
        slug=fields.pop("slug", f"event-{next(_numbers)}"),
        starts_on=starts_on,
        ends_on=ends_on,
        **fields,
    )


def make_entry(event: Event, person: Person | None = None, number: int | None = None, **fields: Any) -> Entry:
    """A person's place in an event, with the next number."""
    taken = Entry.objects.filter(event=event).values_list("number", flat=True)
    number = number if number is not None else 1 + max(taken, default=0)
    return Entry.objects.create(event=event, person=person or make_person(), number=number, **fields)


def make_game(a: Entry, b: Entry | None, score_a: int | None = 400, score_b: int | None = 350, **fields: Any) -> Game:
    """A played game of round 1 unless named otherwise; the result follows from the scores."""
    if "result" not in fields and score_a is not None and score_b is not None:
        fields["result"] = 1 + (score_a > score_b) - (score_a < score_b)
    fields.setdefault("round", 1)
    fields.setdefault("kind", GameKind.PLAYED if b else GameKind.BYE)
    return Game.objects.create(event=a.event, a=a, b=b, score_a=score_a, score_b=score_b, **fields)
