"""What the desk of the seasons registers with the federation when the site starts."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from federation.web.menu import register_desk_link
from ratings.queries.season_desk import drafts_waiting


def register() -> None:
    """Register the entry of the desk."""
    register_desk_link(
        _("Seasons and lists"),
        "scrabble-seasons",
        "ratings.close_season",
        count=lambda request: drafts_waiting(),
        detail=_("runs, closing and opening a season, editions, verification"),
    )
