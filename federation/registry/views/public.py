"""Public pages: clubs, and the address that a person's number always has."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from federation.registry.models import Club, Event, EventState, Person
from federation.registry.publication import public_name
from federation.registry.queries.clubs import club_people, clubs_with_counts


@require_safe
def club_list(request: HttpRequest) -> HttpResponse:
    """All active clubs with their people and events."""
    return render(request, "registry/club_list.html", {"clubs": list(clubs_with_counts())})


@require_safe
def club_detail(request: HttpRequest, slug: str) -> HttpResponse:
    """A club: its people, its latest events."""
    club = get_object_or_404(Club, slug=slug)
    language = get_language() or "en"
    people = [{"number": row.number, "name": public_name(row, language)} for row in club_people(club)]
    events = Event.objects.filter(club=club).exclude(state=EventState.DRAFT).select_related("discipline")
    context = {
        "club": club,
        "people": people,
        "events": list(events.order_by("-rating_date", "-sequence", "-pk")[:10]),
    }
    return render(request, "registry/club_detail.html", context)


@require_safe
def person_redirect(request: HttpRequest, number: int) -> HttpResponse:
    """Go to the page of a person; the number of a merged record leads to the record that counts."""
    person = get_object_or_404(Person.objects.select_related("merged_into"), number=number)
    return redirect("person-detail", number=(person.merged_into or person).number)
