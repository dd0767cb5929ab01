"""The page of an event: standings, crosstable, wall, rounds, what counts, what was corrected."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Club, Entry, Event
from federation.registry.publication import public_name, short_name
from federation.web.numbers import MINUS, halves
from ratings.core import ruleset as core
from ratings.core import standings as rule
from ratings.models import Correction, Game, GameKind, LedgerRow
from ratings.presenters.account import figure
from ratings.presenters.names import is_named, listed_key, root_of
from ratings.queries.pages_players import terms_of

#: Largest field for which everybody against everybody fits on a page.
CROSSTABLE_PLAYERS: Final = 16
#: Share of all pairs that must have met for a crosstable to say something.
_CROSSTABLE_SHARE: Final = Fraction(2, 3)
VIEWS: Final = ("crosstable", "wall", "rounds", "players")


@dataclass(slots=True)
class Cell:
    """What a player did in a round, or against one other."""

    symbol: str = ""
    word: str = ""
    opponent: int | None = None
    scores: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    is_won: bool = False
    is_self: bool = False


@dataclass(slots=True)
class PlayerLine:
    """One line of the standings."""

    key: int
    number: int
    index: int
    place: int
    name: str
    short: str
    club: Club | None
    points: int
    played: int
    wins: int
    spread: int
    direct: int | None
    shares: bool
    ledger: LedgerRow | None
    expected: str = ""
    cells: list[Cell] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class RoundGame:
    """A game of a round, with the names of both sides."""

    board: int | None
    a: PlayerLine | None
    b: PlayerLine | None
    kind: str
    kind_text: str
    result: int | None
    score: str
    both_absent: bool
    round: int


@dataclass(frozen=True, slots=True)
class CorrectedGame:
    """A game as it was and as it is."""

    round: int
    board: int | None
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class CorrectionNote:
    """A correction: when, in which office, why, and the games."""

    at: datetime | None
    roles: list[str]
    reason: str
    errata: list[str]
    games: list[CorrectedGame]


@dataclass(slots=True)
class EventPage:
    """Everything that the page of an event shows."""

    event: Event
    lines: list[PlayerLine]
    rounds: list[int]
    games: list[Game]
    is_round_robin: bool
    is_rated: bool
    has_scores: bool
    by_key: dict[int, PlayerLine]
    entry_keys: dict[int, int]

    @property
    def played(self) -> list[Game]:
        """Games played."""
        return [game for game in self.games if game.kind == GameKind.PLAYED]


def event_page(
    event: Event, entries: Sequence[Entry], games: Sequence[Game], ledger: Mapping[int, LedgerRow]
) -> EventPage:
    """Lay out an event; two entries of one person are one line."""
    language = get_language() or "en"
    roots = {entry.pk: root_of(entry.person) for entry in entries}
    people = {person.pk: person for person in roots.values()}
    keys = {entry: person.pk for entry, person in roots.items()}
    order = sorted(people.values(), key=listed_key)
    rows = [
        rule.Entry(
            keys[game.a_id],
            keys.get(game.b_id) if game.b_id else None,
            str(game.kind),
            game.result,
            game.score_a,
            game.score_b,
            game.both_absent,
        )
        for game in games
        if game.a_id in keys
    ]
    known = [code for code in event.tie_breaks if code in rule.TIE_BREAKS]
    table = rule.standings([person.pk for person in order], rows, list(dict.fromkeys(known)))
    shared = {line.place for line, other in itertools.pairwise(table) if line.place == other.place}
    lines = []
    for index, line in enumerate(table, start=1):
        person = people[line.player]
        account = ledger.get(line.player)
        lines.append(
            PlayerLine(
                key=line.player,
                number=person.number,
                index=index,
                place=line.place,
                name=public_name(person, language),
                short=short_name(person, language),
                club=person.club if is_named(person) else None,
                points=line.points,
                played=line.played,
                wins=line.wins,
                spread=line.spread,
                direct=line.direct,
                shares=line.place in shared,
                ledger=account,
                expected="" if account is None else figure(account.expected, _is_double(account.expected)),
            )
        )
    page = EventPage(
        event=event,
        lines=lines,
        rounds=sorted({game.round for game in games}),
        games=list(games),
        is_round_robin=False,
        is_rated=bool(ledger),
        has_scores=any(game.score_a is not None and game.score_b is not None for game in games),
        by_key={line.key: line for line in lines},
        entry_keys=keys,
    )
    page.is_round_robin = _is_round_robin(page)
    return page


def _is_double(text: str) -> bool:
    """Whether a figure of the ledger is a double of the curve: more decimals than any table yields."""
    return "/" not in text and len(text.partition(".")[2]) > 6


def _is_round_robin(page: EventPage) -> bool:
    count = len(page.lines)
    if not 2 <= count <= CROSSTABLE_PLAYERS:
        return False
    pairs = {
        frozenset((page.entry_keys[game.a_id], page.entry_keys[game.b_id]))
        for game in page.played
        if game.b_id in page.entry_keys and game.a_id in page.entry_keys
    }
    return len(pairs) >= _CROSSTABLE_SHARE * count * (count - 1) / 2


def _sides(page: EventPage, game: Game) -> Iterable[tuple[int, int | None, int | None, str, bool]]:
    """Both sides of a row: player, opponent, half points, score own first, and whether it is the first side."""
    a = page.entry_keys.get(game.a_id)
    b = page.entry_keys.get(game.b_id) if game.b_id else None
    if a is not None:
        yield a, b, game.result, score_text(game.score_a, game.score_b), True
    if b is not None:
        other = None if game.result is None else 2 - game.result
        yield b, a, other, score_text(game.score_b, game.score_a), False


def score_text(own: int | None, other: int | None) -> str:
    """Game points, own first: «392–368»."""
    return "" if own is None or other is None else f"{own}–{other}".replace("-", MINUS)


def fill_crosstable(page: EventPage) -> None:
    """Give every line one cell for each opponent, in the order of the standings."""
    met: dict[tuple[int, int], Cell] = defaultdict(Cell)
    for game in page.games:
        if game.kind not in {GameKind.PLAYED, GameKind.FORFEIT}:
            continue
        for own, other, result, score, _first in _sides(page, game):
            if other is None:
                continue
            cell = met[own, other]
            if game.kind == GameKind.FORFEIT:
                points = 0 if game.both_absent or result is None else result
                cell.results.append(_("%(points)s f") % {"points": halves(points)})
                cell.scores.append(_("forfeit"))
            else:
                points = result or 0
                cell.results.append(halves(points))
                if score:
                    cell.scores.append(score)
            cell.is_won = points == 2 if len(cell.results) == 1 else cell.is_won and points == 2
    for line in page.lines:
        line.cells = [
            Cell(is_self=True) if other.key == line.key else met.get((line.key, other.key), Cell())
            for other in page.lines
        ]


def fill_wall(page: EventPage) -> None:
    """Give every line one cell for each round: «+12», with the opponent's number in the standings."""
    cells: dict[tuple[int, int], Cell] = {}
    for game in page.games:
        for own, other, result, score, is_first in _sides(page, game):
            cells[own, game.round] = _wall_cell(page, game, other, result, score, is_first)
    for line in page.lines:
        line.cells = [cells.get((line.key, number), Cell(symbol="–", word=_("not paired"))) for number in page.rounds]


