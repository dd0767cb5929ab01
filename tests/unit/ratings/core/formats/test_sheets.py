from __future__ import annotations

import io

import pytest
from openpyxl import Workbook

from federation.core.reading import Repair
from ratings.core.formats import read
from tests.unit.ratings.core.formats.support import codes, fixture, games, tallies


def reading_of(text: str, repairs=()):
    return read([("x.csv", text.encode())], repairs)


def xlsx(*sheets: tuple[str, list[list[object]]]) -> bytes:
    workbook = Workbook()
    workbook.remove(workbook.active)
    for name, rows in sheets:
        sheet = workbook.create_sheet(name)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    workbook.save(content)
    return content.getvalue()


def test_form() -> None:
    reading = read([fixture("form5.csv")])
    assert reading.format == "results-form"
    assert tallies(reading) == {
        "Neus Riera": [2, 1, 1, 0, 0],
        "Oriol Bastida": [2, 0.5, 1, 0, 0],
        "Èlia Pons": [2, 1.5, 1, 0, 0],
    }
    assert codes(reading) == [(7, "draw_with_winner")]
    assert reading.games[0].extras == {"Opponent Affirmation": "yes"}


def test_federation_sheet() -> None:
    reading = read([fixture("federation5.csv")])
    assert reading.format == "results-sheet"
    assert tallies(reading) == {
        "Neus Riera": [2, 2, 0, 0, 0],
        "Gal·la Prat": [2, 1, 0, 0, 0],
        "Oriol Bastida": [2, 0.5, 0, 0, 0],
        "Èlia Pons": [2, 0.5, 0, 0, 0],
        "Jordi Mas": [0, 0, 2, 0, 0],
    }
    assert games(reading)[:2] == [
        (1, "Neus Riera", "Gal·la Prat", "played", 402, 385, 1),
        (1, "Oriol Bastida", "Èlia Pons", "played", None, None, 0.5),
    ]
    assert reading.games[0].extras == {"Millor jugada 1": "FLUIXOS"}
    assert codes(reading) == [(0, "encoding_guessed"), (0, "mixed_scores_and_results")]


HEADINGS = [
    "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2",
    "RONDA;JUGADOR_1;PUNTUACIO_1;JUGADOR_2;PUNTUACIO_2",
    "Ronda;Blanc;Punts;Negre;Punts",
    "Ronda;Blanc;Resultat;Negre;Resultat",
    "Ronda;Jugador;Punts;Rival;Punts rival",
    "Núm. ronda;Nom jugador 1;Resultat jugador 1;Nom jugador 2;Resultat jugador 2",
    "Ronda;Jugador 1;Puntos 1;Jugador 2;Puntos 2",
    "Ronda;Blancas;Puntuación blancas;Negras;Puntuación negras",
    "Round;Player 1;Score 1;Player 2;Score 2",
    "Round;White;White score;Black;Black score",
    "Turno;Giocatore 1;Punteggio 1;Giocatore 2;Punteggio 2",
    "Turno;Bianco;Punti bianco;Nero;Punti nero",
    "Runda;Jucător 1;Scor 1;Jucător 2;Scor 2",
    "Runda;Alb;Punctaj alb;Negru;Punctaj negru",
    "Тур;Игрок 1;Очки 1;Игрок 2;Очки 2",
    "Тур;Белые;Счёт;Чёрные;Счёт",
]


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
def test_headings(heading: str, delimiter: str) -> None:
    text = f"{heading}\n1;Ona Càdec;400;Pol Mir;380\n1;Iu Mas;BYE;\n".replace("BYE;", "1;BYE;").replace(";", delimiter)
    reading = reading_of(text)
    assert games(reading) == [
        (1, "Ona Càdec", "Pol Mir", "played", 400, 380, 1),
        (1, "Iu Mas", None, "bye", None, None, 1),
    ]
    assert codes(reading, "error") == []


@pytest.mark.parametrize(
    "bye", ["", "BYE", "bye", "descansa", "Descansa", "-", "–", "Descanso", "Riposo", "Liber", "отдых"]
)
@pytest.mark.parametrize("figures", [("", ""), ("1", "0"), ("50", "0"), ("50", "")])
def test_byes(bye: str, figures: tuple[str, str]) -> None:
    reading = reading_of(
        f"Ronda;Jugador 1;Punts 1;Jugador 2;Punts 2\n1;Ona;{figures[0]};{bye};{figures[1]}\n1;A;400;B;300\n"
    )
    assert tallies(reading)["Ona"] == [0, 0, 1, 0, 0]
    assert codes(reading) == []
    swapped = reading_of(
        f"Ronda;Jugador 1;Punts 1;Jugador 2;Punts 2\n1;{bye};{figures[1]};Ona;{figures[0]}\n1;A;400;B;300\n"
    )
    assert tallies(swapped)["Ona"] == [0, 0, 1, 0, 0]


