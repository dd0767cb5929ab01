"""Permissions of the intake of files."""

from __future__ import annotations

from typing import Any

import rules

from federation.accounts.permissions import register_admin_permissions
from federation.accounts.roles import is_ratings_officer, is_results_secretary
from federation.registry.rules import directed_event_ids, is_director
from federation.uploads.models import Upload


@rules.predicate
def directs_event_of(user: Any, upload: Upload | None) -> bool:
    """The account directs the event of the upload."""
    return upload is not None and upload.event_id in directed_event_ids(user)


@rules.predicate
def is_of_event(user: Any, upload: Upload | None) -> bool:
    """The upload belongs to an event."""
    return upload is not None and upload.event_id is not None


#: Files of results of an event; without an event: of any.
rules.set_perm("uploads.send", is_director | is_results_secretary)
#: The list of uploads and the remembered names.
rules.set_perm("uploads.see", is_director | is_results_secretary | is_ratings_officer)
#: Opening ratings, which belong to no event.
rules.set_perm("uploads.send_opening", is_ratings_officer)
#: Everything about one upload.
rules.set_perm(
    "uploads.commit", directs_event_of | (is_of_event & is_results_secretary) | (~is_of_event & is_ratings_officer)
)

for _model in ("upload", "uploadfile", "cellrepair", "namedecision"):
    register_admin_permissions("uploads", _model)
