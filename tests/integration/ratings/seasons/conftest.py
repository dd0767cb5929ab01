"""A small federation with a season to close, accounts of every role, and posts that do the work of their jobs."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from federation.registry.models import EventDirector, FederationSettings
from ratings.models import PublishedList, RatingSystem
from tests.factories import make_person, make_user
from tests.integration.ratings.engine.test_lists import small_season
from tests.integration.ratings.engine.world import World


@pytest.fixture
def world(db):
    made = World(RatingSystem.objects.get(code="barruf"))
    small_season(made)
    return made


@pytest.fixture
def season(world):
    return world.season("2023-24")


@pytest.fixture
def people(world):
    """One account of every kind; the director directs an event of the season."""
    made = SimpleNamespace(
        player=make_user("player"),
        director=make_user("director"),
        results_secretary=make_user("secretary", roles=(Role.RESULTS_SECRETARY,)),
        registry_officer=make_user("registrar", roles=(Role.REGISTRY_OFFICER,)),
        ratings_officer=make_user("officer", first_name="Ona", last_name="Càdec", roles=(Role.RATINGS_OFFICER,)),
        second_officer=make_user("second", first_name="Pau", last_name="Grau", roles=(Role.RATINGS_OFFICER,)),
        administrator=make_user("admin", first_name="Rut", last_name="Sala", roles=(Role.ADMINISTRATOR,)),
    )
    make_person(account=made.player)
    EventDirector.objects.create(event=world.events["spring"], user=made.director)
    return made


@pytest.fixture
def officer(people, client):
    """Sign in the ratings officer."""
    client.force_login(people.ratings_officer)
    return people.ratings_officer


@pytest.fixture
def two_persons():
    FederationSettings.objects.update_or_create(pk=1, defaults={"two_person_publishing": True})


@pytest.fixture
def send(client, django_capture_on_commit_callbacks):
    """Post a step to a page and let the work that it asked for be done."""

    def post(name, *args, step="", **data):
        with django_capture_on_commit_callbacks(execute=True):
            return client.post(reverse(name, args=args), {"step": step, **data} if step else data)

    return post


@pytest.fixture
def close(send):
    """Prepare the close of a season, and publish it if asked."""

    def closed(code="2023-24", *, publish=True):
        send("scrabble-season-close", code, step="prepare")
        draft = PublishedList.objects.filter(state="draft", season__code=code).get()
        if publish:
            send("scrabble-season-close", code, step="publish", draft=draft.pk, read="on")
            draft.refresh_from_db()
        return draft

    return closed


@pytest.fixture
def text_of(client):
    """Return the text of a page: its HTML in one line, without the marks around dates."""

    def text(name, *args, **query):
        answer = client.get(reverse(name, args=args), query)
        assert answer.status_code == 200, answer
        return re.sub(r"</?time[^>]*>", "", " ".join(answer.content.decode().split()))

    return text
