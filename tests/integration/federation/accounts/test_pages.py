"""Every page and action of accounts, audit and jobs, for everybody."""

import pytest
from django.urls import reverse
from django.utils import timezone

from federation.accounts.models import Invitation, Role
from federation.audit.services import record
from federation.jobs.models import Job, JobState
from tests.factories import make_user
from tests.integration.federation.jobs.kinds import register_all

pytestmark = pytest.mark.django_db

OFFICERS = [Role.RESULTS_SECRETARY, Role.RATINGS_OFFICER, Role.REGISTRY_OFFICER]
EVERYBODY = ["visitor", "player", *OFFICERS, Role.ADMINISTRATOR]
STAFF = [*OFFICERS, Role.ADMINISTRATOR]
ADMINISTRATOR = [Role.ADMINISTRATOR]
SIGNED_IN = [who for who in EVERYBODY if who != "visitor"]

#: Address, its arguments, method, who may; everybody else is sent to sign in (visitors) or refused.
PAGES = [
    ("account", None, "get", SIGNED_IN),
    ("account", None, "post", SIGNED_IN),
    ("account_login", None, "get", ["visitor"]),
    ("account_signup", None, "get", EVERYBODY),
    ("account_reset_password", None, "get", EVERYBODY),
    ("account_change_password", None, "get", SIGNED_IN),
    ("account_logout", None, "get", SIGNED_IN),
    ("mfa_index", None, "get", SIGNED_IN),
    ("account-list", None, "get", ADMINISTRATOR),
    ("account-invite", None, "get", ADMINISTRATOR),
    ("account-invite", None, "post", ADMINISTRATOR),
    ("account-detail", "account", "get", ADMINISTRATOR),
    ("account-detail", "account", "post", ADMINISTRATOR),
    ("account-close", "account", "post", ADMINISTRATOR),
    ("account-open", "account", "post", ADMINISTRATOR),
    ("account-reset-factor", "account", "post", ADMINISTRATOR),
    ("account-invitation-revoke", "invitation", "post", ADMINISTRATOR),
    ("job-list", None, "get", STAFF),
    ("job-detail", "job", "get", STAFF),
    ("job-retry", "job", "post", ADMINISTRATOR),
    ("admin:index", None, "get", STAFF),
    ("admin:audit_auditevent_changelist", None, "get", STAFF),
    ("admin:audit_auditevent_change", "audit", "get", STAFF),
    ("admin:jobs_job_changelist", None, "get", STAFF),
    ("admin:jobs_job_change", "job", "get", STAFF),
    ("admin:accounts_user_changelist", None, "get", ADMINISTRATOR),
    ("admin:accounts_user_change", "account", "get", ADMINISTRATOR),
    ("admin:accounts_rolegrant_changelist", None, "get", ADMINISTRATOR),
    ("admin:accounts_invitation_changelist", None, "get", ADMINISTRATOR),
    ("admin:accounts_invitation_change", "invitation", "get", ADMINISTRATOR),
]


@pytest.fixture
def rows():
    register_all()
    account = make_user("subject")
    return {
        "account": account.pk,
        "job": Job.objects.create(kind="test.count", key="k", state=JobState.FAILED, failure="Broken").pk,
        "invitation": Invitation.objects.create(
            token_digest="0" * 64, full_name="Neus", invited_by=account, expires_at=timezone.now()
        ).pk,
        "audit": record(action="account.changed", obj=account).pk,
    }


@pytest.mark.parametrize("who", EVERYBODY)
@pytest.mark.parametrize(("name", "row", "method", "allowed"), PAGES)
def test_who_may(client, rows, name, row, method, allowed, who):
    if who != "visitor":
        client.force_login(make_user("reader", roles=() if who == "player" else (who,)))
    response = getattr(client, method)(reverse(name, args=[rows[row]] if row else []))
    went_to_sign_in = response.status_code == 302 and response["Location"].startswith(reverse("account_login"))
    if who in allowed:
        assert response.status_code in {200, 302, 400}
        assert not went_to_sign_in
    elif who == "visitor":
        assert went_to_sign_in or response.status_code == 302
    elif name == "account_login":
        assert response.status_code == 302
    elif name.startswith("admin:") and who == "player":
        assert client.get(response["Location"]).status_code == 403
    else:
        assert response.status_code == 403


@pytest.mark.parametrize(
    "name", ["account-close", "account-open", "account-reset-factor", "account-invitation-revoke", "job-retry"]
)
def test_nothing_changes_by_following_a_link(client, rows, name):
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    row = {"account-invitation-revoke": "invitation", "job-retry": "job"}.get(name, "account")
    assert client.get(reverse(name, args=[rows[row]])).status_code == 405


