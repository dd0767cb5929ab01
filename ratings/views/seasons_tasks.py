"""Closing and opening a season, guided: checks, run, difference, publication."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.jobs.models import Job, JobState
from federation.jobs.queries import last_job
from federation.problems import explain
from federation.registry.models import Season, SeasonState
from federation.web.formats import export_format
from ratings.models import PublishedList, RatingSystem, SeasonTask
from ratings.presenters.rules import rules_of
from ratings.presenters.season_checks import check_lines, passes_of
from ratings.presenters.season_difference import rows_of
from ratings.queries import season_desk
from ratings.services.seasons import CLOSE_JOB, OPEN_JOB, prepare_close, prepare_opening, season_checks
from ratings.views.desk_common import attempt
from ratings.views.public_common import list_address
from ratings.views.seasons_common import DraftPage, publish, system_and_season, withdraw

CLOSE, OPEN = SeasonTask.Kind.CLOSE, SeasonTask.Kind.OPEN
_JOBS: Final = {CLOSE: CLOSE_JOB, OPEN: OPEN_JOB}
_PREPARE: Final = {CLOSE: prepare_close, OPEN: prepare_opening}
_ADDRESS: Final = {CLOSE: "scrabble-season-close", OPEN: "scrabble-season-open"}
#: Checks that matter for an opening; the others are about results, which a season that opens has not yet.
_OF_OPENING: Final = ("earlier_season_open", "results_changed", "jobs_running")
#: Which step is the current one; published: none.
_STEP: Final = {"nothing": 1, "running": 2, "failed": 2, "prepared": 3, "published": 5}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the close or the opening of a season stands.

    Attributes:
        state: ``nothing``, ``running``, ``failed``, ``prepared`` or ``published``.
    """

    season: Season
    kind: SeasonTask.Kind
    task: SeasonTask | None
    job: Job | None
    draft: PublishedList | None
    state: str


def standing(season: Season, kind: SeasonTask.Kind) -> Standing:
    """Return where a task stands; what the rows say, not what a page showed before."""
    task = season_desk.season_task(season, kind)
    job = last_job(_JOBS[kind], season.code)
    draft = season_desk.draft_of(pk=task.draft_id) if task and task.draft_id else None
    if task and task.state == SeasonTask.State.PUBLISHED:
        state = "published"
    elif job and job.is_active:
        state = "running"
    elif job and job.state == JobState.FAILED:
        state = "failed"
    elif task and draft and task.state == SeasonTask.State.PREPARED:
        state = "prepared"
    else:
        state = "nothing"
    return Standing(season, kind, task, job, draft, state)


@permission_required("ratings.close_season")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def season_close(request: HttpRequest, season: str) -> HttpResponseBase:
    """Close a season."""
    return _task(request, season, CLOSE)


@permission_required("ratings.close_season")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def season_open(request: HttpRequest, season: str) -> HttpResponseBase:
    """Open a season."""
    return _task(request, season, OPEN)


def _task(request: HttpRequest, code: str, kind: SeasonTask.Kind) -> HttpResponseBase:
    system, season = system_and_season(code)
    if request.method == "POST":
        _step(request, season, kind)
        return redirect(_ADDRESS[kind], season.code)
    now = standing(season, kind)
    if request.GET.get("part") == "run":
        return render(request, "ratings/seasons/_run.html", {"now": now, **_run_context(now)})
    checks = [check for check in season_checks(season) if kind == CLOSE or check.code in _OF_OPENING]
    page = DraftPage(request, now.draft, checks) if now.draft and now.state in ("prepared", "published") else None
    if page and export_format(request):
        return page.export()
    return _page(request, system, now, checks, page)


def _step(request: HttpRequest, season: Season, kind: SeasonTask.Kind) -> None:
    step = request.POST.get("step", "")
    if step == "prepare":
        attempt(request, partial(_PREPARE[kind], season=season, actor=request.user))
    elif step == "publish":
        published = publish(request)
        if published is not None and published.season_id != season.pk:
            messages.warning(request, _("This list belongs to another season."))
    elif step == "withdraw":
        withdraw(request)
    else:
        raise PermissionDenied


def _run_context(now: Standing) -> dict[str, Any]:
    job = now.job
    return {
        "job": job,
        "passes": passes_of(job) if job and now.state != "nothing" else None,
        "state": now.state,
    }


def _page(
    request: HttpRequest, system: RatingSystem, now: Standing, checks: list[Any], page: DraftPage | None
) -> HttpResponse:
    season, kind = now.season, now.kind
    lines = check_lines(checks, request.user)
    following = season_desk.following_season(season) if kind == CLOSE else None
    context = {
        "system": system,
        "season": season,
        "now": now,
        "kind": kind.value,
        "is_close": kind == CLOSE,
        "as_of": season.ends_on if kind == CLOSE else season.starts_on,
        "step": _STEP[now.state],
        "checks": lines,
        "fine_count": sum(line.tone == "yes" for line in lines),
        "warning_count": sum(check.severity == "warning" for check in checks),
        "refusal": _refusal(season, kind) if now.state != "published" else "",
        "following": following,
        "later": season_desk.later_list(system, season.ends_on if kind == CLOSE else season.starts_on),
        **_run_context(now),
    }
    if page is not None:
        context |= page.context()
        context |= _effects(page, kind, following)
        if now.state == "published":
            context["list_address"] = list_address(page.draft)
    return render(request, "ratings/seasons/task.html", context)


def _refusal(season: Season, kind: SeasonTask.Kind) -> str:
    """Say why nothing can be prepared, empty if it can."""
    if season.state == SeasonState.CLOSED:
        return explain(RuleError("season_closed", {"season": str(season)}))
    if kind == OPEN and (before := season_desk.earlier_open_season(season)):
        return explain(RuleError("earlier_season_open", {"season": str(before)}))
    return ""


def _effects(page: DraftPage, kind: SeasonTask.Kind, following: Season | None) -> dict[str, Any]:
    """Say who turns inactive: with this list, or once the next season opens."""
    if kind == OPEN:
        gone = page.filter.reasons["turned_inactive"]
        return {"inactive": rows_of(gone, page.known(gone))}
    if following is None:
        return {}
    first = following.start_year - (rules_of(page.draft.rule_set).active_seasons - 1)
    return {"inactive_next": season_desk.without_game_since(page.draft, first)}
