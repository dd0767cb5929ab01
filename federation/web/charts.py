"""Geometry of the charts that the server draws as SVG. Pure: values in, texts for the templates out.

The plot stretches with the page, so its x is percent outside and a thousandth inside; its y is in pixels outside and
a hundredth of the height inside. The templates are ``web/_plot.html``, ``_spark.html``, ``_track.html`` and
``_swing.html``; none of them needs a script or a style attribute.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

#: The plot: height, and the space above and below the line, in pixels.
HEIGHT = 260
ABOVE = 18
BELOW = 26
#: Thousandths left free for the labels of the grid on the left, and on the right.
LEFT = 60
RIGHT = 9
#: Steps that a grid may have.
_STEPS = tuple(base * 10**power for power in range(9) for base in (1, 2, 5))
#: Most years that are named below the line on wide pages; on narrow ones every second is left out.
_MOST_YEARS = 12
SPARK_POINTS = 12
SPARK_WIDTH, SPARK_HEIGHT = 88, 20


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a plot: where it stands on the x axis, the value, and how the equal table names it."""

    x: float
    value: float
    label: str = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class GridLine:
    """A horizontal line with its label: y in pixels, and the y of the label above it."""

    y: float
    text_y: float
    label: str


@dataclass(frozen=True, slots=True)
class XLabel:
    """A label below the line: x in percent, how it is anchored, whether narrow pages drop it."""

    x: str
    text: str
    anchor: str = "middle"
    css: str = ""


@dataclass(frozen=True, slots=True)
class Plot:
    """A line chart, ready to be written.

    Attributes:
        line, dots, band: path data inside the stretched box; ``band`` is empty without a bracket.
        grid: lines with labels; ``marks``: dashed lines with a text of their own.
        x_labels: labels below.
        end: the last value: x in percent, y in pixels, text.
        points: what the equal table shows.
    """

    line: str
    dots: str
    band: str
    grid: tuple[GridLine, ...]
    marks: tuple[GridLine, ...]
    x_labels: tuple[XLabel, ...]
    end_x: str
    end_y: float
    end_text: str
    first: float
    last: float
    points: tuple[Point, ...]
    height: int = HEIGHT
    box_y: int = ABOVE
    box_height: int = HEIGHT - ABOVE - BELOW
    base_y: int = HEIGHT - BELOW
    label_y: int = HEIGHT - 6


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    inner: float = field(default=HEIGHT - ABOVE - BELOW)

    def share(self, value: float) -> float:
        """Return the hundredths from the top."""
        return 100 * (self.high - value) / (self.high - self.low)

    def pixels(self, value: float) -> float:
        """Return the pixels from the top of the plot."""
        return round(ABOVE + self.inner * self.share(value) / 100, 1)


def grid_values(low: float, high: float, lines: int = 5) -> list[int]:
    """Return the round values for grid lines between two values, a step of 1, 2 or 5 times a power of ten.

    >>> grid_values(980, 1560)
    [1000, 1200, 1400]
    >>> grid_values(1500, 1500)
    [1500]
    """
    spread = max(high - low, 0)
    step = next((step for step in _STEPS if spread / step < lines), _STEPS[-1])
    first = math.ceil(low / step) * step
    return [first + step * turn for turn in range(int((high - first) // step) + 1)] if first <= high else []


def plot(
    points: Sequence[Point],
    *,
    marks: Sequence[tuple[float, str]] = (),
    x_labels: Sequence[tuple[float, str]] = (),
    band: Sequence[tuple[float, float]] = (),
    end_text: str = "",
) -> Plot | None:
    """Return the geometry of a line chart, None without points.

    Args:
        points: in the order of x; equal x are allowed.
        marks: values with a text that get a dashed line, those outside the range are left out.
        x_labels: places on the x axis with a text.
        band: lowest and highest value of a bracket around each point.
        end_text: text at the last point, its value if empty.
    """
    if not points:
        return None
    values = [point.value for point in points] + [edge for pair in band for edge in pair]
    low, high = min(values), max(values)
    room = max((high - low) * 0.06, 10 if high == low else 1)
    scale = _Scale(low - room, high + room)
    first_x, last_x = points[0].x, points[-1].x
    width = last_x - first_x

    def x_of(x: float) -> float:
        share = (x - first_x) / width if width else 1.0
        return LEFT + (1000 - LEFT - RIGHT) * share

    corners = [(x_of(point.x), scale.share(point.value)) for point in points]
    edges = ""
    if band:
        upper = [f"{x:.0f} {scale.share(pair[1]):.1f}" for (x, _y), pair in zip(corners, band, strict=True)]
        lower = [f"{x:.0f} {scale.share(pair[0]):.1f}" for (x, _y), pair in zip(corners, band, strict=True)]
        edges = f"M{' '.join(upper)} L{' '.join(reversed(lower))}Z"
    last = points[-1]
    end_x, end_y = corners[-1][0], scale.pixels(last.value)
    return Plot(
        line="M" + " ".join(f"{x:.0f} {y:.1f}" for x, y in corners),
        dots=" ".join(f"M{x:.0f} {y:.1f}h.01" for x, y in corners),
        band=edges,
        grid=tuple(_line(scale, value, f"{value:d}") for value in grid_values(scale.low, scale.high)),
        marks=tuple(_line(scale, value, text) for value, text in marks if scale.low < value < scale.high),
        x_labels=_x_labels([(x_of(x), text) for x, text in x_labels if first_x <= x <= last_x]),
        end_x=f"{end_x / 10:.1f}%",
        # Above the point, unless there is no room.
        end_y=round(end_y - 12 if end_y > ABOVE + 6 else end_y + 22, 1),
        end_text=end_text or f"{last.value:g}",
        first=points[0].value,
        last=last.value,
        points=tuple(points),
    )


def _line(scale: _Scale, value: float, label: str) -> GridLine:
    y = scale.pixels(value)
    return GridLine(y, round(y - 4, 1), label)


def _x_labels(places: Sequence[tuple[float, str]]) -> tuple[XLabel, ...]:
    """Return labels that do not touch: every n-th, and on narrow pages every second of those."""
    every = max(1, math.ceil(len(places) / _MOST_YEARS))
    kept: list[tuple[float, str]] = []
    for x, text in places[::every]:
        if not kept or x - kept[-1][0] >= 50:
            kept.append((x, text))
    return tuple(
        XLabel(
            f"{x / 10:.1f}%",
            text,
            anchor="start" if x < 30 else "end" if x > 975 else "middle",
            css="mid" if turn % 2 else "",
        )
        for turn, (x, text) in enumerate(kept)
    )


def year_labels(first: date, last: date) -> list[tuple[float, str]]:
    """Return the first days of the years in between as places on an axis of day numbers."""
    return [(date(year, 1, 1).toordinal(), str(year)) for year in range(first.year + 1, last.year + 1)]


def spark(values: Sequence[float]) -> dict[str, str] | None:
    """Return path and last point of a line of the last twelve values on a scale of its own, None below two values."""
    shown = [float(value) for value in values[-SPARK_POINTS:]]
    if len(shown) < 2:
        return None
    low, high = min(shown), max(shown)
    step = (SPARK_WIDTH - 4) / (len(shown) - 1)
    places = [
        (2 + step * turn, 10.0 if high == low else 3 + 14 * (high - value) / (high - low))
        for turn, value in enumerate(shown)
    ]
    x, y = places[-1]
    return {"path": "M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in places), "x": f"{x:.1f}", "y": f"{y:.1f}"}
