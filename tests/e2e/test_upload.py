"""The intake of a file in a real browser: rows mended in place, people decided, stored; without script; on a phone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from federation.registry.models import EventDirector, EventState
from federation.uploads.models import Upload
from ratings.models import Game
from tests.factories import make_event, make_person, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXT = """Ronda;Taula;Jugador 1;Puntuació 1;Puntuació 2;Jugador 2
1;1;Neus Farriol;392;368;Smaranda Lupșa
1;2;Oriol Bastida;38O;284;Gal·la Prat
1;2;Oriol Bastida;380;284;Gal·la Prat
2;1;Vera Osinceva;303;387;Gal·la Prat
2;2;Jan Nou;402;401;Oriol Bastida
2;3;Neus Farriol;50;-50;Smaranda Lupșa
"""


@pytest.fixture
def event():
    event = make_event("Open of Portvell", state=EventState.OPEN, rounds=2, slug="open-of-portvell")
    for name in ("Neus Farriol", "Smaranda Lupșa", "Oriol Bastida", "Gal·la Prat"):
        make_person(*name.split())
    make_person("Вера", "Осинцева", latin_given_name="Vera", latin_family_name="Osintseva")
    return event


@pytest.fixture
def director(event):
    user = make_user("director")
    EventDirector.objects.create(event=event, user=user)
    return user


def open_page(chromium, live_server, user, **options):
    """A page in a browser that is signed in, with what the console said."""
    client = Client()
    client.force_login(user)
    options.setdefault("viewport", {"width": 1280, "height": 900})
    context = chromium.new_context(locale="en-GB", **options)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    return page, said


def send(page, live_server, event):
    page.goto(live_server.url + reverse("upload-file", args=["scrabble", event.slug]))
    page.set_input_files("#files", [{"name": "open.csv", "mimeType": "text/csv", "buffer": TEXT.encode()}])
    page.get_by_role("button", name="Read the file").click()
    page.wait_for_url("**/rows/")


def settle(page, action) -> None:
    """Do something that swaps the work, and wait for it."""
    with page.expect_response(lambda response: response.request.method == "POST"):
        action()
    page.wait_for_function("!document.querySelector('.htmx-request, .htmx-swapping')")


def fits_width(page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_director_mends_decides_and_stores(chromium, live_server, event, director):
    page, said = open_page(chromium, live_server, director)
    send(page, live_server, event)
    assert page.locator("#problems h2").inner_text() == "1 thing stops this file, 1 more needs a look"
    assert page.evaluate("document.activeElement.id") == "problems"
    settle(page, lambda: page.get_by_role("button", name="Use 380").click())
    assert page.locator("#fix-row-4 .problem").first.inner_text().startswith("This row repeats row 3")
    # The focus is at the next problem.
    assert page.evaluate("document.activeElement.closest('tr').id") == "fix-row-4"
    page.locator("#fix-row-4 summary").click()
    page.locator("[id='r:0:4']").fill("typed twice")
    settle(page, lambda: page.locator("#fix-row-4 [name=aside]").click())
    settle(page, lambda: page.locator("#fix-row-7 [name=confirm]").click())
    while page.locator("[name=confirm]").count():
        settle(page, page.locator("[name=confirm]").first.click)
    page.locator(".bar [name=next]").click()
    page.wait_for_url("**/people/")
    vera = page.locator("fieldset.question", has_text="Vera Osinceva")
    assert vera.locator("input:checked[type=radio]").count() == 0
    assert "other script or transliteration" in vera.inner_text()
    vera.locator("label", has_text="Осинцева").click()
    new = page.locator("fieldset.question", has_text="Jan Nou")
    new.locator("input[value=new]").check()
    new.locator("[id^='y:']").fill("2001")
    settle(page, lambda: page.locator(".bar [name=save]").click())
    assert page.locator("fieldset.question").count() == 0
    page.locator(".bar [name=next]").click()
    page.wait_for_url("**/effect/")
    assert Game.objects.count() == 0
    page.get_by_role("button", name="Store the results").click()
    page.wait_for_url("**/receipt/")
    assert "5 rows are stored in the event" in page.locator("main").inner_text()
    assert Game.objects.filter(event=event, superseded_at=None).count() == 5
    # Going back to the effect and storing once more changes nothing.
    page.go_back()
    if page.get_by_role("button", name="Store the results").count():
        page.get_by_role("button", name="Store the results").click()
    page.wait_for_url("**/receipt/")
    assert Game.objects.count() == 5
    assert said == []


def test_the_same_without_scripts_on_a_phone(chromium, live_server, event, director):
    options = {"java_script_enabled": False, "viewport": {"width": 390, "height": 800}}
    page, _said = open_page(chromium, live_server, director, **options)
    send(page, live_server, event)
    page.locator("[id='c:0:3:4']").fill("380")
    page.locator("#fix-row-3 [name=save]").click()
    page.locator("#fix-row-4 summary").click()
    page.locator("[id='r:0:4']").fill("typed twice")
    page.locator("#fix-row-4 [name=aside]").click()
    page.locator("[name=confirm]").first.click()
    page.locator(".bar [name=next]").click()
    page.wait_for_url("**/people/")
    page.locator("fieldset.question", has_text="Vera Osinceva").locator("label", has_text="Осинцева").click()
    page.locator("fieldset.question", has_text="Jan Nou").locator("input[value=new]").check()
    page.locator(".bar [name=save]").click()
    page.locator(".bar [name=next]").click()
    page.wait_for_url("**/effect/")
    page.get_by_role("button", name="Store the results").click()
    page.wait_for_url("**/receipt/")
    assert Upload.objects.get().state == "committed"
    assert Game.objects.filter(event=event, superseded_at=None).count() == 5


def test_no_page_scrolls_sideways(chromium, live_server, event, director):
    page, said = open_page(chromium, live_server, director, viewport={"width": 390, "height": 800})
    send(page, live_server, event)
    pk = Upload.objects.get().pk
    addresses = [
        reverse("upload-list"),
        reverse("upload-new"),
        reverse("upload-names"),
        reverse("upload-file", args=["scrabble", event.slug]),
        reverse("upload-rows", args=[pk]),
        reverse("upload-rows", args=[pk]) + "?edit=0:2",
        reverse("upload-people", args=[pk]),
    ]
    for address in addresses:
        page.goto(live_server.url + address)
        assert fits_width(page), address
    assert said == []
