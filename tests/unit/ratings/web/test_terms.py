"""The games of an account come in the order of the rounds, whatever order they were rated in."""

from __future__ import annotations

import json
from itertools import permutations

from ratings.models import LedgerRow
from ratings.queries.pages_players import terms_of

GAMES = [[1, 7, 1200, "0.5", 2, 30], [2, 8, 1100, "0.62", 0, 12], [2, 9, 1300, "0.38", 1, 13]]


def test_games_by_round_then_by_key():
    for order in permutations(GAMES):
        terms = terms_of(LedgerRow(terms=json.dumps(order)))
        assert [(term.round, term.game) for term in terms] == [(1, 30), (2, 12), (2, 13)]
