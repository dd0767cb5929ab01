"""Saving rounds: what is written, what is refused, what two people do to each other."""

from __future__ import annotations

import pytest

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.registry.models import EventState
from ratings.core.rounds import GameRow
from ratings.models import Game
from ratings.queries.results import round_state
from ratings.services.results import enter_games, remove_games, save_round
from tests.factories import make_entry, make_event, make_person, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = make_event(state=EventState.OPEN, rounds=3)
    for _ in range(6):
        make_entry(event)
    return event


@pytest.fixture
def director():
    return make_user()


ROUND = [GameRow(1, 2, "played", 400, 300, 2), GameRow(3, 4, "played", 350, 350, 1), GameRow(5, None, "bye", result=2)]


def rows_of(event, number=1):
    return [(row.a, row.b, row.kind, row.result) for row in round_state(event, number).rows]


def test_a_round_is_stored_and_recorded(event, director):
    assert save_round(event=event, number=1, version=0, rows=ROUND, actor=director) == 1
    assert rows_of(event) == [(1, 2, "played", 2), (3, 4, "played", 1), (5, None, "bye", 2)]
    assert all(game.created_by == director for game in Game.objects.all())
    record = AuditEvent.objects.get(action="results.saved")
    assert (record.actor, record.before["version"], record.after["version"]) == (director, 0, 1)
    assert len(record.after["rows"]) == 3


def test_saving_the_same_again_writes_nothing(event, director):
    save_round(event=event, number=1, version=0, rows=ROUND, actor=director)
    stored = list(Game.objects.order_by("id").values())
    mirrored = [ROUND[0].canonical(), GameRow(4, 3, "played", 350, 350, 1), ROUND[2]]
    assert save_round(event=event, number=1, version=0, rows=ROUND, actor=director) == 1
    assert save_round(event=event, number=1, version=1, rows=mirrored, actor=director) == 1
    assert list(Game.objects.order_by("id").values()) == stored
    assert AuditEvent.objects.count() == 1


def test_an_empty_round_saved_empty_leaves_no_trace(event, director):
    assert save_round(event=event, number=1, version=0, rows=[], actor=director) == 0
    assert AuditEvent.objects.count() == 0


def test_only_what_changed_is_superseded(event, director):
    other = make_user()
    save_round(event=event, number=1, version=0, rows=ROUND, actor=director)
    kept = set(Game.objects.filter(a__number__in=(1, 5)).values_list("pk", flat=True))
    changed = [ROUND[0], GameRow(3, 4, "played", 360, 350, 2), ROUND[2]]
    assert save_round(event=event, number=1, version=1, rows=changed, actor=other) == 2
    old = Game.objects.get(superseded_at__isnull=False)
    new = Game.objects.get(superseded_at__isnull=True, a__number=3)
    assert (old.result, old.superseded_by, old.superseded_who) == (1, new, other)
    assert kept < set(Game.objects.filter(superseded_at__isnull=True).values_list("pk", flat=True))


def test_a_row_left_out_is_superseded_without_a_successor(event, director):
    save_round(event=event, number=1, version=0, rows=ROUND, actor=director)
    save_round(event=event, number=1, version=1, rows=ROUND[:2], actor=director)
    gone = Game.objects.get(superseded_at__isnull=False)
    assert (gone.kind, gone.superseded_by, gone.superseded_who) == ("bye", None, director)
    assert Game.objects.count() == 3


def test_opponents_exchanged_between_boards(event, director):
    save_round(event=event, number=1, version=0, rows=ROUND[:2], actor=director)
    crossed = [GameRow(1, 3, "played", 400, 300, 2), GameRow(2, 4, "played", 350, 350, 1)]
    save_round(event=event, number=1, version=1, rows=crossed, actor=director)
    assert rows_of(event) == [(1, 3, "played", 2), (2, 4, "played", 1)]
    assert Game.objects.filter(superseded_by__isnull=False).count() == 2


def test_a_stale_form_is_told_who_changed_what(event, director):
    other = make_user(first_name="Carme", last_name="Ballvé")
    save_round(event=event, number=1, version=0, rows=ROUND, actor=director)
    theirs = [GameRow(1, 2, "played", 410, 300, 2), *ROUND[1:]]
    save_round(event=event, number=1, version=1, rows=theirs, actor=other)
    mine = [ROUND[0], GameRow(3, 4, "played", 350, 340, 2), ROUND[2]]
    with pytest.raises(RuleError) as caught:
        save_round(event=event, number=1, version=1, rows=mine, actor=director)
    error = caught.value
    assert (error.code, error.params["who"], error.params["version"]) == ("round_stale", "Carme Ballvé", 2)
    first, second = error.params["differences"]
    assert (first["a"], first["base"]["score_a"], first["theirs"]["score_a"], first["mine"]["score_a"]) == (
        1,
        400,
        410,
        400,
    )
    assert first["changed_by_them"]
    assert (second["a"], second["theirs"]["score_b"], second["mine"]["score_b"]) == (3, 350, 340)
    assert not second["changed_by_them"]
    assert rows_of(event)[1] == (3, 4, "played", 1)


