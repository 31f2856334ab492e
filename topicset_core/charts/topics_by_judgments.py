"""Required topics against judged documents per topic: the trade-off of Sakai 2016, figures 2 and 3.

A point is a pool depth, and the area of the rectangle from the origin to it is what the design costs.
"""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.pool_depth import DepthDesign
from topicset_core.charts.end_labels import end_labels
from topicset_core.charts.style import PALETTES, Mode, new_figure

_EQUAL_COSTS = (1, 2, 5)  # times a power of ten: the costs of the pale lines
_NUMBER = 0.04  # of the picture's width: a number of three digits, closely
_LINE = 0.04  # of the picture's height: a line of text
MARGIN = 1.15
"""How far axes go beyond the outermost points."""

RIGHT = 110
"""Pixels to the right of the picture, for names at the ends of lines."""


def topics_by_judgments(
    by_measure: Sequence[Sequence[DepthDesign]],
    *,
    yours: str,
    chosen: DepthDesign | None,
    deepest: DepthDesign,
    budget: float | None,
    mode: Mode,
) -> go.Figure:
    """Draw a curve a measure, lines of equal cost, and the rectangles of two designs.

    Parameters
    ----------
    by_measure : sequence of sequence of DepthDesign
        For each measure its designs by depth, all with an answer.
    yours : str
        The measure that is planned with.
    chosen : DepthDesign or None
        The design whose cost is the filled rectangle; None where none fits the budget.
    deepest : DepthDesign
        The design that the chosen one is compared with: the outlined rectangle.
    budget : float or None
        Judgments that can be made, drawn as a line.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    every = [design for designs in by_measure for design in designs]
    right = MARGIN * max(design.judged_per_topic for design in every)
    top = MARGIN * max(design.required_topics or 0 for design in every)
    figure = new_figure(
        mode,
        title="Required topics against judgments per topic: areas are costs",
        x_title="judged documents per topic (inside: pool depth)",
        y_title="required topics n",
        height=460,
    )
    _equal_costs(figure, mode, right, top, budget)
    if budget is not None:
        _cost_line(figure, mode, budget, right, top, f"budget {budget:,.0f}", is_yours=True)
    if chosen is not None:
        _rectangle(figure, chosen, palette.accent, filled=True)
    _rectangle(figure, deepest, palette.quiet, filled=False)
    for place, designs in enumerate(by_measure):
        measure = designs[0].measure
        is_yours = measure == yours
        colour = palette.accent if is_yours else palette.series[place % len(palette.series)]
        figure.add_scatter(
            x=[design.judged_per_topic for design in designs],
            y=[float(design.required_topics or 0) for design in designs],
            mode="lines+markers",
            line={"color": colour, "width": 3 if is_yours else 1.8},
            marker={"size": 8 if is_yours else 6, "color": colour},
            hovertext=[_said(design) for design in designs],
            hovertemplate="%{hovertext}<extra></extra>",
            name=measure,
        )
    _depths(figure, mode, next(designs for designs in by_measure if designs[0].measure == yours), right)
    ends = [
        (designs[-1].judged_per_topic, float(designs[-1].required_topics or 0), designs[-1].measure)
        for designs in by_measure
    ]
    end_labels(figure, mode, [(*end, end[2] == yours) for end in ends], height=top)
    figure.update_xaxes(range=[0, right])
    figure.update_yaxes(range=[0, top])
    figure.update_layout(margin_r=RIGHT)
    return figure


def _said(design: DepthDesign) -> str:
    return (
        f"{design.measure}, depth {design.pool_depth}: {design.required_topics:,} topics × "
        f"{design.judged_per_topic:.0f} documents = {design.total_judgments:,} judgments"
    )


def _depths(figure: go.Figure, mode: Mode, designs: Sequence[DepthDesign], right: float) -> None:
    """Write depths on the axis, where no curve runs through them, as long as they keep clear of each other.

    A depth stands at one place for all measures.
    """
    last = -right
    for design in designs:
        if design.judged_per_topic - last < _NUMBER * right:
            continue
        last = design.judged_per_topic
        figure.add_annotation(
            x=last,
            y=0,
            text=str(design.pool_depth),
            showarrow=False,
            yanchor="bottom",
            font={"color": PALETTES[mode].text, "size": 12},
        )


def _rectangle(figure: go.Figure, design: DepthDesign, colour: str, *, filled: bool) -> None:
    figure.add_shape(
        type="rect",
        x0=0,
        y0=0,
        x1=design.judged_per_topic,
        y1=design.required_topics or 0,
        line={"color": colour, "width": 1.5, "dash": "solid" if filled else "dot"},
        fillcolor=colour if filled else "rgba(0,0,0,0)",
        opacity=0.25 if filled else 0.9,
        layer="below",
    )


def _equal_costs(figure: go.Figure, mode: Mode, right: float, top: float, budget: float | None) -> None:
    """Draw lines of equal cost for a few round costs that cross the picture, not where the budget's is."""
    most = right * top
    power = 10 ** int(np.log10(most))
    costs = [step * scale for scale in (power // 10, power) for step in _EQUAL_COSTS if scale >= 1]
    for cost in [cost for cost in costs if cost < 0.7 * most][-4:]:
        if budget is not None and abs(cost - budget) < _LINE * most:
            continue
        _cost_line(figure, mode, cost, right, top, f"{cost:,}", is_yours=False)


def _cost_line(
    figure: go.Figure, mode: Mode, cost: float, right: float, top: float, text: str, *, is_yours: bool
) -> None:
    palette = PALETTES[mode]
    documents = np.geomspace(max(cost / top, right / 1000), right, 80)
    topics = cost / documents
    colour = palette.accent if is_yours else palette.grid
    figure.add_scatter(
        x=documents,
        y=topics,
        mode="lines",
        line={"color": colour, "width": 1.6 if is_yours else 1.2, "dash": "dash" if is_yours else "solid"},
        hoverinfo="skip",
        name=text,
    )
    figure.add_annotation(
        x=right,
        y=float(topics[-1]),
        text=text,
        showarrow=False,
        xanchor="left",
        xshift=4,
        font={"color": palette.accent if is_yours else palette.quiet, "size": 11},
    )
