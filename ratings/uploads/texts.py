"""Words of the intake of scrabble files."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

#: Headings by the meaning of a column, in the order of a row.
RESULT_ROLES: Mapping[str, str | Promise] = {
    "round": _("Round"),
    "table": _("Board"),
    "number_a": _("Number"),
    "a": _("First player"),
    "score_a": _("Score"),
    "result_a": _("Result"),
    "result": _("Result"),
    "score_b": _("Score"),
    "result_b": _("Result"),
    "number_b": _("Number"),
    "b": _("Second player"),
    "starts": _("First move"),
}
LIST_ROLES: Mapping[str, str | Promise] = {
    "number": _("Number"),
    "name": _("Name"),
    "given": _("Given name"),
    "family": _("Family name"),
    "rating": _("Rating"),
    "games": _("Games"),
    "wins": _("Wins"),
    "season": _("Last season"),
    "club": _("Club"),
    "country": _("Country"),
}
FORMATS: Mapping[str, str | Promise] = {
    "tsh": _("tsh division file"),
    "aupair": _("AUPAIR tournament file"),
    "aupair-ratings": _("AUPAIR rating list"),
    "results-sheet": _("sheet of results"),
    "results-form": _("sheet of an on-line form"),
    "template": _("template of the federation"),
    "swissperfect": _("SwissPerfect export"),
    "opening-ratings": _("list of opening ratings"),
    "participants": _("list of participants"),
    "unknown": _("not recognised"),
}
PROBLEM_TEXTS: Mapping[str, str | Promise] = {
    "stored_differently": _(
        "Round %(round)s of the event already has “%(stored)s”, this row says “%(row)s”: correct the row, set it "
        "aside, or correct the round at the desk first."
    ),
    "stored_already": ngettext_lazy(
        "%(count)s row is in the event already and stays as it is.",
        "%(count)s rows are in the event already and stay as they are.",
        "count",
    ),
    "replaces_pairing": ngettext_lazy(
        "%(count)s pairing of the event gets its result from this file.",
        "%(count)s pairings of the event get their results from this file.",
        "count",
    ),
    "rounds_above_event": _(
        "The file has %(rounds)s rounds, the event %(announced)s: check that it is the file of this event."
    ),
    "date_outside_event": _("The file names the day %(date)s, the event is of %(first)s to %(last)s: check it."),
    "withdrawn_plays": _("%(name)s withdrew after round %(round)s but plays in round %(played)s: check the row."),
    "row_without_opponent": _("%(name)s has no opponent in round %(round)s: write one, or set the row aside."),
    "opening_not_a_list": _(
        "This is no list of opening ratings: send a sheet with person, rating, games, wins and last season."
    ),
    "opening_value_missing": _("%(name)s has no value for %(column)s: write it."),
}
