"""Whether an event counts, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from federation.registry.models import Event, EventState
from ratings.core.ruleset import RuleSet
from ratings.models import PublishedList, RatedEvent

#: Why an event does not count (specification, section 6), as the end of a sentence.
_REASONS: Final[dict[str, Promise]] = {
    "not_approved": gettext_lazy("staff have not approved the results"),
    "excluded": gettext_lazy("staff have excluded the event"),
    "not_classic": gettext_lazy("the event is not classic, one against one"),
    "too_few_rounds": gettext_lazy("fewer rounds with a played game than the rules ask for"),
    "too_few_players": gettext_lazy("fewer players with a played game than the rules ask for"),
    "results_missing": gettext_lazy("games without a result"),
    "results_unpublished": gettext_lazy("the results are neither public nor handed in"),
    "before_opening": gettext_lazy("the event is not later than the opening ratings"),
}


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer: ``yes``, ``no`` or ``wait``, and one sentence."""

    code: str
    label: str
    text: str


def long_reason(code: str) -> str:
    """A reason why an event does not count, in words."""
    return str(_REASONS.get(code, code))


def short_reason(code: str) -> str:
    """A reason why an event does not count, in two or three words for a table."""
    texts = {
        "not_approved": _("not approved"),
        "excluded": _("excluded"),
        "not_classic": _("not classic"),
        "too_few_rounds": _("too few rounds"),
        "too_few_players": _("too few players"),
        "results_missing": _("a result is missing"),
        "results_unpublished": _("results not public"),
        "before_opening": _("before the opening ratings"),
    }
    return texts.get(code, code)


def reason_sentence(code: str, rules: RuleSet, event: Event) -> str:
    """A reason why an event does not count, as a sentence."""
    if code == "excluded":
        return _("The federation has excluded it: %(reason)s") % {"reason": event.excluded_reason or "–"}
    texts = {
        "not_approved": _("Its results have not been approved yet."),
        "not_classic": _("It is not classic scrabble, one against one."),
        "too_few_rounds": _("It has fewer than %(number)s rounds with a played game.") % {"number": rules.min_rounds},
        "too_few_players": _("It has fewer than %(number)s players with a played game.")
        % {"number": rules.min_players},
        "results_missing": _("A pairing has no result yet."),
        "results_unpublished": _("The results of some games are neither public nor handed in."),
        "before_opening": _("It is not later than the opening ratings."),
    }
    return texts.get(code, code)


def whether_counts(event: Event, rated: RatedEvent | None, edition: PublishedList | None) -> Counted:
    """Say whether an event counts on an edition, or what it waits for."""
    if rated is not None and rated.eligible:
        return Counted("yes", _("counted"), _("The event counts for BARRUF."))
    if rated is not None or event.state == EventState.EXCLUDED:
        return Counted("no", _("not counted"), _("The event does not count for BARRUF."))
    if event.state == EventState.OPEN:
        return Counted("wait", _("open"), _("The event is being played or prepared; results may still change."))
    if event.state == EventState.SUBMITTED:
        return Counted("wait", _("waiting for approval"), _("The results are handed in and wait for approval."))
    if edition is None:
        return Counted("wait", _("waiting for the first list"), _("No list is published yet."))
    return Counted(
        "wait",
        _("waiting for the next list"),
        _("List %(number)s does not include the event; whether it counts shows on the next one.")
        % {"number": edition.number},
    )
