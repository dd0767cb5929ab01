"""The second pass over a draft: recomputed from the recorded inputs before anybody may publish it."""

from __future__ import annotations

from typing import Any, Final

from django.utils.translation import gettext as _

from federation.core.errors import RuleError
from federation.jobs.models import Job
from federation.jobs.services import JobContext, enqueue
from ratings.models import PublishedList
from ratings.services.lists import withdraw_draft
from ratings.services.verify import Verification, verify_list

VERIFY_JOB: Final = "ratings.verify"

#: Findings kept with a job; a verification that differs at all differs in few places or everywhere.
_KEPT: Final = 200


def end_first_pass(job: Job, draft: PublishedList) -> None:
    """Note on the row of a job that the first pass has ended; call it in the transaction that stores the draft."""
    job.result = {"attempt": job.attempt, "first_pass": draft.run.counts.get("events", 0)}
    job.save(update_fields=["result"])


def second_pass(context: JobContext, draft: PublishedList) -> dict[str, Any]:
    """Recompute a draft from what its run recorded; a draft that does not agree is withdrawn.

    Returns:
        What the job keeps of it.

    Raises:
        RuleError: `second_pass_disagrees`, with the first place where the passes differ.
    """
    found = verify_list(draft, progress=lambda done, total: context.progress(done, total, _("Second pass")))
    if not found.identical:
        withdraw_draft(draft=draft, actor=context.actor)
        params = {"count": len(found.findings), "first": str(found.findings[0])}
        raise RuleError("second_pass_disagrees", params)
    context.log(
        _("Both passes agree: %(events)s events, %(rows)s rows of the list.")
        % {"events": found.events, "rows": found.rows}
    )
    return summary(found)


def summary(found: Verification) -> dict[str, Any]:
    """Give a verification as plain values."""
    return {
        "identical": found.identical,
        "events": found.events,
        "lines": found.lines,
        "rows": found.rows,
        "differences": len(found.findings),
        "findings": [
            {
                "what": one.what,
                "where": one.where,
                "column": one.column,
                "stored": one.stored[:200],
                "recomputed": one.recomputed[:200],
            }
            for one in found.findings[:_KEPT]
        ],
    }


def request_verification(*, published: PublishedList, actor: Any) -> Job:
    """Ask for the verification of a published list, by a job."""
    return enqueue(kind=VERIFY_JOB, key=str(published.number), params={"list": published.pk}, actor=actor)


def run_verification(context: JobContext) -> dict[str, Any]:
    """Work of a job: verify a published list."""
    published = PublishedList.objects.select_related("run", "season", "rule_set", "previous").get(
        pk=context.params["list"]
    )
    return summary(verify_list(published, progress=context.progress))
