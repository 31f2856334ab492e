"""Where each run stands, and between which ranks simulated collections have it."""

import plotly.graph_objects as go

from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.analyses.topic_variance.rankings import LEVEL
from topicset_core.charts.labels import category_axis
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_MOST_TICKS = 10  # of ranks that each have a number
_MOST_CAPS = 50  # of runs whose bars end in a short line


def rank_intervals_chart(found: Findings, *, mode: Mode) -> go.Figure:
    """Draw the runs from left to right, best first, each with its rank and the interval of its ranks."""
    palette = PALETTES[mode]
    order = sorted(found.rank_intervals, key=lambda one: one.raw_rank)
    names = [one.system for one in order]
    level = f"{100 * LEVEL:g} %"
    figure = new_figure(
        mode,
        title=f"Rank of each run, and where {level} of the collections have it",
        x_title=f"{len(order):,} runs, best first by mean {found.settings.measure_name}",
        y_title="rank (1 = best)",
    )
    # Two traces: where a model does not fit a run, its interval does not hold its raw rank.
    figure.add_scatter(
        x=names,
        y=[0.5 * (one.low + one.high) for one in order],
        error_y={
            "type": "data",
            "array": [0.5 * (one.high - one.low) for one in order],
            "color": palette.quiet,
            "thickness": 1.6,
            "width": 0 if len(order) > _MOST_CAPS else 3,
        },
        mode="markers",
        marker={"size": 0.1, "color": palette.quiet},
        hoverinfo="skip",
        name="intervals",
    )
    figure.add_scatter(
        x=names,
        y=[one.raw_rank for one in order],
        mode="markers",
        marker={"size": 6, "color": palette.series[0]},
        hovertext=[
            f"{literal(one.system)}: rank {one.raw_rank:g}, from {one.low:g} to {one.high:g} in {level}"
            for one in order
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="ranks",
    )
    figure.update_xaxes(range=[-0.7, len(order) - 0.3], **category_axis(names))
    figure.update_yaxes(range=[len(order) + 0.8, 0.2])
    if len(order) <= _MOST_TICKS:  # no half ranks
        figure.update_yaxes(tick0=1, dtick=1)
    return figure
