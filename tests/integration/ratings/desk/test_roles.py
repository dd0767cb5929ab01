"""Every page and action of the desk, tried by every kind of person."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.audit.models import AuditEvent
from federation.registry.models import EventState
from ratings.core.rounds import GameRow
from ratings.models import Correction, Game
from ratings.services.corrections import Change, propose_correction
from ratings.services.results import save_round
from tests.integration.ratings.desk.conftest import grid

DIRECTING = {"director", "results_secretary", "administrator"}
RUNNING = {*DIRECTING, "other_director"}
SECRETARY = {"results_secretary", "administrator"}
OFFICER = {"ratings_officer", "administrator"}
STAFF = {"results_secretary", "ratings_officer", "registry_officer", "administrator"}
EVERYBODY = ("player", "other_director", "director", *sorted(STAFF))
SLUG = "open-of-portvell"


@pytest.fixture
def place(people, entries):
    """Keys of what the addresses need: an approved event with a proposed correction beside the open one."""
    event = people.other_event
    from tests.factories import make_entry, make_game

    seats = [make_entry(event) for _ in range(4)]
    games = [make_game(seats[0], seats[1]), make_game(seats[2], seats[3])]
    event.state = EventState.APPROVED
    event.save()
    correction = propose_correction(
        event=event,
        changes=[Change(games[0].pk, GameRow(1, 2, "played", 300, 400, 0))],
        reason="scores exchanged",
        actor=people.results_secretary,
    )
    return {"game": games[0].pk, "correction": correction.pk, "event": people.event.pk}


PAGES = [
    ("scrabble-desk-events", (), RUNNING),
    ("scrabble-desk-event-new", (), SECRETARY),
    ("scrabble-desk-event", (SLUG,), DIRECTING),
    ("scrabble-desk-event-edit", (SLUG,), SECRETARY),
    ("scrabble-desk-entry-add", (SLUG,), DIRECTING),
    ("scrabble-desk-round", (SLUG, 1), DIRECTING),
    ("scrabble-desk-sheet", (SLUG, 1), DIRECTING),
    ("scrabble-desk-approval", (SLUG,), SECRETARY),
    ("scrabble-desk-corrections", (), {*SECRETARY, *OFFICER}),
    ("scrabble-desk-correction", ("correction",), {*SECRETARY, *OFFICER}),
    ("scrabble-desk-correction-new", ("gulf-cup",), SECRETARY),
    ("scrabble-desk-game", ("gulf-cup", "game"), {"other_director", *SECRETARY}),
    ("admin:scrabble_round", ("event", 1), SECRETARY),
    ("admin:registry_event_change", ("event",), STAFF),
    ("admin:ratings_game_changelist", (), STAFF),
    ("admin:ratings_game_change", ("game",), STAFF),
    ("admin:ratings_correction_changelist", (), STAFF),
    ("admin:ratings_ruleset_changelist", (), STAFF),
    ("admin:ratings_ruleset_add", (), OFFICER),
    ("admin:ratings_ratingrun_changelist", (), STAFF),
    ("admin:ratings_publishedlist_changelist", (), STAFF),
    ("admin:ratings_listrow_changelist", (), STAFF),
    ("admin:ratings_erratum_changelist", (), STAFF),
    ("admin:ratings_openinglist_changelist", (), STAFF),
    ("admin:ratings_openingrating_changelist", (), STAFF),
    ("admin:ratings_ratingsystem_changelist", (), STAFF),
    ("admin:ratings_seasontask_changelist", (), STAFF),
]


def address(name, args, place):
    return reverse(name, args=[place.get(arg, arg) for arg in args])


@pytest.mark.parametrize(("name", "args", "allowed"), PAGES, ids=[page[0] for page in PAGES])
def test_pages(client, people, place, name, args, allowed):
    url = address(name, args, place)
    answer = client.get(url)
    assert answer.status_code == 302
    assert "/login" in answer.url
    for role in EVERYBODY:
        client.force_login(getattr(people, role))
        expected = 200 if role in allowed else 403
        assert client.get(url, follow=True).status_code == expected, role


ACTIONS = [
    ("scrabble-desk-event-new", (), {"name": "x"}, SECRETARY),
    ("scrabble-desk-event-edit", (SLUG,), {"name": "x"}, SECRETARY),
    ("scrabble-desk-event-step", (SLUG,), {"step": "submit"}, DIRECTING),
    ("scrabble-desk-entry-add", (SLUG,), {"q": "nobody at all"}, DIRECTING),
    ("scrabble-desk-entry", (SLUG, 1), {"after": "1"}, DIRECTING),
    ("scrabble-desk-round", (SLUG, 1), grid((1, 2, 400, 300), save="1"), DIRECTING),
    ("scrabble-desk-round-check", (SLUG, 1), grid((1, 2, 400, 300)), DIRECTING),
    ("scrabble-desk-approval", (SLUG,), {"step": "exclude", "reason": "exhibition"}, SECRETARY),
    ("scrabble-desk-correction-new", ("gulf-cup",), {"game": "new"}, SECRETARY),
    ("scrabble-desk-correction-step", ("correction",), {"step": "discard", "reason": "no"}, SECRETARY),
    ("admin:scrabble_round", ("event", 2), grid((1, 2, 400, 300), save="1"), SECRETARY),
    ("admin:scrabble_round_check", ("event", 2), grid((1, 2, 400, 300)), SECRETARY),
    ("admin:ratings_ruleset_add", (), {"name": "x"}, OFFICER),
]


def traces():
    """What a refused action must leave as it is."""
    records = AuditEvent.objects.exclude(object_type__startswith="accounts.")
    return Game.objects.count(), records.count(), Correction.objects.get().state


@pytest.mark.parametrize(("name", "args", "data", "allowed"), ACTIONS, ids=[action[0] for action in ACTIONS])
def test_actions(client, people, place, name, args, data, allowed):
    url = address(name, args, place)
    before = traces()
    assert "/login" in client.post(url, data).url
    for role in [one for one in EVERYBODY if one not in allowed]:
        client.force_login(getattr(people, role))
        assert client.post(url, data, follow=True).status_code == 403, role
    assert traces() == before
    for role in sorted(allowed):
        client.force_login(getattr(people, role))
        assert client.post(url, data).status_code in (200, 302, 422), role


def test_nobody_writes_by_the_admin_of_derived_rows(client, people, place):
    client.force_login(people.administrator)
    for model in (
        "game",
        "correction",
        "ratingrun",
        "publishedlist",
        "listrow",
        "erratum",
        "openinglist",
        "ratingsystem",
    ):
        assert client.get(reverse(f"admin:ratings_{model}_add")).status_code == 403
    game = place["game"]
    assert client.post(reverse("admin:ratings_game_change", args=[game]), {"score_a": "1"}).status_code == 403
    assert client.post(reverse("admin:ratings_game_delete", args=[game]), {"post": "yes"}).status_code == 403


def test_a_director_of_another_event_learns_nothing(client, people, entries):
    save_round(
        event=people.event, number=1, version=0, rows=[GameRow(1, 2, "played", 400, 300, 2)], actor=people.director
    )
    client.force_login(people.other_director)
    page = client.get(reverse("scrabble-desk-events") + "?state=all").content.decode()
    assert "Open of Portvell" not in page
    assert "Gulf Cup" in page
