"""The accounts of a demonstration: one a role, on a local site only."""

from __future__ import annotations

from django.conf import settings
from django.db import transaction

from federation.accounts.models import Role, User
from federation.accounts.services.roles import grant_unchecked
from federation.core.errors import RuleError

#: User name, given name, family name, role (None: a director is named on events, a player is tied to a person).
DEMO_ACCOUNTS: tuple[tuple[str, str, str, str | None], ...] = (
    ("admin", "Aurora", "Cantarell", Role.ADMINISTRATOR),
    ("ratings", "Biel", "Rocabruna", Role.RATINGS_OFFICER),
    ("results", "Carla", "Torrebadal", Role.RESULTS_SECRETARY),
    ("registry", "Dídac", "Ametller", Role.REGISTRY_OFFICER),
    ("director", "Elisenda", "Sagrelles", None),
    ("player", "Feliu", "Vilardaga", None),
)


def ensure_demo_accounts(password: str) -> dict[str, User]:
    """Make the accounts of the demonstration that are missing, all with the same password.

    An account that exists keeps its password and its roles.

    Returns:
        The accounts by user name: admin, ratings, results, registry, director, player.

    Raises:
        RuleError: ``not_a_local_site``: a public site never has accounts with a known password.
    """
    if settings.HTTPS:
        raise RuleError("not_a_local_site")
    accounts = {}
    with transaction.atomic():
        for username, first_name, last_name, role in DEMO_ACCOUNTS:
            account = User.objects.filter(username=username).first()
            if account is None:
                account = User(username=username, first_name=first_name, last_name=last_name)
                account.set_password(password)
                account.save()
                if role is not None:
                    grant_unchecked(account=account, role=role, actor=None)
            accounts[username] = account
    return accounts
