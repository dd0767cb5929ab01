"""Django's admin of the registry: saves by services, finds whatever the writing, few queries."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from federation.audit.models import AuditEvent
from federation.registry.models import (
    Club,
    Discipline,
    Entry,
    Event,
    FederationSettings,
    Identifier,
    Membership,
    Person,
    Season,
)
from federation.registry.services import people
from tests import factories as make

pytestmark = pytest.mark.django_db

MODELS = ("person", "club", "season", "membership", "event", "discipline")


@pytest.fixture
def admin(client):
    """The client of an administrator; staff of the admin site."""
    user = make.make_user("boss", roles=("administrator",), is_staff=True, first_name="Ona", last_name="Prat")
    client.force_login(user)
    return client


def inline(prefix, rows=(), initial=0):
    data = {f"{prefix}-TOTAL_FORMS": len(rows), f"{prefix}-INITIAL_FORMS": initial}
    for turn, row in enumerate(rows):
        data |= {f"{prefix}-{turn}-{name}": value for name, value in row.items()}
    return data


def address(name, *args):
    return reverse(f"admin:registry_{name}", args=args)


def errors_of(response):
    assert response.status_code == 200
    form = response.context["adminform"].form
    return " ".join(text for texts in form.errors.values() for text in texts)


def fill(count):
    """Rows of every kind."""
    season = make.make_season()
    for _ in range(count):
        club = make.make_club()
        person = make.make_person(club=club)
        people.add_alias(person=person, text="Nana", actor=None)
        people.add_identifier(person=person, scheme="egd", value=str(person.number), actor=None)
        people.merge_persons(kept=person, dropped=make.make_person(club=club), reason="x", actor=None)
        Membership.objects.create(person=person, season=season, club=club)
        event = make.make_event(season=season, club=club, state="open")
        for _turn in range(count):
            make.make_entry(event)


@pytest.mark.parametrize("model", MODELS)
def test_lists_take_the_same_few_queries_for_one_row_and_three(admin, model):
    fill(1)
    admin.get(address(f"{model}_changelist"))
    with CaptureQueriesContext(connection) as one:
        assert admin.get(address(f"{model}_changelist")).status_code == 200
    fill(3)
    with CaptureQueriesContext(connection) as three:
        assert admin.get(address(f"{model}_changelist")).status_code == 200
    assert len(one) == len(three) <= 12


@pytest.mark.parametrize("model", MODELS)
def test_change_pages_take_at_most_25_queries(admin, model):
    fill(3)
    rows = {"person": Person, "club": Club, "season": Season, "membership": Membership, "event": Event}
    row = rows.get(model, Discipline).objects.order_by("pk").first()
    with CaptureQueriesContext(connection) as queries:
        response = admin.get(address(f"{model}_change", row.pk))
    assert response.status_code == 200
    assert len(queries) <= 25
    assert admin.get(address(f"{model}_add")).status_code == (200 if model != "settings" else 302)


def test_an_event_with_many_entries_takes_no_more_queries(admin):
    few, many = make.make_event(state="open"), make.make_event(state="open")
    make.make_entry(few)
    for _ in range(30):
        make.make_entry(many)
    counts = []
    admin.get(address("event_change", few.pk))
    for event in (few, many):
        with CaptureQueriesContext(connection) as queries:
            assert admin.get(address("event_change", event.pk)).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 25


PERSON = {"given_name": "Gal·la", "family_name": "Om", "latin_given_name": "", "latin_family_name": "", "club": ""}
PERSON |= {"country": "AD", "publication": "auto", "birth_year": "1990", "sex": "f", "contact": "", "note": ""}


def test_a_person_is_entered_by_the_service(admin):
    response = admin.post(address("person_add"), PERSON)
    assert response.status_code == 302
    person = Person.objects.get()
    assert (person.number > 0, person.fold_key, person.state) == (True, "galla om", "confirmed")
    assert AuditEvent.objects.filter(action="person.created", actor__username="boss").count() == 1


def test_a_second_click_on_entering_asks_about_the_namesake(admin):
    admin.post(address("person_add"), PERSON)
    response = admin.post(address("person_add"), PERSON | {"family_name": "OM"})
    assert "is in the register" in errors_of(response)
    assert Person.objects.count() == 1
    assert admin.post(address("person_add"), PERSON | {"namesake": "on"}).status_code == 302
    assert Person.objects.count() == 2


def test_a_person_is_changed_with_aliases_and_identifiers(admin):
    person = people.create_person(actor=None, given_name="Neus", family_name="Farriol", identifiers=[("egd", "5")])
    identifier = person.identifiers.get()
    form = PERSON | {"form_version": "1"}
    form |= inline("aliases", [{"text": "La Neus", "person": person.pk}])
    row = {"id": identifier.pk, "person": person.pk, "scheme": "egd", "value": "5", "DELETE": "on"}
    form |= inline("identifiers", [row, {"person": person.pk, "scheme": "rfg", "value": "9"}], initial=1)
    response = admin.post(address("person_change", person.pk), form)
    assert response.status_code == 302
    person.refresh_from_db()
    assert person.full_name == "Gal·la Om"
    assert [alias.text for alias in person.aliases.all()] == ["La Neus"]
    assert [str(row) for row in person.identifiers.all()] == ["RFG 9"]
    actions = set(AuditEvent.objects.values_list("action", flat=True))
    assert {"person.changed", "person.alias_added", "person.identifier_added", "person.identifier_removed"} <= actions


def no_inlines():
    return inline("aliases") | inline("identifiers")


def test_a_stale_form_says_who_changed_what(admin):
    officer = make.make_user(first_name="Pol", last_name="Om")
    person = people.create_person(actor=None, given_name="Neus", family_name="Farriol")
    people.change_person(person=person, actor=officer, version=0, country="FR")
    response = admin.post(address("person_change", person.pk), PERSON | no_inlines() | {"form_version": "0"})
    assert "Pol Om changed this record meanwhile (country)" in errors_of(response)
    person.refresh_from_db()
    assert person.family_name == "Farriol"


def test_a_taken_identifier_says_whose_it_is(admin):
    people.create_person(actor=None, given_name="Neus", family_name="Farriol", identifiers=[("egd", "5")])
    person = people.create_person(actor=None, given_name="Gal·la", family_name="Om")
    form = PERSON | inline("aliases") | inline("identifiers", [{"person": person.pk, "scheme": "egd", "value": "5"}])
    response = admin.post(address("person_change", person.pk), form | {"form_version": "0"})
    assert response.status_code == 200
    assert "EGD 5 already belongs to Neus Farriol" in response.content.decode()
    assert Identifier.objects.count() == 1


@pytest.mark.parametrize("text", ["GALLA", "d'estepa gal·la", "Галла", "nana"])
def test_the_search_forgets_case_accents_and_script(admin, text):
    person = people.create_person(actor=None, given_name="Gal·la", family_name="d'Estepa", aliases=["Nana"])
    make.make_person("Pol", "Om")
    response = admin.get(address("person_changelist"), {"q": text})
    assert list(response.context["cl"].result_list) == [person]
    found = admin.get(
        reverse("admin:autocomplete"),
        {"term": text, "app_label": "registry", "model_name": "entry", "field_name": "person"},
    )
    assert [row["id"] for row in found.json()["results"]] == [str(person.pk)]


def test_a_merged_record_cannot_be_changed_or_chosen(admin):
    kept, dropped = make.make_person("Neus", "Farriol"), make.make_person("Neus", "Fariol")
    people.merge_persons(kept=kept, dropped=dropped, reason="x", actor=None)
    assert admin.get(address("person_change", dropped.pk)).status_code == 200
    assert admin.post(address("person_change", dropped.pk), PERSON).status_code == 403
    found = admin.get(
        reverse("admin:autocomplete"),
        {"term": "neus", "app_label": "registry", "model_name": "entry", "field_name": "person"},
    )
    assert [row["id"] for row in found.json()["results"]] == [str(kept.pk)]


def test_the_page_of_a_person_leads_to_merging_and_anonymising(admin):
    person = make.make_person()
    page = admin.get(address("person_change", person.pk)).content.decode()
    assert f"{reverse('registry-merge')}?kept={person.number}" in page
    assert reverse("registry-anonymise", args=[person.number]) in page


def test_deleting_what_has_facts_is_refused_with_a_message(admin):
    person = make.make_person()
    make.make_entry(make.make_event(), person)
    response = admin.post(address("person_delete", person.pk), {"post": "yes"}, follow=True)
    assert Person.objects.filter(pk=person.pk).exists()
    page = response.content.decode()
    assert f"Number {person.number} has entries, memberships or merges and is never deleted." in page
    other = make.make_person()
    assert admin.post(address("person_delete", other.pk), {"post": "yes"}).status_code == 302
    assert not Person.objects.filter(pk=other.pk).exists()
    assert AuditEvent.objects.filter(action="person.deleted").exists()


def test_nothing_is_deleted_in_bulk(admin):
    make.make_person()
    assert "delete_selected" not in admin.get(address("person_changelist")).content.decode()


def test_a_club_and_a_discipline_are_saved(admin):
    form = {"name": "EGM", "slug": "", "short_name": "", "town": "", "country": "", "is_active": "on"}
    assert admin.post(address("club_add"), form).status_code == 302
    club = Club.objects.get()
    assert admin.post(address("club_change", club.pk), form | {"slug": "egm", "town": "Olot"}).status_code == 302
    club.refresh_from_db()
    assert (club.slug, club.town) == ("egm", "Olot")
    assert "There is already a club" in errors_of(admin.post(address("club_add"), form))
    assert admin.post(address("discipline_add"), {"code": "go", "name": "Go", "order": "3"}).status_code == 302
    assert AuditEvent.objects.filter(action="discipline.saved").count() == 1


def test_an_overlapping_season_is_refused_by_name(admin):
    season = make.make_season("2025-26")
    form = {"discipline": season.discipline_id, "code": "2026-27", "starts_on": "2026-08-01", "ends_on": "2027-08-31"}
    response = admin.post(address("season_add"), form | {"state": "planned"})
    assert "These dates overlap with season 2025–26" in errors_of(response)
    form |= {"starts_on": "2026-09-01", "state": "planned"}
    assert admin.post(address("season_add"), form).status_code == 302
    row = Season.objects.get(code="2026-27")
    del form["discipline"], form["state"]
    assert admin.post(address("season_change", row.pk), form | {"ends_on": "2027-07-31"}).status_code == 302
    row.refresh_from_db()
    assert (row.ends_on, row.state) == (date(2027, 7, 31), "planned")


def test_a_membership_is_entered_once(admin):
    season, person = make.make_season(), make.make_person()
    form = {"person": person.pk, "season": season.pk, "club": "", "licence": "A7", "valid_from": "", "valid_until": ""}
    assert admin.post(address("membership_add"), form).status_code == 302
    assert "already has a membership" in errors_of(admin.post(address("membership_add"), form))
    row = Membership.objects.get()
    change = {"club": "", "licence": "B8", "valid_from": "2026-05-01", "valid_until": "2026-04-01"}
    assert "ends before it begins" in errors_of(admin.post(address("membership_change", row.pk), change))
    assert admin.post(address("membership_change", row.pk), change | {"valid_until": ""}).status_code == 302
    row.refresh_from_db()
    assert row.licence == "B8"
    response = admin.get(address("membership_changelist"), {"q": person.family_name.upper()})
    assert list(response.context["cl"].result_list) == [row]
    assert admin.post(address("membership_delete", row.pk), {"post": "yes"}).status_code == 302
    assert AuditEvent.objects.filter(action="membership.deleted").exists()


EVENT = {"name": "Open", "starts_on": "2026-04-18", "ends_on": "", "rating_date": "", "sequence": "0", "season": ""}
EVENT |= {
    "venue": "",
    "town": "",
    "club": "",
    "modality": "classic",
    "rounds": "9",
    "tie_breaks": "direct spread",
    "slug": "",
}
EVENT |= {"results_public": "on"}


def event_inlines(event=None, new=(), entries=(), directors=()):
    return (
        inline("entries", entries, initial=len(entries)) | inline("entries-2", new) | inline("director_rows", directors)
    )


def test_an_event_is_entered_and_filled(admin):
    season, person, director = make.make_season(), make.make_person(), make.make_user("direct")
    assert admin.post(address("event_add"), EVENT | {"discipline": season.discipline_id}).status_code == 302
    event = Event.objects.get()
    assert (event.state, event.season, event.slug) == ("draft", season, "open-2026")
    assert event.tie_breaks == ["direct", "spread"]
    form = EVENT | {"form_version": "0", "town": "Olot", "season": season.pk, "slug": event.slug}
    form |= {"ends_on": "2026-04-19", "rating_date": ""}
    form |= event_inlines(
        new=[{"person": person.pk, "event": event.pk, "number": ""}], directors=[{"user": director.pk}]
    )
    response = admin.post(address("event_change", event.pk), form, follow=True)
    event.refresh_from_db()
    assert (event.town, event.rating_date, event.version) == ("Olot", date(2026, 4, 19), 1)
    assert event.entries.get().person == person
    assert list(event.directors.all()) == [director]
    assert "has no membership or licence" in response.content.decode()


def test_entries_are_changed_and_removed(admin):
    event = make.make_event(state="open")
    one, other = make.make_entry(event), make.make_entry(event)
    rows = [
        {"id": one.pk, "event": event.pk, "number": "5", "withdrawn_after": "3"},
        {"id": other.pk, "event": event.pk, "number": "2", "withdrawn_after": "", "DELETE": "on"},
    ]
    form = EVENT | {"name": event.name, "form_version": "0", "season": event.season_id, "slug": event.slug}
    response = admin.post(address("event_change", event.pk), form | event_inlines(entries=rows))
    assert response.status_code == 302
    one.refresh_from_db()
    assert (one.number, one.withdrawn_after) == (5, 3)
    assert list(Entry.objects.filter(event=event)) == [one]


def test_what_an_inline_refuses_undoes_the_page(admin):
    event = make.make_event(state="open")
    entry = make.make_entry(event)
    form = EVENT | {"name": "Other", "form_version": "0", "season": event.season_id, "slug": event.slug}
    form |= event_inlines(
        entries=[{"id": entry.pk, "event": event.pk, "number": "1", "withdrawn_after": ""}],
        new=[{"person": make.make_person().pk, "event": event.pk, "number": "1"}],
    )
    response = admin.post(address("event_change", event.pk), form, follow=True)
    assert "Number 1 in the event belongs to" in response.content.decode()
    event.refresh_from_db()
    assert event.name != "Other"


def test_entries_of_an_event_that_was_handed_in_are_read_only(admin):
    event = make.make_event(state="submitted")
    make.make_entry(event)
    page = admin.get(address("event_change", event.pk)).content.decode()
    assert 'name="entries-0-number"' not in page
    assert 'name="town"' in page


def test_an_approved_event_is_read_only(admin):
    event = make.make_event()
    page = admin.get(address("event_change", event.pk))
    assert page.status_code == 200
    assert reverse("registry-event", args=[event.pk]) in page.content.decode()
    assert admin.post(address("event_change", event.pk), EVENT).status_code == 403


def test_the_settings_are_one_row(admin):
    FederationSettings.objects.get_or_create(pk=1)
    response = admin.get(address("federationsettings_changelist"))
    assert response.headers["Location"] == address("federationsettings_change", 1)
    assert admin.get(address("federationsettings_add")).status_code == 403
    form = {"name": "Quatre Taulers", "subtitle": "", "town": "", "contact_email": "", "membership_policy": "block"}
    form |= {"objection_days": "20", "adult_age": "18"}
    assert admin.post(address("federationsettings_change", 1), form).status_code == 302
    assert FederationSettings.objects.get().membership_policy == "block"
    assert AuditEvent.objects.filter(action="settings.changed").count() == 1


def test_the_admin_keeps_no_record_of_names_of_its_own(admin):
    from django.contrib.admin.models import LogEntry

    admin.post(address("person_add"), PERSON)
    assert not LogEntry.objects.exists()
