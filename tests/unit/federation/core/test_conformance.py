"""The comparison of vectors with outcomes, and the report."""

from decimal import Decimal
from fractions import Fraction

import pytest

from federation.core import conformance
from federation.core.conformance import Case, difference, load, run, within
from federation.core.errors import RuleError


@pytest.fixture
def domain():
    def adapter(document):
        for case in document["cases"]:
            yield Case(case["id"], case["expected"], lambda case=case: outcome(case))

    def outcome(case):
        if case["input"] == "refused":
            raise RuleError("refused")
        if case["input"] == "broken":
            raise KeyError("round")
        return {"value": case["input"]}

    conformance.register("doubling", adapter)
    yield "doubling"
    conformance._ADAPTERS.pop("doubling")


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("3.2", Fraction(16, 5)),
        ("3.20", Fraction(16, 5)),
        ("16", 16),
        ("16.0", 16),
        ("0.36428571428571427", Fraction(51, 140)),
        ("0.3623024593227", 0.36230245932272565),
        ('{"a": 1}', {"a": 1, "b": 2}),
        ("[1, null, true]", [1, None, True]),
        ("{}", {}),
    ],
)
def test_equal(expected, actual):
    assert difference(load(expected), actual) is None


@pytest.mark.parametrize(
    ("expected", "actual", "path"),
    [
        ("3.2", Fraction(321, 100), ""),
        ("3.2000000000000001", Fraction(16, 5), ""),
        ("1", True, ""),
        ("true", 1, ""),
        ("null", 0, ""),
        ('"1"', 1, ""),
        ('{"a": {"b": [1, 2]}}', {"a": {"b": [1, 3]}}, "a.b[1]"),
        ("[1]", [1, 2], ""),
        ('{"rows": {}}', {"rows": {"x": 1}}, "rows"),
        ('{"a": 1}', {}, "a"),
        ('{"a": 1}', {"error": "self_play"}, ""),
        ("0.3623", 0.36230245932272565, ""),
    ],
)
def test_different(expected, actual, path):
    found = difference(load(expected), actual)
    assert found is not None
    assert found.path == path


def test_printed_figures_agree_within_their_precision():
    assert within(load("4.7009"), 4.700859, 0.0001) is None
    assert within(load("4.7009"), Fraction(47008, 10000), 0.0001) is None
    assert within(load("4.7009"), 4.7006, 0.0001) is not None
    assert within(load("1371"), 1372, 5) is not None


def test_the_report_has_a_line_a_failure_and_the_counts(domain):
    document = load(
        '{"cases": [{"id": "one", "input": 1, "expected": {"value": 1}},'
        ' {"id": "two", "input": 2, "expected": {"value": 3.5}},'
        ' {"id": "three", "input": "refused", "expected": {"error": "refused"}},'
        ' {"id": "four", "input": "refused", "expected": {"value": 1}},'
        ' {"id": "five", "input": "broken", "expected": {"value": 1}}]}'
    )
    assert list(run(domain, document).lines()) == [
        "FAIL two: expected value = 3.5, got value = 2",
        "FAIL four: expected {value: 1}, got {error: 'refused'}",
        "FAIL five: expected {value: 1}, got \"a case that cannot be read: KeyError('round')\"",
        "2 passed, 3 failed",
    ]


def test_a_document_of_another_form_is_refused(domain):
    with pytest.raises(ValueError, match="doubling"):
        run(domain, load('{"sections": []}'))


def test_numbers_are_read_exactly():
    assert load("[0.1]") == [Decimal("0.1")]
    with pytest.raises(ValueError, match="NaN"):
        load("[NaN]")
