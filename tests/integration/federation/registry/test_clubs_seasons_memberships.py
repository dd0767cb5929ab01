"""Services on clubs, seasons, memberships and settings."""

from datetime import date

import pytest
from django.urls import reverse

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Club, FederationSettings, Membership, Season
from federation.registry.queries.clubs import club_people, clubs_with_counts
from federation.registry.queries.memberships import is_member_at
from federation.registry.services import clubs, memberships, people, seasons
from tests import factories as make

pytestmark = pytest.mark.django_db


def refused(write, **values):
    with pytest.raises(RuleError) as caught:
        write(**values)
    assert explain(caught.value) != caught.value.code
    return caught.value


def test_a_club_is_entered_changed_and_deleted():
    club = clubs.save_club(actor=None, name="Club  d'Escacs «l'Estel»", country="es")
    assert (club.name, club.slug, club.country) == ("Club d'Escacs «l'Estel»", "club-descacs-lestel", "ES")
    clubs.save_club(club=club, actor=None, town="Olot")
    clubs.save_club(club=club, actor=None, town="Olot")
    clubs.delete_club(club=club, actor=None)
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["club.created", "club.changed", "club.deleted"]


def test_clubs_have_names_and_addresses_of_their_own():
    clubs.save_club(actor=None, name="EGM", slug="egm")
    assert refused(clubs.save_club, actor=None, name="EGM").code == "club_name_taken"
    assert refused(clubs.save_club, actor=None, name="Other", slug="egm").code == "slug_taken"
    assert refused(clubs.save_club, actor=None, name="").code == "value_invalid"
    assert refused(clubs.save_club, actor=None, name="X", pk=3).code == "field_unknown"
    assert clubs.save_club(actor=None, name="egm").slug == "egm-2"


def test_a_club_with_people_is_not_deleted():
    club = make.make_club()
    make.make_person(club=club)
    assert refused(clubs.delete_club, club=club, actor=None).code == "club_has_facts"
    assert not AuditEvent.objects.exists()


@pytest.mark.parametrize("count", [1, 3])
def test_clubs_count_the_records_that_count(count, django_assert_num_queries):
    for _ in range(count):
        club = make.make_club()
        kept, dropped, gone = (make.make_person(club=club) for _ in range(3))
        people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
        people.anonymise_person(person=gone, reason="asked", actor=None)
        make.make_event(club=club)
    Club.objects.create(name="Old", slug="old", is_active=False)
    with django_assert_num_queries(1):
        rows = list(clubs_with_counts())
    assert [(row.people_count, row.event_count) for row in rows] == [(1, 1)] * count
    assert list(club_people(club)) == [kept]


def season(code="2025-26", **fields):
    year = int(code[:4])
    values = {"code": code, "starts_on": date(year, 9, 1), "ends_on": date(year + 1, 8, 31), **fields}
    values.setdefault("discipline", make.make_discipline())
    return seasons.save_season(actor=None, **values)


def test_an_overlap_names_the_season_it_clashes_with():
    season("2025-26")
    error = refused(season, code="2026-27", starts_on=date(2026, 8, 1))
    assert error.code == "season_overlap"
    assert explain(error) == "These dates overlap with season 2025–26 (2025-09-01 to 2026-08-31)."
    assert season("2026-27").pk


def test_what_a_season_refuses():
    row = season()
    assert refused(season, code="2026").code == "value_invalid"
    assert refused(season, starts_on=date(2040, 9, 1), ends_on=date(2041, 8, 31)).code == "season_code_taken"
    assert refused(season, code="2030-31", ends_on=date(2030, 9, 1)).code == "season_order"
    make.make_event(season=row)
    same = {"season": row, "discipline": row.discipline}
    assert refused(season, **same, ends_on=date(2026, 3, 1)).code == "season_events_outside"
    assert refused(seasons.delete_season, season=row, actor=None).code == "season_has_facts"
    other = {"season": row, "discipline": make.make_discipline("go")}
    assert refused(season, **other).code == "season_other_discipline"


def test_seasons_are_recorded_once():
    row = season()
    season(season=row, discipline=row.discipline)
    season(season=row, discipline=row.discipline, state="open")
    seasons.delete_season(season=row, actor=None)
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["season.created", "season.changed", "season.deleted"]
    assert not Season.objects.exists()


def test_settings_are_saved_by_the_service():
    seasons.save_settings(actor=None, name="Quatre Taulers", adult_age=16)
    try:
        assert FederationSettings.objects.get().name == "Quatre Taulers"
        assert FederationSettings.adult_age_in_force == 16
        seasons.save_settings(actor=None, name="Quatre Taulers")
        assert AuditEvent.objects.filter(action="settings.changed").count() == 1
        assert refused(seasons.save_settings, actor=None, membership_policy="odd").code == "value_invalid"
    finally:
        seasons.save_settings(actor=None, adult_age=18)


