"""Handlers of the background jobs of the ratings."""

from __future__ import annotations

from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _

from federation.jobs.models import Job
from federation.jobs.registry import register
from federation.jobs.services import JobContext
from ratings.models import SeasonTask
from ratings.services import seasons
from ratings.services.passes import VERIFY_JOB, run_verification


def close_season(context: JobContext) -> dict[str, Any]:
    """Prepare the last list of a season."""
    return seasons.run_season_task(context, SeasonTask.Kind.CLOSE)


def open_season(context: JobContext) -> dict[str, Any]:
    """Prepare the first list of a season."""
    return seasons.run_season_task(context, SeasonTask.Kind.OPEN)


def _page(name: str, job: Job) -> str:
    """Return the address of the page of a season, or of the job itself where that page does not exist."""
    try:
        return reverse(name, args=[job.key])
    except NoReverseMatch:
        return reverse("job-detail", args=[job.pk])


def register_jobs() -> None:
    """Make the kinds of work known; called when the application starts."""
    register(
        seasons.CLOSE_JOB,
        close_season,
        _("Close a season"),
        permission="ratings.close_season",
        page=lambda job: _page("scrabble-season-close", job),
    )
    register(
        seasons.OPEN_JOB,
        open_season,
        _("Open a season"),
        permission="ratings.close_season",
        page=lambda job: _page("scrabble-season-open", job),
    )
    register(
        seasons.EDITION_JOB,
        seasons.run_edition,
        _("Prepare an edition"),
        permission="ratings.publish_list",
        page=lambda job: reverse("scrabble-season-edition", args=[job.key.partition(" ")[0]]),
    )
    register(
        VERIFY_JOB,
        run_verification,
        _("Verify a list"),
        permission="ratings.run_rating",
        page=lambda job: reverse("scrabble-list-verify", args=[int(job.key)]),
    )
    register(seasons.RECOMPUTE_JOB, seasons.run_recompute, _("Recompute the ratings"), permission="ratings.run_rating")
