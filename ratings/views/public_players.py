"""Pages of a player: the whole record, and the account of one event."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Club, Event, Person
from federation.web.context import federation_settings
from federation.web.formats import export_format
from federation.web.people import name_of
from ratings.models import ListRow, PublishedList, RatingSystem
from ratings.presenters.account import account_view
from ratings.presenters.names import is_named, may_index
from ratings.presenters.players import chart, player_page
from ratings.presenters.rules import lookup_text, rules_of
from ratings.queries import pages_events, pages_players
from ratings.tables import account_export, player_export
from ratings.views import public_common
from ratings.views.public_common import Lost, public


@public
def player(request: HttpRequest, number: int) -> HttpResponseBase:
    """A player: state with its reason, graph, events, opponents."""
    rating = public_common.system()
    person = pages_players.person_by_number(number)
    if person is None:
        raise public_common.lost_player(number)
    if person.merged_into is not None:
        return _to_kept(request, "scrabble-player", person.merged_into.number)
    edition = public_common.edition_asked(request, rating)
    rows = list(pages_players.ledger_of(person, edition)) if edition else []
    if export_format(request):
        return player_export(request, person, rows)
    page = player_page(
        person=person,
        edition=edition,
        row=pages_players.list_row_of(person, edition) if edition else None,
        best=pages_players.best_of(person, edition) if edition else None,
        ledger=rows,
        opponents=pages_players.head_to_head(rows),
        everything="all" in request.GET,
    )
    page.name_opponents(pages_players.people_by_id(page.opponent_ids))
    list_query = f"?list={edition.number}" if edition and edition.pk != rating.current_list_id else ""

    def account_address(slug: str) -> str:
        return reverse("scrabble-account", args=[slug, number]) + list_query

    context = {
        "page": page,
        "person": person,
        "name": name_of(person, get_language() or "en"),
        "club": _club(person, page.row),
        "may_index": may_index(person),
        "edition": edition,
        "edition_address": public_common.list_address(edition) if edition else "",
        "list_query": list_query,
        **chart(page, rules_of(edition.rule_set) if edition else None, account_address),
    }
    return render(request, "ratings/player.html", context)


def _club(person: Person, row: ListRow | None) -> Club | None:
    """The club on the list, else that of the register; nothing for a nameless player."""
    if not is_named(person):
        return None
    return row.club if row is not None else person.club


@public
def account(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Why a rating changed in one event: the arithmetic of one ledger row."""
    rating = public_common.system()
    event = pages_events.public_event(rating.discipline, slug)
    if event is None:
        raise public_common.lost_event()
    person = pages_players.person_by_number(number)
    if person is None:
        raise public_common.lost_player(number)
    if person.merged_into is not None:
        return _to_kept(request, "scrabble-account", event.slug, person.merged_into.number)
    edition = public_common.edition_asked(request, rating)
    row = pages_players.account_of(person, event.pk, edition) if edition else None
    if row is None or edition is None:
        raise _no_account(event, person, edition)
    terms = pages_players.terms_of(row)
    people = pages_players.people_by_id(term.opponent for term in terms)
    games = pages_players.games_by_id(term.game for term in terms)
    view = account_view(row, people, games)
    if export_format(request):
        return account_export(request, view, person, event)
    lists = list(pages_players.lists_with(row))
    return render(request, "ratings/account.html", _account_context(rating, event, person, edition, view, lists))


def _account_context(
    rating: RatingSystem, event: Event, person: Person, edition: PublishedList, view: Any, lists: list[PublishedList]
) -> dict[str, Any]:
    site = federation_settings()
    published = edition.published_at
    return {
        "view": view,
        "event": event,
        "person": person,
        "name": name_of(person, get_language() or "en"),
        "edition": edition,
        "edition_address": public_common.list_address(edition),
        "may_index": may_index(person),
        "player_address": public_common.with_list(reverse("scrabble-player", args=[person.number]), edition, rating),
        "rule_set": view.row.rated_event.rule_set,
        "lookup_text": lookup_text(view.rules),
        "lists": [(one, public_common.list_address(one)) for one in lists],
        "claim_until": published + timedelta(days=site.objection_days) if published else None,
        "objection_days": site.objection_days,
        "contact": site.contact_email,
    }


def _no_account(event: Event, person: Person, edition: PublishedList | None) -> Lost:
    """The event has no account for the player: why, and where to go on."""
    actions = [
        (event.name, reverse("scrabble-event", args=[event.slug])),
        (name_of(person, get_language() or "en"), reverse("scrabble-player", args=[person.number])),
    ]
    if edition is None:
        text = _("No list is published yet, so no event counts for a rating so far.")
    else:
        text = _(
            "List %(number)s has no account of this player for this event: either the event is not counted on it, or"
            " the player had no rated game there. The page of the event says whether it counts."
        ) % {"number": edition.number}
    return Lost(_("No account of %(event)s for this player") % {"event": event.name}, text, actions)


def _to_kept(request: HttpRequest, name: str, *args: Any) -> HttpResponseBase:
    """Send readers of a merged number to the record that was kept; not for ever, a wrong merge may be undone."""
    query = request.GET.urlencode()
    return HttpResponseRedirect(reverse(name, args=args) + (f"?{query}" if query else ""))