def _wall_cell(page: EventPage, game: Game, other: int | None, result: int | None, score: str, is_first: bool) -> Cell:
    opponent = page.by_key[other].index if other in page.by_key else None
    if game.kind == GameKind.BYE:
        return Cell(symbol=_("bye"), word=_("bye"))
    if game.kind == GameKind.VOID:
        return Cell(symbol="×", word=_("void"), opponent=opponent)
    if game.kind == GameKind.PENDING or (result is None and not game.both_absent):
        return Cell(symbol="…", word=_("no result yet"), opponent=opponent)
    if game.kind == GameKind.FORFEIT:
        won = not game.both_absent and result == 2
        return Cell(
            symbol=_("+f") if won else _("−f"), word=_("forfeit won") if won else _("forfeit lost"), opponent=opponent
        )
    symbol, word = {2: ("+", _("won")), 1: ("=", _("drawn")), 0: (MINUS, _("lost"))}[result or 0]
    return Cell(symbol=symbol, word=word, opponent=opponent, scores=[score] if score else [], is_won=result == 2)


def round_games(page: EventPage, number: int | None = None) -> list[RoundGame]:
    """Games of a round, or of all, by board."""
    kinds = {
        GameKind.BYE: _("bye"),
        GameKind.FORFEIT: _("forfeit"),
        GameKind.VOID: _("void"),
        GameKind.PENDING: _("no result yet"),
    }
    return [
        RoundGame(
            board=game.board,
            a=page.by_key.get(page.entry_keys.get(game.a_id, 0)),
            b=page.by_key.get(page.entry_keys.get(game.b_id or 0, 0)),
            kind=str(game.kind),
            kind_text=kinds.get(GameKind(game.kind), ""),
            result=game.result,
            score=score_text(game.score_a, game.score_b),
            both_absent=game.both_absent,
            round=game.round,
        )
        for game in page.games
        if number is None or game.round == number
    ]


def checks(page: EventPage, rules: core.RuleSet, reasons: Sequence[str]) -> list[tuple[bool, str, str]]:
    """The conditions of section 6: whether each holds, its text and the figure of the event."""
    played = page.played
    rounds = len({game.round for game in played})
    players = len({page.entry_keys.get(side) for game in played for side in (game.a_id, game.b_id) if side is not None})
    pending = sum(game.kind == GameKind.PENDING for game in page.games)
    conditions = [
        ("not_approved", _("Results approved"), ""),
        ("not_classic", _("Classic scrabble"), ""),
        ("too_few_rounds", _("At least %(number)s rounds") % {"number": rules.min_rounds}, str(rounds)),
        ("too_few_players", _("At least %(number)s players") % {"number": rules.min_players}, str(players)),
        (
            "results_missing",
            _("No pairing without a result"),
            _("%(have)s of %(all)s") % {"have": len(played), "all": len(played) + pending},
        ),
        ("results_unpublished", _("Every result public or handed in"), ""),
    ]
    rows = [(code not in reasons, text, value) for code, text, value in conditions]
    if "excluded" in reasons:
        rows.insert(1, (False, _("Not excluded by the federation"), ""))
    return rows


