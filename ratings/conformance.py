"""Adapter of the BARRUF vectors: it reads a case, calls the rules that the pages call, and gives their outcome.

The kinds of cases are those of specification section 13. There is no rule and no expectation here.
"""

import datetime
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from federation.core.conformance import ABSENT, Case, Difference, difference, within
from federation.core.errors import RuleError
from federation.core.ranking import competition_places
from federation.core.rounding import round_half_away
from ratings.core import barrisc, barruf, listing
from ratings.core.eligibility import reasons_against, reasons_of
from ratings.core.history import (
    BAD_RESULT,
    CLASSIC,
    KIND_NAMES,
    NO_RESULT,
    NOBODY,
    Event,
    Game,
    Kind,
    history_of,
    rating_order,
)
from ratings.core.merging import Opening, check_one_person, merged_opening
from ratings.core.replay import NO_RATING, Replay, opening_state, replay
from ratings.core.ruleset import PAGE, PRESETS, RuleSet
from ratings.core.seasons import season_of, season_start

Json = Mapping[str, Any]

_MAX_DIGITS: Final = 40


def cases(document: Json) -> Iterator[Case]:
    """Give the cases of a document of vectors.

    Raises:
        ValueError: the document has not the form of these vectors.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("cases"), list):
        raise ValueError('there is no list "cases"')
    if not all(isinstance(case, Mapping) for case in document["cases"]):
        raise ValueError("a case is not an object")
    rulesets = document.get("rulesets") or {}
    for number, case in enumerate(document["cases"]):
        yield Case(
            id=str(case.get("id", f"cases[{number}]")),
            expected=case.get("expected", ABSENT),
            run=partial(run_case, case, rulesets),
            compare=partial(_compare, case),
        )


def run_case(case: Json, rulesets: Json) -> Any:
    """Give the product's outcome of one case.

    Args:
        case: The case with `kind`, `input` and, if they are not the defaults, `ruleset` and `overrides`.
        rulesets: Parameters of rule sets by name; presets stand in for names or values that are missing.

    Raises:
        RuleError: the case contradicts a rule.
        KeyError: the kind or the rule set is unknown, or the input lacks something.
    """
    return _KINDS[case["kind"]](case["input"], _rules_of(case, rulesets))


def _compare(case: Json, expected: Any, actual: Any) -> Difference | None:
    """Compare with what is expected and, where a case has them, with the figures that a federation printed."""
    found = difference(expected, actual)
    if found is None and "published" in case:
        return within(case["published"], actual, float(case.get("precision", 0)))
    return found


def _rules_of(case: Json, rulesets: Json) -> RuleSet:
    name = case.get("ruleset") or "page"
    if name not in rulesets and name not in PRESETS:
        raise KeyError(f"rule set {name}")
    base = PRESETS.get(name, PAGE).to_parameters()
    return RuleSet.from_parameters({**base, **rulesets.get(name, {}), **(case.get("overrides") or {})})


# --- single rules -----------------------------------------------------------------------------------------------


def _expectation(data: Json, rules: RuleSet) -> Any:
    return {"expected": barruf.expectation(_rating(data["own"]), _rating(data["other"]), rules)}


def _multiplier(data: Json, rules: RuleSet) -> Any:
    return {"k": barruf.multiplier(_rating(data["rating"]), int(data["games"]), rules)}


def _rounding(data: Json, rules: RuleSet) -> Any:
    return {"rounded": round_half_away(_exact(data["value"]))}


def _single(data: Json, rules: RuleSet) -> Any:
    account = barruf.single_account(
        _rating(data["rating"]),
        [_rating(rating) for rating in data["opponents"]],
        _exact(data["wins"]),
        int(data["games_after"]),
        rules,
    )
    return {
        "before": account.before,
        "games": account.games,
        "wins": account.wins,
        "terms": list(account.terms),
        "expected": account.expected,
        "games_after": account.games_after,
        "k": account.k,
        "raw_change": account.raw_change,
        "change": account.change,
        "after": account.after,
    }


def _step(data: Json, rules: RuleSet) -> Any:
    outcome = barruf.step(_rating(data["before"]), _exact(data["wins"]), _exact(data["expected"]), int(data["k"]))
    return {"raw_change": outcome.raw_change, "change": outcome.change, "after": outcome.after}


def _eligibility(data: Json, rules: RuleSet) -> Any:
    event = _Players([]).event(data["event"])
    reasons = reasons_against(event, rules)
    return {"eligible": not reasons, "reasons": list(reasons)}


def _status(data: Json, rules: RuleSet) -> Any:
    season, last_season = season_start(data["season"]), season_start(data.get("last_season"))
    status, active = listing.state_of(int(data["games"]), last_season, season, rules)
    return {"status": status.code, "active": active}


def _category(data: Json, rules: RuleSet) -> Any:
    return {"category": listing.title_of(_rating(data["rating"]), rules)}


def _positions(data: Json, rules: RuleSet) -> Any:
    return {"positions": competition_places([_rating(rating) for rating in data["ratings"]])}


def _barrisc(data: Json, rules: RuleSet) -> Any:
    carry = data.get("carry")
    outcome = barrisc.barrisc(
        [_exact(value) for value in data.get("percentages") or ()],
        None if carry is None else _exact(carry),
        int(data.get("games") or 0),
        int(data.get("games_last") or 0),
    )
    return {"barrisc": outcome.mean, "active": outcome.active}


# --- replays ----------------------------------------------------------------------------------------------------


def _event(data: Json, rules: RuleSet) -> Any:
    players = _Players(data.get("players") or ())
    events = [players.event(data["event"])]
    return {"rows": _Season(players, events, rules, events[0].season).rows(0, eligible_only=False)}


def _season(data: Json, rules: RuleSet) -> Any:
    players = _Players(data.get("players") or ())
    events = [players.event(event) for event in data["events"]]
    season = _Season(players, events, rules, season_start(data["season"]))
    return season.outcome(_previous(season, data))


def _replay(data: Json, rules: RuleSet) -> Any:
    corrected = {str(identifier): event for identifier, event in (data.get("corrected") or {}).items()}
    after = [
        {"id": event["id"], **corrected[str(event["id"])]} if str(event["id"]) in corrected else event
        for event in data["events"]
    ]
    players = _Players(data.get("players") or ())
    events = [[players.event(event) for event in version] for version in (data["events"], after)]
    before, now = (_Season(players, version, rules, season_start(data["season"])) for version in events)
    return now.outcome(before.list())


def _merge(data: Json, rules: RuleSet) -> Any:
    players = _Players(data.get("players") or ())
    events = [players.event(event) for event in data["events"]]
    keep, drop = players.number(data["keep"]), players.number(data["drop"])
    check_one_person(history_of(rating_order(events), len(players.ids)), keep, drop)
    players.join(keep, drop)
    joined = [
        replace(event, games=tuple(replace(g, a=_kept(g.a, keep, drop), b=_kept(g.b, keep, drop)) for g in event.games))
        for event in events
    ]
    season = _Season(players, joined, rules, season_start(data["season"]))
    return season.outcome(_previous(season, data))


def _kept(player: int, keep: int, drop: int) -> int:
    return keep if player == drop else player


def _previous(season: "_Season", data: Json) -> listing.RatingList | None:
    """Give the list of the previous season made from the opening data before any event."""
    code = data.get("previous_season")
    if code is None:
        return None
    return _Season(season.players, [], season.rules, season_start(code)).list()


class _Players:
    """The players of a case: identifiers, their numbers in the replay, and their opening data."""

    def __init__(self, players: Iterable[Json]) -> None:
        self.ids: list[Any] = []
        self.openings: dict[int, Opening] = {}
        self._numbers: dict[Any, int] = {}
        for player in players:
            number = self.number(player["id"])
            if number in self.openings:
                raise ValueError(f"player {player['id']} is there twice")
            self.openings[number] = _opening(player)

    def number(self, identifier: Any) -> int:
        """Give the number of a player, a new one at his first mention."""
        if identifier not in self._numbers:
            self._numbers[identifier] = len(self.ids)
            self.ids.append(identifier)
        return self._numbers[identifier]

    def event(self, event: Json) -> Event:
        """Read an event."""
        day = datetime.date.fromisoformat(event["rating_date"]) if event.get("rating_date") else datetime.date.min
        season = event.get("season")
        return Event(
            id=event["id"],
            season=season_of(day) if season is None else season_start(season),
            rating_date=day,
            sequence=int(event.get("sequence") or 0),
            classic=(event.get("modality") or CLASSIC) == CLASSIC,
            published=event.get("published") is not False,
            games=tuple(self._game(game) for game in event.get("games") or ()),
        )

    def _game(self, game: Json) -> Game:
        a, b, kind = game.get("a"), game.get("b"), game.get("kind")
        return Game(
            round=int(game["round"]),
            a=NOBODY if a is None else self.number(a),
            b=NOBODY if b is None else self.number(b),
            kind=Kind.PLAYED if kind is None else KIND_NAMES.get(kind, Kind.UNKNOWN),
            result=_result(game.get("result")),
        )

    def join(self, keep: int, drop: int) -> None:
        """Join the opening data of two records of one person."""
        opening = merged_opening(self.openings.get(keep), self.openings.pop(drop, None))
        if opening is not None:
            self.openings[keep] = opening

    def order(self) -> np.ndarray:
        """Give each player's place in the order of identifiers."""
        numbers = all(isinstance(identifier, int) for identifier in self.ids)
        order = sorted(range(len(self.ids)), key=lambda i: (self.ids[i] if numbers else 0, str(self.ids[i])))
        places = np.empty(len(order), dtype=np.int64)
        places[order] = np.arange(len(order))
        return places


