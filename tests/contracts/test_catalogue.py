"""Every text of the program is in the Catalan catalogue: nothing that readers see stays in English."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[2]
CATALOGUE = ROOT / "locale" / "ca" / "LC_MESSAGES" / "django.mo"
FUNCTIONS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy", "pgettext", "pgettext_lazy"}
#: Names under which the messages of Django itself are collected; any other alias is passed over in silence.
ALIASES = {"_", None}
PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?[sdif]|%%")


def sources() -> list[Path]:
    return sorted(path for app in ("federation", "ratings") for path in (ROOT / app).rglob("*.py"))


def _calls(tree: ast.AST) -> Iterator[tuple[str, ...]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in FUNCTIONS:
            texts = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if texts and name.startswith("pgettext"):
                yield ("\x04".join(texts[:2]),)
            elif texts:
                yield tuple(texts[: 2 if name.startswith("ngettext") else 1])


def messages() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Give the file and the text, or the pair of singular and plural."""
    for path in sources():
        for found in _calls(ast.parse(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(ROOT)), found
    for path in sorted((ROOT / "templates").rglob("*.*")):
        written = templatize(path.read_text(encoding="utf-8"), origin=str(path))
        for line in re.findall(r"(?:[pn]?p?gettext|_)\(.*?\)(?=\s|$)", written):
            try:
                tree = ast.parse(line)
            except SyntaxError:
                continue
            for found in _calls(tree):
                yield str(path.relative_to(ROOT)), found


@pytest.fixture(scope="module")
def catalogue() -> dict:
    with CATALOGUE.open("rb") as file:
        return GNUTranslations(file)._catalog


def test_texts_are_marked_by_names_that_are_collected():
    wrong = []
    for path in sources():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation":
                wrong += [
                    (path.name, one.asname) for one in node.names if "gettext" in one.name and one.asname not in ALIASES
                ]
    assert wrong == []


def test_every_text_is_in_the_catalogue(catalogue):
    missing = {}
    for place, found in messages():
        key = found[0] if len(found) == 1 else (found[0], 0)
        if key not in catalogue and (found[0], 0) not in catalogue and found[0].strip():
            missing.setdefault(found, place)
    assert missing == {}


def test_translations_keep_the_placeholders(catalogue):
    for key, text in catalogue.items():
        source = key[0] if isinstance(key, tuple) else key
        if source and "%(" in source:
            wanted, kept = set(PLACEHOLDER.findall(source)), set(PLACEHOLDER.findall(text))
            # A singular may say «one» in a word.
            assert kept <= wanted or isinstance(key, tuple), source
            assert wanted <= kept or isinstance(key, tuple), source
