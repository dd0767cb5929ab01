"""Services on events, entries and directors."""

from datetime import date

import pytest

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry import hooks
from federation.registry.hooks import Problem
from federation.registry.models import Entry, Event, EventState, Membership, PersonState
from federation.registry.services import events, people, seasons
from tests import factories as make

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def heard(monkeypatch):
    """What the listeners hear, with the games' own hooks silenced."""
    calls = []
    monkeypatch.setattr(hooks, "_facts_listeners", [lambda **values: calls.append(values)])
    monkeypatch.setattr(hooks, "_submit_checks", [])
    monkeypatch.setattr(hooks, "_approval_checks", [])
    return calls


def code_of(write, **values):
    with pytest.raises(RuleError) as caught:
        write(**values)
    assert explain(caught.value) != caught.value.code
    return caught.value.code


def create(**fields):
    season = make.make_season()
    values = {"discipline": season.discipline, "name": "Obert d'Olot", "starts_on": date(2026, 4, 18), **fields}
    return events.create_event(actor=None, **values)


def with_player(state=PersonState.CONFIRMED, **fields):
    event = create(state="open", **fields)
    events.add_entry(event=event, person=make.make_person(state=state), actor=None)
    return event


def step(name, event, **values):
    return getattr(events, f"{name}_event")(event=event, actor=None, **values)


def test_an_event_needs_little():
    event = create()
    assert (event.state, event.season.code, event.slug) == ("draft", "2025-26", "obert-d-olot-2026")
    assert event.starts_on == event.ends_on == event.rating_date == date(2026, 4, 18)
    assert create(starts_on=date(2026, 4, 25)).slug == "obert-d-olot-2026-2"
    assert AuditEvent.objects.filter(action="event.created").count() == 2


@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("season_missing", {"starts_on": date(2031, 4, 18)}),
        ("event_dates", {"ends_on": date(2026, 4, 17)}),
        ("rounds_invalid", {"rounds": 201}),
        ("value_invalid", {"name": " "}),
        ("value_invalid", {"modality": "odd"}),
        ("value_invalid", {"state": "approved"}),
        ("field_unknown", {"version": 3}),
    ],
)
def test_what_cannot_be_entered_leaves_nothing(code, fields):
    assert code_of(create, **fields) == code
    assert not Event.objects.exists()


def test_an_address_is_taken_once():
    create(slug="open")
    assert code_of(create, slug="open", name="Obert de Figueres") == "slug_taken"


def test_an_event_sent_twice_is_one():
    event = create()
    with pytest.raises(RuleError) as caught:
        create()
    assert (caught.value.code, caught.value.params["slug"]) == ("event_known", event.slug)
    assert Event.objects.count() == 1


def test_results_hold_something_against_new_values(monkeypatch):
    event = create(rounds=3)
    monkeypatch.setattr(hooks, "_change_checks", [lambda event: [Problem("rounds_played", {"highest": 3})]])
    change = {"event": event, "actor": None, "version": 0, "rounds": 2}
    assert code_of(events.change_event, **change) == "rounds_played"
    event.refresh_from_db()
    assert event.rounds == 3


def test_a_season_of_another_game_is_refused():
    other = make.make_season(discipline=make.make_discipline("go"))
    assert code_of(create, season=other) == "season_other_discipline"


def test_the_rating_date_follows_the_last_day_unless_set():
    event = create()
    event = events.change_event(event=event, actor=None, version=0, ends_on=date(2026, 4, 19))
    assert event.rating_date == date(2026, 4, 19)
    event = events.change_event(event=event, actor=None, version=1, rating_date=date(2026, 5, 1))
    event = events.change_event(event=event, actor=None, version=2, ends_on=date(2026, 4, 20))
    assert event.rating_date == date(2026, 5, 1)


def test_a_stale_form_says_who_changed_what():
    event, user = create(), make.make_user(first_name="Pol", last_name="Om")
    events.change_event(event=event, actor=user, version=0, venue="Casino")
    events.change_event(event=event, actor=user, version=0, venue="Casino")
    with pytest.raises(RuleError) as caught:
        events.change_event(event=event, actor=None, version=0, rounds=9)
    assert (caught.value.code, caught.value.params["who"], caught.value.params["what"]) == ("stale", "Pol Om", "venue")


