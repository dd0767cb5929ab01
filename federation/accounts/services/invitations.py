"""Invitations: the only way to an account."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from federation.accounts.hooks import describe_person, tie_person
from federation.accounts.models import Invitation, Role, User
from federation.accounts.queries import invitation_of, secret_digest
from federation.accounts.services.roles import grant_unchecked, require_administrator
from federation.audit.services import record
from federation.core.errors import RuleError
from federation.problems import write_date

#: How long a link works.
VALID_FOR = dt.timedelta(days=7)


def invite(
    *,
    actor: User,
    full_name: str = "",
    email: str = "",
    roles: Iterable[str] = (),
    person_number: int | None = None,
    language: str = "",
) -> tuple[Invitation, str]:
    """Invite one person to make an account.

    Args:
        actor: An administrator.
        full_name: For whom the link is.
        email: Where the link is sent; without it the administrator hands the link over.
        roles: What the account will be granted.
        person_number: Number of the person in the registry that the account will be tied to.
        language: Language of the mail, by default the actor's.

    Returns:
        The invitation and the link with its secret, which is not stored and cannot be shown again.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``unknown_role``, ``email_taken``, or what the registry says about the person.
    """
    require_administrator(actor)
    wanted = list(dict.fromkeys(roles))
    unknown = [role for role in wanted if role not in Role.values]
    if unknown:
        raise RuleError("unknown_role", {"role": unknown[0]})
    if email and User.objects.filter(email__iexact=email).exists():
        raise RuleError("email_taken")
    if person_number is not None:
        found_name = describe_person(person_number)
        full_name = full_name or found_name
    secret = secrets.token_urlsafe(32)
    link = settings.BASE_URL + reverse("account-invitation", args=[secret])
    with transaction.atomic():
        invitation = Invitation.objects.create(
            token_digest=secret_digest(secret),
            email=email,
            full_name=full_name,
            roles=wanted,
            person_number=person_number,
            invited_by=actor,
            expires_at=timezone.now() + VALID_FOR,
        )
        after = {"roles": wanted, "person_number": person_number, "expires_at": invitation.expires_at}
        record(action="account.invited", obj=invitation, actor=actor, after=after)
        if email:
            mail = _mail(invitation, link, language or actor.language or translation.get_language() or "en")
            transaction.on_commit(lambda: mail.send(fail_silently=True))
    return invitation, link


def revoke_invitation(*, invitation: Invitation, actor: User) -> Invitation:
    """Make the link of an invitation useless; doing it again changes nothing.

    Raises:
        PermissionDenied: the actor is not an administrator.
        RuleError: ``invitation_used``.
    """
    require_administrator(actor)
    with transaction.atomic():
        locked = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        if locked.accepted_at is not None:
            raise RuleError("invitation_used")
        if locked.revoked_at is None:
            locked.revoked_at = timezone.now()
            locked.save(update_fields=["revoked_at"])
            record(action="account.invitation_revoked", obj=locked, actor=actor)
    return locked


def accept_invitation(
    *, secret: str, username: str, password: str, first_name: str = "", last_name: str = "", language: str = ""
) -> User:
    """Make the account of an invitation, with its roles and tied to its person. A link works once.

    Raises:
        RuleError: ``invitation_unknown``, ``invitation_used``, ``invitation_revoked``, ``invitation_expired``,
            ``inviter_gone`` (who invited may no longer grant the roles), ``username_taken``, ``email_taken``.
        ValidationError: the password is too weak.
    """
    try:
        with transaction.atomic():
            invitation = _locked_open_invitation(secret)
            account = User(
                username=User.normalize_username(username),
                email=invitation.email,
                first_name=first_name,
                last_name=last_name,
                language=language,
            )
            _require_free(account)
            validate_password(password, account)
            account.set_password(password)
            account.save()
            invitation.accepted_at = timezone.now()
            invitation.account = account
            invitation.save(update_fields=["accepted_at", "account"])
            record(action="account.created", obj=account, actor=account, after={"invitation": invitation.pk})
            for role in invitation.roles:
                grant_unchecked(account=account, role=role, actor=invitation.invited_by, reason=_("By invitation"))
            if invitation.person_number is not None:
                tie_person(account, invitation.person_number)
            return account
    except IntegrityError as error:
        raise RuleError("username_taken") from error


def _locked_open_invitation(secret: str) -> Invitation:
    found = invitation_of(secret)
    if found is None:
        raise RuleError("invitation_unknown")
    invitation = (
        Invitation.objects.select_for_update(of=("self",), no_key=True).select_related("invited_by").get(pk=found.pk)
    )
    if invitation.accepted_at is not None:
        raise RuleError("invitation_used")
    if invitation.revoked_at is not None:
        raise RuleError("invitation_revoked")
    if invitation.expires_at <= timezone.now():
        raise RuleError("invitation_expired")
    if not invitation.invited_by.has_perm("accounts.manage"):
        raise RuleError("inviter_gone")
    return invitation


def _require_free(account: User) -> None:
    if User.objects.filter(username__iexact=account.username).exists():
        raise RuleError("username_taken")
    if account.email and User.objects.filter(email__iexact=account.email).exists():
        raise RuleError("email_taken")


def _mail(invitation: Invitation, link: str, language: str) -> EmailMessage:
    with translation.override(language):
        day = write_date(timezone.localtime(invitation.expires_at).date())
        context = {"invitation": invitation, "link": link, "day": day}
        body = render_to_string("accounts/invitation_mail.txt", context)
        return EmailMessage(subject=_("Your account at Barem"), body=body, to=[invitation.email])
