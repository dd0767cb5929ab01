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
        from federation.core import conformance
        from ratings.conformance import cases

        conformance.register("barruf", cases)
