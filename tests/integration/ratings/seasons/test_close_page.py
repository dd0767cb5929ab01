"""The guided close of a season: checks, run, difference, publication."""

import datetime as dt
import json

import pytest
from django.urls import reverse

from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.registry.models import Event, Season
from ratings.models import LedgerRow, OpeningRating, PublishedList, RatingRun, SeasonTask
from ratings.services import passes
from ratings.services.lists import draft_list, publish_list
from ratings.services.publishing import publish_prepared
from ratings.services.runs import compute_run
from ratings.services.seasons import CLOSE_JOB

pytestmark = pytest.mark.django_db

PAGE = "scrabble-season-close"
CODE = "2023-24"


@pytest.fixture
def in_force(world, season):
    """A list published after the first event of the season."""
    run = compute_run(system=world.system)
    day = world.events["autumn"].rating_date
    return publish_list(draft=draft_list(run=run, season=season, as_of=day, kind="regular"), actor=None)


def test_before_the_run_the_page_shows_the_checks_and_one_button(officer, world, text_of):
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01", state="submitted")
    world.event("short", [{"round": 1, "a": "ada", "b": "bru", "result": "1"}], date="2024-06-02")
    compute_run(system=world.system)
    text = text_of(PAGE, CODE)
    assert "Start the run" in text
    assert "1 event is not approved" in text
    # The desk of events is not the ratings officer's: the link leads to what this reader may open.
    assert f'<a href="{reverse("scrabble-event", args=["late"])}">late</a>' in text
    assert reverse("scrabble-desk-events") not in text
    assert "1 event does not count" in text
    assert "fewer rounds with a played game than the rules ask for" in text
    assert "Publish list" not in text


def test_who_may_mend_an_event_is_led_to_its_desk(client, people, world, text_of):
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01", state="submitted")
    client.force_login(people.administrator)
    text = text_of(PAGE, CODE)
    assert f'<a href="{reverse("scrabble-desk-event", args=["late"])}">late</a>' in text
    assert f'href="{reverse("scrabble-desk-events")}"' in text


def test_a_season_from_checks_to_the_published_list(officer, in_force, season, text_of, send):
    answer = send(PAGE, CODE, step="prepare")
    assert answer["Location"] == reverse(PAGE, args=[CODE])
    text = text_of(PAGE, CODE)
    draft = PublishedList.objects.get(state="draft")
    assert "Both passes agree" in text
    assert "2 of 2" in text
    assert "Against the published list 1, 10 October 2023" in text
    # Eva played her first event; Cel did not play in spring and keeps the figure.
    assert ">eva</a>" in text
    assert ">cel</a>" not in text
    assert "spring, 10 Apr" in text
    assert "Publish list 2" in text
    assert f'name="draft" value="{draft.pk}"' in text
    assert draft.fingerprint[:4] in text
    assert "page, version 1" in text

    answer = send(PAGE, CODE, step="publish", draft=draft.pk, read="on")
    assert answer.status_code == 302
    draft.refresh_from_db()
    assert (draft.state, draft.number) == ("published", 2)
    assert Season.objects.get(pk=season.pk).state == "closed"
    text = text_of(PAGE, CODE)
    assert "Season 2023–24 is closed with list 2." in text
    assert reverse("scrabble-list", args=[CODE, 2]) in text
    assert reverse("scrabble-report", args=[CODE]) in text


def test_the_published_page_leads_to_the_next_season(officer, world, text_of, close):
    world.season("2024-25")
    close()
    assert reverse("scrabble-season-open", args=["2024-25"]) in text_of(PAGE, CODE)


