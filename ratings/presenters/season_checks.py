"""Checks of a season in words, with the page where each is mended; the passes of a run as bars."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from federation.jobs.models import Job, JobState
from federation.registry.models import EventState
from federation.web.menu import href_for
from ratings.presenters.whether import long_reason
from ratings.queries.checks import Check, CheckItem

#: Severity of a check: class and icon of the list of checks.
_TONES: Final = {
    "fine": ("yes", "check"),
    "notice": ("wait", "info"),
    "warning": ("wait", "warn"),
    "error": ("no", "x"),
}
_WORDS: Final[dict[str, Promise]] = {
    "fine": gettext_lazy("in order"),
    "notice": gettext_lazy("to know"),
    "warning": gettext_lazy("to look at"),
    "error": gettext_lazy("stops the publication"),
}
#: Items named on the page; the rest is counted.
SHOWN: Final = 8
#: Checks whose items are mended on another page than the one where they are found.
_MENDED_AT: Final = {
    "persons_provisional": "registry-person",
    "persons_of_one_name": "registry-person",
    "earlier_season_open": "scrabble-season-close",
}
#: Page that shows to every reader what only some may mend.
_SHOWN_AT: Final = {"scrabble-desk-event": "scrabble-event"}
#: Page where all of a kind are mended: name of the address and label.
_WAY: Final[dict[str, tuple[str, Promise]]] = {
    "events_not_approved": ("scrabble-desk-events", gettext_lazy("Events")),
    "uploads_waiting": ("upload-list", gettext_lazy("Uploads")),
    "persons_provisional": ("registry-desk", gettext_lazy("Register of people")),
    "persons_of_one_name": ("registry-merge", gettext_lazy("Merge two records")),
    "corrections_waiting": ("scrabble-desk-corrections", gettext_lazy("Corrections")),
    "jobs_running": ("job-list", gettext_lazy("Background work")),
}


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check as the page shows it."""

    code: str
    tone: str
    icon: str
    word: str
    text: str
    items: list[tuple[str, str, str]]
    more: int
    way: tuple[str, str] | None


def check_lines(checks: Iterable[Check], user: Any) -> list[CheckLine]:
    """Lay out the checks, those in order last; what the reader may not open is named without a link."""
    lines = [_line(check, user) for check in checks]
    return [line for line in lines if line.tone != "yes"] + [line for line in lines if line.tone == "yes"]


def _line(check: Check, user: Any) -> CheckLine:
    tone, icon = _TONES[check.severity]
    name, label = _WAY.get(check.code, ("", ""))
    address = href_for(user, name) if name and check.count else ""
    items = [_item(check.code, item, user) for item in check.items[:SHOWN]]
    return CheckLine(
        code=check.code,
        tone=tone,
        icon=icon,
        word=str(_WORDS[check.severity]),
        text=check_text(check),
        items=items,
        more=max(check.count - len(items), 0) if items else 0,
        way=(str(label), address) if address else None,
    )


def _item(code: str, item: CheckItem, user: Any) -> tuple[str, str, str]:
    """Give label, address and detail of one thing that a check found."""
    name, args = item.url_name, item.url_args
    if code == "earlier_season_open":
        args = (item.label,)
    label = item.label.replace("-", "–") if code == "earlier_season_open" else item.label
    address = href_for(user, _MENDED_AT.get(code, name), *args) if args else ""
    if not address and name in _SHOWN_AT and EventState.DRAFT not in item.detail:
        address = href_for(user, _SHOWN_AT[name], *args)
    return label, address, ", ".join(_detail(one) for one in item.detail)


def _detail(code: str) -> str:
    if code in EventState.values:
        return str(EventState(code).label)
    return long_reason(code)


