"""Files that the pages load: unchanged, complete, from this host, nothing inline."""

import hashlib
import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))

#: SHA-256 of files taken over from others.
VENDORED = {
    "vendor/htmx-4.0.1/htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "vendor/htmx-4.0.1/LICENSE": "d3d2456f76414f2456104660ebd65aff1c04cd7966b942bdabd63f3cdb316a38",
}


def test_vendored_files_are_what_was_taken_over():
    found = {
        str(path.relative_to(STATIC)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (STATIC / "vendor").rglob("*")
        if path.is_file()
    }
    assert found == VENDORED


def test_every_font_has_its_licence():
    families = {path.name.split("-")[0] for path in (STATIC / "fonts").glob("*.woff2")}
    licences = {path.name.split("-")[0] for path in (STATIC / "fonts").glob("*-OFL.txt")}
    assert families == licences


@pytest.mark.parametrize("sheet", sorted(path.name for path in (STATIC / "css").glob("*.css")))
def test_styles_load_only_files_that_are_here(sheet):
    text = (STATIC / "css" / sheet).read_text()
    for target in re.findall(r"url\(([^)]+)\)", text):
        target = target.strip("\"'")
        assert target.startswith("data:") or (STATIC / "css" / target).resolve().is_file(), target
    assert "@import" not in text


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(settings.BASE_DIR)))
def test_templates_have_nothing_that_the_policy_forbids(path):
    text = path.read_text()
    assert not re.search(r"\sstyle\s*=", text), "style attribute"
    assert not re.search(r"\son[a-z]+\s*=\s*[\"']", text), "event attribute"
    assert not re.search(r"<style\b", text), "inline styles"
    assert not re.search(r"<script(?![^>]*\bsrc=)", text), "inline script"
    assert not re.search(r"(?:src|srcset|action)=[\"']https?:", text), "another host"
    assert "javascript:" not in text
