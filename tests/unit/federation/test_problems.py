"""The sentences of problems: registers, the one that goes first, texts meant for another place."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.utils import translation

from federation import problems
from federation.core.errors import InvariantError, RuleError
from federation.core.reading import Issue
from federation.problems import explain, explain_all, register_texts

#: The readers of files, whose sentences are plain: it stands after others, for more than a hundred.
SAME_IN_BOTH = {"too_many_issues"}


class AnyValue(dict[str, int]):
    """Has a value for every name."""

    def __missing__(self, name: str) -> int:
        """Return a number: sentences with a plural need one."""
        return 1


@pytest.fixture(autouse=True)
def registers(monkeypatch):
    """Two registers with one code in common."""
    monkeypatch.setattr(problems, "_REGISTERS", {})
    register_texts("files", {"twice": "Row %(row)s stands twice.", "late": "Send it earlier."})
    register_texts("rounds", {"twice": "%(name)s stands twice."})


def test_a_problem_is_explained_by_the_first_register_whose_values_it_has():
    assert explain(RuleError("twice", {"row": 3, "name": "Ona"})) == "Row 3 stands twice."
    assert explain(RuleError("twice", {"row": 3, "name": "Ona"}), "rounds") == "Ona stands twice."
    assert explain(RuleError("twice", {"name": "Ona"})) == "Ona stands twice."
    assert explain(Issue(1, 0, "late", "error"), "rounds") == "Send it earlier."


def test_what_nobody_explains_is_told_by_its_code_and_values():
    assert explain(RuleError("unheard_of")) == "unheard_of"
    assert explain(RuleError("twice", {"wrong": 1})) == "twice (wrong=1)"


def test_all_problems_of_a_refusal_are_told():
    listed = [Issue(1, 0, "late", "error"), Issue(2, 0, "twice", "error", {"row": 2})]
    assert explain_all(RuleError("late", {"problems": listed})) == ["Send it earlier.", "Row 2 stands twice."]
    assert explain_all(RuleError("late", {"problems": []})) == ["Send it earlier."]


def test_a_code_has_one_sentence_in_a_register():
    register_texts("files", {"late": "Send it earlier."})
    with pytest.raises(InvariantError):
        register_texts("files", {"late": "Too late."})


class Anything(dict):
    """Has every value, and it is 1."""

    def __missing__(self, key: str) -> int:
        return 1


def test_a_sentence_with_a_number_has_a_singular(monkeypatch):
    monkeypatch.undo()
    params = {"count": 1, "date": "2026-12-12", "names": "Ona Càdec"}
    with translation.override("en"):
        one = explain(RuleError("memberships_missing", params))
        assert one == "1 player has no membership or licence on 12 December 2026: Ona Càdec."
        many = explain(RuleError("memberships_missing", {**params, "count": 2, "date": dt.date(2026, 12, 12)}))
        assert many == "2 players have no membership or licence on 12 December 2026: Ona Càdec."


def test_every_counted_sentence_of_the_apps_has_a_singular(monkeypatch):
    monkeypatch.undo()
    for register, texts in problems._REGISTERS.items():
        for code, text in texts.items():
            if code not in SAME_IN_BOTH and re.match(r"%\(count\)s ", str(text)):
                raise AssertionError(f"{register}: {code}")


def test_a_date_that_is_none_stays_as_it_is(monkeypatch):
    monkeypatch.undo()
    assert "soon" in explain(RuleError("memberships_missing", {"count": 1, "date": "soon", "names": ""}))


def test_the_sentences_of_the_apps_name_their_values(monkeypatch):
    monkeypatch.undo()
    assert set(problems._REGISTERS) >= {"accounts", "registry", "uploads", "ratings", "results"}
    for texts in problems._REGISTERS.values():
        for code, text in texts.items():
            assert text % Anything(), code
