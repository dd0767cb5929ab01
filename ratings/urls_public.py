"""Addresses of the public pages of scrabble."""

from django.urls import path

from ratings.views import public_events, public_lists, public_players, public_reports, public_rules

urlpatterns = [
    path("", public_lists.ranking, name="scrabble-home"),
    path("ranking/", public_lists.ranking, name="scrabble-ranking"),
    path("lists/", public_lists.lists, name="scrabble-lists"),
    path("lists/difference/", public_reports.difference, name="scrabble-difference"),
    path("lists/<str:season>/<int:number>/", public_lists.ranking_list, name="scrabble-list"),
    path("players/<int:number>/", public_players.player, name="scrabble-player"),
    path("events/", public_events.events, name="scrabble-events"),
    path("events/<slug:slug>/", public_events.event, name="scrabble-event"),
    path("events/<slug:slug>/why/<int:number>/", public_players.account, name="scrabble-account"),
    path("seasons/<str:season>/", public_reports.season_report, name="scrabble-report"),
    path("errata/", public_reports.errata, name="scrabble-errata"),
    path("errata/<str:number>/", public_reports.erratum, name="scrabble-erratum"),
    path("records/", public_reports.records, name="scrabble-records"),
    path("rules/", public_rules.rules, name="scrabble-rules"),
    path("rules/calculator/", public_rules.calculator, name="scrabble-calculator"),
]
