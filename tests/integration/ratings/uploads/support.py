"""A director, an event, and a wizard that is walked like a person would."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from federation.accounts.models import User
from federation.registry.models import Event, EventDirector, EventState
from federation.uploads.models import Upload
from tests.factories import make_event, make_person, make_user

ROOT = Path(__file__).parents[4]
FIXTURES = ROOT / "tests" / "fixtures" / "scrabble"
SAMPLES = ROOT.parent / "shared" / "samples" / "scrabble"


def make_director(event: Event) -> User:
    user = make_user()
    EventDirector.objects.create(event=event, user=user)
    return user


def open_event(**fields: Any) -> Event:
    return make_event(state=EventState.OPEN, **fields)


def people_named(*names: str) -> list:
    """Persons with these names, the first word the given name."""
    return [make_person(name.partition(" ")[0], name.partition(" ")[2]) for name in names]


class Wizard:
    """The pages of one upload, as a browser without scripts sends them."""

    def __init__(self, client: Client, event: Event | None, user: User) -> None:
        self.client, self.event, self.user = client, event, user
        client.force_login(user)
        self.upload: Any = None

    def send(self, *files: tuple[str, bytes], **values: Any):
        assert self.event is not None
        address = reverse("upload-file", args=["scrabble", self.event.slug])
        return self._send(address, files, values)

    def send_opening(self, *files: tuple[str, bytes], **values: Any):
        return self._send(reverse("upload-opening", args=["scrabble"]), files, values)

    def _send(self, address: str, files, values):
        sent = [SimpleUploadedFile(name, data) for name, data in files]
        answer = self.client.post(address, {"files": sent, **values})
        if answer.status_code == 302:
            found = re.search(r"/uploads/(\d+)/", answer["Location"])
            assert found
            self.upload = Upload.objects.get(pk=found[1])
        return answer

    def get(self, name: str, query: str = "", **kwargs: Any):
        return self.client.get(reverse(f"upload-{name}", args=[self.upload.pk]) + query, **kwargs)

    def post(self, name: str, *, version: int | None = None, **values: Any):
        self.upload.refresh_from_db()
        data = {"version": self.upload.version if version is None else version, **values}
        answer = self.client.post(reverse(f"upload-{name}", args=[self.upload.pk]), data)
        self.upload.refresh_from_db()
        return answer

    def fix(self, fields: dict[str, str] | None = None, **values: Any):
        return self.post("rows", **{**(fields or {}), **values})

    def confirm_all(self):
        return self.fix(confirm_all="1", save="1")

    def decide(self, choices: dict[str, dict[str, str]], **values: Any):
        """Answer who people are, by the name in the file."""
        page = self.get("people")
        data: dict[str, Any] = {}
        for one in page.context["questions"]:
            data[f"w:{one.place}"] = one.match.read.key
            for letter, value in choices.get(one.match.read.name, {}).items():
                data[f"{letter}:{one.place}"] = value
        return self.post("people", save="1", **{**data, **values})

    def commit(self, **values: Any):
        page = self.get("effect")
        seen = page.context["seen"] if page.status_code == 200 else ""
        return self.post("commit", **{"seen": seen, **values})

    @property
    def issues(self) -> list[tuple[int, int, str]]:
        return [(line, column, code) for line, column, code, *_ in self.upload.reading["issues"]]


def fixture(name: str) -> tuple[str, bytes]:
    return name, (FIXTURES / name).read_bytes()
