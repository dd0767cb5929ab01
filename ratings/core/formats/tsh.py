"""tsh division files (`.t`), their configuration (`config.tsh`) and archives of both (`.tsh`).

One line a player; its place among the players is the number. Before the first ``;``: name, rating, opponents; second
field: own scores; then ``key values`` fields in any order. Opponent 0 is no game: a positive score is a bye, a
negative one a forfeit, 0 an absence. Every game stands twice, and the two lines have to agree.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from federation.core import limits
from federation.core.reading import EventInfo, Issues, ReadGame, Reading, ReadPerson, SourceRow
from federation.core.tabular import parse_date
from ratings.core.formats.common import (
    Source,
    check_names,
    check_rounds,
    finish,
    half_points,
    line_rows,
    lines_set_aside,
    looks_like_forfeit,
    natural_order,
    round_fits,
    score_fits,
)

# Expressions see only the head of a line, so that no line however long can hold a reader up.
_HEAD = 500
_SECTION_BEGIN = re.compile(r"#begin_file\s+name=(\S.*)", re.IGNORECASE)
_SECTION_END = re.compile(r"^#end_file\b", re.IGNORECASE)


@dataclass(slots=True)
class Player:
    """A line of a division, with the column of each figure for the issues."""

    number: int
    line: int
    written: str
    rating: int
    opponents: list[tuple[int, int]] = field(default_factory=list)
    scores: list[tuple[int, int]] = field(default_factory=list)
    started: list[int] = field(default_factory=list)
    boards: list[int] = field(default_factory=list)
    broken: bool = False
    #: The line was set aside: it only keeps the number.
    aside: bool = False


def looks_like_division(lines: Sequence[str]) -> bool:
    """Whether most lines are players of a division, at least one with scores."""
    filled = [line[:_HEAD] for line in lines if line.strip() and not line.lstrip().startswith("#")][:200]
    players = [line for line in filled if _looks_like_player(line)]
    return any(";" in line for line in players) and len(players) * 2 >= len(filled)


def _looks_like_player(line: str) -> bool:
    words = line.partition(";")[0].split()
    figures = [word.isascii() and word.isdigit() for word in words]
    return any(figures) and not figures[0] and all(figures[figures.index(True) :])


def looks_like_configuration(lines: Sequence[str]) -> bool:
    """Whether the lines are a configuration or an archive."""
    return any(
        _section_name(line)
        or (words[:1] == ["config"] and len(words) > 2)
        or (words[:1] == ["division"] and len(words) > 2)
        for line in lines
        if (words := line[:_HEAD].replace("=", " ").split())
    )


def _section_name(line: str) -> str:
    """Return the name of the file that an archive begins here, empty for other lines."""
    found = _SECTION_BEGIN.match(line[:_HEAD].rstrip())
    return found[1].replace("\\", "/").rsplit("/", 1)[-1] if found else ""


def _setting(line: str) -> tuple[str, str]:
    """Return name and value of a line ``config name = value``, empty for other lines."""
    words = line[:_HEAD].strip().rstrip("; ").replace("=", " = ", 1).split(None, 2)
    if len(words) < 3 or words[0] != "config":
        return "", ""
    return words[1].lower(), words[2].lstrip("= ").strip("\"' ")


def read_configuration(lines: Sequence[str]) -> tuple[EventInfo, dict[str, str]]:
    """Return the event of a configuration and the division name of each file, lower case, it names."""
    values: dict[str, str] = {}
    divisions: dict[str, str] = {}
    for line in lines:
        name, value = _setting(line)
        if name:
            values.setdefault(name, value)
        words = line[:_HEAD].split()
        if words[:1] == ["division"] and len(words) > 2:
            divisions[words[2].replace("\\", "/").rsplit("/", 1)[-1].lower()] = words[1].upper()
    rounds = values.get("max_rounds", "")
    return (
        EventInfo(
            values.get("event_name", "")[: limits.MAX_CELL],
            parse_date(values.get("event_date", "")),
            int(rounds) if rounds.isascii() and rounds.isdigit() and len(rounds) < 4 else 0,
        ),
        divisions,
    )


def read(divisions: Sequence[tuple[str, Source]], event: EventInfo) -> Reading:
    """Return the reading of one or more division files, each with its division's name."""
    several = len(divisions) > 1
    readings = [_read_division(source, name if several else "", event) for name, source in divisions]
    games = [game for reading in readings for game in reading.games]
    longest = max((reading.event.rounds for reading in readings), default=0)
    return Reading(
        format="tsh",
        event=replace(event, rounds=max(event.rounds, longest)),
        people=tuple(person for reading in readings for person in reading.people),
        games=tuple(games),
        issues=tuple(issue for reading in readings for issue in reading.issues),
        rows=tuple(row for reading in readings for row in reading.rows),
        encoding=readings[0].encoding if readings else "",
    )


