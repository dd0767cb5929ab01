"""What the pages of the events read."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from federation.accounts.models import RoleGrant
from federation.registry.models import Discipline, Entry, Event, EventState, Season
from ratings.models import (
    Correction,
    Game,
    LedgerRow,
    ListState,
    PublishedList,
    RatedEvent,
    RatingSystem,
    RuleSet,
)

#: Drafts are the director's own; everything else is public.
PUBLIC_STATES = (EventState.OPEN, EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED)


def public_events(discipline: Discipline) -> QuerySet[Event]:
    """Events that readers may see, newest first, with the number of entries and of games."""
    entries = (
        Entry.objects.filter(event=OuterRef("pk")).order_by().values("event").annotate(number=Count("id"))
    ).values("number")
    games = (
        Game.objects.filter(event=OuterRef("pk"), superseded_at__isnull=True, kind="played")
        .order_by()
        .values("event")
        .annotate(number=Count("id"))
    ).values("number")
    return (
        Event.objects.filter(discipline=discipline, state__in=PUBLIC_STATES)
        .select_related("season", "club")
        .annotate(entry_count=Coalesce(Subquery(entries), 0), game_count=Coalesce(Subquery(games), 0))
        .order_by("-rating_date", "-sequence", "-id")
    )


def public_event(discipline: Discipline, slug: str) -> Event | None:
    """One public event."""
    return (
        Event.objects.filter(discipline=discipline, slug=slug, state__in=PUBLIC_STATES)
        .select_related("season", "club", "pinned_rule_set__rule_set")
        .prefetch_related("directors__person")
        .first()
    )


def seasons_with_events(discipline: Discipline) -> list[Season]:
    """Seasons that have a public event, newest first."""
    events = Event.objects.filter(season=OuterRef("pk"), state__in=PUBLIC_STATES)
    return list(Season.objects.filter(Exists(events), discipline=discipline).order_by("-starts_on", "id"))


def entries_of(event: Event) -> list[Entry]:
    """Entries with the records that count, by number."""
    return list(
        Entry.objects.filter(event=event)
        .select_related("person__club", "person__merged_into__club")
        .order_by("number", "id")
    )


def current_games(event: Event) -> list[Game]:
    """Games in force, by round and board."""
    return list(Game.objects.filter(event=event, superseded_at__isnull=True).order_by("round", "board", "id"))


def corrected_games(corrections: Iterable[Correction]) -> dict[int, Game]:
    """Games that corrections replaced or removed, with what replaced them, by key; one query."""
    keys = {change["game"] for correction in corrections for change in correction.changes if change.get("game")}
    return Game.objects.filter(pk__in=keys, superseded_at__isnull=False).select_related("superseded_by").in_bulk()


def roles_of(users: Iterable[int]) -> dict[int, list[str]]:
    """Roles of accounts, so that a page can say in which office somebody acted; one query."""
    found: dict[int, list[str]] = {}
    grants = RoleGrant.objects.filter(user__in=set(users)).order_by("user", "role")
    for grant in grants:
        found.setdefault(grant.user_id, []).append(str(grant.get_role_display()))
    return found


def applied_corrections(event: Event) -> list[Correction]:
    """Corrections in force of an event with their errata, oldest first."""
    return list(
        Correction.objects.filter(event=event, state=Correction.State.APPLIED)
        .prefetch_related("errata")
        .order_by("decided_at", "id")
    )


def rating_of(event: Event, edition: PublishedList | None) -> RatedEvent | None:
    """The event as an edition saw it; None if the edition does not include it."""
    if edition is None:
        return None
    return (
        RatedEvent.objects.filter(
            event=event, run_events__run_id=edition.run_id, run_events__position__lt=edition.position
        )
        .select_related("rule_set")
        .defer("inputs")
        .first()
    )


def ratings_of(events: Collection[Event], edition: PublishedList | None) -> dict[int, RatedEvent]:
    """Events as an edition saw them, by key of the event; one query."""
    if edition is None:
        return {}
    rated = RatedEvent.objects.filter(
        event__in=events, run_events__run_id=edition.run_id, run_events__position__lt=edition.position
    ).defer("inputs")
    return {row.event_id: row for row in rated}


def ledger_of_event(rated: RatedEvent | None) -> dict[int, LedgerRow]:
    """Accounts of all players of a rated event, by person."""
    if rated is None:
        return {}
    return {row.person_id: row for row in LedgerRow.objects.filter(rated_event=rated).order_by("person_id")}


def first_list_with(rated: RatedEvent | None) -> PublishedList | None:
    """The first published edition that counts the event, also where a correction changed its figures later."""
    if rated is None:
        return None
    return (
        PublishedList.objects.filter(
            state=ListState.PUBLISHED,
            run__run_events__rated_event__event_id=rated.event_id,
            run__run_events__rated_event__eligible=True,
            run__run_events__position__lt=F("position"),
        )
        .select_related("season")
        .order_by("number", "id")
        .first()
    )


def rule_set_at(system: RatingSystem, event: Event) -> RuleSet | None:
    """The rule set by which an event is, or would be, rated: the one it keeps, else the one valid on its date."""
    pinned = getattr(event, "pinned_rule_set", None)
    if pinned is not None:
        return pinned.rule_set
    return (
        RuleSet.objects.filter(system=system, valid_from__lte=event.rating_date).order_by("-valid_from", "-id").first()
    )


def rule_sets(system: RatingSystem) -> list[RuleSet]:
    """Rule sets that are or were in force, newest first, then those kept for comparison."""
    rows = list(RuleSet.objects.filter(system=system).order_by("name", "-version", "id"))
    dated = [row for row in rows if row.valid_from]
    undated = [row for row in rows if not row.valid_from]
    return sorted(dated, key=lambda row: (row.valid_from, row.pk), reverse=True) + undated


def games_of_events(events: Collection[Event]) -> dict[int, list[Game]]:
    """Games in force of several events, by event; one query."""
    found: dict[int, list[Game]] = {event.pk: [] for event in events}
    rows = Game.objects.filter(event__in=events, superseded_at__isnull=True).order_by("event", "round", "board", "id")
    for game in rows:
        found[game.event_id].append(game)
    return found


def events_by_id(keys: Iterable[int]) -> dict[int, Event]:
    """Events by key with their addresses, in one query."""
    return Event.objects.only("name", "slug", "ends_on").in_bulk(set(keys))


def entries_of_events(events: Collection[Event]) -> dict[int, list[Entry]]:
    """Entries of several events with the records that count, by event; one query."""
    found: dict[int, list[Entry]] = {event.pk: [] for event in events}
    rows = (
        Entry.objects.filter(event__in=events)
        .select_related("person__club", "person__merged_into__club")
        .order_by("event", "number", "id")
    )
    for entry in rows:
        found[entry.event_id].append(entry)
    return found
