"""AUPAIR tournament files (`.tou`) and rating lists (`.RT`, `.dat`).

A tournament file: ``*M`` with date and title, ``*X`` opens a section, the line that begins with a blank is the
high-word line, then one line a player: name in 20 columns, and for each round a blank, a prefix (2 won, 1 drawn, none
lost), the score in 3 digits, a blank, and the opponent, right aligned, with ``+`` if this player started. Some files
have single blanks instead of columns. A player with his own number as opponent has no game: 2001 or 50 a bye, 2150
and 100 a forfeit won and lost, 0 an absence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from federation.core import limits
from federation.core.reading import EventInfo, Issues, ReadGame, Reading, ReadPerson
from federation.core.tabular import parse_date
from ratings.core.formats.common import (
    Source,
    check_names,
    check_rounds,
    finish,
    half_points,
    lines_set_aside,
    looks_like_forfeit,
)

END_MARK = "*** END OF FILE ***"
NAME_WIDTH = 20
_ENTRY = re.compile(r"\s+(\d{1,4})\s+(\+?) {0,3}(\d{1,4})(?=\s|$)", re.ASCII)
_HEADER = re.compile(r"^\*M\s*(\d{1,2}\.\d{1,2}\.\d{4})?\s*(.*)$")
_SECTION = re.compile(r"^\*([A-Z0-9])\s*$", re.IGNORECASE)

_BYES = (2001, 2050, 50)
_FORFEIT_WON, _FORFEIT_LOST, _ABSENT = 2150, 100, 0


@dataclass(frozen=True, slots=True)
class Entry:
    """What a line says of one round: the figure as written, the opponent and the column."""

    value: int
    opponent: int
    started: bool
    column: int


@dataclass(slots=True)
class Player:
    """A line of a section."""

    number: int
    line: int
    name: str
    section: str
    entries: list[Entry] = field(default_factory=list)
    broken: bool = False
    #: The line was set aside: it only keeps the number.
    aside: bool = False


def looks_like_tournament(lines: Sequence[str]) -> bool:
    """Whether the first filled lines open a tournament file."""
    head = [line for line in lines if line.strip()][:5]
    return any(re.match(r"^\*M\s*\d", line) for line in head) or (
        bool(head) and head[0].startswith("*M") and any(_SECTION.match(line) for line in head[1:])
    )


def read_tournament(source: Source) -> Reading:
    """Return the reading of a tournament file; several sections are numbered apart."""
    issues = source.issues
    event, players, ended = _lines(source)
    if not ended:
        issues.warning("end_missing", len(source.lines), mark=END_MARK)
    sections = list(dict.fromkeys(player.section for player in players))
    people: list[ReadPerson] = []
    games: list[ReadGame] = []
    rounds = max((len(player.entries) for player in players), default=0)
    for section in sections:
        members = [player for player in players if player.section == section]
        prefix = f"{section}/" if len(sections) > 1 else ""
        group = [_person(player, prefix, issues.file) for player in members if not player.aside]
        people += group
        check_names(group, issues)
        games += check_rounds(_games(members, prefix, issues), group, issues, explicit=True)
    for player in players:
        if len(player.entries) < rounds and not player.broken and not player.aside:
            issues.warning("rounds_missing", player.line, name=player.name, found=len(player.entries), expected=rounds)
    if not players and not issues.has_errors:
        issues.error("no_games")
    return finish(source, "aupair", replace(event, rounds=rounds), people, games)


def _person(player: Player, prefix: str, file: str) -> ReadPerson:
    return ReadPerson(
        key=f"{prefix}{player.number}", name=player.name, line=player.line, file=file, section=prefix.rstrip("/")
    )


def _lines(source: Source) -> tuple[EventInfo, list[Player], bool]:
    event = EventInfo()
    section = ""
    players: list[Player] = []
    places: Counter[str] = Counter()
    high_word_due = False
    aside = {number for number, line in lines_set_aside(source).items() if line[:1].strip(" \t*")}
    for number, line in enumerate(source.lines, start=1):
        if number in aside:
            places[section] += 1
            players.append(Player(places[section], number, "", section, aside=True))
            continue
        if line.startswith("***"):
            return event, players, "END" in line.upper()
        header = _HEADER.match(line)
        if header:
            if not event.name and not event.date:
                event = EventInfo(header[2].strip()[: limits.MAX_CELL], parse_date(header[1] or ""))
                if header[1] and not event.date:
                    source.issues.warning("bad_date", number, 3, text=header[1])
            continue
        opening = _SECTION.match(line)
        if opening:
            section, high_word_due = opening[1].upper(), True
            continue
        if not line.strip():
            continue
        if line[0].isspace():
            if not high_word_due and re.search(r"[^\W\d_]{2}", line):
                source.issues.error("line_not_understood", number, 1, text=line.strip())
            high_word_due = False
            continue
        high_word_due = False
        if line.startswith("*"):
            source.issues.error("line_not_understood", number, 1, text=line)
            continue
        places[section] += 1
        players.append(_player(places[section], number, section, line, source.issues))
    return event, players, False


def _player(place: int, number: int, section: str, line: str, issues: Issues) -> Player:
    head = line[:NAME_WIDTH]
    if re.search(r"(^|\s)\+?\d+(\s|$)", head) or (len(line) > NAME_WIDTH and not line[NAME_WIDTH].isspace()):
        # Single blanks, no columns: the name is what stands before the first figure.
        found = re.search(r"\s\d", line)
        width = found.start() if found else len(line)
    else:
        width = min(NAME_WIDTH, len(line))
    name = " ".join(line[:width].split())
    player = Player(place, number, name, section)
    if not re.search(r"[^\W\d_]", name):
        issues.error("name_empty", number, 1)
        player.broken = True
    position = width
    end = len(line.rstrip())
    while position < end:
        found = _ENTRY.match(line, position)
        if not found:
            issues.error("bad_round_entry", number, position + 1, text=line[position:].strip())
            player.broken = True
            break
        player.entries.append(Entry(int(found[1]), int(found[3]), bool(found[2]), found.start(1) + 1))
        position = found.end()
    if len(player.entries) > limits.MAX_ROUNDS:
        issues.error("too_many_rounds", number, round=len(player.entries), limit=limits.MAX_ROUNDS)
        del player.entries[limits.MAX_ROUNDS :]
        player.broken = True
    return player


def _games(players: Sequence[Player], prefix: str, issues: Issues) -> list[ReadGame]:
    games: list[ReadGame] = []
    for number in range(1, max((len(player.entries) for player in players), default=0) + 1):
        for player in players:
            if number <= len(player.entries):
                entry = player.entries[number - 1]
                if entry.opponent in (player.number, 0):
                    game = _no_game(player, entry, number, prefix, issues)
                else:
                    game = _game(player, entry, number, players, prefix, issues)
                if game is not None:
                    games.append(game)
    return games


def _no_game(player: Player, entry: Entry, number: int, prefix: str, issues: Issues) -> ReadGame | None:
    game = ReadGame(player.line, number, f"{prefix}{player.number}", None, "absent", file=issues.file)
    if entry.value == _ABSENT:
        return game
    if entry.value in _BYES:
        return replace(game, kind="bye", result_a=2)
    if entry.value == _FORFEIT_WON:
        return replace(game, kind="forfeit", result_a=2)
    if entry.value == _FORFEIT_LOST:
        return replace(game, kind="forfeit", result_a=0)
    issues.error("unknown_no_game", player.line, entry.column, name=player.name, round=number, text=str(entry.value))
    return None


def _game(
    player: Player, entry: Entry, number: int, players: Sequence[Player], prefix: str, issues: Issues
) -> ReadGame | None:
    if entry.opponent > len(players):
        issues.error(
            "unknown_opponent", player.line, entry.column, name=player.name, round=number, number=entry.opponent
        )
        return None
    other = players[entry.opponent - 1]
    if other.aside:
        issues.warning(
            "opponent_set_aside", player.line, entry.column, name=player.name, round=number, number=entry.opponent
        )
        return None
    back = other.entries[number - 1] if number <= len(other.entries) else None
    if back is None or back.opponent != player.number:
        issues.error(
            "opponents_disagree", player.line, entry.column,
            round=number, name=player.name, opponent=other.name, other_line=other.line,
        )  # fmt: skip
        if back is None:
            issues.error("rounds_missing", other.line, name=other.name, found=len(other.entries), expected=number)
        return None
    if player.number > other.number:
        return None
    if entry.value == back.value == 0:
        issues.error("no_result", player.line, entry.column)
        return None
    return _pair(player, entry, other, back, number, prefix, issues)


def _pair(
    player: Player, entry: Entry, other: Player, back: Entry, number: int, prefix: str, issues: Issues
) -> ReadGame | None:
    score, other_score = entry.value % 1000, back.value % 1000
    first = "a" if entry.started else "b" if back.started else ""
    if entry.started and back.started:
        issues.info("both_started", player.line, round=number, name=player.name, opponent=other.name)
        first = ""
    game = ReadGame(
        line=player.line,
        round=number,
        a=f"{prefix}{player.number}",
        b=f"{prefix}{other.number}",
        kind="played",
        score_a=score,
        score_b=other_score,
        result_a=half_points(score, other_score),
        first=first,
        file=issues.file,
        other_line=other.line,
    )
    forfeit = {entry.value, back.value} == {_FORFEIT_WON, _FORFEIT_LOST}
    marks = (entry.value // 1000, back.value // 1000)
    if not forfeit and marks != (game.result_a, 2 - (game.result_a or 0)):
        for one, two, place in ((player, other, entry.column), (other, player, back.column)):
            issues.error(
                "result_contradicts", one.line, place,
                round=number, name=player.name, opponent=other.name, other_line=two.line,
                score_a=score, score_b=other_score,
            )  # fmt: skip
        return None
    if forfeit or looks_like_forfeit(score, other_score):
        issues.warning(
            "maybe_forfeit", player.line, entry.column,
            round=number, a=player.name, b=other.name, score_a=score, score_b=other_score,
        )  # fmt: skip
        return replace(game, kind="forfeit")
    return game


# --- rating lists ----------------------------------------------------------------------------------------------------


def looks_like_rating_list(lines: Sequence[str]) -> bool:
    """Whether the lines are a rating list: its heading, or columns of nickname, country, name, games, rating."""
    head = [line for line in lines if line.strip()][:12]
    if head and re.match(r"^NICK\s*(state|country)?\s*NAME\b", head[0], re.IGNORECASE):
        return True
    fitting = sum(bool(re.match(r"^.{4} .{3} .{20}\s+\d+\s+\d+\s+\d{8}", line)) for line in head)
    return len(head) > 1 and fitting * 2 > len(head)


def read_rating_list(source: Source) -> Reading:
    """Return the people of a rating list, without games."""
    issues = source.issues
    people: list[ReadPerson] = []
    for number, line in enumerate(source.lines, start=1):
        if not line.strip() or re.match(r"^NICK\s*(state|country)?\s*NAME\b", line, re.IGNORECASE):
            continue
        if line.startswith("***"):
            break
        person = _list_row(number, line, issues)
        if person is not None:
            people.append(person)
    check_names(people, issues)
    if not people and not issues.has_errors:
        issues.error("no_rows")
    return finish(source, "aupair-ratings", EventInfo(), people, ())


def _list_row(number: int, line: str, issues: Issues) -> ReadPerson | None:
    name = " ".join(line[9:29].split())
    rest = [(found.group(), found.start() + 30) for found in re.finditer(r"\S+", line[29:])]
    if not re.search(r"[^\W\d_]", name) or len(rest) < 2:
        issues.error("line_not_understood", number, 10, text=line.strip())
        return None
    for (word, column), heading in zip(rest, ("games", "rating"), strict=False):
        if not re.fullmatch(r"\d{1,6}", word, re.ASCII):
            issues.error("bad_number", number, column, text=word, column=heading)
            return None
    last_played = ""
    if len(rest) > 2:
        last_played = _played_on(number, *rest[2], issues)
    else:
        issues.warning("bad_date", number, text="")
    deviation = None
    if len(rest) > 3:
        if re.fullmatch(r"\d{1,6}(\.\d+)?", rest[3][0], re.ASCII):
            deviation = float(rest[3][0])
        else:
            issues.warning("bad_number", number, rest[3][1], text=rest[3][0], column="deviation")
    return ReadPerson(
        key=str(number),
        name=name,
        line=number,
        file=issues.file,
        rating=int(rest[1][0]),
        country=line[5:8].strip(),
        nick=line[:4].strip(),
        games=int(rest[0][0]),
        last_played=last_played,
        deviation=deviation,
    )


def _played_on(number: int, word: str, column: int, issues: Issues) -> str:
    if re.fullmatch(r"\d{8}", word, re.ASCII):
        year, second, third = int(word[:4]), int(word[4:6]), int(word[6:])
        if _is_date(year, second, third):
            return word
        if _is_date(year, third, second):
            swapped = f"{word[:4]}{word[6:]}{word[4:6]}"
            issues.info("date_swapped", number, column, text=word, date=swapped)
            return swapped
        if word == "00000000":
            return ""
    issues.warning("bad_date", number, column, text=word)
    return ""


def _is_date(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True
