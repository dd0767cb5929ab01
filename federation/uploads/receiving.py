"""Receiving files over HTTP without taking more of them than may be kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest, HttpResponseBase, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from federation.core import limits
from federation.core.errors import RuleError
from federation.uploads.services.intake import refuse_sizes

P = ParamSpec("P")

#: Room for the other fields and the frame of the form.
FRAME = 1024 * 1024


class QuotaUploadHandler(FileUploadHandler):
    """Stops reading as soon as all files together are larger than allowed."""

    def __init__(self, request: HttpRequest | None = None) -> None:
        super().__init__(request)
        self.received = 0
        self.exceeded = False

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        """Count the chunk and hand it on."""
        self.received += len(raw_data)
        if self.received > limits.MAX_BYTES:
            self.exceeded = True
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        """Leave the file to the next handler."""


def receives_files(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
    """Guard a view that takes files: sizes are checked before anything is read, then the form's token.

    What went wrong on the way is in ``request.upload_problem``, a code for a text, and the view shows the form again.
    """
    checked = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        request: Any = next(argument for argument in args if isinstance(argument, HttpRequest))
        request.upload_problem = ""
        if request.method != "POST":
            return checked(*args, **kwargs)
        request.upload_problem = _problem(request)
        return (view if request.upload_problem else checked)(*args, **kwargs)

    return guarded


def _problem(request: Any) -> str:
    """Read the request under the limits; return the code of what went wrong, empty if nothing did."""
    try:
        length = int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        length = 0
    if length > limits.MAX_BYTES + FRAME:
        return "file_too_large"
    quota = QuotaUploadHandler(request)
    request.upload_handlers.insert(0, quota)
    try:
        request.FILES  # noqa: B018 - reading the request is what may fail
    except TooManyFilesSent:
        return "too_many_files"
    except (RequestDataTooBig, TooManyFieldsSent):
        return "file_too_large"
    except (MultiPartParserError, UnreadablePostError, OSError):
        return "upload_interrupted"
    return "file_too_large" if quota.exceeded else ""


def problem_of(request: HttpRequest) -> RuleError | None:
    """Return what went wrong on the way, with the limits that its text names."""
    code = getattr(request, "upload_problem", "")
    if not code:
        return None
    limit = limits.MAX_FILES if code == "too_many_files" else limits.MAX_BYTES // (1024 * 1024)
    return RuleError(code, {"limit": limit}, where="files")


def sent_files(request: HttpRequest) -> list[tuple[str, bytes]]:
    """Return names and bytes of the files sent, after checking their sizes.

    Raises:
        RuleError: ``too_many_files``, ``file_too_large``.
    """
    files = request.FILES.getlist("files")
    refuse_sizes([file.size or 0 for file in files])
    return [(file.name or "", file.read()) for file in files]
