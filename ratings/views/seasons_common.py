"""What the pages of the seasons share: the season of an address, the difference of a draft, its publication."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import models
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Season
from federation.web.exports import export_response
from ratings.forms.seasons import PublishForm
from ratings.models import ListState, PublishedList, RatingSystem
from ratings.presenters import season_difference as present
from ratings.presenters.lists import groups
from ratings.presenters.rules import rules_of
from ratings.queries import pages_events, pages_players, season_desk
from ratings.queries.checks import Check
from ratings.queries.difference import Difference, list_difference
from ratings.queries.runs import greatest_list_number
from ratings.services.lists import withdraw_draft
from ratings.services.publishing import obstacles, publish_seen
from ratings.services.runs import current_system
from ratings.views.desk_common import attempt

ROWS_SHOWN = 100


def system_and_season(code: str) -> tuple[RatingSystem, Season]:
    """Return the rating and the season of an address, or answer 404."""
    try:
        system = current_system()
    except models.ObjectDoesNotExist as error:
        raise Http404 from error
    season = season_desk.season_of(system, code)
    if season is None:
        raise Http404
    return system, season


def publish(request: HttpRequest) -> PublishedList | None:
    """Publish the draft that the form names, if the person may and has read it; say how it went."""
    if not request.user.has_perm("ratings.publish_list"):
        raise PermissionDenied
    form = PublishForm(request.POST)
    if not form.is_valid():
        messages.error(request, explain(RuleError("draft_replaced")))
        return None
    if not form.cleaned_data["read"]:
        messages.error(request, explain(RuleError("differences_unread")))
        return None
    action = partial(
        publish_seen,
        draft=form.cleaned_data["draft"],
        actor=request.user,
        reason=form.cleaned_data["reason"],
    )
    published: PublishedList | None = attempt(request, action)
    if published is not None:
        messages.success(request, _("List %(number)s is published.") % {"number": published.number})
    return published


def withdraw(request: HttpRequest) -> None:
    """Withdraw the draft that the form names."""
    if not request.user.has_perm("ratings.publish_list"):
        raise PermissionDenied
    form = PublishForm(request.POST)
    draft = season_desk.draft_of(pk=form.cleaned_data["draft"]) if form.is_valid() else None
    if draft is None:
        messages.info(request, _("This draft is withdrawn already."))
        return
    attempt(
        request, partial(withdraw_draft, draft=draft, actor=request.user), _("The draft is withdrawn. No list changed.")
    )


class DraftPage:
    """A draft with its difference against the list in force, and what stands against publishing it."""

    def __init__(self, request: HttpRequest, draft: PublishedList, checks: Iterable[Check] = ()) -> None:
        self.request = request
        self.draft = draft
        self.against = season_desk.compared_list(draft)
        self.lines = list_difference(self.against, draft) if self.against else []
        strange = season_desk.unexplained(self.lines, draft)
        self.filter = present.Filter(self.lines, strange, request.GET.get("d", ""))
        self.checks = tuple(checks)

    def export(self) -> HttpResponseBase:
        """Answer with all rows of the filter in the format asked for."""
        return export_response(
            self.request,
            rows=present.export_rows(self.filter.lines, self.known(self.filter.lines), get_language() or "en"),
            columns=present.export_columns(),
            filename=f"barruf-{self.draft.season.code}-draft-difference",
            metadata={
                "list": self.against.number if self.against else None,
                "draft": self.draft.fingerprint,
                "as_of": self.draft.as_of.isoformat(),
                "season": self.draft.season.code,
            },
        )

    def context(self) -> dict[str, Any]:
        """Give what the templates of difference and publication need."""
        page = Paginator(self.filter.lines, ROWS_SHOWN).get_page(self.request.GET.get("page"))
        draft, user = self.draft, self.request.user
        found = [] if draft.state == ListState.PUBLISHED else self.obstacles()
        codes = [one.code for one in found]
        return {
            "draft": draft,
            "against": self.against,
            "number": draft.number or greatest_list_number(draft.system) + 1,
            "page": page,
            "rows": present.rows_of(page.object_list, self.known(page.object_list), self.filter.unexplained),
            "chips": self.filter.chips(),
            "reason_chips": self.filter.reason_chips(),
            "chosen": self.filter.chosen,
            "changed_count": self.filter.changed_count,
            "same_count": self.filter.same_count,
            "fingerprint": groups(draft.fingerprint),
            "inputs": groups(draft.run.fingerprint),
            "obstacles": [explain(one) for one in found],
            "is_stale": "draft_stale" in codes or "draft_unchecked" in codes,
            "needs_second": "second_person_needed" in codes,
            "publishers": season_desk.publishers(draft) if draft.created_by_id else [],
            "may_publish": user.has_perm("ratings.publish_list"),
            "event_count": _more(draft, self.against, "events"),
            "game_count": _more(draft, self.against, "games"),
        }

    def obstacles(self) -> list[RuleError]:
        """Return what stands against the publication by who reads the page."""
        return obstacles(draft=self.draft, actor=self.request.user, lines=self.lines, checks=self.checks)

    def known(self, lines: Iterable[Difference]) -> present.Known:
        """Read what some lines name, in three queries at most."""
        lines = list(lines)
        gone = [line.person for line in lines if line.reason == "turned_inactive"]
        return present.Known(
            people=pages_players.people_by_id(line.person for line in lines),
            events=pages_events.events_by_id(present.event_keys(lines)),
            last_seasons=season_desk.last_seasons(self.draft, gone) if gone else {},
            rules=rules_of(self.draft.rule_set),
        )


def _more(draft: PublishedList, against: PublishedList | None, name: str) -> int:
    """Give by how much a total of the header is greater than on the list in force."""
    return int(draft.counts.get(name, 0)) - int(against.counts.get(name, 0) if against else 0)
