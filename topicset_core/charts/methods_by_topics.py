"""What each method can settle with n topics: figure 1 of Sakai 2016."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.sizing import MethodLine
from topicset_core.charts.style import PALETTES, Mode, new_figure


def methods_by_topics(lines: Sequence[MethodLine], *, variance: float, measure: str, mode: Mode) -> go.Figure:
    """Draw the difference (minD, or the width δ) against n for several methods at one variance."""
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title=f"What n topics settle, by method, at σ² = {variance:.4g} ({measure})",
        x_title="topics n per system (log scale)",
        y_title=f"minD, or width δ of the interval ({measure})",
        height=460,
    )
    for position, line in enumerate(lines):
        figure.add_scatter(
            x=line.n_topics.astype(np.float64),
            y=line.difference,
            mode="lines",
            line={
                "color": palette.series[position],
                "width": 2,
                "dash": "dash" if line.is_width else "solid",
            },
            name=line.label,
            hovertemplate=f"{line.label}: %{{x:,}} topics, %{{y:.4g}}<extra></extra>",
        )
    figure.update_xaxes(type="log", dtick="D2", tickformat=",d")
    figure.update_yaxes(rangemode="tozero")
    figure.update_layout(showlegend=True, legend={"x": 1, "xanchor": "right", "y": 1, "font": {"size": 12}})
    return figure
