"""Audited actions of the ratings; the codes of results stand with their services."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

ACTIONS: Final[dict[str, Promise]] = {
    "list.published": _("published a list"),
    "draft.withdrawn": _("withdrew the draft of a list"),
    "season.prepared": _("prepared the close or the opening of a season"),
    "season.closed": _("closed a season"),
    "season.opened": _("opened a season"),
    "season.reopened": _("reopened a closed season"),
    "opening.entered": _("entered opening ratings"),
    "opening.withdrawn": _("withdrew opening ratings"),
    "ruleset.created": _("made a version of the rules"),
    "ruleset.replayed": _("had events rated under other rules"),
}
