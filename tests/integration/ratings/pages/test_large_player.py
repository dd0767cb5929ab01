"""A player with 5 000 games: the same queries, in reasonable time."""

import json
from datetime import date, timedelta
from time import perf_counter

import pytest

from ratings.models import LedgerRow, RatedEvent, RunEvent
from tests.factories import make_event, make_person

from .test_ranking_page import text_of

EVENTS, GAMES = 500, 10


@pytest.fixture
def veteran(example):
    """500 events of ten games each for the player of the worked example, written into the run of list 1."""
    hero, edition = example.hero, example.lists[0]
    opponents = [make_person("Aina", f"Rival {number}") for number in range(30)]
    first = RatedEvent.objects.get()
    events = [
        make_event(slug=f"past-{number}", season=example.season, starts_on=date(2005, 1, 1) + timedelta(days=number))
        for number in range(EVENTS)
    ]
    rated = RatedEvent.objects.bulk_create(
        RatedEvent(
            system_id=first.system_id,
            event=event,
            rule_set_id=first.rule_set_id,
            digest="0" * 64,
            inputs=b"",
            eligible=True,
        )
        for event in events
    )
    RunEvent.objects.bulk_create(
        RunEvent(run_id=edition.run_id, position=100 + number, rated_event=row) for number, row in enumerate(rated)
    )
    edition.position = 100 + EVENTS
    edition.save()
    LedgerRow.objects.bulk_create(
        LedgerRow(
            rated_event=row,
            person=hero,
            before=1100 + number,
            games=GAMES,
            wins=GAMES,
            expected="4.95",
            games_after=GAMES * number,
            wins_after=GAMES * number,
            k=20,
            raw_change="1",
            change=1,
            after=1101 + number,
            terms=json.dumps(
                [[game, opponents[(number + game) % 30].pk, 1100, "0.55", 1, None] for game in range(1, GAMES + 1)]
            ),
        )
        for number, row in enumerate(rated)
    )
    return hero


@pytest.mark.parametrize("query", ["", "?all=1"])
def test_a_player_with_five_thousand_games(client, veteran, django_assert_num_queries, query):
    address = f"/scrabble/players/{veteran.number}/{query}"
    client.get(address)
    start = perf_counter()
    with django_assert_num_queries(6):
        text = text_of(client.get(address))
    assert perf_counter() - start < 5
    assert "All 501 events" in text or "501 events" in text
    assert text.count("Aina Rival") == (30 if query else 12)
