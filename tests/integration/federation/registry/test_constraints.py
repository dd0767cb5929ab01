"""What the forms promise, the database holds."""

from datetime import date

import pytest
from django.db import IntegrityError, transaction

from federation.registry.models import (
    Club,
    Discipline,
    Entry,
    Event,
    EventDirector,
    FederationSettings,
    Identifier,
    Membership,
    Person,
    PersonAlias,
    PersonMerge,
    Season,
)
from tests import factories as make

pytestmark = pytest.mark.django_db

AUTUMN, SUMMER = date(2025, 9, 1), date(2026, 8, 31)


def refuse(name, write):
    """Run the writing and check that the named constraint stops it (SQLite does not name unique ones)."""
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        write()
    text = str(caught.value)
    assert name in text or "UNIQUE constraint failed" in text


def person(**fields):
    return lambda: Person.objects.create(**{"number": 9001, "family_name": "Font", **fields})


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("person_state_is_known", {"state": "gone"}),
        ("person_publication_is_known", {"publication": "loud"}),
        ("person_sex_is_known", {"sex": "q"}),
        ("person_birth_year_possible", {"birth_year": 1899}),
        ("person_birth_year_possible", {"birth_year": 2101}),
        ("person_merged_has_target", {"state": "merged"}),
    ],
)
def test_values_of_a_person(name, fields):
    refuse(name, person(**fields))


def test_a_number_is_given_once():
    row = make.make_person()
    refuse("registry_person_number", person(number=row.number))


def test_a_record_is_not_merged_into_itself():
    row = make.make_person()
    query = Person.objects.filter(pk=row.pk)
    refuse("person_not_merged_into_itself", lambda: query.update(state="merged", merged_into=row.pk))


def test_a_record_with_a_target_is_merged():
    one, other = make.make_person(), make.make_person()
    refuse("person_merged_has_target", lambda: Person.objects.filter(pk=one.pk).update(merged_into=other))


def test_aliases_and_identifiers_are_unique():
    one, other = make.make_person(), make.make_person()
    PersonAlias.objects.create(person=one, text="Nana")
    refuse("alias_once_per_person", lambda: PersonAlias.objects.create(person=one, text="Nana"))
    Identifier.objects.create(person=one, scheme="egd", value="12")
    refuse("identifier_once", lambda: Identifier.objects.create(person=other, scheme="egd", value="12"))
    refuse("identifier_scheme_is_known", lambda: Identifier.objects.create(person=one, scheme="fide", value="1"))


def test_a_record_is_merged_once_at_a_time():
    one, other, third = make.make_person(), make.make_person(), make.make_person()
    PersonMerge.objects.create(kept=one, dropped=other, previous_state="confirmed", reason="x")
    row = PersonMerge(kept=third, dropped=other, previous_state="confirmed", reason="x")
    refuse("merge_open_once", row.save)


def test_settings_are_one_row():
    FederationSettings.objects.get_or_create(pk=1)
    refuse("federation_settings_single", lambda: FederationSettings.objects.create(pk=2))


@pytest.mark.parametrize(
    ("starts_on", "ends_on"),
    [
        (date(2026, 8, 31), date(2027, 8, 30)),  # the last day is shared
        (date(2024, 9, 1), date(2025, 9, 1)),  # the first day is shared
        (date(2025, 10, 1), date(2026, 1, 1)),  # within
        (date(2025, 1, 1), date(2027, 1, 1)),  # around
    ],
)
def test_seasons_of_a_discipline_do_not_overlap(starts_on, ends_on):
    season = make.make_season("2025-26")
    other = Season(discipline=season.discipline, code="2030-31", starts_on=starts_on, ends_on=ends_on)
    refuse("season_no_overlap", other.save)


def test_a_season_is_not_moved_over_another():
    make.make_season("2025-26")
    later = make.make_season("2026-27")
    refuse("season_no_overlap", lambda: Season.objects.filter(pk=later.pk).update(starts_on=AUTUMN))


def test_seasons_that_touch_or_belong_to_two_disciplines_are_fine():
    make.make_season("2025-26")
    make.make_season("2026-27")
    make.make_season("2025-26", discipline=make.make_discipline("go"))
    assert Season.objects.count() == 3


def test_values_of_a_season():
    game = make.make_discipline()
    values = {"discipline": game, "code": "2025-26"}
    refuse("season_starts_before_end", lambda: Season.objects.create(**values, starts_on=SUMMER, ends_on=AUTUMN))
    dates = {"starts_on": AUTUMN, "ends_on": SUMMER}
    refuse("season_state_is_known", lambda: Season.objects.create(**values, **dates, state="odd"))
    Season.objects.create(**values, **dates)
    later = {"starts_on": date(2030, 9, 1), "ends_on": date(2031, 8, 31)}
    refuse("season_code_once", lambda: Season.objects.create(**values, **later))


def test_memberships():
    season, row = make.make_season(), make.make_person()
    days = {"valid_from": SUMMER, "valid_until": AUTUMN}
    refuse("membership_dates_in_order", lambda: Membership.objects.create(person=row, season=season, **days))
    Membership.objects.create(person=row, season=season)
    refuse("membership_once_per_season", lambda: Membership.objects.create(person=row, season=season))


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("event_dates_in_order", {"starts_on": date(2026, 4, 19), "ends_on": date(2026, 4, 18)}),
        ("event_state_is_known", {"state": "odd"}),
        ("event_modality_is_known", {"modality": "odd"}),
        ("event_excluded_with_reason", {"state": "excluded"}),
        ("event_rounds_possible", {"rounds": 201}),
    ],
)
def test_values_of_an_event(name, fields):
    season = make.make_season()
    refuse(name, lambda: make.make_event(season=season, **fields))


def test_addresses_of_events_clubs_and_disciplines_are_unique():
    event = make.make_event(slug="open")
    refuse("event_address_once", lambda: make.make_event(season=event.season, slug="open"))
    assert make.make_event(season=make.make_season(discipline=make.make_discipline("go")), slug="open").pk
    Club.objects.create(name="EGM", slug="egm")
    refuse("club", lambda: Club.objects.create(name="Other", slug="egm"))
    refuse("club", lambda: Club.objects.create(name="EGM", slug="other"))
    refuse("discipline", lambda: Discipline.objects.create(code="go", name="Go"))


def test_entries_and_directors_are_unique():
    entry, user = make.make_entry(make.make_event(), number=1), make.make_user()
    event = entry.event
    refuse("entry_once_per_event", lambda: Entry.objects.create(event=event, person=entry.person, number=2))
    refuse("entry_number_once", lambda: Entry.objects.create(event=event, person=make.make_person(), number=1))
    EventDirector.objects.create(event=event, user=user)
    refuse("director_once_per_event", lambda: EventDirector.objects.create(event=event, user=user))


def test_an_event_is_rated_on_its_last_day_unless_another_is_set():
    season = make.make_season()
    days = {"starts_on": date(2026, 4, 18), "ends_on": date(2026, 4, 19)}
    event = Event.objects.create(discipline=season.discipline, season=season, slug="x", name="X", **days)
    assert event.rating_date == date(2026, 4, 19)
