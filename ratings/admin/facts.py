"""Facts in the admin: games with their history, corrections, opening ratings."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.translation import gettext_lazy as _

from ratings.admin.base import ReadOnlyAdmin
from ratings.models import Correction, Game, OpeningList, OpeningRating
from ratings.queries.results import game_history


class InForceFilter(admin.SimpleListFilter):
    """Games in force, or replaced ones."""

    title = _("in force")
    parameter_name = "in_force"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        """Give the choices."""
        return [("yes", _("in force")), ("no", _("replaced"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Filter by whether a row was replaced."""
        if self.value() == "yes":
            return queryset.filter(superseded_at__isnull=True)
        if self.value() == "no":
            return queryset.filter(superseded_at__isnull=False)
        return queryset


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = (
        "event",
        "round",
        "board",
        "player",
        "opponent",
        "score_a",
        "score_b",
        "kind",
        "created_by",
        "superseded_at",
    )
    list_filter = (InForceFilter, "kind", ("event__season", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("event", "a__person", "b__person", "created_by")
    search_fields = (
        "event__name",
        "a__person__fold_key",
        "b__person__fold_key",
        "=a__person__number",
        "=b__person__number",
    )
    search_help_text = _("Event, or the name or number of a player.")
    ordering = ("-event__rating_date", "-event_id", "round", "board", "pk")
    fields = (
        ("event", "round", "board"),
        ("player", "opponent"),
        ("kind", "score_a", "score_b", "result", "both_absent"),
        ("upload", "created_by", "created_at"),
        ("superseded_at", "superseded_who", "superseded_reason"),
        "history",
    )
    readonly_fields = ("player", "opponent", "history")

    @admin.display(description=_("player"), ordering="a__person__sort_key")
    def player(self, game: Game) -> str:
        """Number in the event and name."""
        return str(game.a)

    @admin.display(description=_("opponent"), ordering="b__person__sort_key")
    def opponent(self, game: Game) -> str:
        """Number in the event and name."""
        return str(game.b) if game.b else "–"

    @admin.display(description=_("history"))
    def history(self, game: Game) -> str:
        """Every version of the rows of these players in the round."""
        lines = (
            (
                f"{one.created_at:%Y-%m-%d %H:%M}",
                one.created_by or "",
                f"{one.a} – {one.b or ''} {'' if one.score_a is None else one.score_a}"
                f"{'' if one.score_b is None else f'–{one.score_b}'}",
                one.get_kind_display(),
                one.superseded_reason,
            )
            for one in game_history(game.event, game)
        )
        return format_html_join("", "<p>{} {}: {} ({}) {}</p>", lines)


@admin.register(Correction)
class CorrectionAdmin(ReadOnlyAdmin):
    list_display = ("event", "state", "reason", "proposed_by", "proposed_at", "decided_by", "decided_at")
    list_filter = ("state", ("event__season", admin.RelatedOnlyFieldListFilter))
    list_select_related = ("event", "proposed_by", "decided_by")
    search_fields = ("event__name", "reason")
    ordering = ("-proposed_at", "-pk")
    date_hierarchy = "proposed_at"


@admin.register(OpeningList)
class OpeningListAdmin(ReadOnlyAdmin):
    list_display = ("system", "as_of", "created_by", "created_at", "withdrawn_at")
    list_filter = ("system",)
    list_select_related = ("system", "created_by")
    ordering = ("-as_of", "-pk")
    search_fields = ("system__name",)


@admin.register(OpeningRating)
class OpeningRatingAdmin(ReadOnlyAdmin):
    list_display = ("person", "rating", "games", "wins", "last_season", "opening_list")
    list_filter = ("opening_list",)
    list_select_related = ("person", "opening_list__system")
    search_fields = ("person__fold_key", "=person__number")
    ordering = ("opening_list", "-rating", "pk")
