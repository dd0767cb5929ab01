"""Django's own admin for the registry. Every save goes through the services."""

from federation.registry.admin.calendar import DisciplineAdmin, EventAdmin, FederationSettingsAdmin, SeasonAdmin
from federation.registry.admin.people import ClubAdmin, MembershipAdmin, PersonAdmin

__all__ = [
    "ClubAdmin",
    "DisciplineAdmin",
    "EventAdmin",
    "FederationSettingsAdmin",
    "MembershipAdmin",
    "PersonAdmin",
    "SeasonAdmin",
]
