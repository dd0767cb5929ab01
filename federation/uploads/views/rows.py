"""Step 3: the rows of the file with everything wrong in them; cells mended, rows set aside, warnings found right.

The whole table is one form: whichever button is pressed, everything typed is stored, so no correction is lost. When
something cannot be stored, what was typed stays on the page.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.uploads.models import Upload
from federation.uploads.queries.analysis import Analysis, analyse, mark_of
from federation.uploads.queries.lists import repairs_made
from federation.uploads.rows import PAGE, SHOWS, Place, RowsView, Typed, files_of, rows_view
from federation.uploads.services.repairs import Aside, Cell, cell_text, mend
from federation.uploads.views.common import of_address, page_context, refusal, steps, typed_text, upload_of, whole

MOST_LINKS = 30
"""Most problems that the head of the page lists; all of them stand at their rows."""


@permission_required("uploads.commit", of_address)
@require_http_methods(["GET", "HEAD", "POST"])
def rows(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the rows; store what was typed."""
    upload = upload_of(pk)
    if not upload.is_open:
        return redirect("upload-receipt", pk)
    analysis = analyse(upload)
    if request.method != "POST":
        edit = _place(request.GET.get("edit"))
        return _page(request, analysis, Typed(edit=(edit[0], edit[1]) if edit else None))
    return _store(request, upload, analysis)


def _store(request: HttpRequest, upload: Upload, analysis: Analysis) -> HttpResponse:
    files = files_of(analysis)
    typed = _typed(request, analysis, files)
    user: Any = request.user
    try:
        mended = mend(
            upload=upload,
            version=whole(request.POST.get("version"), -1),
            actor=user,
            cells=[Cell(files[file], line, column, text) for (file, line, column), text in typed.cells.items()],
            aside=_asides(request, files, typed),
            back=[(files[file], line) for file, line, _c in _places(request, "back") if file < len(files)],
            confirm=_marks(request, analysis),
            doubt=request.POST.getlist("doubt"),
        )
    except RuleError as error:
        return _refused(request, upload, typed, error)
    analysis = analyse(upload_of(mended.pk))
    edit = _place(request.POST.get("edit"))
    if edit is not None:
        return _page(request, analysis, Typed(edit=(edit[0], edit[1])), saved=bool(typed.cells))
    if "next" in request.POST and not (analysis.errors or analysis.to_confirm):
        return redirect("upload-people" if analysis.undecided or analysis.matches else "upload-effect", upload.pk)
    if request.headers.get("HX-Request"):
        return _page(request, analysis, Typed(), saved=True)
    where = _query(request)
    return redirect(reverse("upload-rows", args=[upload.pk]) + where + ("&" if where else "?") + "saved=1#work")


def _query(request: HttpRequest) -> str:
    kept = [f"{name}={value}" for name in ("show", "page") if (value := request.POST.get(name, "")).isalnum()]
    return "?" + "&".join(kept) if kept else ""


def _refused(request: HttpRequest, upload: Upload, typed: Typed, error: RuleError) -> HttpResponse:
    """Show the page again with what was typed; another person's changes are in it already."""
    status = 409 if error.code in ("upload_stale", "upload_closed") else 422
    fresh = upload_of(upload.pk)
    if not fresh.is_open:
        return redirect("upload-receipt", upload.pk)
    if error.code == "reason_missing":
        place = _place(request.POST.get("aside")) or (0, 0, 0)
        typed = Typed(typed.cells, typed.reasons, {(place[0], place[1]): refusal(error)}, (place[0], place[1]))
    return _page(request, analyse(fresh), typed, error=refusal(error), status=status)


def _typed(request: HttpRequest, analysis: Analysis, files: list[str]) -> Typed:
    """Return the cells whose text differs from what is stored, and the reasons."""
    stored = {(row.file, row.line): row for row in analysis.reading.rows}
    cells: dict[Place, str] = {}
    reasons: dict[tuple[int, int], str] = {}
    for name in request.POST:
        kind, _colon, rest = name.partition(":")
        place = _place(rest)
        if place is None or place[0] >= len(files):
            continue
        text = typed_text(request.POST.get(name))
        if kind == "c":
            row = stored.get((files[place[0]], place[1]))
            if row is not None and text != cell_text(row, place[2]):
                cells[place] = text
        elif kind == "r" and text.strip():
            reasons[place[0], place[1]] = text[:500]
    use = request.POST.get("use", "")
    place = _place(use.rpartition("=")[0])
    if place is not None and place[0] < len(files):
        cells[place] = typed_text(use.rpartition("=")[2])
    return Typed(cells, reasons)


