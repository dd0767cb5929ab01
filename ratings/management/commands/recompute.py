"""Replay what is stale, or everything."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation.core.errors import RuleError
from federation.problems import explain
from ratings.services.runs import compute_run, current_system


class Command(BaseCommand):
    help = "Replay the results that changed and record a run. Publishes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--full", action="store_true", help="replay from the first event")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            run = compute_run(system=current_system(), full=options["full"])
        except RuleError as error:
            raise CommandError(explain(error)) from error
        counts = run.counts
        self.stdout.write(
            f"run {run.pk}: {counts['events']} events, {counts['eligible']} count, {counts['games']} games, "
            f"{run.reused_events} taken over\nfingerprint {run.fingerprint}\noutcome     {run.outcome}"
        )
