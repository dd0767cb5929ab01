"""Results of an event from a file: checked against what is stored, their effect, stored and withdrawn."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.core.reading import Issue, ReadGame
from federation.problems import explain
from federation.registry.models import Entry, Event, Person
from federation.registry.services.events import add_entry, withdraw_entry
from federation.uploads import registry
from federation.uploads.models import Upload
from federation.uploads.registry import Committed, EffectRow, Outcome, Work
from ratings.codes import RATING_SYSTEM
from ratings.core.history import KIND_NAMES, NOBODY
from ratings.core.rounds import Entrant, GameRow, result_of_scores
from ratings.models import Game, GameKind, ListRow, RatingSystem
from ratings.presenters.whether import long_reason
from ratings.queries.results import current_games, entrants
from ratings.services.effects import effect_of_event
from ratings.services.replaying import NewGame
from ratings.services.results import ENTRY_STATES, enter_games, remove_games

#: What two rows are the same by: everything but the side they are told from.
Fact = tuple[int, int, int, str, int | None, int | None, int | None, bool]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the file in terms of persons."""

    game: ReadGame
    a: int
    b: int | None
    fact: Fact


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rows of the file beside what the event has.

    Attributes:
        new: rows to be stored.
        known: rows that are stored already.
        absent: rows that store nothing.
        pairings: stored pairings without a result that a row of the file completes, by key.
        issues: contradictions, and what is worth knowing.
    """

    new: tuple[Row, ...]
    known: tuple[Row, ...]
    absent: tuple[ReadGame, ...]
    pairings: frozenset[int]
    issues: tuple[Issue, ...]


# ---- from the file to facts -----------------------------------------------------------------------


def game_row(game: ReadGame, a: int, b: int | None) -> GameRow:
    """Return a row of a file as a fact between two numbers; the result follows from the scores."""
    score_a, score_b = game.score_a, game.score_b if game.score_a is not None else None
    result = game.result_a
    if game.kind == "played" and score_a is not None and score_b is not None:
        result = result_of_scores(score_a, score_b)
    if game.kind == "bye":
        result = 2 if result is None else result
    if game.kind in ("pending", "void"):
        result = None
    both = game.kind == "forfeit" and b is not None and result is None
    if game.kind == "forfeit" and result is None:
        result = 0
    board = int(game.table) if game.table.isascii() and game.table.isdigit() and 0 < int(game.table) < 1000 else None
    return GameRow(
        a=a,
        b=b,
        kind=game.kind,
        score_a=score_a,
        score_b=score_b,
        result=result,
        both_absent=both,
        board=board,
        round=game.round,
    )


def fact_of(row: GameRow, a: int, b: int | None) -> Fact:
    """Return what makes a row the same as another: persons in the order of their keys."""
    result, both = row.result, row.both_absent
    if b is None or a < b:
        return (row.round, a, b or 0, row.kind, row.score_a, row.score_b, result, both)
    turned = result if result is None or both else 2 - result
    return (row.round, b, a, row.kind, row.score_b, row.score_a, turned, both)


def compare(work: Work, event: Event) -> Comparison:
    """Lay the rows of a file beside what the event has. Two queries."""
    players = {entrant.number: entrant for entrant in entrants(event)}
    seats: dict[tuple[int, int], Game] = {}
    stored: set[Fact] = set()
    for there in current_games(event):
        persons = [players[entry.number].person for entry in (there.a, there.b) if entry is not None]
        stored.add(_stored_fact(there, persons))
        for seated in persons:
            seats[there.round, seated] = there
    rows: list[Row] = []
    known: list[Row] = []
    absent: list[ReadGame] = []
    pairings: set[int] = set()
    issues: list[Issue] = []
    for game in work.reading.games:
        if game.kind == "absent":
            absent.append(game)
            continue
        if game.b is None and game.kind not in ("bye", "forfeit"):
            name = work.names.get(game.a, game.a)
            issues.append(
                Issue(game.line, 0, "row_without_opponent", "error", {"name": name, "round": game.round}, game.file)
            )
            continue
        a, b = work.people.get(game.a), work.people.get(game.b) if game.b is not None else None
        if a is None or (game.b is not None and b is None) or a == b:
            continue
        row = Row(game, a, b, fact_of(game_row(game, a, b), a, b))
        if row.fact in stored:
            known.append(row)
            continue
        taken = {seat.pk: seat for person in (a, b) if person and (seat := seats.get((game.round, person)))}
        completed = _completed_pairing(game, a, b, taken, players)
        if completed is not None:
            pairings.add(completed)
        elif taken:
            issues.append(_conflict(work, game, next(iter(taken.values())), players))
            continue
        rows.append(row)
    if known:
        issues.append(Issue(0, 0, "stored_already", "info", {"count": len(known)}))
    if pairings:
        issues.append(Issue(0, 0, "replaces_pairing", "info", {"count": len(pairings)}))
    return Comparison(tuple(rows), tuple(known), tuple(absent), frozenset(pairings), tuple(issues))


def _stored_fact(game: Game, persons: Sequence[int]) -> Fact:
    row = GameRow(
        a=0,
        kind=game.kind,
        score_a=game.score_a,
        score_b=game.score_b,
        result=game.result,
        both_absent=game.both_absent,
        round=game.round,
    )
    return fact_of(row, persons[0], persons[1] if len(persons) > 1 else None)


def _completed_pairing(
    game: ReadGame, a: int, b: int | None, there: Mapping[int, Game], players: Mapping[int, Entrant]
) -> int | None:
    """Return the key of a stored pairing of the same two players that still has no result."""
    if len(there) != 1 or game.kind == "pending" or b is None:
        return None
    stored = next(iter(there.values()))
    if stored.kind != GameKind.PENDING or stored.b is None:
        return None
    return stored.pk if {players[stored.a.number].person, players[stored.b.number].person} == {a, b} else None


def _conflict(work: Work, game: ReadGame, stored: Game, players: Mapping[int, Entrant]) -> Issue:
    names = [players[entry.number].name for entry in (stored.a, stored.b) if entry is not None]
    params: dict[str, str | int] = {
        "round": game.round,
        "stored": _told(names, stored.kind, stored.score_a, stored.score_b, stored.result),
        "row": _told_row(work, game),
    }
    return Issue(game.line, 0, "stored_differently", "error", params, game.file)


def _told_row(work: Work, game: ReadGame) -> str:
    names = [work.names.get(key, key) for key in (game.a, game.b) if key is not None]
    return _told(names, game.kind, game.score_a, game.score_b, game.result_a)


def _told(names: Sequence[str], kind: str, score_a: int | None, score_b: int | None, result: int | None) -> str:
    """Return a row in a line that needs no language: names and figures."""
    halves = {0: "0–1", 1: "½–½", 2: "1–0"}
    if len(names) == 1:
        return f"{names[0]} ({kind})"
    if score_a is not None and score_b is not None:
        figures = f"{score_a}–{score_b}".replace("-", "−")
    else:
        figures = halves.get(-1 if result is None else result, "–")
    return f"{names[0]} {figures} {names[1]}" + ("" if kind == "played" else f" ({kind})")


# ---- check, effect --------------------------------------------------------------------------------


def check(work: Work) -> list[Issue]:
    """Return what speaks against storing the file in its event."""
    event = _event(work)
    issues: list[Issue] = []
    if event.state not in ENTRY_STATES:
        params = {"event": event.name, "state": event.get_state_display()}
        issues.append(Issue(0, 0, "results_closed", "error", params))
    if not work.reading.games and not work.reading.has_errors:
        issues.append(Issue(0, 0, "no_games", "error"))
    rounds = work.reading.last_round
    if event.rounds and rounds > event.rounds:
        issues.append(Issue(0, 0, "rounds_above_event", "warning", {"rounds": rounds, "announced": event.rounds}))
    issues += _date_issues(work, event)
    issues += _withdrawn_issues(work, event)
    return issues + list(compare(work, event).issues)


def _date_issues(work: Work, event: Event) -> list[Issue]:
    try:
        day = dt.date.fromisoformat(work.reading.event.date)
    except ValueError:
        return []
    if event.starts_on <= day <= event.ends_on:
        return []
    dates = {"date": day.isoformat(), "first": event.starts_on.isoformat(), "last": event.ends_on.isoformat()}
    return [Issue(0, 0, "date_outside_event", "warning", dates)]


def _withdrawn_issues(work: Work, event: Event) -> list[Issue]:
    left = {one.person: one for one in entrants(event) if one.withdrawn_after}
    issues: list[Issue] = []
    if not left:
        return issues
    for game in work.reading.games:
        for key in (game.a, game.b):
            entrant = left.get(work.people.get(key, 0)) if key is not None else None
            if entrant is not None and game.kind != "absent" and game.round > (entrant.withdrawn_after or 0):
                params: dict[str, str | int] = {
                    "name": entrant.name,
                    "round": entrant.withdrawn_after or 0,
                    "played": game.round,
                }
                issues.append(Issue(game.line, 0, "withdrawn_plays", "warning", params, game.file))
    return issues


def current_ratings(persons: Iterable[int]) -> dict[int, int]:
    """Return the ratings on the list in force. One query."""
    in_force = RatingSystem.objects.filter(code=RATING_SYSTEM).values("current_list")
    rows = ListRow.objects.filter(list__in=in_force, person__in=set(persons))
    return dict(rows.values_list("person_id", "rating"))


def effect(work: Work) -> registry.Effect | None:
    """Return the effect on everybody's rating if the file were stored and staff approved the event."""
    event = _event(work)
    system = RatingSystem.objects.filter(code=RATING_SYSTEM).first()
    if system is None:
        return None
    compared = compare(work, event)
    games = [_new_game(row) for row in compared.new]
    try:
        found = effect_of_event(event=event, games=games, removed=compared.pairings, system=system)
    except RuleError as error:
        return registry.Effect((), (explain(error, "uploads"),))
    rows = tuple(EffectRow(row.person, row.before, row.after, row.games_before, row.games_after) for row in found.rows)
    return registry.Effect(rows, tuple(long_reason(code) for code in found.reasons.get(event.pk, [])))