def test_a_double_click_gives_one_job_and_one_list(officer, client, send, season):
    first = client.post(reverse(PAGE, args=[CODE]), {"step": "prepare"})
    second = client.post(reverse(PAGE, args=[CODE]), {"step": "prepare"})
    assert (first.status_code, second.status_code) == (302, 302)
    assert Job.objects.filter(kind=CLOSE_JOB).count() == 1
    Job.objects.all().delete()
    send(PAGE, CODE, step="prepare")
    draft = PublishedList.objects.get()
    for _ in range(2):
        send(PAGE, CODE, step="publish", draft=draft.pk, read="on")
    assert [one.number for one in PublishedList.objects.all()] == [1]
    assert SeasonTask.objects.get().state == "published"


def test_while_the_run_works_nothing_can_be_published(officer, client, text_of, close, send):
    draft = close(publish=False)
    Job.objects.create(
        kind=CLOSE_JOB, key=CODE, state="running", attempt=1, done_steps=41, total_steps=67, result={"attempt": 1}
    )
    text = text_of(PAGE, CODE)
    assert "First pass, event 41 of 67" in text
    assert 'hx-trigger="every 2s"' in text
    assert "Publish list" not in text
    part = client.get(reverse(PAGE, args=[CODE]), {"part": "run"}).content.decode()
    assert "<html" not in part
    assert 'width="61%"' in part
    answer = client.post(reverse(PAGE, args=[CODE]), {"step": "publish", "draft": draft.pk, "read": "on"}, follow=True)
    assert "The work on this draft is still going on" in answer.content.decode()
    assert not PublishedList.objects.filter(state="published").exists()


def test_the_second_pass_has_a_bar_of_its_own(officer, text_of, season):
    Job.objects.create(
        kind=CLOSE_JOB,
        key=CODE,
        state="running",
        attempt=2,
        done_steps=1,
        total_steps=4,
        result={"attempt": 2, "first_pass": 4},
    )
    text = text_of(PAGE, CODE, part="run")
    assert "Second pass, event 1 of 4" in text
    assert "4 of 4" in text
    assert "so far, yes" in text
    # What an attempt before a lost worker had done does not count.
    Job.objects.update(result={"attempt": 1, "first_pass": 4})
    assert "First pass, event 1 of 4" in text_of(PAGE, CODE, part="run")


def test_when_the_run_has_ended_the_part_asks_for_the_whole_page(officer, text_of, close):
    close(publish=False)
    part = text_of(PAGE, CODE, part="run")
    assert 'hx-trigger="load"' in part
    assert "every 2s" not in part
    assert "hx-trigger" not in text_of(PAGE, CODE)


