"""Pages about the site itself, and those that machines read."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone

from federation.jobs.models import Job, JobState
from federation.jobs.queries import broker_answers, lost_jobs
from federation.jobs.timing import waiting_too_long
from federation.web import menu


def privacy(request: HttpRequest) -> HttpResponse:
    """What is stored, what is published."""
    return render(request, "web/privacy.html", {})


def accessibility(request: HttpRequest) -> HttpResponse:
    """What was tested, what is not good yet."""
    return render(request, "web/accessibility.html", {})


def open_data(request: HttpRequest) -> HttpResponse:
    """Formats and addresses."""
    return render(request, "web/open_data.html", {"addresses": menu.open_data(), "base_url": settings.BASE_URL})


def robots(request: HttpRequest) -> HttpResponse:
    """What search engines leave alone: the desk, the exports, the search."""
    lines = [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /account/",
        "Disallow: /desk/",
        "Disallow: /jobs/",
        "Disallow: /search/",
        "Disallow: /*?*format=",
        "Disallow: /*?*sort=",
    ]
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


def health(request: HttpRequest) -> JsonResponse:
    """Whether the site can work: database, migrations, broker, age of the queue. 200 or 503, for the supervisor."""
    report: dict[str, Any] = {"status": "ok", "database": "ok"}
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        report["migrations"] = _migrations()
        report["jobs"] = _jobs()
    except DatabaseError:
        report["database"] = "unreachable"
    if report["database"] != "ok" or report.get("migrations") == "missing":
        report["status"] = "failing"
    elif report["jobs"]["lost"] or report["jobs"]["waits_too_long"] or report["jobs"].get("broker") == "unreachable":
        report["status"] = "degraded"
    response = JsonResponse(report, status=503 if report["status"] == "failing" else 200)
    response["Cache-Control"] = "no-store"
    return response


health.without_database = True  # type: ignore[attr-defined]

_migrated = False


def _migrations() -> str:
    """Return whether all migrations have run; once they have, they are not asked for again."""
    global _migrated  # noqa: PLW0603 - a process never goes back behind its own migrations
    if not _migrated:
        executor = MigrationExecutor(connection)
        _migrated = not executor.migration_plan(executor.loader.graph.leaf_nodes())
    return "ok" if _migrated else "missing"


def _jobs() -> dict[str, Any]:
    oldest = Job.objects.filter(state=JobState.QUEUED).order_by("created_at", "pk").values_list("created_at", flat=True)
    first = oldest.first()
    age = int((timezone.now() - first).total_seconds()) if first else 0
    report: dict[str, Any] = {
        "oldest_waiting_seconds": max(0, age),
        "waits_too_long": age > waiting_too_long().total_seconds(),
        "lost": lost_jobs().count(),
    }
    if settings.JOBS_BACKEND == "celery":
        report["broker"] = "ok" if broker_answers() else "unreachable"
    return report