def read_archive(source: Source) -> Reading:
    """Return the reading of an archive: the configuration followed by its files.

    Lines count from the start of the archive.
    """
    parts: dict[str, list[str]] = {}
    begins: dict[str, int] = {}
    current = ""
    configuration: list[str] = []
    for number, line in enumerate(source.lines):
        begin = _section_name(line)
        if begin:
            current = begin
            # Earlier lines stay as empty ones, so that the numbers of lines are those of the archive.
            parts[current] = [""] * (number + 1)
            begins[current] = number + 1
        elif _SECTION_END.match(line):
            current = ""
        elif current:
            parts[current].append(line)
        else:
            configuration.append(line)
    if current and not re.search(r"\.t$", current, re.IGNORECASE):
        configuration += parts[current]
    if current:
        source.issues.warning("end_missing", len(source.lines), mark="#end_file")
    for name, lines in parts.items():
        if name.lower().endswith(".tsh"):
            configuration += lines
    event, names = read_configuration(configuration)
    divisions = []
    for name, lines in parts.items():
        if name.lower().endswith(".t") or (name.lower() in names):
            whole = source.ended or name != current
            own = tuple(repair for repair in source.repairs if begins[name] < repair.line <= len(lines))
            part = Source(name, b"", Issues(source.issues.file), own, source.text, lines, whole)
            divisions.append((names.get(name.lower(), name.rsplit(".", 1)[0].upper()), part))
    reading = read(divisions, event)
    if not divisions:
        source.issues.error("no_games")
    issues = tuple(source.issues.sorted()) + reading.issues
    rows: tuple[SourceRow, ...] = line_rows(source)
    return replace(reading, issues=issues, rows=rows, encoding=source.text.encoding if source.text else "")


def _read_division(source: Source, section: str, event: EventInfo) -> Reading:
    issues = source.issues
    players = _players(source)
    _drop_cut_score(players, source)
    if not players and not issues.has_errors:
        issues.error("no_games")
    prefix = f"{section}/" if section else ""
    people = [_person(player, prefix, section, issues.file) for player in players if not player.aside]
    check_names(people, issues)
    games = check_rounds(_games(players, prefix, issues), people, issues, explicit=True)
    rounds = max((len(player.opponents) for player in players), default=0)
    for player in players:
        if len(player.opponents) < rounds and not player.broken and not player.aside:
            issues.warning(
                "rounds_missing", player.line, name=player.written, found=len(player.opponents), expected=rounds
            )
    return finish(source, "tsh", replace(event, rounds=max(event.rounds, rounds)), people, games)


def _drop_cut_score(players: Sequence[Player], source: Source) -> None:
    """Refuse the last score of a file that ends inside it: it may have lost a figure."""
    if source.ended or not players or players[-1].line != len(source.lines):
        return
    last = players[-1]
    # What the line does not say was perhaps lost with its end.
    last.broken = last.broken or source.lines[-1].count(";") < 2
    cut = source.lines[-1].count(";") == 1 and last.scores and abs(last.scores[-1][0]) < 100
    if cut and last.line not in {repair.line for repair in source.repairs}:
        score, column = last.scores.pop()
        source.issues.error("last_row_cut", last.line, column, score=score)


def _person(player: Player, prefix: str, section: str, file: str) -> ReadPerson:
    name, given, family = natural_order(player.written)
    return ReadPerson(
        key=f"{prefix}{player.number}",
        name=name,
        line=player.line,
        file=file,
        written=player.written,
        given=given,
        family=family,
        rating=player.rating,
        section=section,
    )


