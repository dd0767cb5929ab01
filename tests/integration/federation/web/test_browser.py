"""The shell in a browser: menus, the policy, narrow screens, accessibility."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from playwright.sync_api import Browser, Page

from tests.factories import make_club, make_event, make_person, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAGES = ["/", "/search/?q=farriol", "/search/?q=fariol", "/players/102/", "/calendar/?year=2026", "/open-data/", "/no/"]
STAFF_PAGES = ["/desk/", "/admin/", "/admin/registry/person/", "/admin/registry/club/add/"]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture
def site(live_server, bare_menu) -> str:
    """A site with a few rows."""
    make_person("Neus", "Farriol i Pont", number=102, club=make_club("Ela Geminada"))
    make_event("Open of Portvell")
    return live_server.url


def opened(chromium: Browser, messages: list[str], **options) -> Page:
    page = chromium.new_context(locale="en-GB", **options).new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    return page


def signed_in(page: Page, site: str, client) -> None:
    client.force_login(make_user(roles=("administrator",), is_staff=True))
    value = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": value, "url": site}])


def test_menu_closes_on_escape_and_on_a_click_outside(chromium, site):
    page = opened(chromium, [])
    page.goto(site)
    menu = page.locator(".tools details.menu").first
    menu.locator("summary").click()
    assert menu.get_attribute("open") is not None
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    assert menu.locator("summary").evaluate("element => element === document.activeElement")
    menu.locator("summary").click()
    page.locator("h1").click()
    assert menu.get_attribute("open") is None


def test_language_is_chosen_without_scripts(chromium, site):
    page = opened(chromium, [], java_script_enabled=False)
    page.goto(f"{site}/search/?q=farriol")
    page.locator(".foot").get_by_role("link", name="Català").click()
    assert page.url == f"{site}/search/?q=farriol"
    assert page.locator("html").get_attribute("lang") == "ca"


def test_first_stop_of_the_keyboard_skips_to_the_content(chromium, site):
    page = opened(chromium, [])
    page.goto(f"{site}/privacy/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_nothing_breaks_the_policy_and_no_page_scrolls_sideways(chromium, site, client):
    messages: list[str] = []
    page = opened(chromium, messages, viewport={"width": 320, "height": 800})
    signed_in(page, site, client)
    for address in [*PAGES, *STAFF_PAGES]:
        page.goto(site + address)
        if not address.startswith("/admin/"):
            assert page.evaluate("document.documentElement.scrollWidth") <= 320, address
    assert [text for text in messages if "404" not in text] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(chromium, site, client, scheme):
    page = opened(chromium, [], color_scheme=scheme, bypass_csp=True)
    signed_in(page, site, client)
    for address in [*PAGES, *STAFF_PAGES[:2]]:
        page.goto(site + address)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], address
