"""Pages for what went wrong: what happened, what is safe, what to do next.

The page 500 must come even when the database or the cache is gone, so that it reads neither.
"""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from federation.registry.models import FederationSettings
from federation.web.context import Frame

logger = logging.getLogger("federation.web")

#: How Django's own shortcut words its 404; it names our classes and is not meant for readers.
_UNREADABLE = "matches the given query"
TEMPLATE = "web/lost.html"


class PlainFrame(Frame):
    """The page frame without anything that asks the database or the cache."""

    site = FederationSettings(pk=1)
    #: Whether somebody is signed in is not known here.
    login = ""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400: the address or the form cannot be read."""
    context = {
        "frame": PlainFrame(request),
        "heading": _("This request cannot be read"),
        "explanation": _("Part of the address or of the form is damaged or too large. Nothing was changed."),
        "again": "/",
    }
    return HttpResponse(render_to_string(TEMPLATE, context | {"request": request}), status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """403: who is signed in, and why that is not enough."""
    said = _said(exception) if isinstance(exception, PermissionDenied) else ""
    user = getattr(request, "user", None)
    signed_in = user is not None and user.is_authenticated
    if signed_in:
        who = _("You are signed in as %(user)s.") % {"user": str(user)}
    else:
        who = _("You are not signed in.")
    context = {
        "heading": _("Not allowed"),
        "explanation": said or _("This page or action is for others: a director of the event, or staff."),
        "tone": "warn",
        "lines": [who, _("If you need it, ask the federation for the role.")] if signed_in else [who],
        "sign_in": "" if signed_in else Frame(request).login,
        "ways": True,
    }
    return render(request, TEMPLATE, context, status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: a search and the main pages."""
    context = {
        "tiles": ["4", " ", "4"],
        "heading": _("No page at this address"),
        "explanation": _said(exception)
        or _(
            "The address may be misspelt, or the page may never have existed. Published lists, results and errata are "
            "never taken away: if this was one of them, the search will find it."
        ),
        "search": True,
        "ways": True,
    }
    return render(request, TEMPLATE, context, status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: an apology, what is safe, and the number that finds the record in the log."""
    number = getattr(request, "request_id", "")
    logger.error("The page %s could not be made, request %s", request.path, number)
    try:
        html: str = render_to_string(TEMPLATE, _server_error_context(request, number))
    except Exception:  # whatever is broken, the reader gets an answer
        logger.exception("The page for errors could not be made, request %s", number)
        html = f"The page could not be made. Please try again in a minute. {number}"
    return HttpResponse(html, status=500)


def _server_error_context(request: HttpRequest, number: str) -> dict[str, Any]:
    return {
        "request": request,
        "frame": PlainFrame(request),
        "heading": _("The page could not be made"),
        "explanation": _("This is our fault. What was saved before is safe; what you just sent was not saved."),
        "tone": "err",
        "lines": [_("Try again in a minute. If it stays, tell the federation this number.")],
        "request_id": number,
        "again": request.get_full_path() if request.method == "GET" else "/",
    }


def _said(exception: Exception | None) -> str:
    """Return what a view says to the reader with its exception, nothing if it says it to developers."""
    said = exception.args[0] if exception is not None and exception.args else ""
    if isinstance(said, dict | list | tuple) or _UNREADABLE in str(said):
        return ""
    return str(said)
