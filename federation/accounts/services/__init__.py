"""Writes of the accounts: roles, invitations, the account itself."""

from federation.accounts.services.accounts import change_account, close_account, open_account, reset_second_factor
from federation.accounts.services.demo import ensure_demo_accounts
from federation.accounts.services.invitations import accept_invitation, invite, revoke_invitation
from federation.accounts.services.roles import grant_role, require_administrator, revoke_role, set_roles

__all__ = [
    "accept_invitation",
    "change_account",
    "close_account",
    "ensure_demo_accounts",
    "grant_role",
    "invite",
    "open_account",
    "require_administrator",
    "reset_second_factor",
    "revoke_invitation",
    "revoke_role",
    "set_roles",
]
