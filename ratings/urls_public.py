"""Addresses of this part of scrabble."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
