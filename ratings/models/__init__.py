"""Facts of scrabble, and what a replay of the facts gives: runs, ledger, lists."""

from ratings.models.facts import Correction, EventRound, Game, GameKind, OpeningList, OpeningRating
from ratings.models.lists import Erratum, ListKind, ListRow, ListState, PublishedList, SeasonTask
from ratings.models.runs import Checkpoint, LedgerRow, RatedEvent, RatingRun, RunEvent, RunState
from ratings.models.systems import EventRuleSet, RatingSystem, RuleSet

__all__ = [
    "Checkpoint",
    "Correction",
    "Erratum",
    "EventRound",
    "EventRuleSet",
    "Game",
    "GameKind",
    "LedgerRow",
    "ListKind",
    "ListRow",
    "ListState",
    "OpeningList",
    "OpeningRating",
    "PublishedList",
    "RatedEvent",
    "RatingRun",
    "RatingSystem",
    "RuleSet",
    "RunEvent",
    "RunState",
    "SeasonTask",
]
