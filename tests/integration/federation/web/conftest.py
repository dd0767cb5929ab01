"""What the tests of the shell share."""

from __future__ import annotations

import pytest
from django.test import Client

from federation.web import menu, search

_REGISTRIES = [
    name
    for name, value in vars(menu).items()
    if name.startswith("_") and not name.startswith("__") and isinstance(value, list | dict)
]


@pytest.fixture(autouse=True)
def bare_menu():
    """Take what the games registered out, so that the shell is tested alone, and put it back."""
    kept = {name: getattr(menu, name).copy() for name in _REGISTRIES}
    for name in _REGISTRIES:
        getattr(menu, name).clear()
    search._index = None
    yield menu
    for name, value in kept.items():
        registry = getattr(menu, name)
        registry.clear()
        registry.update(value) if isinstance(registry, dict) else registry.extend(value)


@pytest.fixture
def visitor(db) -> Client:
    """A visitor who reads English."""
    return Client(headers={"accept-language": "en"})
