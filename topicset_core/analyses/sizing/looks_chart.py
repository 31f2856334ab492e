"""The figure of a plan with looks: what |t| must reach at each look, and the state of the evaluation."""

import numpy as np

from topicset_core.analyses.running_evidence import Standing
from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.designs.group_sequential import Looks
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.figures import Figure

_HIGHEST = 6.0
"""Of |t|; boundaries above it are written, not drawn to scale."""


def looks_figure(plan: Looks, now: Standing | None, mode: Mode) -> Figure:
    """Draw the critical value of each look over its topics, and the t statistics so far."""
    palette = PALETTES[mode]
    figure: Drawing = new_figure(
        mode,
        title="What |t| must reach at each look",
        x_title="topics scored so far",
        y_title="|t| of the mean difference (standard errors)",
        height=360,
    )
    shown = [min(t, _HIGHEST) for t in plan.critical_t]
    figure.add_scatter(
        x=plan.topics,
        y=shown,
        mode="lines+markers+text",
        line={"color": palette.series[0], "width": 2, "dash": "dot"},
        marker={"size": 10, "color": palette.series[0]},
        text=[f"{t:.3f}" for t in plan.critical_t],
        textposition="top center",
        textfont={"color": palette.text, "size": 13},
        customdata=np.column_stack([plan.critical_t, plan.nominal_p]),
        hovertemplate="%{x:,} topics: stop if |t| ≥ %{customdata[0]:.4f} (p ≤ %{customdata[1]:.6f})<extra></extra>",
        name="stop at or above",
    )
    reached = [min(abs(t), _HIGHEST) for t in (now.t if now else ())]
    for t, at, topics in zip(now.t if now else (), reached, plan.topics, strict=False):
        ring(
            figure,
            mode,
            x=topics,
            y=at,
            text=f"{abs(t):.3f}",
            hover=f"yours: {topics:,} topics, |t| = {abs(t):.3f}",
        )
    figure.update_xaxes(range=[0, plan.topics[-1] * 1.08])
    figure.update_yaxes(range=[0, max(*shown, *reached, 3.0) * 1.15])
    values = ", ".join(f"{n:,} topics {t:.3f}" for n, t in zip(plan.topics, plan.critical_t, strict=True))
    return Figure("looks", figure, f"Critical values of the absolute t statistic: {values}.")
