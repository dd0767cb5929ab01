"""Which events count for the rating (specification, section 6)."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ratings.core.checks import round_groups
from ratings.core.history import NOBODY, Event, History, IntArray, Kind, history_of
from ratings.core.ruleset import RuleSet

REASONS: Final = (
    "not_approved",
    "excluded",
    "not_classic",
    "too_few_rounds",
    "too_few_players",
    "results_missing",
    "results_unpublished",
)
"""Why an event does not count, in the order in which the reasons are reported."""


def reasons_against(event: Event, rules: RuleSet) -> tuple[str, ...]:
    """Give the reasons why one event does not count; none if it counts."""
    names = [player for game in event.games for player in (game.a, game.b)]
    history = history_of([event], players=max(names, default=NOBODY) + 1)
    return reasons_of(int(failed_conditions(history, [rules] * (event.rules + 1))[0]))


def reasons_of(failed: int) -> tuple[str, ...]:
    """Name the conditions of a bit set from `failed_conditions`.

    >>> reasons_of(0b11000)
    ('too_few_rounds', 'too_few_players')
    """
    return tuple(reason for bit, reason in enumerate(REASONS) if failed >> bit & 1)


def failed_conditions(history: History, rulesets: Sequence[RuleSet]) -> IntArray:
    """Find, for each event, the conditions of section 6 that do not hold.

    Rounds and players are counted on played games: a round of forfeits or a player with byes only does not help.

    Returns:
        For each event a bit set; bit i stands for `REASONS[i]`, and 0 means that the event counts.
    """
    played = history.game_kind == Kind.PLAYED
    event = history.game_event[played]
    rounds = _distinct(round_groups(event, history.game_round[played]), event, history.events)
    player = np.concatenate([history.game_a[played], history.game_b[played]])
    both = np.concatenate([event, event])
    known = player != NOBODY
    players = _distinct(both[known] * history.players + player[known], both[known], history.events)
    pending = np.bincount(history.game_event[history.game_kind == Kind.PENDING], minlength=history.events)
    min_rounds = np.array([rules.min_rounds for rules in rulesets], dtype=np.int64)[history.event_rules]
    min_players = np.array([rules.min_players for rules in rulesets], dtype=np.int64)[history.event_rules]
    failed = (
        ~history.event_approved,
        history.event_excluded,
        ~history.event_classic,
        rounds < min_rounds,
        players < min_players,
        pending > 0,
        ~history.event_published,
    )
    bits = np.zeros(history.events, dtype=np.int64)
    for bit, condition in enumerate(failed):
        bits |= condition.astype(np.int64) << bit
    return bits


def _distinct(key: IntArray, event: IntArray, events: int) -> IntArray:
    """Count the distinct keys of each event; a key belongs to one event."""
    _, first = np.unique(key, return_index=True)
    return np.bincount(event[first], minlength=events).astype(np.int64)
