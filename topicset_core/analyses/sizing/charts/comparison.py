"""What each method settles with n topics, figure 1 of Sakai 2016, and what each measure asks for."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.sizing.comparison import MethodLine
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure


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


def topics_by_measure(topics: Mapping[str, int], *, method: str, difference: str, mode: Mode) -> go.Figure:
    """Draw a bar a measure with its number of topics, fewest at the top and accented.

    Parameters
    ----------
    topics : mapping of str to int
        Required topics by measure, at least one.
    method, difference : str
        The design, and what it is to detect, for the title.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    figure = new_figure(
        mode,
        title=f"Required topics, {method}, {difference}",
        x_title="topics n per system",
        y_title="measure",
        height=150 + 34 * len(ordered),
    )
    figure.add_bar(
        x=numbers,
        y=positions,
        orientation="h",
        marker={"color": [*[palette.quiet] * (len(ordered) - 1), palette.accent]},
        text=[f"{number:,}" for number in numbers],
        textposition="outside",
        textfont={"color": palette.text},
        cliponaxis=False,
        hovertext=labels,
        hovertemplate="%{hovertext}: %{x:,} topics<extra></extra>",
        name="topics",
    )
    # Room for the number behind the longest bar.
    figure.update_xaxes(range=[0, 1.1 * max(numbers)], tickformat=",d")
    figure.update_yaxes(tickvals=positions, ticktext=labels, showgrid=False)
    return figure
