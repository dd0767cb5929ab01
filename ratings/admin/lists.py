"""Runs, lists and errata in the admin: what a replay gave, to look at and to search."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import ReadOnlyAdmin
from ratings.models import Erratum, ListRow, PublishedList, RatingRun, RatingSystem, SeasonTask


@admin.register(RatingSystem)
class RatingSystemAdmin(ReadOnlyAdmin):
    list_display = ("name", "code", "discipline", "current_list", "dirty_date", "facts_version")
    list_select_related = ("discipline", "current_list__system")
    search_fields = ("name", "code")
    ordering = ("discipline__order", "pk")
    fields = ("name", "code", "discipline", "current_list", "dirty_date", "facts_version")


@admin.register(RatingRun)
class RatingRunAdmin(ReadOnlyAdmin):
    list_display = (
        "number",
        "system",
        "state",
        "events",
        "short_fingerprint",
        "reused_events",
        "created_by",
        "finished_at",
    )
    list_filter = ("system", "state")
    list_select_related = ("system", "created_by")
    search_fields = ("fingerprint", "outcome")
    search_help_text = _("Fingerprint of the inputs or of the outcome.")
    ordering = ("-finished_at", "-pk")
    date_hierarchy = "finished_at"
    fields = (
        "system",
        "state",
        "fingerprint",
        "outcome",
        "code_version",
        "parent",
        "reused_events",
        "counts",
        "warnings",
        "created_by",
        "started_at",
        "finished_at",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Leave out the bytes of the opening ratings."""
        return super().get_queryset(request).defer("opening")

    @admin.display(description=_("run"), ordering="pk")
    def number(self, run: RatingRun) -> str:
        """Key of the run."""
        return str(run.pk)

    @admin.display(description=_("events"))
    def events(self, run: RatingRun) -> Any:
        """Events of the run."""
        return run.counts.get("events", "")

    @admin.display(description=_("fingerprint"), ordering="fingerprint")
    def short_fingerprint(self, run: RatingRun) -> str:
        """Beginning of the fingerprint."""
        return run.fingerprint[:12]


@admin.register(PublishedList)
class PublishedListAdmin(ReadOnlyAdmin):
    list_display = (
        "edition",
        "system",
        "season",
        "kind",
        "state",
        "as_of",
        "rows_count",
        "published_by",
        "published_at",
        "page",
    )
    list_filter = ("system", "state", "kind", ("season", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("system", "season", "published_by")
    search_fields = ("=number", "fingerprint")
    search_help_text = _("Number of the list, or its fingerprint.")
    ordering = ("-as_of", "-pk")
    date_hierarchy = "as_of"

    @admin.display(description=_("number"), ordering="number")
    def edition(self, row: PublishedList) -> str:
        """Number of the list, a dash for a draft."""
        return str(row.number or "–")

    @admin.display(description=_("rows"))
    def rows_count(self, row: PublishedList) -> Any:
        """Rows of the list."""
        return row.counts.get("rows", "")

    @admin.display(description=_("page"))
    def page(self, row: PublishedList) -> str:
        """Link to the public page."""
        if row.number is None:
            return "–"
        try:
            address = reverse("scrabble-list", args=[row.season.code, row.number])
        except NoReverseMatch:
            return "–"
        return format_html('<a href="{}">{}</a>', address, _("open"))


@admin.register(ListRow)
class ListRowAdmin(ReadOnlyAdmin):
    list_display = ("list", "order", "position", "person", "rating", "progress", "games", "status", "corrected")
    list_filter = ("status", "corrected", ("list", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("list__system", "person")
    search_fields = ("person__fold_key", "=person__number")
    ordering = ("-list", "order", "pk")


@admin.register(Erratum)
class ErratumAdmin(ReadOnlyAdmin):
    list_display = ("number", "replaced_list", "corrected_list", "reason", "published_at")
    list_select_related = ("replaced_list__system", "corrected_list__system")
    search_fields = ("number", "reason")
    ordering = ("-published_at", "-pk")
    date_hierarchy = "published_at"


@admin.register(SeasonTask)
class SeasonTaskAdmin(ReadOnlyAdmin):
    list_display = ("season", "system", "kind", "state", "prepared_by", "prepared_at", "published_by", "published_at")
    list_filter = ("kind", "state")
    list_select_related = ("season", "system", "prepared_by", "published_by")
    search_fields = ("season__code",)
    ordering = ("-pk",)
