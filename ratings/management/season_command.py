"""What the commands for closing and opening a season share."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation.accounts.models import User
from federation.core.errors import RuleError
from federation.jobs.models import Job, JobState
from federation.problems import explain
from federation.registry.models import Season
from ratings.models import PublishedList
from ratings.services.runs import current_system
from ratings.services.seasons import season_checks


class SeasonCommand(BaseCommand):
    """Prepares by a job in this process; publishes if asked to."""

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the season, and who publishes."""
        parser.add_argument("season", help="code of the season, as 2025-26")
        parser.add_argument("--publish", action="store_true", help="publish the list that was prepared")
        parser.add_argument("--by", metavar="USER", help="account that publishes")

    def prepare(self, season: Season, actor: User | None) -> Job:
        """Ask for the preparation."""
        raise NotImplementedError

    def publish(self, season: Season, actor: User) -> PublishedList:
        """Publish what was prepared."""
        raise NotImplementedError

    def published(self, season: Season) -> PublishedList | None:
        """Return the list if it is published already."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, say what was found, and publish if asked to."""
        season = Season.objects.filter(discipline=current_system().discipline_id, code=options["season"]).first()
        if season is None:
            raise CommandError(f"There is no season {options['season']}.")
        actor = self._actor(options)
        try:
            done = self.published(season)
            if done is not None:
                self.stdout.write(f"{season.code}: list {done.number} is published already, nothing to do")
                return
            self._prepare(season)
            if options["publish"] and actor is not None:
                published = self.publish(season, actor)
                self.stdout.write(f"published list {published.number}, fingerprint {published.fingerprint}")
        except RuleError as error:
            raise CommandError(explain(error)) from error

    def _actor(self, options: dict[str, Any]) -> User | None:
        if not options["publish"]:
            return None
        if not options["by"]:
            raise CommandError("Say who publishes: --by USER.")
        actor = User.objects.filter(username=options["by"], is_active=True).first()
        if actor is None:
            raise CommandError(f"There is no account {options['by']}.")
        if not actor.has_perm("ratings.publish_list"):
            raise CommandError(f"{options['by']} may not publish lists.")
        return actor

    def _prepare(self, season: Season) -> None:
        for check in season_checks(season):
            if check.count:
                self.stdout.write(f"{check.severity}: {check.code} ({check.count})")
                for item in check.items[:10]:
                    self.stdout.write(f"    {item.label} {' '.join(item.detail)}".rstrip())
        # The command waits for its work, whatever does the work of the site.
        backend, settings.JOBS_BACKEND = settings.JOBS_BACKEND, "inline"
        try:
            job = self.prepare(season, None)
        finally:
            settings.JOBS_BACKEND = backend
        job.refresh_from_db()
        if job.state != JobState.DONE:
            raise CommandError(job.failure or f"Job {job.pk} is {job.state}.")
        draft = PublishedList.objects.select_related("run").get(pk=job.result["draft"])
        self.stdout.write(
            f"prepared draft {draft.pk} as of {draft.as_of.isoformat()}: {draft.counts['ranked']} ranked, "
            f"{draft.counts['provisional']} provisional, {draft.counts['inactive']} inactive, "
            f"{job.result['changed']} changed, {len(job.result['turned_inactive'])} turn inactive\n"
            f"run {draft.run_id}, fingerprint {draft.run.fingerprint}, outcome {draft.run.outcome}\n"
            f"list fingerprint {draft.fingerprint}"
        )
