"""Steps 5 and 6: the effect, storing, the receipt, withdrawing."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Entry, Person, PersonState
from federation.uploads.models import Upload, UploadState
from federation.uploads.queries.analysis import Analysis, analyse
from federation.uploads.queries.lists import TAKES_RESULTS, repairs_made
from federation.uploads.registry import Effect
from federation.uploads.rows import FILE_REMARKS
from federation.uploads.services.commit import commit_upload, state_of, withdraw_upload
from federation.uploads.views.common import (
    next_address,
    of_address,
    page_context,
    refusal,
    steps,
    typed_text,
    upload_of,
    whole,
)

_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "|", "%")


@permission_required("uploads.commit", of_address)
@require_GET
def effect(request: HttpRequest, pk: int) -> HttpResponse:
    """Step 5: what storing does to everybody's rating, and the button that stores."""
    upload = upload_of(pk)
    if not upload.is_open:
        return redirect("upload-receipt", pk)
    analysis = analyse(upload)
    if not analysis.is_ready:
        return redirect(next_address(upload, analysis))
    return render(request, "uploads/effect.html", _effect_context(analysis))


def _effect_context(analysis: Analysis) -> dict[str, Any]:
    found = analysis.kind.effect(analysis.work)
    kinds = Counter(game.kind for game in analysis.reading.games)
    return {
        **page_context(analysis.upload, analysis.kind),
        "steps": steps("effect", analysis.upload, analysis),
        "analysis": analysis,
        "effect": found,
        "lines": _effect_lines(analysis, found) if found else [],
        "played": kinds["played"],
        "pending": kinds["pending"],
        "not_rated": kinds["bye"] + kinds["forfeit"],
        "people": len(set(analysis.work.people.values())),
        "remarks": [explain(issue, "uploads") for issue in analysis.remarks if issue.code not in FILE_REMARKS],
        "aside": len(analysis.upload.set_aside),
        "seen": state_of(analysis),
    }


def _effect_lines(analysis: Analysis, found: Effect) -> list[dict[str, Any]]:
    """Return the effect by person with names; people of the file first, in the order of the change."""
    people = Person.objects.select_related("club").in_bulk([row.person for row in found.rows if row.person > 0])
    new = {match.person: match for match in analysis.matches if match.how == "new"}
    own = set(analysis.work.people.values())
    lines = []
    for row in found.rows:
        person = people.get(row.person)
        match = new.get(row.person)
        if person is None and match is None:
            continue
        name = person.full_name if person else match.name if match else ""
        lines.append({"row": row, "person": person, "name": name, "own": row.person in own, "new": match is not None})
    return sorted(lines, key=lambda line: not line["own"])


@permission_required("uploads.commit", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def commit(request: HttpRequest, pk: int) -> HttpResponse:
    """Store the file, all or nothing, once. Whoever comes here without a form, after signing in, sees the file."""
    if request.method != "POST":
        return redirect("upload-detail", pk)
    user: Any = request.user
    upload = upload_of(pk)
    try:
        commit_upload(
            upload=upload,
            version=whole(request.POST.get("version"), -1),
            actor=user,
            seen=request.POST.get("seen", "")[:40],
        )
    except RuleError as error:
        messages.error(request, refusal(error))
        return redirect("upload-detail", pk)
    return redirect("upload-receipt", pk)


@permission_required("uploads.commit", of_address)
@require_GET
def receipt(request: HttpRequest, pk: int) -> HttpResponse:
    """Step 6: what happened to each row; kept, to be printed or taken along."""
    upload = upload_of(pk)
    if upload.is_open:
        return redirect("upload-detail", pk)
    if request.GET.get("format") == "csv":
        return _csv(upload)
    return _receipt_page(request, upload)


def _receipt_page(request: HttpRequest, upload: Upload, *, reason: str = "", error: str = "") -> HttpResponse:
    people = upload.receipt.get("people", [])
    persons = Person.objects.select_related("merged_into").in_bulk({one["person"] for one in people})
    shown = [
        {**one, "record": (record.merged_into or record) if (record := persons.get(one["person"])) else None}
        for one in people
    ]
    open_people = [
        one["record"] for one in shown if one["record"] is not None and one["record"].state == PersonState.PROVISIONAL
    ]
    can_withdraw = upload.state == UploadState.COMMITTED and (
        upload.event is None or upload.event.state in TAKES_RESULTS
    )
    context = {
        **page_context(upload),
        "steps": steps("receipt", upload),
        "rows": upload.receipt.get("rows", []),
        "counts": upload.receipt.get("counts", {}),
        "people": shown,
        "provisional": list({person.pk: person for person in open_people}.values()),
        "repairs": repairs_made(upload),
        "words": _words(),
        "files": list(upload.files.order_by("position", "pk")),
        "can_withdraw": can_withdraw,
        "is_withdrawn": upload.state == UploadState.WITHDRAWN,
        "stay": _staying(upload),
        "is_rejected": upload.state == UploadState.REJECTED,
        "reason": reason,
        "error": error,
    }
    return render(request, "uploads/receipt.html", context, status=422 if error else 200)


def _staying(upload: Upload) -> list[Entry]:
    """Return the entries that a withdrawn file brought and that stay, withdrawn from the start."""
    if upload.state != UploadState.WITHDRAWN or upload.event is None:
        return []
    made = Entry.objects.filter(pk__in=upload.receipt.get("undo", {}).get("entries", ()), withdrawn_after=0)
    return list(made.select_related("person__merged_into").order_by("number", "pk"))


def _words() -> dict[str, str]:
    return {
        "stored": _("stored"),
        "known": _("was there already"),
        "nothing": _("absent: nothing to store"),
        "aside": _("set aside"),
    }


def _csv(upload: Upload) -> HttpResponse:
    words = _words()
    content = io.StringIO()
    writer = csv.writer(content)
    writer.writerow(["file", "row", "result", "text", "reason"])
    for row in upload.receipt.get("rows", []):
        cells = [row["file"], row["line"], words.get(row["what"], row["what"]), row["text"], row.get("reason", "")]
        writer.writerow([_safe(cell) for cell in cells])
    response = HttpResponse("\ufeff" + content.getvalue(), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="receipt-{upload.pk}.csv"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


def _safe(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    text = value if isinstance(value, str) else ""
    return f"'{text}" if text.lstrip().startswith(_DANGEROUS) or text.startswith(_DANGEROUS) else value


@permission_required("uploads.commit", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    """Take back what the file brought, with a reason."""
    if request.method != "POST":
        return redirect("upload-detail", pk)
    user: Any = request.user
    upload = upload_of(pk)
    reason = typed_text(request.POST.get("reason"), 1000)
    try:
        withdraw_upload(upload=upload, reason=reason, actor=user)
    except RuleError as error:
        if error.where == "reason":
            return _receipt_page(request, upload, reason=reason, error=refusal(error))
        messages.error(request, refusal(error))
        return redirect("upload-receipt", pk)
    messages.success(request, _("The file is withdrawn: its results no longer count."))
    return redirect("upload-receipt", pk)
