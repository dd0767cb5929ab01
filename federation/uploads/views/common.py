"""What the pages of the intake share."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from federation.core.errors import RuleError
from federation.problems import explain_all
from federation.registry.models import Event
from federation.uploads.models import Upload, UploadState
from federation.uploads.queries.analysis import Analysis
from federation.uploads.registry import RESULTS, UploadKind, find_kind, kind_of


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the stepper: done ones are links back."""

    label: str
    href: str = ""
    is_current: bool = False
    is_done: bool = False


def upload_of(pk: int) -> Upload:
    """Return an upload with everything its pages name, or answer 404."""
    rows = Upload.objects.select_related(
        "event__season", "event__discipline", "discipline", "created_by", "changed_by", "committed_by", "withdrawn_by"
    )
    return get_object_or_404(rows, pk=pk)


def of_address(request: HttpRequest, pk: int, **kwargs: Any) -> Upload:
    """Return the upload that a permission is about."""
    return upload_of(pk)


def event_of(discipline: str, slug: str) -> Event:
    """Return an event for which files can be sent, or answer 404."""
    if find_kind(discipline, RESULTS) is None:
        raise Http404
    rows = Event.objects.select_related("season", "discipline", "club")
    return get_object_or_404(rows, discipline__code=discipline, slug=slug)


def of_event(request: HttpRequest, discipline: str, slug: str, **kwargs: Any) -> Event:
    """Return the event that a permission is about."""
    return event_of(discipline, slug)


def steps(current: str, upload: Upload | None = None, analysis: Analysis | None = None) -> list[Step]:
    """Return the stepper; a step is done when nothing is left to do in it."""
    labels = {
        "event": _("Event"),
        "file": _("File"),
        "rows": _("Check rows"),
        "people": _("People"),
        "effect": _("Effect"),
        "receipt": _("Receipt"),
    }
    if upload is not None and upload.event_id is None:
        labels.pop("event")
    done: set[str] = set()
    addresses: dict[str, str] = {}
    if upload is None:
        done |= {"event"} if current == "file" else set()
        addresses["event"] = reverse("upload-new")
    else:
        done |= {"event", "file"}
        addresses = {name: reverse(f"upload-{name}", args=[upload.pk]) for name in ("rows", "people", "effect")}
        addresses["event"] = reverse("upload-new")
        if upload.event is not None:
            addresses["file"] = reverse("upload-file", args=[upload.discipline.code, upload.event.slug])
        if not upload.is_open:
            done |= {"rows", "people", "effect"}
        elif analysis is not None:
            done |= {"rows"} if not (analysis.errors or analysis.to_confirm) else set()
            done |= {"people"} if not analysis.undecided else set()
    names = list(labels)
    result = []
    for name in names:
        is_done = name in done and name != current
        href = addresses.get(name, "") if is_done or (upload is not None and upload.is_open) else ""
        result.append(Step(labels[name], href if name != current else "", name == current, is_done))
    return result


def next_address(upload: Upload, analysis: Analysis) -> str:
    """Return the page of the first step where something is left to do."""
    if analysis.errors or analysis.to_confirm:
        return reverse("upload-rows", args=[upload.pk])
    if analysis.undecided:
        return reverse("upload-people", args=[upload.pk])
    return reverse("upload-effect", args=[upload.pk])


def page_context(upload: Upload, kind: UploadKind | None = None) -> dict[str, Any]:
    """Return what every page of an upload shows."""
    kind = kind or kind_of(upload)
    files = list(upload.files.order_by("position", "pk").values_list("name", flat=True))
    return {
        "upload": upload,
        "event": upload.event,
        "kind": kind,
        "event_address": kind.event_address(upload.event) if upload.event else "",
        "file_names": files[:3],
        "more_files": max(0, len(files) - 3),
        "format": kind.formats.get(upload.format, upload.format),
        "is_committed": upload.state == UploadState.COMMITTED,
    }


def refusal(error: RuleError) -> str:
    """Return what a service says when it refuses, of several problems the first five."""
    return " ".join(explain_all(error, "uploads")[:5])


def typed_text(text: str | None, longest: int = 20_000) -> str:
    """Return a typed text in one line, without control characters."""
    kept = "".join(" " if unicodedata.category(letter) == "Cc" and letter != "\t" else letter for letter in text or "")
    return kept.encode("utf-8", "replace").decode("utf-8")[: longest + 1]


def whole(text: str | None, default: int = 0) -> int:
    """Return a small whole number, the default for anything else."""
    text = (text or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else default
