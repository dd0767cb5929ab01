"""Section 10: the season report."""

from fractions import Fraction

import numpy as np

from ratings.core.listing import rating_list
from ratings.core.replay import State
from ratings.core.report import Gain, percentage, season_report
from ratings.core.ruleset import PAGE


def table(rows, season):
    """Make a list from rows (rating, games, last season, season games, season wins in half points)."""
    rating, games, last, season_games, season_wins = (
        np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)
    )
    return rating_list(State(0, season, rating, games, games, last, season_games, season_wins), PAGE)


BEFORE = table(
    [
        (1300, 90, 2022, 10, 10),
        (1250, 90, 2022, 10, 10),
        (1200, 90, 2021, 10, 10),
        (1100, 90, 2019, 0, 0),
        (1090, 8, 2022, 8, 8),
        (0, 0, -1, 0, 0),
        (0, 0, -1, 0, 0),
    ],
    2022,
)
AFTER = table(
    [
        (1290, 96, 2023, 6, 9),
        (1310, 96, 2023, 6, 12),
        (1200, 90, 2021, 0, 0),
        (1110, 96, 2023, 6, 6),
        (1120, 12, 2023, 4, 4),
        (1030, 12, 2023, 12, 12),
        (1020, 3, 2023, 3, 3),
    ],
    2023,
)
REPORT = season_report(AFTER, BEFORE, events=4)


def test_podium_with_rating_progress_and_percentage():
    assert [(p.player, p.position, p.rating, p.progress, p.season_percentage) for p in REPORT.podium] == [
        (1, 1, 1310, 60, Fraction(100)),
        (0, 2, 1290, -10, Fraction(75)),
        (4, 3, 1120, 30, Fraction(50)),
    ]


def test_gains():
    assert REPORT.point_gains == (Gain(1, 60), Gain(5, 31), Gain(4, 30), Gain(6, 21), Gain(3, 10))
    assert REPORT.position_gains == (Gain(1, 1),)
    assert len(season_report(AFTER, BEFORE, events=4, gains=2).point_gains) == 2


def test_who_came_and_who_went():
    assert REPORT.newcomers == (5,)
    assert REPORT.debutants == (5, 6)
    assert REPORT.promoted == (4,)
    assert REPORT.back == (3,)
    assert REPORT.gone_inactive == (2,)


def test_title_changes():
    assert [(c.player, c.before, c.after, c.rises) for c in REPORT.title_changes] == [
        (1, "mestre", "gran mestre", True),
        (0, "gran mestre", "mestre", False),
        (4, "avançat", "expert", True),
        (5, None, "avançat", True),
        (6, None, "avançat", True),
    ]


def test_counts():
    assert (REPORT.events, REPORT.players, REPORT.games) == (4, 6, 18)
    assert percentage(0, 0) is None
