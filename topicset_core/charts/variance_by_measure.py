"""Within-system variance of each loaded matrix, by measure: one-way and two-way."""

from collections.abc import Sequence
from typing import Any

from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.colours import QUIET
from topicset_core.exports.figures import Figure
from topicset_core.variance import one_way, two_way

_WIDEST = 300  # from the smallest variance to the largest on a linear axis


def variance_by_measure(
    matrices: Sequence[ScoreMatrix],
) -> Figure:
    """Draw both estimates of each matrix on one line, largest at the top; a single run has no two-way estimate."""
    rows = [
        (one_way(one), two_way(one) if one.n_systems > 1 else None, literal(f"{one.measure}, {one.name}"))
        for one in matrices
    ]
    by_one_way, by_two_way, labels = zip(*sorted(rows, key=lambda row: row[0]), strict=True)
    positions = list(range(len(rows)))
    positive = [value for value in (*by_one_way, *by_two_way) if value]
    # Measures of different units, as scores and milliseconds, share no linear axis.
    log = len(positive) > 1 and max(positive) > _WIDEST * min(positive)
    scale = " (log scale)" if log else ""
    chart = Chart(
        f"Variance with (filled) and without (open) topic difficulty{scale}",
        "variance σ² (measure squared)",
        "score matrix",
        height=150 + 34 * len(rows),
    )
    hover = "%{hovertext}: one-way residual variance %{x:.5f}"
    chart.points(by_one_way, positions, "one-way", hover, size=12, hovertext=labels)
    hover = "%{hovertext}: two-way residual variance %{x:.5f}"
    look: dict[str, Any] = {"symbol": "circle-open", "hovertext": labels, "marker": {"line": {"width": 2}}}
    chart.points(by_two_way, positions, "two-way", hover, colour=QUIET, size=11, **look)
    chart.axis("x", **({"type": "log"} if log else {"rangemode": "tozero"}))
    chart.axis("y", tickvals=positions, ticktext=labels, showgrid=False)
    return chart.figure("variances", "Within-system variance of each score matrix, one-way and two-way.")