def _new_game(row: Row) -> NewGame:
    told = game_row(row.game, row.a, row.b)
    return NewGame(
        round=told.round,
        a=row.a,
        b=NOBODY if row.b is None else row.b,
        kind=int(KIND_NAMES[told.kind]),
        result=-1 if told.result is None else told.result,
    )


# ---- store, withdraw ------------------------------------------------------------------------------


def commit(work: Work, actor: User) -> Committed:
    """Enter the players that are not entered yet, and add the rows that are not stored yet."""
    event = _event(work)
    compared = compare(work, event)
    seats, made = _enter_people(work, event, actor)
    rows = [game_row(row.game, seats[row.a], seats[row.b] if row.b is not None else None) for row in compared.new]
    enter_games(event=event, games=rows, actor=actor, upload=work.upload)
    _note_withdrawals(work, event, made, actor)
    outcomes = [
        *(Outcome(row.game.line, "stored", _line(work, row.game), row.game.file) for row in compared.new),
        *(Outcome(row.game.line, "known", _line(work, row.game), row.game.file) for row in compared.known),
        *(Outcome(game.line, "nothing", _line(work, game), game.file) for game in compared.absent),
    ]
    return Committed(outcomes, {"entries": [entry.pk for entry in made.values()]})


def _line(work: Work, game: ReadGame) -> str:
    return f"{game.round} · {_told_row(work, game)}"


