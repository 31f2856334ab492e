"""Fewer judgments a topic, or fewer topics? Judgments in all that the same comparison takes at each level."""

from collections.abc import Sequence
from math import log10

import plotly.graph_objects as go

from topicset_core.analyses.training_sensitivity import CompletenessDesign, cheapest
from topicset_core.analyses.training_sensitivity.designs import documents_said
from topicset_core.charts.completeness_axis import TITLE, colours_of, completeness_axis, name_lines
from topicset_core.charts.style import Mode, literal, new_figure

_POWERS = 13  # of ten: more judgments nobody asks for


def judgments_by_completeness(
    designs: Sequence[CompletenessDesign], *, difference: float, yours: str, mode: Mode
) -> go.Figure:
    """Draw a line for each measure, its cheapest design as a larger diamond.

    Parameters
    ----------
    designs : sequence of CompletenessDesign
        At least one with an answer; the rest are left out.
    difference : float
        What is to be detected by all judgments.
    yours : str
        The measure that is drawn as the user's: the one that systems are compared by.
    mode : {"light", "dark", "print"}
        Colours.
    """
    figure = new_figure(
        mode,
        title=f"To tell systems {difference:g} apart, by measure (◆ cheapest)",
        x_title=TITLE,
        y_title="judgments in all (log scale)",
        height=400,
    )
    measures = list(dict.fromkeys(one.measure for one in designs))
    colours = colours_of(measures, yours, mode)
    ends, levels, totals = [], [], []
    for measure in measures:
        answered = sorted(
            (one for one in designs if one.measure == measure and one.total_judgments),
            key=lambda one: one.level,
        )
        if not answered:
            continue
        least = cheapest(designs, measure)
        values = [float(one.total_judgments or 0) for one in answered]
        figure.add_scatter(
            x=[one.level for one in answered],
            y=values,
            mode="lines+markers",
            line={"color": colours[measure], "width": 3 if measure == yours else 1.8},
            marker={
                "color": colours[measure],
                "size": [13 if one is least else 6 for one in answered],
                "symbol": ["diamond" if one is least else "circle" for one in answered],
            },
            hovertext=[_said(one) for one in answered],
            hovertemplate="%{hovertext}<extra></extra>",
            name=measure,
        )
        ends.append((measure, log10(values[-1]), colours[measure]))
        levels += [one.level for one in answered]
        totals += values
    completeness_axis(figure, levels)
    name_lines(figure, ends, low=log10(min(totals)), high=log10(max(totals)), log_y=True)
    ticks = [step * 10**power for power in range(_POWERS) for step in (1, 2, 5)]
    figure.update_yaxes(tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
    return figure


def _said(one: CompletenessDesign) -> str:
    between = one.likely_judgments
    interval = "" if between is None else f" (95 %: {between[0]:,} to {between[1]:,})"
    return literal(
        f"{one.measure}, {one.level:g} %: {one.topics_to_judge:,} topics × about {documents_said(one)} documents = "
        f"{one.total_judgments:,} judgments{interval}"
    )
