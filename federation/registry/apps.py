"""Application of people, clubs, seasons, events and entries shared by all games."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RegistryConfig(AppConfig):
    """People, clubs, seasons, events and entries shared by all games."""

    name = "federation.registry"
    label = "registry"
    verbose_name = _("Registry")
