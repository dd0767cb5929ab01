"""Lists of uploads and of remembered names, as an account may see them."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from federation.accounts.roles import is_ratings_officer, is_results_secretary
from federation.registry.models import Event, EventState
from federation.registry.rules import directed_event_ids
from federation.uploads.models import CellRepair, NameDecision, Upload, UploadState

#: States in which an event takes results.
TAKES_RESULTS = (EventState.DRAFT, EventState.OPEN)


def uploads_of(user: Any) -> QuerySet[Upload]:
    """Return the uploads that an account may work on, newest first."""
    rows = Upload.objects.defer("reading", "receipt", "decisions", "set_aside", "confirmed")
    rows = rows.select_related("event__season", "discipline", "created_by", "committed_by")
    return rows.filter(_allowed(user)).order_by("-created_at", "-pk")


def waiting_count(user: Any) -> int:
    """Return how many files are still being checked."""
    return Upload.objects.filter(_allowed(user), state=UploadState.CHECKED).count()


def _allowed(user: Any) -> Q:
    allowed = Q(event__in=directed_event_ids(user))
    if is_results_secretary(user):
        allowed |= Q(event__isnull=False)
    if is_ratings_officer(user):
        allowed |= Q(event__isnull=True)
    return allowed


def events_for(user: Any, disciplines: list[str]) -> QuerySet[Event]:
    """Return the events for which an account may send files, latest first."""
    events = Event.objects.filter(discipline__code__in=disciplines, state__in=TAKES_RESULTS)
    if not is_results_secretary(user):
        events = events.filter(pk__in=directed_event_ids(user))
    return events.select_related("season", "discipline", "club").order_by("-starts_on", "name", "pk")


def names_of(user: Any) -> QuerySet[NameDecision]:
    """Return the remembered names: an account's own, for staff everybody's; those in force first."""
    rows = NameDecision.objects.select_related(
        "person", "person__merged_into", "discipline", "upload__event", "decided_by", "undone_by"
    )
    if not (is_results_secretary(user) or is_ratings_officer(user)):
        rows = rows.filter(decided_by=user)
    return rows.order_by("-decided_at", "-pk")


def repairs_made(upload: Upload) -> list[CellRepair]:
    """Return the repaired cells of an upload in the order of the file."""
    rows = CellRepair.objects.filter(upload=upload).select_related("made_by")
    return list(rows.order_by("file", "line", "column", "pk"))
