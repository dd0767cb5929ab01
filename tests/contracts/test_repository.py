"""Promises about the repository itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import polib
import pytest

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted(ROOT.glob("locale/*/LC_MESSAGES/*.po"))


def tracked_files() -> list[Path]:
    """Files of the repository, or of the folder where there is no git."""
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    return [ROOT / line for line in listing.stdout.splitlines() if (ROOT / line).is_file()]


@pytest.mark.parametrize("name", ["base.txt", "dev.txt"])
def test_locks_are_pinned_by_hash_and_hold_no_address(name):
    text = (ROOT / "requirements" / name).read_text()
    assert "://" not in text
    pins = re.findall(r"^[a-z0-9][\w.\-\[\]]*==", text, flags=re.MULTILINE | re.IGNORECASE)
    assert pins
    assert text.count("--hash=sha256:") >= len(pins)


def test_no_file_names_a_path_of_a_machine():
    needle = re.compile(rf"(?:{re.escape(str(ROOT.parent))}|/root|/home/\w+)/")
    binary = {".woff2", ".png", ".mo", ".xlsx", ".zip", ".ico"}
    offenders = [
        path.relative_to(ROOT)
        for path in tracked_files()
        if path.suffix not in binary and path != Path(__file__) and needle.search(path.read_text(errors="replace"))
    ]
    assert offenders == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_catalogue_is_complete_and_compiled(path):
    catalogue = polib.pofile(str(path))
    unfinished = [entry.msgid for entry in catalogue if not entry.obsolete and (not entry.translated() or entry.fuzzy)]
    assert unfinished == []
    compiled = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in polib.mofile(str(path.with_suffix(".mo")))}
    source = {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in catalogue.translated_entries()}
    assert compiled == source


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_translations_keep_the_placeholders(path):
    placeholder = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")
    for entry in polib.pofile(str(path)).translated_entries():
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            if translation:
                expected = set(placeholder.findall(entry.msgid)) | set(placeholder.findall(entry.msgid_plural))
                assert set(placeholder.findall(translation)) <= expected, entry.msgid


def test_no_lock_on_a_row_stops_who_only_refers_to_it():
    """A run refers to events and persons that others hold; a lock on their keys would make both wait in a circle."""
    source = [path for path in tracked_files() if path.suffix == ".py" and path.parts[len(ROOT.parts)] != "tests"]
    found = re.compile(r"select_for_update\((.*)")
    calls = [(path.name, call) for path in source for call in found.findall(path.read_text())]
    assert calls
    assert [call for call in calls if "no_key=True" not in call[1]] == []
