"""The grid of a round in a real browser: by keyboard, with live warnings, without script, on a phone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from federation.accounts.models import Role
from federation.registry.models import EventState
from ratings.core.rounds import GameRow
from ratings.core.ruleset import PAGE
from ratings.models import Game, RatingSystem, RuleSet
from ratings.queries.results import round_state
from ratings.services.results import save_round
from tests.factories import make_entry, make_event, make_person, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Neus Farriol", "Oriol Bastida", "Vera Osintseva", "Biel Cantarell", "Teia Grau", "Ona Càdec")


@pytest.fixture
def event():
    event = make_event("Open of Portvell", state=EventState.OPEN, rounds=3, slug="open-of-portvell")
    for name in NAMES:
        make_entry(event, make_person(*name.split()))
    return event


@pytest.fixture
def secretary():
    return make_user("secretary", roles=(Role.RESULTS_SECRETARY,))


def open_page(chromium, live_server, user, **options):
    """A page in a browser that is signed in."""
    client = Client()
    client.force_login(user)
    options.setdefault("viewport", {"width": 1280, "height": 900})
    context = chromium.new_context(locale="en-GB", **options)
    cookie = client.cookies["sessionid"]
    context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
    return page


def focused(page) -> str:
    return page.evaluate("document.activeElement.name || document.activeElement.id")


@pytest.fixture(params=["desk", "admin"])
def address(request, live_server, event):
    """The same grid at the desk and in the admin."""
    if request.param == "desk":
        return live_server.url + reverse("scrabble-desk-round", args=[event.slug, 1])
    return live_server.url + reverse("admin:scrabble_round", args=[event.pk, 1])


def test_a_round_is_typed_without_the_mouse(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    assert focused(page) == "a-1"
    for text in ("1", "osin", "392", "368", "bast", "4", "350", "350", "5", "bye"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    assert focused(page) == "a-4"
    expect(page.locator("[name=b-1]")).to_have_value("3 Vera Osintseva")
    expect(page.locator("[data-missing]")).to_contain_text("6 Ona Càdec")
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    rows = round_state(event, 1).rows
    assert [(row.a, row.b, row.score_a, row.score_b, row.result) for row in rows] == [
        (1, 3, 392, 368, 2),
        (2, 4, 350, 350, 1),
        (5, None, None, None, 2),
    ]
    assert page.errors == []


def test_warnings_come_while_typing_and_go_when_mended(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    for name, text in (("a-1", "1"), ("b-1", "2"), ("score_a-1", "9999"), ("score_b-1", "300")):
        page.fill(f"[name={name}]", text)
    page.wait_for_selector("#line-1 .problem:has-text('not possible')")
    assert page.get_attribute("[name=score_a-1]", "aria-invalid") == "true"
    page.fill("[name=score_a-1]", "400")
    page.fill("[name=a-2]", "2")
    page.fill("[name=b-2]", "2")
    page.wait_for_selector("#line-2 .problem:has-text('against himself')")
    page.fill("[name=b-2]", "3")
    page.wait_for_selector("#line-2 .problem:has-text('already stands in line 1')")
    page.fill("[name=a-2]", "4")
    page.fill("[name=score_a-2]", "400")
    page.wait_for_selector("#line-2 .problem:has-text('One score is missing')")
    page.fill("[name=score_b-2]", "350")
    page.wait_for_selector("#line-2[class='']")
    assert page.is_hidden("#line-1 [data-problem]")
    assert not Game.objects.exists()
    assert page.errors == []


def test_scores_of_a_paired_round_by_finding_the_player(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    for line, (a, b) in enumerate(((1, 2), (3, 4), (5, 6)), start=1):
        page.fill(f"[name=a-{line}]", str(a))
        page.fill(f"[name=b-{line}]", str(b))
    with page.expect_navigation():
        page.click("[data-save]")
    page.focus("#jump")
    for text in ("cadec", "401", "377", "neus", "402", "350"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
    assert focused(page) == "jump"
    with page.expect_navigation():
        page.keyboard.press("Control+Enter")
    scores = {row.players: (row.score_a, row.score_b) for row in round_state(event, 1).rows}
    assert scores == {(1, 2): (402, 350), (3, 4): (None, None), (5, 6): (401, 377)}


def test_more_lines_are_added_in_place(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    count = page.locator("tbody[data-line]").count()
    page.click("[data-more]")
    assert page.locator("tbody[data-line]").count() == count + 1
    assert focused(page) == f"a-{count + 1}"


def test_it_works_without_script(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary, java_script_enabled=False)
    page.goto(address)
    for name, text in (("a-1", "neus"), ("b-1", "2"), ("score_a-1", "400"), ("score_b-1", "300")):
        page.fill(f"[name={name}]", text)
    page.click("[data-save]")
    assert page.locator("text=Round 1 is stored.").count() == 1
    assert Game.objects.count() == 1


@pytest.mark.usefixtures("system")
def test_a_player_is_found_while_typing_and_entered(chromium, live_server, event, secretary):
    make_person("Nil", "Novellà")
    page = open_page(chromium, live_server, secretary)
    page.goto(live_server.url + reverse("scrabble-desk-event", args=[event.slug]))
    page.type("#entry-q", "novel")
    button = page.locator("#people button")
    expect(button).to_have_count(1)
    with page.expect_navigation():
        button.click()
    assert event.entries.get(number=7).person.family_name == "Novellà"
    assert page.errors == []


@pytest.fixture
def system(event):
    """The rating system and its rules; the data of the migrations do not outlive a test with threads."""
    system, _made = RatingSystem.objects.get_or_create(
        code="barruf", defaults={"discipline": event.discipline, "name": "BARRUF"}
    )
    rules = {"parameters": PAGE.to_parameters(), "digest": PAGE.digest(), "valid_from": "2000-01-01"}
    RuleSet.objects.get_or_create(system=system, name="page", version=1, defaults=rules)
    return system


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (1280, "light"), (1280, "dark")])
@pytest.mark.usefixtures("system")
def test_pages_of_the_desk_are_accessible(chromium, live_server, event, secretary, width, scheme):
    from axe_playwright_python.sync_playwright import Axe

    rows = [GameRow(1, 2, "played", 400, 300, 2), GameRow(3, 4, "pending"), GameRow(5, None, "bye", result=2)]
    save_round(event=event, number=1, version=0, rows=rows, actor=secretary)
    page = open_page(chromium, live_server, secretary, viewport={"width": width, "height": 900}, color_scheme=scheme)
    names = [
        ("scrabble-desk-events", []),
        ("scrabble-desk-event", [event.slug]),
        ("scrabble-desk-event-edit", [event.slug]),
        ("scrabble-desk-round", [event.slug, 1]),
        ("scrabble-desk-sheet", [event.slug, 1]),
        ("admin:scrabble_round", [event.pk, 1]),
        ("scrabble-desk-approval", [event.slug]),
        ("scrabble-desk-corrections", []),
    ]
    for name, args in names:
        page.goto(live_server.url + reverse(name, args=args))
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (name, wide)
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == [], name
    assert page.errors == []


def fill(page, **cells):
    for name, text in cells.items():
        page.fill(f"[name={name.replace('__', '-')}]", text)


def test_what_was_typed_outlives_a_lapsed_sign_in(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    session = page.context.cookies()
    fill(page, a__1="1", b__1="2", score_a__1="412", score_b__1="380", a__2="3")
    page.select_option("[name=kind-2]", "bye")
    page.context.clear_cookies()
    with page.expect_navigation():
        page.click("[data-save]")
    assert not Game.objects.exists()
    page.context.add_cookies(session)
    page.goto(address)
    expect(page.locator("[data-draft-notice]")).to_be_visible()
    expect(page.locator("[name=score_a-1]")).to_have_value("412")
    expect(page.locator("[name=kind-2]")).to_have_value("bye")
    with page.expect_navigation():
        page.click("[data-save]")
    assert Game.objects.count() == 2
    page.reload()
    expect(page.locator("[data-draft-notice]")).to_be_hidden()


def test_what_is_filled_in_again_does_not_hide_what_others_stored(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    fill(page, a__1="1", b__1="2", score_a__1="412", score_b__1="380")
    rows = [GameRow(1, 2, "played", 400, 300, 2)]
    save_round(event=event, number=1, version=0, rows=rows, actor=make_user("other"))
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("[name=score_a-1]")).to_have_value("412")
    with page.expect_navigation():
        page.click("[data-save]")
    expect(page.locator("header.title")).to_contain_text("was changed meanwhile")
    assert page.locator("h1").count() == 1
    assert page.locator("text=Drop mine and look at the round").count() == 1
    with page.expect_navigation():
        page.click("text=Drop mine and look at the round")
    expect(page.locator("[name=score_a-1]")).to_have_value("400")
    expect(page.locator("[data-draft-notice]")).to_be_hidden()


def test_the_kind_of_a_line_is_reached_by_keyboard(chromium, live_server, event, secretary, address):
    page = open_page(chromium, live_server, secretary)
    page.goto(address)
    page.focus("[name=score_b-1]")
    page.keyboard.press("Tab")
    assert focused(page) == "kind-1"
