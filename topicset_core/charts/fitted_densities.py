"""Scores of one run on one topic, and the densities fitted to them."""

import plotly.graph_objects as go

from topicset_core.analyses.topic_variance.fit import Fit
from topicset_core.charts.style import PALETTES, Mode, new_figure

_MOST_BARS = 40
_HALF = 0.44  # of the height, for either kind


def fitted_densities(fit: Fit, *, mode: Mode) -> go.Figure:
    """Draw histograms of the scores of relevant documents and, below, of the others, with their densities.

    Each has area 1 and an axis of its own, as one kind may be spread far wider than the other.
    """
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title=f"Scores of {fit.system} on topic {fit.topic}, with fitted densities",
        x_title="retrieval score, as the run gives it",
        y_title="density",
        height=440,
    )
    low = float(min(fit.relevant.min(), fit.others.min()))
    high = float(max(fit.relevant.max(), fit.others.max()))
    width = (high - low) / _MOST_BARS or 1.0
    kinds = (
        ("relevant", fit.relevant, fit.relevant_density, palette.series[1], "y", 1.0),
        ("not relevant", fit.others, fit.others_density, palette.series[0], "y2", _HALF),
    )
    for name, scores, density, colour, axis, top in kinds:
        figure.add_histogram(
            x=scores,
            yaxis=axis,
            histnorm="probability density",
            xbins={"start": low, "end": high + width, "size": width},
            marker={"color": colour},
            opacity=0.35,
            hovertemplate=f"scores, {name}: %{{y:.3g}}<extra></extra>",
            name=f"{name}, scores",
        )
        if density.size:
            figure.add_scatter(
                x=fit.at,
                y=density,
                yaxis=axis,
                mode="lines",
                line={"color": colour, "width": 2.2},
                hovertemplate=f"density, {name}: %{{y:.3g}}<extra></extra>",
                name=f"{name}, density",
            )
        figure.add_annotation(
            x=0,
            xref="paper",
            y=top,
            yref="paper",
            text=f"{scores.size:,} {name}",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"color": palette.text, "size": 13},
        )
    figure.update_layout(
        bargap=0.02,
        margin_t=68,
        yaxis={"domain": [1 - _HALF, 1], "rangemode": "tozero", "nticks": 4},
        yaxis2=figure.layout.yaxis.to_plotly_json()
        | {"domain": [0, _HALF], "rangemode": "tozero", "nticks": 4, "anchor": "x"},
        xaxis={"anchor": "y2"},
    )
    return figure
