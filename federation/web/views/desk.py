"""The start page of staff and directors."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from federation.web import menu


@login_required
def desk(request: HttpRequest) -> HttpResponse:
    """What the account may do, and how much waits."""
    entries = [
        {
            "label": link.label,
            "href": address,
            "detail": link.detail,
            "news": link.news(request) if link.news else "",
            "count": link.count(request) if link.count else None,
        }
        for link, address in menu.desk_links(request)
    ]
    may_administer = request.user.is_staff or bool(getattr(request.user, "roles", ()))
    return render(request, "web/desk.html", {"entries": entries, "may_administer": may_administer})
