"""Whatever people do to the results of an event in whatever order: nothing is lost, nothing contradicts itself."""

from __future__ import annotations

from collections import Counter

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from federation.registry.models import Entry, EventState
from federation.registry.services import events as registry
from ratings.core.rounds import GameRow
from ratings.models import EventRound, Game
from ratings.queries.results import current_games, round_state
from ratings.services.corrections import Change, apply_correction, propose_correction
from ratings.services.results import save_round
from tests.factories import make_entry, make_event, make_user

PLAYERS = 6
ROUNDS = 2
SCORES = st.integers(100, 600)


@st.composite
def rounds_of_rows(draw):
    """Rows of a round that do not contradict themselves: games, a bye, a forfeit, a game to be played."""
    order = draw(st.permutations(range(1, PLAYERS + 1)))
    rows = []
    for a, b in zip(order[::2], order[1::2], strict=True):
        kind = draw(st.sampled_from(["played", "played", "played", "pending", "forfeit", "bye", "none"]))
        if kind == "played":
            mine, theirs = draw(SCORES), draw(SCORES)
            rows.append(GameRow(a, b, kind, mine, theirs, 1 + (mine > theirs) - (mine < theirs)))
        elif kind == "pending":
            rows.append(GameRow(a, b, kind))
        elif kind == "forfeit":
            rows.append(GameRow(a, b, kind, result=draw(st.sampled_from([0, 2]))))
        elif kind == "bye":
            rows.append(GameRow(a, None, kind, result=2))
    return rows


class LifeOfResults(RuleBasedStateMachine):
    """An event of six players and two rounds in the hands of a director and two of the staff."""

    def __init__(self) -> None:
        super().__init__()
        self.atomic = transaction.atomic()
        self.atomic.__enter__()
        self.event = make_event(state=EventState.OPEN, rounds=ROUNDS)
        for _ in range(PLAYERS):
            make_entry(self.event)
        self.director, self.secretary = make_user(), make_user()
        self.seen: dict[int, dict] = {}
        self.closed: dict[int, dict] = {}

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.atomic.__exit__(None, None, None)

    @property
    def is_open(self) -> bool:
        self.event.refresh_from_db()
        return self.event.state == EventState.OPEN

    @rule(number=st.integers(1, ROUNDS), rows=rounds_of_rows())
    def save(self, number, rows):
        version = round_state(self.event, number).version
        if not self.is_open:
            with pytest.raises(RuleError, match="results_closed"):
                save_round(event=self.event, number=number, version=version, rows=rows, actor=self.director)
            return
        saved = save_round(event=self.event, number=number, version=version, rows=rows, actor=self.director)
        assert saved in (version, version + 1)
        assert save_round(event=self.event, number=number, version=version, rows=rows, actor=self.director) == saved

    @rule(number=st.integers(1, ROUNDS), rows=rounds_of_rows())
    def save_from_an_old_form(self, number, rows):
        state = round_state(self.event, number)
        if not self.is_open or state.version == 0:
            return
        before = Game.objects.count()
        code = ""
        try:
            saved = save_round(
                event=self.event, number=number, version=state.version - 1, rows=rows, actor=self.secretary
            )
        except RuleError as error:
            code, saved = error.code, error.params["version"]
        assert code in ("", "round_stale")
        assert saved == state.version
        assert Game.objects.count() == before

    @rule(number=st.integers(1, PLAYERS), after=st.one_of(st.none(), st.integers(0, ROUNDS)))
    def withdraw(self, number, after):
        if self.is_open:
            entry = Entry.objects.get(event=self.event, number=number)
            registry.withdraw_entry(entry=entry, after_round=after, actor=self.director)

    @rule()
    def approve(self):
        if not self.is_open:
            return
        played = current_games(self.event).filter(kind="played").exists()
        if not played:
            with pytest.raises(RuleError, match="no_games_yet"):
                registry.submit_event(event=self.event, actor=self.director)
            return
        registry.submit_event(event=self.event, actor=self.director)
        registry.approve_event(event=self.event, actor=self.secretary)

    @precondition(lambda self: not self.is_open)
    @rule()
    def reopen(self):
        registry.reopen_event(event=self.event, reason="to go on", actor=self.secretary)

    @rule(place=st.integers(0, 10), mine=SCORES, theirs=SCORES, remove=st.booleans())
    def correct(self, place, mine, theirs, remove):
        games = [game for game in current_games(self.event) if game.b_id is not None]
        if not games:
            return
        game = games[place % len(games)]
        result = 1 + (mine > theirs) - (mine < theirs)
        row = GameRow(game.a.number, game.b.number, "played", mine, theirs, result, round=game.round)
        changes = [Change(game.pk, None if remove else row)]
        if self.is_open:
            with pytest.raises(RuleError, match="correction_event"):
                propose_correction(event=self.event, changes=changes, reason="wrong", actor=self.secretary)
            return
        if not remove and (game.kind, game.score_a, game.score_b) == ("played", mine, theirs):
            with pytest.raises(RuleError, match="correction_empty"):
                propose_correction(event=self.event, changes=changes, reason="wrong", actor=self.secretary)
            return
        correction = propose_correction(event=self.event, changes=changes, reason="wrong", actor=self.secretary)
        apply_correction(correction=correction, actor=self.secretary)
        game.refresh_from_db()
        assert game.superseded_at is not None
        assert (game.superseded_by_id is None) == remove

    @invariant()
    def nobody_sits_twice_in_a_round(self):
        seats = Counter()
        for number, a, b in Game.objects.filter(event=self.event, superseded_at=None).values_list("round", "a", "b"):
            seats.update((number, seat) for seat in (a, b) if seat is not None)
        assert not [seat for seat, count in seats.items() if count > 1]

    @invariant()
    def nothing_is_deleted_and_what_is_superseded_never_changes(self):
        rows = {row["id"]: row for row in Game.objects.filter(event=self.event).values()}
        assert set(self.seen) <= set(rows)
        facts = ("event_id", "round", "a_id", "b_id", "kind", "score_a", "score_b", "result", "created_by_id")
        for key, row in self.seen.items():
            assert {name: row[name] for name in facts} == {name: rows[key][name] for name in facts}
        for key, row in self.closed.items():
            assert rows[key] == row
        self.seen = rows
        self.closed = {key: row for key, row in rows.items() if row["superseded_at"] is not None}
        assert all(row["superseded_who_id"] is not None for row in self.closed.values())

    @invariant()
    def every_version_is_on_record(self):
        for mark in EventRound.objects.filter(event=self.event):
            records = AuditEvent.objects.filter(object_type="ratings.eventround", object_id=str(mark.pk))
            versions = [record.after["version"] for record in records.order_by("id")]
            assert versions == list(range(1, mark.version + 1))


@pytest.mark.django_db
def test_the_life_of_results():
    run_state_machine_as_test(
        LifeOfResults,
        settings=settings(
            max_examples=20, stateful_step_count=12, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
