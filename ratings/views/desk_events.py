"""Events at the desk: the list, one event with its entries and rounds, entering and changing it, its states."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from federation.accounts.permissions import permission_required
from federation.accounts.roles import is_results_secretary
from federation.core.errors import RuleError
from federation.core.names import fold
from federation.problems import explain
from federation.registry.models import Discipline, Entry, Event, EventState, Person, PersonState, Season
from federation.registry.rules import directed_event_ids
from federation.registry.services import events as registry
from federation.registry.services.newcomers import enter_newcomer
from federation.web.dates import short_date
from ratings.codes import DISCIPLINE
from ratings.forms.desk import EventForm, NewPlayerForm, ReasonForm
from ratings.forms.grid import whole
from ratings.queries.desk import (
    WAITING_STATES,
    desk_events,
    entered_already,
    event_checks,
    people_matching,
    reason_returned,
)
from ratings.queries.results import entrants, rounds_after, rounds_overview
from ratings.services.results import ENTRY_STATES
from ratings.views.desk_common import attempt, event_of, of_address, typed

PAGE = 50


@permission_required("registry.run_event")
@require_GET
def event_list(request: HttpRequest) -> HttpResponse:
    """Events that the account may run, with what waits at each."""
    events = desk_events(request.user, timezone.localdate())
    state, season, text = (typed(request.GET, name, 80) for name in ("state", "season", "q"))
    if state == "all":
        shown = events
    elif state in EventState.values:
        shown = events.filter(state=state)
    else:
        shown = events.filter(state__in=WAITING_STATES) if state == "unfinished" else events.filter(waits=True)
        state = state if state == "unfinished" else ""
    if season:
        shown = shown.filter(season__code=season[:7])
    for word in fold(text).split()[:5]:
        shown = shown.filter(slug__contains=word)
    page = Paginator(shown, PAGE).get_page(request.GET.get("page"))
    seasons = (
        Season.objects.filter(discipline__code=DISCIPLINE).order_by("-starts_on", "pk").values_list("code", flat=True)
    )
    states = [("", _("waiting")), ("unfinished", _("not finished")), ("all", _("all")), *EventState.choices]
    context = {"page": page, "seasons": seasons, "state": state, "season": season, "q": text, "states": states}
    return render(request, "ratings/desk/events.html", context)


@permission_required("registry.run_event", of_address)
@require_GET
def event_page(request: HttpRequest, slug: str) -> HttpResponse:
    """One event: its entries, rounds, what is missing, and the next step."""
    return _event_page(request, event_of(slug))


@permission_required("registry.create_event")
@require_http_methods(["GET", "HEAD", "POST"])
def event_new(request: HttpRequest) -> HttpResponse:
    """Enter an event."""
    form = EventForm(request.POST or None, initial={"rounds": 0, "modality": "classic", "tie_breaks": "direct spread"})
    if request.method == "POST" and form.is_valid():
        discipline = get_object_or_404(Discipline, code=DISCIPLINE)
        values = form.event_values()
        directors = tuple(form.cleaned_data["directors"])
        try:
            event = registry.create_event(
                actor=request.user,  # type: ignore[arg-type]
                discipline=discipline,
                state=EventState.OPEN,
                directors=directors,
                **values,
            )
        except RuleError as error:
            if error.code == "event_known" and _is_same(form, str(error.params["slug"])):
                messages.info(request, _("%(event)s is entered already.") % error.params)
                return redirect("scrabble-desk-event", str(error.params["slug"]))
            _attach(form, error)
        else:
            messages.success(request, _("%(event)s is entered and open.") % {"event": event.name})
            return redirect("scrabble-desk-event", event.slug)
    context = {"form": form, "event": None}
    return render(request, "ratings/desk/event_form.html", context, status=422 if form.errors else 200)


@permission_required("registry.create_event", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def event_edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change an event and who directs it."""
    event = event_of(slug)
    form = EventForm(request.POST or None, initial=EventForm.initial_of(event))
    if request.method == "POST" and form.is_valid():
        try:
            _change(event, form, request.user)
        except RuleError as error:
            _attach(form, error)
        else:
            messages.success(request, _("The event is stored."))
            event = Event.objects.select_related("season").get(pk=event.pk)
            if not event.season.starts_on <= event.rating_date <= event.season.ends_on:
                warning = _(
                    "The rating date %(date)s is not in the season %(season)s. Change one of them if that is wrong."
                )
                messages.warning(request, warning % {"date": short_date(event.rating_date), "season": event.season})
            return redirect("scrabble-desk-event", event.slug)
    context = {"form": form, "event": event}
    return render(request, "ratings/desk/event_form.html", context, status=422 if form.errors else 200)


