"""The first steps: which event, which files. Also the list of uploads, and putting one away."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from federation.accounts.permissions import permission_required
from federation.core import limits
from federation.core.errors import RuleError
from federation.core.names import fold
from federation.registry.models import Event
from federation.uploads.models import Upload, UploadState
from federation.uploads.queries.analysis import analyse
from federation.uploads.queries.lists import TAKES_RESULTS, events_for, uploads_of
from federation.uploads.receiving import problem_of, receives_files, sent_files
from federation.uploads.registry import OPENING, RESULTS, UploadKind, find_kind, kinds
from federation.uploads.services.intake import receive_files, reject_upload
from federation.uploads.views.common import event_of, next_address, of_address, of_event, refusal, steps, upload_of

PAGE = 50


@permission_required("uploads.see")
@require_GET
def upload_list(request: HttpRequest) -> HttpResponse:
    """Files on their way and files that were stored."""
    state = request.GET.get("state", "")
    rows = uploads_of(request.user)
    if state in UploadState.values:
        rows = rows.filter(state=state)
    else:
        state = ""
    user: Any = request.user
    context = {
        "page": Paginator(rows, PAGE).get_page(request.GET.get("page")),
        "state": state,
        "states": [("", _("all")), *UploadState.choices],
        "can_send": user.has_perm("uploads.send"),
        "openings": kinds(OPENING) if user.has_perm("uploads.send_opening") else [],
    }
    return render(request, "uploads/list.html", context)


@permission_required("uploads.send")
@require_GET
def choose_event(request: HttpRequest) -> HttpResponse:
    """Step 1: the events that take results, latest first."""
    events = events_for(request.user, [kind.discipline for kind in kinds(RESULTS)])
    text = request.GET.get("q", "")[:80]
    for word in fold(text).split()[:5]:
        events = events.filter(slug__contains=word)
    page = Paginator(events, PAGE).get_page(request.GET.get("page"))
    return render(request, "uploads/choose.html", {"page": page, "q": text, "steps": steps("event")})


@receives_files
@permission_required("uploads.send", of_event)
@require_http_methods(["GET", "HEAD", "POST"])
def send_results(request: HttpRequest, discipline: str, slug: str) -> HttpResponse:
    """Step 2: the files of one event."""
    event = event_of(discipline, slug)
    kind = find_kind(discipline, RESULTS)
    assert kind is not None
    return _send(request, kind, event)


@receives_files
@permission_required("uploads.send_opening")
@require_http_methods(["GET", "HEAD", "POST"])
def send_opening(request: HttpRequest, discipline: str) -> HttpResponse:
    """The file of the opening ratings of a game."""
    kind = find_kind(discipline, OPENING)
    if kind is None:
        raise Http404
    return _send(request, kind, None)


def _send(request: HttpRequest, kind: UploadKind, event: Event | None) -> HttpResponse:
    error: RuleError | None = None
    as_of = ""
    if request.method == "POST":
        error = problem_of(request)
        as_of = "" if error else request.POST.get("as_of", "")[:10]
        if error is None:
            try:
                upload, is_new = _receive(request, kind, event)
            except RuleError as refused:
                error = refused
            else:
                return _received(request, upload, is_new)
    rows = uploads_of(request.user).filter(event=event, purpose=kind.purpose, discipline__code=kind.discipline)
    context = {
        "kind": kind,
        "event": event,
        "takes_results": event is None or event.state in TAKES_RESULTS,
        "event_address": kind.event_address(event) if event else "",
        "has_template": kind.template is not None,
        "earlier": list(rows.exclude(state=UploadState.REJECTED)[:10]),
        "error": refusal(error) if error else "",
        "where": error.where if error else "",
        "as_of": as_of,
        "limit": limits.MAX_BYTES // (1024 * 1024),
        "steps": steps("file") if event else steps("file")[1:],
    }
    return render(request, "uploads/file.html", context, status=422 if error else 200)


def _receive(request: HttpRequest, kind: UploadKind, event: Event | None) -> tuple[Upload, bool]:
    options: dict[str, Any] = {}
    if "as_of" in kind.options:
        try:
            options["as_of"] = dt.date.fromisoformat(request.POST.get("as_of", "")).isoformat()
        except ValueError as wrong:
            raise RuleError("date_missing", where="as_of") from wrong
    user: Any = request.user
    return receive_files(kind=kind, event=event, files=sent_files(request), actor=user, options=options)


def _received(request: HttpRequest, upload: Upload, is_new: bool) -> HttpResponse:
    if not is_new and upload.state == UploadState.COMMITTED:
        messages.warning(request, _("This file was stored already: here is its receipt. Nothing was changed."))
    elif not is_new:
        messages.info(request, _("This file was sent before: go on where it stands."))
    return redirect("upload-detail", upload.pk)


@permission_required("uploads.commit", of_address)
@require_GET
def detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Go to the step where something is left to do, or to the receipt."""
    upload = upload_of(pk)
    if not upload.is_open:
        return redirect("upload-receipt", pk)
    return redirect(next_address(upload, analyse(upload)))


@permission_required("uploads.commit", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def reject(request: HttpRequest, pk: int) -> HttpResponse:
    """Put a file away that is not wanted."""
    if request.method != "POST":
        return redirect("upload-detail", pk)
    user: Any = request.user
    upload = upload_of(pk)
    try:
        reject_upload(upload=upload, actor=user)
    except RuleError as error:
        messages.error(request, refusal(error))
        return redirect("upload-detail", pk)
    messages.success(request, _("The file is put away. Nothing of it was stored."))
    if upload.event is not None:
        return redirect("upload-file", upload.discipline.code, upload.event.slug)
    return redirect("upload-list")


@permission_required("uploads.send", of_event)
@require_GET
def template(request: HttpRequest, discipline: str, slug: str) -> HttpResponse:
    """The workbook to fill in, with the entries of the event."""
    event = event_of(discipline, slug)
    kind = find_kind(discipline, RESULTS)
    if kind is None or kind.template is None:
        raise PermissionDenied
    response = HttpResponse(
        kind.template(event), content_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )
    response["Content-Disposition"] = f'attachment; filename="{slugify(event.slug)}.xlsx"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "private, no-store"
    return response
