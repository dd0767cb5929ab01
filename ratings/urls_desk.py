"""Addresses of the desk of directors and the results secretary."""

from django.urls import path

from ratings.views import desk_approval, desk_corrections, desk_events, desk_rounds

urlpatterns = [
    path("events/", desk_events.event_list, name="scrabble-desk-events"),
    path("events/new/", desk_events.event_new, name="scrabble-desk-event-new"),
    path("events/<slug:slug>/", desk_events.event_page, name="scrabble-desk-event"),
    path("events/<slug:slug>/change/", desk_events.event_edit, name="scrabble-desk-event-edit"),
    path("events/<slug:slug>/step/", desk_events.event_step, name="scrabble-desk-event-step"),
    path("events/<slug:slug>/entries/", desk_events.entry_add, name="scrabble-desk-entry-add"),
    path("events/<slug:slug>/entries/<int:number>/", desk_events.entry_change, name="scrabble-desk-entry"),
    path("events/<slug:slug>/rounds/<int:number>/", desk_rounds.round_view, name="scrabble-desk-round"),
    path("events/<slug:slug>/rounds/<int:number>/check/", desk_rounds.round_check, name="scrabble-desk-round-check"),
    path("events/<slug:slug>/rounds/<int:number>/sheet/", desk_rounds.round_sheet, name="scrabble-desk-sheet"),
    path("events/<slug:slug>/approval/", desk_approval.approval, name="scrabble-desk-approval"),
    path("events/<slug:slug>/games/<int:pk>/", desk_corrections.game_page, name="scrabble-desk-game"),
    path("events/<slug:slug>/correct/", desk_corrections.correction_new, name="scrabble-desk-correction-new"),
    path("corrections/", desk_corrections.correction_list, name="scrabble-desk-corrections"),
    path("corrections/<int:pk>/", desk_corrections.correction_page, name="scrabble-desk-correction"),
    path("corrections/<int:pk>/step/", desk_corrections.correction_step, name="scrabble-desk-correction-step"),
    path("editions/<int:pk>/", desk_corrections.edition, name="scrabble-desk-edition"),
]
