"""Runs and their ledger: what a replay of stored facts records."""

import datetime as dt
import json

import pytest

from federation.core.errors import RuleError
from federation.registry.models import Event
from ratings.models import Checkpoint, Game, LedgerRow, RatedEvent, RatingRun, RunEvent
from ratings.services.runs import compute_run

pytestmark = pytest.mark.django_db


def ledger(run, event):
    rows = LedgerRow.objects.filter(rated_event__run_events__run=run, rated_event__event=event)
    return {row.person.family_name: row for row in rows.select_related("person")}


def outcome(run):
    """Everything a run says, without the keys of its rows."""
    rows = LedgerRow.objects.filter(rated_event__run_events__run=run).order_by(
        "rated_event__run_events__position", "person"
    )
    columns = [field.name for field in LedgerRow._meta.fields if field.name not in ("id", "rated_event")]
    events = RunEvent.objects.filter(run=run).order_by("position")
    return (
        list(rows.values_list("rated_event__run_events__position", *columns)),
        list(
            events.values_list(
                "position",
                "rated_event__event",
                "rated_event__digest",
                "rated_event__eligible",
                "rated_event__reasons",
                "rated_event__games",
                "rated_event__players",
            )
        ),
        run.fingerprint,
        run.outcome,
        run.counts,
    )


def worked_example(world):
    """The example of section 3.4: 1100 against 1200, 1140, 1100, 1050, 1000 and 950, four wins, 51 games after."""
    ratings = {"ona": 1100, "r1200": 1200, "r1140": 1140, "r1100": 1100, "r1050": 1050, "r1000": 1000, "r950": 950}
    world.opening(
        [
            {"id": name, "rating": rating, "games": 45, "wins": 20, "last_season": "2023-24"}
            for name, rating in ratings.items()
        ],
        "2024-08-31",
    )
    wins = {"r1200": "0", "r1140": "1", "r1100": "0", "r1050": "1", "r1000": "1", "r950": "1"}
    games = [
        {"round": number, "a": "ona", "b": opponent, "result": result}
        for number, (opponent, result) in enumerate(wins.items(), start=1)
    ]
    return world.event("example", games, date="2024-10-05")


def test_worked_example(world):
    event = worked_example(world)
    run = compute_run(system=world.system)
    row = ledger(run, event)["ona"]
    assert (row.before, row.after, row.change, row.k, row.games_after) == (1100, 1116, 16, 20, 51)
    assert (row.expected, row.raw_change, row.wins, row.games) == ("3.20", "16.00", 8, 6)
    assert row.wins_after == 48
    terms = json.loads(row.terms)
    assert [term[3] for term in terms] == ["0.35", "0.45", "0.50", "0.55", "0.65", "0.70"]
    assert [term[2] for term in terms] == [1200, 1140, 1100, 1050, 1000, 950]
    games = {game.pk: game for game in Game.objects.all()}
    for number, opponent, _, _, result, key in terms:
        assert games[key].round == number
        assert games[key].b.person_id == opponent
        assert games[key].result == result


def test_same_inputs_give_the_same_run(world):
    worked_example(world)
    first = compute_run(system=world.system)
    assert compute_run(system=world.system).pk == first.pk
    assert compute_run(system=world.system, full=True).pk == first.pk
    world.system.refresh_from_db()
    assert world.system.dirty_date is None
    assert RatingRun.objects.count() == 1


def test_reasons_and_states(world):
    world.opening([{"id": "ona", "rating": 1000, "games": 60, "wins": 30}], "2023-08-31")
    players = ["ona", "pau", "quim", "rut"]
    early = world.round_robin("early", players, "111111", date="2023-08-31")
    kept = world.round_robin("kept", players, "1111=0", date="2023-10-01")
    world.round_robin("draft", players, "111111", date="2023-10-02", state="draft")
    excluded = world.round_robin("excluded", players, "111111", date="2023-10-03", state="excluded")
    duplicate = world.round_robin("duplicate", players, "111111", date="2023-10-04", modality="duplicate")
    short = world.event("short", [{"round": 1, "a": "ona", "b": "pau", "result": "1"}], date="2023-10-05")
    pending = world.round_robin("pending", players, "111111", date="2023-10-06", results_public=False)
    world.add_games(pending, [{"round": 4, "a": "ona", "b": "pau", "kind": "pending"}])
    run = compute_run(system=world.system)
    found = dict(RatedEvent.objects.values_list("event", "reasons"))
    assert found == {
        early.pk: ["before_opening"],
        kept.pk: [],
        excluded.pk: ["excluded"],
        duplicate.pk: ["not_classic"],
        short.pk: ["too_few_rounds", "too_few_players"],
        pending.pk: ["results_missing", "results_unpublished"],
    }
    assert run.counts == {"events": 6, "eligible": 1, "games": 6}
    assert set(LedgerRow.objects.values_list("rated_event__event", flat=True)) == {kept.pk}
    assert len(run.warnings) == 5


