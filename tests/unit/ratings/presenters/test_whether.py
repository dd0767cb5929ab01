"""The words for the reasons why an event does not count."""

from __future__ import annotations

import pytest

from federation.registry.models import Event
from ratings.core.eligibility import REASONS
from ratings.core.ruleset import PAGE
from ratings.presenters.whether import long_reason, reason_sentence, short_reason


@pytest.mark.parametrize("code", REASONS)
def test_every_reason_of_the_rule_has_its_words(code):
    event = Event(name="Open", excluded_reason="played twice")
    texts = {short_reason(code), long_reason(code), reason_sentence(code, PAGE, event)}
    assert code not in texts - {"excluded"}
