"""The desk of the seasons: where each stands, what is due; reopening, recomputing, verifying."""

from __future__ import annotations

from functools import partial

from django.db import models
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from federation.accounts.permissions import permission_required
from federation.jobs.queries import last_job
from federation.registry.models import SeasonState
from ratings.forms.seasons import ReasonForm
from ratings.models import ListState, PublishedList
from ratings.presenters.lists import groups
from ratings.queries import season_desk
from ratings.queries.runs import last_run
from ratings.services.passes import VERIFY_JOB, request_verification
from ratings.services.runs import current_system
from ratings.services.seasons import RECOMPUTE_JOB, reopen_season, request_recompute
from ratings.views.desk_common import attempt
from ratings.views.public_common import list_address
from ratings.views.seasons_common import system_and_season


@permission_required("ratings.close_season")
@require_safe
@never_cache
def season_list(request: HttpRequest) -> HttpResponseBase:
    """All seasons with their state, lists and what waits, and whether the ratings are up to date."""
    try:
        system = current_system()
    except models.ObjectDoesNotExist as error:
        raise Http404 from error
    run = last_run(system)
    lines = season_desk.season_lines(system, timezone.localdate())
    drafts = [draft for line in lines for draft in line.drafts]
    in_force = next((one for line in lines for one in line.lists if one.pk == system.current_list_id), None)
    context = {
        "system": system,
        "lines": lines,
        "due": [line for line in lines if line.is_due],
        "corrected": [draft for draft in drafts if draft.corrects_id],
        "in_force": in_force,
        "in_force_address": list_address(in_force) if in_force else "",
        "run": run,
        "run_fingerprint": groups(run.fingerprint) if run else "",
        "is_dirty": run is None or system.dirty_date is not None or run.facts_version != system.facts_version,
        "dirty_event": season_desk.changed_since(system),
        "jobs": season_desk.active_jobs([RECOMPUTE_JOB]),
    }
    return render(request, "ratings/seasons/list.html", context)


@permission_required("ratings.run_rating")
@require_POST
def recompute(request: HttpRequest) -> HttpResponseBase:
    """Ask for a run: from the first event that changed, or from the very first one."""
    job = request_recompute(actor=request.user, full=request.POST.get("full") == "1")
    return redirect("job-detail", job.pk)


@permission_required("ratings.reopen_season")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def reopen(request: HttpRequest, season: str) -> HttpResponseBase:
    """Open a closed season again, with a reason."""
    _system, row = system_and_season(season)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        action = partial(reopen_season, season=row, actor=request.user, reason=form.cleaned_data["reason"])
        done = _("Season %(season)s is open again. Its published lists stay.") % {"season": row}
        attempt(request, action, done)
        return redirect("scrabble-seasons")
    context = {"season": row, "form": form, "is_closed": row.state == SeasonState.CLOSED}
    return render(request, "ratings/seasons/reopen.html", context, status=422 if form.errors else 200)


@permission_required("ratings.run_rating")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def verify(request: HttpRequest, number: int) -> HttpResponseBase:
    """Recompute a published list from its recorded inputs and say identical or where not."""
    published = get_object_or_404(
        PublishedList.objects.select_related("season", "rule_set", "run").defer("run__opening", "run__warnings"),
        system__code=current_system().code,
        state=ListState.PUBLISHED,
        number=number,
    )
    if request.method == "POST":
        attempt(request, partial(request_verification, published=published, actor=request.user))
        return redirect("scrabble-list-verify", number)
    job = last_job(VERIFY_JOB, str(number))
    context = {
        "published": published,
        "address": list_address(published),
        "job": job,
        "result": job.result if job and "identical" in job.result else None,
        "fingerprint": groups(published.fingerprint, 16),
        "inputs": groups(published.run.fingerprint, 16),
    }
    template = "ratings/seasons/_verify.html" if request.GET.get("part") == "run" else "ratings/seasons/verify.html"
    return render(request, template, context)
