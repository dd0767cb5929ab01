from __future__ import annotations

from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import codes, fixture, games, tallies


def reading_of(text: str):
    return read([("x.t", text.encode())])


def test_division() -> None:
    reading = read([fixture("open6.t")])
    assert reading.format == "tsh"
    assert tallies(reading) == {
        "Neus Riera": [4, 3.5, 1, 0, 0],
        "Oriol Bastida": [5, 3, 0, 0, 0],
        "Gal·la Prat i Serra": [3, 0.5, 0, 1, 1],
        "Ștefan Țurcanu-Vlad": [4, 1, 1, 0, 0],
    }
    assert games(reading)[:2] == [
        (1, "Neus Riera", "Oriol Bastida", "played", 402, 385, 1),
        (1, "Gal·la Prat i Serra", "Ștefan Țurcanu-Vlad", "played", 350, 420, 0),
    ]
    first = reading.games[0]
    assert (first.table, first.first, first.line, first.other_line) == ("1", "a", 1, 2)
    assert [person.rating for person in reading.people] == [912, 1034, 0, 875]
    assert reading.people[0].family == "Riera"
    assert codes(reading) == []


def test_scores_missing_on_both_lines_are_pending() -> None:
    reading = reading_of("Ona A 900 2 2; 400\nPol B 0 1 1; 300\n")
    assert [game.kind for game in reading.games] == ["played", "pending"]
    assert codes(reading) == [(1, "pending_game")]


def test_lines_that_disagree_are_named_both() -> None:
    reading = reading_of("Ona A 900 2; 400\nPol B 0 3; 300\nIu C 0 2; 200\n")
    assert codes(reading, "error") == [(1, "opponents_disagree")]
    assert [(game.a, game.b) for game in reading.games] == [("2", "3")]
    reading = reading_of("Ona A 900 2; 400\nPol B 0 1;\n")
    assert codes(reading, "error") == [(1, "scores_disagree"), (2, "scores_disagree")]
    assert reading.games == ()


def test_impossible_entries_have_line_and_column() -> None:
    reading = reading_of("Ona A 900 1 9; 400 1\nPol B 0 1 x; 300\n")
    assert [(issue.line, issue.column, issue.code) for issue in reading.issues] == [
        (1, 11, "self_play"),
        (1, 13, "unknown_opponent"),
        (2, 9, "opponents_disagree"),
        (2, 11, "bad_opponent"),
    ]


def test_forfeit_between_two_named_players_is_asked() -> None:
    reading = reading_of("Ona A 900 2; 50\nPol B 0 1; -50\n")
    assert codes(reading) == [(1, "maybe_forfeit")]
    assert [(game.kind, game.result_a) for game in reading.games] == [("forfeit", 2)]


def test_both_scores_nothing_is_no_result() -> None:
    reading = reading_of("Ona A 900 2; 0\nPol B 0 1; 0\n")
    assert codes(reading) == [(1, "no_result")]
    assert reading.games == ()


def test_more_scores_than_opponents() -> None:
    assert codes(reading_of("Ona A 900 2; 400 300\nPol B 0 1; 300\n"), "error") == [(1, "more_scores_than_games")]


def test_rating_missing() -> None:
    assert codes(reading_of("Ona A; ;\nPol B 900 0 0; 50 50\n"), "error") == [(1, "rating_missing")]


def test_name_with_digits_only_later_and_latin1() -> None:
    reading = read([("x", "Càdec, Ona Èlia 900 2; 400; ; p12 1\r\nPol 0 1; 300; ; p12 2\r\n".encode("latin-1"))])
    assert [person.name for person in reading.people] == ["Ona Èlia Càdec", "Pol"]
    assert codes(reading) == [(0, "encoding_guessed")]


def test_cut_score_is_refused() -> None:
    reading = reading_of("Ona A 900 2; 400\nPol B 0 1; 30")
    assert (2, "last_row_cut") in codes(reading, "error")
    assert reading.games == ()


def test_archive() -> None:
    reading = read([fixture("archive.tsh")])
    assert (reading.event.name, reading.event.date, reading.event.rounds) == ("Open of the Wells", "2025-10-12", 2)
    assert tallies(reading) == {"Neus Riera": [1, 1, 1, 0, 0], "Oriol Bastida": [1, 0, 0, 0, 1]}
    assert [game.line for game in reading.games] == [7, 7, 8]
    assert codes(reading) == []


def test_configuration_beside_divisions() -> None:
    configuration = "\ufeffdivision A a.t\ndivision B b.t\nconfig event_name = 'Two halls'\nconfig max_rounds = 9\n"
    files = [
        ("config.tsh", configuration.encode()),
        ("a.t", b"Ona A 900 2; 400\nPol B 0 1; 300\n"),
        ("b.t", b"Iu C 900 2; 350\nEva D 0 1; 351\n"),
    ]
    reading = read(files)
    assert (reading.event.name, reading.event.rounds) == ("Two halls", 9)
    assert [(person.key, person.section) for person in reading.people] == [
        ("A/1", "A"),
        ("A/2", "A"),
        ("B/1", "B"),
        ("B/2", "B"),
    ]
    assert len(reading.games) == 2
    assert codes(reading) == []


def test_configuration_alone_has_no_games() -> None:
    reading = read([("config.tsh", b"config event_name = 'X'\n")])
    assert reading.has_errors


def test_live_file() -> None:
    text = (
        'newt={"config":{"event_name":"Live open","event_date":"2025-10-12"},"divisions":[{"name":"A","players":[null,'
        '{"id":1,"name":"Riera, Neus","rating":912,"pairings":[2,0],"scores":[402,50],'
        '"etc":{"p12":[1,0],"board":[1,0]}},'
        '{"id":2,"name":"Bastida, Oriol","rating":0,"pairings":[1,0],"scores":[385,0],"etc":{"p12":[2,0]}}]}]};\n'
    )
    reading = read([("tourney.js", text.encode())])
    assert (reading.format, reading.event.name, reading.event.date) == ("tsh", "Live open", "2025-10-12")
    assert tallies(reading) == {"Neus Riera": [1, 1, 1, 0, 0], "Oriol Bastida": [1, 0, 0, 0, 1]}
    assert codes(reading) == []
    for cut in range(len(text)):
        damaged = read([("tourney.js", text[:cut].encode())])
        assert damaged.has_errors or damaged.games == reading.games
        assert "unreadable" not in [issue.code for issue in damaged.issues] or damaged.games == ()
