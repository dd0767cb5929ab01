"""Where games and uploads tell the registry what hangs on a person or an event.

The registry does not know the games. An app that keeps facts about persons registers here, in ``AppConfig.ready()``,
what a merge would move, what forbids it, what an event needs before it is handed in or approved, and who must hear that
facts have changed. Registering the same function twice does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from django.utils.functional import Promise

from federation.core.errors import RuleError
from federation.registry.models import Event, Person

Label: TypeAlias = "str | Promise"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that stands in the way and that a person can mend.

    Attributes:
        code: stable code; `federation.problems` has the sentences.
        params: values of the text.
    """

    code: str
    params: Mapping[str, object] = field(default_factory=dict)


def refuse(problems: list[Problem]) -> None:
    """Raise the first of the problems, if there is one, with all of them in ``params['problems']``."""
    if problems:
        first = problems[0]
        raise RuleError(first.code, {**first.params, "problems": problems})


MergeCheck: TypeAlias = Callable[[Person, Person], list[Problem]]
MergePreview: TypeAlias = Callable[[Person, Person], "list[tuple[Label, int]]"]
EventCheck: TypeAlias = Callable[[Event], list[Problem]]
FactsListener: TypeAlias = Callable[..., None]
Anonymiser: TypeAlias = Callable[[list[int]], None]

_merge_checks: list[MergeCheck] = []
_merge_previews: list[MergePreview] = []
_submit_checks: list[EventCheck] = []
_approval_checks: list[EventCheck] = []
_change_checks: list[EventCheck] = []
_facts_listeners: list[FactsListener] = []
_anonymisers: list[Anonymiser] = []


Function = TypeVar("Function", bound=Callable[..., object])


def _add(where: list[Function], function: Function) -> Function:
    if function not in where:
        where.append(function)
    return function


def register_merge_check(function: MergeCheck) -> MergeCheck:
    """Register ``function(kept, dropped)``: the problems that forbid the merge, such as both in one round."""
    return _add(_merge_checks, function)


def register_merge_preview(function: MergePreview) -> MergePreview:
    """Register ``function(kept, dropped)``: what the dropped record has, as pairs of label and count."""
    return _add(_merge_previews, function)


def register_submit_check(function: EventCheck) -> EventCheck:
    """Register ``function(event)``: what is missing before the results can be handed in."""
    return _add(_submit_checks, function)


def register_approval_check(function: EventCheck) -> EventCheck:
    """Register ``function(event)``: what is missing before the event can be approved."""
    return _add(_approval_checks, function)


def register_change_check(function: EventCheck) -> EventCheck:
    """Register ``function(event)``: what its facts hold against new values of an event, not stored yet."""
    return _add(_change_checks, function)


def register_facts_listener(function: FactsListener) -> FactsListener:
    """Register ``function(*, persons, events, why)``, called inside the transaction that changed the facts.

    ``persons`` and ``events`` are iterables of keys. The keys of persons are those of the records themselves, merged
    ones included.
    """
    return _add(_facts_listeners, function)


def register_anonymiser(function: Anonymiser) -> Anonymiser:
    """Register ``function(person_keys)``, called inside the transaction to remove names kept elsewhere."""
    return _add(_anonymisers, function)


def merge_problems(kept: Person, dropped: Person) -> list[Problem]:
    """Return everything the apps hold against merging two records."""
    return [problem for check in _merge_checks for problem in check(kept, dropped)]


def merge_counts(kept: Person, dropped: Person) -> list[tuple[Label, int]]:
    """Return what the apps keep about the dropped record."""
    return [count for preview in _merge_previews for count in preview(kept, dropped)]


def submit_problems(event: Event) -> list[Problem]:
    """Return what the games miss before the results of an event can be handed in."""
    return [problem for check in _submit_checks for problem in check(event)]


def approval_problems(event: Event) -> list[Problem]:
    """Return what the games miss before an event can be approved."""
    return [problem for check in _approval_checks for problem in check(event)]


def change_problems(event: Event) -> list[Problem]:
    """Return what the games hold against the new values of an event."""
    return [problem for check in _change_checks for problem in check(event)]


def notify_facts_changed(*, persons: Iterable[int] = (), events: Iterable[int] = (), why: str) -> None:
    """Tell the games that facts about persons or events changed. Call it inside the transaction.

    Args:
        persons: keys of persons whose identity or history changed.
        events: keys of events whose state, dates, entries or results changed.
        why: code of the action, as in the audit.
    """
    person_keys, event_keys = tuple(persons), tuple(events)
    for listener in _facts_listeners:
        listener(persons=person_keys, events=event_keys, why=why)


def remove_names(person_keys: list[int]) -> None:
    """Let the apps remove the names they keep of persons who are being anonymised."""
    for anonymiser in _anonymisers:
        anonymiser(person_keys)
