"""The season report reads the last list of the season before for the records that count now (specification, 10)."""

import datetime as dt

import pytest

from federation.registry.models import PersonMerge
from ratings.models import ListRow
from ratings.presenters.rules import rules_of
from ratings.queries.pages_reports import report_of
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run

from .test_lists import small_season

pytestmark = pytest.mark.django_db


def edition(world, officer, season, as_of, kind="close"):
    run = compute_run(system=world.system)
    draft = draft_list(run=run, season=world.season(season), as_of=as_of, kind=kind, actor=officer)
    return publish_list(draft=draft, actor=officer)


def reported(last, before):
    rules = rules_of(last.rule_set)
    return report_of(last, before, rules, rules_of(before.rule_set))


@pytest.fixture
def before(world, officer):
    small_season(world)
    return edition(world, officer, "2023-24", dt.date(2024, 8, 31))


def next_season(world, officer, players):
    world.round_robin("next", players, "110110", date="2024-11-10")
    return edition(world, officer, "2024-25", dt.date(2025, 8, 31))


def assert_agrees(report, last):
    """What the report says of the podium and the gains is what the rows of the list say."""
    rows = {row.person_id: row for row in ListRow.objects.filter(list=last)}
    assert [(one.player, one.position, one.progress) for one in report.podium] == [
        (row.person_id, row.position, row.progress)
        for row in sorted(rows.values(), key=lambda row: row.order)
        if row.position and row.position <= 3
    ]
    gains = {row.person_id: row.progress for row in rows.values() if row.games_since and row.progress > 0}
    assert {gain.player: gain.amount for gain in report.point_gains} == gains
    climbs = {row.person_id: row.moved for row in rows.values() if row.moved and row.moved > 0}
    assert {gain.player: gain.amount for gain in report.position_gains} == climbs


def test_who_was_merged_into_a_new_record_keeps_the_place_of_the_old_one(world, officer, before):
    world.round_robin("extra", ["ada2", "bru", "cel", "dan"], "111111", date="2024-10-01")
    world.merge("ada2", "ada")
    last = next_season(world, officer, ["ada2", "bru", "cel", "eva"])
    report = reported(last, before)
    ada = world.person("ada2").pk
    assert ada not in (*report.newcomers, *report.promoted, *report.back)
    assert ada not in {change.player for change in report.title_changes if change.before is None}
    old = ListRow.objects.get(list=before, person=world.person("ada"))
    new = ListRow.objects.get(list=last, person=ada)
    assert [one.progress for one in report.podium if one.player == ada] == [new.rating - old.rating]
    assert_agrees(report, last)


def test_of_two_records_on_the_earlier_list_the_kept_one_counts(world, officer, before):
    world.merge("cel", "eva")
    last = next_season(world, officer, ["ada", "bru", "cel", "dan"])
    report = reported(last, before)
    assert world.person("eva").pk not in {change.player for change in report.title_changes}
    assert_agrees(report, last)


def test_a_chain_of_merges_leads_to_the_record_on_the_list(world, officer, before):
    world.merge("ada2", "ada")
    last = next_season(world, officer, ["ada2", "bru", "cel", "dan"])
    first = reported(last, before)
    # A merge after the edition does not change what it is compared with.
    world.merge("ada3", "ada2")
    assert PersonMerge.objects.filter(undone_at__isnull=True).count() == 2
    assert reported(last, before) == first
    assert_agrees(first, last)


def test_a_merge_undone_before_the_edition_joins_nothing(world, officer, before):
    world.merge("ada2", "ada")
    world.split("ada")
    last = next_season(world, officer, ["ada", "bru", "cel", "dan"])
    assert_agrees(reported(last, before), last)
