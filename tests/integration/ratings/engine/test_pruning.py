"""Runs of no list are thrown away; what explains a published number stays."""

import pytest

from ratings.models import Checkpoint, Game, LedgerRow, PublishedList, RatedEvent, RatingRun
from ratings.services.pruning import prune_runs
from ratings.services.runs import compute_run
from ratings.services.verify import verify_list

from .test_lists import published
from .test_runs import build_seasons, outcome

pytestmark = pytest.mark.django_db


def test_pruning(world, officer):
    assert prune_runs(system=world.system).runs == 0
    build_seasons(world)
    published(world, officer, season="2022-23")
    for slug in ("e2020-1", "e2021-2", "e2022-3"):
        game = Game.objects.filter(event=world.events[slug], superseded_at=None).first()
        world.replace_result(game, 0 if game.result else 2)
        compute_run(system=world.system)
    newest = RatingRun.objects.latest("pk")
    before = outcome(newest)
    pruned = prune_runs(system=world.system)
    assert pruned.runs == 2
    assert pruned.rated_events > 0
    assert RatingRun.objects.count() == 2
    assert outcome(newest) == before
    assert verify_list(PublishedList.objects.get()).identical
    assert not RatedEvent.objects.filter(run_events=None).exists()
    assert not LedgerRow.objects.filter(rated_event__run_events=None).exists()
    # The newest run keeps a state of each season's end, and the next one starts from there.
    assert list(Checkpoint.objects.filter(run=newest).order_by("position").values_list("position", flat=True)) == [
        4,
        8,
        12,
    ]
    game = Game.objects.filter(event=world.events["e2022-1"], superseded_at=None).first()
    world.replace_result(game, 0 if game.result else 2)
    run = compute_run(system=world.system)
    assert run.reused_events == 9
    assert (run.fingerprint, run.outcome) == (lambda full: (full.fingerprint, full.outcome))(
        compute_run(system=world.system, full=True)
    )
    assert prune_runs(system=world.system).runs == 1