def check_text(check: Check) -> str:
    """Give a check as a sentence: what is in order, or what was found."""
    count = {"count": check.count}
    if not check.count:
        return _IN_ORDER.get(check.code, _("In order")) % count
    texts = {
        "season_not_over": _("The season is not over yet"),
        "earlier_season_open": ngettext(
            "%(count)s earlier season is not closed", "%(count)s earlier seasons are not closed", check.count
        ),
        "events_not_approved": ngettext(
            "%(count)s event is not approved", "%(count)s events are not approved", check.count
        ),
        "uploads_waiting": ngettext("%(count)s upload waits", "%(count)s uploads wait", check.count),
        "persons_provisional": ngettext(
            "%(count)s player is not confirmed", "%(count)s players are not confirmed", check.count
        ),
        "persons_of_one_name": ngettext(
            "%(count)s record shares its name with another", "%(count)s records share a name", check.count
        ),
        "events_not_counted": ngettext("%(count)s event does not count", "%(count)s events do not count", check.count),
        "corrections_waiting": ngettext("%(count)s correction waits", "%(count)s corrections wait", check.count),
        "results_changed": _("Results changed since the last run"),
        "jobs_running": ngettext("%(count)s work is running", "%(count)s works are running", check.count),
        "season_closed_before": _("This season was closed before"),
    }
    return texts.get(check.code, check.code) % count


_IN_ORDER: Final[dict[str, Any]] = {
    "season_not_over": gettext_lazy("The season is over"),
    "earlier_season_open": gettext_lazy("All earlier seasons are closed"),
    "events_not_approved": gettext_lazy("Every event of the season is approved or excluded"),
    "uploads_waiting": gettext_lazy("No upload waits"),
    "persons_provisional": gettext_lazy("Every player is confirmed"),
    "persons_of_one_name": gettext_lazy("No player seems registered twice"),
    "events_not_counted": gettext_lazy("Every event meets the conditions"),
    "corrections_waiting": gettext_lazy("No correction waits"),
    "results_changed": gettext_lazy("The last run has the results as they are"),
    "jobs_running": gettext_lazy("No other work is running"),
    "season_closed_before": gettext_lazy("The season was never closed before"),
}


# ---- passes -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pass:
    """One pass of a run: how far it is, 0 to 100, and the same in words."""

    percent: int
    text: str


@dataclass(frozen=True, slots=True)
class Passes:
    """Both passes of the run of a job and whether they agree."""

    job: Job
    first: Pass
    second: Pass
    agree: str
    agreed: bool
    status: str


def passes_of(job: Job) -> Passes:
    """Lay out the run of a job."""
    result = job.result
    both = result.get("second_pass") if job.state == JobState.DONE else None
    is_second = result.get("attempt") == job.attempt and "first_pass" in result
    if both:
        text = _whole(both["events"])
        agree = _("yes") if both["identical"] else _("no")
        return Passes(job, Pass(100, text), Pass(100, text), agree, bool(both["identical"]), _("Done"))
    waiting = Pass(0, _("waits"))
    if is_second:
        first = Pass(100, _whole(result["first_pass"]))
        second = Pass(job.percent, _so_far(job))
        status = _("Second pass, event %(done)s of %(total)s") % _steps(job) if job.total_steps else _("Second pass")
        return Passes(job, first, second, _("so far, yes") if job.is_active else "–", False, status)
    first = Pass(job.percent, _so_far(job)) if job.state != JobState.QUEUED else waiting
    return Passes(job, first, waiting, "–", False, _status(job))


def _status(job: Job) -> str:
    if job.state == JobState.QUEUED:
        return _("Waiting to begin")
    if job.state == JobState.FAILED:
        return _("Failed")
    return _("First pass, event %(done)s of %(total)s") % _steps(job) if job.total_steps else _("First pass")


def _steps(job: Job) -> dict[str, int]:
    return {"done": job.done_steps, "total": job.total_steps}


def _so_far(job: Job) -> str:
    return _("%(done)s of %(total)s") % _steps(job) if job.total_steps else _("begins")


def _whole(events: int) -> str:
    return _("%(done)s of %(total)s") % {"done": events, "total": events}
