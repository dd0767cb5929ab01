"""Every vector of the specification, and legal input of other spelling."""

from pathlib import Path

import pytest

from federation.core import conformance
from federation.core.conformance import difference, load
from federation.core.errors import RuleError
from ratings.conformance import cases, run_case

DOCUMENT = load((Path(__file__).parents[2] / "vectors" / "barruf.json").read_bytes())
CASES = list(cases(DOCUMENT))


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_vector(case):
    assert case.compare(case.expected, case.outcome()) is None


def test_there_are_cases_of_every_kind():
    assert {case["kind"] for case in DOCUMENT["cases"]} == set(DOCUMENT["kinds"])


def run(kind, data, **case):
    return run_case({"kind": kind, "input": data, **case}, {})


GAMES = [
    {"round": 1, "a": "ada", "b": "bru", "result": "1"},
    {"round": 1, "a": "cel", "b": "dan", "result": "0.5"},
    {"round": 2, "a": "ada", "b": "cel", "result": "0"},
    {"round": 2, "a": "bru", "b": "dan", "result": 1},
    {"round": 3, "a": "ada", "b": "dan", "result": 0.5, "kind": None},
    {"round": 3, "a": "bru", "b": "cel", "result": "0"},
]
EVENT = {"id": "e", "season": "2023-24", "rating_date": "2023-10-15", "games": GAMES}


def test_optional_keys_may_be_missing():
    outcome = run("season", {"events": [EVENT], "season": "2023-24"})
    assert [row["id"] for row in outcome["list"]] == ["cel", "ada", "bru", "dan"]
    assert outcome["events"][0]["eligible"]
    assert "progress" not in outcome["list"][0]


def test_the_season_follows_from_the_rating_date():
    event = {key: value for key, value in EVENT.items() if key != "season"}
    outcome = run("season", {"players": [], "events": [event], "season": "2023-24"})
    assert {row["last_season"] for row in outcome["list"]} == {"2023-24"}


def test_decimals_of_an_opening_rating_are_rounded():
    outcome = run("event", {"players": [{"id": "ada", "rating": "1049.5"}], "event": EVENT})
    assert outcome["rows"]["ada"]["before"] == 1050


def test_players_with_opening_data_are_listed_without_a_game_others_not():
    short = EVENT | {"games": GAMES[:2]}
    players = [{"id": "nou", "rating": 1450}, {"id": "old", "rating": 900, "games": 3, "last_season": "2020-21"}]
    outcome = run("season", {"players": players, "events": [short], "season": "2023-24"})
    assert not outcome["events"][0]["eligible"]
    assert outcome["events"][0]["rows"] == {}
    nou, old = outcome["list"]
    assert (nou["id"], nou["status"], nou["category"], nou["position"]) == ("nou", "new", None, None)
    assert (old["id"], old["status"], old["active"]) == ("old", "provisional", False)


def test_a_draw_of_decimals_stays_exact():
    assert run("rounding", {"value": "0.49999999999999999999999999"}) == {"rounded": 0}
    assert run("barrisc", {"percentages": [80], "carry": "72.5", "games": 1, "games_last": 2})["barrisc"] == 76.25


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ({"kind": "walkover"}, "bad_kind"),
        ({"b": None}, "missing_player"),
        ({"b": None, "kind": "pending"}, "missing_player"),
        ({"b": "ada", "kind": "void"}, "self_play"),
        ({"b": "fin", "round": 1}, "twice_in_round"),
        ({"result": None}, "bad_result"),
        ({"result": "2"}, "bad_result"),
        ({"result": "0.25"}, "bad_result"),
        ({"result": "won"}, "bad_result"),
        ({"result": True}, "bad_result"),
    ],
)
def test_data_errors_stop_the_replay(game, code):
    wrong = EVENT | {"games": [*GAMES, {"round": 4, "a": "ada", "b": "bru", "result": "1"} | game]}
    with pytest.raises(RuleError) as caught:
        run("season", {"events": [wrong], "season": "2023-24"})
    assert caught.value.code == code


def test_two_people_is_found_before_anything_else():
    wrong = EVENT | {"games": [*GAMES, {"round": 4, "a": "ada", "b": "ada"}]}
    with pytest.raises(RuleError) as caught:
        run("merge", {"events": [wrong], "season": "2023-24", "keep": "ada", "drop": "dan"})
    assert caught.value.code == "two_people"


def test_a_merged_record_takes_part_under_the_kept_name():
    other = {"id": "f", "season": "2023-24", "rating_date": "2023-11-01", "games": []}
    other["games"] = [{k: {"ada": "ada2"}.get(v, v) for k, v in game.items()} for game in GAMES]
    players = [{"id": "ada2", "rating": 1200, "games": 5, "wins": 2.5, "last_season": "2021-22"}]
    data = {"players": players, "events": [EVENT, other], "season": "2023-24", "keep": "ada", "drop": "ada2"}
    outcome = run("merge", data)
    ada = next(row for row in outcome["list"] if row["id"] == "ada")
    assert outcome["events"][0]["rows"]["ada"]["before"] == 1200
    assert (ada["games"], ada["wins"], ada["debut"]) == (11, 2.5 + 1.5 + 1.5, False)
    assert "ada2" not in {row["id"] for row in outcome["list"]}


def test_a_correction_is_compared_with_the_uncorrected_list():
    fixed = {"games": [GAMES[0] | {"result": "0"}, *GAMES[1:]]}
    outcome = run("replay", {"events": [EVENT], "season": "2023-24", "corrected": {"e": EVENT | fixed}})
    ada = next(row for row in outcome["list"] if row["id"] == "ada")
    assert (ada["progress"], ada["games_since"], ada["corrected"]) == (-30, 0, True)


def test_overrides_change_one_value():
    data = {"own": 1150, "other": 1100}
    assert difference(load("0.6"), run("expectation", data, overrides={"lookup": "next"})["expected"]) is None
    with pytest.raises(RuleError) as caught:
        run("expectation", data, overrides={"lookup": "upwards"})
    assert caught.value.code == "bad_lookup"


def test_a_case_without_an_expectation_fails_alone():
    good = {"id": "good", "kind": "rounding", "input": {"value": "0.5"}, "expected": {"rounded": 1}}
    silent = {key: value for key, value in good.items() if key != "expected"} | {"id": "silent"}
    conformance.register("barruf", cases)
    report = conformance.run("barruf", {"cases": [silent, good]})
    assert list(report.lines()) == ["FAIL silent: expected nothing, got {rounded: 1}", "1 passed, 1 failed"]


@pytest.mark.parametrize(
    "twice",
    [
        {"players": [{"id": "ada", "rating": 1000}, {"id": "ada", "rating": 1100}], "events": [EVENT]},
        {"events": [EVENT, EVENT | {"rating_date": "2023-10-16"}]},
    ],
)
def test_what_is_there_twice_is_no_case(twice):
    with pytest.raises(ValueError, match=r"twice|same id"):
        run("season", {"season": "2023-24", **twice})
