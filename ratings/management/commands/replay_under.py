"""Have events of the past rated by a version of the rules, on an administrator's request."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from federation.accounts.models import Role, User
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.models import Event
from ratings.models import RuleSet
from ratings.services.rulesets import replay_under
from ratings.services.runs import current_system


class Command(BaseCommand):
    help = (
        "Have the events of some days rated by a version of the rules, whatever they were published with. "
        "Published lists stay; the next run and list show the new numbers."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("rules", help="name of the rule set, for example page")
        parser.add_argument("version", type=int, help="its version, for example 1")
        parser.add_argument("--from", dest="first", required=True, help="first rating date, for example 2025-09-01")
        parser.add_argument("--until", help="last rating date; without it up to the newest event")
        parser.add_argument("--reason", required=True, help="why; it is kept in the record of changes")
        parser.add_argument("--by", required=True, help="user name of the administrator who asks")

    def handle(self, *args: Any, **options: Any) -> None:
        system = current_system()
        rule_set = RuleSet.objects.filter(system=system, name=options["rules"], version=options["version"]).first()
        if rule_set is None:
            known = ", ".join(str(row) for row in RuleSet.objects.filter(system=system))
            raise CommandError(f"No rule set {options['rules']}, version {options['version']}. Known: {known}.")
        actor = User.objects.filter(username=options["by"], is_active=True).first()
        if actor is None or Role.ADMINISTRATOR not in actor.roles:
            raise CommandError(f"{options['by']} is not the user name of an administrator.")
        events = Event.objects.filter(discipline=system.discipline_id, rating_date__gte=_day(options["first"]))
        if options["until"]:
            events = events.filter(rating_date__lte=_day(options["until"]))
        try:
            changed = replay_under(
                rule_set=rule_set,
                events=events.order_by("pk").values_list("pk", flat=True),
                reason=options["reason"],
                actor=actor,
            )
        except RuleError as error:
            raise CommandError(explain(error)) from error
        self.stdout.write(f"{changed} events get other rules. Prepare a list to see the effect, then publish it.")


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"{text} is not a date: write it as 2025-09-01.") from error
