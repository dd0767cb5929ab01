"""The home page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Lists in force, results, what was published, what is coming."""
    return render(request, "web/home.html", {})
