"""Versions of the rules, opening ratings, merge checks."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

import pytest

from federation.core.errors import RuleError
from federation.registry import hooks
from ratings.core.ruleset import RuleSet as Rules
from ratings.models import EventRuleSet, LedgerRow, ListRow, OpeningRating, PublishedList, RatedEvent, RuleSet
from ratings.services.opening import OpeningRow, enter_opening, withdraw_opening
from ratings.services.rulesets import new_version, preview_version, replay_under
from ratings.services.runs import compute_run

from .test_lists import published, small_season

pytestmark = pytest.mark.django_db


def sheet():
    return RuleSet.objects.get(name="sheet", version=1)


def used(run):
    return list(
        RatedEvent.objects.filter(run_events__run=run)
        .order_by("run_events__position")
        .values_list("event__slug", "rule_set__name", "rule_set__version")
    )


def test_the_rules_of_the_site_are_those_of_the_core():
    from ratings.core.ruleset import PAGE, SHEET
    from ratings.core.ruleset import RuleSet as Rules

    for name, rules in (("page", PAGE), ("sheet", SHEET)):
        row = RuleSet.objects.get(name=name)
        assert Rules.from_parameters(row.parameters) == rules
        assert row.digest == rules.digest()
    assert RuleSet.objects.get(name="page").valid_from == dt.date(1900, 1, 1)
    assert sheet().valid_from is None


def test_new_version_counts_from_its_day_and_leaves_published_events(world, officer):
    small_season(world)
    published(world, officer, as_of=dt.date(2023, 12, 31))
    preview = preview_version(parameters=sheet().parameters, valid_from=dt.date(2023, 9, 1))
    assert preview.events == (world.events["spring"].pk,)
    full = preview_version(parameters=sheet().parameters, valid_from=dt.date(2023, 9, 1), everything=True)
    assert full.events == (world.events["autumn"].pk, world.events["spring"].pk)
    made = new_version(
        name="sheet", parameters=sheet().parameters, valid_from=dt.date(2023, 9, 1), actor=officer, note="history"
    )
    assert made.version == 2
    again = new_version(name="sheet", parameters=sheet().parameters, valid_from=dt.date(2023, 9, 1), actor=officer)
    assert again == made
    before = {row.person: row.before for row in preview.rows}
    after = {row.person: row.after for row in preview.rows}
    old = dict(LedgerRow.objects.filter(rated_event__event=world.events["spring"]).values_list("person", "after"))
    run = compute_run(system=world.system)
    assert used(run) == [("autumn", "page", 1), ("spring", "sheet", 2)]
    new = dict(
        LedgerRow.objects.filter(
            rated_event__event=world.events["spring"], rated_event__run_events__run=run
        ).values_list("person", "after")
    )
    moved = {person for person in new if new[person] != old[person]}
    assert {person: new[person] for person in moved} == after
    assert {person: old[person] for person in moved} == before


def test_taken_day_and_values_that_are_no_rule(world, officer):
    parameters = sheet().parameters
    with pytest.raises(RuleError, match="rule_set_date_taken"):
        new_version(name="x", parameters=parameters, valid_from=dt.date(1900, 1, 1), actor=officer)
    with pytest.raises(RuleError, match="bad_sigma"):
        new_version(name="x", parameters=parameters | {"sigma": 0}, valid_from=None, actor=officer)
    with pytest.raises(RuleError, match="unknown_parameter"):
        preview_version(parameters=parameters | {"oops": 1}, valid_from=dt.date(2020, 1, 1))
    assert RuleSet.objects.count() == 2


def test_replay_under_other_rules_on_request(world, officer):
    small_season(world)
    published(world, officer)
    events = [world.events["autumn"].pk, world.events["spring"].pk]
    with pytest.raises(RuleError, match="reason_missing"):
        replay_under(rule_set=sheet(), events=events, reason="", actor=officer)
    assert replay_under(rule_set=sheet(), events=events, reason="Imported history", actor=officer) == 2
    assert replay_under(rule_set=sheet(), events=events, reason="Imported history", actor=officer) == 0
    run = compute_run(system=world.system)
    assert used(run) == [("autumn", "sheet", 1), ("spring", "sheet", 1)]
    assert EventRuleSet.objects.count() == 2


def test_opening_ratings(world, officer):
    ada, bru = world.person("ada"), world.person("bru")
    rows = [
        OpeningRow(ada.pk, Decimal("1049.5"), 12, Decimal("6.5"), "2022-23", line=2),
        OpeningRow(bru.pk, Decimal("-0.5"), 0, 0, None, line=3),
    ]
    made = enter_opening(rows=rows, as_of=dt.date(2023, 8, 31), actor=officer)
    assert list(made.rows.order_by("person").values_list("rating", "games", "wins", "last_season")) == [
        (1050, 12, 13, 2022),
        (-1, 0, 0, None),
    ]
    with pytest.raises(RuleError, match="opening_exists"):
        enter_opening(rows=rows, as_of=dt.date(2023, 8, 31), actor=officer)
    listed = published(world, officer)
    assert list(listed.rows.order_by("order").values_list("person", "status", "rating")) == [
        (ada.pk, "ranked", 1050),
        (bru.pk, "new", -1),
    ]
    withdraw_opening(opening=made, reason="Wrong file.", actor=officer)
    withdraw_opening(opening=made, reason="Wrong file.", actor=officer)
    assert compute_run(system=world.system).pk != listed.run_id
    assert OpeningRating.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"wins": 13}, "opening_wins"),
        ({"wins": Decimal("0.3")}, "bad_wins"),
        ({"games": -1}, "opening_games"),
        ({"rating": 10**9}, "opening_rating_impossible"),
        ({"last_season": "2022-24"}, "bad_season"),
        ({"person": 999_999}, "opening_person_unknown"),
    ],
)
def test_bad_opening_rows_name_their_line_and_store_nothing(world, officer, changes, code):
    values = {"person": world.person("ada").pk, "rating": 1000, "games": 12, "wins": 6, "line": 7} | changes
    with pytest.raises(RuleError, match=code) as caught:
        enter_opening(rows=[OpeningRow(**values)], as_of=dt.date(2023, 8, 31), actor=officer)
    assert caught.value.params["line"] == 7
    assert not OpeningRating.objects.exists()


def test_opening_twice_and_after_a_published_event(world, officer):
    ada, old = world.person("ada"), world.person("old")
    world.merge("ada", "old")
    rows = [OpeningRow(ada.pk, 1000, 1, line=2), OpeningRow(old.pk, 1000, 1, line=3)]
    with pytest.raises(RuleError, match="opening_twice"):
        enter_opening(rows=rows, as_of=dt.date(2023, 8, 31), actor=officer)
    world.round_robin("a", ["ada", "bru", "cel", "dan"], "111111", date="2023-10-10")
    published(world, officer)
    with pytest.raises(RuleError, match="opening_after_published"):
        enter_opening(rows=rows[:1], as_of=dt.date(2023, 10, 10), actor=officer)


def test_two_people_in_one_round_are_not_merged(world):
    small_season(world)
    world.event(
        "bye", [{"round": 1, "a": "eva", "kind": "bye"}, {"round": 1, "a": "cel", "kind": "bye"}], date="2024-05-01"
    )
    problems = hooks.merge_problems(world.person("eva"), world.person("cel"))
    assert [(problem.code, problem.params) for problem in problems] == [("two_people", {"event": "bye", "round": 1})]
    assert [problem.params["event"] for problem in hooks.merge_problems(world.person("ada"), world.person("bru"))] == [
        "autumn"
    ]
    world.person("new")
    assert hooks.merge_problems(world.person("ada"), world.person("new")) == []
    counts = {str(label): count for label, count in hooks.merge_counts(world.person("new"), world.person("ada"))}
    assert counts["scrabble games"] == 6
    assert counts["opening ratings"] == 1


def test_a_preview_tells_the_list_too(world, officer):
    """Rules that rate nothing anew still move the list: who is ranked, and the titles."""
    small_season(world)
    published(world, officer, as_of=dt.date(2024, 8, 31))
    row = RuleSet.objects.get(pk=PublishedList.objects.get().rule_set_id)
    rules = Rules.from_parameters(row.parameters)
    day = dt.date(2024, 9, 1)
    assert preview_version(parameters=row.parameters, valid_from=day).listed == ()
    rated = dict(ListRow.objects.values_list("person_id", "rating"))
    status = dict(ListRow.objects.values_list("person_id", "status"))
    eva = world.people["eva"].pk
    assert {person for person in rated if status[person] != "ranked"} == {eva}

    found = preview_version(parameters=replace(rules, min_games=1).to_parameters(), valid_from=day)
    assert (found.events, found.rows) == ((), ())
    order = sorted(rated.values(), reverse=True)
    entering = found.listed[0]
    assert (entering.person, entering.before.status, entering.before.position) == (eva, "provisional", None)
    assert (entering.after.status, entering.after.position) == ("ranked", order.index(rated[eva]) + 1)
    pushed = [person for person in rated if person != eva and rated[person] < rated[eva]]
    assert {one.person for one in found.listed} == {eva, *pushed}

    found = preview_version(parameters=replace(rules, min_games=1000).to_parameters(), valid_from=day)
    assert {one.person for one in found.listed} == set(rated) - {eva}
    assert {(one.after.status, one.after.position, one.weight) for one in found.listed} == {("provisional", None, 0)}

    names = dict(ListRow.objects.values_list("person_id", "title"))
    low = (replace(rules.titles[-1], floor=min(rated.values())),)
    found = preview_version(parameters=replace(rules, titles=low).to_parameters(), valid_from=day)
    assert {one.person for one in found.listed} == {key for key in names if names[key] != low[0].name}
    assert {(one.after.title, one.weight) for one in found.listed} == {(low[0].name, 2)}
