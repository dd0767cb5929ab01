"""Reports: the difference of two editions, errata, the season, the records."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Person, Season
from federation.registry.publication import public_name
from federation.web.exports import export_response
from federation.web.formats import export_format
from ratings.models import PublishedList, RatingSystem
from ratings.presenters import difference as present
from ratings.presenters.lists import groups
from ratings.presenters.names import root_of
from ratings.presenters.rules import rules_of
from ratings.queries import pages_events, pages_lists, pages_players, pages_reports
from ratings.queries.difference import list_difference
from ratings.views import public_common
from ratings.views.public_common import Lost, public

#: Rows of each table of records.
RECORDS = 10


@public
def difference(request: HttpRequest) -> HttpResponseBase:
    """What changed from one edition to another, and why."""
    rating = public_common.system()
    first, second = _two_lists(request, rating)
    rows = _differences(first, second)
    if export_format(request):
        return _difference_export(request, first, second, rows)
    shown = rows if "all" in request.GET else [row for row in rows if row.is_own]
    context = {
        "first": first,
        "second": second,
        "first_address": public_common.list_address(first),
        "second_address": public_common.list_address(second),
        "rows": shown,
        "hidden_count": len(rows) - len(shown),
        "editions": pages_lists.editions(rating),
        "total": len(rows),
    }
    return render(request, "ratings/difference.html", context)


def _differences(first: PublishedList, second: PublishedList) -> list[present.Line]:
    rows = [row for row in list_difference(first, second) if row.changed]
    people = pages_players.people_by_id(row.person for row in rows)
    events = pages_events.events_by_id(key for row in rows for key in (*row.events, *row.corrected))
    return present.lines_of(rows, people, events)


def _two_lists(request: HttpRequest, rating: RatingSystem) -> tuple[PublishedList, PublishedList]:
    """The two editions that the address names; without any, the one in force and the one it is compared with."""
    asked = [request.GET.get(name, "") for name in ("a", "b")]
    if not any(asked):
        current = rating.current_list
        found = pages_lists.published_list(rating, current.number) if current and current.number else None
        if found is None or found.previous is None:
            raise Lost(
                _("There are no two lists to compare yet"),
                _("The difference of two lists needs two published lists."),
                [(_("All lists"), reverse("scrabble-lists"))],
            )
        return found.previous, found
    pair = []
    for text in asked:
        one = pages_lists.published_list(rating, int(text)) if public_common.is_number(text) else None
        if one is None:
            raise public_common.lost_list(text or "–")
        pair.append(one)
    return pair[0], pair[1]


def _difference_export(
    request: HttpRequest, first: PublishedList, second: PublishedList, rows: list[present.Line]
) -> HttpResponseBase:
    language = get_language() or "en"
    columns = [
        ("number", _("Number of the player")),
        ("player", _("Player")),
        ("rating_before", _("Rating before")),
        ("rating_after", _("Rating after")),
        ("change", _("Change")),
        ("position_before", _("Position before")),
        ("position_after", _("Position after")),
        ("reason_code", _("Code of the reason")),
        ("reason", _("Reason")),
    ]
    values = [
        (
            row.person.number if row.person else None,
            public_name(row.person, language) if row.person else "",
            row.before.rating if row.before else None,
            row.after.rating if row.after else None,
            row.change,
            row.before.position if row.before else None,
            row.after.position if row.after else None,
            row.code,
            row.reason,
        )
        for row in rows
    ]
    about = {"first": first.fingerprint, "second": second.fingerprint}
    name = f"barruf-{first.number}-{second.number}"
    return export_response(request, filename=name, rows=values, columns=columns, metadata=about)


@public
def errata(request: HttpRequest) -> HttpResponseBase:
    """All errata, newest first."""
    rating = public_common.system()
    rows = [
        {
            "erratum": one,
            "replaced": one.replaced_list,
            "replaced_address": public_common.list_address(one.replaced_list),
            "corrected": one.corrected_list,
            "corrected_address": public_common.list_address(one.corrected_list),
        }
        for one in pages_lists.all_errata(rating)
    ]
    return render(request, "ratings/errata.html", {"errata": rows})


@public
def erratum(request: HttpRequest, number: str) -> HttpResponseBase:
    """One erratum: what was wrong, who moved, what is on record."""
    rating = public_common.system()
    found = pages_lists.erratum(rating, number) if re.fullmatch(r"[0-9-]{1,10}", number) else None
    if found is None:
        raise Lost(
            _("There is no erratum %(number)s") % {"number": number[:20]},
            _("Errata are never taken away; all of them are on one page."),
            [(_("All errata"), reverse("scrabble-errata"))],
        )
    rows = _differences(found.replaced_list, found.corrected_list)
    if export_format(request):
        return _difference_export(request, found.replaced_list, found.corrected_list, rows)
    moved = [row for row in rows if row.is_own]
    corrections = list(found.corrections.select_related("event").order_by("decided_at", "id"))
    offices = pages_events.roles_of(
        key for row in corrections for key in (row.proposed_by_id, row.decided_by_id) if key is not None
    )
    context = {
        "erratum": found,
        "replaced": found.replaced_list,
        "corrected": found.corrected_list,
        "replaced_address": public_common.list_address(found.replaced_list),
        "corrected_address": public_common.list_address(found.corrected_list),
        "rows": moved,
        "unchanged": max(int(found.corrected_list.counts.get("rows", 0)) - len(moved), 0),
        "displaced": len(rows) - len(moved),
        "ranks_changed": any(row.moved for row in rows),
        "corrections": corrections,
        "proposed_by": _offices(offices, (row.proposed_by_id for row in corrections)),
        "decided_by": _offices(offices, (row.decided_by_id for row in corrections)),
        "fingerprints": [groups(found.replaced_list.fingerprint), groups(found.corrected_list.fingerprint)],
        "others": [one for one in pages_lists.all_errata(rating)[:6] if one.pk != found.pk][:5],
    }
    return render(request, "ratings/erratum.html", context)


def _offices(offices: dict[int, list[str]], keys: Iterable[int | None]) -> str:
    return ", ".join(dict.fromkeys(role for key in keys if key is not None for role in offices.get(key, ())))


@public
def season_report(request: HttpRequest, season: str) -> HttpResponseBase:
    """The report of a season."""
    rating = public_common.system()
    known = re.fullmatch(r"[0-9]{4}-[0-9]{2}", season) is not None
    found = Season.objects.filter(discipline=rating.discipline, code=season).first() if known else None
    if found is None:
        raise Lost(
            _("There is no season %(season)s") % {"season": season[:10]},
            _("A season is written by its two years, as 2025-26."),
            [(_("All lists"), reverse("scrabble-lists")), (_("All events"), reverse("scrabble-events"))],
        )
    last = pages_lists.last_list_of(rating, found)
    if last is None:
        return render(request, "ratings/report.html", {"season": found, "report": None})
    before = pages_lists.last_list_before(rating, found)
    rules = rules_of(last.rule_set)
    report = pages_reports.report_of(last, before, rules, rules_of(before.rule_set) if before else None)
    people = pages_players.people_by_id(_people_of(report))
    context = {
        "season": found,
        "report": report,
        "last": last,
        "last_address": public_common.list_address(last),
        "before": before,
        "before_address": public_common.list_address(before) if before else "",
        "is_final": found.state == "closed",
        "podium": [(people.get(row.player), row) for row in report.podium],
        "point_gains": [(people.get(row.player), row.amount) for row in report.point_gains],
        "position_gains": [(people.get(row.player), row.amount) for row in report.position_gains],
        "title_changes": [(people.get(row.player), row) for row in report.title_changes],
        "groups": _groups(report, people),
        "neighbours": pages_lists.seasons_with_lists(rating),
    }
    return render(request, "ratings/report.html", context)


def _people_of(report: Any) -> set[int]:
    rows = (*report.podium, *report.point_gains, *report.position_gains, *report.title_changes)
    keys = {row.player for row in rows}
    return keys.union(report.newcomers, report.promoted, report.back, report.gone_inactive)


def _groups(report: Any, people: dict[int, Person]) -> list[tuple[str, str, list[Person]]]:
    named = (
        (_("Newcomers"), _("Ranked; all their games belong to the season."), report.newcomers),
        (_("Ranked for the first time"), _("They had games before, but too few."), report.promoted),
        (_("Back on the list"), _("Inactive on the last list of the season before."), report.back),
        (_("Gone inactive"), _("They had a position on the last list of the season before."), report.gone_inactive),
    )
    return [(title, text, [people[key] for key in keys if key in people]) for title, text, keys in named]


@public
def records(request: HttpRequest) -> HttpResponseBase:
    """Highest games, largest rises, highest ratings; of all seasons or of one."""
    rating = public_common.system()
    edition = rating.current_list
    if edition is None:
        return HttpResponseRedirect(reverse("scrabble-ranking"))
    seasons = pages_events.seasons_with_events(rating.discipline)
    season = next((one for one in seasons if one.code == request.GET.get("season", "")), None)
    tops = pages_reports.highest_ratings(edition, RECORDS) if season is None else []
    people = pages_players.people_by_id(key for key, _top in tops)
    context = {
        "edition": edition,
        "edition_address": public_common.list_address(edition),
        "seasons": seasons,
        "season": season,
        "games": [_scored(one) for one in pages_reports.highest_games(edition, season, RECORDS)],
        "rises": [(row, root_of(row.person)) for row in pages_reports.largest_rises(edition, season, RECORDS)],
        "tops": [(people[key], top) for key, top in tops if key in people],
    }
    return render(request, "ratings/records.html", context)


def _scored(one: pages_reports.Scored) -> dict[str, Any]:
    """A game with the higher score first."""
    game = one.game
    a_first = (game.score_a or 0) >= (game.score_b or 0)
    sides = [(root_of(game.a.person), game.score_a), (root_of(game.b.person) if game.b else None, game.score_b)]
    (person, score), (other, other_score) = sides if a_first else sides[::-1]
    return {
        "event": game.event,
        "round": game.round,
        "person": person,
        "score": score,
        "other": other,
        "other_score": other_score,
    }