def test_two_people_on_different_rounds_do_not_disturb_each_other(event, director):
    other = make_user()
    save_round(event=event, number=1, version=0, rows=ROUND, actor=director)
    assert save_round(event=event, number=2, version=0, rows=ROUND, actor=other) == 1
    assert save_round(event=event, number=1, version=1, rows=ROUND[:2], actor=director) == 2
    assert rows_of(event, 2) == [(1, 2, "played", 2), (3, 4, "played", 1), (5, None, "bye", 2)]


@pytest.mark.parametrize("state", [EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED])
def test_results_of_a_closed_event_are_refused(director, state):
    event = make_event(state=state, excluded_reason="exhibition", rounds=3)
    make_entry(event)
    with pytest.raises(RuleError, match="results_closed"):
        save_round(event=event, number=1, version=0, rows=[GameRow(1, None, "bye", result=2)], actor=director)
    assert not Game.objects.exists()


@pytest.mark.parametrize("number", [0, 4, 201])
def test_a_round_that_the_event_does_not_have(event, director, number):
    with pytest.raises(RuleError, match="round_unknown"):
        save_round(event=event, number=number, version=0, rows=ROUND, actor=director)


def test_a_person_with_two_entries_sits_once_in_a_round(event, director):
    kept, dropped = make_person(), make_person()
    one, two = make_entry(event, kept), make_entry(event, dropped)
    dropped.merged_into, dropped.state = kept, "merged"
    dropped.save()
    rows = [GameRow(one.number, 1, "played", 400, 300, 2), GameRow(2, two.number, "played", 400, 300, 2)]
    with pytest.raises(RuleError) as caught:
        save_round(event=event, number=1, version=0, rows=rows, actor=director)
    assert [problem.code for problem in caught.value.params["problems"]] == ["two_entries_one_person"]


def test_nothing_of_a_round_with_an_error_is_stored(event, director):
    with pytest.raises(RuleError) as caught:
        save_round(event=event, number=1, version=0, rows=[*ROUND, GameRow(1, 6)], actor=director)
    assert caught.value.code == "round_has_problems"
    assert not Game.objects.exists()


def from_file(*, rounds=(1, 2)):
    return [
        GameRow(row.a, row.b, row.kind, row.score_a, row.score_b, row.result, round=number)
        for number in rounds
        for row in ROUND
    ]


def make_upload(event, user):
    from federation.uploads.models import Upload

    return Upload.objects.create(discipline=event.discipline, event=event, sha256="0" * 64, created_by=user)


def test_games_of_a_file_enter_together_and_leave_together(event, director):
    upload = make_upload(event, director)
    assert enter_games(event=event, games=from_file(), actor=director, upload=upload) == 6
    assert enter_games(event=event, games=from_file(), actor=director, upload=upload) == 0
    assert Game.objects.filter(upload=upload).count() == 6
    assert remove_games(event=event, upload=upload, actor=director) == 6
    assert remove_games(event=event, upload=upload, actor=director) == 0
    assert Game.objects.filter(superseded_at__isnull=False).count() == 6
    assert round_state(event, 1).version == 2


def test_a_file_that_contradicts_what_is_stored_is_refused_whole(event, director):
    save_round(event=event, number=2, version=0, rows=[GameRow(1, 3, "played", 400, 300, 2)], actor=director)
    with pytest.raises(RuleError) as caught:
        enter_games(event=event, games=from_file(), actor=director)
    assert (caught.value.code, caught.value.params["round"]) == ("round_has_problems", 2)
    assert Game.objects.count() == 1


def test_what_a_person_changed_after_the_upload_stays_when_it_is_withdrawn(event, director):
    upload = make_upload(event, director)
    enter_games(event=event, games=from_file(rounds=(1,)), actor=director, upload=upload)
    changed = [GameRow(1, 2, "played", 401, 300, 2), *ROUND[1:]]
    save_round(event=event, number=1, version=1, rows=changed, actor=director)
    assert remove_games(event=event, upload=upload, actor=director) == 2
    assert rows_of(event) == [(1, 2, "played", 2)]


def test_a_file_may_bring_more_rounds_than_announced(event, director):
    enter_games(event=event, games=from_file(rounds=(5,)), actor=director)
    event.refresh_from_db()
    assert event.rounds == 5
