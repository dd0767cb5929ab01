"""Reading a file holds nobody up: it is done before the transaction, and a workbook is read once."""

from __future__ import annotations

import io
import sys
from dataclasses import replace

import pytest
from django.db import connection
from openpyxl import Workbook

from federation.core import tabular
from federation.uploads.models import Upload
from federation.uploads.registry import RESULTS, find_kind
from federation.uploads.services.intake import receive_files
from ratings.core.formats import read
from tests.factories import make_user
from tests.integration.ratings.uploads.support import open_event


def workbook() -> bytes:
    book = Workbook()
    book.active.append(["round", "player", "score", "player", "score"])
    book.active.append([1, "Ona Càdec", 400, "Pol Roig", 300])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@pytest.mark.django_db(transaction=True)
def test_files_are_read_before_the_transaction(monkeypatch):
    event, actor = open_event(), make_user()
    seen = []

    def watched(files, repairs):
        seen.append(connection.in_atomic_block)
        return read(files, repairs)

    kind = replace(find_kind("scrabble", RESULTS), read=watched)
    file = ("a.xlsx", workbook())
    first, is_new = receive_files(kind=kind, event=event, files=[file], actor=actor)
    again, is_new_again = receive_files(kind=kind, event=event, files=[file], actor=actor)
    assert (is_new, is_new_again, again) == (True, False, first)
    assert seen == [False]
    assert Upload.objects.count() == 1


def test_a_workbook_is_read_once(monkeypatch):
    reads = []

    def counted(*args):
        reads.append(args)
        return tabular.read_workbook(*args)

    monkeypatch.setattr(sys.modules["ratings.core.formats.detect"], "read_workbook", counted)
    assert len(read([("a.xlsx", workbook())]).games) == 1
    assert len(reads) == 1
