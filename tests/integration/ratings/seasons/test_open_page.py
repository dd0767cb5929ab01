"""The opening of a season names who turns inactive, and from which season on."""

import pytest
from django.urls import reverse

from federation.registry.models import Season
from ratings.models import PublishedList, RatingSystem, SeasonTask

pytestmark = pytest.mark.django_db

PAGE = "scrabble-season-open"


@pytest.fixture
def two_closed(officer, world, close):
    """Two seasons; Cel played in the first one alone."""
    world.season("2024-25")
    world.season("2025-26")
    close("2023-24")
    world.round_robin("only", ["ada", "bru", "dan", "eva"], "111111", date="2024-12-01")
    close("2024-25")


def test_the_season_before_has_to_be_closed(officer, world, text_of, send):
    world.season("2024-25")
    text = text_of(PAGE, "2024-25")
    assert "Close season 2023–24 first." in text
    assert "Start the run" not in text
    send(PAGE, "2024-25", step="prepare")
    assert not SeasonTask.objects.exists()


def test_who_turns_inactive_is_named_with_the_last_season(two_closed, world, text_of, send):
    send(PAGE, "2025-26", step="prepare")
    text = text_of(PAGE, "2025-26")
    assert "1 player turns inactive" in text
    section = text[text.index('id="inactive"') : text.index('id="difference"')]
    assert ">cel</a>" in section
    assert "last game in 2023–24" in section
    assert ">ada</a>" not in section
    draft = PublishedList.objects.get(state="draft")
    assert (draft.kind, draft.as_of.isoformat()) == ("opening", "2025-09-01")


def test_publishing_opens_the_season_once(two_closed, text_of, send):
    Season.objects.filter(code="2025-26").update(state="planned")
    send(PAGE, "2025-26", step="prepare")
    draft = PublishedList.objects.get(state="draft")
    for _ in range(2):
        send(PAGE, "2025-26", step="publish", draft=draft.pk, read="on")
    draft.refresh_from_db()
    assert draft.number == 3
    assert Season.objects.get(code="2025-26").state == "open"
    assert "Season 2025–26 is open with list 3." in text_of(PAGE, "2025-26")
    send(PAGE, "2025-26", step="prepare")
    assert PublishedList.objects.count() == 3


def test_the_close_says_how_many_will_turn_inactive(officer, world, text_of, send, close):
    world.season("2024-25")
    world.season("2025-26")
    close("2023-24")
    world.round_robin("only", ["ada", "bru", "dan", "eva"], "111111", date="2024-12-01")
    close("2024-25", publish=False)
    assert "1 ranked player without a recent game then passes" in text_of("scrabble-season-close", "2024-25")


def test_a_closed_season_is_not_opened(officer, world, close, text_of):
    close()
    assert "Season 2023–24 is closed. Reopen it first." in text_of(PAGE, "2023-24")


def test_a_list_of_another_season_is_not_published_from_here(two_closed, client, send):
    send("scrabble-season-edition", "2025-26", step="prepare", as_of="2025-09-30")
    draft = PublishedList.objects.get(state="draft")
    assert draft.kind == "regular"
    answer = client.get(reverse("scrabble-draft", args=[draft.pk]))
    assert answer["Location"] == reverse("scrabble-season-edition", args=["2025-26"])


def test_an_older_season_closed_again_leaves_the_later_list_in_force(two_closed, client, text_of, send):
    client.post(reverse("scrabble-season-reopen", args=["2023-24"]), {"reason": "An event was forgotten."})
    beside = "list 2, as of 31 August 2025, which stays in force"
    assert f"The draft is published beside {beside}" in text_of("scrabble-season-close", "2023-24")
    send("scrabble-season-close", "2023-24", step="prepare")
    text = text_of("scrabble-season-close", "2023-24")
    assert f"List 3 is published beside {beside}" in text
    assert "becomes the list in force" not in text
    draft = PublishedList.objects.get(state="draft")
    send("scrabble-season-close", "2023-24", step="publish", draft=draft.pk, read="on")
    assert RatingSystem.objects.get().current_list.number == 2
