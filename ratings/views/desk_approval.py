"""Approval of events by the results secretary, with everything that is looked at before."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Event, EventState, PersonState
from federation.registry.services import events as registry
from ratings.codes import RATING_SYSTEM
from ratings.forms.desk import ReasonForm
from ratings.models import RatingSystem
from ratings.presenters.whether import long_reason
from ratings.queries.desk import WAITING_STATES, event_checks, withdrawn_with_games
from ratings.queries.effects import EffectLine, effect_lines
from ratings.queries.runs import list_in_force_with, rated_in_last_run
from ratings.services.effects import EventChange, effect_of
from ratings.services.runs import current_system
from ratings.views.desk_common import attempt, event_of, of_address
from ratings.views.desk_events import check_text

#: Lines of an effect shown at once.
MOST_LINES = 400


@permission_required("registry.approve_event", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def approval(request: HttpRequest, slug: str) -> HttpResponse:
    """Checks and effect of an event; approve it, send it back, exclude it, or open it again."""
    event = event_of(slug)
    if request.method == "POST":
        return _decide(request, event)
    return _page(request, event)


def _page(request: HttpRequest, event: Event, *, form: Any = None, status: int = 200) -> HttpResponse:
    lines: list[EffectLine] = []
    verdict: list[tuple[str, str]] = []
    trouble = ""
    if event.state in WAITING_STATES:
        try:
            lines, verdict = event_effect(event)
        except RuleError as error:
            trouble = explain(error, "results")
            verdict = [("no", trouble)]
    checks = [*approval_checks(event), *verdict]
    context = {
        "event": event,
        "checks": checks,
        "stops": any(tone == "no" for tone, _text in checks),
        "lines": lines[:MOST_LINES],
        "more_lines": max(len(lines) - MOST_LINES, 0),
        "trouble": trouble,
        "is_waiting": event.state in WAITING_STATES,
        "standing": [] if event.state in WAITING_STATES else standing(event),
        "form": form or ReasonForm(),
        "can_reopen": event.state in (EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED),
    }
    return render(request, "ratings/desk/approval.html", context, status=status)


def _decide(request: HttpRequest, event: Event) -> HttpResponse:
    actor: Any = request.user
    step = request.POST.get("step", "")
    if step == "approve":
        done = _("%(event)s is approved and counts from the next run on.") % {"event": event.name}

        @transaction.atomic
        def approve() -> None:
            if event.state == EventState.DRAFT:
                registry.open_event(event=event, actor=actor)
            if event.state != EventState.SUBMITTED:
                registry.submit_event(event=event, actor=actor)
            registry.approve_event(event=event, actor=actor)

        if not attempt(request, approve, done):
            return _page(request, event_of(event.slug), status=422)
        return redirect("scrabble-desk-event", event.slug)
    if step not in ("back", "exclude"):
        raise PermissionDenied
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, event, form=form, status=422)
    reason = form.cleaned_data["reason"]
    if step == "exclude":
        action = partial(registry.exclude_event, event=event, reason=reason, actor=actor)
        done = _("%(event)s is excluded: it stays visible with your reason and is not rated.")
    else:
        action = partial(registry.reopen_event, event=event, reason=reason, actor=actor)
        done = _("%(event)s is open again for its directors.")
    if not attempt(request, action, done % {"event": event.name}):
        return _page(request, event_of(event.slug), status=422)
    return redirect("scrabble-desk-event", event.slug)


def event_effect(event: Event) -> tuple[list[EffectLine], list[tuple[str, str]]]:
    """Return what the event would do to everybody if it were approved now, and whether it would count.

    Raises:
        RuleError: what the replay finds, ``no_rating_system``.
    """
    if not RatingSystem.objects.filter(code=RATING_SYSTEM).exists():
        raise RuleError("no_rating_system")
    system = current_system()
    effect = effect_of(changes=[EventChange(event=event.pk, as_approved=True)], system=system)
    rows = [(row.person, row.before, row.after, row.games_before, row.games_after) for row in effect.rows]
    reasons = effect.reasons.get(event.pk, [])
    verdict = [("wait", _("Would not count: %s") % long_reason(reason)) for reason in reasons]
    return effect_lines(system, rows), verdict or [("yes", _("Once approved, the event counts for the rating."))]


def standing(event: Event) -> list[str]:
    """Return sentences about what an approved or excluded event does to the ratings at present."""
    edition = list_in_force_with(event)
    if event.state == EventState.EXCLUDED:
        said = [_("This event is excluded: no run rates it.")]
        still = _("List %(number)s still includes it; the next list does not.")
        return [*said, still % {"number": edition.number}] if edition else said
    rated = rated_in_last_run(event)
    if rated is None:
        return [_("This event is approved. No run has it yet as it stands now: its effect comes with the next run.")]
    if not rated.eligible:
        return [
            _("This event is approved but does not count for the rating."),
            *(long_reason(reason) for reason in rated.reasons),
        ]
    if edition is None:
        return [_("This event is approved and rated. No list includes it yet; the next one shows its effect.")]
    return [_("This event is approved and rated. List %(number)s includes its effect.") % {"number": edition.number}]


def approval_checks(event: Event) -> list[tuple[str, str]]:
    """Return tone and sentence of what is looked at before approval, apart from the rating itself."""
    checks = [(check.tone, check_text(check)) for check in event_checks(event) if check.tone != "yes"]
    entries = event.entries.select_related("person__merged_into").order_by("number", "pk")
    playing = set(withdrawn_with_games(event).values_list("pk", flat=True))
    people = [entry.person for entry in entries if entry.withdrawn_after != 0 or entry.pk in playing]
    roots = [person.merged_into or person for person in people]
    waiting = sorted({person.full_name for person in roots if person.state == PersonState.PROVISIONAL})
    if waiting:
        names = ", ".join(waiting)
        checks.append(("no", _("Players to be confirmed or merged by the registry officer first: %s") % names))
    else:
        checks.append(("yes", _("Every player is confirmed by the registry.")))
    missing = registry.membership_problems(roots, event)
    if missing:
        names = ", ".join(sorted({person.full_name for person in roots if person.pk in missing}))
        checks.append(("wait", _("No membership or licence on the first day: %s") % names))
    elif people:
        checks.append(("yes", _("Every player had a membership or licence.")))
    return checks
