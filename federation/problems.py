"""The sentences of problems: by code, what is wrong and what to do. One register for the whole site.

An app keeps its sentences in its ``problem_texts.py`` and registers them in ``AppConfig.ready()``. One code of a core
may have several: a player twice in a round is mended in one way in a file, in another in the grid, in a third where a
replay finds it. A page that wants a certain one names the register to look in first.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Protocol

from django.utils.functional import Promise

from federation.core.errors import InvariantError, RuleError


class Coded(Protocol):
    """Whatever has a code and the values of its sentence: a rule error, an issue of a file, a problem of a line."""

    @property
    def code(self) -> str:
        """Stable code."""

    @property
    def params(self) -> Mapping[str, object]:
        """Values of the sentence."""


_REGISTERS: dict[str, dict[str, str | Promise]] = {}
_date_writers: list[Callable[[dt.date], str]] = []


def register_date_writer(writer: Callable[[dt.date], str]) -> None:
    """Name how the site writes dates; the sentences write theirs so."""
    _date_writers[:] = [writer]


def _written(name: str, value: object) -> object:
    """Return a value as a sentence has it: dates, and what is called ``date`` in ISO form, in the way of the site."""
    if name == "date" and isinstance(value, str):
        try:
            value = dt.date.fromisoformat(value)
        except ValueError:
            return value
    return write_date(value) if isinstance(value, dt.date) and not isinstance(value, dt.datetime) else value


def write_date(day: dt.date) -> str:
    """Return a date in the way of the site, in the language of the moment; for what lies below the pages."""
    return _date_writers[0](day) if _date_writers else day.isoformat()


def register_texts(register: str, texts: Mapping[str, str | Promise]) -> None:
    """Add sentences to a register, lazily translated. Within a register a code has one sentence."""
    known = _REGISTERS.setdefault(register, {})
    for code, text in texts.items():
        if known.setdefault(code, text) != text:
            raise InvariantError(f"the code {code} has a text in {register} already")


def explain(problem: Coded, first: str = "") -> str:
    """Return the sentence of a problem in the language of the moment.

    The registers are asked in the order in which the apps registered them, after the one that goes first. A sentence
    whose values the problem does not have was meant for another place and is passed over.

    Args:
        problem: what was refused or found.
        first: register that is asked before the others.

    Returns:
        The sentence; the code with its values if nobody has one.
    """
    chosen = _REGISTERS.get(first, {})
    values = {name: _written(name, value) for name, value in problem.params.items()}
    for texts in (chosen, *_REGISTERS.values()):
        text = texts.get(problem.code)
        if text is not None:
            try:
                return str(text % values)
            except (KeyError, TypeError, ValueError):
                continue
    return str(RuleError(problem.code, problem.params))


def explain_all(error: RuleError, first: str = "") -> list[str]:
    """Return the sentences of all problems that a refusal lists, its own sentence if it lists none."""
    listed = error.params.get("problems")
    problems: list[Coded] = listed if isinstance(listed, list) and listed else [error]
    return [explain(problem, first) for problem in problems]
