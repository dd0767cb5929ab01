"""Previews: what a change would do to everybody, before anything is stored."""

import pytest

from federation.core.errors import RuleError
from federation.registry.models import Event
from ratings.models import Game, LedgerRow, ListRow, RatingRun
from ratings.services.effects import Effect, EventChange, effect_of, effect_of_event
from ratings.services.replaying import NewGame
from ratings.services.runs import compute_run

from .test_lists import published, small_season
from .world import ROUND_ROBIN_4

pytestmark = pytest.mark.django_db


def finals(world):
    """Ratings after the last event of the newest run, by name."""
    rows = LedgerRow.objects.filter(rated_event__run_events__run=RatingRun.objects.latest("pk"))
    return dict(rows.order_by("rated_event__run_events__position").values_list("person__family_name", "after"))


def test_effect_of_a_correction_is_what_the_correction_does(world, officer):
    small_season(world)
    world.round_robin("after", ["ada", "cel", "dan", "eva"], "0110=1", date="2024-06-01")
    listed = published(world, officer)
    before = finals(world)
    counted = (RatingRun.objects.count(), LedgerRow.objects.count(), Game.objects.count())
    game = Game.objects.filter(event=world.events["autumn"]).order_by("pk").first()
    new = NewGame(round=game.round, a=game.a.person_id, b=game.b.person_id, result=0)
    effect = effect_of(changes=[EventChange(game.event_id, frozenset({game.pk}), (new,))])
    assert (RatingRun.objects.count(), LedgerRow.objects.count(), Game.objects.count()) == counted
    assert Effect.from_json(effect.as_json()) == effect
    world.replace_result(game, 0)
    compute_run(system=world.system)
    after = finals(world)
    names = {person.pk: name for name, person in world.people.items()}
    assert {names[row.person]: (row.before, row.after) for row in effect.rows} == {
        name: (before[name], after[name]) for name in before if before[name] != after[name]
    }
    positions = dict(ListRow.objects.filter(list=listed).values_list("person", "position"))
    assert all(row.position == positions[row.person] for row in effect.rows)
    assert effect.reasons == {game.event_id: []}
    assert effect.events == 3


def test_effect_of_an_upload_with_somebody_who_is_not_registered_yet(world, officer):
    small_season(world)
    compute_run(system=world.system)
    before = finals(world)
    event = world.event("new", date="2024-06-01", state=Event.state.field.default)
    people = [world.person("ada").pk, world.person("bru").pk, world.person("dan").pk, -2]
    games = [
        NewGame(round=number, a=people[a - 1], b=people[b - 1], result=2)
        for number, pairs in enumerate(ROUND_ROBIN_4, start=1)
        for a, b in pairs
    ]
    effect = effect_of_event(event=event, games=games)
    rows = {row.person: row for row in effect.rows}
    assert rows[-2].before is None
    assert rows[-2].games_after == 3
    assert rows[world.person("ada").pk].before == before["ada"]
    assert rows[world.person("ada").pk].change > 0
    assert effect.reasons == {event.pk: []}
    assert not Game.objects.filter(event=event).exists()


def test_effect_says_why_an_event_would_not_count(world):
    small_season(world)
    event = world.event("short", date="2024-06-01", state="open")
    games = [NewGame(round=1, a=world.person("ada").pk, b=world.person("bru").pk, result=2)]
    effect = effect_of_event(event=event, games=games)
    assert effect.rows == ()
    assert effect.reasons == {event.pk: ["too_few_rounds", "too_few_players"]}


def test_contradictory_results_are_named(world):
    small_season(world)
    event = world.event("new", date="2024-06-01", state="open")
    ada, bru = world.person("ada").pk, world.person("bru").pk
    games = [NewGame(round=1, a=ada, b=bru, result=2), NewGame(round=1, a=ada, b=bru, result=2)]
    with pytest.raises(RuleError, match="twice_in_round") as caught:
        effect_of_event(event=event, games=games)
    assert caught.value.params["number"] == 1
    assert caught.value.params["event_slug"] == "new"


def test_event_that_takes_no_part(world):
    event = world.event("open", date="2024-06-01", state="open")
    with pytest.raises(RuleError, match="event_not_rated"):
        effect_of(changes=[EventChange(event.pk)])


def test_effect_costs_its_tail(world, django_assert_num_queries):
    from .test_runs import build_seasons

    build_seasons(world)
    compute_run(system=world.system)
    game = Game.objects.filter(event=world.events["e2022-3"]).first()
    with django_assert_num_queries(19):
        effect_of(changes=[EventChange(game.event_id, frozenset({game.pk}))])
