"""Addresses of this application."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
