"""Django's own admin under the site's name."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class BaremAdminSite(admin.AdminSite):
    """The admin of federation staff; its look is static/css/admin.css."""

    site_header = "Barem"
    site_title = _("Barem administration")
    index_title = _("Federation desk")
    enable_nav_sidebar = False


class BaremAdminConfig(AdminConfig):
    """Make the site's admin the default one."""

    default_site = "federation.admin_site.BaremAdminSite"
