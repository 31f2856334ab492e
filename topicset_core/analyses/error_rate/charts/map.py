"""Error rate over the difference and the number of topics, the user's point ringed."""

import math

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.error_rate.units import Floats
from topicset_core.charts.style import PALETTES, Mode, new_figure, ring_marker


def error_rate_map(
    sizes: Floats,
    differences: Floats,
    rates: Floats,
    *,
    n_topics: int,
    difference: float,
    error: float,
    tolerated: float,
    n_topics_of_matrix: int,
    measure: str,
    mode: Mode,
) -> go.Figure:
    """Draw error rates as shades, with the line of the tolerated rate.

    Parameters
    ----------
    sizes : ndarray of float64, shape (k,)
        Topics, rising; the axis is logarithmic.
    differences : ndarray of float64, shape (l,)
        Observed differences, rising.
    rates : ndarray of float64, shape (l, k)
        Error rates, 0 to .5.
    n_topics, difference, error : int, float, float
        The user's point.
    tolerated : float
        Rate whose line is drawn.
    n_topics_of_matrix : int
        Up to half of them an experiment reaches; marked.
    measure : str
        Unit of the difference.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title="Error rate by difference and topics (log scale of topics)",
        x_title="topics on which a difference is found",
        y_title=f"difference found ({measure})",
        height=460,
    )
    figure.add_heatmap(
        x=sizes,
        y=differences,
        z=(100 * rates).astype(np.float32),
        zmin=0,
        zmax=50,
        colorscale=[
            (place / len(palette.ramp), colour) for place, colour in enumerate((palette.grid, *palette.ramp))
        ],
        colorbar={
            "title": {"text": "wrong in 100", "side": "right"},
            "thickness": 14,
            "outlinewidth": 0,
            "tickfont": {"size": 12, "color": palette.text},
        },
        hovertemplate="%{x:.0f} topics, difference %{y:.3f}: %{z:.2f} %<extra></extra>",
        name="error rate",
    )
    figure.add_contour(
        x=sizes,
        y=differences,
        z=100 * rates,
        contours={"start": 100 * tolerated, "end": 100 * tolerated, "size": 1, "coloring": "none"},
        line={"color": palette.accent, "width": 2.4},
        showscale=False,
        hoverinfo="skip",
        name=f"{100 * tolerated:g} %",
    )
    _add_reach(figure, n_topics_of_matrix, palette.text)
    figure.add_scatter(
        x=[n_topics],
        y=[difference],
        mode="markers",
        marker=ring_marker(palette),
        hovertemplate=f"yours: {n_topics:,} topics, difference {difference:g}: {100 * error:.2f} %<extra></extra>",
        cliponaxis=False,
        name="yours",
    )
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if tick <= sizes[-1]]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks], showgrid=False)
    figure.update_yaxes(showgrid=False)
    return figure


def _add_reach(figure: go.Figure, n_topics_of_matrix: int, colour: str) -> None:
    """Mark up to where two disjoint sets can be drawn from the matrix."""
    half = n_topics_of_matrix // 2
    figure.add_vline(x=half, line={"color": colour, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=math.log10(half),
        y=1,
        yref="paper",
        text=f"up to {half}: also seen in the experiment",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"color": colour, "size": 12},
    )
