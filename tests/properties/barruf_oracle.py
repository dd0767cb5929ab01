"""A slow, plain rating of whole histories, written from the specification alone: the referee of the fast replay."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

ROWS = [(0, 50), (40, 55), (75, 60), (110, 65), (150, 70), (195, 75), (240, 80), (295, 85), (365, 90), (465, 95)]
PRINTED_ORDER = ["bad_kind", "missing_player", "self_play", "twice_in_round", "bad_result"]


def higher_share(distance, lookup):
    if distance >= 465:
        return Fraction(95, 100)
    for (low, share), (high, next_share) in pairwise(ROWS):
        if low <= distance < high:
            if lookup == "reached" or distance == low:
                return Fraction(share, 100)
            if lookup == "next":
                return Fraction(next_share, 100)
            if lookup == "nearest":
                return Fraction(share if distance - low < high - distance else next_share, 100)
            return Fraction(share, 100) + Fraction(next_share - share, 100) * Fraction(distance - low, high - low)
    raise AssertionError(distance)


def expected(own, other, rules):
    if rules["mode"] == "normal":
        return NormalDist(0, 283.84).cdf(own - other)
    share = higher_share(abs(own - other), rules["lookup"])
    return share if own >= other else 1 - share


def k_factor(rating, games, rules):
    if rules["mode"] == "normal" or rating < 1500:
        return 30 if games <= 50 else 20
    if rating < 2000:
        return 24 if games <= 50 else 16
    return 15 if games <= 50 else 10


def rounded(value):
    if isinstance(value, float):
        return int(Decimal(value).quantize(Decimal(1), ROUND_HALF_UP))
    whole = abs(value.numerator) // value.denominator
    if abs(value) - whole >= Fraction(1, 2):
        whole += 1
    return whole if value >= 0 else -whole


def fault(events):
    """The code of the first contradiction, game by game; events are lists of games (round, a, b, kind, result)."""
    for games in events:
        seen = set()
        for round_number, a, b, kind, result in games:
            if kind not in ("played", "bye", "forfeit", "void", "pending"):
                return "bad_kind"
            if a is None or (b is None and kind not in ("bye", "forfeit")):
                return "missing_player"
            if a == b:
                return "self_play"
            here = {(round_number, player) for player in (a, b) if player is not None}
            if here & seen:
                return "twice_in_round"
            seen |= here
            if kind == "played" and result not in (0, 1, 2):
                return "bad_result"
    return None


def counts(games):
    played = [game for game in games if game[3] == "played"]
    rounds = {game[0] for game in played}
    players = {player for game in played for player in game[1:3]}
    return len(rounds) >= 3 and len(players) >= 4 and all(game[3] != "pending" for game in games)


def rate(events, seasons, opening, rules, season):
    """Rate all events; returns lines {(event, player): ...} and the final states {player: ...}."""
    first = 950 if rules["mode"] == "normal" else 999
    state = {
        player: {"rating": r, "games": g, "wins": Fraction(w, 2), "last": last, "season_games": 0, "season_wins": 0}
        for player, (r, g, w, last) in opening.items()
    }
    lines = {}
    for number, games in enumerate(events):
        if not counts(games):
            continue
        played = [game for game in games if game[3] == "played"]
        players = sorted({player for game in played for player in game[1:3]})
        before = {p: first if state[p]["rating"] is None else state[p]["rating"] for p in players}
        for player in players:
            own = []
            for _, a, b, _, result in played:
                if a == player:
                    own.append((b, Fraction(result, 2)))
                elif b == player:
                    own.append((a, 1 - Fraction(result, 2)))
            wins = sum(score for _, score in own)
            total = sum(expected(before[player], before[other], rules) for other, _ in own)
            now = state[player]
            now["games"] += len(own)
            now["wins"] += wins
            now["last"] = max(now["last"], seasons[number])
            if seasons[number] == season:
                now["season_games"] += len(own)
                now["season_wins"] += wins
            k = k_factor(before[player], now["games"], rules)
            raw = (wins - total) * k
            lines[number, player] = {
                "before": before[player],
                "games": len(own),
                "wins": wins,
                "expected": total,
                "games_after": now["games"],
                "k": k,
                "raw": raw,
                "change": rounded(raw),
            }
        for player in players:
            state[player]["rating"] = before[player] + lines[number, player]["change"]
    return lines, state
