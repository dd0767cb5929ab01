"""Sentences for what can be wrong with results: each says what to do. Codes come from the core and the services."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from federation.core.errors import RuleError
from federation.core.issue_texts import ISSUE_TEXTS
from federation.registry import errors as registry_errors
from federation.registry.hooks import Problem as RegistryProblem
from ratings.core.rounds import Problem
from ratings.errors import error_text

TEXTS: dict[str, str | Promise] = {
    # One line of a round
    "player_empty": _("Write the player: a number or a few letters of the name."),
    "unknown_player": _("“%(text)s” is no player of this event: write the number, or enter the player first."),
    "ambiguous_player": _("“%(text)s” fits several players (%(names)s): write the number or more letters."),
    "missing_player": _("The opponent is missing: write a number, or BYE if there is none."),
    "bye_with_opponent": _("A bye has no opponent: remove the opponent or choose another kind."),
    "self_play": _("%(name)s cannot play against himself or herself: correct one of the two."),
    "twice_in_round": _("%(name)s already stands in line %(other_line)s of this round: correct one of the lines."),
    "two_entries_one_person": _(
        "Entries %(other)s and %(number)s are the same person (%(name)s) and both stand in this round: correct one."
    ),
    "withdrawn_player": _("%(name)s withdrew after round %(round)s: check the player or undo the withdrawal."),
    "bad_kind": _("“%(text)s” is not a kind of row: choose one of the list."),
    "bad_score": _("“%(text)s” is not a score: write a whole number, or 1, 0.5 or 0 twice for a result."),
    "score_missing": _("One score is missing: write it, or empty both if the game is still to be played."),
    "score_impossible": _("A score of %(score)s is not possible: correct it (%(low)s to %(high)s)."),
    "score_unusual": _("A score of %(score)s is unusual: check it."),
    "no_result": _("Both scores are 0: write the scores, or choose “both absent”."),
    "results_do_not_add_up": _("%(a)s and %(b)s do not add up to 1: write 1 and 0, 0 and 1, or 0.5 twice."),
    "bad_result": _("The result does not fit the kind of row: correct one of them."),
    "result_contradicts_scores": _("The result does not follow from the scores: correct one of them."),
    # Saving
    "results_closed": _("%(event)s is %(state)s: results are no longer entered here. Ask for a correction instead."),
    "round_unknown": _("There is no round %(round)s: this event has %(rounds)s."),
    "round_has_problems": _("%(count)s problems stop this round. Correct the marked lines and save again."),
    "round_stale": _("%(who)s changed round %(round)s while you were typing. Nothing of yours was stored yet."),
    "too_many_lines": _("A round has at most %(limit)s lines."),
    "results_pending": _("Round %(round)s has %(count)s games without a result. Enter them or mark them as void."),
    "round_empty": _("Round %(round)s has no results yet. Enter them, or lower the number of rounds."),
    "players_missing": _("In round %(round)s these players stand in no line: %(names)s. Enter a bye or a withdrawal."),
    "no_games_yet": _("%(event)s has no result yet: enter the rounds first."),
    "round_contradicts": _("Round %(round)s contradicts itself: %(text)s"),
    # Corrections
    "correction_event": _("Only results of an approved event are corrected. %(event)s is %(state)s."),
    "correction_empty": _("Nothing was changed: correct a figure, or leave the game as it is."),
    "correction_stale": _("This game was changed meanwhile. Look at it as it stands now and propose again."),
    "correction_effect_stale": _("Results changed since the effect was computed. Look at the new effect, then apply."),
    "correction_decided": _("This correction is already %(state)s."),
    "correction_second_person": _("Who proposed a correction cannot apply it here: another person must."),
    "correction_is_open": _("Another correction of this game is waiting: apply or discard it first."),
    "game_not_current": _("This row is no longer in force: choose the one that replaced it."),
    "reason_missing": _("Write the reason."),
    "no_rule_set": _("No rule set was in force on %(date)s. Give one an earlier day in the administration."),
    "event_not_rated": _("This event takes no part in the rating."),
    "second_person_needed": _("%(name)s prepared this list: another person must publish it."),
    "draft_stale": _("Facts changed since this list was prepared. Prepare it again."),
    "draft_replaced": _("This draft was replaced by a newer one."),
    "erratum_reason_missing": _("Write what was wrong: it is published with the list."),
    "no_rating_system": _("There is no rating system yet. Create it in the administration first."),
}

#: Why an event does not count (specification, section 6).
REASONS: dict[str, str | Promise] = {
    "not_approved": _("staff have not approved the results"),
    "excluded": _("staff have excluded the event"),
    "not_classic": _("the event is not classic, one against one"),
    "too_few_rounds": _("fewer rounds with a played game than the rules ask for"),
    "too_few_players": _("fewer players with a played game than the rules ask for"),
    "results_missing": _("games without a result"),
    "results_unpublished": _("the results are neither public nor handed in"),
    "before_opening": _("the event is not later than the opening ratings"),
}


def explain(problem: RuleError | RegistryProblem | Problem) -> str:
    """Return the sentence for a problem in the language of the moment."""
    text = TEXTS.get(problem.code)
    if text is not None:
        return fill(text, problem.params)
    if problem.code in ISSUE_TEXTS:
        return fill(gettext(ISSUE_TEXTS[problem.code]), problem.params)
    if isinstance(problem, RuleError) and (own := error_text(problem)) is not None:
        return own
    return registry_errors.explain(problem)  # type: ignore[arg-type]


def rule_text(error: RuleError) -> str | None:
    """Return the sentence for an error raised by services of results, None for those of others."""
    text = TEXTS.get(error.code)
    return fill(text, error.params) if text is not None else None


def fill(text: str | Promise, params: Mapping[str, object]) -> str:
    """Return the text with its values; the bare text when a value is missing."""
    try:
        return str(text) % dict(params)
    except (KeyError, TypeError, ValueError):
        return str(text)


__all__ = ["REASONS", "TEXTS", "explain", "fill", "rule_text"]
