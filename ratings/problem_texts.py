"""What is wrong with results, runs, lists, seasons, rules and opening ratings: each sentence says what to do."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

#: Runs, lists, seasons, rules and opening ratings.
RATING_TEXTS: Final[dict[str, Promise]] = {
    # Runs
    "facts_moving": _("Results were changed again and again while the ratings were computed. Try again in a moment."),
    "no_rule_set": _("No rules are in force on %(date)s. Make a version of the rules that is valid from that day."),
    "bad_kind": _("%(event_name)s, round %(round)s: a row is of an unknown kind. Correct it."),
    "missing_player": _("%(event_name)s, round %(round)s: a game has no opponent. Correct it."),
    "self_play": _("%(event_name)s, round %(round)s: number %(number)s plays against himself or herself. Correct it."),
    "twice_in_round": _("%(event_name)s, round %(round)s: number %(number)s stands twice in the round. Correct it."),
    "bad_result": _("%(event_name)s, round %(round)s: a played game has no possible result. Correct it."),
    "event_not_rated": _("None of these events takes part in the rating."),
    # Lists
    "second_person_needed": _("Another person than %(name)s, who prepared this list, has to publish it."),
    "draft_stale": _("Results or the list in force changed since this draft was made. Prepare it again."),
    "draft_replaced": _("This draft was replaced by another one. Look at the new one before you publish it."),
    "corrected_list_missing": _("Name the list that the new one corrects."),
    "erratum_reason_missing": _("Write what was wrong: it is printed in the erratum."),
    "list_published": _("List %(number)s is published and is never deleted."),
    "second_pass_disagrees": _(
        "The second pass, from the recorded inputs, differs from the first in %(count)s places; the first is: "
        "%(first)s. The draft was withdrawn and nothing was published. Tell the administrator before you try again."
    ),
    "draft_unchecked": _("The second pass over this draft has not ended well. Prepare it again."),
    "draft_in_work": _("The work on this draft is still going on. Wait until it ends, then publish."),
    "difference_unexplained": ngettext_lazy(
        "%(count)s figure moved without an event, a correction or another reason. Look at it before you publish.",
        "%(count)s figures moved without an event, a correction or another reason. Look at them before you publish.",
        "count",
    ),
    "checks_stop": _("A check stops the publication: mend what is marked with a cross."),
    "differences_unread": _("Tick that you have read the differences, then publish."),
    # Seasons
    "season_without_rating": _("Season %(season)s belongs to a discipline without a rating."),
    "season_closed": _("Season %(season)s is closed. Reopen it first."),
    "season_opened": _("The first list of season %(season)s is published already."),
    "season_not_closed": _("Season %(season)s is not closed."),
    "earlier_season_open": _("Close season %(season)s first."),
    "not_prepared": _("Nothing is prepared for season %(season)s yet. Prepare it, look at the draft, then publish."),
    "date_outside_season": _("%(date)s does not belong to season %(season)s."),
    # Rules
    "rule_set_name_missing": _("Write the name of the rule set."),
    "rule_set_date_taken": _("%(name)s is in force from %(date)s already. Choose another day."),
    "unknown_parameter": _("Unknown values: %(names)s. Remove them."),
    "missing_parameter": _("Missing values: %(names)s. Write them."),
    "bad_number": _("“%(value)s” is not a possible number here."),
    "bad_table": _("The table of expectations starts with 0 and 50 and never falls. Correct its rows."),
    "bad_bands": _("The bands begin without a floor and rise. Correct them."),
    "bad_titles": _("Each title has a name and a floor of its own. Correct them."),
    "bad_expectation": _("The expectation is “table” or “normal”."),
    "bad_lookup": _("The reading between rows is “nearest”, “next”, “reached” or “linear”."),
    "bad_sigma": _("Sigma is between %(lowest)s and %(highest)s."),
    # Opening ratings
    "opening_empty": _("There is no rating in this list."),
    "opening_exists": _("Opening ratings of %(date)s are in force. Withdraw them first."),
    "opening_after_published": _("A published list counts an event of %(date)s or before. Choose an earlier day."),
    "opening_person_unknown": _("Line %(line)s: this person is not in the register."),
    "opening_twice": _("Line %(line)s: this person stands in line %(other_line)s already. Remove one of the two."),
    "opening_games": _("Line %(line)s: write the number of games, 0 to %(highest)s."),
    "opening_wins": _("Line %(line)s: %(wins)s wins in %(games)s games are not possible."),
    "opening_rating_impossible": _("Line %(line)s: a rating of %(rating)s is not possible."),
    "bad_wins": _("“%(wins)s” is not a number of wins: write a multiple of one half."),
    "bad_season": _("“%(season)s” is not a season: write it as 2025-26."),
}

#: Rounds in the grid, corrections.
RESULT_TEXTS: Final[dict[str, Promise]] = {
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
    "round_has_problems": ngettext_lazy(
        "%(count)s problem stops this round. Correct the marked lines and save again.",
        "%(count)s problems stop this round. Correct the marked lines and save again.",
        "count",
    ),
    "round_stale": _("%(who)s changed round %(round)s while you were typing. Nothing of yours was stored yet."),
    "form_incomplete": _(
        "The form did not arrive whole, so nothing was stored and the lines below are those in force. Type the round "
        "again and save it."
    ),
    "rounds_played": _(
        "Round %(highest)s has results, so the event has at least %(highest)s rounds. Empty the rounds that were not "
        "played first."
    ),
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
    "no_rating_system": _("There is no rating system yet. Create it in the administration first."),
}
