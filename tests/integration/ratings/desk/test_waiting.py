"""What waits for an account, what came back to a director, and what the page of approval says of a finished event."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from federation.registry.models import Event, EventDirector, EventState, Modality
from federation.registry.services.events import reopen_event, submit_event
from ratings.core.rounds import GameRow
from ratings.queries.desk import WAITS_BEFORE
from ratings.services.results import save_round
from ratings.services.runs import compute_run, current_system
from tests.factories import make_event

REASON = "Board 4 of round 2 has the scores the wrong way round."


def directed(user, name, state, days):
    """An event of a director that begins so many days from now."""
    day = timezone.localdate() + timedelta(days=days)
    event = make_event(name, state=state, starts_on=day, ends_on=day, rating_date=day)
    EventDirector.objects.create(event=event, user=user)
    return event


@pytest.fixture
def handed_in(people, entries):
    rows = [GameRow(1, 2, "played", 400, 300, 2), GameRow(3, 4, "played", 390, 310, 2)]
    for number in (1, 2, 3):
        save_round(event=people.event, number=number, version=0, rows=rows, actor=people.director)
    return submit_event(event=people.event, actor=people.director)


def test_a_director_reads_why_results_came_back_until_they_are_handed_in_again(as_user, people, handed_in):
    reopen_event(event=handed_in, reason=REASON, actor=people.results_secretary)
    client = as_user(people.director)
    addresses = [
        reverse("scrabble-desk-event", args=[handed_in.slug]),
        reverse("scrabble-desk-events"),
        reverse("desk"),
    ]
    for address in addresses:
        assert REASON in client.get(address).content.decode(), address
    submit_event(event=handed_in, actor=people.director)
    for address in addresses:
        assert REASON not in client.get(address).content.decode(), address


def test_an_event_that_never_came_back_says_nothing(as_user, people):
    page = as_user(people.director).get(reverse("scrabble-desk-event", args=[people.event.slug])).content.decode()
    assert "came back" not in page


def test_what_is_due_first_comes_first_and_what_is_far_away_does_not_wait(as_user, people):
    EventDirector.objects.filter(user=people.director).delete()
    ahead = WAITS_BEFORE.days
    far = directed(people.director, "Far draft", EventState.DRAFT, ahead + 1)
    late = directed(people.director, "Late open", EventState.OPEN, -30)
    soon = directed(people.director, "Soon draft", EventState.DRAFT, ahead)
    given = directed(people.director, "Given", EventState.SUBMITTED, -10)
    old = directed(people.director, "Old", EventState.APPROVED, -400)
    client = as_user(people.director)

    def shown(query):
        return list(client.get(reverse("scrabble-desk-events") + query).context["page"].object_list)

    assert shown("") == [late, soon]
    assert shown("?state=unfinished") == [late, soon, far, given]
    assert shown("?state=all") == [late, soon, far, given, old]
    assert waiting_on_the_desk(client) == 2


@pytest.mark.parametrize("who", ["director", "results_secretary"])
def test_desk_and_list_count_the_same(as_user, people, handed_in, who):
    for turn, state in enumerate(EventState):
        if state == EventState.EXCLUDED:
            continue
        directed(people.director, f"Event {turn}", state, 0)
        directed(people.director, f"Event {turn} to come", state, 60)
    client = as_user(getattr(people, who))
    count = client.get(reverse("scrabble-desk-events")).context["page"].paginator.count
    assert waiting_on_the_desk(client) == count


def waiting_on_the_desk(client):
    entries = client.get(reverse("desk")).context["entries"]
    return next(entry["count"] for entry in entries if entry["href"] == reverse("scrabble-desk-events"))


def said_of(client, event):
    """The text beside the heading of the effect."""
    page = client.get(reverse("scrabble-desk-approval", args=[event.slug])).content.decode()
    section = re.search(r'aria-labelledby="effect-head".*?</section>', page, re.DOTALL)
    return re.sub(r"<[^>]+>|\s+", " ", section.group())


def test_the_page_of_approval_says_what_a_finished_event_does(as_user, people, handed_in):
    client = as_user(people.results_secretary)
    url = reverse("scrabble-desk-approval", args=[handed_in.slug])
    client.post(url, {"step": "approve"})
    assert "No run has it yet" in said_of(client, handed_in)
    compute_run(system=current_system(), actor=None)
    assert "No list includes it yet" in said_of(client, handed_in)
    client.post(url, {"step": "exclude", "reason": "exhibition"})
    said = said_of(client, handed_in)
    assert "excluded" in said
    assert "part of the run" not in said


def test_the_page_of_approval_says_why_an_approved_event_does_not_count(as_user, people, handed_in):
    Event.objects.filter(pk=handed_in.pk).update(modality=Modality.OTHER)
    client = as_user(people.results_secretary)
    client.post(reverse("scrabble-desk-approval", args=[handed_in.slug]), {"step": "approve"})
    compute_run(system=current_system(), actor=None)
    said = said_of(client, handed_in)
    assert "does not count" in said
    assert "not classic" in said
