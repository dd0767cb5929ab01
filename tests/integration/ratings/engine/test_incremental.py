"""Whatever is corrected, a run that starts where something changed equals a replay of everything."""

import datetime as dt

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from federation.registry.models import Event
from ratings.models import EventRuleSet, Game, RatingRun, RunEvent
from ratings.services import replaying
from ratings.services.lists import draft_list, publish_list
from ratings.services.rulesets import new_version
from ratings.services.runs import compute_run, mark_dirty

from .test_runs import build_seasons, outcome

pytestmark = pytest.mark.django_db

EVENTS = st.integers(0, 11)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("correct"), EVENTS, st.integers(0, 5), st.integers(0, 2)),
        st.tuples(st.just("remove"), EVENTS, st.integers(0, 5)),
        st.tuples(st.just("state"), EVENTS, st.sampled_from(["approved", "open", "excluded"])),
        st.tuples(st.just("date"), EVENTS, st.integers(0, 900)),
        st.tuples(st.just("merge"), st.integers(0, 7), st.integers(0, 7)),
        st.tuples(st.just("opening"), st.integers(0, 7), st.integers(800, 1400)),
        st.tuples(st.just("rules"), st.integers(0, 900)),
        st.tuples(st.just("run")),
        st.tuples(st.just("publish")),
    ),
    min_size=1,
    max_size=6,
)


class _Undo(Exception):
    pass


def take(world, officer, step):
    kind, *rest = step
    names = sorted(world.events)
    if kind == "correct":
        event, number, result = rest
        game = Game.objects.filter(event=world.events[names[event]], superseded_at=None).order_by("pk")[number:][:1]
        for one in game:
            world.replace_result(one, result)
    elif kind == "remove":
        event, number = rest
        keys = Game.objects.filter(event=world.events[names[event]], superseded_at=None).order_by("pk")
        Game.objects.filter(pk__in=list(keys.values_list("pk", flat=True)[number:][:1])).update(
            superseded_at="2024-01-01T00:00Z"
        )
        mark_dirty(event_ids=[world.events[names[event]].pk], why="results.removed")
    elif kind == "state":
        event = world.events[names[rest[0]]]
        Event.objects.filter(pk=event.pk).update(state=rest[1], excluded_reason="exhibition")
        mark_dirty(event_ids=[event.pk], why="event.changed")
    elif kind == "date":
        event = world.events[names[rest[0]]]
        Event.objects.filter(pk=event.pk).update(rating_date=dt.date(2020, 9, 1) + dt.timedelta(days=rest[1]))
        mark_dirty(event_ids=[event.pk], why="event.changed")
    elif kind == "merge":
        one, two = (world.person(f"p{number}") for number in rest)
        from federation.registry.models import Person
        from ratings.queries.merges import first_round_in_common

        roots = [Person.objects.get(pk=person.pk).root_id for person in (one, two)]
        if roots == [one.pk, two.pk] and one.pk != two.pk and first_round_in_common(*roots) is None:
            world.merge(one.family_name, two.family_name)
    elif kind == "opening":
        if not world.system.opening_lists.exists():
            world.opening([{"id": f"p{rest[0]}", "rating": rest[1], "games": 49}], "2020-10-15")
    elif kind == "rules":
        day = dt.date(2020, 9, 1) + dt.timedelta(days=rest[0])
        if not world.system.rule_sets.filter(valid_from=day).exists():
            sheet = world.system.rule_sets.get(name="sheet", version=1)
            new_version(name="sheet", parameters=sheet.parameters, valid_from=day, actor=officer)
    elif kind == "run":
        compute_run(system=world.system)
    elif kind == "publish":
        run = compute_run(system=world.system)
        draft = draft_list(run=run, season=world.season("2022-23"), as_of=dt.date(2023, 8, 31), kind="regular")
        publish_list(draft=draft, actor=officer)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, stretch=st.sampled_from([1, 13, 100_000]))
def test_any_corrections(world, officer, monkeypatch, steps, stretch):
    monkeypatch.setattr(replaying, "STRETCH", stretch)
    if not world.events:
        build_seasons(world)
    events, people = dict(world.events), dict(world.people)
    try:
        with transaction.atomic():
            compute_run(system=world.system)
            for step in steps:
                take(world, officer, step)
            part = compute_run(system=world.system)
            expected = outcome(part)
            monkeypatch.setattr(replaying, "STRETCH", 100_000)
            full = compute_run(system=world.system, full=True)
            assert (full.fingerprint, full.outcome) == (part.fingerprint, part.outcome)
            # Nothing known, nothing shared: the same rows again.
            type(world.system).objects.update(current_list=None)
            for list_ in world.system.lists.all():
                list_.delete()
            RatingRun.objects.update(parent=None)
            RunEvent.objects.all().delete()
            RatingRun.objects.all().delete()
            world.system.rated_events.all().delete()
            assert outcome(compute_run(system=world.system)) == expected
            assert EventRuleSet.objects.count() <= len(events)
            raise _Undo
    except _Undo:
        world.events, world.people = events, people
