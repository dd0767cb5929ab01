"""Services on events: enter, change, hand in, approve, exclude, reopen; their entries and directors.

States (ARCHITECTURE section 4): draft, open, submitted, approved, excluded. Every step is a service; one that is
already done does nothing, one that is not possible from the present state is refused with ``event_state``.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

from django.db import transaction
from django.db.models import Max, ProtectedError, Q, QuerySet
from django.utils.text import slugify

from federation.accounts.models import User
from federation.audit.services import changed_fields, record
from federation.core.errors import RuleError
from federation.core.names import fold
from federation.registry import hooks
from federation.registry.hooks import Problem, refuse
from federation.registry.models import (
    Discipline,
    Entry,
    Event,
    EventDirector,
    EventState,
    MembershipPolicy,
    Modality,
    Person,
    PersonState,
    Season,
)
from federation.registry.queries.memberships import is_member_at, members_among
from federation.registry.queries.settings import federation_settings
from federation.registry.services.records import (
    clean_text,
    lock,
    refuse_stale,
    require_reason,
    save_unique,
    snapshot,
    validate,
)

EDITABLE_FIELDS = (
    "name",
    "slug",
    "season",
    "modality",
    "starts_on",
    "ends_on",
    "rating_date",
    "sequence",
    "rounds",
    "venue",
    "town",
    "club",
    "results_public",
    "tie_breaks",
)
_TEXTS = ("name", "venue", "town")
_NOT_VALIDATED = ("discipline", "season", "club", "version", "state", "excluded_reason", "slug")
#: Changes of these change what a rating is computed from.
_FACTS = frozenset(
    {"season", "modality", "starts_on", "ends_on", "rating_date", "sequence", "rounds", "results_public"}
)
#: In these states the people of the event still work on it.
UNFINISHED = (EventState.DRAFT, EventState.OPEN)


@transaction.atomic
def create_event(
    *,
    actor: User | None,
    discipline: Discipline,
    name: str,
    starts_on: dt.date,
    ends_on: dt.date | None = None,
    season: Season | None = None,
    rating_date: dt.date | None = None,
    slug: str = "",
    modality: str = Modality.CLASSIC,
    state: str = EventState.DRAFT,
    directors: tuple[User, ...] = (),
    **fields: Any,
) -> Event:
    """Enter an event.

    Args:
        actor: who enters.
        discipline: its game.
        name: its name.
        starts_on: first day.
        ends_on: last day; the first day by default.
        season: the season of the rating date by default.
        rating_date: the last day by default.
        slug: address; made from the name by default.
        modality: how it is played.
        state: ``draft`` or ``open``.
        directors: accounts that may run it.
        **fields: others of `EDITABLE_FIELDS`.

    Raises:
        RuleError: ``season_missing``, ``season_other_discipline``, ``event_dates``, ``slug_taken``, ``value_invalid``,
            ``rounds_invalid``, ``field_unknown``; ``event_known`` (with its ``slug``) where the discipline has an event
            of the same name on the same days.
    """
    if state not in UNFINISHED:
        raise RuleError("value_invalid", {"field": "state", "problem": state})
    ends_on = ends_on or starts_on
    event = Event(discipline=discipline, state=state)
    values = {"name": name, "starts_on": starts_on, "ends_on": ends_on, "modality": modality, **fields}
    event.season = season or season_at(discipline=discipline, date=rating_date or ends_on)
    _assign(event, {**values, "rating_date": rating_date or ends_on})
    _refuse_known(event)
    event.slug = _free_slug(event, slug)
    save_unique(event, RuleError("slug_taken", {"slug": event.slug}, where="slug"))
    record(
        action="event.created",
        obj=event,
        actor=actor,
        after={"state": event.state, **snapshot(event, EDITABLE_FIELDS), "version": 0},
    )
    for user in directors:
        name_director(event=event, user=user, actor=actor)
    return event


@transaction.atomic
def change_event(*, event: Event, actor: User | None, version: int, **fields: Any) -> Event:
    """Change values of an event that is not approved or excluded.

    Raises:
        RuleError: ``stale``, ``event_closed``, what its results hold against the values, and those of `create_event`.
    """
    row = lock(Event, event.pk)
    before = snapshot(row, EDITABLE_FIELDS)
    slug = fields.pop("slug", row.slug)
    follows = row.rating_date == row.ends_on and fields.get("rating_date", row.rating_date) in (None, row.rating_date)
    _assign(row, fields)
    if (follows and "ends_on" in fields) or row.rating_date is None:
        row.rating_date = row.ends_on
    if slug != row.slug:
        row.slug = _free_slug(row, slug)
    old, new = changed_fields(before, snapshot(row, EDITABLE_FIELDS))
    if not new:
        return row
    refuse_stale(row, version, "event.")
    if row.state in (EventState.APPROVED, EventState.EXCLUDED):
        raise RuleError("event_closed", _named(row))
    refuse(hooks.change_problems(row))
    row.version += 1
    save_unique(row, RuleError("slug_taken", {"slug": row.slug}, where="slug"))
    record(action="event.changed", obj=row, actor=actor, before=old, after={**new, "version": row.version})
    if set(new) & _FACTS:
        hooks.notify_facts_changed(events=[row.pk], why="event.changed")
    return row


def open_event(*, event: Event, actor: User | None) -> Event:
    """Open a draft: results may come in.

    Raises:
        RuleError: ``event_state``.
    """
    return _move(event, EventState.OPEN, (EventState.DRAFT,), "event.opened", actor)


def submit_event(*, event: Event, actor: User | None) -> Event:
    """Hand in the results of an open event.

    Raises:
        RuleError: ``event_state``, ``event_without_entries``, and what the games miss.
    """
    return _move(event, EventState.SUBMITTED, (EventState.OPEN,), "event.submitted", actor, _submit_problems)


def approve_event(*, event: Event, actor: User | None) -> Event:
    """Approve the results that were handed in; from now on they are rated.

    Raises:
        RuleError: ``event_state``, ``provisional_persons``, and what the games miss.
    """
    return _move(event, EventState.APPROVED, (EventState.SUBMITTED,), "event.approved", actor, approval_problems)


def exclude_event(*, event: Event, reason: str, actor: User | None) -> Event:
    """Take an event out: it stays visible with the reason and is never rated.

    Raises:
        RuleError: ``reason_missing``.
    """
    reason = require_reason(reason)
    every = tuple(EventState)
    return _move(event, EventState.EXCLUDED, every, "event.excluded", actor, reason=reason)


def reopen_event(*, event: Event, reason: str, actor: User | None) -> Event:
    """Open an event again that was handed in, approved or excluded.

    Raises:
        RuleError: ``reason_missing``, ``event_state`` for a draft.
    """
    reason = require_reason(reason)
    finished = (EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED)
    return _move(event, EventState.OPEN, finished, "event.reopened", actor, reason=reason)


@transaction.atomic
def delete_event(*, event: Event, actor: User | None) -> None:
    """Delete a draft entered by mistake, on which nothing hangs yet.

    Raises:
        RuleError: ``event_has_facts``.
    """
    row = lock(Event, event.pk)
    if row.state not in UNFINISHED:
        raise RuleError("event_has_facts", _named(row))
    record(action="event.deleted", obj=row, actor=actor, before={"name": row.name, "state": row.state})
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError as error:
        raise RuleError("event_has_facts", _named(event)) from error


def approval_problems(event: Event) -> list[Problem]:
    """Return what stands in the way of approving an event."""
    return unconfirmed(Entry.objects.filter(event=event).exclude(withdrawn_after=0)) + hooks.approval_problems(event)


def unconfirmed(entries: QuerySet[Entry]) -> list[Problem]:
    """Return ``provisional_persons`` if a person of some entries waits for confirmation by the registry.

    Who was withdrawn before the first round takes no part, as after a file that was withdrawn: the game that knows the
    results asks for these itself if one of them counts.
    """
    rows = Person.objects.filter(entries__in=entries).select_related("merged_into").order_by("sort_key", "pk")
    waiting = {
        root.pk: root.full_name
        for root in (person.merged_into or person for person in rows)
        if root.state == PersonState.PROVISIONAL
    }
    if not waiting:
        return []
    shown = list(waiting.values())[:5]
    names = ", ".join(shown) + ("…" if len(waiting) > len(shown) else "")
    return [Problem("provisional_persons", {"count": len(waiting), "names": names})]


def _submit_problems(event: Event) -> list[Problem]:
    if not Entry.objects.filter(event=event).exists():
        return [Problem("event_without_entries", _named(event))]
    return hooks.submit_problems(event)


# ---- entries ------------------------------------------------------------------------------------


@transaction.atomic
def add_entry(
    *, event: Event, person: Person, actor: User | None, number: int | None = None, even_closed: bool = False
) -> Entry:
    """Enter a person in an event.

    A merged record is entered as the one it points to. Whoever is entered already, by any record of the person, keeps
    that entry.

    Args:
        event: the event.
        person: who plays.
        actor: who enters.
        number: number in the event; the next free one by default.
        even_closed: for corrections: also in an event that was handed in, approved or excluded.

    Raises:
        RuleError: ``event_closed``, ``already_entered`` (with another number), ``entry_number_taken``,
            ``entry_number_invalid``, ``membership_missing`` where the federation refuses.
    """
    row = lock(Event, event.pk)
    root = Person.objects.get(pk=person.root_id)
    there = (
        Entry.objects.filter(Q(person=root) | Q(person__merged_into=root), event=row)
        .select_related("person")
        .order_by("number")
        .first()
    )
    if there is not None:
        if number is None or number == there.number:
            return there
        raise RuleError("already_entered", {"name": root.full_name, "number": there.number})
    _refuse_closed(row, even_closed)
    if number is None:
        number = (Entry.objects.filter(event=row).aggregate(last=Max("number"))["last"] or 0) + 1
    _check_number(row, number)
    problem = membership_problem(root, row)
    if problem is not None and federation_settings().membership_policy == MembershipPolicy.BLOCK:
        refuse([problem])
    entry = Entry.objects.create(event=row, person=root, number=number)
    record(
        action="entry.added",
        obj=entry,
        actor=actor,
        after={"event": row.pk, "person": root.number, "number": number, "membership": problem is None},
    )
    hooks.notify_facts_changed(events=[row.pk], why="entry.added")
    return entry


@transaction.atomic
def change_entry_number(*, entry: Entry, number: int, actor: User | None) -> Entry:
    """Give an entry another number in its event.

    Raises:
        RuleError: ``event_closed``, ``entry_number_taken``, ``entry_number_invalid``.
    """
    event = lock(Event, entry.event_id)
    row = Entry.objects.select_related("person").get(pk=entry.pk)
    if row.number == number:
        return row
    _refuse_closed(event)
    _check_number(event, number)
    before = {"number": row.number}
    row.number = number
    row.save(update_fields=["number"])
    record(action="entry.changed", obj=row, actor=actor, before=before, after={"number": number})
    return row


@transaction.atomic
def withdraw_entry(*, entry: Entry, after_round: int | None, actor: User | None) -> Entry:
    """Note after which round a player left the event; ``None`` takes it back.

    Raises:
        RuleError: ``event_closed``, ``withdrawn_round``.
    """
    event = lock(Event, entry.event_id)
    row = Entry.objects.select_related("person").get(pk=entry.pk)
    if row.withdrawn_after == after_round:
        return row
    _refuse_closed(event)
    if after_round is not None and not 0 <= after_round <= (event.rounds or 200):
        raise RuleError("withdrawn_round", {"rounds": event.rounds or 200})
    before = {"withdrawn_after": row.withdrawn_after}
    row.withdrawn_after = after_round
    row.save(update_fields=["withdrawn_after"])
    record(action="entry.withdrawn", obj=row, actor=actor, before=before, after={"withdrawn_after": after_round})
    return row


@transaction.atomic
def remove_entry(*, entry: Entry, actor: User | None) -> None:
    """Remove an entry without results.

    Raises:
        RuleError: ``event_closed``, ``entry_has_facts``.
    """
    event = lock(Event, entry.event_id)
    row = Entry.objects.select_related("person").filter(pk=entry.pk).first()
    if row is None:
        return
    _refuse_closed(event)
    before = {"event": event.pk, "person": row.person.number, "number": row.number}
    try:
        with transaction.atomic():
            record(action="entry.removed", obj=row, actor=actor, before=before)
            row.delete()
    except ProtectedError as error:
        raise RuleError("entry_has_facts", {"name": entry.person.full_name}) from error
    hooks.notify_facts_changed(events=[event.pk], why="entry.removed")


def membership_problem(person: Person, event: Event) -> Problem | None:
    """Return ``membership_missing`` if a person has no membership or licence on the first day of an event.

    Whether it is a warning or a refusal says ``FederationSettings.membership_policy``.
    """
    if is_member_at(person, event.starts_on, event.discipline_id):
        return None
    return _membership_missing(person, event)


def membership_problems(persons: list[Person], event: Event) -> dict[int, Problem]:
    """Return `membership_problem` for many persons, by their own keys, in one query."""
    members = members_among(persons, event.starts_on, event.discipline_id)
    return {person.pk: _membership_missing(person, event) for person in persons if person.root_id not in members}


def _membership_missing(person: Person, event: Event) -> Problem:
    return Problem("membership_missing", {"name": person.full_name, "date": event.starts_on.isoformat()})


def _check_number(event: Event, number: int) -> None:
    if not 1 <= number <= 9999:
        raise RuleError("entry_number_invalid", where="number")
    other = Entry.objects.filter(event=event, number=number).select_related("person").first()
    if other is not None:
        raise RuleError("entry_number_taken", {"number": number, "name": other.person.full_name}, where="number")


# ---- directors ----------------------------------------------------------------------------------


@transaction.atomic
def name_director(*, event: Event, user: User, actor: User | None) -> EventDirector:
    """Let an account run an event; naming it twice changes nothing."""
    row = lock(Event, event.pk)
    director, created = EventDirector.objects.get_or_create(event=row, user=user)
    if created:
        record(action="event.director_named", obj=row, actor=actor, after={"director": user.pk})
    return director


@transaction.atomic
def remove_director(*, event: Event, user: User, actor: User | None) -> None:
    """Take the event away from a director."""
    row = lock(Event, event.pk)
    deleted, _rows = EventDirector.objects.filter(event=row, user=user).delete()
    if deleted:
        record(action="event.director_removed", obj=row, actor=actor, before={"director": user.pk})


# ---- shared -------------------------------------------------------------------------------------


def season_at(*, discipline: Discipline, date: dt.date) -> Season:
    """Return the season of a discipline that includes a day.

    Raises:
        RuleError: ``season_missing``.
    """
    season = Season.objects.filter(discipline=discipline, starts_on__lte=date, ends_on__gte=date).first()
    if season is None:
        raise RuleError("season_missing", {"discipline": discipline.name, "date": date.isoformat()})
    return season


@transaction.atomic
def _move(
    event: Event,
    state: EventState,
    allowed: tuple[EventState, ...],
    action: str,
    actor: User | None,
    problems: Any = None,
    reason: str = "",
) -> Event:
    row = lock(Event, event.pk)
    if row.state == state:
        return row
    if row.state not in allowed:
        raise RuleError("event_state", _named(row))
    if problems is not None:
        refuse(problems(row))
    before = {"state": row.state}
    row.state = state
    row.excluded_reason = reason if state == EventState.EXCLUDED else ""
    row.version += 1
    row.save(update_fields=["state", "excluded_reason", "version"])
    after = {"state": state.value, "version": row.version}
    record(action=action, obj=row, actor=actor, reason=reason, before=before, after=after)
    hooks.notify_facts_changed(events=[row.pk], why=action)
    return row


def _assign(event: Event, fields: dict[str, Any]) -> None:
    for name, value in fields.items():
        if name not in EDITABLE_FIELDS:
            raise RuleError("field_unknown", {"field": name})
        setattr(event, name, clean_text(value) if name in _TEXTS else value)
    if event.starts_on and event.ends_on and event.starts_on > event.ends_on:
        raise RuleError("event_dates", where="ends_on")
    if not 0 <= (event.rounds or 0) <= 200:
        raise RuleError("rounds_invalid", where="rounds")
    if event.season.discipline_id != event.discipline_id:
        raise RuleError("season_other_discipline", {"season": str(event.season)}, where="season")
    event.rating_date = event.rating_date or event.ends_on
    validate(event, exclude=_NOT_VALIDATED)


def _refuse_known(event: Event) -> None:
    """Refuse an event that is there already, as a form sent twice would make it; the season is locked for that."""
    lock(Season, event.season_id)
    known = Event.objects.filter(
        discipline=event.discipline_id, name=event.name, starts_on=event.starts_on, ends_on=event.ends_on
    ).first()
    if known is not None:
        raise RuleError("event_known", {"event": known.name, "slug": known.slug}, where="name")


def _free_slug(event: Event, wanted: str) -> str:
    """Return the wanted address if nobody has it, or one made from name and year."""
    others = Event.objects.filter(discipline=event.discipline_id).exclude(pk=event.pk)
    if wanted:
        slug = slugify(wanted)[:80]
        if others.filter(slug=slug).exists():
            raise RuleError("slug_taken", {"slug": slug}, where="slug")
        return slug
    base = slugify(fold(re.sub("['’]", " ", event.name)))[:70].strip("-") or "event"
    year = str(event.ends_on.year)
    base = base if year in base else f"{base}-{year}"
    taken = set(others.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in [base, *(f"{base}-{turn}" for turn in range(2, 10_000))] if slug not in taken)


def _refuse_closed(event: Event, even_closed: bool = False) -> None:
    if not even_closed and event.state not in UNFINISHED:
        raise RuleError("event_closed", _named(event))


def _named(event: Event) -> dict[str, object]:
    return {"event": event.name, "state": event.get_state_display()}