class _Season:
    """A replay of events and the list of a season."""

    def __init__(self, players: _Players, events: Iterable[Event], rules: RuleSet, season: int) -> None:
        self.players = players
        self.rules = rules
        self.season = season
        self.events = rating_order(events)
        names = {event.id for event in self.events}
        if len(names) < len(self.events):
            raise ValueError("two events have the same id")

    def replay(self, *, eligible_only: bool = True) -> Replay:
        """Replay all events."""
        count = len(self.players.ids)
        records = [self.players.openings.get(player) or Opening() for player in range(count)]
        opening = opening_state(
            count,
            self.season,
            rating=np.array([NO_RATING if r.rating is None else r.rating for r in records], dtype=np.int64),
            games=np.array([r.games for r in records], dtype=np.int64),
            wins_half=np.array([r.wins_half for r in records], dtype=np.int64),
            last_season=np.array([r.last_season for r in records], dtype=np.int64),
        )
        return replay(history_of(self.events, count), [self.rules], opening, eligible_only=eligible_only)

    def rows(self, event: int, *, eligible_only: bool = True, done: Replay | None = None) -> dict[Any, Any]:
        """Give the lines of an event by player."""
        ledger = (done or self.replay(eligible_only=eligible_only)).ledger
        return {
            str(self.players.ids[ledger.player[line]]): {
                "before": int(ledger.before[line]),
                "games": int(ledger.games[line]),
                "wins": Fraction(int(ledger.wins_half[line]), 2),
                "expected": ledger.expected_of(line),
                "games_after": int(ledger.games_after[line]),
                "k": int(ledger.k[line]),
                "raw_change": ledger.raw_of(line),
                "change": int(ledger.change[line]),
                "after": int(ledger.after[line]),
            }
            for line in range(*ledger.lines_of(event).indices(len(ledger)))
        }

    def list(self, done: Replay | None = None) -> listing.RatingList:
        """Give the list of the season."""
        entered = np.zeros(len(self.players.ids), dtype=np.bool_)
        entered[list(self.players.openings)] = True
        state = (done or self.replay()).state
        return listing.rating_list(state, self.rules, entered=entered, number=self.players.order())

    def outcome(self, previous: listing.RatingList | None) -> dict[str, Any]:
        """Give events and list, compared with a previous list if there is one."""
        done = self.replay()
        current = self.list(done)
        comparison = listing.compare(current, previous) if previous is not None else None
        return {
            "events": [self._event_outcome(position, done) for position in range(len(self.events))],
            "list": [self._list_row(row) for row in current.rows(comparison)],
        }

    def _event_outcome(self, position: int, done: Replay) -> dict[str, Any]:
        reasons = list(reasons_of(int(done.failed_conditions[position])))
        event = self.events[position].id
        return {"id": event, "eligible": not reasons, "reasons": reasons, "rows": self.rows(position, done=done)}

    def _list_row(self, row: listing.ListRow) -> dict[str, Any]:
        shown = {
            "id": self.players.ids[row.player],
            "status": row.status,
            "position": row.position,
            "rating": row.rating,
            "category": row.title,
            "games": row.games,
            "wins": row.wins,
            "season_games": row.season_games,
            "season_wins": row.season_wins,
            "last_season": row.last_season,
            "active": row.active,
            "debut": row.debut,
        }
        if row.change is not None:
            shown |= {
                "progress": row.change.progress,
                "games_since": row.change.games_since,
                "corrected": row.change.corrected,
                "moved": row.change.moved,
            }
        return shown


