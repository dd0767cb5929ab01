"""A published list recomputed from its recorded inputs; whatever is tampered with is found."""

import pytest
from django.core.management import call_command

from ratings import store
from ratings.models import Game, LedgerRow, ListRow, PublishedList, RatedEvent, RatingRun, RuleSet
from ratings.services.verify import verify_list

from .test_lists import correct_spring, published, small_season

pytestmark = pytest.mark.django_db


@pytest.fixture
def edition(world, officer):
    small_season(world)
    published(world, officer)
    world.round_robin("late", ["ada", "bru", "cel", "hug"], "1011=0", date="2024-06-01", modality="classic")
    return published(world, officer)


def columns(edition):
    done = verify_list(PublishedList.objects.get(pk=edition.pk))
    return sorted({(finding.what, finding.column) for finding in done.findings})


def test_identical(edition):
    done = verify_list(edition)
    assert done.identical
    assert (done.events, done.lines, done.rows) == (3, 12, 6)


def test_later_corrections_merges_and_names_do_not_matter(edition, world, officer):
    correct_spring(world, officer)
    published(world, officer)
    Game.objects.filter(event=world.events["autumn"]).update(superseded_at="2024-01-01T00:00Z")
    world.merge("ada", "hug")
    person = world.person("bru")
    person.sort_key = "zzz"
    person.save()
    for number in (1, 2, 3):
        assert verify_list(PublishedList.objects.get(number=number)).identical


@pytest.mark.parametrize(
    ("column", "value"), [("after", 1), ("expected", "9.99"), ("k", 7), ("terms", "[]"), ("wins_after", 0)]
)
def test_tampered_ledger(edition, column, value):
    row = LedgerRow.objects.order_by("pk").first()
    LedgerRow.objects.filter(pk=row.pk).update(**{column: value})
    assert columns(edition) == [("ledger", column)]


def test_missing_line(edition):
    LedgerRow.objects.order_by("pk").first().delete()
    assert columns(edition) == [("ledger", "line")]


@pytest.mark.parametrize(("column", "value"), [("rating", 1), ("position", 9), ("title", "king"), ("wins_since", 1000)])
def test_tampered_row(edition, column, value):
    ListRow.objects.filter(list=edition, order=1).update(**{column: value})
    found = columns(edition)
    assert ("list", column) in found
    assert ("fingerprint", "rows") in found


def test_tampered_club(edition):
    from federation.registry.models import Club

    ListRow.objects.filter(list=edition, order=1).update(club=Club.objects.create(slug="x", name="X"))
    assert columns(edition) == [("fingerprint", "rows")]


def test_tampered_inputs(edition):
    rated = RatedEvent.objects.order_by("pk").first()
    heading, games, _ = store.unpack(rated.inputs)
    games["result"][0] = 2 - games["result"][0]
    RatedEvent.objects.filter(pk=rated.pk).update(inputs=store.pack(heading, games)[0])
    found = columns(edition)
    assert ("inputs", "digest") in found
    assert ("ledger", "change") in found
    assert ("run", "fingerprint") in found


def test_damaged_inputs(edition):
    RatedEvent.objects.filter(pk=RatedEvent.objects.order_by("pk").first().pk).update(inputs=b"nonsense")
    assert columns(edition) == [("inputs", "bytes")]


def test_tampered_rules_opening_and_fingerprints(edition, capsys):
    RuleSet.objects.filter(name="page").update(parameters=RuleSet.objects.get(name="sheet").parameters)
    assert ("rule_set", "digest") in columns(edition)
    RuleSet.objects.filter(name="page").update(parameters=RuleSet.objects.get(name="page").parameters)
    RatingRun.objects.update(outcome="0" * 64)
    assert ("run", "outcome") in columns(edition)
    with pytest.raises(SystemExit) as caught:
        call_command("verify_list", str(edition.number))
    assert caught.value.code == 1
    assert "DIFFERENT run" in capsys.readouterr().out