def test_figures() -> None:
    reading = reading_of(
        "Round,Player 1,Score 1,Player 2,Score 2\n"
        '1,A,1,B,0\n1,C,"0,5",D,"0,5"\n1,E,½,F,½\n1,G,1.0,H,0.0\n1,I,391,J,391\n1,K,0,L,1\n'
    )
    assert [game.result_a for game in reading.games] == [2, 1, 1, 2, 1, 0]
    assert [game.score_a for game in reading.games] == [None, None, None, None, 391, None]


@pytest.mark.parametrize(
    ("row", "column", "code"),
    [
        ("1,A,1,B,1", 3, "results_do_not_add_up"),
        ("1,A,0.5,B,0", 3, "results_do_not_add_up"),
        ("1,A,0,B,0", 3, "no_result"),
        ("1,A,4000,B,300", 3, "score_impossible"),
        ("1,A,400,B,3O0", 5, "bad_score"),
        ("1,A,400.5,B,300", 3, "bad_score"),
        ("1,A,400,B,", 5, "score_missing"),
        ("x,A,400,B,300", 1, "bad_round"),
        ("0,A,400,B,300", 1, "bad_round"),
        ("1.5,A,400,B,300", 1, "bad_round"),
        ("201,A,400,B,300", 1, "too_many_rounds"),
        (",A,400,B,300", 1, "round_missing"),
        ("1,,400,,300", 2, "name_missing"),
        ("1,77,400,B,300", 2, "bad_name"),
        ("1,A,400,A,300", 0, "self_play"),
        ("1,A,400", 3, "row_too_short"),
        ("1,A,400,B,300,more", 6, "too_many_cells"),
    ],
)
def test_refused_rows(row: str, column: int, code: str) -> None:
    reading = reading_of(f"Round,Player 1,Score 1,Player 2,Score 2\n{row}\n1,Y,400,Z,300\n")
    assert [(issue.line, issue.column, issue.code) for issue in reading.issues if issue.severity == "error"] == [
        (2, column, code)
    ]
    assert [(game.line, game.result_a) for game in reading.games] == [(3, 2)]
    assert reading.rejected_lines == (2,)


def test_winner_with_the_lower_score() -> None:
    reading = reading_of("Round,Winner,Winner's Score,Opponent,Opponent's Score\n1,A,300,B,400\n1,C,400,D,300\n")
    assert codes(reading) == [(2, "winner_lower")]


def test_twice_in_a_round() -> None:
    reading = reading_of(
        "Round,Player 1,Score 1,Player 2,Score 2\n1,A,400,B,300\n2,A,400,B,300\n1,B,300,A,400\n1,A,350,C,340\n"
    )
    assert codes(reading, "error") == [(4, "duplicate_row"), (5, "twice_in_round")]
    assert reading.issues[-1].params["other_line"] == 2
    assert len(reading.games) == 2


def test_gap_and_short_round() -> None:
    reading = reading_of(
        "Round,Player 1,Score 1,Player 2,Score 2\n"
        "1,A,400,B,300\n1,C,400,D,300\n2,A,400,C,300\n2,B,4,D,3\n4,A,400,D,300\n"
    )
    assert [issue.code for issue in reading.issues if issue.severity == "warning"] == ["round_gap", "round_short"]
    assert {issue.params["name"] for issue in reading.issues if issue.code == "no_entry"} == {"B", "C"}


def test_no_round_column() -> None:
    reading = reading_of("Jugador 1;Resultat 1;Jugador 2;Resultat 2\nA;1;B;0\nA;0;C;1\nB;1;C;0\n")
    assert [game.round for game in reading.games] == [1, 2, 3]
    assert codes(reading) == [(0, "no_round_column")]


def test_rounds_numbered_twice() -> None:
    heading = "Ronda;Jugador 1;Resultat 1;Jugador 2;Resultat 2\n"
    games_once = "1;A;1;B;0\n1;C;1;D;0\n2;A;1;C;0\n2;B;1;D;0\n"
    blocks = reading_of(heading + games_once + games_once.replace(";1;", ";0;", 1).replace(";0\n", ";1\n", 1))
    assert [game.round for game in blocks.games] == [1, 1, 2, 2, 3, 3, 4, 4]
    assert codes(blocks) == [(0, "two_games_a_round")]
    rows = "1;A;1;B;0\n1;B;1;A;0\n1;C;1;D;0\n1;D;0;C;1\n2;A;1;C;0\n2;C;1;A;0\n2;B;1;D;0\n2;D;1;B;0\n"
    pairs = reading_of(heading + rows)
    assert [game.round for game in pairs.games] == [1, 2, 1, 2, 3, 4, 3, 4]
    assert codes(pairs) == [(0, "two_games_a_round")]


