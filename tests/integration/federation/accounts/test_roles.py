"""Granting, taking back, closing."""

import pytest
from django.core.exceptions import PermissionDenied

from federation.accounts.models import Role, User
from federation.accounts.services import (
    change_account,
    close_account,
    ensure_demo_accounts,
    grant_role,
    open_account,
    reset_second_factor,
    revoke_role,
    set_roles,
)
from federation.audit.models import AuditEvent
from federation.audit.services import MASK
from federation.core.errors import RuleError
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def administrator():
    return make_user("admin", roles=(Role.ADMINISTRATOR,))


def test_a_role_opens_and_closes_the_desk(administrator):
    account = make_user("ona")
    grant_role(account=account, role=Role.RATINGS_OFFICER, actor=administrator, reason="Elected")
    grant_role(account=account, role=Role.RATINGS_OFFICER, actor=administrator)
    assert (account.roles, account.is_staff) == ({Role.RATINGS_OFFICER}, True)
    revoke_role(account=account, role=Role.RATINGS_OFFICER, actor=administrator)
    revoke_role(account=account, role=Role.RATINGS_OFFICER, actor=administrator)
    assert (account.roles, account.is_staff) == (frozenset(), False)
    rows = AuditEvent.objects.order_by("id").values_list("action", "reason", "before", "after")
    assert list(rows) == [
        ("account.role_granted", "Elected", {}, {"role": "ratings_officer"}),
        ("account.role_revoked", "", {"role": "ratings_officer"}, {}),
    ]


@pytest.mark.parametrize("role", [r for r in Role.values if r != Role.ADMINISTRATOR])
def test_only_an_administrator_manages_accounts(role):
    actor, account = make_user("actor", roles=(role,)), make_user("ona", roles=(Role.RATINGS_OFFICER,))
    for attempt in (
        lambda: grant_role(account=account, role=Role.ADMINISTRATOR, actor=actor),
        lambda: grant_role(account=actor, role=Role.ADMINISTRATOR, actor=actor),
        lambda: revoke_role(account=account, role=Role.RATINGS_OFFICER, actor=actor),
        lambda: set_roles(account=account, roles=[], actor=actor),
        lambda: close_account(account=account, actor=actor),
        lambda: open_account(account=account, actor=actor),
        lambda: reset_second_factor(account=account, actor=actor),
        lambda: change_account(account=account, actor=actor, first_name="X"),
    ):
        with pytest.raises(PermissionDenied):
            attempt()
    assert not AuditEvent.objects.exists()


def test_the_last_administrator_stays(administrator):
    with pytest.raises(RuleError, match="last_administrator"):
        revoke_role(account=administrator, role=Role.ADMINISTRATOR, actor=administrator)
    with pytest.raises(RuleError, match="last_administrator"):
        set_roles(account=administrator, roles=[Role.RATINGS_OFFICER], actor=administrator)
    # Nothing of the refused change stays.
    assert list(administrator.role_grants.values_list("role", flat=True)) == [Role.ADMINISTRATOR]
    second = make_user("second", roles=(Role.ADMINISTRATOR,), is_active=False)
    with pytest.raises(RuleError, match="last_administrator"):
        revoke_role(account=administrator, role=Role.ADMINISTRATOR, actor=administrator)
    User.objects.filter(pk=second.pk).update(is_active=True)
    set_roles(account=administrator, roles=[Role.RATINGS_OFFICER], actor=administrator)
    assert administrator.roles == {Role.RATINGS_OFFICER}


def test_an_unknown_role_is_refused(administrator):
    with pytest.raises(RuleError, match="unknown_role"):
        grant_role(account=administrator, role="king", actor=administrator)


def test_closing_and_opening(administrator):
    account = make_user("ona", roles=(Role.RATINGS_OFFICER,))
    close_account(account=account, actor=administrator, reason="Left")
    close_account(account=account, actor=administrator)
    assert not User.objects.get(pk=account.pk).has_perm("ratings.run_rating")
    open_account(account=account, actor=administrator)
    assert User.objects.get(pk=account.pk).is_active
    assert list(AuditEvent.objects.order_by("id").values_list("action", flat=True)) == [
        "account.deactivated",
        "account.activated",
    ]
    with pytest.raises(RuleError, match="own_account"):
        close_account(account=administrator, actor=administrator)


def test_changing_the_own_account_hides_the_address_from_the_record():
    account, other = make_user("ona", email="old@example.org"), make_user("pau", email="pau@example.org")
    change_account(account=account, actor=account, email="new@example.org", first_name="Ona")
    change_account(account=account, actor=account, email="new@example.org")
    event = AuditEvent.objects.get()
    assert event.before == {"email": MASK, "first_name": ""}
    assert event.after == {"email": MASK, "first_name": "Ona"}
    with pytest.raises(RuleError, match="email_taken"):
        change_account(account=account, actor=account, email="PAU@example.org")
    with pytest.raises(PermissionDenied):
        change_account(account=other, actor=account, first_name="X")
    with pytest.raises(TypeError):
        change_account(account=account, actor=account, is_superuser="1")


def test_demo_accounts_are_one_a_role_and_made_once():
    accounts = ensure_demo_accounts("barem demo tiles")
    again = ensure_demo_accounts("another password")
    assert list(accounts) == ["admin", "ratings", "results", "registry", "director", "player"]
    assert {name: account.pk for name, account in accounts.items()} == {n: a.pk for n, a in again.items()}
    assert again["ratings"].roles == {Role.RATINGS_OFFICER}
    assert again["results"].roles == {Role.RESULTS_SECRETARY}
    assert again["registry"].roles == {Role.REGISTRY_OFFICER}
    assert again["admin"].roles == frozenset(Role.values)
    assert again["director"].roles == again["player"].roles == frozenset()
    assert again["admin"].check_password("barem demo tiles")


def test_a_public_site_has_no_demo_accounts(settings):
    settings.HTTPS = True
    with pytest.raises(RuleError, match="not_a_local_site"):
        ensure_demo_accounts("barem demo tiles")
    assert not User.objects.exists()
