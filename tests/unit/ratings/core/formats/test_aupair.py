from __future__ import annotations

from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import codes, fixture, games, tallies


def tournament(*lines: str, end: str = "*** END OF FILE ***") -> bytes:
    return "\r\n".join(["*M12.10.2025 Open", "*A", " " * 38 + "0", *lines, end, ""]).encode()


def reading_of(*lines: str):
    return read([("x.tou", tournament(*lines))])


def test_tournament() -> None:
    reading = read([fixture("open6.tou")])
    assert (reading.event.name, reading.event.date, reading.event.rounds) == ("Open of the Wells", "2025-10-12", 4)
    assert tallies(reading) == {
        "Neus Riera": [3, 2.5, 1, 0, 0],
        "Oriol Bastida": [4, 2, 0, 0, 0],
        "Galla Prat i Serra": [3, 1.5, 0, 0, 1],
        "Stefan Turcanu-Vla": [4, 1, 0, 0, 0],
    }
    assert games(reading)[0] == (1, "Neus Riera", "Oriol Bastida", "played", 402, 385, 1)
    assert reading.games[0].first == "a"
    assert codes(reading) == []


def test_single_blanks_and_all_marks_without_a_game() -> None:
    reading = reading_of("Ona Prat Vila 2400 +2 50 1 100 1", "Pol Mir 300 1 2150 2 0 2")
    assert tallies(reading) == {"Ona Prat Vila": [1, 1, 1, 1, 0], "Pol Mir": [1, 0, 0, 1, 1]}
    assert [(game.kind, game.result_a) for game in reading.games[1:]] == [
        ("bye", 2),
        ("forfeit", 2),
        ("forfeit", 0),
        ("absent", None),
    ]
    assert codes(reading) == []


def test_ten_columns_above_99_players() -> None:
    lines = []
    for number in range(1, 121):
        other = number + 1 if number % 2 else number - 1
        figure = "2400" if number % 2 else " 300"
        mark = f"+{other}" if number % 2 else str(other)
        lines.append(f"Player {chr(65 + number % 26)}{chr(65 + number // 26)}".ljust(20) + f" {figure} {mark:>4}")
    reading = reading_of(*lines)
    assert len(reading.people) == 120
    assert len(reading.games) == 60
    assert codes(reading) == []


def test_sections_are_numbered_apart() -> None:
    data = tournament("Ona Prat".ljust(20) + " 2400  +2", "Pol Mir".ljust(20) + "  300   1", end="*B")
    data += tournament("Iu Mas".ljust(20) + " 2401  +2", "Eva Roc".ljust(20) + "  399   1").replace(b"*A\r\n", b"")
    reading = read([("x", data)])
    assert [person.key for person in reading.people] == ["A/1", "A/2", "B/1", "B/2"]
    assert [game.result_a for game in reading.games] == [2, 2]


def test_contradictions_name_both_lines() -> None:
    reading = reading_of("Ona Prat".ljust(20) + " 2400  +2", "Pol Mir".ljust(20) + " 2300   1")
    assert codes(reading) == [(4, "result_contradicts"), (5, "result_contradicts")]
    assert reading.games == ()
    reading = reading_of("Ona Prat".ljust(20) + " 2400  +2", "Pol Mir".ljust(20) + "  300   7")
    assert codes(reading) == [(4, "opponents_disagree"), (5, "unknown_opponent")]


def test_unknown_mark_and_broken_line() -> None:
    reading = reading_of("Ona Prat".ljust(20) + " 2700   1", "Pol Mir".ljust(20) + " x300   1")
    assert [(issue.line, issue.column, issue.code) for issue in reading.issues] == [
        (4, 22, "unknown_no_game"),
        (5, 21, "bad_round_entry"),
    ]


def test_forfeit_between_named_players_is_asked() -> None:
    reading = reading_of("Ona Prat".ljust(20) + " 2150   2", "Pol Mir".ljust(20) + "  100   1")
    assert codes(reading) == [(4, "maybe_forfeit")]
    assert [game.kind for game in reading.games] == ["forfeit"]


def test_missing_end() -> None:
    data = tournament("Ona Prat".ljust(20) + " 2001   1").split(b"***")[0]
    assert codes(read([("x", data)])) == [(4, "end_missing")]


def test_rating_list() -> None:
    reading = read([fixture("ratings.dat")])
    assert reading.format == "aupair-ratings"
    people = [(p.nick, p.country, p.name, p.games, p.rating, p.last_played, p.deviation) for p in reading.people]
    assert people == [
        ("NRIE", "CAT", "Neus Riera", 57, 912, "20251012", None),
        ("OBAS", "CAT", "Oriol Bastida", 41, 1034, "20251031", 85.5),
        ("STUR", "ROU", "Stefan Turcanu-Vlad", 3, 875, "20240229", None),
    ]
    assert codes(reading) == [(3, "date_swapped")]
