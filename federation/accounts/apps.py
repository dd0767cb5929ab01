"""Application of accounts, roles, permissions and two-factor sign-in."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Accounts, roles, permissions and two-factor sign-in."""

    name = "federation.accounts"
    label = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Register the audited actions and the sentences of refusals, listen to the sign-in library."""
        from federation.accounts import signals
        from federation.accounts.problem_texts import TEXTS
        from federation.audit.actions import register_actions
        from federation.problems import register_texts

        register_texts("accounts", TEXTS)
        register_actions(
            {
                "account.invited": _("invited to make an account"),
                "account.invitation_revoked": _("withdrew an invitation"),
                "account.created": _("made an account from an invitation"),
                "account.changed": _("changed an account"),
                "account.deactivated": _("closed an account"),
                "account.activated": _("opened an account again"),
                "account.role_granted": _("granted a role"),
                "account.role_revoked": _("took a role back"),
                "account.signed_in": _("signed in"),
                "account.locked": _("was locked out after too many wrong passwords"),
                "account.password_changed": _("changed the password"),
                "account.second_factor_added": _("added a second factor"),
                "account.second_factor_removed": _("removed a second factor"),
                "account.second_factor_reset": _("had the second factor removed by an administrator"),
            }
        )
        signals.connect()
