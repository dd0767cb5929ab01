"""Desk page of an event: the steps from draft to approved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from federation.accounts.permissions import permission_required
from federation.core.errors import RuleError
from federation.problems import explain
from federation.registry.forms import OptionalReasonForm
from federation.registry.models import Event, EventState
from federation.registry.services import events

#: Step: label, permission, service, states from which it is possible, whether it needs a reason.
STEPS: dict[str, tuple[Any, str, Callable[..., Event], tuple[str, ...], bool]] = {
    "open": (_("Open"), "registry.run_event", events.open_event, (EventState.DRAFT,), False),
    "submit": (_("Hand in"), "registry.run_event", events.submit_event, (EventState.OPEN,), False),
    "approve": (_("Approve"), "registry.approve_event", events.approve_event, (EventState.SUBMITTED,), False),
    "reopen": (
        _("Reopen"),
        "registry.reopen_event",
        events.reopen_event,
        (EventState.SUBMITTED, EventState.APPROVED, EventState.EXCLUDED),
        True,
    ),
    "exclude": (
        _("Exclude"),
        "registry.exclude_event",
        events.exclude_event,
        (EventState.DRAFT, EventState.OPEN, EventState.SUBMITTED, EventState.APPROVED),
        True,
    ),
}


def _event(request: HttpRequest, pk: int) -> Event:
    return get_object_or_404(Event.objects.select_related("discipline", "season", "club"), pk=pk)


@require_http_methods(["GET", "POST"])
@permission_required("registry.run_event", fn=_event)
def event_steps(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the state of an event and take it a step on or back."""
    event = _event(request, pk)
    form = OptionalReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _step(request, event, form):
        return redirect("registry-event", pk=pk)
    steps = [
        {"code": code, "label": label, "needs_reason": reason}
        for code, (label, permission, _service, states, reason) in STEPS.items()
        if event.state in states and request.user.has_perm(permission, event)
    ]
    context = {
        "event": event,
        "form": form,
        "steps": steps,
        "problems": [explain(problem) for problem in events.approval_problems(event)]
        if event.state in (EventState.OPEN, EventState.SUBMITTED)
        else [],
        "entry_count": event.entries.count(),
        "directors": list(event.director_rows.select_related("user").order_by("pk")),
    }
    return render(request, "registry/event.html", context, status=422 if form.errors else 200)


def _step(request: HttpRequest, event: Event, form: OptionalReasonForm) -> bool:
    code = str(request.POST.get("step", ""))
    if code not in STEPS:
        form.add_error(None, str(_("Choose a step.")))
        return False
    _label, permission, service, _states, needs_reason = STEPS[code]
    if not request.user.has_perm(permission, event):
        raise PermissionDenied
    extra = {"reason": form.cleaned_data["reason"]} if needs_reason else {}
    user: Any = request.user
    try:
        changed = service(event=event, actor=user, **extra)
    except RuleError as error:
        form.add_error("reason" if error.code == "reason_missing" else None, explain(error))
        return False
    text = _("%(event)s is now: %(state)s.")
    messages.success(request, text % {"event": changed.name, "state": changed.get_state_display()})
    return True
