"""Reads of accounts and invitations."""

from __future__ import annotations

import hashlib

from allauth.mfa.models import Authenticator
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from federation.accounts.models import Invitation, RoleGrant, User


def secret_digest(secret: str) -> str:
    """Return what is stored of the secret in a link: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def invitation_of(secret: str) -> Invitation | None:
    """Return the invitation of a secret, open or not.

    The index compares digests, which tell nothing about the secret; the last comparison takes constant time.
    """
    digest = secret_digest(secret)
    invitation = Invitation.objects.select_related("invited_by").filter(token_digest=digest).first()
    return invitation if invitation and constant_time_compare(invitation.token_digest, digest) else None


def accounts(search: str = "") -> QuerySet[User]:
    """Return all accounts by name, with ``role_grants`` at hand and ``has_second_factor``."""
    found = User.objects.annotate(has_second_factor=Exists(_devices())).prefetch_related(
        Prefetch("role_grants", RoleGrant.objects.order_by("role"))
    )
    for word in search.split()[:5]:
        found = found.filter(
            Q(username__icontains=word)
            | Q(first_name__icontains=word)
            | Q(last_name__icontains=word)
            | Q(email__icontains=word)
        )
    return found.order_by("last_name", "first_name", "username", "pk")


def open_invitations() -> QuerySet[Invitation]:
    """Return the invitations whose link still works, newest first."""
    now = timezone.now()
    waiting = Invitation.objects.filter(accepted_at=None, revoked_at=None, expires_at__gt=now)
    return waiting.select_related("invited_by").order_by("-created_at", "-pk")


def has_second_factor(account: User) -> bool:
    """Whether the account signs in with a second factor."""
    return Authenticator.objects.filter(user=account, type=Authenticator.Type.TOTP).exists()


def _devices() -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
