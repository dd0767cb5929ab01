"""Kinds of work for the tests, known to the test process and to the worker it starts (``worker.py``)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from federation.core.errors import RuleError
from federation.jobs.registry import register

if TYPE_CHECKING:
    # The worker loads this module before Django is ready for models.
    from federation.jobs.context import JobContext


def count_up(context: JobContext) -> dict[str, Any]:
    """Report every step and give the sum."""
    total = int(context.params.get("steps", 3))
    for step in range(1, total + 1):
        context.progress(step, total, f"step {step}")
    context.log("all steps counted")
    return {"sum": total * (total + 1) // 2, "actor": str(context.actor or "")}


def break_a_rule(context: JobContext) -> dict[str, Any]:
    """Meet what a person can mend."""
    raise RuleError("nothing_to_count", {"season": "2025-26"})


def meet_a_bug(context: JobContext) -> dict[str, Any]:
    """Meet what nobody can mend but a developer."""
    raise ZeroDivisionError("secret detail")


def hang_once(context: JobContext) -> dict[str, Any]:
    """Hang for ever on the first attempt, so that the worker can be killed in the middle; end on the next."""
    context.progress(1, 2, "in the middle")
    while context.job.attempt == 1:
        time.sleep(0.05)
    return {"attempt": context.job.attempt}


def register_all() -> None:
    """Make the kinds known."""
    for kind, handler in [
        ("test.count", count_up),
        ("test.rule", break_a_rule),
        ("test.bug", meet_a_bug),
        ("test.hang", hang_once),
    ]:
        register(kind, handler, f"Title of {kind}")