def test_a_failed_run_says_why_and_can_be_tried_again(officer, world, text_of, send):
    bad = world.round_robin("bad", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    world.merge("ada", "bru")
    send(PAGE, CODE, step="prepare")
    text = text_of(PAGE, CODE)
    assert "The run failed. The list in force is untouched." in text
    assert "plays against" in text
    assert "Try again" in text
    assert "Publish list" not in text
    world.split("bru")
    send(PAGE, CODE, step="prepare")
    assert "Publish list 1" in text_of(PAGE, CODE)
    assert Event.objects.filter(pk=bad.pk).exists()


def test_a_disagreeing_second_pass_withdraws_the_draft(officer, monkeypatch, text_of, send, season):
    real = passes.verify_list

    def differing(published, **options):
        LedgerRow.objects.filter(person__family_name="ada").update(after=9999)
        return real(published, **options)

    monkeypatch.setattr(passes, "verify_list", differing)
    send(PAGE, CODE, step="prepare")
    text = text_of(PAGE, CODE)
    assert "differs from the first in" in text
    assert not PublishedList.objects.exists()
    assert SeasonTask.objects.get().state == "preparing"
    assert "Publish list" not in text


def test_a_stale_draft_is_refused_with_a_way_on(officer, world, text_of, close, send, client):
    draft = close(publish=False)
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    text = text_of(PAGE, CODE)
    assert "Results or the list in force changed since this draft was made" in text
    assert "Prepare again" in text
    assert "disabled" in text
    answer = client.post(reverse(PAGE, args=[CODE]), {"step": "publish", "draft": draft.pk, "read": "on"}, follow=True)
    assert "Results or the list in force changed" in answer.content.decode()
    assert not PublishedList.objects.filter(state="published").exists()
    send(PAGE, CODE, step="prepare")
    # The page from before names the old draft: it is not taken for the new one.
    answer = client.post(reverse(PAGE, args=[CODE]), {"step": "publish", "draft": draft.pk, "read": "on"}, follow=True)
    assert "This draft was replaced by another one" in answer.content.decode()
    new = PublishedList.objects.get()
    send(PAGE, CODE, step="publish", draft=new.pk, read="on")
    assert PublishedList.objects.get().number == 1


def test_who_prepared_does_not_publish_where_two_are_needed(officer, people, two_persons, client, text_of, close, send):
    draft = close(publish=False)
    text = text_of(PAGE, CODE)
    assert "Not yet: one thing is missing" in text
    assert "May publish: Pau Grau, Rut Sala." in text
    send(PAGE, CODE, step="publish", draft=draft.pk, read="on")
    assert not PublishedList.objects.filter(state="published").exists()
    client.force_login(people.second_officer)
    text = text_of(PAGE, CODE)
    assert "Not yet" not in text
    assert "Ona Càdec" in text
    send(PAGE, CODE, step="publish", draft=draft.pk, read="on")
    draft.refresh_from_db()
    assert draft.published_by == people.second_officer


def test_the_differences_have_to_be_read(officer, client, close, season):
    draft = close(publish=False)
    answer = client.post(reverse(PAGE, args=[CODE]), {"step": "publish", "draft": draft.pk}, follow=True)
    assert "Tick that you have read the differences" in answer.content.decode()
    for value in ["", "x", "-1", str(2**80)]:
        answer = client.post(reverse(PAGE, args=[CODE]), {"step": "publish", "draft": value, "read": "on"})
        assert answer.status_code == 302
    assert not PublishedList.objects.filter(state="published").exists()


def test_a_figure_that_nothing_explains_stops_the_publication(officer, world, in_force, text_of, close, send):
    close_draft = close(publish=False)
    assert "unexplained" not in text_of(PAGE, CODE)
    # Somebody changes the published row behind the program's back.
    in_force.rows.filter(person=world.person("cel")).update(rating=777)
    text = text_of(PAGE, CODE)
    assert 'class="bad err"' in text
    assert "no event, no erratum" in text
    assert "1 figure moved without an event" in text
    assert ">cel</a>" in text_of(PAGE, CODE, d="unexplained")
    send(PAGE, CODE, step="publish", draft=close_draft.pk, read="on")
    assert PublishedList.objects.get(pk=close_draft.pk).state == "draft"


def test_another_opening_rating_is_an_explanation(officer, world, in_force, text_of, close):
    OpeningRating.objects.filter(person=world.person("cel")).update(rating=1050)
    from ratings.services.runs import mark_dirty

    mark_dirty(from_start=True, why="opening.entered")
    close(publish=False)
    assert "unexplained" not in text_of(PAGE, CODE)


def test_filters_of_the_difference(officer, world, in_force, text_of, close):
    close(publish=False)
    assert ">eva</a>" in text_of(PAGE, CODE, d="first_list")
    assert ">ada</a>" not in text_of(PAGE, CODE, d="first_list")
    same = text_of(PAGE, CODE, d="same")
    assert ">cel</a>" in same
    assert ">eva</a>" not in same
    assert ">ada</a>" in text_of(PAGE, CODE, d="nonsense")
    assert ">ada</a>" in text_of(PAGE, CODE, d="played")


def test_the_difference_as_csv_xlsx_and_json(officer, world, in_force, client, close):
    close(publish=False)
    address = reverse(PAGE, args=[CODE])
    answer = client.get(address, {"format": "json"})
    rows = {row["player"]: row for row in json.loads(answer.content)["rows"]}
    assert set(rows) == {"ada", "bru", "dan", "eva"}
    assert rows["eva"]["reason_code"] == "first_list"
    assert rows["ada"]["change"] == rows["ada"]["rating_after"] - rows["ada"]["rating_before"]
    assert "spring" in rows["ada"]["reason"]
    text = b"".join(client.get(address, {"format": "csv", "d": "same"}).streaming_content).decode()
    assert text.count("\n") == 2
    assert "cel" in text
    assert client.get(address, {"format": "xlsx"}).content[:2] == b"PK"


def test_a_draft_can_be_withdrawn(officer, text_of, close, send):
    draft = close(publish=False)
    send(PAGE, CODE, step="withdraw", draft=draft.pk)
    assert not PublishedList.objects.exists()
    assert "Start the run" in text_of(PAGE, CODE)
    send(PAGE, CODE, step="withdraw", draft=draft.pk)
    send(PAGE, CODE, step="prepare")
    assert PublishedList.objects.count() == 1


def test_a_published_list_is_never_withdrawn(officer, close, send):
    published = close()
    send(PAGE, CODE, step="withdraw", draft=published.pk)
    assert PublishedList.objects.get().number == 1


def test_a_closed_season_is_reopened_with_a_reason_and_closed_again(officer, world, client, close, text_of):
    close()
    address = reverse("scrabble-season-reopen", args=[CODE])
    assert client.post(address, {"reason": "  "}).status_code == 422
    assert Season.objects.get(code=CODE).state == "closed"
    assert client.post(address, {"reason": "An event was forgotten."}).status_code == 302
    assert Season.objects.get(code=CODE).state == "open"
    assert "This season is not closed" in text_of("scrabble-season-reopen", CODE)
    answer = client.post(address, {"reason": "again"}, follow=True)
    assert "Season 2023–24 is not closed." in answer.content.decode()
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    assert close().number == 2


def test_a_worker_killed_in_the_middle_leaves_all_as_it_was(officer, in_force, monkeypatch, client, send, text_of):
    """The same fingerprint after the next try, whichever pass was interrupted."""
    from federation.jobs.services import run_job

    rows = list(in_force.rows.values_list())
    send(PAGE, CODE, step="prepare")
    expected = PublishedList.objects.get(state="draft").fingerprint
    PublishedList.objects.filter(state="draft").delete()
    RatingRun.objects.exclude(pk=in_force.run_id).delete()
    for name in ["draft_list", "second_pass"]:
        client.post(reverse(PAGE, args=[CODE]), {"step": "prepare"})
        job = Job.objects.get(state="queued")
        with monkeypatch.context() as patch:
            patch.setattr(f"ratings.services.seasons.{name}", _killed)
            with pytest.raises(KeyboardInterrupt):
                run_job(job.pk)
        assert Job.objects.get(pk=job.pk).state == "running"
        assert list(in_force.rows.values_list()) == rows
        in_force.system.refresh_from_db()
        assert in_force.system.current_list_id == in_force.pk
        assert SeasonTask.objects.get().state == "preparing"
        assert "Publish list" not in text_of(PAGE, CODE)
        Job.objects.filter(pk=job.pk).update(heartbeat_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
        assert run_job(job.pk) == "done"
        assert PublishedList.objects.get(state="draft").fingerprint == expected
        assert "Publish list 2" in text_of(PAGE, CODE)


def _killed(*arguments, **named):
    raise KeyboardInterrupt


def test_the_command_line_publishes_under_the_same_conditions(officer, world, in_force, season, close):
    with pytest.raises(RuleError, match="not_prepared"):
        publish_prepared(season=season, kind="close", actor=officer)
    draft = close(publish=False)
    in_force.rows.filter(person=world.person("cel")).update(rating=777)
    with pytest.raises(RuleError, match="difference_unexplained"):
        publish_prepared(season=season, kind="close", actor=officer)
    in_force.rows.filter(person=world.person("cel")).update(rating=draft.rows.get(person=world.person("cel")).rating)
    assert publish_prepared(season=season, kind="close", actor=officer).number == 2