# --- reading ----------------------------------------------------------------------------------------------------


def _opening(player: Json) -> Opening:
    rating = player.get("rating")
    return Opening(
        rating=None if rating is None else _rating(rating),
        games=int(player.get("games") or 0),
        wins_half=barruf.half_points(_exact(player.get("wins") or 0)),
        last_season=season_start(player.get("last_season")),
    )


def _exact(value: Any) -> Fraction:
    if isinstance(value, bool):
        raise TypeError(f"{value} is not a number")
    try:
        number = Decimal(str(value))
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not a number") from error
    if not number.is_finite() or abs(number.adjusted()) > _MAX_DIGITS:
        raise ValueError(f"{value!r} is not a number of usual size")
    return Fraction(number)


def _rating(value: Any) -> int:
    return barruf.opening_rating(_exact(value))


def _result(value: Any) -> int:
    """Read a result in half points; what is no score of a game stays for the check of the data to find."""
    if value is None:
        return NO_RESULT
    try:
        return barruf.half_points(_exact(value))
    except (RuleError, TypeError, ValueError, OverflowError):
        return BAD_RESULT


_KINDS: dict[str, Callable[[Json, RuleSet], Any]] = {
    "expectation": _expectation,
    "multiplier": _multiplier,
    "rounding": _rounding,
    "single": _single,
    "step": _step,
    "eligibility": _eligibility,
    "status": _status,
    "category": _category,
    "positions": _positions,
    "event": _event,
    "season": _season,
    "replay": _replay,
    "merge": _merge,
    "barrisc": _barrisc,
}

__all__ = ["cases", "run_case"]