def _asides(request: HttpRequest, files: list[str], typed: Typed) -> list[Aside]:
    return [
        Aside(files[file], line, typed.reasons.get((file, line), ""))
        for file, line, _c in _places(request, "aside")
        if file < len(files)
    ]


def _marks(request: HttpRequest, analysis: Analysis) -> list[str]:
    if "confirm_all" in request.POST:
        return [mark_of(issue) for issue in analysis.to_confirm]
    known = {mark_of(issue) for issue in analysis.to_confirm}
    return [mark for mark in request.POST.getlist("confirm") if mark in known]


def _places(request: HttpRequest, name: str) -> list[Place]:
    return [place for value in request.POST.getlist(name) if (place := _place(value)) is not None]


def _place(text: str | None) -> Place | None:
    """Return file, line and column of ``0:12:3``; the column may be missing."""
    parts = (text or "").split(":")
    if len(parts) not in (2, 3) or not all(part.isascii() and part.isdigit() and len(part) < 7 for part in parts):
        return None
    numbers = [int(part) for part in parts]
    return (numbers[0], numbers[1], numbers[2] if len(numbers) == 3 else 0)


def _problem_links(analysis: Analysis, view: RowsView) -> dict[str, Any]:
    """Return the first things that stop the file, with the row on this page that shows them."""
    anchors = {(view.files[row.file], row.line): f"#{row.anchor}" for row in view.rows}
    waiting = [*analysis.errors, *analysis.to_confirm]
    links = []
    for issue in waiting[:MOST_LINKS]:
        text = explain(issue, "uploads")
        if issue.line:
            text = _("Row %(line)s: %(text)s") % {"line": issue.line, "text": text}
        links.append((anchors.get((issue.file, issue.line), "") if issue.line else "", text))
    return {"problem_links": links, "more_problems": max(0, len(waiting) - MOST_LINKS)}


def _games(analysis: Analysis) -> dict[str, Any]:
    """Return what was read where the file has no rows of text."""
    names = {person.key: person.name for person in analysis.reading.people}
    halves = {0: "0", 1: "½", 2: "1"}
    games = []
    for game in analysis.reading.games[:PAGE]:
        other = None if game.result_a is None else 2 - game.result_a
        no_scores = game.score_a is None and game.score_b is None
        games.append(
            {
                "round": game.round,
                "a": names.get(game.a, game.a),
                "b": names.get(game.b or "", game.b or "") or f"({game.kind})",
                "score_a": halves.get(-1 if game.result_a is None else game.result_a, "")
                if no_scores
                else game.score_a,
                "score_b": halves.get(-1 if other is None or not game.b else other, "") if no_scores else game.score_b,
            }
        )
    return {"games": games, "more_games": max(0, len(analysis.reading.games) - PAGE)}


def _page(
    request: HttpRequest,
    analysis: Analysis,
    typed: Typed,
    *,
    error: str = "",
    status: int = 200,
    saved: bool = False,
) -> HttpResponse:
    values = request.POST if request.method == "POST" else request.GET
    show = values.get("show", "all")
    show = show if show in SHOWS else "all"
    page = max(1, whole(values.get("page"), 1))
    view = rows_view(analysis, show=show, page=page, typed=typed)
    counts = view.counts
    context = {
        **page_context(analysis.upload, analysis.kind),
        "steps": steps("rows", analysis.upload, analysis),
        "analysis": analysis,
        "view": view,
        "show": show,
        "page": min(page, counts["pages"]),
        "pages": range(1, counts["pages"] + 1),
        "chips": [
            (name, label, counts[name])
            for name, label in (
                ("all", _("All")),
                ("problems", _("Problems")),
                ("look", _("To confirm")),
                ("fine", _("Fine")),
                ("aside", _("Set aside")),
            )
            if counts[name] or name == "all"
        ],
        "error": error,
        "saved": saved or "saved" in request.GET,
        "repairs": repairs_made(analysis.upload),
        "waiting_count": len(analysis.errors) + len(analysis.to_confirm),
        **_problem_links(analysis, view),
        **({} if counts["all"] else _games(analysis)),
        "width": len(view.columns) + 2,
        "first": next((row for row in view.rows if row.is_next), None),
    }
    return render(request, "uploads/rows.html", context, status=status)
