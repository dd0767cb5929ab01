"""What the admin pages of the ratings share: looking, not touching."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that services write: shown, searched and filtered, never saved or deleted here."""

    show_full_result_count = False
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    actions = None

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted here."""
        return False


class ReadOnlyInline(admin.TabularInline):
    """Rows below another one, to look at."""

    extra = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        return False