def test_variants_of_a_name_are_asked_and_capitals_are_not() -> None:
    reading = reading_of(
        "Round,Player 1,Score 1,Player 2,Score 2\n1,ONA CÀDEC,400,B,300\n2,Ona Càdec,400,B,300\n3,Cadec Ona,400,B,300\n"
    )
    assert [person.name for person in reading.people] == ["Ona Càdec", "B", "Cadec Ona"]
    assert [code for line, code in codes(reading, "warning")] == ["name_variants"]


def test_not_played_pairings_are_pending() -> None:
    reading = reading_of("Round,Player 1,Score 1,Player 2,Score 2\n1,A,,B,\n")
    assert [game.kind for game in reading.games] == ["pending"]
    assert codes(reading) == [(2, "pending_game")]


def test_no_show() -> None:
    reading = reading_of("Ronda;Jugador 1;Punts 1;Jugador 2;Punts 2\n1;A;1;B;NP\n1;C;50;D;-50\n")
    assert [(game.kind, game.result_a) for game in reading.games] == [("forfeit", 2), ("forfeit", 2)]
    assert codes(reading) == [(3, "maybe_forfeit")]


def test_one_column_of_results() -> None:
    reading = reading_of("Ronda;Blanc;Negre;Resultat\n1;A;B;1-0\n1;C;D;½-½\n1;E;F;402 - 385\n1;G;H;won\n")
    assert [(game.result_a, game.score_a) for game in reading.games] == [(2, None), (1, None), (2, 402)]
    assert codes(reading, "error") == [(5, "bad_score")]


def test_scores_and_results_side_by_side() -> None:
    heading = "Ronda;Jugador 1;Resultat 1;Punts 1;Jugador 2;Resultat 2;Punts 2\n"
    reading = reading_of(heading + "1;A;1;400;B;0;300\n1;C;0;;D;1;\n1;E;0;400;F;1;300\n")
    assert [(game.result_a, game.score_a) for game in reading.games] == [(2, 400), (0, None)]
    assert codes(reading, "error") == [(4, "result_against_score")]


def test_title_above_the_headings() -> None:
    reading = reading_of("Open of the Wells\n\nRound,Player 1,Score 1,Player 2,Score 2\n1,A,400,B,300\n")
    assert reading.event.name == "Open of the Wells"
    assert [game.line for game in reading.games] == [4]


def test_missing_columns() -> None:
    assert codes(reading_of("Ronda;Jugador 1;Jugador 2\n1;A;B\n"), "error") == [
        (1, "column_missing"),
        (1, "column_missing"),
    ]
    assert codes(reading_of("Ronda;Jugador 1;Punts 1\n1;A;400\n"), "error") == [(1, "headings_missing")]


def test_repairs_and_rows_set_aside() -> None:
    text = "Round,Player 1,Score 1,Player 2,Score 2\n1,A,38O,B,300\n1,A,400,B,300\n"
    reading = reading_of(text, [Repair(2, 3, "380"), Repair(3)])
    assert games(reading) == [(1, "A", "B", "played", 380, 300, 1)]
    assert codes(reading) == []


def test_last_row_that_may_have_lost_a_figure() -> None:
    text = "Round,Player 1,Score 1,Player 2,Score 2\n1,A,400,B,300\n1,C,400,D,3"
    assert codes(reading_of(text), "error") == [(3, "last_row_cut")]
    assert codes(reading_of(text, [Repair(3, 5, "300")]), "error") == []


def test_workbook() -> None:
    data = xlsx(
        (
            "Full1",
            [
                ["Ronda", "Jugador 1", "Puntuació 1", "Jugador 2", "Puntuació 2", None],
                [1, "Ona", 400, "Pol", 380.0, " "],
                [1, "Iu", 0.5, "Eva", 0.5],
                [2, "Ona", 1, None, None],
            ],
        )
    )
    reading = read([("x.xlsx", data)])
    assert games(reading) == [
        (1, "Ona", "Pol", "played", 400, 380, 1),
        (1, "Iu", "Eva", "played", None, None, 0.5),
        (2, "Ona", None, "bye", None, None, 1),
    ]
    assert codes(reading, "error") == []


def test_one_sheet_a_round() -> None:
    heading = ["Blanc", "Punts", "Negre", "Punts"]
    data = xlsx(("Ronda 1", [heading, ["A", 400, "B", 300]]), ("Ronda 2", [heading, ["B", 401, "A", 300]]))
    assert [(game.round, game.result_a) for game in read([("x", data)]).games] == [(1, 2), (2, 2)]


def test_summary_is_plain() -> None:
    summary = read([fixture("federation5.csv")]).summary()
    assert set(summary) == {"format", "event", "counts", "people", "games", "rejected_lines", "issues"}
    assert summary["issues"][0].keys() == {"line", "column", "code", "severity", "text"}