@pytest.mark.parametrize("name", ["account-detail", "account-close", "account-invitation-revoke", "job-detail"])
def test_what_is_not_there_is_not_found(client, name):
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    method = client.get if name in {"account-detail", "job-detail"} else client.post
    assert method(reverse(name, args=[999_999])).status_code == 404


def sign_in_again(client):
    """Write the password once more, as is asked before the address may change."""
    client.post(reverse("account_reauthenticate"), {"password": "correct horse battery"})


def test_a_borrowed_session_cannot_change_the_address(client):
    account = make_user("ona", email="ona@example.org")
    client.force_login(account)
    response = client.post(reverse("account"), {"email": "thief@example.org"})
    assert response["Location"].startswith(reverse("account_reauthenticate"))
    account.refresh_from_db()
    assert account.email == "ona@example.org"
    # After the password the form that was sent is taken up again.
    client.post(response["Location"], {"password": "correct horse battery", "next": reverse("account")})
    account.refresh_from_db()
    assert account.email == "thief@example.org"


def test_a_page_for_a_visitor_looks_for_no_account(client, django_assert_num_queries):
    client.get(reverse("account_signup"))
    with django_assert_num_queries(0):
        client.get(reverse("account_signup"))


def test_the_own_account_is_changed(client):
    account = make_user("ona")
    client.force_login(account)
    sign_in_again(client)
    data = {"first_name": "Ona", "last_name": "Pont", "email": "ona@example.org", "language": "ca"}
    response = client.post(reverse("account"), data)
    assert response["Location"] == reverse("account")
    assert response.cookies["django_language"].value == "ca"
    account.refresh_from_db()
    assert (account.get_full_name(), account.email, account.language) == ("Ona Pont", "ona@example.org", "ca")


def test_a_taken_address_is_said_beside_its_field(client):
    make_user("pau", email="pau@example.org")
    client.force_login(make_user("ona"))
    sign_in_again(client)
    response = client.post(reverse("account"), {"email": "pau@example.org"})
    assert response.status_code == 400
    page = response.content.decode()
    assert 'href="#id_email"' in page
    assert "Another account has this e-mail address" in page


def test_roles_are_changed_on_the_page_of_an_account(client):
    account = make_user("ona")
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    address = reverse("account-detail", args=[account.pk])
    client.post(address, {"roles": [Role.RATINGS_OFFICER], "reason": "Elected"})
    assert list(account.role_grants.values_list("role", flat=True)) == [Role.RATINGS_OFFICER]
    page = client.get(address).content.decode()
    assert "granted a role" in page
    assert "Elected" in page


def test_the_last_administrator_is_told_why(client):
    account = make_user("admin", roles=ADMINISTRATOR)
    client.force_login(account)
    response = client.post(reverse("account-detail", args=[account.pk]), {"roles": []})
    assert response.status_code == 400
    assert "last administrator" in response.content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_accounts_costs_the_same_for_more_rows(client, count, django_assert_num_queries):
    for number in range(count):
        make_user(f"member{number}", roles=(Role.RATINGS_OFFICER,))
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    client.get(reverse("account-list"))
    with django_assert_num_queries(8):
        assert client.get(reverse("account-list")).status_code == 200


@pytest.mark.parametrize("count", [1, 3])
def test_the_accounts_in_the_admin_cost_the_same_for_more_rows(client, count, django_assert_num_queries):
    for number in range(count):
        make_user(f"member{number}", roles=(Role.RATINGS_OFFICER,))
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    client.get(reverse("admin:accounts_user_changelist"))
    with django_assert_num_queries(7):
        assert client.get(reverse("admin:accounts_user_changelist")).status_code == 200


def test_the_admin_changes_a_name_through_the_service(client):
    account = make_user("ona")
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    client.post(reverse("admin:accounts_user_change", args=[account.pk]), {"first_name": "Ona", "last_name": "Pont"})
    account.refresh_from_db()
    assert account.get_full_name() == "Ona Pont"
    assert account.check_password("correct horse battery")


def test_search_for_accounts(client):
    make_user("ona", first_name="Ona", last_name="Pont")
    make_user("pau", first_name="Pau", last_name="Roca")
    client.force_login(make_user("admin", roles=ADMINISTRATOR))
    page = client.get(reverse("account-list"), {"q": "pont on"}).content.decode()
    assert "Ona Pont" in page
    assert "Pau Roca" not in page
    assert "No account found" in client.get(reverse("account-list"), {"q": "zzz"}).content.decode()