def _players(source: Source) -> list[Player]:
    players: list[Player] = []
    blank = 0
    aside = {
        number
        for number, line in lines_set_aside(source).items()
        if _looks_like_player(re.sub(r"(^|\s)#.*$", "", line[:_HEAD]))
    }
    for number, line in enumerate(source.lines, start=1):
        text = re.sub(r"(^|\s)#.*$", "", line)
        if number in aside:
            players.append(Player(len(players) + 1, number, "", 0, aside=True))
            continue
        if not text.strip():
            blank = number if not line.strip() else 0
            continue
        if blank and players:
            source.issues.warning("blank_line", blank)
        blank = 0
        players.append(_player(len(players) + 1, number, text, source.issues))
    return players


def _player(number: int, line: int, text: str, issues: Issues) -> Player:
    fields = text.split(";")
    words = [(found.group(), found.start() + 1) for found in re.finditer(r"\S+", fields[0])]
    split = next((place for place, (word, _) in enumerate(words) if re.fullmatch(r"\d+", word, re.ASCII)), len(words))
    written = " ".join(word for word, _ in words[:split])
    player = Player(number, line, written, 0)
    if not written:
        issues.error("name_empty", line, 1)
        player.broken = True
    if split == len(words):
        issues.error("rating_missing", line, len(fields[0].rstrip()) + 1, name=written)
        player.broken = True
        return player
    player.rating = _small(words[split][0])
    for place, (word, column) in enumerate(words[split + 1 :], start=1):
        if not re.fullmatch(r"\d{1,6}", word, re.ASCII):
            issues.error("bad_opponent", line, column, text=word, round=place)
            player.broken = True
            break
        player.opponents.append((int(word), column))
    if len(player.opponents) > limits.MAX_ROUNDS:
        issues.error("too_many_rounds", line, round=len(player.opponents), limit=limits.MAX_ROUNDS)
        del player.opponents[limits.MAX_ROUNDS :]
        player.broken = True
    _scores(player, fields, issues)
    offset = len(";".join(fields[:2])) + 1
    for content in fields[2:]:
        _field(player, content, offset, issues)
        offset += len(content) + 1
    return player


def _small(word: str) -> int:
    return int(word) if len(word) < 7 else 0


def _scores(player: Player, fields: Sequence[str], issues: Issues) -> None:
    if len(fields) < 2:
        return
    offset = len(fields[0]) + 1
    for found in re.finditer(r"\S+", fields[1]):
        column = offset + found.start() + 1
        if not re.fullmatch(r"[+-]?\d{1,6}", found.group(), re.ASCII):
            issues.error("bad_score", player.line, column, text=found.group())
            player.broken = True
            break
        if not score_fits(int(found.group())):
            issues.error("score_impossible", player.line, column, score=found.group())
            player.broken = True
        player.scores.append((int(found.group()), column))
    if len(player.scores) > len(player.opponents) and not player.broken:
        issues.error(
            "more_scores_than_games", player.line, player.scores[len(player.opponents)][1],
            name=player.written, scores=len(player.scores), games=len(player.opponents),
        )  # fmt: skip
        player.broken = True


def _field(player: Player, content: str, offset: int, issues: Issues) -> None:
    """Read the fields the product uses (`p12`, `board`); all others are left alone, unknown ones included."""
    words = content.split()
    if not words or words[0].lower() not in ("p12", "board"):
        return
    values: list[int] = []
    for word in words[1:]:
        if not re.fullmatch(r"\d{1,6}", word, re.ASCII):
            issues.warning("bad_field", player.line, offset + content.find(word) + 1, text=word, field=words[0])
            break
        values.append(int(word))
    if words[0].lower() == "p12":
        player.started = values
    else:
        player.boards = values


def _games(players: Sequence[Player], prefix: str, issues: Issues) -> list[ReadGame]:
    games: list[ReadGame] = []
    for number in range(1, max((len(player.opponents) for player in players), default=0) + 1):
        for player in players:
            if number <= len(player.opponents):
                game = _game(player, number, players, prefix, issues)
                if game is not None:
                    games.append(game)
    return games


