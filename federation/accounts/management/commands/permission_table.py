"""Print or write the table of permissions."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from federation.accounts.permission_table import permission_table


class Command(BaseCommand):
    help = "Prints the table of permissions, or writes it to docs/permissions.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--write", action="store_true", help="write docs/permissions.md")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["write"]:
            self.stdout.write(permission_table())
            return
        path = settings.BASE_DIR / "docs" / "permissions.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text(permission_table(), encoding="utf-8")
        self.stdout.write(f"Wrote {path.relative_to(settings.BASE_DIR)}")
