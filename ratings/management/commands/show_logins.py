"""Print the address of the site and the logins of the sample federation."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from federation.accounts.models import User
from federation.accounts.services.demo import DEMO_ACCOUNTS
from ratings.demo.load import PASSWORD


class Command(BaseCommand):
    help = "Print the address of the site and, while they keep their password, the logins of the sample federation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--address", default="http://127.0.0.1:8000/")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"\nBarem serves {options['address']}   (Ctrl+C stops it)\n")
        accounts = User.objects.in_bulk([row[0] for row in DEMO_ACCOUNTS], field_name="username")
        known = [
            (name, accounts[name].roles)
            for name, *_ in DEMO_ACCOUNTS
            if name in accounts and accounts[name].check_password(PASSWORD)
        ]
        if known:
            self.stdout.write(f"Logins of the sample, all with the password {PASSWORD}:\n")
        for name, roles in known:
            what = "administrator" if "administrator" in roles else ", ".join(sorted(roles)).replace("_", " ") or name
            self.stdout.write(f"  {name:<10} {what}\n")
        self.stdout.write("\n")
