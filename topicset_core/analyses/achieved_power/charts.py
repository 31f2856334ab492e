"""The figure of achieved power: every pair or set of runs, in ascending order."""

import numpy as np

from topicset_core.analyses.achieved_power.answer import AchievedPower
from topicset_core.charts.style import PALETTES, Mode, legend_below, new_figure
from topicset_core.designs.search import Floats
from topicset_core.exports.drawing import Drawing

_MOST_POINTS = 400


def power_of_pairs(result: AchievedPower, *, mode: Mode) -> Drawing:
    """Draw power and type I error of each pair, both ascending, against the share of pairs."""
    palette, request = PALETTES[mode], result.request
    noun = "pairs of runs" if request.m == 2 else f"sets of {request.m} runs"
    figure = new_figure(
        mode,
        title=f"Power and type I error of each {'pair' if request.m == 2 else 'set'}, n = {result.n_topics:,}",
        x_title=f"{noun} in ascending order (%)",
        y_title="share of significant trials (%)",
        height=420,
    )
    if result.over_pairs is not None:
        _ascending(figure, result.over_pairs.powers, "power, all pairs, computed", palette.quiet, line=True)
    _ascending(figure, result.power.by_pair, f"power, {len(result.members):,} simulated", palette.accent)
    _ascending(figure, result.type_one.by_pair, "type I error, simulated", palette.series[0])
    for level, text in ((1 - request.beta, "1 − β"), (request.alpha, "α")):
        figure.add_hline(
            y=100 * level,
            line={"color": palette.quiet, "width": 1.2, "dash": "dot"},
        )
        figure.add_annotation(
            x=0,
            xref="x domain",
            y=100 * level,
            yref="y",
            text=text,
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 12, "color": palette.text},
        )
    figure.update_xaxes(range=[-2, 102])
    figure.update_yaxes(range=[-3, 106], tickvals=[0, 20, 40, 60, 80, 100])
    legend_below(figure)
    return figure


def _ascending(figure: Drawing, values: Floats, name: str, colour: str, *, line: bool = False) -> None:
    shares = (np.arange(values.size) + 0.5) / values.size
    ascending = np.sort(values)
    if values.size > _MOST_POINTS:
        shares = np.linspace(0.5 / values.size, 1 - 0.5 / values.size, _MOST_POINTS)
        ascending = np.quantile(values, shares)
    figure.add_scatter(
        x=100 * shares,
        y=100 * ascending,
        mode="lines" if line else "markers",
        line={"color": colour, "width": 2},
        marker={"color": colour, "size": 6},
        hovertemplate=f"{name}: %{{y:.1f}} % at %{{x:.0f}} % of pairs<extra></extra>",
        name=name,
    )
