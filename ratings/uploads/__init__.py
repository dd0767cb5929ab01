"""Scrabble's side of the intake of files: results of an event, opening ratings, the template, ``inspect_file``."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from federation.core.reading import Reading, Repair
from federation.problems import register_texts
from federation.uploads import registry
from federation.uploads.queries.lists import waiting_count
from federation.web.menu import register_desk_link
from ratings.codes import DISCIPLINE
from ratings.core.formats import read
from ratings.uploads import opening, results, template
from ratings.uploads.texts import FORMATS, LIST_ROLES, PROBLEM_TEXTS, RESULT_ROLES


def read_files(files: Sequence[tuple[str, bytes]], repairs: Sequence[Repair]) -> Reading:
    """Read files of scrabble."""
    return read(files, repairs)


def inspect_files(files: Sequence[tuple[str, bytes]]) -> dict[str, object]:
    """Return the reading of files of any purpose, for ``inspect_file``."""
    return read(files).summary()


def files_waiting(request: HttpRequest) -> int:
    """Files that this account may work on and that are not stored yet."""
    return waiting_count(request.user)


def register() -> None:
    """Register what scrabble does with files."""
    register_texts("uploads", PROBLEM_TEXTS)
    registry.register_inspector(DISCIPLINE, inspect_files)
    registry.register_kind(
        registry.UploadKind(
            discipline=DISCIPLINE,
            purpose=registry.RESULTS,
            title=_("Upload results"),
            needs_event=True,
            read=read_files,
            check=results.check,
            effect=results.effect,
            commit=results.commit,
            withdraw=results.withdraw,
            roles=RESULT_ROLES,
            formats=FORMATS,
            ratings=results.current_ratings,
            event_address=results.event_address,
            template=template.workbook,
        )
    )
    registry.register_kind(
        registry.UploadKind(
            discipline=DISCIPLINE,
            purpose=registry.OPENING,
            title=_("Upload opening ratings"),
            needs_event=False,
            read=read_files,
            check=opening.check,
            effect=opening.effect,
            commit=opening.commit,
            withdraw=opening.withdraw,
            roles=LIST_ROLES,
            formats=FORMATS,
            ratings=results.current_ratings,
            options=("as_of",),
        )
    )
    register_desk_link(
        _("Uploads"),
        "upload-list",
        "uploads.see",
        count=files_waiting,
        detail=_("files of results, names to decide, receipts"),
    )
