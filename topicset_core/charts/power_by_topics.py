"""Power against the number of topics, exact and published, the required n ringed."""

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.designs.curves import PowerCurve


def power_by_topics(
    curve: PowerCurve, *, required_topics: int, attained_power: float, target: float, mode: Mode
) -> go.Figure:
    """Draw the chance of detecting the user's minD against n, with the wanted power as a rule.

    Parameters
    ----------
    curve : PowerCurve
        Exact and published power.
    required_topics, attained_power : int, float
        The user's point.
    target : float
        1 - beta.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title="Power against the number of topics",
        x_title="topics n per system",
        y_title="power, chance of detecting minD (%)",
    )
    figure.add_scatter(
        x=curve.n_topics,
        y=100 * curve.published,
        mode="lines",
        line={"color": palette.quiet, "width": 1.6, "dash": "dash"},
        name="published",
        hovertemplate="Excel tool: %{x:,} topics, power %{y:.2f} %<extra></extra>",
    )
    figure.add_scatter(
        x=curve.n_topics,
        y=100 * curve.exact,
        mode="lines",
        line={"color": palette.accent, "width": 3},
        name="exact",
        hovertemplate="exact: %{x:,} topics, power %{y:.2f} %<extra></extra>",
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
    figure.add_annotation(
        x=1,
        xref="paper",
        y=0,
        yref="paper",
        text=f'<span style="color:{palette.accent}">— exact</span>   '
        f'<span style="color:{palette.quiet}">- - Excel tool</span>',
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        yshift=6,
        font={"size": 12},
    )
    hover = f"yours: {required_topics:,} topics, power {100 * attained_power:.2f} %"
    ring(figure, mode, x=required_topics, y=100 * attained_power, text=f"{required_topics:,}", hover=hover)
    figure.update_yaxes(range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    return figure
