"""The closed vocabulary of audited actions; each app adds its own when it starts."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise

from federation.core.errors import InvariantError

_ACTIONS: dict[str, str | Promise] = {}


def register_actions(actions: Mapping[str, str | Promise]) -> None:
    """Add actions to the vocabulary.

    Args:
        actions: Code (``noun.participle``, at most 60 characters) to a lazily translated text.

    Raises:
        InvariantError: a code is malformed, or already known with another text.
    """
    for code, text in actions.items():
        noun, dot, participle = code.partition(".")
        if not (noun and dot and participle) or len(code) > 60:
            raise InvariantError(f"{code!r} is not an action code of the form noun.participle")
        if code in _ACTIONS and str(_ACTIONS[code]) != str(text):
            raise InvariantError(f"The action {code!r} is registered twice")
        _ACTIONS[code] = text


def is_known(code: str) -> bool:
    """Whether the code belongs to the vocabulary."""
    return code in _ACTIONS


def action_text(code: str) -> str:
    """Return the text of an action in the reader's language, the code itself for one no longer in use."""
    return str(_ACTIONS.get(code, code))


def action_choices() -> list[tuple[str, str]]:
    """Return code and text of every action, by text."""
    return sorted(
        ((code, str(text)) for code, text in _ACTIONS.items()), key=lambda pair: (pair[1].casefold(), pair[0])
    )
