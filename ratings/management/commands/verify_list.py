"""Recompute a published list from its recorded inputs."""

from __future__ import annotations

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from ratings.models import ListState, PublishedList
from ratings.services.runs import current_system
from ratings.services.verify import verify_list


class Command(BaseCommand):
    help = "Recompute a published list from its recorded inputs: identical, or where not. Exit status 1 if not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("number", type=int, help="number of the list")

    def handle(self, *args: Any, **options: Any) -> None:
        published = (
            PublishedList.objects.filter(system=current_system(), number=options["number"], state=ListState.PUBLISHED)
            .select_related("run__system", "season", "rule_set", "previous")
            .first()
        )
        if published is None:
            raise CommandError(f"There is no published list with the number {options['number']}.")
        done = verify_list(published)
        for finding in done.findings:
            self.stdout.write(f"DIFFERENT {finding}")
        figures = f"{done.events} events, {done.lines} lines of the ledger, {done.rows} rows"
        if done.identical:
            self.stdout.write(f"list {published.number}: identical ({figures})")
            return
        self.stdout.write(f"list {published.number}: {len(done.findings)} differences ({figures})")
        sys.exit(1)
