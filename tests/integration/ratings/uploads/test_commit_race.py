"""Two people store the same file, or the same event's files, at the same moment."""

from __future__ import annotations

import threading

import pytest
from django.db import IntegrityError, connection, transaction

from federation.uploads.models import Upload, UploadState
from federation.uploads.registry import find_kind
from federation.uploads.services.commit import commit_upload, withdraw_upload
from federation.uploads.services.intake import receive_files
from ratings.models import Game
from tests.factories import make_user
from tests.integration.ratings.uploads.support import make_director, open_event, people_named

TEXT = "Ronda;Jugador 1;Puntuació 1;Jugador 2;Puntuació 2\n1;Neus Riera;402;Oriol Bastida;385\n".encode()


def in_threads(count: int, work) -> list[BaseException]:
    """Do something in several threads that start together; return what they raised."""
    start, errors = threading.Barrier(count), []

    def run() -> None:
        try:
            start.wait(10)
            work()
        except BaseException as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return errors


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
def test_one_of_many_stores():
    kind = find_kind("scrabble", "results")
    event = open_event()
    user = make_director(event)
    people_named("Neus Riera", "Oriol Bastida")
    uploads: list[int] = []

    def send() -> None:
        uploads.append(receive_files(kind=kind, event=event, files=[("a.csv", TEXT)], actor=user)[0].pk)

    assert in_threads(4, send) == []
    assert len(set(uploads)) == 1
    upload = Upload.objects.get()
    assert in_threads(4, lambda: commit_upload(upload=upload, version=0, actor=user)) == []
    assert Game.objects.filter(event=event, superseded_at=None).count() == 1
    assert event.entries.count() == 2
    assert Upload.objects.get().state == UploadState.COMMITTED
    assert in_threads(4, lambda: withdraw_upload(upload=upload, reason="wrong", actor=user)) == []
    assert Game.objects.filter(event=event, superseded_at=None).count() == 0


@pytest.mark.django_db
def test_the_database_keeps_a_file_stored_once():
    event = open_event()
    values = {"discipline": event.discipline, "event": event, "sha256": "a" * 64, "created_by": make_user()}
    Upload.objects.create(**values, state=UploadState.COMMITTED)
    Upload.objects.create(**values, state=UploadState.WITHDRAWN)
    with pytest.raises(IntegrityError), transaction.atomic():
        Upload.objects.create(**values, state=UploadState.COMMITTED)
    values |= {"event": None, "purpose": "opening"}
    Upload.objects.create(**values, state=UploadState.COMMITTED)
    with pytest.raises(IntegrityError), transaction.atomic():
        Upload.objects.create(**values, state=UploadState.COMMITTED)
