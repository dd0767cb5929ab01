"""What the desk of scrabble registers with the federation when the site starts."""

from __future__ import annotations

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from federation.accounts.hooks import register_account_link
from federation.accounts.models import User
from federation.accounts.roles import is_results_secretary
from federation.jobs.models import Job
from federation.jobs.registry import register as register_job
from federation.problems import explain
from federation.registry import hooks
from federation.registry.models import Event
from federation.registry.rules import directed_event_ids
from federation.registry.services.accounts import person_of
from federation.registry.services.events import unconfirmed
from federation.web.menu import register_desk_link
from ratings.codes import DISCIPLINE
from ratings.queries.desk import data_problems, desk_events, event_checks, waiting_corrections, withdrawn_with_games
from ratings.queries.results import highest_round
from ratings.services.corrections import JOB_KIND, make_edition
from ratings.views import seasons_registration

#: Events sent back that the desk names.
RETURNED_NAMED = 3


def submit_check(event: Event) -> list[hooks.Problem]:
    """What scrabble misses before results can be handed in: a result, and no contradiction."""
    if event.discipline.code != DISCIPLINE:
        return []
    problems = []
    for check in event_checks(event):
        if check.tone == "no" and check.code == "games":
            problems.append(hooks.Problem("no_games_yet", {"event": event.name}))
        elif check.tone == "no" and check.code == "data_fault":
            params = {"round": check.params["round"], "text": explain(check.params["problem"], "results")}
            problems.append(hooks.Problem("round_contradicts", params))
    return problems


def approval_check(event: Event) -> list[hooks.Problem]:
    """What scrabble holds against approving an event: contradictions, which a merge may have made."""
    if event.discipline.code != DISCIPLINE:
        return []
    contradictions = [
        hooks.Problem("round_contradicts", {"round": number, "text": explain(problem, "results")})
        for number, problem in data_problems(event)
    ]
    return contradictions + unconfirmed(withdrawn_with_games(event))


def change_check(event: Event) -> list[hooks.Problem]:
    """What scrabble holds against new values of an event: rounds with results that it would not have any more."""
    if event.discipline.code != DISCIPLINE or not event.rounds:
        return []
    highest = highest_round(event)
    return [hooks.Problem("rounds_played", {"highest": highest})] if highest > event.rounds else []


def own_pages(account: User) -> list[tuple[str, str]]:
    """Lines of the own account: the rating of the person, the events that the account directs."""
    person = person_of(account)
    lines = [(_("My rating in scrabble"), reverse("scrabble-player", args=[person.number]))] if person else []
    if directed_event_ids(account):
        lines.append((_("My events"), reverse("scrabble-desk-events")))
    return lines


def events_waiting(request: HttpRequest) -> int:
    """Events that wait for this account, as its list of events shows them."""
    return desk_events(request.user, timezone.localdate()).filter(waits=True).order_by().count()


def events_returned(request: HttpRequest) -> str:
    """The events that staff sent back to this director, each with the reason."""
    if is_results_secretary(request.user):
        return ""
    events = desk_events(request.user, timezone.localdate()).filter(returned__gt="")[:RETURNED_NAMED]
    text = _("sent back: %(event)s (%(reason)s)")
    return "; ".join(text % {"event": event.name, "reason": Truncator(event.returned).chars(120)} for event in events)


def correction_page(job: Job) -> str:
    """Address of the correction that a job works on."""
    return reverse("scrabble-desk-correction", args=[job.params["correction"]])


def register() -> None:
    """Register checks, the job of a correction, and the entries of the desk."""
    hooks.register_submit_check(submit_check)
    hooks.register_approval_check(approval_check)
    hooks.register_change_check(change_check)
    register_job(
        JOB_KIND,
        make_edition,
        gettext_lazy("Corrected list"),
        permission="ratings.correct_results",
        page=correction_page,
    )
    register_desk_link(
        gettext_lazy("Scrabble events"),
        "scrabble-desk-events",
        "registry.run_event",
        count=events_waiting,
        detail=gettext_lazy("entries, results, handing in and approval"),
        news=events_returned,
    )
    register_desk_link(
        gettext_lazy("Scrabble corrections"),
        "scrabble-desk-corrections",
        "ratings.view_corrections",
        count=lambda request: waiting_corrections().count(),
        detail=gettext_lazy("results of approved events, with their effect"),
    )
    register_account_link(own_pages)
    seasons_registration.register()
