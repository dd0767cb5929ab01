"""Readings for the desk: events with what waits, checks before handing in and approving, people to enter."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, CharField, Count, F, OuterRef, Q, QuerySet, Subquery, TextField, When
from django.db.models.functions import Cast, Coalesce

from federation.accounts.roles import is_results_secretary
from federation.audit.models import AuditEvent
from federation.core.names import fold
from federation.registry.models import Entry, Event, EventState, Person, PersonState
from federation.registry.rules import directed_event_ids
from ratings.codes import DISCIPLINE
from ratings.core.rounds import GameRow, Problem, check_rows
from ratings.models import Correction, Game, GameKind
from ratings.queries.results import current_games, entrants, rounds_overview, row_of

#: States in which somebody still has something to do.
WAITING_STATES = (EventState.DRAFT, EventState.OPEN, EventState.SUBMITTED)
#: An event that is not played yet begins to wait for its director so many days before its first day.
WAITS_BEFORE = dt.timedelta(days=14)
MOST_PEOPLE = 12


def waits_for(user: Any, today: dt.date) -> Q:
    """Return which events wait for an account: results to enter and hand in, and for staff to approve."""
    waits = Q(state__in=(EventState.DRAFT, EventState.OPEN), starts_on__lte=today + WAITS_BEFORE)
    return waits | Q(state=EventState.SUBMITTED) if is_results_secretary(user) else waits


def reason_returned(event: Event) -> str:
    """Return why an event that is open came back from staff, empty if it did not."""
    if event.state != EventState.OPEN:
        return ""
    return str(_returned().filter(object_id=str(event.pk)).values_list("reason", flat=True).first() or "")


def _returned() -> QuerySet[AuditEvent]:
    return AuditEvent.objects.filter(object_type=Event._meta.label_lower, action="event.reopened").order_by("-id")


def desk_events(user: Any, today: dt.date) -> QuerySet[Any]:
    """Return the events an account may run, with counts of what waits.

    What waits for the account comes first, the longest due before the others; then the rest, latest first.
    Annotations: ``waits``, ``entry_count``, ``round_count`` (rounds with a row), ``pending_count``, ``game_count``,
    ``returned`` (why staff sent an open event back).
    """
    waits = waits_for(user, today)
    reason = _returned().filter(object_id=Cast(OuterRef("pk"), CharField())).values("reason")[:1]
    events = Event.objects.filter(discipline__code=DISCIPLINE).select_related("season", "club")
    if not is_results_secretary(user):
        events = events.filter(pk__in=directed_event_ids(user))
    games = Game.objects.filter(event=OuterRef("pk"), superseded_at__isnull=True).order_by().values("event")
    entries = Entry.objects.filter(event=OuterRef("pk")).order_by().values("event")
    pending = games.filter(kind=GameKind.PENDING)
    return events.annotate(
        entry_count=Coalesce(Subquery(entries.annotate(n=Count("pk")).values("n")), 0),
        game_count=Coalesce(Subquery(games.annotate(n=Count("pk")).values("n")), 0),
        pending_count=Coalesce(Subquery(pending.annotate(n=Count("pk")).values("n")), 0),
        round_count=Coalesce(Subquery(games.annotate(n=Count("round", distinct=True)).values("n")), 0),
        returned=Case(When(state=EventState.OPEN, then=Subquery(reason)), output_field=TextField()),
        waits=Case(When(waits, then=True), default=False),
    ).order_by("-waits", Case(When(waits, then=F("ends_on"))).asc(nulls_last=True), "-rating_date", "-sequence", "-pk")


def people_matching(text: str, event: Event, limit: int = MOST_PEOPLE) -> list[Person]:
    """Return people of the register whose number is typed or whose name has words that begin so, at most `limit`.

    Those entered in the event already are left out. Two queries at most.
    """
    text = text.strip()
    people = Person.objects.filter(state__in=(PersonState.CONFIRMED, PersonState.PROVISIONAL)).select_related("club")
    if text.isdecimal():
        people = people.filter(number=int(text[:9]))
    else:
        words = fold(text).split()
        if not words:
            return []
        for word in words:
            people = people.filter(Q(fold_key__startswith=word) | Q(fold_key__contains=f" {word}"))
    taken = Entry.objects.filter(event=event).values(root=Coalesce("person__merged_into_id", F("person_id")))
    return list(people.exclude(pk__in=taken).order_by("sort_key", "number")[:limit])


def entered_already(text: str, event: Event, limit: int = 3) -> list[Entry]:
    """Return entries of an event whose person has the typed number or words that begin so, at most `limit`.

    A merged record is found by its own number and by the name of the record it points to.
    """
    entries = event.entries.select_related("person", "person__merged_into")
    if text.isdecimal():
        number = int(text[:9])
        entries = entries.filter(Q(person__number=number) | Q(person__merged_into__number=number))
    else:
        for word in fold(text).split():
            begins = Q()
            for key in ("person__fold_key", "person__merged_into__fold_key"):
                begins |= Q(**{f"{key}__startswith": word}) | Q(**{f"{key}__contains": f" {word}"})
            entries = entries.filter(begins)
    return list(entries.order_by("number", "pk")[:limit])


@dataclass(frozen=True, slots=True)
class EventCheck:
    """One thing that is looked at before results are handed in or approved.

    Attributes:
        code: stable code; the pages have the texts.
        tone: ``yes``, ``wait`` (may go on) or ``no`` (stops).
    """

    code: str
    tone: str
    params: dict[str, Any] = field(default_factory=dict)


def event_checks(event: Event) -> list[EventCheck]:
    """Return what stands in the way of handing in the results, and what is worth a look."""
    players = entrants(event)
    summaries = rounds_overview(event, players)
    checks = [EventCheck("entries", "yes" if players else "no", {"count": len(players)})]
    games = sum(summary.games for summary in summaries)
    checks.append(EventCheck("games", "yes" if games else "no", {"count": games}))
    checks += [
        EventCheck("data_fault", "no", {"round": number, "problem": problem})
        for number, problem in data_problems(event, players)
    ]
    checks += [EventCheck("round_empty", "wait", {"round": one.number}) for one in summaries if one.is_empty]
    checks += [
        EventCheck("results_pending", "wait", {"round": one.number, "count": one.pending})
        for one in summaries
        if one.pending
    ]
    for one in summaries:
        if one.missing and not one.is_empty:
            names = ", ".join(f"{player.number} {player.name}" for player in one.missing[:5])
            more = "…" if len(one.missing) > 5 else ""
            params = {"round": one.number, "names": names + more, "count": len(one.missing)}
            checks.append(EventCheck("players_missing", "wait", params))
    return checks


def data_problems(event: Event, players: list[Any] | None = None) -> list[tuple[int, Problem]]:
    """Return contradictions between the games in force, by round; a merge of persons may have made them."""
    players = players if players is not None else entrants(event)
    by_round: dict[int, list[GameRow]] = defaultdict(list)
    for game in current_games(event):
        by_round[game.round].append(row_of(game))
    return [
        (number, problem)
        for number, rows in sorted(by_round.items())
        for problem in check_rows(rows, players, number)
        if problem.severity == "error"
    ]


def withdrawn_with_games(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event that were withdrawn before the first round and have a game in force even so."""
    games = Game.objects.filter(event=event, superseded_at__isnull=True)
    plays = Q(pk__in=games.values("a")) | Q(pk__in=games.filter(b__isnull=False).values("b"))
    return Entry.objects.filter(plays, event=event, withdrawn_after=0)


def waiting_corrections() -> QuerySet[Correction]:
    """Return corrections that are proposed, newest first."""
    return (
        Correction.objects.filter(state=Correction.State.PROPOSED)
        .select_related("event", "proposed_by")
        .order_by("-proposed_at", "-pk")
    )


def corrections_overview() -> QuerySet[Correction]:
    """Return all corrections, newest first, with what the list shows."""
    return (
        Correction.objects.select_related("event", "proposed_by", "decided_by")
        .prefetch_related("errata")
        .order_by("-proposed_at", "-pk")
    )


def published_errata_of(correction: Correction) -> list[Any]:
    """Return the errata that name a correction."""
    return list(
        correction.errata.select_related("corrected_list__corrects")
        .defer("corrected_list__counts", "corrected_list__corrects__counts")
        .order_by("published_at", "pk")
    )
