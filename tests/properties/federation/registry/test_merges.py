"""Any sequence of merges and splits; after undoing everything the registry equals the start."""

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from federation.core.errors import RuleError
from federation.registry.models import Entry, Person, PersonAlias, PersonMerge, PersonState
from federation.registry.services import people
from tests import factories as make

NAMES = [("Gal·la", "Om"), ("Вера", "Осинцева"), ("Vera", "Osintseva"), ("Gal·la", "Om"), ("Ştefan", "Țurcanu")]


def registry():
    """Everything that merging may touch, without the counters of versions."""
    return (
        list(Person.objects.order_by("pk").values_list("pk", "state", "merged_into", "sort_key", "fold_key")),
        sorted(PersonAlias.objects.values_list("person", "text", "fold_key", "derived")),
        sorted(Entry.objects.values_list("pk", "person")),
    )


class Merging(RuleBasedStateMachine):
    """Merges and splits of five records in any order, beside a model that follows open merges only."""

    @initialize()
    def enter(self):
        self.people = [
            people.create_person(actor=None, given_name=given, family_name=family, aliases=[f"{family} {turn}"])
            for turn, (given, family) in enumerate(NAMES)
        ]
        people.change_person(person=self.people[1], actor=None, version=1, latin_given_name="Vera")
        self.people[4] = people.create_person(
            actor=None, given_name="Nova", family_name="Prat", state=PersonState.PROVISIONAL
        )
        event = make.make_event()
        for person in self.people:
            make.make_entry(event, person)
        self.start = registry()
        self.parents = {}
        self.merges = []

    def root(self, turn):
        while turn in self.parents:
            turn = self.parents[turn]
        return turn

    @rule(kept=st.integers(0, 4), dropped=st.integers(0, 4))
    def merge(self, kept, dropped):
        rows = {row.pk: row for row in Person.objects.select_related("merged_into")}
        values = {"kept": rows[self.people[kept].pk], "dropped": rows[self.people[dropped].pk]}
        done = self.parents.get(dropped) == kept
        possible = kept != dropped and kept not in self.parents and dropped not in self.parents
        if done or possible:
            row = people.merge_persons(**values, reason="same", actor=None)
            if possible:
                self.merges.append((row, dropped))
                self.parents[dropped] = kept
        else:
            with pytest.raises(RuleError):
                people.merge_persons(**values, reason="same", actor=None)

    @precondition(lambda self: self.merges)
    @rule(data=st.data())
    def split(self, data):
        row, dropped = data.draw(st.sampled_from(self.merges))
        people.split_person(merge=row, reason="two", actor=None)
        if self.merges and any(row == other for other, _ in self.merges):
            self.merges = [pair for pair in self.merges if pair[0] != row]
            del self.parents[dropped]

    @invariant()
    def pointers_are_flat_and_right(self):
        if not hasattr(self, "people"):
            return
        for turn, person in enumerate(self.people):
            root = self.root(turn)
            wanted = None if root == turn else self.people[root].pk
            assert Person.objects.values_list("merged_into", flat=True).get(pk=person.pk) == wanted

    @invariant()
    def names_of_merged_records_are_aliases_of_the_one_that_counts(self):
        if not hasattr(self, "people"):
            return
        for turn, person in enumerate(self.people):
            root = self.people[self.root(turn)]
            known = {root.full_name, *PersonAlias.objects.filter(person=root.pk).values_list("text", flat=True)}
            assert person.full_name in known

    def teardown(self):
        if not hasattr(self, "people"):
            return
        for row in PersonMerge.objects.filter(undone_at__isnull=True).order_by("pk"):
            people.split_person(merge=row, reason="two", actor=None)
        assert registry() == self.start


@pytest.mark.django_db
def test_everything_can_be_undone():
    run_state_machine_as_test(
        Merging, settings=settings(max_examples=25, stateful_step_count=12, deadline=None, database=None)
    )
