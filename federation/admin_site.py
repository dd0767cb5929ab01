"""Django's own admin under the site's name."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _


class BaremAdminSite(admin.AdminSite):
    """The admin of federation staff; its look is static/css/admin.css."""

    site_header = "Barem"
    site_title = _("Barem administration")
    index_title = _("Federation desk")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Let in whoever has a role; what they may do there the rules of each app say."""
        return request.user.is_active and bool(getattr(request.user, "roles", ()))

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Sign in through the site's own page, which counts failures and asks for the second factor.

        Raises:
            PermissionDenied: the account is signed in and may not enter.
        """
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        after = request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index")
        return redirect(f"{reverse('account_login')}?{urlencode({REDIRECT_FIELD_NAME: after})}")

    def password_change(  # type: ignore[override]  # the stubs promise a page, a redirect serves as well
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Change the password on the site's own page, which records it."""
        return redirect("account_change_password")


class BaremAdminConfig(AdminConfig):
    """Make the site's admin the default one."""

    default_site = "federation.admin_site.BaremAdminSite"
