"""Permissions of results and ratings."""

from __future__ import annotations

import rules

from federation.accounts.permissions import register_admin_permissions
from federation.accounts.roles import is_ratings_officer, is_results_secretary

rules.set_perm("ratings.correct_results", is_results_secretary)
#: Who publishes a corrected list must see what was corrected.
rules.set_perm("ratings.view_corrections", is_results_secretary | is_ratings_officer)
for name in (
    "run_rating",
    "publish_list",
    "change_ruleset",
    "close_season",
    "reopen_season",
    "enter_opening",
):
    rules.set_perm(f"ratings.{name}", is_ratings_officer)

#: The rows of the ratings are looked at in the admin and changed by services alone.
for model in (
    "ratingsystem",
    "game",
    "eventround",
    "openinglist",
    "openingrating",
    "correction",
    "ratedevent",
    "ledgerrow",
    "ratingrun",
    "publishedlist",
    "listrow",
    "erratum",
    "seasontask",
    "eventruleset",
):
    register_admin_permissions("ratings", model)
#: "change" is also what services ask: the admin itself adds versions and never edits one.
register_admin_permissions("ratings", "ruleset", add=is_ratings_officer, change=is_ratings_officer)
