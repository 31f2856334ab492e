"""Within-system variance of each loaded matrix, by measure: one-way and two-way."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_WIDEST = 300  # from the smallest variance to the largest on a linear axis


@dataclass(frozen=True)
class VarianceRow:
    """One line of the chart: a matrix and its two estimates; `two_way` is None for a single run."""

    label: str
    one_way: float
    two_way: float | None


def variance_by_measure(rows: Sequence[VarianceRow], *, mode: Mode) -> go.Figure:
    """Draw both estimates of each matrix on one line, largest at the top."""
    palette = PALETTES[mode]
    ordered = sorted(rows, key=lambda row: row.one_way)
    labels, positions = [literal(row.label) for row in ordered], list(range(len(ordered)))
    positive = [value for row in rows for value in (row.one_way, row.two_way) if value]
    # Measures of different units, as scores and milliseconds, share no linear axis.
    log = len(positive) > 1 and max(positive) > _WIDEST * min(positive)
    scale = " (log scale)" if log else ""
    figure = new_figure(
        mode,
        title=f"Within-system variance, with topic difficulty (filled) and without (open){scale}",
        x_title="variance σ² over topics (squared units of the measure)",
        y_title="score matrix",
        height=150 + 34 * len(rows),
    )
    figure.add_scatter(
        x=[row.one_way for row in ordered],
        y=positions,
        mode="markers",
        marker={"size": 12, "color": palette.accent},
        name="one-way",
        hovertext=labels,
        hovertemplate="%{hovertext}: one-way residual variance %{x:.5f}<extra></extra>",
    )
    figure.add_scatter(
        x=[row.two_way for row in ordered],
        y=positions,
        mode="markers",
        marker={"size": 11, "color": palette.quiet, "symbol": "circle-open", "line": {"width": 2}},
        name="two-way",
        hovertext=labels,
        hovertemplate="%{hovertext}: two-way residual variance %{x:.5f}<extra></extra>",
    )
    if log:
        figure.update_xaxes(type="log")
    else:
        figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(tickvals=positions, ticktext=labels, showgrid=False)
    return figure
