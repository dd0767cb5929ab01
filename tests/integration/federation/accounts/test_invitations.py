"""The life of an invitation."""

import datetime as dt
from pathlib import Path

import pytest
import time_machine
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError
from django.urls import reverse
from django.utils import timezone

from federation.accounts import hooks
from federation.accounts.models import Invitation, Role, RoleGrant, User
from federation.accounts.queries import invitation_of, secret_digest
from federation.accounts.services import accept_invitation, invite, revoke_invitation, revoke_role
from federation.audit.models import AuditEvent
from federation.core.errors import RuleError
from tests.factories import make_user

pytestmark = pytest.mark.django_db

PASSWORD = "three lucky tiles"
MARCH = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)


@pytest.fixture
def administrator():
    return make_user("admin", roles=(Role.ADMINISTRATOR,))


def secret_in(link):
    return link.rstrip("/").rsplit("/", 1)[1]


def accept(link, username="neus", **fields):
    return accept_invitation(secret=secret_in(link), username=username, password=PASSWORD, **fields)


def test_an_invitation_becomes_an_account_with_its_roles(administrator):
    invitation, link = invite(
        actor=administrator, full_name="Neus Farriol", email="neus@example.org", roles=[Role.RATINGS_OFFICER]
    )
    account = accept(link, first_name="Neus", last_name="Farriol", language="ca")
    assert (account.email, account.language, account.roles) == ("neus@example.org", "ca", {Role.RATINGS_OFFICER})
    assert account.check_password(PASSWORD)
    invitation.refresh_from_db()
    assert invitation.account == account
    actions = list(AuditEvent.objects.order_by("id").values_list("action", "actor__username"))
    assert actions == [
        ("account.invited", "admin"),
        ("account.created", "neus"),
        ("account.role_granted", "admin"),
    ]


def test_the_secret_is_neither_stored_nor_recorded(administrator):
    invitation, link = invite(actor=administrator, full_name="Neus", email="neus@example.org")
    secret = secret_in(link)
    assert len(secret) >= 40
    assert invitation.token_digest == secret_digest(secret)
    assert invitation_of(secret) == invitation
    written = str(list(AuditEvent.objects.values())) + str(list(Invitation.objects.values()))
    assert secret not in written
    assert "neus@example.org" not in str(list(AuditEvent.objects.values()))


def test_a_link_works_once(administrator):
    _invitation, link = invite(actor=administrator, full_name="Neus")
    accept(link)
    with pytest.raises(RuleError, match="invitation_used"):
        accept(link, username="other")
    assert not User.objects.filter(username="other").exists()


def test_a_link_works_for_seven_days(administrator):
    with time_machine.travel(MARCH, tick=False):
        _one, early = invite(actor=administrator, full_name="Early")
        _two, late = invite(actor=administrator, full_name="Late")
    with time_machine.travel(MARCH + dt.timedelta(days=7, seconds=-1), tick=False):
        accept(early, username="early")
    with time_machine.travel(MARCH + dt.timedelta(days=7), tick=False), pytest.raises(RuleError, match="expired"):
        accept(late, username="late")


def test_a_withdrawn_link_does_not_work(administrator):
    invitation, link = invite(actor=administrator, full_name="Neus")
    revoke_invitation(invitation=invitation, actor=administrator)
    revoke_invitation(invitation=invitation, actor=administrator)
    with pytest.raises(RuleError, match="invitation_revoked"):
        accept(link)
    assert AuditEvent.objects.filter(action="account.invitation_revoked").count() == 1


def test_a_used_invitation_cannot_be_withdrawn(administrator):
    invitation, link = invite(actor=administrator, full_name="Neus")
    accept(link)
    with pytest.raises(RuleError, match="invitation_used"):
        revoke_invitation(invitation=invitation, actor=administrator)


def test_an_unknown_secret_does_not_work():
    with pytest.raises(RuleError, match="invitation_unknown"):
        accept("https://example.org/x/nothing/")


def test_the_invitation_of_somebody_who_is_no_longer_administrator_grants_nothing(administrator):
    other = make_user("boss", roles=(Role.ADMINISTRATOR,))
    _invitation, link = invite(actor=other, full_name="Neus", roles=[Role.ADMINISTRATOR])
    revoke_role(account=other, role=Role.ADMINISTRATOR, actor=administrator)
    with pytest.raises(RuleError, match="inviter_gone"):
        accept(link)


