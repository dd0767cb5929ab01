"""Corrections: proposed with their effect, applied once, published with an erratum."""

from __future__ import annotations

from datetime import date

import pytest
from django.urls import reverse

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.registry.models import EventState, FederationSettings
from ratings.core.rounds import GameRow
from ratings.models import Correction, Erratum, Game, ListKind, PublishedList
from ratings.queries.results import round_state
from ratings.services.corrections import Change, apply_correction, discard_correction, propose_correction
from ratings.services.lists import draft_list, publish_list
from ratings.services.results import save_round
from ratings.services.runs import compute_run, current_system
from tests.factories import make_season

ROWS = [
    GameRow(1, 2, "played", 400, 300, 2),
    GameRow(3, 4, "played", 380, 340, 2),
    GameRow(5, 6, "played", 410, 390, 2),
]


@pytest.fixture
def rated(people, entries):
    """The event played, approved, and published on a list."""
    event = people.event
    for number in (1, 2, 3):
        save_round(event=event, number=number, version=0, rows=ROWS, actor=people.director)
    event.state = EventState.APPROVED
    event.save()
    run = compute_run(system=current_system(), actor=people.ratings_officer)
    draft = draft_list(
        run=run, season=make_season(), as_of=date(2026, 4, 30), kind=ListKind.REGULAR, actor=people.ratings_officer
    )
    publish_list(draft=draft, actor=people.administrator)
    return event


def first_game(event):
    return Game.objects.get(event=event, round=1, a__number=1, superseded_at=None)


@pytest.fixture
def swap(rated):
    """The change that exchanges winner and loser of the first game."""
    return [Change(first_game(rated).pk, GameRow(1, 2, "played", 300, 400, 0, round=1))]


def propose(people, event, changes, reason="scores exchanged on the sheet"):
    return propose_correction(event=event, changes=changes, reason=reason, actor=people.results_secretary)


def test_a_proposal_changes_no_fact_and_shows_the_effect(people, rated, swap, entries):
    correction = propose(people, rated, swap)
    assert first_game(rated).result == 2
    effect = {row[0]: (row[1], row[2]) for row in correction.effect["rows"]}
    winner, loser = entries[0].person_id, entries[1].person_id
    # Three wins of three at 0.5 each and K 30 give +45; two of three give +15; and the reverse.
    assert effect == {winner: (1044, 1014), loser: (954, 984)}
    assert propose(people, rated, swap) == correction
    assert Correction.objects.count() == 1


def test_applying_supersedes_and_prepares_the_corrected_list(people, rated, swap, django_capture_on_commit_callbacks):
    correction = propose(people, rated, swap)
    old = first_game(rated)
    with django_capture_on_commit_callbacks(execute=True):
        apply_correction(correction=correction, actor=people.results_secretary)
    old.refresh_from_db()
    new = first_game(rated)
    assert (old.result, old.superseded_by, old.superseded_reason) == (2, new, "scores exchanged on the sheet")
    assert (new.result, new.score_a) == (0, 300)
    assert round_state(rated, 1).version == 2
    draft = PublishedList.objects.get(kind=ListKind.CORRECTION)
    assert draft.corrects == current_system().current_list
    assert draft.rows.get(person=new.a.person).rating == 1014
    published = publish_list(draft=draft, actor=people.ratings_officer)
    erratum = Erratum.objects.get()
    assert erratum.reason == "scores exchanged on the sheet"
    assert list(erratum.corrections.all()) == [correction]
    assert current_system().current_list == published


def test_applying_twice_applies_once(people, rated, swap, django_capture_on_commit_callbacks):
    correction = propose(people, rated, swap)
    with django_capture_on_commit_callbacks(execute=True):
        apply_correction(correction=correction, actor=people.results_secretary)
        apply_correction(correction=correction, actor=people.administrator)
    assert Game.objects.filter(event=rated, superseded_at__isnull=False).count() == 1
    assert AuditEvent.objects.filter(action="correction.applied").count() == 1


def test_a_second_person_where_the_federation_wants_two(people, rated, swap):
    FederationSettings.objects.update_or_create(pk=1, defaults={"two_person_publishing": True})
    correction = propose(people, rated, swap)
    with pytest.raises(RuleError, match="correction_second_person"):
        apply_correction(correction=correction, actor=people.results_secretary)
    apply_correction(correction=correction, actor=people.administrator)
    correction.refresh_from_db()
    assert (correction.state, correction.decided_by) == (Correction.State.APPLIED, people.administrator)


def test_a_discarded_proposal_cannot_be_applied(people, rated, swap):
    correction = propose(people, rated, swap)
    discard_correction(correction=correction, reason="the sheet is right", actor=people.administrator)
    discard_correction(correction=correction, reason="again", actor=people.administrator)
    with pytest.raises(RuleError, match="correction_decided"):
        apply_correction(correction=correction, actor=people.administrator)
    assert first_game(rated).result == 2


def test_an_effect_that_is_no_longer_true_is_computed_again_first(people, rated, swap, as_user):
    correction = propose(people, rated, swap)
    other = Game.objects.get(event=rated, round=2, a__number=3)
    second = propose(people, rated, [Change(other.pk, GameRow(3, 4, "played", 340, 380, 0))], "another")
    apply_correction(correction=second, actor=people.administrator)
    with pytest.raises(RuleError, match="correction_effect_stale"):
        apply_correction(correction=correction, actor=people.administrator)
    client = as_user(people.results_secretary)
    page = client.get(reverse("scrabble-desk-correction", args=[correction.pk])).content.decode()
    assert "Results changed since this effect was computed." in page
    step = reverse("scrabble-desk-correction-step", args=[correction.pk])
    client.post(step, {"step": "refresh"})
    assert client.post(step, {"step": "apply"}).status_code == 302
    assert first_game(rated).result == 0


