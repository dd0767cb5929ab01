"""Make a local site ready to serve: database, sample federation, address and logins, in one start of the program."""

from __future__ import annotations

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser


class Command(BaseCommand):
    help = "Migrate, load the sample federation into an empty site, and print the address and the logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/")

    def handle(self, *args: Any, **options: Any) -> None:
        call_command("migrate", verbosity=0)
        call_command("load_demo", if_empty=True)
        call_command("show_logins", address=options["address"])
