"""Entries of the desk for what lies below the shell and cannot register itself: registry, accounts, jobs, audit."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import ACTIVE_STATES, Job
from federation.registry.queries.people import provisional_people
from federation.web.menu import register_desk_link

#: After the work of the games.
AFTER_GAMES = 10


def people_waiting(request: HttpRequest) -> int:
    """People whom directors brought and nobody has confirmed."""
    return provisional_people().order_by().count()


def jobs_running(request: HttpRequest) -> int:
    """Background work that waits or runs."""
    return Job.objects.filter(state__in=ACTIVE_STATES).count()


def register() -> None:
    """Register the entries."""
    register_desk_link(
        _("Register of people"),
        "registry-desk",
        "registry.change_person",
        count=people_waiting,
        detail=_("confirm, merge, split, anonymise"),
        order=AFTER_GAMES,
    )
    register_desk_link(
        _("Memberships"),
        "registry-memberships",
        "registry.change_membership",
        detail=_("who is a member in which season"),
        order=AFTER_GAMES,
    )
    register_desk_link(
        _("Background work"),
        "job-list",
        "desk.view",
        count=jobs_running,
        detail=_("runs, closings, progress and log"),
        order=AFTER_GAMES,
    )
    register_desk_link(
        _("Accounts"),
        "account-list",
        "accounts.manage",
        detail=_("invitations, roles, second factor"),
        order=AFTER_GAMES + 1,
    )
    register_desk_link(
        _("Federation settings"),
        "admin:registry_federationsettings_changelist",
        "registry.change_settings",
        detail=_("name, contact, rules for names and publishing"),
        order=AFTER_GAMES + 1,
    )
    register_desk_link(
        _("Record of changes"),
        "admin:audit_auditevent_changelist",
        "audit.view",
        detail=_("who changed what, when and why"),
        order=AFTER_GAMES + 1,
    )
