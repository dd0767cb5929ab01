"""Pages of background work."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import resolve
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from federation.jobs.models import Job, JobState
from federation.jobs.queries import jobs_in_state
from federation.jobs.registry import find_kind
from federation.jobs.services import retry_job

JOBS_PER_PAGE = 50


@require_safe
@never_cache
@login_required
def job_list(request: HttpRequest) -> HttpResponse:
    """List background work, newest first."""
    _require(request.user.has_perm("jobs.view"))
    state = request.GET.get("state", "")
    state = state if state in JobState.values else ""
    page = Paginator(jobs_in_state(state), JOBS_PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "jobs/list.html", {"page": page, "state": state, "states": JobState.choices})


@require_safe
@never_cache
@login_required
def job_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one piece of work: the whole page, its progress alone (``?part=progress``), or ``?format=json``."""
    job = get_object_or_404(Job.objects.select_related("requested_by"), pk=pk)
    _require(request.user.has_perm("jobs.view", job))
    if request.GET.get("format") == "json":
        return JsonResponse(_as_json(job))
    if request.GET.get("part") == "progress":
        return render(request, "jobs/_progress.html", {"job": job})
    context = {
        "job": job,
        "may_list": request.user.has_perm("jobs.view"),
        "may_retry": job.state == JobState.FAILED and _may_retry(request.user, job),
        "page_url": _page_of(request.user, job),
    }
    return render(request, "jobs/detail.html", context)


@require_POST
@login_required
def job_retry(request: HttpRequest, pk: int) -> HttpResponse:
    """Start failed work once more."""
    job = get_object_or_404(Job, pk=pk)
    _require(_may_retry(request.user, job))
    if job.state != JobState.FAILED:
        messages.info(request, _("Only failed work is tried again; this one is not."))
        return redirect("job-detail", pk=pk)
    return redirect("job-detail", pk=retry_job(job=job, actor=request.user).pk)


def _may_retry(user: Any, job: Job) -> bool:
    kind = find_kind(job.kind)
    if kind is None:
        return False
    return bool(user.has_perm(kind.permission)) if kind.permission else bool(user.has_perm("jobs.retry", job))


def _page_of(user: Any, job: Job) -> str:
    """Return the address of the page of a piece of work, empty if there is none or the account may not open it."""
    kind = find_kind(job.kind)
    if kind is None or kind.page is None:
        return ""
    address = kind.page(job)
    needed = getattr(resolve(address).func, "required_permission", "")
    return address if not needed or user.has_perm(needed) else ""


def _require(allowed: bool) -> None:
    if not allowed:
        raise PermissionDenied


def _as_json(job: Job) -> dict[str, Any]:
    moments = {"created": job.created_at, "started": job.started_at, "finished": job.finished_at}
    return {
        "id": job.pk,
        "kind": job.kind,
        "title": job.title,
        "key": job.key,
        "state": job.state,
        "percent": job.percent,
        "done": job.done_steps,
        "total": job.total_steps,
        "stage": job.stage,
        "log": [line["text"] for line in job.log],
        "failure": job.failure,
        "result": job.result,
        "attempt": job.attempt,
        **{name: moment.isoformat() if moment else None for name, moment in moments.items()},
    }
