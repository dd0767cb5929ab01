"""What enters a record and what does not."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest

from federation.audit.actions import action_text, is_known, register_actions
from federation.audit.context import acting, acting_lazily, current
from federation.audit.services import MASK, _plain_mapping, changed_fields
from federation.core.errors import InvariantError


def test_values_become_exact_json():
    given = {
        "day": dt.date(2026, 8, 31),
        "share": Fraction(181, 55),
        "shown": Decimal("3.20"),
        "many": (1, 2),
        "set": {"b", "a"},
        "none": None,
    }
    assert _plain_mapping(given) == {
        "day": "2026-08-31",
        "share": "181/55",
        "shown": "3.20",
        "many": [1, 2],
        "set": ["a", "b"],
        "none": None,
    }


@pytest.mark.parametrize("field", ["password", "contact", "birth_year", "email", "token_digest", "sex"])
def test_personal_values_are_masked_at_any_depth(field):
    assert _plain_mapping({field: 1987, "people": [{field: "x", "name": "Ona"}]}) == {
        field: MASK,
        "people": [{field: MASK, "name": "Ona"}],
    }


def test_an_empty_personal_value_stays_empty():
    assert _plain_mapping({"birth_year": None, "contact": ""}) == {"birth_year": None, "contact": ""}


def test_changed_fields():
    before, after = changed_fields({"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4})
    assert (before, after) == ({"b": 2, "c": None}, {"b": 3, "c": 4})


def test_the_vocabulary_is_closed_and_has_one_text_a_code():
    register_actions({"tested.once": "tested"})
    register_actions({"tested.once": "tested"})
    assert is_known("tested.once")
    assert action_text("tested.once") == "tested"
    assert action_text("gone.long_ago") == "gone.long_ago"
    with pytest.raises(InvariantError):
        register_actions({"tested.once": "another text"})


@pytest.mark.parametrize("code", ["", "nodot", ".x", "x.", "x." + "y" * 60])
def test_a_malformed_code_is_refused(code):
    with pytest.raises(InvariantError):
        register_actions({code: "text"})


def test_acting_is_nested_and_ends():
    with acting("Ona", "r1"):
        with acting_lazily(lambda: "Pau", "r2"):
            assert (current().find_actor(), current().request_id) == ("Pau", "r2")
        assert (current().find_actor(), current().request_id) == ("Ona", "r1")
    assert (current().find_actor(), current().request_id) == (None, "")
