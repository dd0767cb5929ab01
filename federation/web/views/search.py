"""The search page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from federation.web import search as searching

#: Hits of one kind when all are shown, and when one kind is.
FEW, MANY = 10, 100
KINDS = {"person": _("Players"), "club": _("Clubs"), "event": _("Events"), "list": _("Lists")}


def search(request: HttpRequest) -> HttpResponse:
    """Answer ``?q=``; ``?kind=`` shows more of one kind."""
    query = searching.clean(request.GET.get("q", ""))
    kind = request.GET.get("kind", "")
    kind = kind if kind in KINDS else ""
    found = searching.search(
        request, query, get_language() or "en", MANY if kind else FEW, kinds=[kind] if kind else []
    )
    groups = [
        {"kind": name, "label": KINDS.get(name, name), "hits": hits, "count": found.counts[name]}
        for name in (*KINDS, *(other for other in found.hits if other not in KINDS))
        if (hits := found.hits.get(name))
    ]
    context = {"query": query, "kind": kind, "groups": groups, "found": found, "kind_label": KINDS.get(kind, "")}
    return render(request, "web/search.html", context)
