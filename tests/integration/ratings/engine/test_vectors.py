"""Cases of the specification's vectors, stored as facts, rated and listed; every row is compared."""

import datetime as dt
import json
from fractions import Fraction
from pathlib import Path

import pytest

from ratings.core.ruleset import RuleSet as Rules
from ratings.models import EventRuleSet, LedgerRow, ListRow, RuleSet, RunEvent
from ratings.services.lists import draft_list, publish_list
from ratings.services.runs import compute_run, current_system

pytestmark = pytest.mark.django_db

VECTORS = json.loads((Path(__file__).parents[3] / "vectors" / "barruf.json").read_text(), parse_float=str)
CASES = [
    case
    for case in VECTORS["cases"]
    if case["kind"] in ("season", "replay", "merge") and "error" not in case["expected"]
]


def store_case(world, case):
    data = case["input"]
    rules = Rules.from_parameters(VECTORS["rulesets"][case.get("ruleset", "page")] | case.get("overrides", {}))
    RuleSet.objects.filter(system=world.system).update(valid_from=None)
    RuleSet.objects.create(
        system=world.system,
        name="case",
        version=1,
        parameters=rules.to_parameters(),
        digest=rules.digest(),
        valid_from=dt.date(1900, 1, 1),
    )
    known = [player for player in data["players"] if player.keys() - {"id"}]
    for player in known:
        player.setdefault("rating", rules.initial_rating)
    if known:
        world.opening(known, "1999-08-31")
    # Records without opening data and numbers in the order of the names, so that ties fall as in the vectors.
    names = {player["id"] for player in data["players"]}
    names |= {
        game[side] for event in data["events"] for game in event["games"] for side in ("a", "b") if game.get(side)
    }
    for name in sorted(names):
        world.person(name)
    for event in sorted(data["events"], key=lambda event: event["id"]):
        world.event(
            event["id"],
            event["games"],
            date=event["rating_date"],
            season=event["season"],
            sequence=event.get("sequence", 0),
            modality=event.get("modality", "classic"),
            results_public=event.get("published", True),
        )


def number(text):
    return Fraction(text) if not isinstance(text, str) or "/" in text or "e" not in text else Fraction(float(text))


def check(world, case, listing):
    expected = case["expected"]
    run = listing.run
    rows = RunEvent.objects.filter(run=run).order_by("position")
    stored = {row.rated_event.event.slug: row.rated_event for row in rows.select_related("rated_event__event")}
    assert list(stored) == [event["id"] for event in expected["events"]]
    for event in expected["events"]:
        rated = stored[event["id"]]
        assert (rated.eligible, rated.reasons) == (event["eligible"], event["reasons"])
        lines = {row.person.family_name: row for row in rated.ledger.select_related("person")}
        assert set(lines) == set(event["rows"])
        for name, want in event["rows"].items():
            line = lines[name]
            for key in ("before", "games", "games_after", "k", "change", "after"):
                if key in want:
                    assert getattr(line, key) == int(want[key]), (event["id"], name, key)
            if "wins" in want:
                assert Fraction(line.wins, 2) == number(want["wins"])
            for key in ("expected", "raw_change"):
                if key in want:
                    assert float(Fraction(getattr(line, key))) == pytest.approx(float(want[key]), abs=1e-12)
    got = list(ListRow.objects.filter(list=listing).order_by("order").select_related("person"))
    assert [row.person.family_name for row in got] == [row["id"] for row in expected["list"]]
    for row, want in zip(got, expected["list"], strict=True):
        plain = {
            "status": row.status,
            "position": row.position,
            "rating": row.rating,
            "category": row.title or None,
            "games": row.games,
            "wins": Fraction(row.wins, 2),
            "season_games": row.season_games,
            "season_wins": Fraction(row.season_wins, 2),
            "last_season": None if row.last_season is None else f"{row.last_season}-{(row.last_season + 1) % 100:02d}",
            "active": row.active,
            "debut": row.debut,
            "progress": row.progress,
            "games_since": row.games_since,
            "corrected": row.corrected,
            "moved": row.mark or row.moved,
        }
        for key, value in want.items():
            if key != "id":
                wanted = Fraction(value) if key in ("wins", "season_wins") else value
                assert plain[key] == wanted, (row.person.family_name, key)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_case(world, officer, case):
    data = json.loads(json.dumps(case["input"]))
    case = case | {"input": data}
    store_case(world, case)
    season = world.season(data["season"])
    last_day = max(dt.date.fromisoformat(event["rating_date"]) for event in data["events"])
    if "previous_season" in data:
        run = compute_run(system=world.system)
        before = draft_list(
            run=run, season=world.season(data["previous_season"]), as_of=dt.date(1999, 9, 1), kind="opening"
        )
        publish_list(draft=before, actor=officer)
    run = compute_run(system=world.system)
    listing = draft_list(run=run, season=season, as_of=last_day, kind="regular")
    if case["kind"] == "replay":
        publish_list(draft=listing, actor=officer)
        for slug, event in data["corrected"].items():
            correct(world, slug, event)
        run = compute_run(system=world.system)
        listing = draft_list(
            run=run, season=season, as_of=last_day, kind="correction", corrects=current_system().current_list
        )
        assert EventRuleSet.objects.exists()
        assert LedgerRow.objects.exists()
    if case["kind"] == "merge":
        world.merge(data["keep"], data["drop"])
        run = compute_run(system=world.system)
        listing = draft_list(run=run, season=season, as_of=last_day, kind="regular")
    check(world, case, listing)


def correct(world, slug, corrected):
    event = world.events[slug]
    stored = {(game.round, game.a.person.family_name): game for game in event.games.select_related("a__person")}
    fresh = []
    for game in corrected["games"]:
        old = stored.get((game["round"], game["a"]))
        if old is None:
            fresh.append(game)
        elif old.result != int(2 * Fraction(game["result"])):
            world.replace_result(old, int(2 * Fraction(game["result"])))
    world.add_games(event, fresh)
    from ratings.services.runs import mark_dirty

    mark_dirty(event_ids=[event.pk], why="results.corrected")
