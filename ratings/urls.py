"""Addresses under /scrabble/: public pages, the desk of directors and staff, the seasons."""

from django.urls import include, path

urlpatterns = [
    path("", include("ratings.urls_public")),
    path("desk/", include("ratings.urls_desk")),
    path("desk/", include("ratings.urls_seasons")),
]
