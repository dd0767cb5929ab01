"""What the admin pages of the ratings share: looking, not touching."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from federation.core.names import fold


class ReadOnlyAdmin(admin.ModelAdmin):
    """Rows that services write: shown, searched and filtered, never saved or deleted here."""

    show_full_result_count = False
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER
    actions = None

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        """Search as typed, and folded: names are found without their accents and in other scripts."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        folded = fold(search_term)
        if folded and folded != search_term:
            other, more = super().get_search_results(request, queryset, folded)
            return found | other, duplicates or more
        return found, duplicates

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nothing is deleted here."""
        return False
