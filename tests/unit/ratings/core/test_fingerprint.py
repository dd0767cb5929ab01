"""Canonical bytes: equal content, equal bytes; different content, different bytes."""

import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from federation.core.errors import InvariantError
from ratings.core.fingerprint import canonical_bytes, fingerprint
from ratings.core.ruleset import PAGE, SHEET

DIFFERENT = [
    None,
    True,
    False,
    0,
    1,
    1.0,
    "1",
    b"1",
    "",
    [],
    {},
    [1],
    [[1]],
    [1, 1],
    ["ab", "c"],
    ["a", "bc"],
    {"a": 1},
    {"a": None},
    {1, 2},
    Fraction(1, 3),
    datetime.date(2023, 10, 15),
    np.array([1]),
    np.array([1.0]),
    np.array([[1]]),
    np.array([True]),
    np.array([1, 256]),
    np.array([257, 0]),
    np.array([1, 2], dtype=object),
    PAGE,
    SHEET,
]


def test_different_contents_have_different_bytes():
    for one, other in combinations(DIFFERENT, 2):
        assert canonical_bytes(one) != canonical_bytes(other), (one, other)


def test_spelling_does_not_matter():
    assert fingerprint({"a": 1, "b": [2]}) == fingerprint({"b": (2,), "a": np.int64(1)})
    assert fingerprint(np.array([1, 2], dtype=np.int16)) == fingerprint(np.array([1, 2], dtype=">i8"))
    assert fingerprint(np.arange(6)[::2]) == fingerprint(np.array([0, 2, 4]))
    assert fingerprint(Decimal("0.50")) == fingerprint(Fraction(1, 2))
    assert fingerprint({3, 1, 2}) == fingerprint({2, 3, 1})


def test_a_known_fingerprint_never_changes():
    """Stored fingerprints must stay valid: this one may only change together with a migration of stored ones."""
    content = ("list", 12, {"season": "2023-24"}, np.array([1116, 999]), Fraction(16, 5), None)
    assert canonical_bytes(*content) == (
        b"l1:6s4:listi2:12m1:1s6:seasons7:2023-24ai1:2"
        + (1116).to_bytes(8, "little")
        + (999).to_bytes(8, "little")
        + b"q4:16/5N"
    )


def test_unknown_kinds_are_refused():
    with pytest.raises(InvariantError):
        fingerprint(object())
