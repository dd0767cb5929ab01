"""Every page of the admin for every registered model: none breaks, none needs more than 25 queries."""

from __future__ import annotations

from datetime import date

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from federation.accounts.models import Invitation, Role
from federation.accounts.services.invitations import invite
from federation.jobs.models import Job
from federation.registry.models import EventDirector, Membership
from federation.registry.services import people
from federation.uploads.models import NameDecision, Upload
from ratings.services.seasons import prepare_edition
from tests.factories import make_club, make_event, make_person, make_season, make_user
from tests.integration.ratings.pages.site import correct, example_site

pytestmark = pytest.mark.django_db

MOST_QUERIES = 25
APPS = sorted({model._meta.app_label for model in admin.site._registry})
#: What people type into a search box, and what they should not.
SEARCHES = ("a", "Farriol i Pont", "Фарриол", "12", "1.5", "%", "'", "\x00", "9" * 40, "2026-02-30", "-")
#: Addresses that somebody has tampered with.
TAMPERED = ("p=99999", "p=-1", "p=x", "all=", "e=1", "o=99", "o=x", "id__exact=x", "pk__gt=" + "9" * 30, "unknown=1")


@pytest.fixture
def boss(db):
    return make_user("boss", roles=(Role.ADMINISTRATOR,), first_name="Ona", last_name="Prat")


@pytest.fixture
def browse(client, boss):
    """Open a page, count its queries, and let nothing break."""
    client.force_login(boss)

    def get(address):
        with CaptureQueriesContext(connection) as queries:
            answer = client.get(address)
        assert answer.status_code < 500, address
        assert len(queries) <= MOST_QUERIES, (address, len(queries))
        return answer

    get(reverse("admin:index"))
    return get


@pytest.fixture
def full(boss):
    """At least one row of nearly every model, with rows that hang on many others."""
    site = example_site(extra=6)
    correct(site)
    season = make_season()
    for person in site.people[:4]:
        people.add_alias(person=person, text=f"Nana {person.number}", actor=boss)
        people.add_identifier(person=person, scheme="egd", value=str(person.number), actor=boss)
        Membership.objects.create(person=person, season=season, club=site.clubs[0])
        people.merge_persons(kept=person, dropped=make_person(), reason="same", actor=boss)
        make_event(season=season, club=site.clubs[0], state="draft")
        make_person(club=site.clubs[0])
    EventDirector.objects.create(event=site.events[0], user=boss)
    upload = Upload.objects.create(
        discipline=season.discipline, event=site.events[0], sha256="0" * 64, format="tsh", created_by=boss
    )
    NameDecision.objects.create(
        discipline=season.discipline, spelling="Nana", person=site.hero, upload=upload, decided_by=boss
    )
    invite(actor=boss, email="neus@example.org", full_name="Neus Farriol", roles=[Role.RESULTS_SECRETARY])
    prepare_edition(season=season, as_of=date(2026, 5, 31), actor=boss)
    assert Job.objects.exists()
    assert Invitation.objects.exists()
    return site


@pytest.mark.parametrize("app", APPS)
def test_every_page_of_every_model(browse, full, app):
    """One test for each app, not for each model: the rows are made once for all of its pages."""
    for model in admin.site._registry:
        if model._meta.app_label == app:
            _walk(browse, model)


def _walk(browse, model):
    name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
    listing = reverse(f"{name}_changelist")
    first = browse(listing)
    if first.status_code == 403:
        assert browse(reverse(f"{name}_add")).status_code == 403
        return
    if first.status_code == 302:
        # The one row of its kind has no list.
        assert browse(first["Location"]).status_code == 200
        return
    pages = first.context["cl"]
    for text in SEARCHES:
        assert browse(f"{listing}?q={text}").status_code in (200, 302)
    for query in TAMPERED:
        browse(f"{listing}?{query}")
    for spec in pages.filter_specs:
        for choice in list(spec.choices(pages))[:5]:
            browse(listing + choice.get("query_string", ""))
    for column in range(1, len(pages.list_display) + 1):
        assert browse(f"{listing}?o={column}").status_code == 200
        assert browse(f"{listing}?o=-{column}").status_code == 200
    browse(reverse(f"{name}_add"))
    for row in model._default_manager.order_by("pk")[:2]:
        for page in ("change", "history", "delete"):
            browse(reverse(f"{name}_{page}", args=[row.pk]))
    for key in ("0", "-1", "x", "9" * 30):
        assert browse(reverse(f"{name}_change", args=[key])).status_code in (302, 403, 404)


def test_what_others_refer_to_is_not_deleted_and_the_page_says_so(client, boss, full):
    client.force_login(boss)
    club, season = full.clubs[0], full.season
    for name, row in (("club", club), ("season", season), ("person", full.hero), ("event", full.events[0])):
        address = reverse(f"admin:registry_{name}_delete", args=[row.pk])
        answer = client.post(address, {"post": "yes"}, follow=True)
        assert answer.status_code == 200
        assert 'class="error"' in answer.content.decode(), name
        assert type(row).objects.filter(pk=row.pk).exists()
    empty = make_club()
    assert client.post(reverse("admin:registry_club_delete", args=[empty.pk]), {"post": "yes"}).status_code == 302
    assert not type(empty).objects.filter(pk=empty.pk).exists()
