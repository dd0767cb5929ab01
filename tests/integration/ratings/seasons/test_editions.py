"""Regular and corrected lists, the look of a draft, the verification of a list, the desk of the seasons."""

import pytest
from django.urls import reverse
from django.utils import timezone

from federation.jobs.models import Job
from ratings.models import Correction, Erratum, ListRow, PublishedList, RatingRun
from ratings.services.corrections import JOB_KIND
from ratings.services.seasons import RECOMPUTE_JOB, prepare_due_closes

pytestmark = pytest.mark.django_db

EDITION = "scrabble-season-edition"
CODE = "2023-24"


def test_a_regular_list_from_the_day_to_the_publication(officer, season, text_of, send):
    answer = send(EDITION, CODE, step="prepare", as_of="2023-12-31")
    assert answer.status_code == 302
    text = text_of(EDITION, CODE)
    assert "Prepares list 1, as of 31 December 2023" in text
    assert "No list was published before" in text
    assert 'value="2023-12-31"' in text
    draft = PublishedList.objects.get()
    assert draft.counts["events"] == 1
    for _ in range(2):
        send(EDITION, CODE, step="publish", draft=draft.pk, read="on")
    draft.refresh_from_db()
    assert (draft.number, draft.kind) == (1, "regular")
    send(EDITION, CODE, step="prepare", as_of="2024-08-31")
    assert "Against the published list 1" in text_of(EDITION, CODE)


@pytest.mark.parametrize("day", ["", "soon", "2023-08-31", "2024-09-01", "2024-02-30"])
def test_a_day_outside_the_season_is_refused(officer, season, client, day):
    answer = client.post(reverse(EDITION, args=[CODE]), {"step": "prepare", "as_of": day})
    assert answer.status_code == 422
    assert 'class="problem"' in answer.content.decode()
    assert not Job.objects.exists()


def test_a_closed_season_has_no_more_regular_lists(officer, season, text_of, send, close):
    close()
    send(EDITION, CODE, step="prepare", as_of="2023-12-31")
    assert "Season 2023–24 is closed. Reopen it first." in text_of(EDITION, CODE)
    assert not PublishedList.objects.filter(state="draft").exists()


def test_a_draft_nobody_recomputed_is_not_published(officer, season, world, text_of, send):
    from ratings.services.lists import draft_list
    from ratings.services.runs import compute_run

    draft = draft_list(run=compute_run(system=world.system), season=season, as_of=season.ends_on, kind="regular")
    assert "The second pass over this draft has not ended well" in text_of(EDITION, CODE)
    send(EDITION, CODE, step="publish", draft=draft.pk, read="on")
    assert not PublishedList.objects.filter(state="published").exists()


def test_the_draft_as_readers_will_see_it(officer, client, text_of, close):
    draft = close(publish=False)
    text = text_of("scrabble-draft-list", draft.pk)
    assert "Readers do not see this yet" in text
    assert ">ada</a>" in text
    assert reverse("scrabble-season-close", args=[CODE]) in text
    assert client.get(reverse("scrabble-list", args=[CODE, 1])).status_code == 404


@pytest.fixture
def corrected(officer, world, people, close, send):
    """A list in force, and the draft that corrects it."""
    published = close()
    event = world.events["spring"]
    game = event.games.filter(superseded_at=None).order_by("pk").first()
    correction = Correction.objects.create(
        event=event,
        state=Correction.State.APPLIED,
        reason="A result was read wrongly.",
        proposed_by=people.results_secretary,
        decided_by=people.second_officer,
        decided_at=timezone.now(),
    )
    world.replace_result(game, 0)
    from federation.jobs.services import enqueue, run_job

    job = enqueue(kind=JOB_KIND, key="correction", params={"correction": correction.pk}, actor=people.results_secretary)
    assert run_job(job.pk) == "done"
    return published


def test_a_corrected_list_is_published_with_its_erratum(corrected, client, text_of, send):
    draft = PublishedList.objects.get(state="draft")
    assert reverse("scrabble-draft", args=[draft.pk]) in text_of("scrabble-seasons")
    text = text_of("scrabble-draft", draft.pk)
    assert "Corrected edition of list 1" in text
    assert "A result was read wrongly.</textarea>" in text
    assert "corrected: spring" in text
    answer = send("scrabble-draft", draft.pk, step="publish", draft=draft.pk, read="on", reason="Round 1 was wrong.")
    erratum = Erratum.objects.get()
    assert erratum.reason == "Round 1 was wrong."
    assert answer["Location"] == reverse("scrabble-erratum", args=[erratum.number])
    send("scrabble-draft", draft.pk, step="publish", draft=draft.pk, read="on", reason="Again.")
    assert Erratum.objects.count() == 1
    assert client.get(reverse("scrabble-draft", args=[draft.pk])).status_code == 302


def test_a_corrected_draft_can_be_withdrawn(corrected, send):
    draft = PublishedList.objects.get(state="draft")
    send("scrabble-draft", draft.pk, step="withdraw", draft=draft.pk)
    assert not PublishedList.objects.filter(state="draft").exists()
    assert not Erratum.objects.exists()


def test_a_list_is_verified_and_the_page_says_identical(officer, text_of, close, send):
    close()
    assert "Nobody has verified this list yet" in text_of("scrabble-list-verify", 1)
    send("scrabble-list-verify", 1)
    text = text_of("scrabble-list-verify", 1)
    assert "List 1 is identical to the last figure" in text
    assert "2 events, 8 lines of the ledger and 5 rows" in text


def test_the_verification_says_where_a_list_is_not_what_follows(officer, world, text_of, close, send):
    close()
    ListRow.objects.filter(person=world.person("ada")).update(rating=1999)
    send("scrabble-list-verify", 1)
    text = text_of("scrabble-list-verify", 1)
    assert "differs from the recomputation in" in text
    assert "1999" in text
    number = world.person("ada").number
    assert f"list 1, number {number}" in text


def test_the_desk_says_what_is_due_and_from_where_results_changed(officer, world, season, text_of, send):
    assert "Season 2023–24 ended on 31 August 2024 and is not closed." in text_of("scrabble-seasons")
    assert "The ratings were never computed" in text_of("scrabble-seasons")
    send("scrabble-recompute")
    assert RatingRun.objects.count() == 1
    assert "The last run has the results as they are" in text_of("scrabble-seasons")
    world.round_robin("late", ["ada", "bru", "cel", "dan"], "111111", date="2024-06-01")
    assert "from late, 1 June 2024, on." in text_of("scrabble-seasons")
    answer = send("scrabble-recompute", full="1")
    job = Job.objects.filter(kind=RECOMPUTE_JOB).latest("pk")
    assert answer["Location"] == reverse("job-detail", args=[job.pk])
    assert job.params["full"] is True


def test_what_the_clock_prepared_anybody_may_publish(
    officer, two_persons, season, text_of, send, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        prepare_due_closes(today=season.ends_on.replace(year=2025))
    text = text_of("scrabble-season-close", CODE)
    assert "the clock" in text
    assert "Not yet" not in text
    assert "Its close is prepared" in text_of("scrabble-seasons")
    draft = PublishedList.objects.get()
    send("scrabble-season-close", CODE, step="publish", draft=draft.pk, read="on")
    assert PublishedList.objects.get().state == "published"
