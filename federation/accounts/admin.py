"""Accounts in the admin. Roles, invitations and closing have pages of their own, which write the audit."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from federation.accounts import services
from federation.accounts.models import Invitation, Role, RoleGrant, User


class ReadOnly(admin.ModelAdmin):
    """Rows to read."""

    actions = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(User)
class UserAdmin(admin.ModelAdmin):
    list_display = ["username", "full_name", "email", "role_list", "is_active", "last_login"]
    list_filter = ["is_active", ("role_grants__role", admin.ChoicesFieldListFilter), "last_login"]
    search_fields = ["username", "first_name", "last_name", "email"]
    ordering = ["username", "pk"]
    list_per_page = 50
    show_full_result_count = False
    actions = None
    fields = ["username", "first_name", "last_name", "email", "language", "role_list", "is_active", "page"]
    readonly_fields = ["username", "role_list", "is_active", "page"]

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("role_grants")

    @admin.display(description=_("name"), ordering="last_name")
    def full_name(self, account: User) -> str:
        return account.get_full_name() or "–"

    @admin.display(description=_("roles"))
    def role_list(self, account: User) -> str:
        names = [str(Role(grant.role).label) for grant in account.role_grants.all()]
        return ", ".join(names) or "–"

    @admin.display(description=_("roles and access"))
    def page(self, account: User) -> str:
        return format_html('<a href="{}">{}</a>', reverse("account-detail", args=[account.pk]), _("Change"))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        fields = {name: form.cleaned_data[name] for name in form.changed_data}
        services.change_account(account=User.objects.get(pk=obj.pk), actor=request.user, **fields)  # type: ignore[arg-type]


@admin.register(RoleGrant)
class RoleGrantAdmin(ReadOnly):
    list_display = ["user", "role", "granted_by", "granted_at"]
    list_filter = ["role"]
    search_fields = ["user__username", "user__first_name", "user__last_name"]
    ordering = ["user__username", "role", "pk"]
    list_select_related = ["user", "granted_by"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnly):
    list_display = ["full_name", "email", "role_list", "invited_by", "created_at", "expires_at", "state"]
    list_filter = ["created_at", "accepted_at", "revoked_at"]
    search_fields = ["full_name", "email"]
    ordering = ["-created_at", "-pk"]
    list_select_related = ["invited_by"]
    exclude = ["token_digest"]

    @admin.display(description=_("roles"))
    def role_list(self, invitation: Invitation) -> str:
        return ", ".join(invitation.role_names) or "–"

    @admin.display(description=_("state"))
    def state(self, invitation: Invitation) -> str:
        if invitation.accepted_at:
            return str(_("accepted"))
        if invitation.revoked_at:
            return str(_("withdrawn"))
        return str(_("open")) if invitation.is_open else str(_("expired"))
