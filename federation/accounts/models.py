"""Accounts, their roles, and invitations."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """Roles that are granted to an account. Directors are named on their events, players by their person."""

    RESULTS_SECRETARY = "results_secretary", _("results secretary")
    RATINGS_OFFICER = "ratings_officer", _("ratings officer")
    REGISTRY_OFFICER = "registry_officer", _("registry officer")
    ADMINISTRATOR = "administrator", _("administrator")


class User(AbstractUser):
    """An account. A person of the registry may be tied to it."""

    email = models.EmailField(_("e-mail address"), blank=True)
    #: Language of pages and mails; empty: the browser's.
    language = models.CharField(_("language"), max_length=10, blank=True)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        ordering = ["username", "id"]
        constraints = [
            models.UniqueConstraint(Lower("username"), name="account_username_once"),
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="account_email_once"),
        ]

    def __str__(self) -> str:
        return self.get_full_name() or self.username

    @cached_property
    def roles(self) -> frozenset[str]:
        """Codes of the roles granted to this account, all of them for an administrator."""
        granted = frozenset(self.role_grants.order_by().values_list("role", flat=True))
        if self.is_superuser or Role.ADMINISTRATOR in granted:
            return frozenset(Role.values)
        return granted


class RoleGrant(models.Model):
    """One role of one account."""

    user = models.ForeignKey(User, verbose_name=_("account"), on_delete=models.CASCADE, related_name="role_grants")
    role = models.CharField(_("role"), max_length=30, choices=Role.choices)
    granted_by = models.ForeignKey(
        User, verbose_name=_("granted by"), null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    granted_at = models.DateTimeField(_("granted at"), auto_now_add=True)

    class Meta:
        verbose_name = _("role")
        verbose_name_plural = _("roles")
        ordering = ["user", "role"]
        constraints = [
            models.UniqueConstraint(fields=["user", "role"], name="role_once_per_account"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"


class Invitation(models.Model):
    """A link that lets one person make an account, until it expires or is used."""

    #: SHA-256 of the secret in the link; the link itself is never stored.
    token_digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(_("e-mail address"), blank=True)
    full_name = models.CharField(_("name"), max_length=150, blank=True)
    roles = models.JSONField(_("roles"), default=list, blank=True)
    #: Public number of the person the account will be tied to; checked again on acceptance.
    person_number = models.PositiveIntegerField(_("person number"), null=True, blank=True)
    invited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("invited by"), on_delete=models.PROTECT, related_name="invitations"
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires at"))
    accepted_at = models.DateTimeField(_("accepted at"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked at"), null=True, blank=True)
    account = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        verbose_name=_("account"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="invitation",
    )

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        ordering = ["-created_at", "-id"]

    def __str__(self) -> str:
        return self.full_name or self.email or str(self.pk)

    @property
    def audit_label(self) -> str:
        """Name for the audit, without the address."""
        return self.full_name or f"invitation {self.pk}"

    @property
    def is_open(self) -> bool:
        """Whether the link still works."""
        return self.accepted_at is None and self.revoked_at is None and self.expires_at > timezone.now()

    @property
    def role_names(self) -> list[str]:
        """Names of the roles that acceptance grants."""
        return [str(Role(role).label) for role in self.roles]
