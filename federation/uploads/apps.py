"""Application of the intake of directors' files, the same for every game."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class UploadsConfig(AppConfig):
    """The intake of directors' files, the same for every game."""

    name = "federation.uploads"
    label = "uploads"
    verbose_name = _("Uploads")
