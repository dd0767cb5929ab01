"""The record of changes in the admin: to search and to read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from federation.audit.actions import action_choices, action_text
from federation.audit.models import AuditEvent


class ActionFilter(admin.SimpleListFilter):
    """By action, with its text."""

    title = _("action")
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return action_choices()

    def queryset(self, request: HttpRequest, queryset: QuerySet[AuditEvent]) -> QuerySet[AuditEvent]:
        return queryset.filter(action=self.value()) if self.value() else queryset


@admin.register(AuditEvent)
class AuditEventAdmin(admin.ModelAdmin):
    list_display = ["at", "who", "action_words", "object_label", "object_type", "reason"]
    list_filter = [ActionFilter, ("actor", admin.RelatedOnlyFieldListFilter), "object_type"]
    search_fields = ["object_label", "object_id", "reason", "actor__username", "actor__last_name", "request_id"]
    date_hierarchy = "at"
    ordering = ["-id"]
    list_select_related = ["actor"]
    list_per_page = 50
    show_full_result_count = False
    actions = None
    fields = [
        "at",
        "who",
        "action_words",
        "object_type",
        "object_id",
        "object_label",
        "reason",
        "before",
        "after",
        "request_id",
    ]

    @admin.display(description=_("action"), ordering="action")
    def action_words(self, event: AuditEvent) -> str:
        return action_text(event.action)

    @admin.display(description=_("by"), ordering="actor")
    def who(self, event: AuditEvent) -> str:
        return str(event.actor or "–")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: AuditEvent | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AuditEvent | None = None) -> bool:
        return False
