"""Lists: drafts, publication by two persons, staleness, differences, errata."""

import datetime as dt
from dataclasses import replace

import pytest
from django.utils import timezone

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.jobs.services import run_job
from federation.registry.models import Club, FederationSettings, Person
from ratings.models import (
    Correction,
    Erratum,
    EventRuleSet,
    Game,
    ListRow,
    PublishedList,
    RatingRun,
    RuleSet,
)
from ratings.queries.results import row_of
from ratings.services.corrections import JOB_KIND, Change, apply_correction, propose_correction
from ratings.services.lists import draft_list, list_difference, publish_list, withdraw_draft
from ratings.services.runs import compute_run

pytestmark = pytest.mark.django_db

DAY = dt.date(2024, 8, 31)


def small_season(world):
    world.opening(
        [
            {"id": name, "rating": rating, "games": 20, "wins": 10, "last_season": season}
            for name, rating, season in [
                ("ada", 1200, "2022-23"),
                ("bru", 1100, "2022-23"),
                ("cel", 1000, "2021-22"),
                ("dan", 900, "2022-23"),
            ]
        ],
        "2023-08-31",
    )
    world.round_robin("autumn", ["ada", "bru", "cel", "dan"], "110110", date="2023-10-10")
    world.round_robin("spring", ["ada", "bru", "dan", "eva"], "1=0110", date="2024-04-10")


def published(world, officer, kind="regular", as_of=DAY, season="2023-24", reason="", **more):
    run = compute_run(system=world.system)
    draft = draft_list(run=run, season=world.season(season), as_of=as_of, kind=kind, actor=officer, **more)
    return publish_list(draft=draft, actor=officer, reason=reason)


def test_publication_numbers_dates_pins_and_moves_the_pointer(world, officer):
    small_season(world)
    first = published(world, officer)
    assert (first.number, first.published_by, first.state) == (1, officer, "published")
    world.system.refresh_from_db()
    assert world.system.current_list == first
    page = RuleSet.objects.get(name="page")
    assert dict(EventRuleSet.objects.values_list("event__slug", "rule_set")) == {"autumn": page.pk, "spring": page.pk}
    assert RatingRun.objects.get().state == "published"
    assert AuditEvent.objects.get(action="list.published").after["number"] == 1
    assert first.counts["events"] == 2
    assert first.counts["ranked"] == 4
    assert first.counts["provisional"] == 1
    assert first.counts["season_games"] == 12
    # Twice: the same list, nothing new.
    assert publish_list(draft=first, actor=officer).number == 1
    assert PublishedList.objects.count() == 1


def test_a_draft_is_the_same_draft_as_long_as_nothing_changes(world, officer):
    small_season(world)
    run = compute_run(system=world.system)
    arguments = {"run": run, "season": world.season("2023-24"), "as_of": DAY, "kind": "regular"}
    draft = draft_list(**arguments, actor=officer)
    assert draft_list(**arguments, actor=officer) == draft
    other = draft_list(**{**arguments, "as_of": dt.date(2024, 1, 1)}, actor=officer)
    assert not PublishedList.objects.filter(pk=draft.pk).exists()
    assert other.position == 1
    with pytest.raises(RuleError, match="draft_replaced"):
        publish_list(draft=draft, actor=officer)
    withdraw_draft(draft=other, actor=officer)
    assert not PublishedList.objects.exists()
    assert not ListRow.objects.exists()


def test_two_persons(world, officer, second):
    FederationSettings.objects.filter(pk=1).update(two_person_publishing=True)
    small_season(world)
    run = compute_run(system=world.system)
    draft = draft_list(run=run, season=world.season("2023-24"), as_of=DAY, kind="regular", actor=officer)
    with pytest.raises(RuleError, match="second_person_needed"):
        publish_list(draft=draft, actor=officer)
    assert publish_list(draft=draft, actor=second).number == 1


def test_stale_drafts_are_refused(world, officer):
    small_season(world)
    run = compute_run(system=world.system)
    draft = draft_list(run=run, season=world.season("2023-24"), as_of=DAY, kind="regular", actor=officer)
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    with pytest.raises(RuleError, match="draft_stale"):
        publish_list(draft=draft, actor=officer)
    compute_run(system=world.system)
    with pytest.raises(RuleError, match="draft_stale"):
        publish_list(draft=draft, actor=officer)
    assert PublishedList.objects.get().state == "draft"


def test_rows_take_the_club_and_the_last_event(world, officer):
    small_season(world)
    club = Club.objects.create(slug="club", name="Club")
    Person.objects.filter(pk=world.person("ada").pk).update(club=club)
    row = ListRow.objects.get(list=published(world, officer), person=world.person("ada"))
    assert row.club == club
    assert row.last_event == world.events["spring"]
    assert row.recent.split(",")[-1] == str(row.rating)
    assert len(row.recent.split(",")) == 2


def correct_spring(world, officer, reason="Round 1 was entered the wrong way round."):
    game = Game.objects.filter(event=world.events["spring"], superseded_at=None).order_by("pk").first()
    world.replace_result(game, 0)
    return Correction.objects.create(
        event=world.events["spring"],
        state="applied",
        reason=reason,
        proposed_by=officer,
        decided_by=officer,
        decided_at=timezone.now(),
    )