def _enter_people(work: Work, event: Event, actor: User) -> tuple[dict[int, int], dict[int, Entry]]:
    """Return the number in the event by person, and the entries made now."""
    numbers = {entrant.person: entrant.number for entrant in reversed(entrants(event))}
    back = {entrant.person for entrant in entrants(event) if entrant.withdrawn_after is not None}
    plays = {
        work.people[key]
        for game in work.reading.games
        if game.kind != "absent"
        for key in (game.a, game.b)
        if key is not None
    }
    wanted = [work.people[person.key] for person in work.reading.people if person.key in work.people]
    missing = [person for person in dict.fromkeys(wanted) if person not in numbers]
    records = Person.objects.in_bulk(missing)
    made: dict[int, Entry] = {}
    for person in missing:
        entry = add_entry(event=event, person=records[person], actor=actor)
        made[person] = entry
        numbers[person] = entry.number
    for entry in Entry.objects.filter(event=event, number__in=[numbers[person] for person in sorted(back & plays)]):
        withdraw_entry(entry=entry, after_round=None, actor=actor)
    return numbers, made


def _note_withdrawals(work: Work, event: Event, made: Mapping[int, Entry], actor: User) -> None:
    """Note for entries made now when the file says that somebody left."""
    last: dict[int, int] = defaultdict(int)
    for game in work.reading.games:
        for key in (game.a, game.b):
            if key is not None and game.kind in ("played", "bye", "pending"):
                person = work.people[key]
                last[person] = max(last[person], game.round)
    for read in work.reading.people:
        entry = made.get(work.people.get(read.key, 0))
        if entry is not None and read.withdrawn and last[entry.person_id] < work.reading.last_round:
            withdraw_entry(entry=entry, after_round=last[entry.person_id], actor=actor)


def withdraw(upload: Upload, actor: User, reason: str) -> None:
    """Supersede the games of the file. Entries made for it that play nowhere now are noted as withdrawn from the start.

    Entries themselves stay: superseded games point to them.
    """
    assert upload.event is not None
    event = Event.objects.get(pk=upload.event.pk)
    if event.state not in ENTRY_STATES:
        raise RuleError("results_closed", {"event": event.name, "state": event.get_state_display()})
    remove_games(event=event, upload=upload, actor=actor, reason=reason)
    made = Entry.objects.filter(pk__in=upload.receipt.get("undo", {}).get("entries", ()), event=event)
    playing = {entry for game in current_games(event) for entry in (game.a_id, game.b_id)}
    for entry in made.order_by("number", "pk"):
        if entry.pk not in playing:
            withdraw_entry(entry=entry, after_round=0, actor=actor)


def event_address(event: Event) -> str:
    """Return the address of an event at the desk."""
    return reverse("scrabble-desk-event", args=[event.slug])


def _event(work: Work) -> Event:
    assert work.event is not None, "results belong to an event"
    return work.event
