"""Delete runs that no list refers to."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ratings.services.pruning import prune_runs
from ratings.services.runs import current_system


class Command(BaseCommand):
    help = "Delete runs that no list refers to, but for the newest. Lists and what explains them stay."

    def handle(self, *args: Any, **options: Any) -> None:
        pruned = prune_runs(system=current_system())
        self.stdout.write(f"deleted {pruned.runs} runs and {pruned.rated_events} rated events of no other run")