@dataclass(frozen=True, slots=True)
class Record:
    """A game worth a line."""

    what: str
    a: PlayerLine
    b: PlayerLine
    round: int
    score: str


def records(page: EventPage) -> list[Record]:
    """Highest score, largest margin, closest game, most points in one game, longest odds beaten."""
    scored = [
        game for game in page.played if game.score_a is not None and game.score_b is not None and game.b_id is not None
    ]
    found = []
    if scored:
        margin = {game.pk: abs((game.score_a or 0) - (game.score_b or 0)) for game in scored}
        decided = [game for game in scored if margin[game.pk]] or scored
        for what, game in (
            (_("Highest score"), max(scored, key=lambda g: (max(g.score_a or 0, g.score_b or 0), -g.pk))),
            (_("Largest margin"), max(scored, key=lambda g: (margin[g.pk], -g.pk))),
            (_("Closest game"), min(decided, key=lambda g: (margin[g.pk], g.pk))),
            (_("Most points in one game"), max(scored, key=lambda g: ((g.score_a or 0) + (g.score_b or 0), -g.pk))),
        ):
            record = _record(page, what, game)
            if record:
                found.append(record)
    odds = _longest_odds(page)
    return [*found, *([odds] if odds else [])]


def _record(page: EventPage, what: str, game: Game) -> Record | None:
    """A game with the winner first."""
    a, b = page.by_key.get(page.entry_keys[game.a_id]), page.by_key.get(page.entry_keys.get(game.b_id or 0, 0))
    if a is None or b is None:
        return None
    if (game.result or 0) < 1:
        return Record(what, b, a, game.round, score_text(game.score_b, game.score_a))
    return Record(what, a, b, game.round, score_text(game.score_a, game.score_b))


def _longest_odds(page: EventPage) -> Record | None:
    """The game won with the smallest expectation; only below one half it is worth a line."""
    best: tuple[Fraction, int, Game] | None = None
    games = {game.pk: game for game in page.played}
    for line in page.lines:
        if line.ledger is None:
            continue
        for term in terms_of(line.ledger):
            game = games.get(term.game or 0)
            if game is None or term.result != 2:
                continue
            entry = (Fraction(term.expected), game.pk, game)
            if entry[0] < Fraction(1, 2) and (best is None or entry[:2] < best[:2]):
                best = entry
    if best is None:
        return None
    text = _("Longest odds beaten, %(percent)s %%") % {"percent": round(float(best[0]) * 100)}
    return _record(page, text, best[2])


def corrections(
    page: EventPage,
    rows: Sequence[Correction],
    games: Mapping[int, Game],
    roles: Mapping[int, Sequence[str]],
    directors: set[int],
) -> list[CorrectionNote]:
    """What was corrected after approval, oldest first."""
    return [
        CorrectionNote(
            at=row.decided_at,
            roles=list(roles.get(row.decided_by_id or 0, ()))
            or ([_("director of the event")] if row.decided_by_id in directors else []),
            reason=row.reason,
            errata=[one.number for one in row.errata.all()],
            games=[_corrected(page, change, games) for change in row.changes],
        )
        for row in rows
    ]


def _corrected(page: EventPage, change: Mapping[str, Any], games: Mapping[int, Game]) -> CorrectedGame:
    old = games.get(change.get("game") or 0)
    new = old.superseded_by if old is not None else None
    after = "" if change.get("remove") else _game_text(page, new) if new is not None else _change_text(page, change)
    return CorrectedGame(
        round=old.round if old is not None else int(change.get("round") or 0),
        board=old.board if old is not None else None,
        before=_game_text(page, old) if old is not None else "",
        after=after,
    )


def _game_text(page: EventPage, game: Game) -> str:
    return _row_text(page, game.a_id, game.b_id, str(game.kind), game.score_a, game.score_b, game.result)


def _change_text(page: EventPage, change: Mapping[str, Any]) -> str:
    return _row_text(
        page,
        change.get("a") or 0,
        change.get("b"),
        change.get("kind") or "played",
        change.get("score_a"),
        change.get("score_b"),
        change.get("result"),
    )


def _row_text(
    page: EventPage,
    a: int,
    b: int | None,
    kind: str,
    score_a: int | None,
    score_b: int | None,
    result: int | None,
) -> str:
    """A game in one line: «N. Farriol 352–375 V. Osintseva»."""
    one = page.by_key.get(page.entry_keys.get(a, 0))
    other = page.by_key.get(page.entry_keys.get(b or 0, 0))
    left = one.short if one else "–"
    if kind == GameKind.BYE:
        return f"{left}, {_('bye')}"
    middle = score_text(score_a, score_b)
    if not middle and result is not None:
        middle = f"{halves(result)}–{halves(2 - result)}"
    text = f"{left} {middle or '–'} {other.short if other else '–'}"
    return f"{text} ({_('forfeit')})" if kind == GameKind.FORFEIT else text
