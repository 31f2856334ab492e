"""How a best or worst subset is marked by what is known of it."""

import math
from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve
from topicset_core.charts.style import Palette, legend_below

MARKS: dict[Status, tuple[str, int, str]] = {
    "exhaustive": ("circle", 6, "all subsets were looked at"),
    "proved": ("diamond", 9, "proved: no subset is beyond"),
    "gap": ("diamond", 9, "not settled: no subset is beyond the bar"),
    "heuristic": ("circle", 6, "found by search: others may be beyond"),
}
"""Symbol, size and words."""

MOST_MARKS = 60
"""On a line; of more sizes so many are marked, evenly, since marks that touch cannot be told apart."""

_CERTAIN: tuple[Status, ...] = ("exhaustive", "proved")
_EDGE = 1.6  # pixels


def markers(chosen: Sequence[Subset | None], colour: str, palette: Palette) -> dict[str, Any]:
    """Return the markers of one line: full where the set is certain, else hollow, in the colour of the page."""
    statuses: list[Status] = ["heuristic" if one is None else one.status for one in chosen]
    return {
        "color": [colour if status in _CERTAIN else palette.page for status in statuses],
        "symbol": [MARKS[status][0] for status in statuses],
        "size": [MARKS[status][1] for status in statuses],
        "line": {"color": colour, "width": _EDGE},
        "opacity": 1,
        "maxdisplayed": MOST_MARKS,
    }


def known(subset: Subset | None) -> str:
    """Return what is known of a set in words."""
    if subset is None:
        return ""
    if subset.bound is None:
        return MARKS[subset.status][2]
    return f"not settled: no subset is beyond {subset.bound:.5f}"


def add_bounds(
    figure: go.Figure, points: Sequence[CurvePoint], chosen: Sequence[Subset | None], name: str, colour: str
) -> None:
    """Draw a thin bar from each set that is not settled to what no subset exceeds."""
    ends = [
        (point.cardinality, one.value, one.bound)
        for point, one in zip(points, chosen, strict=True)
        if one is not None and one.bound is not None
    ]
    if not ends:
        return
    figure.add_scatter(
        x=[size for size, _, _ in ends],
        y=[value for _, value, _ in ends],
        mode="markers",
        marker={"opacity": 0, "color": colour},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [max(0.0, bound - value) for _, value, bound in ends],
            "arrayminus": [max(0.0, value - bound) for _, value, bound in ends],
            "color": colour,
            "thickness": 1.2,
            "width": 3,
        },
        hoverinfo="skip",
        name=f"bounds of the {name}",
    )


def add_legend(figure: go.Figure, curve: SubsetCurve, palette: Palette) -> None:
    """Say what the marks mean that are there, and nothing else, below the chart."""
    figure.update_traces(showlegend=False)
    there = {one.status for point in curve.points for one in (point.best, point.worst) if one is not None}
    for status, (symbol, size, words) in MARKS.items():
        if status in there:
            figure.add_scatter(
                x=[math.nan],  # only the legend shows it
                y=[math.nan],
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": size + 1,
                    "color": palette.quiet if status in _CERTAIN else palette.page,
                    "line": {"color": palette.quiet, "width": _EDGE},
                },
                hoverinfo="skip",
                showlegend=True,
                name=words,
            )
    legend_below(figure)
