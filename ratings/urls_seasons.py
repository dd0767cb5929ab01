"""Addresses of the desk of the seasons and lists."""

from django.urls import URLPattern, path

from ratings.views import seasons, seasons_editions, seasons_tasks

urlpatterns: list[URLPattern] = [
    path("seasons/", seasons.season_list, name="scrabble-seasons"),
    path("seasons/recompute/", seasons.recompute, name="scrabble-recompute"),
    path("seasons/<str:season>/close/", seasons_tasks.season_close, name="scrabble-season-close"),
    path("seasons/<str:season>/open/", seasons_tasks.season_open, name="scrabble-season-open"),
    path("seasons/<str:season>/edition/", seasons_editions.edition, name="scrabble-season-edition"),
    path("seasons/<str:season>/reopen/", seasons.reopen, name="scrabble-season-reopen"),
    path("drafts/<int:pk>/", seasons_editions.draft, name="scrabble-draft"),
    path("drafts/<int:pk>/list/", seasons_editions.preview, name="scrabble-draft-list"),
    path("lists/<int:number>/verify/", seasons.verify, name="scrabble-list-verify"),
]
