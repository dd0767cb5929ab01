"""Lines of the calculator, in all the ways people write them."""

import pytest
from django.utils.translation import override

from ratings.forms.calculator import CalculatorForm


def read(opponents):
    with override("en"):
        form = CalculatorForm({"rating": "1100", "games": "0", "opponents": opponents})
        valid = form.is_valid()
        return [(game.opponent, game.result) for game in form.cleaned_data["opponents"]] if valid else form.errors


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("1200 1", [(1200, 2)]),
        ("1200 0\n\n1100 0.5\r\n", [(1200, 0), (1100, 1)]),
        ("1200;1", [(1200, 2)]),
        ("1200\t0,5", [(1200, 1)]),
        ("1200, 1", [(1200, 2)]),
        ("1200,0,5", [(1200, 1)]),
        ("1200 ½\n1200 =\n1200 d", [(1200, 1)] * 3),
        ("1200 +\n1200 W", [(1200, 2)] * 2),
        ("-50 -", [(-50, 0)]),
        ("−50 l", [(-50, 0)]),
    ],
)
def test_readable(text, games):
    assert read(text) == games


@pytest.mark.parametrize("text", ["1200", "1200 1 1", "abc 1", "1200 2", "1e3 1", "12.5 1", "1200 nan", "٣٠٠ 1x"])
def test_refused_with_the_line(text):
    errors = read("1000 1\n" + text)
    assert "Line 2" in errors["opponents"][0]


def test_many_faults_are_told_at_once_but_not_endlessly():
    assert len(read("x\n" * 50)["opponents"]) == 10
