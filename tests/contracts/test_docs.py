"""Promises about the documentation: its links lead somewhere, its commands exist, no setting is missing."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from django.core.management import get_commands

from federation.env import KNOWN_VARIABLES

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
CODE = re.compile(r"^(`{3,}).*?^\s*\1`*\s*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"manage\.py +([a-z][a-z0-9_]*)")
VARIABLE = re.compile(r"\bBAREM_[A-Z_]+[A-Z]\b")


def documents() -> list[Path]:
    """Markdown files of the repository, or of the folder where there is no git."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    found = [ROOT / line for line in listing] or [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    return sorted(path for path in found if path.is_file())


def anchors(path: Path) -> set[str]:
    """Anchors of the headings of a document: lower case, no punctuation, hyphens for blanks."""
    headings = re.findall(r"^#+ +(.+?)\s*$", CODE.sub("", path.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


DOCUMENTS = documents()
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


def test_the_guides_are_there():
    guides = {path.stem for path in DOCUMENTS if path.parent == ROOT / "docs" / "guides"}
    assert guides >= {
        "player",
        "director",
        "results-secretary",
        "ratings-officer",
        "registry-officer",
        "administrator",
        "developer",
    }


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_relative_links_lead_somewhere(path):
    broken = []
    for target in LINK.findall(CODE.sub("", path.read_text(encoding="utf-8"))):
        if re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = (path.parent / name).resolve() if name else path
        inside = file == ROOT or ROOT in file.parents
        if not inside or not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_commands_exist(path):
    named = set(COMMAND.findall(path.read_text(encoding="utf-8")))
    assert named - set(get_commands()) == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_make_targets_exist(path):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):", makefile, flags=re.MULTILINE))
    text = path.read_text(encoding="utf-8")
    named = set(re.findall(r"`make ([a-z][a-z-]*)", text)) | set(
        re.findall(r"^make ([a-z][a-z-]*)", text, re.MULTILINE)
    )
    assert named - targets == set()


@pytest.mark.parametrize("path", DOCUMENTS, ids=NAMES)
def test_documents_name_known_settings_only(path):
    assert set(VARIABLE.findall(path.read_text(encoding="utf-8"))) - KNOWN_VARIABLES == set()


def test_every_setting_is_described():
    rows = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    described = set(re.findall(r"^\| `(BAREM_[A-Z_]+)` \|", rows, flags=re.MULTILINE))
    assert described == KNOWN_VARIABLES


def test_the_screenshot_is_small():
    assert (ROOT / "docs" / "screenshot.png").stat().st_size < 200_000
