"""Damaged and hostile files: clear issues, nothing stored, never an error of the server."""

from __future__ import annotations

import random
import zipfile
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from federation.core import limits
from federation.problems import explain
from federation.uploads.models import Upload
from ratings.models import Game
from tests.integration.ratings.uploads.support import SAMPLES, Wizard, fixture, make_director, open_event

pytestmark = pytest.mark.django_db

FILES = ("open6.t", "open6.tou", "form5.csv", "federation5.csv", "archive.tsh", "ratings.dat")


@pytest.fixture
def wizard(client):
    event = open_event()
    return Wizard(client, event, make_director(event))


def sources() -> list[tuple[str, bytes]]:
    found = [fixture(name) for name in FILES]
    if SAMPLES.is_dir():
        names = ("swiss42.t", "open35.tou", "club9.csv", "federation29.csv", "rating-list.dat", "league65.1.rnd")
        found += [(name, (SAMPLES / name).read_bytes()) for name in names]
    return found


def walk(wizard, name: str, data: bytes) -> list:
    """Send a file, look at every page, try to store it; return what is said of it."""
    answer = wizard.send((name, data))
    assert answer.status_code == 302
    rows = wizard.get("rows")
    assert rows.status_code == 200
    assert wizard.get("people").status_code in (200, 302)
    assert wizard.get("effect").status_code in (200, 302)
    assert wizard.post("commit").status_code == 302
    assert wizard.upload.state == "checked"
    assert Game.objects.count() == 0
    issues = rows.context["analysis"].issues
    for issue in issues:
        text = explain(issue, "uploads")
        assert len(text) > 15
        assert "%(" not in text
        assert issue.code not in text.split()
    return issues


@pytest.mark.parametrize("source", sources(), ids=lambda source: source[0])
def test_cut_at_some_bytes(wizard, source):
    name, data = source
    chance = random.Random(7)
    for cut in sorted({1, len(data) // 3, len(data) - 1, *(chance.randrange(1, len(data)) for _ in range(3))}):
        issues = walk(wizard, name, data[:cut])
        assert any(issue.severity in ("error", "warning") for issue in issues)


@pytest.mark.parametrize("source", sources(), ids=lambda source: source[0])
@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_in_another_encoding(wizard, source, encoding):
    name, data = source
    text = data.decode("utf-8-sig", "replace")
    walk(wizard, name, text.encode(encoding, "replace"))


@pytest.mark.parametrize("source", [*sources()], ids=lambda source: source[0])
def test_with_a_row_twice(wizard, source):
    name, data = source
    lines = data.splitlines(keepends=True)
    place = len(lines) // 2
    issues = walk(wizard, name, b"".join([*lines[: place + 1], *lines[place:]]))
    assert any(issue.severity == "error" for issue in issues)


def test_random_bytes(wizard):
    chance = random.Random(11)
    for number, size in enumerate((1, 7, 300, 5000)):
        issues = walk(wizard, f"{number}.bin", chance.randbytes(size))
        assert any(issue.severity == "error" for issue in issues)
    walk(wizard, "nul.csv", b"Ronda;Jugador 1;Puntuacio 1;Jugador 2;Puntuacio 2\n1;Neus\x00Riera;1\x00;Pol\x00;0\n")


def test_a_zip_bomb_is_not_opened(wizard):
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"0" * (30 * 1024 * 1024))
    issues = walk(wizard, "bomb.zip", content.getvalue())
    assert [issue.code for issue in issues if issue.severity == "error"] == ["zip_too_large"]


def test_a_file_above_the_limit_is_refused_before_it_is_read(wizard, monkeypatch):
    monkeypatch.setattr(limits, "MAX_BYTES", 1000)
    answer = wizard.send(("big.csv", b"x" * 5000))
    assert answer.status_code == 422
    assert "send only the results" in answer.content.decode()
    assert not Upload.objects.exists()


def test_a_request_above_the_limit_is_not_read_at_all(wizard, monkeypatch):
    monkeypatch.setattr(limits, "MAX_BYTES", 1000)
    address = reverse("upload-file", args=["scrabble", wizard.event.slug])
    answer = wizard.client.post(address, {"files": SimpleUploadedFile("a.csv", b"x" * (2 * 1024 * 1024))})
    assert answer.status_code == 422
    assert "MB" in answer.content.decode()


def test_too_many_files(wizard):
    answer = wizard.send(*((f"{number}.rnd", b"x") for number in range(limits.MAX_FILES + 5)))
    assert answer.status_code == 422
    assert "files were sent together" in answer.content.decode()
    assert not Upload.objects.exists()


def test_nothing_chosen_and_broken_forms(wizard):
    address = reverse("upload-file", args=["scrabble", wizard.event.slug])
    answer = wizard.client.post(address, {})
    assert answer.status_code == 422
    assert "Choose the file with the results." in answer.content.decode()
    broken = wizard.client.post(address, b"--x\r\nrubbish", content_type="multipart/form-data; boundary=x")
    assert broken.status_code in (403, 422)
    nothing = wizard.client.post(address, b"", content_type="multipart/form-data")
    assert nothing.status_code == 422


def test_an_empty_file(wizard):
    issues = walk(wizard, "empty.csv", b" \n")
    assert [issue.code for issue in issues if issue.severity == "error"] == ["empty_file"]


def test_forms_with_rubbish(wizard):
    wizard.send(fixture("federation5.csv"))
    pk = wizard.upload.pk
    for data in (
        {"version": "x", "c:9:9:9": "1", "c:a": "2", "use": "=", "aside": "0:99999", "back": "7:7", "confirm": "zz"},
        {"version": "-1", "aside": "0:2", "r:0:2": "\x00reason\x00", "edit": "0:2:3"},
        {"c:0:3:3": "x\x00y" * 300, "version": "0"},
        {"c:0:3:3": "\ud800".encode("utf-8", "surrogatepass"), "version": "0"},
    ):
        assert wizard.client.post(reverse("upload-rows", args=[pk]), data).status_code in (200, 302, 409, 422)
    for data in (
        {"version": "0", "w:0": "nobody", "p:0": "99999999999999"},
        {"version": "0", "w:0": "neus riera", "p:0": "999999"},
        {"version": "0", "w:0": "neus riera", "p:0": "new", "f:0": "\x00", "y:0": "99999999", "k:0": "77777"},
        {"version": "0", "w:0": "neus riera", "p:0": "new", "f:0": "x" * 300, "g:0": "y" * 300},
        {"version": "0", "undo": "99", "change": "99", "search": "99"},
    ):
        assert wizard.client.post(reverse("upload-people", args=[pk]), data).status_code in (200, 302, 409, 422)
    for query in ("?show=x&page=0", "?page=99999999999999", "?edit=0:1", "?edit=5:5", "?change=99&q=%00"):
        assert wizard.client.get(reverse("upload-rows", args=[pk]) + query).status_code == 200
        assert wizard.client.get(reverse("upload-people", args=[pk]) + query).status_code == 200
    assert wizard.client.get(reverse("upload-names") + "?q=%00&page=x").status_code == 200
