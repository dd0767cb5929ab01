"""What the environment may say, and the sentences with which the site refuses to start."""

from __future__ import annotations

import pytest
from environs import Env

from federation.env import MAIL_SCHEMES, SettingsError, mail_settings


@pytest.fixture
def asked(monkeypatch):
    def settings(address):
        monkeypatch.setenv("EMAIL_URL", address)
        return mail_settings(Env())

    return settings


@pytest.mark.parametrize("address", ["", "  "])
def test_without_an_address_nothing_is_said(asked, address):
    assert asked(address) == {}


def test_the_variable_may_be_missing(monkeypatch):
    monkeypatch.delenv("EMAIL_URL", raising=False)
    assert mail_settings(Env()) == {}


@pytest.mark.parametrize(
    ("address", "host", "port", "tls", "ssl"),
    [
        ("submission://barem:s%40cret@mail.example.org", "mail.example.org", 587, True, False),
        ("submission://barem:s%40cret@mail.example.org:2525", "mail.example.org", 2525, True, False),
        ("smtp://barem:s%40cret@mail.example.org:465?ssl=true", "mail.example.org", 465, False, True),
        ("smtp://barem:s%40cret@mail.example.org", "mail.example.org", 25, False, False),
    ],
)
def test_mails_that_are_sent(asked, address, host, port, tls, ssl):
    found = asked(address)
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == (host, port)
    assert (found["EMAIL_USE_TLS"], found["EMAIL_USE_SSL"]) == (tls, ssl)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("barem", "s@cret")
    assert found["EMAIL_BACKEND"].endswith("smtp.EmailBackend")


@pytest.mark.parametrize("scheme", ["console", "dummy"])
def test_mails_that_are_not_sent(asked, scheme):
    assert asked(f"{scheme}://")["EMAIL_BACKEND"].endswith(f"{scheme}.EmailBackend")


@pytest.mark.parametrize("scheme", ["smtps", "http", "postgres", "SMTP", "file", "memory", ""])
def test_an_unknown_beginning_names_the_known_ones(asked, scheme):
    with pytest.raises(SettingsError) as refused:
        asked(f"{scheme}://user@mail.example.org")
    assert all(f"{one}://" in str(refused.value) for one in MAIL_SCHEMES)


@pytest.mark.parametrize(
    "address",
    [
        "mail.example.org",
        "submission:mail.example.org",
        "submission://",
        "submission://user:password@",
        "submission://mail.example.org:many",
        "submission://mail.example.org:99999",
        "submission://[mail.example.org",
        "smtp://mail.example.org?timeout=long",
        "submission://user:pass/word@mail.example.org",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_with_an_example(asked, address):
    with pytest.raises(SettingsError, match=r"submission://user:password@mail\.example\.org:587"):
        asked(address)


def test_every_beginning_is_described():
    from django.conf import settings

    text = (settings.BASE_DIR / "docs" / "settings.md").read_text(encoding="utf-8")
    assert all(f"`{scheme}://" in text for scheme in MAIL_SCHEMES)
