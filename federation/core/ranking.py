"""Places with ties.

Competition ranking: equal values share the place and the places that they take up are skipped (1, 2, 2, 4).
"""

from collections.abc import Hashable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=Hashable)


def competition_places(values: Sequence[Value], *, descending: bool = True) -> list[int]:
    """Give each value its place; equal values share one, the following places are skipped.

    The values may come in any order and be anything that can be sorted (numbers, tuples of criteria).

    >>> competition_places([1300, 1388, 1300, 1299])
    [2, 1, 2, 4]
    """
    places: dict[Value, int] = {}
    for place, value in enumerate(sorted(values, reverse=descending), start=1):  # type: ignore[type-var]
        places.setdefault(value, place)
    return [places[value] for value in values]


def competition_places_array(values: NDArray[Any], *, descending: bool = True) -> NDArray[np.int64]:
    """Give the places of `competition_places` for an array of numbers."""
    ordered = np.sort(values)
    if descending:
        return len(values) - np.searchsorted(ordered, values, side="right").astype(np.int64) + 1
    return np.searchsorted(ordered, values, side="left").astype(np.int64) + 1