def test_a_corrected_edition_has_an_erratum(world, officer):
    small_season(world)
    first = published(world, officer)
    correction = correct_spring(world, officer)
    second = published(world, officer, kind="correction", corrects=first)
    assert second.number == 2
    erratum = Erratum.objects.get()
    assert erratum.number == f"{timezone.localdate().year}-01"
    assert (erratum.corrected_list, erratum.replaced_list) == (second, first)
    assert erratum.reason == "Round 1 was entered the wrong way round."
    assert list(erratum.corrections.all()) == [correction]
    # The old list is as it was; the new one marks whose rating moved without a game.
    assert ListRow.objects.filter(list=first, corrected=True).count() == 0
    marked = set(ListRow.objects.filter(list=second, corrected=True).values_list("person__family_name", flat=True))
    assert marked == {"ada", "bru"}
    assert {row.reason for row in list_difference(first, second) if row.change} == {"correction"}
    with pytest.raises(RuleError, match="erratum_reason_missing"):
        published(world, officer, kind="correction", corrects=second)


def test_a_corrected_old_list_does_not_replace_the_list_in_force(world, officer):
    small_season(world)
    old = published(world, officer)
    world.round_robin("next", ["ada", "bru", "cel", "dan"], "111111", date="2024-10-01")
    new = published(world, officer, as_of=dt.date(2024, 12, 31), season="2024-25")
    correct_spring(world, officer)
    corrected = published(world, officer, kind="correction", corrects=old)
    world.system.refresh_from_db()
    assert world.system.current_list == new
    assert corrected.number == 3


def test_corrections_of_the_first_list_of_a_season_leave_out_the_events_of_its_day(world, officer):
    small_season(world)
    day = dt.date(2024, 9, 1)
    world.round_robin("first-day", ["ada", "bru", "cel", "dan"], "111111", date=day.isoformat())
    opening = published(world, officer, kind="opening", as_of=day, season="2024-25")
    correct_spring(world, officer)
    corrected = published(world, officer, kind="correction", as_of=day, season="2024-25", corrects=opening)
    game = Game.objects.filter(event=world.events["autumn"], superseded_at=None).order_by("pk").first()
    world.replace_result(game, 0)
    again = published(
        world,
        officer,
        kind="correction",
        as_of=day,
        season="2024-25",
        corrects=corrected,
        reason="The sheet was wrong.",
    )
    assert [one.position for one in (opening, corrected, again)] == [2, 2, 2]
    assert again.counts["season_games"] == 0


@pytest.mark.parametrize(("event", "is_made"), [("spring", True), ("first-day", False)])
def test_a_correction_makes_an_edition_if_the_first_list_of_the_season_includes_its_event(
    world, officer, event, is_made
):
    small_season(world)
    world.round_robin("first-day", ["ada", "bru", "cel", "dan"], "111111", date="2024-09-01")
    published(world, officer, kind="opening", as_of=dt.date(2024, 9, 1), season="2024-25")
    game = Game.objects.filter(event=world.events[event]).order_by("pk").first()
    row = replace(row_of(game), result=0, score_a=None, score_b=None)
    correction = propose_correction(
        event=world.events[event], changes=[Change(game.pk, row)], reason="the sheet was wrong", actor=officer
    )
    apply_correction(correction=correction, actor=officer)
    job = Job.objects.get(kind=JOB_KIND)
    assert run_job(job.pk) == "done"
    job.refresh_from_db()
    assert (job.result["draft"] is not None) is is_made


def test_difference_gives_a_reason_for_every_line(world, officer):
    small_season(world)
    first = published(world, officer)
    world.round_robin("next", ["ada", "bru", "eva", "gal"], "111111", date="2024-10-01")
    correct_spring(world, officer)
    world.merge("cel", "eva")
    second = published(world, officer, as_of=dt.date(2025, 12, 31), season="2025-26")
    reasons = {Person.objects.get(pk=row.person).family_name: row.reason for row in list_difference(first, second)}
    assert reasons == {
        "ada": "played",
        "bru": "played",
        "cel": "merged",
        "dan": "turned_inactive",
        "eva": "merged",
        "gal": "first_list",
    }


@pytest.mark.parametrize(("kept", "dropped"), [("cel", "eva"), ("dan2", "dan")])
def test_who_turns_inactive_is_named_also_after_a_merge(world, officer, kept, dropped):
    small_season(world)
    first = published(world, officer)
    world.merge(kept, dropped)
    run = compute_run(system=world.system)
    draft = draft_list(run=run, season=world.season("2025-26"), as_of=dt.date(2025, 9, 1), kind="opening")
    gone = {row.person for row in list_difference(first, draft) if row.reason == "turned_inactive"}
    names = {"ada", "bru", "cel", "dan", kept} - {dropped}
    assert gone == {world.person(name).pk for name in names}


@pytest.mark.parametrize("events", [1, 3])
def test_query_counts(world, officer, django_assert_num_queries, events):
    players = ["ada", "bru", "cel", "dan"]
    for number in range(events):
        world.round_robin(f"e{number}", players, "110110", date=f"2023-1{number % 2}-0{number + 1}")
    run = compute_run(system=world.system)
    season = world.season("2023-24")
    with django_assert_num_queries(12):
        draft = draft_list(run=run, season=season, as_of=DAY, kind="regular", actor=officer)
    with django_assert_num_queries(16):
        publish_list(draft=draft, actor=officer)
    run = compute_run(system=world.system)
    with django_assert_num_queries(15):
        again = draft_list(run=run, season=season, as_of=DAY, kind="regular", actor=officer)
    with django_assert_num_queries(5):
        list_difference(draft, again)