@permission_required("registry.run_event", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def entry_add(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a player by number or a few letters; GET shows who is meant."""
    event = event_of(slug)
    if request.method != "POST":
        text = typed(request.GET, "q", 80)
        if request.headers.get("HX-Request"):
            found = people_matching(text, event)
            wanted = typed(request.GET, "number", 20)
            context = {"event": event, "people": found, "q": text, "wanted": wanted}
            return render(request, "ratings/desk/_people.html", context)
        return _event_page(request, event, text=text)
    if "new" in request.POST:
        return _enter_new(request, event)
    wanted = typed(request.POST, "number", 20)
    number = whole(wanted, 0) if wanted else None
    person_number = request.POST.get("person", "").strip()
    if person_number:
        person = get_object_or_404(Person, number=whole(person_number, 0))
        return _enter(request, event, person, number)
    text = typed(request.POST, "q", 80)
    found = people_matching(text, event)
    if len(found) == 1:
        return _enter(request, event, found[0], number)
    if not found:
        _say_why_nobody(request, event, text)
    return _event_page(request, event, text=text, status=422, wanted=wanted)


def _say_why_nobody(request: HttpRequest, event: Event, text: str) -> None:
    """Say whether whoever is meant is entered already, as after a form that was sent twice, or is not known."""
    if not text:
        messages.error(request, _("Type a number of the register or some letters of a name first."))
        return
    there = entered_already(text, event)
    for entry in there:
        person = entry.person.merged_into or entry.person
        done = _("%(name)s is already entered with number %(number)s.")
        messages.info(request, done % {"name": person.full_name, "number": entry.number})
    if not there:
        nobody = _("Nobody in the register fits “%(text)s”. Check the name, or enter a new player.")
        messages.error(request, nobody % {"text": text})


@permission_required("registry.run_event", of_address)
@require_POST
def entry_change(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Withdraw an entry after a round, take that back, or remove an entry without results."""
    event = event_of(slug)
    entry = Entry.objects.select_related("person").filter(event=event, number=number).first()
    if entry is None:
        messages.info(request, _("Number %(number)s is not entered any more.") % {"number": number})
        return redirect("scrabble-desk-event", slug)
    name = {"name": entry.person.full_name}
    actor: Any = request.user
    if "remove" in request.POST:
        attempt(request, partial(registry.remove_entry, entry=entry, actor=actor), _("%(name)s is removed.") % name)
    elif "back" in request.POST:
        done = _("%(name)s plays again.") % name
        attempt(request, partial(registry.withdraw_entry, entry=entry, after_round=None, actor=actor), done)
    else:
        turn = whole(request.POST.get("after"), -1)
        done = _("%(name)s is withdrawn after round %(round)s.") % {**name, "round": turn}
        ok = attempt(request, partial(registry.withdraw_entry, entry=entry, after_round=turn, actor=actor), done)
        later = rounds_after(event, entry.pk, turn) if ok else []
        if later:
            warning = _("%(name)s still stands in later rounds: %(rounds)s. Change these lines, or the withdrawal.")
            messages.warning(request, warning % {**name, "rounds": ", ".join(map(str, later))})
    return redirect("scrabble-desk-event", slug)


@permission_required("registry.run_event", of_address)
@require_POST
def event_step(request: HttpRequest, slug: str) -> HttpResponse:
    """Open a draft or hand in the results."""
    event = event_of(slug)
    actor: Any = request.user
    step = request.POST.get("step", "")
    if step == "open":
        attempt(request, partial(registry.open_event, event=event, actor=actor), _("The event is open."))
    elif step == "submit":
        if event.state == EventState.DRAFT:
            attempt(request, partial(registry.open_event, event=event, actor=actor))
        done = _("The results are handed in. The results secretary approves them.")
        attempt(request, partial(registry.submit_event, event=event, actor=actor), done)
    else:
        raise PermissionDenied
    return redirect("scrabble-desk-event", slug)


def _event_page(
    request: HttpRequest, event: Event, *, text: str = "", status: int = 200, form: Any = None, wanted: str = ""
) -> HttpResponse:
    players = entrants(event)
    entries = list(
        event.entries.select_related("person", "person__merged_into", "person__club").order_by("number", "pk")
    )
    summaries = rounds_overview(event, players)
    last = max((one.number for one in summaries), default=0)
    user = request.user
    context = {
        "event": event,
        "returned": reason_returned(event),
        "entries": entries,
        "rounds": summaries,
        "new_round": last + 1 if not event.rounds else 0,
        "is_open": event.state in ENTRY_STATES,
        "checks": [(check, check_text(check)) for check in event_checks(event) if check.tone != "yes"],
        "directors": list(event.directors.order_by("username", "pk")),
        "q": text,
        "wanted": wanted,
        "people": people_matching(text, event) if text else [],
        "new_player": form or NewPlayerForm(),
        "is_secretary": is_results_secretary(user),
        "is_director": event.pk in directed_event_ids(user),
        "provisional": sum(
            1
            for entry in entries
            if entry.withdrawn_after != 0
            and (entry.person.merged_into or entry.person).state == PersonState.PROVISIONAL
        ),
        "reason_form": ReasonForm(),
    }
    return render(request, "ratings/desk/event.html", context, status=status)


def check_text(check: Any) -> str:
    """Return the sentence of a check."""
    texts = {
        "entries": _("Nobody is entered yet."),
        "games": _("No game has a result yet."),
        "data_fault": _("Round %(round)s contradicts itself: %(text)s"),
        "round_empty": _("Round %(round)s has no results yet."),
        "players_missing": _("Round %(round)s: not in any line: %(names)s."),
    }
    params = dict(check.params)
    if check.code == "results_pending":
        text = ngettext(
            "Round %(round)s: %(count)s game without a result.",
            "Round %(round)s: %(count)s games without a result.",
            params["count"],
        )
        return text % params
    if "problem" in params:
        params["text"] = explain(params["problem"], "results")
    return texts[check.code] % params


def _enter(request: HttpRequest, event: Event, person: Person, number: int | None) -> HttpResponse:
    actor: Any = request.user
    warnings = registry.membership_problem(person, event)
    done = _("%(name)s is entered.") % {"name": person.full_name}
    entered = attempt(
        request, partial(registry.add_entry, event=event, person=person, actor=actor, number=number), done
    )
    if entered and warnings is not None:
        messages.warning(request, explain(warnings, "results"))
    response = redirect("scrabble-desk-event", event.slug)
    response["Location"] += "#players-head"
    return response


def _enter_new(request: HttpRequest, event: Event) -> HttpResponse:
    """Enter somebody whom the register does not have."""
    form = NewPlayerForm(request.POST)
    actor: Any = request.user
    if not form.is_valid():
        return _event_page(request, event, form=form, status=422)
    is_other = request.POST["new"] == "other"
    enter = partial(enter_newcomer, event=event, actor=actor, is_other=is_other, **form.cleaned_data)
    name = f"{form.cleaned_data['given_name']} {form.cleaned_data['family_name']}"
    done = _("%(name)s is entered with a provisional record. The registry officer confirms or merges it.")
    if not attempt(request, enter, done % {"name": name}):
        form.has_namesake = not is_other
        return _event_page(request, event, form=form, status=422)
    return redirect("scrabble-desk-event", event.slug)


@transaction.atomic
def _change(event: Event, form: EventForm, actor: Any) -> None:
    values = form.event_values()
    if values["season"] is None:
        day = values["rating_date"] or values["ends_on"]
        values["season"] = registry.season_at(discipline=event.discipline, date=day)
    version = form.cleaned_data["version"]
    registry.change_event(event=event, actor=actor, version=-1 if version is None else version, **values)
    wanted = set(form.cleaned_data["directors"])
    present = set(event.directors.all())
    for user in sorted(wanted - present, key=lambda account: account.pk):
        registry.name_director(event=event, user=user, actor=actor)
    for user in sorted(present - wanted, key=lambda account: account.pk):
        registry.remove_director(event=event, user=user, actor=actor)


def _is_same(form: EventForm, slug: str) -> bool:
    """Whether the form holds what the event of an address has, as a form that is sent twice does."""
    event = event_of(slug)
    stored = EventForm.initial_of(event)
    values = form.event_values()
    values["rating_date"] = values["rating_date"] or values["ends_on"]
    values["season"] = values["season"] or event.season
    values["tie_breaks"] = " ".join(values["tie_breaks"])
    values["directors"] = ", ".join(sorted(user.username for user in form.cleaned_data["directors"]))
    return all(stored[name] == value for name, value in values.items())


def _attach(form: EventForm, error: RuleError) -> None:
    """Put an error of a service beside its field."""
    where = error.where if error.where in form.fields else None
    form.add_error(where, explain(error, "results"))
