"""Versions of the rules: made, previewed, and, on request, applied to events already rated."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from django.db import transaction
from django.db.models import Max

from federation.audit.services import record
from federation.core.errors import RuleError
from federation.registry.models import Event
from ratings.core.listing import rating_list
from ratings.core.replay import State
from ratings.core.ruleset import RuleSet as Rules
from ratings.models import EventRuleSet, RatingSystem, RuleSet
from ratings.queries.facts import RuleSets, event_facts
from ratings.services.effects import PersonEffect, effect_rows, end_state
from ratings.services.replaying import Facts, read_facts
from ratings.services.runs import current_system, mark_dirty
from ratings.services.starting import where_to_start

_PREVIEW: Final = 0
"""Key of the rules under preview; no stored row has it."""
_UNRANKED: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class ListedSide:
    """A person on a list of all that is rated: state, position (None for none), title (empty for none), rating."""

    status: str
    position: int | None
    title: str
    rating: int


@dataclass(frozen=True, slots=True)
class ListedEffect:
    """A person on the list by the rules in force and by the rules under preview."""

    person: int
    before: ListedSide | None
    after: ListedSide | None

    @property
    def weight(self) -> int:
        """0 for who enters or leaves the ranking, 1 for another state, 2 for another title, 3 for another position."""
        old, new = self.before, self.after
        if old is None or new is None or (old.position is None) != (new.position is None):
            return 0
        if old.status != new.status:
            return 1
        return 2 if old.title != new.title else 3

    @property
    def changes(self) -> bool:
        """Whether more than the rating differs."""
        old, new = self.before, self.after
        if old is None or new is None:
            return old is not new
        return (old.status, old.position, old.title) != (new.status, new.position, new.title)


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What other rules would change.

    Attributes:
        events: Keys of the events that would be rated by them.
        rows: Persons whose rating would move.
        listed: Persons whose state, title or position on the list would be another, changed states first.
    """

    events: tuple[int, ...]
    rows: tuple[PersonEffect, ...]
    listed: tuple[ListedEffect, ...]


def new_version(
    *,
    name: str,
    parameters: Mapping[str, Any],
    valid_from: dt.date | None,
    actor: Any,
    note: str = "",
    system: RatingSystem | None = None,
) -> RuleSet:
    """Make a version of the rules. Versions are never edited: a change is a new one.

    Events already published keep theirs; others take the version in force on their rating date. An equal version made
    before, with the same day, is returned as it is.

    Args:
        name: Name of the rule set; its next number is given.
        parameters: Values as plain JSON.
        valid_from: First day in force, None for a version kept for comparison.
        actor: Who makes it.
        note: Why.
        system: The rating system; the one of scrabble if left out.

    Raises:
        RuleError: those of the core for values that are no rule; `rule_set_name_missing`; `rule_set_date_taken`,
            another version is in force from that day.
    """
    if not name.strip():
        raise RuleError("rule_set_name_missing", where="name")
    rules = Rules.from_parameters(parameters)
    with transaction.atomic():
        row = RatingSystem.objects.select_for_update(no_key=True).get(pk=(system or current_system()).pk)
        versions = RuleSet.objects.filter(system=row, name=name)
        same = versions.filter(digest=rules.digest(), valid_from=valid_from).order_by("version").first()
        if same is not None:
            return same
        taken = RuleSet.objects.filter(system=row, valid_from=valid_from).first() if valid_from else None
        if taken is not None:
            raise RuleError("rule_set_date_taken", {"date": str(valid_from), "name": str(taken)}, "valid_from")
        made = RuleSet.objects.create(
            system=row,
            name=name,
            version=(versions.aggregate(last=Max("version"))["last"] or 0) + 1,
            parameters=rules.to_parameters(),
            digest=rules.digest(),
            valid_from=valid_from,
            note=note,
            created_by=actor if getattr(actor, "is_authenticated", False) else None,
        )
        if valid_from is not None:
            mark_dirty(system=row, event_ids=_first_event(row, valid_from), why="ruleset.created")
        record(
            action="ruleset.created",
            obj=made,
            actor=actor,
            reason=note,
            after={"name": name, "version": made.version, "valid_from": valid_from, "parameters": made.parameters},
        )
    return made


def _first_event(system: RatingSystem, day: dt.date) -> list[int]:
    """Return the first event from a day on that no published list has bound to its rules."""
    events = Event.objects.filter(discipline=system.discipline_id, rating_date__gte=day, pinned_rule_set=None)
    return list(events.order_by("rating_date", "sequence", "pk").values_list("pk", flat=True)[:1])


