"""Section 1: the values of a rule set."""

import json
from dataclasses import replace

import pytest

from federation.core.errors import RuleError
from ratings.core.ruleset import PAGE, PRESETS, SHEET, RuleSet


def changed(**values):
    return RuleSet.from_parameters(PAGE.to_parameters() | values)


@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS.keys())
def test_parameters_survive_json(rules):
    again = RuleSet.from_parameters(json.loads(json.dumps(rules.to_parameters())))
    assert again == rules
    assert again.digest() == rules.digest()


def test_what_the_presets_differ_in():
    page, sheet = PAGE.to_parameters(), SHEET.to_parameters()
    assert {key for key in page if page[key] != sheet[key]} == {"expectation", "initial_rating", "bands", "min_games"}
    assert (sheet["sigma"], sheet["initial_rating"], sheet["min_games"]) == (283.84, 950, 11)


def test_every_value_changes_the_digest():
    digests = {
        PAGE.digest(),
        SHEET.digest(),
        changed(lookup="next").digest(),
        changed(min_games=9).digest(),
        changed(categories=[[1400, "gran mestre"]]).digest(),
        changed(table=[[0, 50], [40, "55.5"]]).digest(),
    }
    assert len(digests) == 6


def test_defaults_of_lookup_and_sigma():
    assert changed(lookup=None).lookup == "nearest"
    assert changed(expectation="normal", sigma=None).sigma == 283.84


def test_titles_may_come_in_any_order():
    assert [title.floor for title in changed(categories=[[1000, "a"], [1200, "b"]]).titles] == [1200, 1000]
    assert changed(categories=[]).titles == ()


@pytest.mark.parametrize(
    ("values", "code", "where"),
    [
        ({"expectation": "logistic"}, "bad_expectation", "expectation"),
        ({"lookup": "upwards"}, "bad_lookup", "lookup"),
        ({"sigma": 0}, "bad_sigma", "sigma"),
        ({"sigma": "wide"}, "bad_number", "sigma"),
        ({"sigma": "1e99999999"}, "bad_number", "sigma"),
        ({"table": []}, "bad_table", "table"),
        ({"table": 5}, "bad_table", "table"),
        ({"table": [[0, 50, 1]]}, "bad_table", "table"),
        ({"table": [[0, 55], [40, 60]]}, "bad_table", "table"),
        ({"table": [[5, 50], [40, 60]]}, "bad_table", "table"),
        ({"table": [[0, 50], [40, 60], [40, 65]]}, "bad_table", "table"),
        ({"table": [[0, 50], [40, 60], [75, 55]]}, "bad_table", "table"),
        ({"table": [[0, 50], [40, 101]]}, "bad_table", "table"),
        ({"table": [[0, 50], [40.5, 55]]}, "bad_number", "table"),
        ({"table": [[0, 50], [40, "1/0"]]}, "bad_number", "table"),
        ({"bands": []}, "bad_bands", "bands"),
        ({"bands": [[0, 30, 20]]}, "bad_bands", "bands"),
        ({"bands": [[None, 30, 20], [None, 24, 16]]}, "bad_bands", "bands"),
        ({"bands": [[None, 30, 20], [1500, 24, 16], [1500, 15, 10]]}, "bad_bands", "bands"),
        ({"bands": [[None, 0, 20]]}, "bad_bands", "bands"),
        ({"bands": [[None, 30, "many"]]}, "bad_number", "bands"),
        ({"initial_rating": None}, "bad_number", "initial_rating"),
        ({"initial_rating": True}, "bad_number", "initial_rating"),
        ({"games_threshold": -1}, "bad_number", "games_threshold"),
        ({"min_games": 2.5}, "bad_number", "min_games"),
        ({"active_seasons": 0}, "bad_number", "active_seasons"),
        ({"min_rounds": "three"}, "bad_number", "min_rounds"),
        ({"min_players": -4}, "bad_number", "min_players"),
        ({"categories": [[1400, ""]]}, "bad_titles", "categories"),
        ({"categories": [[1400, "a"], [1400, "b"]]}, "bad_titles", "categories"),
        ({"bonus": 1}, "unknown_parameter", "bonus"),
    ],
)
def test_what_is_no_rule_is_refused(values, code, where):
    with pytest.raises(RuleError) as caught:
        changed(**values)
    assert (caught.value.code, caught.value.where) == (code, where)


def test_a_missing_value_is_named():
    parameters = PAGE.to_parameters()
    del parameters["min_games"]
    with pytest.raises(RuleError) as caught:
        RuleSet.from_parameters(parameters)
    assert (caught.value.code, caught.value.where) == ("missing_parameter", "min_games")


def test_rule_sets_are_checked_however_they_are_made():
    with pytest.raises(RuleError):
        replace(PAGE, bands=())