def test_the_whole_way(heard):
    event = create()
    person = make.make_person()
    events.add_entry(event=event, person=person, actor=None)
    heard.clear()
    for name in ("open", "submit", "approve"):
        event = step(name, event)
        assert step(name, event).version == event.version
    assert event.state == EventState.APPROVED
    event = step("reopen", event, reason="a score is wrong")
    assert event.state == EventState.OPEN
    assert [call["why"] for call in heard] == ["event.opened", "event.submitted", "event.approved", "event.reopened"]
    assert heard[0]["events"] == (event.pk,)
    record = AuditEvent.objects.get(action="event.reopened")
    assert (record.reason, record.before, record.after["state"]) == (
        "a score is wrong",
        {"state": "approved"},
        "open",
    )


STEPS = {"open": {}, "submit": {}, "approve": {}, "exclude": {"reason": "x"}, "reopen": {"reason": "x"}}
POSSIBLE = {
    "draft": {"open", "exclude"},
    "open": {"submit", "exclude"},
    "submitted": {"approve", "exclude", "reopen"},
    "approved": {"exclude", "reopen"},
    "excluded": {"reopen"},
}
ENDS = {"open": "open", "submit": "submitted", "approve": "approved", "exclude": "excluded", "reopen": "open"}


@pytest.mark.parametrize("state", POSSIBLE)
@pytest.mark.parametrize("name", STEPS)
def test_every_step_from_every_state(state, name):
    event = with_player()
    reason = "late" if state == "excluded" else ""
    Event.objects.filter(pk=event.pk).update(state=state, excluded_reason=reason)
    event.refresh_from_db()
    if name in POSSIBLE[state] or ENDS[name] == state:
        assert step(name, event, **STEPS[name]).state == ENDS[name]
    else:
        assert code_of(step, name=name, event=event, **STEPS[name]) == "event_state"
        event.refresh_from_db()
        assert event.state == state


def test_reasons_are_asked_for_and_kept():
    event = with_player()
    assert code_of(step, name="exclude", event=event, reason=" ") == "reason_missing"
    assert code_of(step, name="reopen", event=event, reason="") == "reason_missing"
    assert step("exclude", event, reason="played with an old list").excluded_reason == "played with an old list"
    assert step("reopen", event, reason="no, a new one").excluded_reason == ""


def test_an_empty_event_is_not_handed_in(monkeypatch):
    assert code_of(step, name="submit", event=create(state="open")) == "event_without_entries"
    monkeypatch.setattr(hooks, "_submit_checks", [lambda event: [Problem("club_unknown", {"club": "x"})]])
    Event.objects.all().delete()
    assert code_of(step, name="submit", event=with_player()) == "club_unknown"


def test_approval_waits_for_the_registry():
    event = step("submit", with_player(state=PersonState.PROVISIONAL))
    with pytest.raises(RuleError) as caught:
        step("approve", event)
    person = event.entries.get().person
    assert caught.value.code == "provisional_persons"
    assert person.full_name in explain(caught.value)
    kept = make.make_person()
    people.merge_persons(kept=kept, dropped=person, reason="same", actor=None)
    assert step("approve", event).state == EventState.APPROVED


def test_an_approved_event_is_closed():
    event = with_player()
    Event.objects.filter(pk=event.pk).update(state="approved")
    entry = event.entries.get()
    event.refresh_from_db()
    values = {"event": event, "actor": None}
    assert code_of(events.change_event, **values, version=event.version, rounds=3) == "event_closed"
    assert code_of(events.add_entry, **values, person=make.make_person()) == "event_closed"
    assert code_of(events.remove_entry, entry=entry, actor=None) == "event_closed"
    assert code_of(events.withdraw_entry, entry=entry, after_round=1, actor=None) == "event_closed"
    assert code_of(events.change_entry_number, entry=entry, number=5, actor=None) == "event_closed"
    assert code_of(events.delete_event, **values) == "event_has_facts"
    late = events.add_entry(**values, person=make.make_person(), even_closed=True)
    assert late.number == 2


def test_entries_number_themselves_and_are_made_once():
    event = create(state="open")
    one, other = make.make_person("Neus", "Farriol"), make.make_person()
    first = events.add_entry(event=event, person=one, actor=None)
    assert events.add_entry(event=event, person=one, actor=None) == first
    second = events.add_entry(event=event, person=other, actor=None, number=7)
    assert (first.number, second.number) == (1, 7)
    assert events.add_entry(event=event, person=make.make_person(), actor=None).number == 8
    values = {"event": event, "actor": None}
    assert code_of(events.add_entry, **values, person=one, number=3) == "already_entered"
    assert code_of(events.add_entry, **values, person=make.make_person(), number=7) == "entry_number_taken"
    assert code_of(events.add_entry, **values, person=make.make_person(), number=0) == "entry_number_invalid"
    assert AuditEvent.objects.filter(action="entry.added").count() == 3
    assert not AuditEvent.objects.filter(object_label__contains="Farriol").exists()


