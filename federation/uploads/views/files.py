"""The original file as it came, for its director and staff."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_GET

from federation.accounts.permissions import permission_required
from federation.uploads.models import UploadFile
from federation.uploads.views.common import of_address, upload_of


@permission_required("uploads.commit", of_address)
@require_GET
def original(request: HttpRequest, pk: int, position: int) -> HttpResponse:
    """The bytes, always as a download, never shown by the browser."""
    upload = upload_of(pk)
    row = get_object_or_404(UploadFile.objects.select_related("file"), upload=upload, position=position)
    response = HttpResponse(bytes(row.file.content), content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(True, row.name) or "attachment"
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response["Cache-Control"] = "private, no-store"
    return response
