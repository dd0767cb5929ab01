"""Application of accounts, roles, permissions and two-factor sign-in."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Accounts, roles, permissions and two-factor sign-in."""

    name = "federation.accounts"
    label = "accounts"
    verbose_name = _("Accounts")