def test_a_merged_record_is_entered_as_the_one_that_counts():
    event = create(state="open")
    kept, dropped = make.make_person(), make.make_person()
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    dropped.refresh_from_db()
    entry = events.add_entry(event=event, person=dropped, actor=None)
    assert entry.person == kept
    assert events.add_entry(event=event, person=kept, actor=None) == entry


def test_whoever_was_entered_by_a_merged_record_is_not_entered_again():
    event = create(state="open")
    kept, dropped = make.make_person(), make.make_person()
    entry = events.add_entry(event=event, person=dropped, actor=None)
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    assert events.add_entry(event=event, person=kept, actor=None) == entry


def test_withdrawing_renumbering_and_removing():
    event = create(state="open", rounds=9)
    entry = events.add_entry(event=event, person=make.make_person(), actor=None)
    assert events.withdraw_entry(entry=entry, after_round=4, actor=None).withdrawn_after == 4
    assert events.withdraw_entry(entry=entry, after_round=None, actor=None).withdrawn_after is None
    assert code_of(events.withdraw_entry, entry=entry, after_round=10, actor=None) == "withdrawn_round"
    assert events.change_entry_number(entry=entry, number=5, actor=None).number == 5
    events.remove_entry(entry=entry, actor=None)
    events.remove_entry(entry=entry, actor=None)
    assert not Entry.objects.exists()


def test_an_entry_with_results_stays():
    event = create(state="open")
    a, b = (events.add_entry(event=event, person=make.make_person(), actor=None) for _ in range(2))
    make.make_game(a, b)
    assert code_of(events.remove_entry, entry=a, actor=None) == "entry_has_facts"
    assert not AuditEvent.objects.filter(action="entry.removed").exists()
    assert code_of(events.delete_event, event=event, actor=None) == "event_has_facts"


def test_a_draft_may_be_deleted():
    events.delete_event(event=create(), actor=None)
    assert not Event.objects.exists()
    assert AuditEvent.objects.filter(action="event.deleted").exists()


def test_a_missing_membership_warns_or_blocks():
    event, person = create(state="open"), make.make_person("Neus", "Farriol")
    problem = events.membership_problem(person, event)
    assert explain(problem) == "Neus Farriol has no membership or licence on 18 April 2026."
    seasons.save_settings(actor=None, membership_policy="block")
    assert code_of(events.add_entry, event=event, person=person, actor=None) == "membership_missing"
    seasons.save_settings(actor=None, membership_policy="warn")
    assert events.add_entry(event=event, person=person, actor=None).pk
    Membership.objects.create(person=person, season=event.season)
    assert events.membership_problem(person, event) is None


@pytest.mark.parametrize(
    ("valid_from", "valid_until", "member"),
    [
        (None, None, True),
        (date(2026, 4, 18), None, True),
        (date(2026, 4, 19), None, False),
        (None, date(2026, 4, 18), True),
        (None, date(2026, 4, 17), False),
    ],
)
def test_the_dates_of_a_membership_count(valid_from, valid_until, member):
    event, person = create(), make.make_person()
    Membership.objects.create(person=person, season=event.season, valid_from=valid_from, valid_until=valid_until)
    assert (events.membership_problem(person, event) is None) is member


def test_memberships_are_read_through_merges_and_by_game(django_assert_num_queries):
    event = create()
    kept, dropped, third = make.make_person(), make.make_person(), make.make_person()
    Membership.objects.create(person=dropped, season=event.season)
    Membership.objects.create(person=third, season=make.make_season(discipline=make.make_discipline("go")))
    people.merge_persons(kept=kept, dropped=dropped, reason="same", actor=None)
    dropped.refresh_from_db()
    assert events.membership_problem(kept, event) is None
    with django_assert_num_queries(1):
        problems = events.membership_problems([kept, dropped, third], event)
    assert set(problems) == {third.pk}


def test_directors_are_named_once():
    event, user = create(), make.make_user()
    for _ in range(2):
        events.name_director(event=event, user=user, actor=None)
    assert list(event.directors.all()) == [user]
    for _ in range(2):
        events.remove_director(event=event, user=user, actor=None)
    assert not event.directors.exists()
    actions = AuditEvent.objects.filter(action__startswith="event.director").order_by("pk")
    assert [record.action for record in actions] == ["event.director_named", "event.director_removed"]
