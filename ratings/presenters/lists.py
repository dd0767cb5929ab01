"""Editions of a list: choices, groups by season, legend, colophon."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from federation.web.dates import short_date
from ratings.core.ruleset import RuleSet
from ratings.models import PublishedList
from ratings.presenters.rules import title_code_of


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a select."""

    value: str
    label: str
    is_current: bool


def season_choices(editions: Sequence[PublishedList], edition: PublishedList) -> list[Choice]:
    """Seasons with an edition, newest first."""
    seasons = {one.season.code: one.season for one in editions}
    ordered = sorted(seasons.values(), key=lambda season: season.starts_on, reverse=True)
    return [Choice(season.code, str(season), season.code == edition.season.code) for season in ordered]


def edition_choices(editions: Sequence[PublishedList], edition: PublishedList) -> list[Choice]:
    """Editions of the season of an edition, newest first."""
    return [
        Choice(
            str(one.number),
            _("%(day)s (no. %(number)s)") % {"day": short_date(one.as_of), "number": one.number},
            one.pk == edition.pk,
        )
        for one in editions
        if one.season.code == edition.season.code
    ]


def neighbours(editions: Sequence[PublishedList], edition: PublishedList) -> list[PublishedList]:
    """The editions just before and just after one."""
    place = next((turn for turn, one in enumerate(editions) if one.pk == edition.pk), None)
    if place is None:
        return []
    return [editions[turn] for turn in (place + 1, place - 1) if 0 <= turn < len(editions)]


def by_season(
    editions: Sequence[PublishedList], address: Callable[[PublishedList], str]
) -> list[tuple[Any, list[tuple[PublishedList, str]]]]:
    """Editions grouped by season, newest first, with their addresses."""
    groups: dict[str, tuple[Any, list[tuple[PublishedList, str]]]] = {}
    for one in editions:
        groups.setdefault(one.season.code, (one.season, []))[1].append((one, address(one)))
    return list(groups.values())


def legend(columns: Mapping[str, tuple[Any, Any]], rules: RuleSet) -> list[tuple[Any, Any]]:
    """Abbreviations with their meaning: columns, marks of the move, titles."""
    shown = [
        pair for name, pair in columns.items() if name not in {"number", "state", "reason", "player", "club", "rating"}
    ]
    marks = [(_("new"), _("All games were played this season")), (_("back"), _("Had no position on the previous list"))]
    titles = [
        (
            title_code_of(rules, title.name),
            _("%(title)s, from %(rating)s") % {"title": title.name, "rating": title.floor},
        )
        for title in rules.titles
    ]
    return [*shown, *marks, *titles]


def totals(edition: PublishedList) -> str:
    """From how many events and results an edition was made."""
    events, games = edition.counts.get("events"), edition.counts.get("games")
    if events is None or games is None:
        return ""
    return _("from %(events)s and %(games)s") % {
        "events": ngettext("%(number)s event", "%(number)s events", events) % {"number": events},
        "games": ngettext("%(number)s game", "%(number)s games", games) % {"number": games},
    }


def counted(edition: PublishedList) -> dict[str, int]:
    """Rows by state as counted when the list was made; empty if they were not."""
    counts = edition.counts
    if "rows" not in counts:
        return {}
    return {status: int(counts.get(status, 0)) for status in ("ranked", "provisional", "inactive", "new")}


def groups(digest: str, count: int = 4) -> str:
    """The beginning of a fingerprint in groups of four: «b1e4 07c9 5d2a 88f3»."""
    return " ".join(digest[start : start + 4] for start in range(0, 4 * count, 4))


def about(edition: PublishedList) -> dict[str, Any]:
    """What the rows of an edition stand on, for exports."""
    return {
        "list": edition.number,
        "season": edition.season.code,
        "as_of": edition.as_of.isoformat(),
        "published": edition.published_at.isoformat() if edition.published_at else "",
        "rule_set": f"{edition.rule_set.name} {edition.rule_set.version}",
        "fingerprint": edition.fingerprint,
        "inputs": edition.run.fingerprint,
        "program": edition.run.code_version,
    }