def test_two_proposals_for_one_game(people, rated, swap):
    propose(people, rated, swap)
    with pytest.raises(RuleError, match="correction_is_open"):
        propose(people, rated, swap, "another reason")


@pytest.mark.parametrize(
    ("row", "reason", "code"),
    [
        (GameRow(1, 2, "played", 400, 300, 2), "why", "correction_empty"),
        (GameRow(1, 3, "played", 400, 300, 2), "why", "round_has_problems"),
        (GameRow(1, 2, "played", 9999, 300, 2), "why", "round_has_problems"),
        (GameRow(1, 2, "played", 300, 400, 0), "  ", "reason_missing"),
    ],
)
def test_proposals_that_are_refused(people, rated, row, reason, code):
    with pytest.raises(RuleError) as caught:
        propose(people, rated, [Change(first_game(rated).pk, row)], reason)
    assert caught.value.code == code
    assert not Correction.objects.exists()


def test_a_game_taken_away_and_a_game_added(people, rated):
    game = first_game(rated)
    removal = propose(people, rated, [Change(game.pk, None)], "not played")
    apply_correction(correction=removal, actor=people.administrator)
    assert [(row.a, row.b) for row in round_state(rated, 1).rows] == [(3, 4), (5, 6)]
    added = propose(people, rated, [Change(None, GameRow(2, 1, "played", 350, 340, 2, round=1))], "played after all")
    apply_correction(correction=added, actor=people.administrator)
    assert {(row.a, row.b) for row in round_state(rated, 1).rows} == {(2, 1), (3, 4), (5, 6)}
    game.refresh_from_db()
    assert game.superseded_by is None


def test_only_approved_events_are_corrected(people, entries):
    save_round(event=people.event, number=1, version=0, rows=ROWS, actor=people.director)
    game = first_game(people.event)
    with pytest.raises(RuleError, match="correction_event"):
        propose(people, people.event, [Change(game.pk, GameRow(1, 2, "played", 300, 400, 0))])


def test_a_superseded_game_is_not_corrected_again(people, rated, swap):
    old = first_game(rated)
    apply_correction(correction=propose(people, rated, swap), actor=people.administrator)
    with pytest.raises(RuleError, match="game_not_current"):
        propose(people, rated, [Change(old.pk, GameRow(1, 2, "played", 301, 400, 0))])


def test_the_whole_way_by_the_pages(as_user, people, rated, django_capture_on_commit_callbacks):
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-correction-new", args=[rated.slug])
    game = first_game(rated)
    assert f"?game={game.pk}" in client.get(url).content.decode()
    assert 'value="400"' in client.get(url, {"game": game.pk}).content.decode()
    data = {"game": game.pk, "round": 1, "a": "1", "b": "2", "score_a": "300", "score_b": "40O", "kind": "game"}
    assert client.post(url, {**data, "reason": "x"}).status_code == 422
    data["score_b"] = "400"
    assert client.post(url, {**data, "reason": ""}).status_code == 422
    response = client.post(url, {**data, "reason": "scores exchanged"})
    correction = Correction.objects.get()
    assert response.url == reverse("scrabble-desk-correction", args=[correction.pk])
    page = client.get(response.url).content.decode()
    assert all(text in page for text in ("1044", "1014", "954", "984", "scores exchanged"))
    with django_capture_on_commit_callbacks(execute=True):
        client.post(reverse("scrabble-desk-correction-step", args=[correction.pk]), {"step": "apply"})
    page = client.get(response.url).content.decode()
    draft = PublishedList.objects.get(kind=ListKind.CORRECTION)
    edition = reverse("scrabble-draft", args=[draft.pk])
    assert edition not in page
    assert "the ratings officer publishes it" in page
    assert client.get(edition).status_code == 403
    client = as_user(people.ratings_officer)
    assert edition in client.get(response.url).content.decode()
    assert "1014" in client.get(edition).content.decode()
    former = client.get(reverse("scrabble-desk-edition", args=[draft.pk]))
    assert former.url == edition
    sent = {"step": "publish", "draft": draft.pk, "read": "on", "reason": "Winner and loser were exchanged."}
    assert client.post(edition, sent).status_code == 302
    assert Erratum.objects.get().reason == "Winner and loser were exchanged."
    history = reverse("scrabble-desk-game", args=[rated.slug, first_game(rated).pk])
    page = as_user(people.results_secretary).get(history).content.decode()
    assert "400–300" in page
    assert "300–400" in page


@pytest.mark.parametrize("count", [1, 3])
def test_queries_of_the_list_of_corrections(as_user, people, rated, django_assert_num_queries, count):
    games = Game.objects.filter(event=rated, round=1).order_by("pk")[:count]
    for game in games:
        row = GameRow(game.a.number, game.b.number, "played", 333, 444, 0)
        propose(people, rated, [Change(game.pk, row)], f"wrong {game.pk}")
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-corrections")
    client.get(url)
    with django_assert_num_queries(8):
        page = client.get(url).content.decode()
    assert page.count("wrong ") == count


@pytest.mark.parametrize("rounds", [1, 3])
def test_queries_of_the_choice_of_a_game(as_user, people, rated, django_assert_num_queries, rounds):
    Game.objects.filter(event=rated, round__gt=rounds).update(
        superseded_at=rated.created_at, superseded_who=people.administrator
    )
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-correction-new", args=[rated.slug])
    client.get(url)
    with django_assert_num_queries(9):
        page = client.get(url).content.decode()
    assert page.count("?game=") == 3 * rounds + 1
