"""Remembered names: which spelling is whom, since when and why; undoing one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from federation.accounts.permissions import permission_required
from federation.accounts.roles import is_ratings_officer, is_results_secretary
from federation.core.names import spelling
from federation.uploads.models import NameDecision
from federation.uploads.queries.lists import names_of
from federation.uploads.services.people import forget_name

PAGE = 100


@permission_required("uploads.see")
@require_GET
def names(request: HttpRequest) -> HttpResponse:
    """The remembered names of the account; for staff everybody's."""
    rows = names_of(request.user)
    text = request.GET.get("q", "").replace("\x00", "")[:80]
    if text.strip():
        rows = rows.filter(spelling__contains=spelling(text))
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    reasons = {
        "same": _("same name"),
        "accents": _("other accents or signs"),
        "word_order": _("other order of words"),
        "script": _("other script or transliteration"),
        "joined": _("other blanks"),
        "truncated": _("cut name"),
        "initials": _("initials"),
        "similar": _("similar letters"),
        "number": _("number in the file"),
        "found": _("found by hand"),
        "": _("entered as new"),
    }
    context = {"page": page, "q": text, "reasons": reasons, "is_staff": _is_staff(request.user)}
    return render(request, "uploads/names.html", context)


@permission_required("uploads.see")
@require_POST
def forget(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo one."""
    user: Any = request.user
    decision = get_object_or_404(NameDecision.objects.select_related("person"), pk=pk)
    if decision.decided_by_id != user.pk and not _is_staff(user):
        raise PermissionDenied
    forget_name(decision=decision, actor=user)
    messages.success(request, _("“%(name)s” is forgotten: the next file asks again.") % {"name": decision.spelling})
    return redirect("upload-names")


def _is_staff(user: Any) -> bool:
    return is_results_secretary(user) or is_ratings_officer(user)
