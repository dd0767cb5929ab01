"""Background work in the admin, to read."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import Job


@admin.register(Job)
class JobAdmin(admin.ModelAdmin):
    list_display = ["title", "key", "state", "percent", "stage", "requested_by", "created_at", "finished_at"]
    list_filter = ["state", "kind", "created_at"]
    search_fields = ["kind", "key", "failure", "requested_by__username"]
    ordering = ["-created_at", "-pk"]
    list_select_related = ["requested_by"]
    list_per_page = 50
    show_full_result_count = False
    actions = None

    @admin.display(description=_("work"), ordering="kind")
    def title(self, job: Job) -> str:
        return job.title

    @admin.display(description="%")
    def percent(self, job: Job) -> int:
        return job.percent

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
