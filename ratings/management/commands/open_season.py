"""Prepare the first list of a season, and publish it if asked to."""

from __future__ import annotations

from federation.accounts.models import User
from federation.jobs.models import Job
from federation.registry.models import Season
from ratings.management.season_command import SeasonCommand
from ratings.models import PublishedList, SeasonTask
from ratings.services.publishing import publish_prepared
from ratings.services.seasons import prepare_opening, published_by_task


class Command(SeasonCommand):
    help = "Prepare the first list of a season, and publish it if asked to. A second time nothing happens."

    def prepare(self, season: Season, actor: User | None) -> Job:
        return prepare_opening(season=season, actor=actor)

    def publish(self, season: Season, actor: User) -> PublishedList:
        return publish_prepared(season=season, kind=SeasonTask.Kind.OPEN, actor=actor)

    def published(self, season: Season) -> PublishedList | None:
        return published_by_task(season, SeasonTask.Kind.OPEN)
