"""Pages of the lists: the ranking, earlier editions, the difference of two, errata, the report of a season."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from federation.registry.queries.categories import CATEGORIES
from federation.web.exports import export_response
from federation.web.formats import export_format
from ratings.models import PublishedList
from ratings.presenters import lists as present
from ratings.presenters.rules import multipliers_text, rules_of
from ratings.queries import pages_events, pages_lists
from ratings.queries.pages_lists import ListFilters
from ratings.tables.ranking import LEGEND, RankingTable
from ratings.views import public_common
from ratings.views.public_common import public

#: Events named one by one under a list; more are one click away.
EVENTS_SHOWN = 12


@public
def ranking(request: HttpRequest) -> HttpResponseBase:
    """Send readers to the list in force; before the first one say what is missing."""
    rating = public_common.system()
    if rating.current_list is None:
        events = pages_events.public_events(rating.discipline)
        counts = {
            "event_count": events.count(),
            "approved_count": events.filter(state="approved").count(),
        }
        return render(request, "ratings/empty.html", {"system": rating, **counts})
    query = request.GET.urlencode()
    return HttpResponseRedirect(public_common.list_address(rating.current_list) + (f"?{query}" if query else ""))


@public
def ranking_list(request: HttpRequest, season: str, number: int) -> HttpResponseBase:
    """One edition: filters, both parts, exports of the same rows."""
    rating = public_common.system()
    edition = pages_lists.published_list(rating, number)
    if edition is None:
        raise public_common.lost_list(number)
    editions = pages_lists.editions(rating)
    chosen = _edition_chosen(request, edition, editions)
    if chosen is not edition or season != edition.season.code:
        return HttpResponseRedirect(public_common.list_address(chosen) + _query_without(request, "season", "list"))
    clubs = pages_lists.clubs_of(edition)
    in_force = edition.pk == rating.current_list_id
    # Over several seasons a category of age would tell the year of birth: it is there for the list in force alone.
    categories = CATEGORIES if in_force else CATEGORIES[:1]
    filters = _filters(request, {club.slug for club in clubs}, categories)
    rows = pages_lists.filtered_rows(pages_lists.rows_of(edition), filters, edition.season)
    rules = rules_of(edition.rule_set)
    table = RankingTable(
        rows,
        edition=edition,
        rules=rules,
        list_query="" if in_force else f"?list={edition.number}",
        caption=_("BARRUF ranking, list %(number)s. Column heads sort the list.") % {"number": edition.number},
    )
    if export_format(request):
        return _export(request, table, edition, [club.name for club in clubs])
    counts = pages_lists.row_counts(rows) if filters.any else present.counted(edition) or pages_lists.row_counts(rows)
    table.count = sum(counts.values())
    errata = list(pages_lists.errata_of(edition))
    own = getattr(edition, "erratum", None)
    if own is not None:
        table.erratum_address = reverse("scrabble-erratum", args=[own.number])
    elif errata:
        table.erratum_address = reverse("scrabble-erratum", args=[errata[0].number])
    events = [row.rated_event.event for row in pages_lists.events_since(edition)]
    table.me = _reader(request)
    table.for_request(request)
    if edition.previous is not None:
        table.accounts = pages_lists.accounts_since(edition, [row.person_id for row in table.records], events)
    context = {
        "table": table,
        "edition": edition,
        "in_force": in_force,
        "counts": counts,
        "ranked_count": counts.get("ranked", 0),
        "waiting_count": sum(number for status, number in counts.items() if status != "ranked"),
        "filters": filters,
        "clubs": clubs,
        "season_choices": present.season_choices(editions, edition),
        "edition_choices": present.edition_choices(editions, edition),
        "events": events[-EVENTS_SHOWN:][::-1],
        "event_count": len(events),
        "errata": errata,
        "own_erratum": own,
        "has_corrected": any(row.corrected for row in table.records),
        "previous_address": public_common.list_address(edition.previous) if edition.previous else "",
        "corrects_address": public_common.list_address(edition.corrects) if edition.corrects else "",
        "neighbours": [(one, public_common.list_address(one)) for one in present.neighbours(editions, edition)],
        "legend": present.legend(LEGEND, rules),
        "rules": rules,
        "multipliers": multipliers_text(rules),
        "fingerprint": present.groups(edition.fingerprint),
        "totals": present.totals(edition),
    }
    return render(request, "ratings/list.html", context)


def _edition_chosen(request: HttpRequest, edition: PublishedList, editions: list[PublishedList]) -> PublishedList:
    """The edition that the selects of the filter bar ask for: another season's last, or another number."""
    season = request.GET.get("season", "")
    if season and season != edition.season.code:
        return next((one for one in editions if one.season.code == season), edition)
    number = request.GET.get("list", "")
    if number and number != str(edition.number):
        return next((one for one in editions if str(one.number) == number), edition)
    return edition


def _query_without(request: HttpRequest, *names: str) -> str:
    query = request.GET.copy()
    for name in (*names, "page"):
        query.pop(name, None)
    for name in [name for name, value in query.items() if not value]:
        query.pop(name)
    return f"?{query.urlencode()}" if query else ""


def _filters(request: HttpRequest, clubs: set[str], categories: Sequence[str]) -> ListFilters:
    """What the address asks for; what does not exist is as if not asked."""

    def one_of(name: str, allowed: Any) -> str:
        value = request.GET.get(name, "")
        return value if value in allowed else ""

    text = "".join(letter for letter in request.GET.get("q", "") if letter.isprintable()).strip()
    return ListFilters(
        club=one_of("club", clubs),
        state=one_of("state", pages_lists.STATES),
        category=one_of("category", categories),
        text=text[: pages_lists.MAX_QUERY],
    )


def _reader(request: HttpRequest) -> int | None:
    """The person of the account that reads, to mark the own row."""
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    person = getattr(user, "person", None)
    return person.root_id if person else None


def _export(request: HttpRequest, table: RankingTable, edition: PublishedList, clubs: list[str]) -> HttpResponseBase:
    """Stream the rows. Figures are frozen; names are not, so the mark of the content counts changes of the people."""
    table.for_request(request, None)
    names = pages_lists.names_version(edition)
    return export_response(
        request,
        table=table,
        filename=f"barruf-{edition.season.code}-{edition.number}",
        metadata=present.about(edition),
        fingerprint=f"{edition.fingerprint} {names} {'|'.join(clubs)}",
    )


@public
def lists(request: HttpRequest) -> HttpResponseBase:
    """All editions by season."""
    rating = public_common.system()
    editions = list(pages_lists.published_lists(rating))
    if not editions:
        return ranking(request)
    context = {
        "seasons": present.by_season(editions, public_common.list_address),
        "editions": editions,
        "in_force": rating.current_list_id,
    }
    return render(request, "ratings/lists.html", context)
