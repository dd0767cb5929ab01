"""Where a player is known by the place of the line, a line set aside keeps its number."""

from __future__ import annotations

import pytest

from federation.core.reading import Repair
from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import codes, fixture, tallies


@pytest.mark.parametrize(("name", "line", "gone"), [("open6.t", 1, "Neus Riera"), ("open6.tou", 4, None)])
def test_the_others_keep_their_games(name, line, gone):
    whole, rest = read([fixture(name)]), read([fixture(name)], [Repair(line)])
    gone = gone or next(person.name for person in whole.people if person.line == line)
    assert [person.name for person in rest.people] == [one.name for one in whole.people if one.name != gone]
    assert codes(rest, "error") == []
    key = next(person.key for person in whole.people if person.name == gone)
    kept = [(game.round, game.a, game.b, game.kind) for game in whole.games if key not in (game.a, game.b)]
    assert sorted(map(str, kept)) == sorted(str((g.round, g.a, g.b, g.kind)) for g in rest.games)
    against = sum(key in (game.a, game.b) and game.b is not None for game in whole.games)
    assert [code for _, code in codes(rest, "warning")].count("opponent_set_aside") == against
    assert gone not in tallies(rest)


def test_a_line_that_is_no_player_has_no_number():
    name, data = fixture("open6.t")
    titled = b"Results of the club\n" + data
    assert codes(read([(name, titled)]), "error")
    assert codes(read([(name, titled)], [Repair(1)]), "error") == []


def test_a_line_of_an_archive():
    name, data = fixture("archive.tsh")
    whole = read([(name, data)])
    line = whole.people[0].line
    rest = read([(name, data)], [Repair(line)])
    assert len(rest.people) == len(whole.people) - 1
    assert codes(rest, "error") == codes(whole, "error")
