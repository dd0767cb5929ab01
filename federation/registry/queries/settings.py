"""The settings of the federation."""

from __future__ import annotations

from federation.registry.models import FederationSettings


def federation_settings() -> FederationSettings:
    """Return the one row of settings, the defaults while nobody has entered any."""
    return FederationSettings.objects.filter(pk=1).first() or FederationSettings(pk=1)