def test_data_error_stops_everything_and_names_event_and_game(world):
    worked_example(world)
    first = compute_run(system=world.system)
    players = ["ona", "pau", "quim", "rut"]
    bad = world.round_robin("bad", players, "111111", date="2024-11-01")
    world.merge("ona", "pau")
    with pytest.raises(RuleError) as caught:
        compute_run(system=world.system)
    assert caught.value.code == "self_play"
    assert caught.value.params["event"] == bad.pk
    assert caught.value.params["game"] == Game.objects.filter(event=bad).order_by("pk").first().pk
    assert RatingRun.objects.get() == first
    world.system.refresh_from_db()
    assert world.system.dirty_date is not None


def build_seasons(world, seasons=3, events=4):
    players = [f"p{i}" for i in range(8)]
    for year in range(2020, 2020 + seasons):
        for number in range(events):
            chosen = [players[(number * 3 + year + i) % 8] for i in range(4)]
            results = "".join("1=0"[(number + year + i) % 3] for i in range(6))
            day = dt.date(year, 10, 1) + dt.timedelta(days=30 * number)
            world.round_robin(f"e{year}-{number}", chosen, results, date=day.isoformat())


def test_correction_replays_from_there_and_equals_a_full_replay(world):
    build_seasons(world)
    first = compute_run(system=world.system)
    game = Game.objects.filter(event=world.events["e2021-1"]).first()
    world.replace_result(game, 0 if game.result else 2)
    second = compute_run(system=world.system)
    assert second.parent == first
    assert second.reused_events == 5
    assert second.fingerprint != first.fingerprint
    part = outcome(second)
    RunEvent.objects.all().delete()
    Checkpoint.objects.all().delete()
    RatingRun.objects.all().delete()
    RatedEvent.objects.all().delete()
    full = compute_run(system=world.system, full=True)
    assert full.reused_events == 0
    assert outcome(full) == part
    # The version that was replaced is gone from the reading, its row is kept.
    assert Game.objects.filter(superseded_at__isnull=False).count() == 1


def test_new_event_costs_its_tail(world, django_assert_num_queries):
    build_seasons(world)
    compute_run(system=world.system)
    rows = LedgerRow.objects.count()
    world.round_robin("late", ["p0", "p1", "p2", "p3"], "111111", date="2023-12-01")
    run = compute_run(system=world.system)
    assert run.reused_events == 12
    assert LedgerRow.objects.count() == rows + 4
    assert RatedEvent.objects.count() == 13


@pytest.mark.parametrize("events", [1, 3])
def test_query_count(world, django_assert_num_queries, events):
    build_seasons(world, seasons=events, events=1)
    with django_assert_num_queries(26):
        compute_run(system=world.system)


def test_moved_event_is_found_by_its_place(world):
    build_seasons(world)
    compute_run(system=world.system)
    event = world.events["e2022-2"]
    # Nobody marked anything: the order alone tells.
    Event.objects.filter(pk=event.pk).update(rating_date=dt.date(2020, 10, 2))
    run = compute_run(system=world.system)
    assert run.reused_events == 1
    assert RunEvent.objects.get(run=run, position=1).rated_event.event == event
    assert RatedEvent.objects.filter(event=event).latest("pk").heading == "2022 2020-10-02 0 11100"


def test_merge_and_split(world):
    build_seasons(world)
    first = outcome(compute_run(system=world.system))
    world.round_robin("fifth", ["guest", "p1", "p2", "p3"], "111111", date="2023-12-01")
    with_guest = outcome(compute_run(system=world.system))
    world.merge("p0", "guest")
    run = compute_run(system=world.system)
    row = ledger(run, world.events["fifth"])["p0"]
    assert (
        row.games_after
        == 3
        + LedgerRow.objects.filter(person=world.person("p0"), rated_event__run_events__run=run)
        .exclude(rated_event__event=world.events["fifth"])
        .count()
        * 3
    )
    world.split("guest")
    assert outcome(compute_run(system=world.system)) == with_guest
    assert first[0] == with_guest[0][: len(first[0])]
