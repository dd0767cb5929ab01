"""Application of the ratings and of scrabble."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RatingsConfig(AppConfig):
    """Rating runs, ledger, published lists, and scrabble with its BARRUF rating."""

    name = "ratings"
    label = "ratings"
    verbose_name = _("Ratings and scrabble")

    def ready(self) -> None:
        """Register what the federation asks the games for."""
        from federation.audit.actions import register_actions
        from federation.core import conformance
        from federation.problems import register_texts
        from federation.registry import hooks
        from ratings.actions import ACTIONS
        from ratings.conformance import cases
        from ratings.jobs import register_jobs
        from ratings.problem_texts import RATING_TEXTS, RESULT_TEXTS
        from ratings.services import facts
        from ratings.views import desk_registration

        conformance.register("barruf", cases)
        register_actions(ACTIONS)
        register_jobs()
        register_texts("ratings", RATING_TEXTS)
        register_texts("results", RESULT_TEXTS)
        hooks.register_facts_listener(facts.facts_changed)
        hooks.register_merge_check(facts.merge_problems)
        hooks.register_merge_preview(facts.merge_counts)
        desk_registration.register()

        from ratings import uploads, web

        web.register()
        uploads.register()