def test_disciplines_are_saved_by_the_service():
    row = seasons.save_discipline(actor=None, code="go", name="Go", order=3)
    seasons.save_discipline(discipline=row, actor=None, name="Go")
    assert AuditEvent.objects.filter(action="discipline.saved").count() == 1
    assert refused(seasons.save_discipline, actor=None, code="go", name="Weiqi").code == "slug_taken"


def test_a_membership_is_one_a_season():
    club, year = make.make_club(), make.make_season()
    person = make.make_person(club=club)
    first = memberships.save_membership(person=person, season=year, actor=None)
    again = memberships.save_membership(person=person, season=year, actor=None)
    assert (first, first.club) == (again, club)
    memberships.save_membership(person=person, season=year, actor=None, licence="77")
    actions = list(AuditEvent.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["membership.created", "membership.changed"]
    days = {"valid_from": date(2026, 5, 1), "valid_until": date(2026, 4, 1)}
    assert (
        refused(memberships.save_membership, person=person, season=year, actor=None, **days).code == "membership_dates"
    )
    memberships.delete_membership(membership=first, actor=None)
    memberships.delete_membership(membership=first, actor=None)
    assert not Membership.objects.exists()


def test_members_on_a_day():
    year, person = make.make_season(), make.make_person()
    Membership.objects.create(person=person, season=year)
    assert is_member_at(person, date(2026, 8, 31), year.discipline_id)
    assert not is_member_at(person, date(2026, 9, 1), year.discipline_id)
    assert is_member_at(person, date(2025, 9, 1), year.discipline_id)
    assert not is_member_at(person, date(2025, 9, 1), year.discipline_id + 1)


def test_a_list_of_memberships_is_entered_whole_and_twice_is_once():
    year, club = make.make_season(), make.make_club(slug="egm")
    one, other = make.make_person(), make.make_person()
    text = f"number;club;licence\n{one.number};egm;A1\n\n{other.number}\n"
    for _ in range(2):
        assert memberships.save_memberships(season=year, text=text, actor=None) == 2
    rows = Membership.objects.order_by("person").values_list("person", "club", "licence")
    assert list(rows) == [(one.pk, club.pk, "A1"), (other.pk, None, "")]
    assert AuditEvent.objects.count() == 2


def test_all_problems_of_a_list_are_named_and_nothing_is_stored():
    year, person = make.make_season(), make.make_person()
    text = f"{person.number};nowhere\n987654\n{person.number}\n{person.number};;{'x' * 41}\nabc"
    error = refused(memberships.save_memberships, season=year, text=text, actor=None)
    found = [(row.line, row.column, row.problem.code) for row in error.params["problems"]]
    assert found == [
        (1, 2, "club_unknown"),
        (2, 1, "person_unknown"),
        (3, 1, "line_repeated"),
        (4, 3, "licence_too_long"),
        (4, 1, "line_repeated"),
        (5, 1, "person_unknown"),
    ]
    assert all(explain(row.problem) for row in error.params["problems"])
    assert not Membership.objects.exists()
    many = "\n".join(["1"] * 5001)
    error = refused(memberships.save_memberships, season=year, text=many, actor=None)
    assert error.params["problems"][0].problem.code == "lines_too_many"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Nothing but a line that looks like a heading: it is not passed over in silence.
        ("Neus Farriol;ela;A1", [(1, 1, "person_unknown")]),
        ("١٩;;", [(1, 1, "person_unknown")]),
        # A first line with a digit is no heading.
        ("N901;;\n901;;", [(1, 1, "person_unknown")]),
        ("901;;\r902;;", [(2, 1, "person_unknown")]),
        ('"901;;\n901;;', [(1, 1, "person_unknown")]),
        ("901;;" + "x" * 200_000, [(1, 1, "line_unreadable")]),
        ("number;club\n901;none\n\n901;", [(2, 2, "club_unknown"), (4, 1, "line_repeated")]),
    ],
)
def test_every_line_that_cannot_be_read_is_named(text, found):
    make.make_person(number=901)
    _good, problems = memberships.read_membership_lines(text)
    assert [(one.line, one.column, one.problem.code) for one in problems] == found


@pytest.mark.parametrize("text", ["901;;\r902;;", "901;;" + "x" * 200_000, '"', "\x1c;"])
def test_odd_lists_of_memberships_are_answered(client, text):
    make.make_person(number=901)
    client.force_login(make.make_user("registrar", roles=("registry_officer",)))
    answer = client.post(reverse("registry-memberships"), {"season": make.make_season().pk, "lines": text})
    assert answer.status_code == 422
    assert not Membership.objects.exists()
