"""Uploads and remembered names, to look at; they change by the pages of the desk alone."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from federation.uploads.models import CellRepair, NameDecision, Upload, UploadFile


class UploadFileInline(admin.TabularInline):
    model = UploadFile
    extra = 0
    fields = ("position", "name", "file")
    readonly_fields = fields


class CellRepairInline(admin.TabularInline):
    model = CellRepair
    extra = 0
    fields = ("file", "line", "column", "before", "after", "made_by", "made_at")
    readonly_fields = fields


@admin.register(Upload)
class UploadAdmin(admin.ModelAdmin):
    list_display = ("id", "event", "discipline", "purpose", "state", "format", "created_by", "created_at")
    list_filter = ("state", "discipline", "purpose", "format")
    list_select_related = ("event", "discipline", "created_by")
    search_fields = ("event__name", "files__name", "sha256", "created_by__username")
    date_hierarchy = "created_at"
    inlines = (UploadFileInline, CellRepairInline)
    fields = (
        "desk_page",
        ("discipline", "purpose", "event"),
        ("state", "format", "sha256"),
        ("created_by", "created_at"),
        ("committed_by", "committed_at"),
        ("withdrawn_by", "withdrawn_at", "withdrawn_reason"),
    )
    readonly_fields = (
        "desk_page",
        "discipline",
        "purpose",
        "event",
        "state",
        "format",
        "sha256",
        "created_by",
        "created_at",
        "committed_by",
        "committed_at",
        "withdrawn_by",
        "withdrawn_at",
        "withdrawn_reason",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Upload]:
        """Leave the readings where they are."""
        return super().get_queryset(request).defer("reading", "receipt", "decisions", "set_aside", "confirmed")

    @admin.display(description=_("page at the desk"))
    def desk_page(self, upload: Upload) -> str:
        return format_html('<a href="{}">{}</a>', reverse("upload-detail", args=[upload.pk]), upload.pk)


@admin.register(NameDecision)
class NameDecisionAdmin(admin.ModelAdmin):
    list_display = ("spelling", "person", "discipline", "reason", "score", "decided_by", "decided_at", "undone_at")
    list_filter = ("discipline", "reason", ("undone_at", admin.EmptyFieldListFilter))
    list_select_related = ("person", "discipline", "decided_by")
    search_fields = ("spelling", "person__family_name", "person__given_name")
    date_hierarchy = "decided_at"
