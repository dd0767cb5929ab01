"""Who may open the pages of the seasons, and who may act on them."""

import pytest
from django.urls import reverse

from federation.jobs.models import Job
from ratings.models import PublishedList, SeasonTask
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run

pytestmark = pytest.mark.django_db

REFUSED = ["player", "director", "results_secretary", "registry_officer"]
ALLOWED = ["ratings_officer", "administrator"]


@pytest.fixture
def addresses(world, season):
    """Every address of these pages, with a draft and a published list behind them."""
    run = compute_run(system=world.system)
    first = draft_list(run=run, season=season, as_of=world.events["autumn"].rating_date, kind="regular")
    published = publish_list(draft=first, actor=None)
    draft = draft_list(run=run, season=season, as_of=season.ends_on, kind="regular")
    return {
        "list": reverse("scrabble-seasons"),
        "close": reverse("scrabble-season-close", args=["2023-24"]),
        "open": reverse("scrabble-season-open", args=["2023-24"]),
        "edition": reverse("scrabble-season-edition", args=["2023-24"]),
        "reopen": reverse("scrabble-season-reopen", args=["2023-24"]),
        "draft": reverse("scrabble-draft", args=[draft.pk]),
        "preview": reverse("scrabble-draft-list", args=[draft.pk]),
        "verify": reverse("scrabble-list-verify", args=[published.number]),
        "recompute": reverse("scrabble-recompute"),
    }


POSTS = [
    ("close", {"step": "prepare"}),
    ("close", {"step": "publish", "draft": "1", "read": "on"}),
    ("close", {"step": "withdraw", "draft": "1"}),
    ("open", {"step": "prepare"}),
    ("edition", {"step": "prepare", "as_of": "2024-01-31"}),
    ("edition", {"step": "publish", "draft": "1", "read": "on"}),
    ("reopen", {"reason": "An event was forgotten."}),
    ("draft", {"step": "publish", "draft": "1", "read": "on"}),
    ("draft", {"step": "withdraw", "draft": "1"}),
    ("verify", {}),
    ("recompute", {}),
]


def test_a_stranger_is_asked_to_sign_in(client, addresses):
    for name, address in addresses.items():
        answers = [client.post(address)] if name == "recompute" else [client.get(address), client.post(address)]
        for answer in answers:
            assert answer.status_code == 302
            assert "/login/" in answer["Location"]


@pytest.mark.parametrize("role", REFUSED)
def test_other_roles_see_and_do_nothing(client, people, addresses, role):
    client.force_login(getattr(people, role))
    before = (PublishedList.objects.count(), SeasonTask.objects.count(), Job.objects.count())
    for name, address in addresses.items():
        if name != "recompute":
            assert client.get(address).status_code == 403, name
    for name, data in POSTS:
        assert client.post(addresses[name], data).status_code == 403, name
    assert (PublishedList.objects.count(), SeasonTask.objects.count(), Job.objects.count()) == before


@pytest.mark.parametrize("role", ALLOWED)
def test_the_ratings_officer_and_the_administrator_see_all(client, people, addresses, role):
    client.force_login(getattr(people, role))
    found = {name: client.get(address).status_code for name, address in addresses.items()}
    # A regular draft has the page of its season; a run is asked for by a post alone.
    assert {name for name, status in found.items() if status == 200} == set(addresses) - {"draft", "recompute"}
    assert (found["draft"], found["recompute"]) == (302, 405)


@pytest.mark.parametrize("role", ALLOWED)
@pytest.mark.parametrize(("name", "data"), POSTS)
def test_the_ratings_officer_and_the_administrator_act(client, people, addresses, role, name, data):
    client.force_login(getattr(people, role))
    answer = client.post(addresses[name], data)
    assert answer.status_code == 302
    assert "/login/" not in answer["Location"]


@pytest.mark.parametrize("name", ["close", "open", "edition", "draft"])
def test_an_unknown_step_is_refused(client, officer, addresses, name):
    assert client.post(addresses[name], {"step": "destroy"}).status_code == 403
    assert client.post(addresses[name]).status_code == 403


def test_what_does_not_exist_is_not_found(client, officer, season):
    for name, args in [
        ("scrabble-season-close", ["1999-00"]),
        ("scrabble-season-open", ["none"]),
        ("scrabble-season-edition", ["1999-00"]),
        ("scrabble-season-reopen", ["1999-00"]),
        ("scrabble-draft", [999999]),
        ("scrabble-draft-list", [999999]),
        ("scrabble-list-verify", [999999]),
    ]:
        assert client.get(reverse(name, args=args)).status_code == 404, name


def test_the_desk_links_to_the_seasons_for_those_who_may(client, people, season):
    client.force_login(people.ratings_officer)
    assert reverse("scrabble-seasons") in client.get(reverse("desk")).content.decode()
    client.force_login(people.results_secretary)
    assert reverse("scrabble-seasons") not in client.get(reverse("desk")).content.decode()
