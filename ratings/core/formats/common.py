"""What the readers of result files share: building a `Reading` and the checks that do not depend on the format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from federation.core import limits
from federation.core.names import fold_key, same_spelling
from federation.core.reading import EventInfo, Issues, ReadGame, Reading, ReadPerson, Repair, SourceRow
from federation.core.tabular import Text, split_lines

SCORE_RANGE = (-200, 1500)
"""Scores outside are mistakes: the highest known ones are well below, penalties can make one negative."""


@dataclass(slots=True)
class Source:
    """One file on its way through a reader."""

    name: str
    data: bytes
    issues: Issues
    repairs: tuple[Repair, ...] = ()
    text: Text | None = None
    lines: list[str] = field(default_factory=list)
    ended: bool = True


def person_names(people: Sequence[ReadPerson]) -> dict[str, str]:
    """Return names by key."""
    return {person.key: person.name for person in people}


def lines_set_aside(source: Source) -> dict[int, str]:
    """Return the lines that a person set aside with their text in the file.

    Where a player is known by the place of the line, a line set aside keeps its number.
    """
    aside = {repair.line for repair in source.repairs if repair.text is None}
    if not aside or source.text is None:
        return {}
    lines, _ = split_lines(source.text.text)
    return {number: lines[number - 1] for number in aside if 0 < number <= len(lines)}


def natural_order(written: str) -> tuple[str, str, str]:
    """Return name, given and family name of a name that may be written ``Family, Given``.

    >>> natural_order("Càdec, Ona"), natural_order("Ona Càdec")
    (('Ona Càdec', 'Ona', 'Càdec'), ('Ona Càdec', '', ''))
    """
    name = " ".join(written.split())
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma and family and given and "," not in given:
        return f"{given} {family}", given, family
    return name.strip(" ,"), "", ""


def check_rounds(
    games: Sequence[ReadGame], people: Sequence[ReadPerson], issues: Issues, *, explicit: bool = False
) -> list[ReadGame]:
    """Return the games that do not contradict each other; add issues for those that do.

    A person has one entry a round, whatever its kind (spec section 9); the first one stays, later ones are errors that
    name the line of the first. Rounds without games and rounds shorter than the others are reported.

    Args:
        games: games in the order of the file.
        people: everybody in the file.
        issues: where to report.
        explicit: whether the format marks every absence; elsewhere short rounds and people without an entry are named.
    """
    names = person_names(people)
    seen: dict[tuple[int, str], ReadGame] = {}
    kept: list[ReadGame] = []
    for game in games:
        if game.a == game.b:
            issues.error("self_play", game.line, name=names.get(game.a, game.a), round=game.round)
            continue
        earlier = [(key, seen[game.round, key]) for key in (game.a, game.b) if key and (game.round, key) in seen]
        if earlier:
            doubled, other = earlier[0]
            if game.b is not None and {other.a, other.b} == {game.a, game.b}:
                issues.error(
                    "duplicate_row", game.line, round=game.round, other_line=other.line,
                    a=names.get(game.a, game.a), b=names.get(game.b, game.b),
                )  # fmt: skip
            else:
                issues.error(
                    "twice_in_round",
                    game.line,
                    round=game.round,
                    other_line=other.line,
                    name=names.get(doubled, doubled),
                )
            continue
        for key in (game.a, game.b):
            if key:
                seen[game.round, key] = game
        kept.append(game)
    _report_gaps(kept, issues)
    # While rows are refused nobody can say who is missing.
    if not explicit and not issues.has_errors:
        _report_missing(kept, names, issues)
    return kept


def _report_gaps(games: Sequence[ReadGame], issues: Issues) -> None:
    rounds = {game.round for game in games}
    for number in range(1, max(rounds, default=0)):
        if number not in rounds:
            issues.warning("round_gap", round=number)


def _report_missing(games: Sequence[ReadGame], names: dict[str, str], issues: Issues) -> None:
    per_round = Counter(game.round for game in games for key in (game.a, game.b) if key)
    if not per_round:
        return
    usual = Counter(per_round.values()).most_common(1)[0][0]
    last = max(per_round)
    if per_round[last] < usual:
        issues.warning("round_short", round=last, found=per_round[last], usual=usual)
    present = {(key, game.round) for game in games for key in (game.a, game.b) if key}
    for key, name in names.items():
        missing = [str(number) for number in sorted(per_round) if (key, number) not in present]
        if missing:
            issues.info("no_entry", name=name, rounds=", ".join(missing))


def check_names(people: Sequence[ReadPerson], issues: Issues) -> None:
    """Refuse names that are too long; warn of those that differ only in accents, word order or script.

    One of two such names may be misspelt: only a person can tell.
    """
    first: dict[str, ReadPerson] = {}
    for person in people:
        if len(person.name) > limits.MAX_NAME:
            issues.error("name_too_long", person.line, name=person.name, limit=limits.MAX_NAME)
            continue
        other = first.setdefault(fold_key(person.name), person)
        if other is person:
            continue
        if same_spelling(other.name, person.name):
            issues.error("same_name_twice", person.line, name=person.name, other_line=other.line)
        else:
            issues.warning("name_variants", person.line, name=person.name, other=other.name, other_line=other.line)


def score_fits(score: int) -> bool:
    """Whether a score is possible at all."""
    return SCORE_RANGE[0] <= score <= SCORE_RANGE[1]


def looks_like_forfeit(score_a: int, score_b: int) -> bool:
    """Whether two scores of named players look like a forfeit: one of them nothing or negative (50 to -50)."""
    return min(score_a, score_b) < 0 or (min(score_a, score_b) == 0 and max(score_a, score_b) > 0)


def half_points(score_a: int, score_b: int) -> int:
    """Return the half points of the first player: 2 won, 1 drawn, 0 lost.

    >>> half_points(400, 300), half_points(391, 391), half_points(1, 2)
    (2, 1, 0)
    """
    return 1 + (score_a > score_b) - (score_a < score_b)


def round_fits(number: int) -> bool:
    """Whether the number of a round is possible."""
    return 1 <= number <= limits.MAX_ROUNDS


def line_rows(source: Source) -> tuple[SourceRow, ...]:
    """Return the lines of a text file as rows of one cell."""
    return tuple(SourceRow(number, (line,), source.issues.file) for number, line in enumerate(source.lines, start=1))


def finish(
    source: Source,
    format_name: str,
    event: EventInfo,
    people: Sequence[ReadPerson],
    games: Sequence[ReadGame],
    columns: Sequence[str] = (),
    rows: Sequence[SourceRow] | None = None,
) -> Reading:
    """Return the reading of one file with its issues in order."""
    return Reading(
        format=format_name,
        event=event,
        people=tuple(people),
        games=tuple(games),
        issues=source.issues.sorted(),
        columns=tuple(columns),
        rows=line_rows(source) if rows is None else tuple(rows),
        encoding=source.text.encoding if source.text else "",
    )
