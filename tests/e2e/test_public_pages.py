"""The public pages of scrabble in a browser: accessibility in both themes, narrow screens, the policy, no scripts."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.integration.ratings.pages.site import correct, example_site

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

EVENT = "/scrabble/events/worked-example/"
PAGES = [
    *("/", "/scrabble/lists/2025-26/2/", "/scrabble/lists/2025-26/1/?q=nobody", "/scrabble/players/101/", "/clubs/"),
    *(f"{EVENT}why/101/", f"{EVENT}?view=wall", f"{EVENT}?view=rounds", f"{EVENT}?view=players", "/scrabble/events/"),
    *("/scrabble/lists/", "/scrabble/lists/difference/?a=1&b=2", "/scrabble/errata/", "/scrabble/seasons/2025-26/"),
    *("/scrabble/records/", "/scrabble/rules/", "/scrabble/rules/calculator/", "/scrabble/errata/2026-01/"),
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture
def site(live_server) -> str:
    correct(example_site(extra=12))
    return live_server.url


def in_catalan(chromium: Browser, site: str, messages: list[str], **options) -> Page:
    page = chromium.new_context(locale="en-GB", **options).new_page()
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.goto(f"{site}/?lang=ca")
    return page


@pytest.mark.parametrize(("scheme", "width"), [("light", 390), ("dark", 1280)])
def test_pages_are_accessible(chromium, site, scheme, width):
    page = in_catalan(
        chromium, site, [], color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 900}
    )
    for address in PAGES:
        page.goto(site + address)
        found = Axe().run(page, options=RULES).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], address


@pytest.mark.parametrize("scripts", [True, False])
def test_no_page_scrolls_sideways_or_breaks_the_policy(chromium, site, scripts):
    messages: list[str] = []
    page = in_catalan(chromium, site, messages, java_script_enabled=scripts, viewport={"width": 320, "height": 800})
    for address in PAGES:
        assert page.goto(site + address).ok, address
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, address
    assert [text for text in messages if "404" not in text] == []
