"""Pages of the events: the list by season, and one event with its standings, rounds and rating changes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Event, EventState
from federation.registry.publication import public_name
from federation.web.exports import export_response
from federation.web.formats import export_format
from ratings.models import GameKind, RatedEvent
from ratings.presenters import events as present
from ratings.presenters.rules import rules_of
from ratings.presenters.whether import reason_sentence, whether_counts
from ratings.queries import pages_events
from ratings.queries.eligibility import live_reasons
from ratings.tables.events import EventTable
from ratings.views import public_common
from ratings.views.public_common import public


@public
def events(request: HttpRequest) -> HttpResponseBase:
    """All public events, by season."""
    rating = public_common.system()
    seasons = pages_events.seasons_with_events(rating.discipline)
    code = request.GET.get("season", "")
    chosen = next((season for season in seasons if season.code == code), None)
    rows = pages_events.public_events(rating.discipline)
    if chosen is not None:
        rows = rows.filter(season=chosen)
    table = EventTable(rows, caption=_("Events, newest first. Column heads sort the list."))
    if export_format(request):
        table.for_request(request, None)
        table.ratings = pages_events.ratings_of(rows, rating.current_list)
        table.edition = rating.current_list
        return export_response(request, table=table, filename="scrabble-events" + (f"-{chosen.code}" if chosen else ""))
    table.for_request(request)
    table.ratings = pages_events.ratings_of(table.records, rating.current_list)
    table.edition = rating.current_list
    return render(request, "ratings/events.html", {"table": table, "seasons": seasons, "chosen": chosen})


@public
def event(request: HttpRequest, slug: str) -> HttpResponseBase:
    """One event."""
    rating = public_common.system()
    found = pages_events.public_event(rating.discipline, slug)
    if found is None:
        raise public_common.lost_event()
    edition = public_common.edition_asked(request, rating)
    rated = pages_events.rating_of(found, edition)
    shown = found.results_public or found.state == EventState.APPROVED
    games = pages_events.current_games(found) if shown else []
    page = present.event_page(found, pages_events.entries_of(found), games, pages_events.ledger_of_event(rated))
    if export_format(request):
        return _export(request, page)
    rules_row = rated.rule_set if rated is not None else pages_events.rule_set_at(rating, found)
    rules = rules_of(rules_row) if rules_row is not None else None
    corrected = pages_events.applied_corrections(found)
    view = _view(request, page)
    number = _round(request, page)
    if view == "crosstable":
        present.fill_crosstable(page)
    elif view == "wall":
        present.fill_wall(page)
    reasons = rated.reasons if rated is not None else live_reasons(found, games, rules)
    context = {
        "page": page,
        "event": found,
        "view": view,
        "views": _views(page),
        "round": number,
        "round_games": present.round_games(page, number) if view == "rounds" else [],
        "directors": _directors(found),
        "list_query": f"?list={edition.number}" if edition and edition.pk != rating.current_list_id else "",
        "rules": rules,
        "checks": present.checks(page, rules, reasons) if rules else [],
        "reasons": [reason_sentence(code, rules, found) for code in reasons] if rules else [],
        "counted": whether_counts(found, rated, edition),
        "records": present.records(page),
        "corrections": _corrections(page, corrected, found),
        "results_hidden": not shown,
        **_list_context(rated),
        **_figures(page),
    }
    return render(request, "ratings/event.html", context)


def _views(page: present.EventPage) -> list[tuple[str, str]]:
    names = {
        "crosstable": _("Crosstable"),
        "wall": _("All rounds"),
        "rounds": _("Round by round"),
        "players": _("Players"),
    }
    wanted = present.VIEWS if page.is_round_robin else present.VIEWS[1:]
    return [(code, names[code]) for code in wanted]


def _view(request: HttpRequest, page: present.EventPage) -> str:
    asked = request.GET.get("view", "")
    codes = [code for code, _name in _views(page)]
    if asked in codes:
        return asked
    return codes[0] if page.games else "players"


def _round(request: HttpRequest, page: present.EventPage) -> int:
    asked = request.GET.get("round", "")
    number = int(asked) if public_common.is_number(asked) else 0
    return number if number in page.rounds else (page.rounds[-1] if page.rounds else 0)


def _directors(event: Event) -> list[str]:
    """Directors who are players too, under the name that the public may see; accounts themselves are not public."""
    language = get_language() or "en"
    people = [getattr(user, "person", None) for user in event.directors.all()]
    return [public_name(person, language) for person in people if person is not None]


def _corrections(page: present.EventPage, rows: list[Any], event: Event) -> list[present.CorrectionNote]:
    if not rows:
        return []
    games = pages_events.corrected_games(rows)
    roles = pages_events.roles_of(row.decided_by_id for row in rows if row.decided_by_id)
    return present.corrections(page, rows, games, roles, {user.pk for user in event.directors.all()})


def _list_context(rated: RatedEvent | None) -> dict[str, Any]:
    """The first list that counts the event as it stands."""
    first = pages_events.first_list_with(rated) if rated is not None and rated.eligible else None
    return {
        "counted_on": first,
        "counted_address": public_common.list_address(first) if first else "",
        "fingerprint": " ".join(rated.digest[start : start + 4] for start in range(0, 16, 4)) if rated else "",
    }


def _figures(page: present.EventPage) -> dict[str, Any]:
    """Numbers above the table."""
    played = page.played
    before = [line.ledger.before for line in page.lines if line.ledger is not None]
    scores = [score for game in played for score in (game.score_a, game.score_b) if score is not None]
    changes = [(line.ledger.change, -line.index, line) for line in page.lines if line.ledger is not None]
    change, _index, rise = max(changes, key=lambda one: one[:2], default=(0, 0, None))
    return {
        "game_count": len(played),
        "round_count": len(page.rounds),
        "player_count": len(page.lines),
        "mean_before": Fraction(sum(before), len(before)) if before else None,
        "mean_score": Fraction(sum(scores), len(scores)) if scores else None,
        "highest_score": max(scores, default=None),
        "rise": rise if change > 0 else None,
    }


def _export(request: HttpRequest, page: present.EventPage) -> HttpResponseBase:
    """Give the games, or with ``view=players`` the standings."""
    name = page.event.slug
    if request.GET.get("view") == "players":
        return export_response(
            request, filename=f"{name}-standings", rows=_standing_rows(page), columns=_standing_columns()
        )
    columns = [
        ("round", _("Round")),
        ("board", _("Board")),
        ("number_a", _("Number")),
        ("a", _("Player")),
        ("number_b", _("Number of the opponent")),
        ("b", _("Opponent")),
        ("kind", _("Kind")),
        ("result", _("Result")),
        ("score_a", _("Score")),
        ("score_b", _("Score of the opponent")),
    ]
    rows = []
    for game, laid in zip(page.games, present.round_games(page), strict=True):
        rows.append(
            (
                game.round,
                game.board,
                laid.a.number if laid.a else None,
                laid.a.name if laid.a else "",
                laid.b.number if laid.b else None,
                laid.b.name if laid.b else "",
                str(GameKind(game.kind)),
                None if game.result is None else Decimal(game.result) / 2,
                game.score_a,
                game.score_b,
            )
        )
    return export_response(request, filename=name, rows=rows, columns=columns)


def _standing_columns() -> list[tuple[str, str]]:
    return [
        ("place", _("Place")),
        ("number", _("Number")),
        ("player", _("Player")),
        ("club", _("Club")),
        ("points", _("Points")),
        ("games", _("Games")),
        ("won", _("Won")),
        ("spread", _("Margin")),
        ("before", _("Rating before")),
        ("expected", _("Expected")),
        ("change", _("Change")),
        ("after", _("Rating after")),
    ]


def _standing_rows(page: present.EventPage) -> list[tuple[Any, ...]]:
    return [
        (
            line.place,
            line.number,
            line.name,
            line.club.name if line.club else "",
            Decimal(line.points) / 2,
            line.played,
            Decimal(line.wins) / 2,
            line.spread,
            line.ledger.before if line.ledger else None,
            Fraction(line.ledger.expected) if line.ledger else None,
            line.ledger.change if line.ledger else None,
            line.ledger.after if line.ledger else None,
        )
        for line in page.lines
    ]
