"""The figure of a generalizability study: both coefficients by topics, with their intervals."""

import math

import numpy as np

from topicset_core.analyses.stability.intervals import Signal
from topicset_core.analyses.stability.result import Stability
from topicset_core.charts.style import PALETTES, Mode, legend_below, new_figure, ring
from topicset_core.exports.drawing import Drawing
from topicset_core.variance.components import Coefficient

_POINTS = 80
_NAMES: dict[Coefficient, str] = {"relative": "E ρ², the ranking", "absolute": "Φ, the means"}


def coefficients_by_topics(result: Stability, *, mode: Mode) -> Drawing:
    """Draw E rho^2 and Phi against topics, with intervals for other systems too (shaded)."""
    palette = PALETTES[mode]
    target, level = result.request.stability, 100 * result.request.level
    sizes = np.unique(np.round(np.geomspace(2, max(500, 4 * result.n_topics), _POINTS)))
    figure = new_figure(
        mode,
        title=f"Stability over topics with {level:g} % intervals (log scale of topics)",
        x_title="topics",
        y_title="coefficient (0 to 1)",
        height=420,
    )
    shown: tuple[tuple[Coefficient, Signal, str], ...] = (
        ("relative", result.relative_signal, palette.series[0]),
        ("absolute", result.absolute_signal, palette.series[1]),
    )
    for name, signal, colour in shown:
        ends = np.clip([signal.coefficients(float(n)) for n in sizes], 0.0, 1.0)
        figure.add_scatter(
            x=np.concatenate([sizes, sizes[::-1]]),
            y=np.concatenate([ends[:, 1], ends[::-1, 0]]),
            mode="lines",
            line={"color": colour, "width": 0},
            fill="toself",
            opacity=0.18,
            hoverinfo="skip",
            showlegend=False,
            name=f"{_NAMES[name]}, interval",
        )
        figure.add_scatter(
            x=sizes,
            y=[result.components.coefficient(float(n), name) for n in sizes],
            mode="lines",
            line={"color": colour, "width": 3},
            hovertemplate=f"{_NAMES[name]}: %{{x:,.0f}} topics, %{{y:.3f}}<extra></extra>",
            name=_NAMES[name],
        )
    figure.add_hline(y=target, line={"color": palette.quiet, "width": 1.2, "dash": "dot"})
    value = result.relative.value
    ring(
        figure,
        mode,
        x=result.n_topics,
        y=value,
        text=f"{value:.3f}",
        hover=f"{result.n_topics:,} topics: E ρ² = {value:.3f}",
        above=True,
    )
    figure.data[-1]["showlegend"] = False
    figure.layout["annotations"][-1]["x"] = math.log10(result.n_topics)
    ticks = [tick for tick in (2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000, 20_000) if tick <= sizes[-1]]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
    figure.update_yaxes(range=[-0.02, 1.14], tickvals=[0, 0.2, 0.4, 0.6, 0.8, 1])
    legend_below(figure)
    return figure
