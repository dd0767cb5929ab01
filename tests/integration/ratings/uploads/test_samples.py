"""Each sample file, through the pages of the wizard, gives the games that its expected reading says."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from federation.core.names import spelling
from ratings.core.formats import read
from ratings.models import Game
from tests.integration.ratings.uploads.support import SAMPLES, Wizard, make_director, open_event, people_named

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample files are not beside the repository"),
]


def stored_tallies(event) -> dict[str, list[float]]:
    """Games played, wins, byes and forfeits by name, from the facts in force."""
    tallies: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    for game in Game.objects.filter(event=event, superseded_at=None).select_related("a__person", "b__person"):
        for entry, result in ((game.a, game.result), (game.b, None if game.result is None else 2 - game.result)):
            if entry is None:
                continue
            tally = tallies[spelling(entry.person.full_name)]
            if game.kind == "played":
                tally[0] += 1
                tally[1] += result / 2
            tally[2] += game.kind == "bye"
            tally[3] += game.kind == "forfeit"
    return dict(tallies)


@pytest.mark.parametrize("name", ["swiss42.t", "open35.tou", "club9.csv", "federation29.csv"])
def test_an_event_file_is_stored_as_expected(client, name):
    expected = json.loads((SAMPLES / "expected.json").read_text("utf-8"))[name]
    data = (SAMPLES / name).read_bytes()
    names = [person.name for person in read([(name, data)]).people]
    event = open_event(starts_on=_day(read([(name, data)]).event.date))
    known, unknown = names[: len(names) // 2], names[len(names) // 2 :]
    people_named(*known)
    wizard = Wizard(client, event, make_director(event))
    assert wizard.send((name, data)).status_code == 302
    assert wizard.get("rows").status_code == 200
    while True:
        asked = [one.match.read.name for one in wizard.get("people").context["questions"] if one.match.how == "open"]
        if not asked:
            break
        assert set(asked) <= set(unknown)
        answer = wizard.decide(
            {one: {"p": "new", "g": one.partition(" ")[0], "f": one.partition(" ")[2]} for one in asked}
        )
        assert answer.status_code == 302
    assert wizard.get("effect").status_code == 200
    assert Game.objects.count() == 0
    assert wizard.commit().status_code == 302
    assert wizard.upload.state == "committed"
    stored = stored_tallies(event)
    for person, (played, wins, byes, forfeits, _absences) in expected["per_player"].items():
        assert stored.get(spelling(person), [0, 0, 0, 0]) == [played, wins, byes, forfeits], person
    assert set(stored) <= {spelling(person) for person in expected["per_player"]}
    assert wizard.get("receipt").status_code == 200


def _day(text: str):
    from datetime import date

    return date.fromisoformat(text) if text else date(2026, 4, 18)


def test_a_round_without_participants_is_held(client):
    event = open_event()
    wizard = Wizard(client, event, make_director(event))
    wizard.send(("league65.1.rnd", (SAMPLES / "league65.1.rnd").read_bytes()))
    page = wizard.get("rows")
    assert page.status_code == 200
    assert [issue.code for issue in page.context["analysis"].errors] == ["participants_missing"]
    assert wizard.commit().status_code == 302
    assert wizard.upload.state == "checked"
    assert Game.objects.count() == 0


def test_a_rating_list_is_no_result(client):
    event = open_event()
    wizard = Wizard(client, event, make_director(event))
    wizard.send(("rating-list.dat", (SAMPLES / "rating-list.dat").read_bytes()))
    assert "no_games" in [issue.code for issue in wizard.get("rows").context["analysis"].errors]
    wizard.commit()
    assert wizard.upload.state == "checked"
