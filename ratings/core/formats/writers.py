"""Writers of results for other programs: tsh division, AUPAIR tournament file, results sheet as CSV.

All take a `Reading`, so that what was read, or what the site holds in the same form, can be written in any format.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence

from federation.core.errors import RuleError
from federation.core.names import fold
from federation.core.reading import ReadGame, Reading
from ratings.core.formats.aupair import END_MARK, NAME_WIDTH

_BYE_SCORE = 50
_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")
CSV_HEADINGS = ("Round", "Table", "Player 1", "Score 1", "Player 2", "Score 2")


def write_tsh(reading: Reading) -> bytes:
    """Return a tsh division in UTF-8, one line a person in the order of the reading.

    Raises:
        RuleError: ``scores_missing`` if a played game has no scores, ``pending_before_the_end`` if a game without
            result is followed by others.
    """
    lines: list[str] = []
    numbers = {person.key: place for place, person in enumerate(reading.people, start=1)}
    for person in reading.people:
        opponents: list[str] = []
        scores: list[str] = []
        started: list[str] = []
        for game in _entries(reading, person.key):
            opponents.append(str(_opponent(game, person.key, numbers)))
            started.append(_started(game, person.key))
            score = _tsh_score(game, person.key)
            if score is None:
                continue
            if len(scores) < len(opponents) - 1:
                raise RuleError("pending_before_the_end", {"name": person.name})
            scores.append(str(score))
        name = person.name.replace(";", " ")
        lines.append(
            f"{name:<26} {person.rating or 0} {' '.join(opponents)}; {' '.join(scores)}; ; p12 {' '.join(started)}"
        )
    return ("\n".join(lines) + "\n").encode()


def write_tou(reading: Reading) -> bytes:
    """Return an AUPAIR tournament file in ASCII with CRLF; names lose their accents and are cut at 20 letters.

    Raises:
        RuleError: ``scores_missing``; ``score_not_writable`` for one below 0 or above 999; ``pending_game``.
    """
    year, month, day = (reading.event.date or "0001-01-01").split("-")
    numbers = {person.key: place for place, person in enumerate(reading.people, start=1)}
    width = 4 if len(numbers) > 99 else 3
    lines = [f"*M{day}.{month}.{year} {ascii_name(reading.event.name)}", "*A", f"{0:>39}"]
    for person in reading.people:
        number = numbers[person.key]
        line = f"{ascii_name(person.name)[:NAME_WIDTH]:<{NAME_WIDTH}}"
        for game in _entries(reading, person.key):
            opponent = _opponent(game, person.key, numbers) or number
            mark = "+" if _started(game, person.key) == "1" or game.kind == "bye" else ""
            line += f" {_tou_figure(game, person.key):>4} {f'{mark}{opponent}':>{width}}"
        lines.append(line)
    return ("\r\n".join([*lines, END_MARK]) + "\r\n").encode("ascii")


def write_csv(reading: Reading, headings: Sequence[str] = CSV_HEADINGS) -> bytes:
    """Return the games as CSV in UTF-8 with a mark, which spreadsheets open as it is; texts never become formulas."""
    names = {person.key: person.name for person in reading.people}
    content = io.StringIO()
    writer = csv.writer(content, lineterminator="\r\n")
    writer.writerow(headings)
    for game in reading.games:
        if game.kind in ("absent", "void"):
            continue
        first, second = _csv_figures(game)
        opponent = "BYE" if game.b is None else names[game.b]
        row = (str(game.round), game.table, names[game.a], first, opponent, second)
        writer.writerow([_not_a_formula(cell) for cell in row])
    return content.getvalue().encode("utf-8-sig")


def ascii_name(name: str) -> str:
    """Return a name in ASCII with its capitals; other scripts are romanised.

    >>> ascii_name("Gal·la Pérez"), ascii_name("Вера Осинцева")
    ('Galla Perez', 'Vera Osintseva')
    """
    words: list[str] = []
    for word in name.replace("·", "").replace("ŀ", "l").replace("’", "'").split():
        plain = "".join(letter for letter in unicodedata.normalize("NFKD", word) if not unicodedata.combining(letter))
        words.append(plain if plain.isascii() else fold(word).title())
    return "".join(letter for letter in " ".join(filter(None, words)) if letter.isprintable())


def _entries(reading: Reading, key: str) -> list[ReadGame]:
    """Return one entry for each round; a round without any is an absence."""
    found = {game.round: game for game in reading.games if key in (game.a, game.b)}
    return [found.get(number, ReadGame(0, number, key, None, "absent")) for number in range(1, reading.last_round + 1)]


def _opponent(game: ReadGame, key: str, numbers: dict[str, int]) -> int:
    if game.kind in ("void", "absent") or game.b is None:
        return 0
    return numbers[game.b if game.a == key else game.a]


def _started(game: ReadGame, key: str) -> str:
    if game.b is None:
        return "0"
    if not game.first:
        return "3"
    return "1" if (game.first == "a") == (game.a == key) else "2"


def _own(game: ReadGame, key: str) -> tuple[int | None, int | None]:
    """Return score and half points of one player."""
    if game.a == key:
        return game.score_a, game.result_a
    return game.score_b, None if game.result_a is None else 2 - game.result_a


def _tsh_score(game: ReadGame, key: str) -> int | None:
    score, result = _own(game, key)
    if game.kind == "pending":
        return None
    if game.kind == "bye":
        return score or _BYE_SCORE
    if game.kind == "forfeit":
        return _BYE_SCORE if result == 2 else -_BYE_SCORE
    if game.kind in ("absent", "void"):
        return 0
    if score is None:
        raise RuleError("scores_missing", {"round": game.round}, str(game.line))
    return score


def _tou_figure(game: ReadGame, key: str) -> int:
    score, result = _own(game, key)
    if game.kind == "pending":
        raise RuleError("pending_game", {"round": game.round}, str(game.line))
    if game.kind == "bye":
        return 2001
    if game.kind == "forfeit":
        return 2150 if result == 2 else 100
    if game.kind in ("absent", "void"):
        return 0
    if score is None or result is None:
        raise RuleError("scores_missing", {"round": game.round}, str(game.line))
    if not 0 <= score <= 999:
        raise RuleError("score_not_writable", {"round": game.round, "score": score}, str(game.line))
    return result * 1000 + score


def _csv_figures(game: ReadGame) -> tuple[str, str]:
    if game.kind == "forfeit":
        if game.b is None:
            return ("1", "0") if game.result_a == 2 else ("0", "1")
        marks = {2: ("1", "NP"), 0: ("NP", "1")}
        return marks.get(-1 if game.result_a is None else game.result_a, ("NP", "NP"))
    if game.score_a is not None:
        return str(game.score_a), "" if game.score_b is None else str(game.score_b)
    if game.result_a is None:
        return "", ""
    figures = ("0", "0.5", "1")
    return figures[game.result_a], figures[2 - game.result_a]


def _not_a_formula(text: str) -> str:
    """Keep a text from being taken for a formula; negative numbers stay numbers."""
    if text.startswith(_FORMULA_SIGNS) and not text.lstrip("-").isdigit():
        return "'" + text
    return text
