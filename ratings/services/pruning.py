"""Throwing away what no list and no later run needs any more: a run costs space, and corrections make many."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection, transaction

from ratings import store
from ratings.models import Checkpoint, PublishedList, RatingRun, RatingSystem, RunEvent
from ratings.queries.runs import inherited_checkpoints, last_run


@dataclass(frozen=True, slots=True)
class Pruned:
    """What was thrown away."""

    runs: int
    rated_events: int


def prune_runs(*, system: RatingSystem) -> Pruned:
    """Delete the runs that no list refers to, but for the newest one, and the rated events that only they had.

    Published lists, drafts and their runs stay, so every published number can still be explained and verified. The
    newest run takes over the checkpoints from which the next one may start.
    """
    with transaction.atomic():
        RatingSystem.objects.select_for_update(no_key=True).get(pk=system.pk)
        newest = last_run(system)
        if newest is None:
            return Pruned(0, 0)
        Checkpoint.objects.filter(pk__in=inherited_checkpoints(newest)).update(run=newest)
        listed = PublishedList.objects.filter(system=system).values("run")
        runs = RatingRun.objects.filter(system=system).exclude(pk=newest.pk).exclude(pk__in=listed)
        keys = list(runs.values_list("pk", flat=True))
        # Deleting by the database alone: the rows of a ledger never become objects.
        RunEvent.objects.filter(run__in=keys)._raw_delete("default")
        Checkpoint.objects.filter(run__in=keys)._raw_delete("default")
        RatingRun.objects.filter(parent__in=keys).update(parent=None)
        RatingRun.objects.filter(pk__in=keys)._raw_delete("default")
        orphans = _delete_orphans(system)
    return Pruned(len(keys), orphans)


def _delete_orphans(system: RatingSystem) -> int:
    """Delete the rated events of no run, with their lines."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT id FROM ratings_ratedevent r WHERE system_id = %s"
            " AND NOT EXISTS (SELECT 1 FROM ratings_runevent e WHERE e.rated_event_id = r.id)",
            [system.pk],
        )
        orphans = [row[0] for row in cursor.fetchall()]
        if orphans:
            keys = [store.id_list(orphans)]
            cursor.execute(f"DELETE FROM ratings_ledgerrow WHERE {store.any_of('rated_event_id')}", keys)  # noqa: S608
            cursor.execute(f"DELETE FROM ratings_ratedevent WHERE {store.any_of('id')}", keys)  # noqa: S608
    return len(orphans)
