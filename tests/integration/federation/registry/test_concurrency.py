"""Several people at once, on a database that lets them."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from django.db import connection, transaction

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.registry import hooks
from federation.registry.models import Entry, Identifier, Person, PersonMerge, Season
from federation.registry.services import events, people, seasons
from tests import factories as make

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _no_games(monkeypatch):
    for name in ("_facts_listeners", "_merge_checks", "_merge_previews"):
        monkeypatch.setattr(hooks, name, [])


def together(*actions):
    """Run the actions at the same moment; return results and errors in their order."""
    barrier = Barrier(len(actions))

    def run(action):
        try:
            barrier.wait(timeout=20)
            return action()
        except RuleError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return [future.result(timeout=60) for future in [pool.submit(run, action) for action in actions]]


def test_no_two_persons_get_the_same_number():
    def enter():
        with transaction.atomic():
            return [people.create_person(actor=None, given_name="Neus", family_name="Om").number for _ in range(5)]

    numbers = [number for row in together(*[enter] * 6) for number in row]
    assert len(numbers) == len(set(numbers)) == Person.objects.count() == 30
    # A number is given while another transaction is still open.
    with transaction.atomic():
        first = people.create_person(actor=None, given_name="Neus", family_name="Om")
        with ThreadPoolExecutor(1) as pool:

            def enter():
                try:
                    return people.create_person(actor=None, given_name="Pol", family_name="Om").number
                finally:
                    connection.close()

            assert pool.submit(enter).result(timeout=20) != first.number


def test_the_same_merge_or_split_at_the_same_moment_is_one():
    kept, dropped = make.make_person(), make.make_person()

    def merge():
        return people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None).pk

    assert len(set(together(merge, merge, merge))) == 1
    assert PersonMerge.objects.count() == 1
    assert AuditEvent.objects.filter(action="person.merged").count() == 1
    row = PersonMerge.objects.get()
    together(*[lambda: people.split_person(merge=row, reason="two", actor=None).pk] * 3)
    assert AuditEvent.objects.filter(action="person.split").count() == 1


def test_merges_across_each_other_leave_flat_pointers():
    rows = [make.make_person() for _ in range(6)]

    def merge(kept, dropped):
        return lambda: people.merge_persons(kept=rows[kept], dropped=rows[dropped], reason="same", actor=None).pk

    results = together(merge(0, 1), merge(1, 0), merge(2, 3), merge(3, 4), merge(4, 5))
    assert "merged_elsewhere" in results
    assert not Person.objects.filter(merged_into__merged_into__isnull=False).exists()


def test_identifiers_and_seasons_are_entered_once():
    rows = [make.make_person() for _ in range(3)]

    def give(person):
        return lambda: people.add_identifier(person=person, scheme="egd", value="77", actor=None).pk

    results = together(*[give(person) for person in rows])
    assert results.count("identifier_taken") == 2
    assert Identifier.objects.count() == 1
    game = make.make_discipline()

    def enter(code, first):
        values = {"code": code, "starts_on": first, "ends_on": date(2026, 8, 31), "discipline": game}
        return lambda: seasons.save_season(actor=None, **values).pk

    results = together(enter("2025-26", date(2025, 9, 1)), enter("2024-25", date(2024, 9, 1)))
    assert "season_overlap" in results
    assert Season.objects.count() == 1


def test_entries_get_numbers_of_their_own_and_changes_are_kept():
    event = make.make_event(state="open")
    rows = [make.make_person() for _ in range(4)]

    def enter(person):
        return lambda: events.add_entry(event=event, person=person, actor=None).number

    together(*[enter(person) for person in [*rows, rows[0]]])
    assert sorted(Entry.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    # Two changes from one version do not overwrite each other.
    person = people.create_person(actor=None, given_name="Neus", family_name="Om")

    def change(country):
        return lambda: people.change_person(person=person, actor=None, version=0, country=country).country

    results = together(change("AD"), change("FR"))
    person.refresh_from_db()
    assert "stale" in results
    assert person.country in results
