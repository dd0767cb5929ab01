"""Services on disciplines, seasons and the settings of the federation."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, Q

from federation.accounts.models import User
from federation.audit.services import changed_fields, record
from federation.core.errors import RuleError
from federation.registry import hooks
from federation.registry.models import Discipline, Event, FederationSettings, Season, SeasonState
from federation.registry.services.records import lock, save_unique, snapshot, validate

SEASON_FIELDS = ("code", "starts_on", "ends_on", "state")
DISCIPLINE_FIELDS = ("code", "name", "order")
SETTINGS_FIELDS = (
    "name",
    "subtitle",
    "town",
    "contact_email",
    "membership_policy",
    "two_person_publishing",
    "objection_days",
    "adult_age",
)


@transaction.atomic
def save_season(
    *,
    season: Season | None = None,
    actor: User | None,
    discipline: Discipline,
    code: str,
    starts_on: dt.date,
    ends_on: dt.date,
    state: str | None = None,
) -> Season:
    """Enter a season, or change one; without a change nothing is written.

    Seasons of a discipline never overlap. Two that are entered at the same moment are told apart by the database.

    Raises:
        RuleError: ``season_overlap`` naming the other season, ``season_order``, ``season_code_taken``,
            ``season_events_outside``, ``value_invalid``.
    """
    Discipline.objects.select_for_update(no_key=True).get(pk=discipline.pk)
    row = lock(Season, season.pk) if season is not None and season.pk else Season(discipline=discipline)
    if row.discipline_id != discipline.pk:
        raise RuleError("season_other_discipline", {"season": str(row)}, where="discipline")
    before = snapshot(row, SEASON_FIELDS) if row.pk else {}
    row.code, row.starts_on, row.ends_on = code.strip(), starts_on, ends_on
    row.state = state or row.state or SeasonState.PLANNED
    validate(row, exclude=["discipline"])
    _check_dates(row)
    old, new = changed_fields(before, snapshot(row, SEASON_FIELDS))
    if not new:
        return row
    action = "season.changed" if row.pk else "season.created"
    row.save()
    record(action=action, obj=row, actor=actor, before=old if before else {}, after=new)
    if before:
        events = Event.objects.filter(season=row).values_list("pk", flat=True)
        hooks.notify_facts_changed(events=events, why="season.changed")
    return row


@transaction.atomic
def delete_season(*, season: Season, actor: User | None) -> None:
    """Delete a season entered by mistake.

    Raises:
        RuleError: ``season_has_facts``.
    """
    row = lock(Season, season.pk)
    record(action="season.deleted", obj=row, actor=actor, before=snapshot(row, SEASON_FIELDS))
    try:
        with transaction.atomic():
            row.delete()
    except ProtectedError as error:
        raise RuleError("season_has_facts", {"season": str(season)}) from error


@transaction.atomic
def save_discipline(*, discipline: Discipline | None = None, actor: User | None, **fields: Any) -> Discipline:
    """Enter a discipline, or change one.

    Raises:
        RuleError: ``value_invalid``, ``slug_taken``, ``field_unknown``.
    """
    row = lock(Discipline, discipline.pk) if discipline is not None and discipline.pk else Discipline()
    before = snapshot(row, DISCIPLINE_FIELDS) if row.pk else {}
    _set(row, fields, DISCIPLINE_FIELDS)
    validate(row)
    if Discipline.objects.exclude(pk=row.pk).filter(code=row.code).exists():
        raise RuleError("slug_taken", {"slug": row.code}, where="code")
    old, new = changed_fields(before, snapshot(row, DISCIPLINE_FIELDS))
    if new:
        save_unique(row, RuleError("slug_taken", {"slug": row.code}, where="code"))
        record(action="discipline.saved", obj=row, actor=actor, before=old if before else {}, after=new)
    return row


@transaction.atomic
def save_settings(*, actor: User | None, **fields: Any) -> FederationSettings:
    """Change the settings of the federation.

    Raises:
        RuleError: ``value_invalid``, ``field_unknown``.
    """
    row = FederationSettings.objects.select_for_update(no_key=True).filter(pk=1).first() or FederationSettings(pk=1)
    before = snapshot(row, SETTINGS_FIELDS)
    _set(row, fields, SETTINGS_FIELDS)
    validate(row)
    old, new = changed_fields(before, snapshot(row, SETTINGS_FIELDS))
    if new or row._state.adding:
        row.save()
        record(action="settings.changed", obj=row, actor=actor, before=old, after=new)
    return row


def _set(row: Any, fields: dict[str, Any], allowed: tuple[str, ...]) -> None:
    for name, value in fields.items():
        if name not in allowed:
            raise RuleError("field_unknown", {"field": name})
        setattr(row, name, value)


def _check_dates(season: Season) -> None:
    if season.starts_on >= season.ends_on:
        raise RuleError("season_order", where="ends_on")
    others = Season.objects.filter(discipline=season.discipline_id).exclude(pk=season.pk)
    if others.filter(code=season.code).exists():
        raise RuleError("season_code_taken", {"season": str(season)}, where="code")
    clash = others.filter(starts_on__lte=season.ends_on, ends_on__gte=season.starts_on).order_by("starts_on").first()
    if clash is not None:
        params = {"season": str(clash), "starts": clash.starts_on.isoformat(), "ends": clash.ends_on.isoformat()}
        raise RuleError("season_overlap", params, where="starts_on")
    if season.pk:
        inside = Q(rating_date__gte=season.starts_on, rating_date__lte=season.ends_on)
        was = Season.objects.get(pk=season.pk)
        events = Event.objects.filter(season=season, rating_date__range=(was.starts_on, was.ends_on)).exclude(inside)
        if count := events.count():
            raise RuleError("season_events_outside", {"count": count, "season": str(season)}, where="starts_on")
