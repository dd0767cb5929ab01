"""A calculation that no event stands behind: the worked example and the calculator, both by the rules' own core."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from ratings.core import ruleset as core
from ratings.core.barruf import single_account
from ratings.presenters.account import AccountView, lay_out
from ratings.queries.pages_players import Term

#: The worked example of the rule page.
EXAMPLE_RATING: Final = 1100
EXAMPLE_OPPONENTS: Final = (1200, 1140, 1100, 1050, 1000, 950)
EXAMPLE_GAMES_AFTER: Final = 51


def calculation(
    rules: core.RuleSet, rating: int, games_after: int, opponents: Sequence[int], results: Sequence[int]
) -> AccountView:
    """Rate one player by a rule set and lay the account out.

    Args:
        rules: The rule set.
        rating: Rating before.
        games_after: Career games with these.
        opponents: Rating of each opponent.
        results: Half points of each game.
    """
    account = single_account(rating, list(opponents), Fraction(sum(results), 2), games_after, rules)
    terms = [
        (Term(number, 0, other, str(expected), result, None), None, "")
        for number, (other, expected, result) in enumerate(zip(opponents, account.terms, results, strict=True), 1)
    ]
    return lay_out(
        rules,
        terms,
        before=rating,
        wins=sum(results),
        expected=str(account.expected),
        k=account.k,
        games_after=games_after,
        raw=str(account.raw_change),
        change=account.change,
        after=account.after,
    )


def worked_example(rules: core.RuleSet) -> AccountView:
    """The worked example of the rule page under a rule set.

    Which four games were won does not matter and is not told; the account shows the sum only.
    """
    return calculation(rules, EXAMPLE_RATING, EXAMPLE_GAMES_AFTER, EXAMPLE_OPPONENTS, (2, 2, 2, 2, 0, 0))
