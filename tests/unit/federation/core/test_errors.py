"""Errors of rules keep code, values and place."""

import pickle

from federation.core.errors import RuleError


def test_a_rule_error_says_what_where_and_with_which_values():
    error = RuleError("bad_table", {"reason": "order"}, "table")
    assert (error.code, error.params, error.where) == ("bad_table", {"reason": "order"}, "table")
    assert str(error) == "bad_table at table (reason='order')"
    assert str(RuleError("no_games")) == "no_games"


def test_a_rule_error_survives_the_way_between_processes():
    error = pickle.loads(pickle.dumps(RuleError("bad_season", {"season": "2023"}, "row 3")))
    assert (error.code, error.params, error.where) == ("bad_season", {"season": "2023"}, "row 3")
