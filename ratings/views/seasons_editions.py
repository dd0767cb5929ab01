"""Lists within a season: regular editions, corrected ones, and the look of a draft before readers have it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from federation.accounts.permissions import permission_required
from federation.jobs.models import Job, JobState
from federation.registry.models import Season
from federation.web.formats import export_format
from ratings.forms.seasons import MOST_TEXT, EditionForm
from ratings.models import Correction, ListKind, ListState, PublishedList
from ratings.presenters.rules import rules_of
from ratings.presenters.season_checks import passes_of
from ratings.queries import pages_lists, season_desk
from ratings.services.seasons import EDITION_JOB, prepare_edition
from ratings.tables.drafts import DraftTable
from ratings.views.desk_common import attempt
from ratings.views.seasons_common import DraftPage, publish, system_and_season, withdraw

_STEP = {"nothing": 1, "running": 2, "failed": 2, "prepared": 3}
_PAGES = {
    ListKind.CLOSE: "scrabble-season-close",
    ListKind.OPENING: "scrabble-season-open",
    ListKind.REGULAR: "scrabble-season-edition",
}


@permission_required("ratings.publish_list")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def edition(request: HttpRequest, season: str) -> HttpResponseBase:
    """A regular list of a season as of a day."""
    _system, row = system_and_season(season)
    today = timezone.localdate()
    step = request.POST.get("step", "") if request.method == "POST" else ""
    draft = season_desk.draft_of(season=row, kind=ListKind.REGULAR)
    prepared = draft.as_of if draft else None
    form = EditionForm(request.POST if step == "prepare" else None, season=row, today=today, prepared=prepared)
    if request.method == "POST":
        answer = _edition_step(request, row, form, step)
        if answer is not None:
            return answer
    job = season_desk.edition_job(row, EDITION_JOB)
    state = _state(job, draft)
    context: dict[str, Any] = {
        "season": row,
        "form": form,
        "job": job,
        "state": state,
        "step": _STEP[state],
        "passes": passes_of(job) if job and state != "nothing" else None,
    }
    if request.GET.get("part") == "run":
        return render(request, "ratings/seasons/_run.html", context)
    if draft is not None and state == "prepared":
        page = DraftPage(request, draft)
        if export_format(request):
            return page.export()
        context |= page.context()
    return render(request, "ratings/seasons/edition.html", context, status=422 if form.errors else 200)


def _state(job: Job | None, draft: PublishedList | None) -> str:
    if job and job.is_active:
        return "running"
    if job and job.state == JobState.FAILED:
        return "failed"
    return "prepared" if draft else "nothing"


def _edition_step(request: HttpRequest, season: Season, form: EditionForm, step: str) -> HttpResponseBase | None:
    """Take a step; None shows the form again with what is wrong."""
    if step == "prepare":
        if not form.is_valid():
            return None
        as_of = form.cleaned_data["as_of"]
        attempt(request, partial(prepare_edition, season=season, as_of=as_of, actor=request.user))
    elif step == "publish":
        published = publish(request)
        if published is not None:
            return redirect("scrabble-seasons")
    elif step == "withdraw":
        withdraw(request)
    else:
        raise PermissionDenied
    return redirect("scrabble-season-edition", season.code)


@permission_required("ratings.publish_list")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def draft(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A corrected list that waits, with its erratum; other drafts have the page of their season."""
    row = season_desk.draft_of(pk=pk)
    if request.method == "POST":
        return _draft_step(request, pk)
    if row is None:
        raise Http404
    if row.state == ListState.PUBLISHED:
        return redirect("scrabble-list", row.season.code, row.number)
    if row.kind != ListKind.CORRECTION:
        return redirect(_PAGES[ListKind(row.kind)], row.season.code)
    page = DraftPage(request, row)
    if export_format(request):
        return page.export()
    corrections = _corrections(row)
    reason = "\n".join(dict.fromkeys(one.reason.strip() for one in corrections if one.reason.strip()))
    context = {
        **page.context(),
        "corrections": corrections,
        "reason": reason[:MOST_TEXT],
        "is_correction": True,
        "step": 3,
    }
    return render(request, "ratings/seasons/correction.html", context)


def _draft_step(request: HttpRequest, pk: int) -> HttpResponseBase:
    step = request.POST.get("step", "")
    if step == "publish":
        published = publish(request)
        if published is None:
            return redirect("scrabble-draft", pk)
        erratum = getattr(published, "erratum", None)
        return redirect("scrabble-erratum", erratum.number) if erratum else redirect("scrabble-seasons")
    if step == "withdraw":
        withdraw(request)
        return redirect("scrabble-seasons")
    raise PermissionDenied


def _corrections(row: PublishedList) -> list[Correction]:
    """Return the corrections that the erratum will name."""
    since = row.corrects.published_at if row.corrects else None
    if since is None:
        return []
    return list(
        Correction.objects.filter(state=Correction.State.APPLIED, errata=None, decided_at__gte=since)
        .select_related("event")
        .order_by("decided_at", "pk")
    )


@permission_required("ratings.publish_list")
@require_safe
@never_cache
def preview(request: HttpRequest, pk: int) -> HttpResponseBase:
    """A draft as readers will see it."""
    row = season_desk.draft_of(pk=pk)
    if row is None:
        raise Http404
    if row.state == ListState.PUBLISHED:
        return redirect("scrabble-list", row.season.code, row.number)
    table = DraftTable(
        pages_lists.rows_of(row), edition=row, rules=rules_of(row.rule_set), caption=_("Draft of the BARRUF ranking")
    )
    table.count = row.counts.get("rows")
    table.for_request(request)
    address = _PAGES.get(ListKind(row.kind))
    context = {"draft": row, "table": table, "address": address}
    return render(request, "ratings/seasons/preview.html", context)
