"""The page of a person, which collects what the games say."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from federation.registry.models import Person, PersonState, Publication
from federation.registry.publication import publication_rule
from federation.web import menu
from federation.web.people import name_of

#: Largest number that the register can hold.
MOST = 2_147_483_647


def person_detail(request: HttpRequest, number: int) -> HttpResponse:
    """Facts and the sections of the games; the number of a merged record leads to the kept one."""
    if number > MOST:
        raise Http404(_("No player has this number."))
    person = Person.objects.select_related("club", "merged_into").filter(number=number).first()
    if person is None:
        raise Http404(_("No player has this number."))
    if person.merged_into is not None:
        query = request.META.get("QUERY_STRING", "")
        kept = reverse("person-detail", args=[person.merged_into.number])
        return HttpResponsePermanentRedirect(f"{kept}?{query}" if query else kept)
    rule = publication_rule(person)
    anonymous = person.state == PersonState.ANONYMISED
    context = {
        "person": person,
        "name": name_of(person, get_language() or "en"),
        "is_anonymous": anonymous,
        "is_hidden": rule == Publication.HIDDEN and not anonymous,
        "shows_club": person.club is not None and rule != Publication.HIDDEN and not anonymous,
        "is_provisional": person.state == PersonState.PROVISIONAL,
        "may_index": rule == Publication.FULL and not anonymous,
        "other_numbers": list(person.merged_records.order_by("number").values_list("number", flat=True)),
        "figures": menu.parts(menu.person_figures(), request, person),
        "sections": menu.parts(menu.person_sections(), request, person),
    }
    return render(request, "web/person.html", context)
