"""Running files of test vectors through the product's own rules.

A game registers an adapter for its domain. The adapter turns a document into cases; each case knows what it expects
and how to ask the product. This module compares and reports; it knows no rule.
"""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, Protocol

from federation.core.errors import RuleError

DOUBLE_TOLERANCE: Final = 1e-9
_LONGEST: Final = 200

Comparison = Callable[[Any, Any], "Difference | None"]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where an outcome is not the expected one; `path` is empty for the outcome as a whole."""

    path: str
    expected: Any
    actual: Any

    def __str__(self) -> str:
        """Give the text after the case's name in a report."""
        place = f"{self.path} = " if self.path else ""
        return f"expected {place}{shown(self.expected)}, got {place}{shown(self.actual)}"


class Absent:
    """Stands for a value that the outcome does not have."""

    def __repr__(self) -> str:
        """Give the word that a report shows."""
        return "nothing"


ABSENT: Final = Absent()


def difference(expected: Any, actual: Any, *, tolerance: float = DOUBLE_TOLERANCE) -> Difference | None:
    """Find the first difference between what a vector expects and what the product gives.

    * Keys of a mapping that the vector does not name are not compared; an empty mapping expects an empty one.
    * Sequences have the same length and the same entries.
    * Exact outcomes (integers, fractions, decimals) equal the number as it is written; one that has no finite decimal
      spelling equals it as a double.
    * Doubles agree within `tolerance`.
    * A truth value, a text and None equal only themselves.

    >>> difference({"k": 20}, {"k": 30, "after": 1}) is None
    False
    """
    return _difference("", expected, actual, tolerance)


def within(expected: Any, actual: Any, precision: float) -> Difference | None:
    """Compare as `difference`, but let numbers that are not whole differ by the precision of a printed figure."""
    return _difference("", expected, actual, precision, printed=True)


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a document.

    Attributes:
        id: Name of the case in the report.
        expected: What the vector expects.
        run: Asks the product; a `RuleError` becomes the outcome `{"error": code}`.
        compare: Finds the first difference between expectation and outcome.
    """

    id: str
    expected: Any
    run: Callable[[], Any]
    compare: Comparison = difference

    def outcome(self) -> Any:
        """Ask the product."""
        try:
            return self.run()
        except RuleError as error:
            return {"error": error.code}


class Adapter(Protocol):
    """What a game registers: it turns a document of vectors into cases."""

    def __call__(self, document: Any) -> Iterable[Case]:
        """Give the cases of a document.

        Raises:
            KeyError, TypeError, ValueError: the document has not the form of this domain.
        """


@dataclass(slots=True)
class Report:
    """The outcome of a document."""

    failures: list[str] = field(default_factory=list)
    passed: int = 0

    @property
    def failed(self) -> int:
        """Number of cases that differ."""
        return len(self.failures)

    def lines(self) -> Iterator[str]:
        """Give the lines to print: one a failure, then the counts."""
        yield from self.failures
        yield f"{self.passed} passed, {self.failed} failed"


_ADAPTERS: dict[str, Adapter] = {}


def register(domain: str, adapter: Adapter) -> None:
    """Register the adapter of a domain; a second registration replaces the first."""
    _ADAPTERS[domain] = adapter


def domains() -> list[str]:
    """Give the registered domains in alphabetical order."""
    return sorted(_ADAPTERS)


def load(text: str | bytes) -> Any:
    """Read a document of vectors; numbers with a decimal point stay exact decimals.

    Raises:
        ValueError: the text is not JSON (`json.JSONDecodeError` has line and column) or not UTF-8.
    """
    return json.loads(text, parse_float=Decimal, parse_constant=_refuse_constant)


def run(domain: str, document: Any) -> Report:
    """Run all cases of a document.

    A case that the product cannot even read fails; it does not end the run.

    Raises:
        KeyError: the domain is not registered.
        TypeError, ValueError: the document has not the form of the domain.
    """
    adapter = _ADAPTERS[domain]
    try:
        cases = list(adapter(document))
    except (KeyError, AttributeError) as error:
        raise ValueError(f"the document has not the form of {domain} vectors: {error!r}") from error
    report = Report()
    for case in cases:
        try:
            found = case.compare(case.expected, case.outcome())
        except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError) as error:
            found = Difference("", case.expected, f"a case that cannot be read: {error!r}")
        if found is None:
            report.passed += 1
        else:
            report.failures.append(f"FAIL {case.id}: {found}")
    return report


def shown(value: Any) -> str:
    """Write a value for a report: short, numbers as numbers."""
    if isinstance(value, Fraction):
        exact = _decimal(value)
        text = str(value) if exact is None else f"{exact:f}"
    elif isinstance(value, Decimal):
        text = str(value)
    elif isinstance(value, Mapping):
        text = "{" + ", ".join(f"{key}: {shown(item)}" for key, item in value.items()) + "}"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(shown(item) for item in value) + "]"
    else:
        text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _difference(path: str, expected: Any, actual: Any, tolerance: float, *, printed: bool = False) -> Difference | None:
    if isinstance(expected, Mapping):
        return _mapping_difference(path, expected, actual, tolerance, printed)
    if isinstance(expected, list | tuple):
        return _sequence_difference(path, expected, actual, tolerance, printed)
    if _is_number(expected) and _is_number(actual):
        equal = _numbers_agree(expected, actual, tolerance, printed)
    else:
        equal = type(expected) is type(actual) and expected == actual
    return None if equal else Difference(path, expected, actual)


def _mapping_difference(
    path: str, expected: Mapping[Any, Any], actual: Any, tolerance: float, printed: bool
) -> Difference | None:
    if not isinstance(actual, Mapping) or (not expected and actual):
        return Difference(path, expected, actual)
    if "error" in actual and "error" not in expected:
        return Difference(path, expected, actual)
    for key, value in expected.items():
        inner = f"{path}.{key}" if path else str(key)
        if key not in actual:
            return Difference(inner, value, ABSENT)
        found = _difference(inner, value, actual[key], tolerance, printed=printed)
        if found:
            return found
    return None


def _sequence_difference(
    path: str, expected: Sequence[Any], actual: Any, tolerance: float, printed: bool
) -> Difference | None:
    if not isinstance(actual, list | tuple) or len(actual) != len(expected):
        return Difference(path, expected, actual)
    for position, (value, other) in enumerate(zip(expected, actual, strict=True)):
        found = _difference(f"{path}[{position}]", value, other, tolerance, printed=printed)
        if found:
            return found
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal | Fraction) and not isinstance(value, bool)


def _numbers_agree(expected: Any, actual: Any, tolerance: float, printed: bool) -> bool:
    if isinstance(actual, float):
        return math.isfinite(actual) and abs(Fraction(expected) - Fraction(actual)) <= Fraction(tolerance)
    exact = Fraction(actual)
    if Fraction(expected) == exact:
        return True
    if exact.denominator == 1:
        return False
    if printed:
        return abs(Fraction(expected) - exact) <= Fraction(tolerance)
    # A vector cannot write 79/140 out; one that was written as a double equals it as a double.
    return (_decimal(exact) is None or isinstance(expected, float)) and float(expected) == float(exact)


def _decimal(value: Fraction) -> Decimal | None:
    """Give the finite decimal spelling of a fraction, None if it has none."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return None
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return Decimal(int(value * 10**places)).scaleb(-places)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number that a vector may use")
