"""The front of scrabble on the home page."""

import re

import pytest

from federation.web import menu

from .site import season_site


@pytest.mark.parametrize(("games", "tables"), [(1, 2), (2, 1)])
def test_one_game_alone_shows_ten_players_in_two_columns(client, db, monkeypatch, games, tables):
    season_site()
    monkeypatch.setattr(menu, "_fronts", [*menu.fronts(), *[lambda request: None] * (games - 1)])
    front = client.get("/").content.decode().partition('class="cols-4 fronts')[2].partition("</article>")[0]
    assert front.count('<table class="compact">') == tables
    positions = [int(number) for number in re.findall(r'<td class="n">(\d+)</td>', front)]
    assert len(positions) == 5 * tables
    assert positions == sorted(positions)
