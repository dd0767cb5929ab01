"""Application of the intake of directors' files, the same for every game."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class UploadsConfig(AppConfig):
    """The intake of directors' files, the same for every game."""

    name = "federation.uploads"
    label = "uploads"
    verbose_name = _("Uploads")

    def ready(self) -> None:
        """Name the audited actions and the sentences of problems; tell the registry what hangs on a person here."""
        from federation.audit.actions import register_actions
        from federation.problems import register_texts
        from federation.registry.hooks import register_anonymiser, register_merge_preview
        from federation.uploads.problem_texts import TEXTS
        from federation.uploads.services.registry_hooks import merge_counts, remove_names

        register_merge_preview(merge_counts)
        register_anonymiser(remove_names)
        register_texts("uploads", TEXTS)
        register_actions(
            {
                "upload.received": _("sent a file"),
                "upload.mended": _("mended a file"),
                "upload.people_decided": _("said who the people of a file are"),
                "upload.person_brought": _("brought a new person with a file"),
                "upload.committed": _("stored a file"),
                "upload.withdrawn": _("withdrew a file"),
                "upload.rejected": _("put a file away"),
                "upload.name_forgotten": _("undid a remembered name"),
            }
        )
