"""Permissions of accounts, audit and jobs."""

from __future__ import annotations

from typing import Any

import rules

from federation.accounts.permissions import register_admin_permissions
from federation.accounts.roles import is_administrator, is_signed_in, is_staff_member

rules.add_perm("accounts.manage", is_administrator)
rules.add_perm("accounts.own_account", is_signed_in)
register_admin_permissions("accounts", "user", view=is_administrator, change=is_administrator)
register_admin_permissions("accounts", "rolegrant", view=is_administrator)
register_admin_permissions("accounts", "invitation", view=is_administrator)

rules.add_perm("audit.view", is_staff_member)
register_admin_permissions("audit", "auditevent")


@rules.predicate
def requested_the_job(user: Any, job: Any) -> bool:
    """The account asked for this piece of background work."""
    return job is not None and job.requested_by_id is not None and job.requested_by_id == user.pk


# The jobs app cannot import this one (they are neighbours), so its permissions are made here.
rules.add_perm("jobs.view", is_staff_member | (is_signed_in & requested_the_job))
rules.add_perm("jobs.retry", is_administrator | (is_signed_in & requested_the_job))
register_admin_permissions("jobs", "job")
