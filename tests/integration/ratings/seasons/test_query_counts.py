"""The pages ask the database as often for many rows as for few."""

import pytest
from django.urls import reverse

from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run
from tests.integration.ratings.engine.world import World

pytestmark = pytest.mark.django_db


def many_events(world: World, count: int) -> None:
    """Events of four players each, so that the difference has so many rows."""
    for number in range(count):
        names = [f"p{number}-{seat}" for seat in range(4)]
        world.round_robin(f"event{number}", names, "110110", date=f"2024-02-{number + 1:02d}")


@pytest.mark.parametrize("events", [1, 8])
def test_the_close_page(officer, world, season, client, close, events, django_assert_num_queries):
    run = compute_run(system=world.system)
    day = world.events["autumn"].rating_date
    publish_list(draft=draft_list(run=run, season=season, as_of=day, kind="regular"), actor=None)
    many_events(world, events)
    close(publish=False)
    address = reverse("scrabble-season-close", args=["2023-24"])
    client.get(address)
    with django_assert_num_queries(38):
        text = client.get(address).content.decode()
    assert text.count('<th class="who" scope="row">') == 4 + 4 * events


@pytest.mark.parametrize("seasons", [1, 3])
def test_the_desk(officer, world, season, client, close, seasons, django_assert_num_queries):
    for year in range(2024, 2024 + seasons):
        world.season(f"{year}-{year % 100 + 1}")
    close()
    address = reverse("scrabble-seasons")
    client.get(address)
    with django_assert_num_queries(10):
        assert client.get(address).status_code == 200


def test_the_part_that_is_polled(officer, client, close, django_assert_num_queries):
    close(publish=False)
    address = reverse("scrabble-season-close", args=["2023-24"])
    client.get(address)
    with django_assert_num_queries(8):
        assert client.get(address, {"part": "run"}).status_code == 200
