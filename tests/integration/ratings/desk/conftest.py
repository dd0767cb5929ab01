"""What the tests of the desk share: people of every role, an open event, the rating system."""

from __future__ import annotations

from datetime import date
from types import SimpleNamespace

import pytest

from federation.accounts.models import Role
from federation.registry.models import EventDirector, EventState
from tests.factories import make_entry, make_event, make_person, make_season, make_user


@pytest.fixture
def season(db):
    return make_season()


@pytest.fixture
def people(season):
    """One account of every kind, and the event that ``director`` directs."""
    event = make_event("Open of Portvell", season=season, state=EventState.OPEN, rounds=3, slug="open-of-portvell")
    other_event = make_event("Gulf Cup", season=season, state=EventState.OPEN, slug="gulf-cup")
    made = SimpleNamespace(
        event=event,
        other_event=other_event,
        player=make_user("player"),
        director=make_user("director", first_name="Berta", last_name="Colldelram"),
        other_director=make_user("otherdirector"),
        results_secretary=make_user("secretary", roles=(Role.RESULTS_SECRETARY,)),
        ratings_officer=make_user("officer", roles=(Role.RATINGS_OFFICER,)),
        registry_officer=make_user("registrar", roles=(Role.REGISTRY_OFFICER,)),
        administrator=make_user("admin", roles=(Role.ADMINISTRATOR,)),
    )
    make_person(account=made.player)
    EventDirector.objects.create(event=event, user=made.director)
    EventDirector.objects.create(event=other_event, user=made.other_director)
    return made


@pytest.fixture
def entries(people):
    names = ["Neus Farriol", "Oriol Bastida", "Vera Osintseva", "Biel Cantarell", "Teia Grau", "Ona Càdec"]
    return [make_entry(people.event, make_person(*name.split())) for name in names]


@pytest.fixture
def as_user(client):
    """Sign in as an account and return the client."""

    def sign_in(user):
        client.force_login(user)
        return client

    return sign_in


def grid(*rows, version=0, lines=None, **extra):
    """What a browser sends for the lines of a grid: (a, b, score, score, kind)."""
    data = {"version": str(version), "lines": str(lines or len(rows) or 1), **extra}
    every = [*rows, *[()] * (int(data["lines"]) - len(rows))]
    for line, row in enumerate(every, start=1):
        cells = [*map(str, row), *[""] * (5 - len(row))]
        for name, value in zip(("a", "b", "score_a", "score_b", "kind"), cells, strict=True):
            data[f"{name}-{line}"] = value or ("game" if name == "kind" else "")
    return data


TODAY = date(2026, 4, 18)
