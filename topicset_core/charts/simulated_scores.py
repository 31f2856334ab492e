"""Simulated against raw scores of one run, topic by topic (Yang et al. 2018, figure 1)."""

import plotly.graph_objects as go

from topicset_core.analyses.topic_variance.findings import Findings
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_MOST_CAPS = 60  # of topics whose bars end in a short line


def simulated_scores(found: Findings, system: str, *, topic: str = "", mode: Mode) -> go.Figure:
    """Draw the mean of simulated scores with its standard deviation against the score as it is.

    Parameters
    ----------
    found : Findings
        Of the study.
    system : str
        One of its runs.
    topic : str
        To be marked; none by default.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    at = found.systems.index(system)
    raw, simulated, deviations = found.raw[:, at], found.simulated[:, at], found.deviations[:, at]
    measure = found.settings.measure_name
    figure = new_figure(
        mode,
        title=f"{system}: simulated against original scores, {len(found.topics):,} topics",
        x_title=f"{measure} in the original collection",
        y_title=f"{measure} in simulated ones (mean ± 1 SD)",
        height=460,
    )
    top = max(1.0, float((simulated + deviations).max()))
    figure.add_scatter(
        x=[0, top],
        y=[0, top],
        mode="lines",
        line={"color": palette.quiet, "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="equal",
    )
    figure.add_scatter(
        x=raw,
        y=simulated,
        error_y={
            "type": "data",
            "array": deviations,
            "color": palette.quiet,
            "thickness": 1.1,
            "width": 0 if len(found.topics) > _MOST_CAPS else 3,
        },
        mode="markers",
        marker={
            "size": 6,
            "color": [palette.accent if name == topic else palette.series[0] for name in found.topics],
        },
        hovertext=[
            f"topic {literal(name)}: {score:.4f} becomes {mean:.4f} ± {deviation:.4f}"
            for name, score, mean, deviation in zip(found.topics, raw, simulated, deviations, strict=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="topics",
    )
    if topic in found.topics:
        place = found.topics.index(topic)
        figure.add_annotation(
            x=float(raw[place]),
            y=float(simulated[place]),
            text=f"<b>{literal(topic)}</b>",
            showarrow=False,
            xanchor="left",
            xshift=8,
            yshift=-8,
            font={"color": palette.accent, "size": 13},
        )
    figure.update_xaxes(range=[-0.02 * top, 1.03 * top])
    figure.update_yaxes(range=[-0.02 * top, 1.03 * top])
    return figure