@pytest.mark.parametrize("role", [r for r in Role.values if r != Role.ADMINISTRATOR])
def test_only_an_administrator_invites(role):
    with pytest.raises(PermissionDenied):
        invite(actor=make_user("x", roles=(role,)), full_name="Neus")


def test_an_unknown_role_and_a_taken_address_are_refused(administrator):
    make_user("pau", email="pau@example.org")
    with pytest.raises(RuleError, match="unknown_role"):
        invite(actor=administrator, full_name="Neus", roles=["king"])
    with pytest.raises(RuleError, match="email_taken"):
        invite(actor=administrator, email="PAU@example.org")
    assert not Invitation.objects.exists()


def test_a_taken_name_or_weak_password_leaves_the_invitation_open(administrator):
    invitation, link = invite(actor=administrator, full_name="Neus")
    with pytest.raises(RuleError, match="username_taken"):
        accept(link, username="ADMIN")
    with pytest.raises(ValidationError):
        accept_invitation(secret=secret_in(link), username="neus", password="password")
    invitation.refresh_from_db()
    assert invitation.is_open
    assert accept(link).username == "neus"


def test_the_account_is_tied_to_its_person(administrator, monkeypatch):
    tied = []
    monkeypatch.setattr(hooks, "_acceptors", [lambda account, number: tied.append((account.username, number))])
    monkeypatch.setattr(hooks, "_describers", [lambda number: f"Person {number}"])
    invitation, link = invite(actor=administrator, person_number=117)
    assert invitation.full_name == "Person 117"
    accept(link)
    assert tied == [("neus", 117)]


def test_a_person_who_cannot_be_tied_stops_everything(administrator, monkeypatch):
    def refuse(account, number):
        raise RuleError("person_has_account")

    monkeypatch.setattr(hooks, "_acceptors", [refuse])
    monkeypatch.setattr(hooks, "_describers", [])
    invitation, link = invite(actor=administrator, full_name="Neus", person_number=117)
    with pytest.raises(RuleError, match="person_has_account"):
        accept(link)
    assert not User.objects.filter(username="neus").exists()
    invitation.refresh_from_db()
    assert invitation.is_open


def test_the_mail_holds_the_link_in_the_language_asked(administrator, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        _invitation, link = invite(actor=administrator, full_name="Neus", email="neus@example.org", language="en")
    (message,) = mail.outbox
    assert message.to == ["neus@example.org"]
    assert link in message.body


def test_without_a_mail_server_the_mail_is_a_file(
    administrator, settings, tmp_path, django_capture_on_commit_callbacks
):
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    with django_capture_on_commit_callbacks(execute=True):
        invite(actor=administrator, email="neus@example.org")
    assert len(list(Path(tmp_path / "mail").iterdir())) == 1


def test_from_the_form_to_the_account(client, administrator):
    client.force_login(administrator)
    form = {"full_name": "Neus Farriol", "email": "neus@example.org", "roles": [Role.REGISTRY_OFFICER]}
    page = client.post(reverse("account-invite"), form).content.decode()
    link = page.split('id="link" value="')[1].split('"')[0]
    address = "/" + link.split("://")[1].split("/", 1)[1]
    assert link not in client.get(reverse("account-list")).content.decode()
    client.logout()

    assert "Neus" in client.get(address).content.decode()
    data = {"last_name": "Farriol", "username": "neus", "password1": PASSWORD, "password2": "another"}
    refused = client.post(address, data)
    assert refused.status_code == 400
    assert "differ" in refused.content.decode()
    accepted = client.post(address, {**data, "password2": PASSWORD})
    assert accepted["Location"] == reverse("account")
    assert "registry officer" in client.get(reverse("account")).content.decode()
    closed = client.get(address)
    assert (closed.status_code, "used already" in closed.content.decode()) == (410, True)
    assert client.get(reverse("account-invitation", args=["nothing"])).status_code == 404


def test_the_page_withdraws(client, administrator):
    invitation, link = invite(actor=administrator, full_name="Neus")
    client.force_login(administrator)
    client.post(reverse("account-invitation-revoke", args=[invitation.pk]))
    assert "withdrawn" in client.get(reverse("account-invitation", args=[secret_in(link)])).content.decode()


def test_an_invitation_for_nobody_is_refused(client, administrator):
    client.force_login(administrator)
    response = client.post(reverse("account-invite"), {"roles": [Role.RATINGS_OFFICER]})
    assert response.status_code == 400
    assert not Invitation.objects.exists()
    assert RoleGrant.objects.count() == 1
    assert Invitation(expires_at=timezone.now()).is_open is False
