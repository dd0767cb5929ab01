"""Signing in: throttling, second factor, forgotten password."""

import re

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core import mail
from django.urls import reverse

from federation.accounts.models import Role
from federation.audit.models import AuditEvent
from tests.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery"
LOGIN = "/account/login/"


def sign_in(client, login="ona", password=PASSWORD, **extra):
    return client.post(LOGIN, {"login": login, "password": password, **extra})


@pytest.fixture
def account():
    return make_user("ona", email="ona@example.org")


@pytest.mark.parametrize("login", ["ona", "ona@example.org"])
def test_by_name_or_address_and_back_to_the_page(client, account, login):
    response = sign_in(client, login, next="/jobs/")
    assert response["Location"] == "/jobs/"
    assert AuditEvent.objects.get().action == "account.signed_in"


def test_never_on_to_another_host(client, account):
    assert sign_in(client, next="https://evil.example/")["Location"] == "/"


def test_the_page_opens_with_what_is_wrong(client, account):
    response = sign_in(client, password="wrong")
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()


def test_a_closed_account_cannot_sign_in(client):
    make_user("gone", is_active=False)
    response = sign_in(client, "gone")
    assert "_auth_user_id" not in client.session
    assert response.status_code in {200, 302}


@pytest.mark.parametrize("login", ["ona", "ona@example.org", "nobody"])
def test_five_wrong_passwords_lock_the_name(client, account, login):
    for _ in range(4):
        assert sign_in(client, login, "wrong").status_code == 200
    fifth = sign_in(client, login, "wrong")
    assert fifth.status_code == 429
    assert "stopped for a while" in fifth.content.decode()
    right = sign_in(client, login)
    assert right.status_code == 429
    assert "_auth_user_id" not in client.session
    assert AuditEvent.objects.filter(action="account.locked").exists() == (login == "ona")


def test_the_lock_is_for_one_name(client, account):
    make_user("pau")
    for _ in range(5):
        sign_in(client, "ona", "wrong")
    assert sign_in(client, "pau").status_code == 302


def test_success_forgets_the_failures(client, account):
    for _ in range(4):
        sign_in(client, password="wrong")
    assert sign_in(client).status_code == 302
    client.logout()
    assert sign_in(client, password="wrong").status_code == 200


def test_the_admin_has_no_door_of_its_own(client, account):
    response = client.get("/admin/")
    assert client.get(response["Location"])["Location"] == LOGIN + "?next=%2Fadmin%2F"
    client.post("/admin/login/", {"username": "ona", "password": PASSWORD})
    assert "_auth_user_id" not in client.session


def test_there_is_no_sign_up(client):
    response = client.post(reverse("account_signup"), {"username": "x", "password1": PASSWORD, "password2": PASSWORD})
    assert response.status_code == 405


def test_signing_out_needs_a_form(client, account):
    client.force_login(account)
    assert client.get(reverse("account_logout")).status_code == 200
    assert "_auth_user_id" in client.session
    client.post(reverse("account_logout"))
    assert "_auth_user_id" not in client.session


def test_a_forgotten_password_is_replaced_by_mail(client, account):
    client.post(reverse("account_reset_password"), {"email": "ona@example.org"})
    (message,) = mail.outbox
    address = re.search(r"https?://[^/]+(/\S+)", message.body)[1]
    form = client.get(address, follow=True)
    action = form.redirect_chain[-1][0]
    client.post(action, {"password1": "a quite new one", "password2": "a quite new one"})
    account.refresh_from_db()
    assert account.check_password("a quite new one")
    assert AuditEvent.objects.filter(action="account.password_changed").exists()
    assert "used or has expired" in client.get(address, follow=True).content.decode()


def test_the_forgotten_password_page_tells_nothing_about_addresses(client, account):
    known = client.post(reverse("account_reset_password"), {"email": "ona@example.org"})
    unknown = client.post(reverse("account_reset_password"), {"email": "nobody@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])


def test_cookies_are_strict(client, account):
    response = sign_in(client)
    cookie = response.cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


class TestSecondFactor:
    """Setting it up, signing in with it, asking staff for it."""

    def code(self, secret):
        return format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time())))

    def set_up(self, client):
        sign_in(client)
        # The password is asked for once more before anything about signing in is changed.
        asked = client.get(reverse("mfa_activate_totp"))["Location"]
        assert asked.startswith(reverse("account_reauthenticate"))
        client.post(asked, {"password": PASSWORD})
        page = client.get(reverse("mfa_activate_totp")).content.decode()
        secret = page.split('id="secret" value="')[1].split('"')[0]
        response = client.post(reverse("mfa_activate_totp"), {"code": self.code(secret)})
        assert response.status_code == 302
        return secret

    def test_from_setting_up_to_signing_in(self, client, account, django_capture_on_commit_callbacks):
        with django_capture_on_commit_callbacks(execute=True):
            secret = self.set_up(client)
        assert Authenticator.objects.filter(user=account, type="totp").count() == 1
        codes = client.get(reverse("mfa_view_recovery_codes")).content.decode()
        recovery = re.findall(r"<code>([^<]+)</code>", codes)
        assert len(recovery) == 10
        assert client.get(reverse("mfa_download_recovery_codes")).status_code == 200
        client.post(reverse("account_logout"))

        half = sign_in(client)
        assert half["Location"] == reverse("mfa_authenticate")
        assert "_auth_user_id" not in client.session
        assert "six digits" in client.get(half["Location"]).content.decode()
        client.post(half["Location"], {"code": recovery[0]})
        assert "_auth_user_id" in client.session
        assert secret not in str(list(AuditEvent.objects.values()))
        assert AuditEvent.objects.filter(action="account.second_factor_added").exists()

    def test_removing_it_is_recorded(self, client, account):
        self.set_up(client)
        assert client.get(reverse("mfa_index")).status_code == 200
        assert client.get(reverse("mfa_generate_recovery_codes")).status_code == 200
        assert client.get(reverse("mfa_deactivate_totp")).status_code == 200
        client.post(reverse("mfa_deactivate_totp"))
        assert not Authenticator.objects.exists()
        assert AuditEvent.objects.filter(action="account.second_factor_removed").exists()

    def test_staff_are_sent_to_set_it_up_where_it_is_required(self, client, account, settings):
        settings.REQUIRE_TWO_FACTOR = True
        staff = make_user("officer", roles=(Role.RATINGS_OFFICER,))
        client.force_login(staff)
        assert client.get("/jobs/")["Location"] == reverse("mfa_activate_totp")
        assert client.get("/admin/")["Location"] == reverse("mfa_activate_totp")
        assert client.get(reverse("account")).status_code == 200
        TOTP.activate(staff, "JBSWY3DPEHPK3PXP")
        assert client.get("/jobs/").status_code == 200

    def test_players_are_not(self, client, account, settings):
        settings.REQUIRE_TWO_FACTOR = True
        client.force_login(account)
        assert client.get("/jobs/").status_code == 403

    def test_by_default_nobody_is(self, client):
        client.force_login(make_user("officer", roles=(Role.RATINGS_OFFICER,)))
        assert client.get("/jobs/").status_code == 200