def preview_version(
    *,
    parameters: Mapping[str, Any],
    valid_from: dt.date,
    everything: bool = False,
    system: RatingSystem | None = None,
) -> RulePreview:
    """Say what a version would change, by a replay under it. Nothing is written.

    Args:
        parameters: Values as plain JSON.
        valid_from: First day in force.
        everything: Rate all events from that day on by it, those of published lists too: the full comparison.
        system: The rating system; the one of scrabble if left out.

    Raises:
        RuleError: those of the core for values that are no rule; data errors of section 9.
    """
    marked = system or current_system()
    facts = read_facts(marked)
    known = _with_version(facts.known, Rules.from_parameters(parameters), valid_from)
    then = event_facts(marked, known, facts.opening.as_of)
    if everything:
        from_then = np.array([key[0] >= valid_from for key in then.keys], dtype=np.bool_)
        then = replace(then, rule_set=np.where(from_then, _PREVIEW, then.rule_set))
    changed = (then.rule_set != facts.events.rule_set).nonzero()[0]
    start = where_to_start(
        facts, marked, facts.opening.packed()[1], at_most=int(changed[0]) if len(changed) else len(then)
    )
    before, _ = end_state(facts, start, None, ())
    after = end_state(replace(facts, known=known, events=then), start, None, ())[0] if len(changed) else before
    return RulePreview(
        tuple(then.ids[changed].tolist()),
        effect_rows(marked, facts.persons, before, after),
        _listed(facts, marked, before, after, known.rules[_PREVIEW]),
    )


def _listed(facts: Facts, system: RatingSystem, before: State, after: State, rules: Rules) -> tuple[ListedEffect, ...]:
    """Compare the list of all that is rated, by the rules of the list in force and by others.

    The list is of the season of the list in force; without one, of the season of the last event.
    """
    in_force = system.current_list
    if in_force is not None:
        season, key = in_force.season.start_year, in_force.rule_set_id
    else:
        season = int(facts.events.season.max()) if len(facts.events) else before.season
        key = facts.known.in_force[-1][1] if facts.known.in_force else _PREVIEW
    old = _sides(facts, before, season, facts.known.rules.get(key, rules))
    new = _sides(facts, after, season, rules)
    rows = [ListedEffect(person, old.get(person), new.get(person)) for person in sorted({**old, **new})]
    return tuple(sorted((row for row in rows if row.changes), key=_weight))


def _sides(facts: Facts, state: State, season: int, rules: Rules) -> dict[int, ListedSide]:
    entered = np.isin(facts.persons, facts.opening.person)
    listed = rating_list(replace(state, season=season), rules, entered=entered)
    persons = facts.persons[listed.player].tolist()
    return {
        person: ListedSide(row.status, row.position, row.title or "", row.rating)
        for person, row in zip(persons, listed.rows(), strict=True)
    }


def _weight(row: ListedEffect) -> tuple[int, int, int]:
    """Order of a preview: who enters or leaves the ranking, other states, titles, positions; by position."""
    places = [side.position for side in (row.after, row.before) if side is not None and side.position is not None]
    return row.weight, places[0] if places else _UNRANKED, row.person


def replay_under(*, rule_set: RuleSet, events: Iterable[int], reason: str, actor: Any) -> int:
    """Have events rated by a version of the rules, on request, whatever they were published with.

    Published lists stay as they are; the next one shows the new numbers.

    Returns:
        The number of events whose rules changed.

    Raises:
        RuleError: `reason_missing`.
    """
    if not reason.strip():
        raise RuleError("reason_missing")
    wanted = sorted(set(events))
    with transaction.atomic():
        system = RatingSystem.objects.select_for_update(no_key=True).get(pk=rule_set.system_id)
        rows = list(Event.objects.filter(pk__in=wanted, discipline=system.discipline_id).values_list("pk", flat=True))
        pinned = dict(EventRuleSet.objects.filter(event__in=rows).values_list("event_id", "rule_set_id"))
        changed = [event for event in rows if pinned.get(event) != rule_set.pk]
        EventRuleSet.objects.filter(event__in=changed).delete()
        EventRuleSet.objects.bulk_create(EventRuleSet(event_id=event, rule_set=rule_set) for event in changed)
        if changed:
            mark_dirty(system=system, event_ids=changed, why="ruleset.replayed")
            record(
                action="ruleset.replayed",
                obj=rule_set,
                actor=actor,
                reason=reason.strip(),
                before={str(event): pinned.get(event) for event in changed},
                after={"events": changed},
            )
    return len(changed)


def _with_version(known: RuleSets, rules: Rules, valid_from: dt.date) -> RuleSets:
    """Give the rule sets with one more in force from a day on."""
    dated = [(day, key) for day, key in known.in_force if day != valid_from]
    return RuleSets(known.rows, {**known.rules, _PREVIEW: rules}, sorted([*dated, (valid_from, _PREVIEW)]))
