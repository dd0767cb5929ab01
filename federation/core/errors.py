"""The two families of error that a rule can raise.

A `RuleError` can be mended by a person: it has a stable code, which the pages translate. An `InvariantError` is
a bug: nobody but a developer can do anything about it.
"""

from collections.abc import Mapping


class RuleError(Exception):
    """The data or the settings contradict a rule; a person can mend it.

    Args:
        code: Stable code in snake case; pages translate it, tests and vectors compare it.
        params: The values that a translated text needs.
        where: Where the fault lies (a game, a row, a setting), for the reader.
    """

    def __init__(self, code: str, params: Mapping[str, object] | None = None, where: str | None = None) -> None:
        self.code = code
        self.params: dict[str, object] = dict(params or {})
        self.where = where
        super().__init__(code, self.params, where)

    def __str__(self) -> str:
        """Give code, place and values in one untranslated line, for logs."""
        text = self.code
        if self.where:
            text += f" at {self.where}"
        if self.params:
            text += " (" + ", ".join(f"{name}={value!r}" for name, value in self.params.items()) + ")"
        return text


class InvariantError(Exception):
    """Something that the code promises does not hold: a bug, never a fault of the data."""
