"""Two people save at the same moment, each on a connection of their own."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import connection

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.registry.models import EventState
from ratings.core.rounds import GameRow
from ratings.models import Game
from ratings.services.results import save_round
from tests.factories import make_entry, make_event, make_user

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


def at_once(*actions: Callable[[], object]) -> list[object]:
    """Run actions in threads that start together; give what each returned or raised."""
    barrier = threading.Barrier(len(actions))
    answers: list[object] = [None] * len(actions)

    def run(place: int) -> None:
        try:
            barrier.wait(timeout=10)
            answers[place] = actions[place]()
        except RuleError as error:
            answers[place] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(actions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    return answers


@pytest.fixture
def event():
    event = make_event(state=EventState.OPEN, rounds=3)
    for _ in range(4):
        make_entry(event)
    return event


def saver(event, number, score, user):
    rows = [GameRow(1, 2, "played", score, 300, 2), GameRow(3, 4, "played", 350, 340, 2)]
    return lambda: save_round(event=event, number=number, version=0, rows=rows, actor=user)


def test_of_two_saves_of_a_round_one_wins_and_the_other_is_stale(event):
    users = [make_user(), make_user()]
    answers = at_once(saver(event, 1, 400, users[0]), saver(event, 1, 401, users[1]))
    (loser,) = [answer for answer in answers if isinstance(answer, RuleError)]
    winner = next(place for place, answer in enumerate(answers) if answer == 1)
    assert loser.code == "round_stale"
    assert loser.params["who"] == str(users[winner])
    assert Game.objects.filter(superseded_at=None).count() == 2
    assert Game.objects.get(a__number=1).score_a == 400 + winner


def test_different_rounds_do_not_disturb_each_other(event):
    user = make_user()
    assert at_once(*(saver(event, number, 400, user) for number in (1, 2, 3))) == [1, 1, 1]
    assert Game.objects.count() == 6


def test_a_double_click_stores_once(event):
    user = make_user()
    assert at_once(*(saver(event, 1, 400, user) for _ in range(4))) == [1, 1, 1, 1]
    assert Game.objects.count() == 2
    assert AuditEvent.objects.filter(action="results.saved").count() == 1
