"""Every page and action of the intake for every kind of account."""

from __future__ import annotations

import pytest
from django.urls import reverse

from federation.accounts.models import Role
from federation.uploads.models import Upload
from tests.factories import make_person, make_user
from tests.integration.ratings.uploads.support import Wizard, make_director, open_event, people_named

pytestmark = pytest.mark.django_db

TEXT = b"Ronda;Jugador 1;Puntuaci\xc3\xb3 1;Jugador 2;Puntuaci\xc3\xb3 2\n1;Neus Riera;402;Oriol Bastida;385\n"
OPENING = b"Persona;BARRUF;Partides;Vict\xc3\xb2ries;Darrera temporada\nNeus Riera;912;57;28,5;2024-25\n"
PAGES = ("detail", "rows", "people", "effect", "receipt")
ACTIONS = ("rows", "people", "commit", "withdraw", "reject")
#: Account to whether it may work on files of the event, on opening ratings, and see the list.
ACCOUNTS = {
    "visitor": (None, None, None),
    "stranger": (False, False, False),
    "player": (False, False, False),
    "other director": (False, False, True),
    "director": (True, False, True),
    Role.RESULTS_SECRETARY: (True, False, True),
    Role.RATINGS_OFFICER: (False, True, True),
    Role.REGISTRY_OFFICER: (False, False, False),
    Role.ADMINISTRATOR: (True, True, True),
}


def fits(status: int, allowed: bool | None) -> bool:
    """Whether an answer is what the account should get: a sign-in page, a refusal, or anything else but these."""
    if allowed is None:
        return status == 302
    return status != 403 if allowed else status == 403


@pytest.fixture
def event():
    return open_event(slug="open-one")


@pytest.fixture
def director(event):
    return make_director(event)


@pytest.fixture
def uploads(client, event, director):
    people_named("Neus Riera", "Oriol Bastida")
    wizard = Wizard(client, event, director)
    wizard.send(("a.csv", TEXT))
    results = wizard.upload.pk
    officer = Wizard(client, None, make_user(roles=(Role.RATINGS_OFFICER,)))
    officer.send_opening(("o.csv", OPENING), as_of="2025-08-31")
    client.logout()
    return results, officer.upload.pk


def sign_in(client, account, director):
    if account == "visitor":
        return
    if account == "director":
        user = director
    elif account == "other director":
        user = make_director(open_event())
    elif account == "player":
        user = make_user()
        person = make_person()
        person.account = user
        person.save()
    elif account == "stranger":
        user = make_user()
    else:
        user = make_user(roles=(account,))
    client.force_login(user)


@pytest.mark.parametrize("account", ACCOUNTS)
def test_pages(client, event, director, uploads, account):
    sign_in(client, account, director)
    on_event, on_opening, sees = ACCOUNTS[account]
    for pk, allowed in zip(uploads, (on_event, on_opening), strict=True):
        for page in PAGES:
            answer = client.get(reverse(f"upload-{page}", args=[pk]))
            assert fits(answer.status_code, allowed), page
            assert allowed is not None or "/account/login/" in answer["Location"]
        assert fits(client.get(reverse("upload-original", args=[pk, 0])).status_code, allowed)
    assert fits(client.get(reverse("upload-list")).status_code, sees)
    assert fits(client.get(reverse("upload-names")).status_code, sees)
    chooses = None if on_event is None else on_event or account == "other director"
    assert fits(client.get(reverse("upload-new")).status_code, chooses)
    assert fits(client.get(reverse("upload-file", args=["scrabble", event.slug])).status_code, on_event)
    assert fits(client.get(reverse("upload-template", args=["scrabble", event.slug])).status_code, on_event)
    assert fits(client.get(reverse("upload-opening", args=["scrabble"])).status_code, on_opening)


@pytest.mark.parametrize("account", ACCOUNTS)
def test_actions(client, event, director, uploads, account):
    sign_in(client, account, director)
    on_event, on_opening, _sees = ACCOUNTS[account]
    before = list(Upload.objects.order_by("pk").values("pk", "state", "version"))
    for pk, allowed in zip(uploads, (on_event, on_opening), strict=True):
        for action in ACTIONS:
            answer = client.post(reverse(f"upload-{action}", args=[pk]), {"version": "0"})
            assert fits(answer.status_code, allowed), action
    for name, arguments, allowed in (
        ("file", ["scrabble", event.slug], on_event),
        ("opening", ["scrabble"], on_opening),
    ):
        assert fits(client.post(reverse(f"upload-{name}", args=arguments), {}).status_code, allowed)
    if not on_event and not on_opening:
        assert list(Upload.objects.order_by("pk").values("pk", "state", "version")) == before


@pytest.mark.parametrize("account", ACCOUNTS)
def test_the_list_shows_only_what_may_be_opened(client, event, director, uploads, account):
    sign_in(client, account, director)
    on_event, on_opening, sees = ACCOUNTS[account]
    answer = client.get(reverse("upload-list"))
    if sees:
        shown = {upload.pk for upload in answer.context["page"]}
        assert shown == {pk for pk, allowed in zip(uploads, (on_event, on_opening), strict=True) if allowed}


def test_forms_need_their_token(event, director, uploads):
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(director)
    address = reverse("upload-file", args=["scrabble", event.slug])
    before = Upload.objects.count()
    answer = client.post(address, {"files": [SimpleUploadedFile("b.csv", TEXT + b"\n")]})
    assert answer.status_code == 403
    assert client.post(reverse("upload-commit", args=[uploads[0]]), {"version": "0"}).status_code == 403
    assert Upload.objects.count() == before


def test_a_director_who_no_longer_directs(client, event, director, uploads):
    client.force_login(director)
    event.director_rows.all().delete()
    assert client.get(reverse("upload-rows", args=[uploads[0]])).status_code == 403


def test_unknown_addresses(client, director):
    client.force_login(director)
    for address in ("/desk/uploads/999/rows/", "/desk/uploads/new/chess/x/", "/desk/uploads/new/scrabble/none/"):
        assert client.get(address).status_code == 404
