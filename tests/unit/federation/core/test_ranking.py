"""Places with ties."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from federation.core.ranking import competition_places, competition_places_array


def test_equal_values_share_a_place_and_the_next_ones_are_skipped():
    assert competition_places([1388, 1300, 1300, 1299]) == [1, 2, 2, 4]
    assert competition_places([3, 1, 2, 1], descending=False) == [4, 1, 3, 1]
    assert competition_places([(4, 10), (4, 12), (5, -3)]) == [3, 2, 1]
    assert competition_places([]) == []


@given(st.lists(st.integers(-5, 5)), st.booleans())
def test_a_place_is_one_more_than_the_number_of_better_values(values, descending):
    places = competition_places(values, descending=descending)
    better = [sum((v > own) if descending else (v < own) for v in values) for own in values]
    assert places == [count + 1 for count in better]
    assert competition_places_array(np.array(values, dtype=np.int64), descending=descending).tolist() == places
