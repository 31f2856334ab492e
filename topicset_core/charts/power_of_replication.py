"""Power of a replication against its size, for an effect as large as the reported one."""

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.designs.curves import SizeCurve


def power_of_replication(
    curve: SizeCurve,
    *,
    required_topics: int,
    attained_power: float,
    target: float,
    reported: tuple[int, float] | None,
    mode: Mode,
) -> go.Figure:
    """Draw the chance to find the reported effect again against n, and the study that reported it.

    Parameters
    ----------
    curve : SizeCurve
        Power for the reported effect; the exact one is drawn.
    required_topics, attained_power : int, float
        The replication.
    target : float
        1 - beta.
    reported : (int, float) or None
        Topics and power of the reported study; None where its two systems had different topics.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title="Power of a replication against its number of topics",
        x_title="topics n per system",
        y_title="power for the reported effect (%)",
        height=360,
    )
    figure.add_scatter(
        x=curve.n_topics.astype(float),
        y=100 * curve.exact,
        mode="lines",
        line={"color": palette.accent, "width": 3},
        name="power",
        hovertemplate="%{x:,} topics, power %{y:.4g} %<extra></extra>",
    )
    figure.add_hline(y=100 * target, line={"color": palette.quiet, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=100 * target,
        text=f"wanted: {100 * target:g} %",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"color": palette.quiet, "size": 12},
    )
    if reported is not None:
        topics, power = reported
        figure.add_scatter(
            x=[topics],
            y=[100 * power],
            mode="markers",
            marker={"size": 11, "color": palette.text, "symbol": "diamond"},
            name="reported",
            hovertemplate=f"reported: {topics:,} topics, power {100 * power:.3g} %<extra></extra>",
        )
        figure.add_annotation(
            x=topics,
            y=100 * power,
            text=f"reported: {topics:,}",
            showarrow=False,
            xanchor="left",
            xshift=10,
            yshift=-12,
            bgcolor=palette.page,
            borderpad=1,
            font={"color": palette.text, "size": 13},
        )
    hover = f"replication: {required_topics:,} topics, power {100 * attained_power:.2f} %"
    ring(figure, mode, x=required_topics, y=100 * attained_power, text=f"{required_topics:,}", hover=hover)
    figure.update_yaxes(range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    return figure
