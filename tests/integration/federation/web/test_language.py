"""Choosing the language."""

import pytest
from django.conf import settings

pytestmark = pytest.mark.django_db


def test_choice_is_remembered_and_taken_out_of_the_address(visitor):
    response = visitor.get("/search/?q=far&lang=ca&kind=person")
    assert (response.status_code, response["Location"]) == (302, "/search/?q=far&kind=person")
    cookie = response.cookies[settings.LANGUAGE_COOKIE_NAME]
    assert (cookie.value, cookie["httponly"], cookie["samesite"]) == ("ca", True, "Lax")
    page = visitor.get("/search/?q=far&kind=person")
    assert '<html lang="ca"' in page.content.decode()
    assert page["Content-Language"] == "ca"


def test_cookie_wins_over_the_browser(client, db):
    assert '<html lang="ca"' in client.get("/", headers={"accept-language": "ca,en;q=0.5"}).content.decode()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    assert '<html lang="en"' in client.get("/", headers={"accept-language": "ca"}).content.decode()


@pytest.mark.parametrize("choice", ["xx", "", "ru", "ca'--", "CA", "../ca"])
def test_unknown_language_is_ignored(visitor, choice):
    response = visitor.get("/", {"lang": choice})
    assert response.status_code == 200
    assert settings.LANGUAGE_COOKIE_NAME not in response.cookies


def test_never_leads_to_another_host(visitor):
    response = visitor.get("//evil.example/?lang=ca")
    assert response.status_code in (302, 404)
    assert not response.get("Location", "/").startswith("//")


@pytest.mark.parametrize("address", ["/calendar/?format=csv", "/calendar.ics?", "/feed/?"])
def test_what_programs_read_keeps_the_language_in_its_address(visitor, address):
    response = visitor.get(f"{address}&lang=ca")
    assert response.status_code == 200
    assert response["Content-Language"] == "ca"
    assert settings.LANGUAGE_COOKIE_NAME not in response.cookies


def test_a_form_is_not_redirected(visitor):
    response = visitor.post("/search/?lang=ca", {})
    assert response.status_code != 302


def test_answers_depend_on_cookie_and_browser_language(visitor):
    vary = {name.strip().lower() for name in visitor.get("/")["Vary"].split(",")}
    assert {"cookie", "accept-language"} <= vary


def test_links_to_the_other_language_keep_the_query(visitor):
    page = visitor.get("/search/?q=a%26b").content.decode()
    assert '<a href="?q=a%26b&amp;lang=ca" lang="ca" hreflang="ca">Català</a>' in page
