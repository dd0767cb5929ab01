"""State of a player on a list, in words, with its reason."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.core.ruleset import RuleSet
from ratings.core.seasons import season_code
from ratings.models import ListRow

RANKED = "ranked"


@dataclass(frozen=True, slots=True)
class StateText:
    """A state: one or two words, and why."""

    code: str
    label: str
    reason: str


def season_label(start: int | None) -> str:
    """A season by its starting year, as readers write it: «2021–22»."""
    code = season_code(start) if start is not None else None
    return (code or "").replace("-", "–")


def label_of(status: str) -> str:
    """Name of a state."""
    labels = {
        "ranked": _("ranked"),
        "provisional": _("in expectation"),
        "inactive": _("inactive"),
        "new": _("no game yet"),
    }
    return labels.get(status, status)


def reason_of(status: str, games: int, last_season: int | None, rules: RuleSet) -> str:
    """Why a player has the state; empty for the ranked."""
    if status == "provisional":
        missing = max(rules.min_games - games, 1)
        return ngettext("%(number)s game to go", "%(number)s games to go", missing) % {"number": missing}
    if status == "inactive":
        if last_season is None or last_season < 0:
            return _("last game before the records")
        return _("last game in %(season)s") % {"season": season_label(last_season)}
    if status == "new":
        return _("no rated game yet")
    return ""


def state_of(row: ListRow, rules: RuleSet) -> StateText:
    """State of a row of a list."""
    return StateText(row.status, label_of(row.status), reason_of(row.status, row.games, row.last_season, rules))


def why_not_ranked(row: ListRow, rules: RuleSet, season_start: int) -> list[tuple[bool, str, str]]:
    """The conditions of a place on the list: whether each holds, the condition, and the player's figure."""
    first = season_start - (rules.active_seasons - 1)
    active = ngettext(
        "A rated game in this season",
        "A rated game in this season or the %(before)s before it",
        rules.active_seasons,
    ) % {"before": rules.active_seasons - 1}
    if rules.active_seasons == 2:
        active = _("A rated game in this season or the one before")
    last = season_label(row.last_season) if row.last_season is not None and row.last_season >= 0 else _("none known")
    return [
        (
            row.games >= rules.min_games,
            ngettext("At least %(number)s rated game", "At least %(number)s rated games", rules.min_games)
            % {"number": rules.min_games},
            str(row.games),
        ),
        (
            row.active,
            active,
            _("last game: %(season)s") % {"season": last}
            if row.games
            else _("needed since %(season)s") % {"season": season_label(first)},
        ),
    ]
