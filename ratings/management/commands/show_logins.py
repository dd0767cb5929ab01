"""Print the address of the site and the logins of the sample federation."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from federation.accounts.models import User
from federation.accounts.services.demo import DEMO_ACCOUNTS
from ratings.demo.load import PASSWORD


class Command(BaseCommand):
    help = "Print the address of the site and the logins of the sample federation, if it has them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"\nBarem serves {options['address']}   (Ctrl+C stops it)\n")
        accounts = User.objects.in_bulk([name for name, *_ in DEMO_ACCOUNTS], field_name="username")
        if accounts and not settings.HTTPS:
            self.stdout.write(f"Logins of the sample; the password is {PASSWORD} until somebody changes it:\n")
            for name, given, family, role in DEMO_ACCOUNTS:
                if name in accounts:
                    self.stdout.write(f"  {name:<10} {(role or name).replace('_', ' '):<20} {given} {family}\n")
        self.stdout.write("\n")
