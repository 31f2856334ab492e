"""Within-system variance of each loaded matrix, by measure: one-way and two-way."""

from collections.abc import Sequence

from topicset_core.charts.style import literal, new_figure
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.colours import ACCENT, QUIET
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
    figure = new_figure(
        title=f"Variance with (filled) and without (open) topic difficulty{scale}",
        x_title="variance σ² (measure squared)",
        y_title="score matrix",
        height=150 + 34 * len(rows),
    )
    figure.add_scatter(
        x=by_one_way,
        y=positions,
        mode="markers",
        marker={"size": 12, "color": ACCENT},
        name="one-way",
        hovertext=labels,
        hovertemplate="%{hovertext}: one-way residual variance %{x:.5f}<extra></extra>",
    )
    figure.add_scatter(
        x=by_two_way,
        y=positions,
        mode="markers",
        marker={"size": 11, "color": QUIET, "symbol": "circle-open", "line": {"width": 2}},
        name="two-way",
        hovertext=labels,
        hovertemplate="%{hovertext}: two-way residual variance %{x:.5f}<extra></extra>",
    )
    if log:
        figure.update_xaxes(type="log")
    else:
        figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(tickvals=positions, ticktext=labels, showgrid=False)
    return Figure("variances", figure, "Within-system variance of each score matrix, one-way and two-way.")
