"""The close of a season in a real browser: the run seen live, without script, by keyboard, on a phone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from federation.accounts.models import Role
from federation.jobs.models import Job
from ratings.core.ruleset import PAGE
from ratings.models import PublishedList, RatingSystem, RuleSet
from tests.factories import make_discipline, make_user
from tests.integration.ratings.engine.test_lists import small_season
from tests.integration.ratings.engine.world import World

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
CODE = "2023-24"


@pytest.fixture
def world() -> World:
    system, _made = RatingSystem.objects.get_or_create(
        code="barruf", defaults={"discipline": make_discipline(), "name": "BARRUF"}
    )
    rules = {"parameters": PAGE.to_parameters(), "digest": PAGE.digest(), "valid_from": "2000-01-01"}
    RuleSet.objects.get_or_create(system=system, name="page", version=1, defaults=rules)
    world = World(system)
    small_season(world)
    return world


@pytest.fixture
def open_page(chromium, live_server, world):
    """Open pages in a browser in which the ratings officer is signed in."""
    client = Client()
    client.force_login(make_user("officer", roles=(Role.RATINGS_OFFICER,)))

    def opened(**options):
        options.setdefault("viewport", {"width": 1280, "height": 900})
        context = chromium.new_context(locale="en-GB", **options)
        value = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": value, "url": live_server.url}])
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda message: page.errors.append(message.text) if message.type == "error" else None)
        return page

    return opened


@pytest.fixture
def address(live_server) -> str:
    return live_server.url + reverse("scrabble-season-close", args=[CODE])


def test_the_run_is_seen_live_and_its_result_appears_by_itself(open_page, world, address):
    page = open_page()
    page.goto(address)
    page.click("text=Start the run")
    expect(page.locator("#difference")).to_be_visible()
    # The same job as if it were still at work: the row tells the truth, and the page follows it.
    Job.objects.update(state="running", done_steps=1, total_steps=2, result={"attempt": 1, "first_pass": 2})
    page.goto(address)
    expect(page.locator("#run [role=status]")).to_have_text("Second pass, event 1 of 2")
    expect(page.locator("#publish")).to_have_count(0)
    Job.objects.update(done_steps=2)
    expect(page.locator("#run [role=status]")).to_have_text("Second pass, event 2 of 2", timeout=10_000)
    result = {"draft": PublishedList.objects.get().pk, "second_pass": {"identical": True, "events": 2}}
    Job.objects.update(state="done", result=result)
    expect(page.locator("#publish")).to_be_visible(timeout=10_000)
    expect(page.locator("#run [role=status]")).to_have_text("Done")
    assert page.errors == []


def test_a_season_is_closed_without_script_and_without_mouse(open_page, world, address):
    page = open_page(java_script_enabled=False)
    page.goto(address)
    page.focus("button[value=prepare]")
    page.keyboard.press("Enter")
    expect(page.locator("#publish")).to_be_visible()
    page.focus("[name=read]")
    page.keyboard.press("Space")
    page.focus("button[value=publish]")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Season 2023–24 is closed with list 1.")).to_be_visible()
    assert PublishedList.objects.get().number == 1


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_fit_a_phone(open_page, world, live_server, address, width, scheme):
    page = open_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(address)
    page.click("text=Start the run")
    expect(page.locator("#publish")).to_be_visible()
    draft = PublishedList.objects.get()
    names = [
        ("scrabble-seasons", []),
        ("scrabble-season-close", [CODE]),
        ("scrabble-season-open", [CODE]),
        ("scrabble-season-edition", [CODE]),
        ("scrabble-season-reopen", [CODE]),
        ("scrabble-draft-list", [draft.pk]),
    ]
    for name, args in names:
        page.goto(live_server.url + reverse(name, args=args))
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    assert page.errors == []
