"""Geometry of the charts."""

import re
from datetime import date
from itertools import pairwise

import pytest
from django.template.loader import render_to_string

from federation.web import charts
from federation.web.charts import Point


def test_no_points_no_plot():
    assert charts.plot([]) is None


def test_line_runs_from_the_left_margin_to_the_right_one():
    drawn = charts.plot([Point(0, 999), Point(5, 1100), Point(10, 1542)])
    corners = re.findall(r"[\d.]+ [\d.]+", drawn.line)
    assert [corner.split()[0] for corner in corners] == ["60", "526", "991"]
    heights = [float(corner.split()[1]) for corner in corners]
    assert heights == sorted(heights, reverse=True)
    assert (drawn.first, drawn.last, drawn.end_text) == (999, 1542, "1542")


def test_grid_lines_are_round_and_inside():
    drawn = charts.plot([Point(0, 999), Point(1, 1542)])
    assert [line.label for line in drawn.grid] == ["1000", "1200", "1400"]
    assert all(charts.ABOVE <= line.y <= drawn.base_y for line in drawn.grid)


@pytest.mark.parametrize(("low", "high"), [(0, 0), (-3, 12), (900, 905), (1000, 2000), (0, 60_000)])
def test_grid_has_few_lines(low, high):
    values = charts.grid_values(low, high)
    assert 1 <= len(values) <= 6
    assert all(low <= value <= high for value in values)


def test_one_point_and_equal_values_are_drawn():
    for points in ([Point(3, 1500)], [Point(1, 1500), Point(2, 1500)]):
        drawn = charts.plot(points)
        assert "nan" not in drawn.line
        assert all(0 <= float(height) <= 100 for _x, height in re.findall(r"([\d.]+) ([\d.]+)", drawn.line))


def test_marks_outside_are_left_out():
    drawn = charts.plot([Point(0, 1400), Point(1, 1600)], marks=[(1500, "1500: multiplier drops"), (2000, "2000")])
    assert [line.label for line in drawn.marks] == ["1500: multiplier drops"]


def test_band_closes():
    drawn = charts.plot([Point(0, 1500), Point(1, 1520)], band=[(1400, 1600), (1450, 1590)])
    assert drawn.band.startswith("M")
    assert drawn.band.endswith("Z")


def test_year_labels_do_not_touch():
    first, last = date(1990, 6, 1), date(2026, 5, 1)
    points = [Point(first.toordinal(), 1000), Point(last.toordinal(), 1500)]
    drawn = charts.plot(points, x_labels=charts.year_labels(first, last))
    places = [float(label.x.rstrip("%")) for label in drawn.x_labels]
    assert len(places) <= 12
    assert all(after - before >= 5 for before, after in pairwise(places))


def test_spark_shows_twelve_values_on_its_own_scale():
    drawn = charts.spark(range(100))
    assert drawn["path"].count(" ") == 12 + 11
    assert (drawn["x"], drawn["y"]) == ("86.0", "3.0")
    assert charts.spark([1]) is None


def test_template_has_the_values_as_a_table_and_no_style():
    drawn = charts.plot([Point(0, 999, "First"), Point(1, 1542, "Last <b>", "/e/")])
    html = render_to_string("web/_plot.html", {"plot": drawn, "title": "BARRUF", "label": "From 999 to 1542"})
    assert 'role="img" aria-label="From 999 to 1542"' in html
    assert '<a href="/e/">Last &lt;b&gt;</a>' in html
    assert ">1542</td>" in html
    assert "style=" not in html