def _at(values: Sequence[tuple[int, int]], number: int) -> int | None:
    return values[number - 1][0] if number <= len(values) else None


def _game(player: Player, number: int, players: Sequence[Player], prefix: str, issues: Issues) -> ReadGame | None:
    opponent, column = player.opponents[number - 1]
    score = _at(player.scores, number)
    key = f"{prefix}{player.number}"
    if opponent == 0:
        return _no_game(player, number, column, score, key, issues)
    if opponent == player.number:
        issues.error("self_play", player.line, column, name=player.written, round=number)
        return None
    if opponent > len(players):
        issues.error("unknown_opponent", player.line, column, name=player.written, round=number, number=opponent)
        return None
    other = players[opponent - 1]
    if other.aside:
        issues.warning("opponent_set_aside", player.line, column, name=player.written, round=number, number=opponent)
        return None
    if _at(other.opponents, number) != player.number:
        issues.error(
            "opponents_disagree", player.line, column,
            round=number, name=player.written, opponent=other.written, other_line=other.line,
        )  # fmt: skip
        # The other line speaks for itself only if it names nobody.
        if number > len(other.opponents):
            issues.error("rounds_missing", other.line, name=other.written, found=len(other.opponents), expected=number)
        return None
    if player.number > opponent:
        return None
    return _pair(player, other, number, prefix, issues)


def _no_game(player: Player, number: int, column: int, score: int | None, key: str, issues: Issues) -> ReadGame | None:
    if score is None:
        if player.broken or not round_fits(number):
            return None
        issues.warning("pending_alone", player.line, column, name=player.written, round=number)
        return ReadGame(player.line, number, key, None, "pending", file=issues.file)
    if score == 0:
        return ReadGame(player.line, number, key, None, "absent", file=issues.file)
    if score > 0:
        return ReadGame(player.line, number, key, None, "bye", score, None, 2, file=issues.file)
    return ReadGame(player.line, number, key, None, "forfeit", score, None, 0, file=issues.file)


def _pair(player: Player, other: Player, number: int, prefix: str, issues: Issues) -> ReadGame | None:
    score, other_score = _at(player.scores, number), _at(other.scores, number)
    game = ReadGame(
        line=player.line,
        round=number,
        a=f"{prefix}{player.number}",
        b=f"{prefix}{other.number}",
        kind="pending",
        table=str(player.boards[number - 1]) if number <= len(player.boards) and player.boards[number - 1] else "",
        first=_started(player, other, number),
        file=issues.file,
        other_line=other.line,
    )
    if score is None and other_score is None:
        if player.broken or other.broken:
            return None
        issues.info("pending_game", player.line, a=player.written, b=other.written, round=number)
        return game
    if score is None or other_score is None:
        for one, two, missing in ((player, other, score), (other, player, other_score)):
            place = one.scores[number - 1][1] if missing is not None else one.opponents[number - 1][1]
            issues.error(
                "scores_disagree", one.line, place,
                round=number, name=one.written, opponent=two.written, other_line=two.line,
            )  # fmt: skip
        return None
    if not (score_fits(score) and score_fits(other_score)):
        return None
    if score == other_score == 0:
        issues.error("no_result", player.line, player.scores[number - 1][1])
        return None
    if looks_like_forfeit(score, other_score):
        issues.warning(
            "maybe_forfeit", player.line, player.scores[number - 1][1],
            round=number, a=player.written, b=other.written, score_a=score, score_b=other_score,
        )  # fmt: skip
        result = None if score < 0 and other_score < 0 else half_points(score, other_score)
        return replace(game, kind="forfeit", score_a=score, score_b=other_score, result_a=result)
    return replace(game, kind="played", score_a=score, score_b=other_score, result_a=half_points(score, other_score))


def _started(player: Player, other: Player, number: int) -> str:
    """Return who started; nobody where both lines claim it, as files in use do."""
    marks = [one.started[number - 1] if number <= len(one.started) else 3 for one in (player, other)]
    if marks[0] == marks[1]:
        return ""
    if marks[0] == 1 or marks[1] == 2:
        return "a"
    return "b" if marks[1] == 1 or marks[0] == 2 else ""
