"""Sentences for what runs, lists, seasons, rules and opening ratings refuse: each says what to do."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from federation.core.errors import RuleError

TEXTS: Final[dict[str, str | Promise]] = {
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
    "difference_unexplained": _(
        "%(count)s figures moved without an event, a correction or another reason. Look at them before you publish."
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
    "reason_missing": _("Write the reason."),
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


def error_text(error: RuleError) -> str | None:
    """Return the sentence for an error of the ratings in the language of the moment, None for the codes of others."""
    text = TEXTS.get(error.code)
    if text is None:
        return None
    try:
        return str(text) % error.params
    except (KeyError, TypeError, ValueError):
        return None
