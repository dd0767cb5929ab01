"""Load the sample federation."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation.registry.models import Person
from ratings.demo.load import load


class Command(BaseCommand):
    help = "Load the sample federation: 4 seasons of scrabble, rated and published."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--if-empty", action="store_true", help="do nothing if the register has people already")

    def handle(self, *args: Any, **options: Any) -> None:
        if Person.objects.exists():
            if options["if_empty"]:
                return
            raise CommandError("The register has people already; the sample goes into an empty site only.")
        if settings.HTTPS:
            raise CommandError(
                "BAREM_HTTPS is on: a public site never takes the sample, whose passwords everybody knows."
            )
        # The command ends when the sample stands: its jobs are worked off here, not by a thread or a worker.
        settings.JOBS_BACKEND = "inline"
        self.stdout.write("Loading the sample federation …")
        load(say=lambda text: self.stdout.write(f"  {text}"))
