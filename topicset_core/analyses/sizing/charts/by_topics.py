"""What a topic set of each size gives: power, or the width of the interval; also of a replication."""

from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.designs.curves import SizeCurve
from topicset_core.designs.search import Floats


def power_by_topics(
    curve: SizeCurve, *, required_topics: int, attained_power: float, target: float, mode: Mode
) -> go.Figure:
    """Draw the chance of detecting the user's minD against n, with the wanted power as a rule.

    Parameters
    ----------
    curve : SizeCurve
        Power by both methods.
    required_topics, attained_power : int, float
        The user's point.
    target : float
        1 - beta.
    mode : {"light", "dark", "print"}
        Colours.
    """
    figure = new_figure(
        mode,
        title="Power against the number of topics",
        x_title="topics n per system",
        y_title="power, chance of detecting minD (%)",
    )
    curve = replace(curve, published=_where_it_rises(curve.published))
    _draw(figure, curve, 100.0, f"wanted: {100 * target:g} %", 100 * target, mode)
    hover = f"yours: {required_topics:,} topics, power {100 * attained_power:.2f} %"
    ring(figure, mode, x=required_topics, y=100 * attained_power, text=f"{required_topics:,}", hover=hover)
    figure.update_yaxes(range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    _name_methods(figure, mode, at_top=False)
    return figure


def width_by_topics(
    curve: SizeCurve,
    *,
    required_topics: int,
    attained_width: float,
    target: float,
    measure: str,
    mode: Mode,
) -> go.Figure:
    """Draw the expected width of the confidence interval against n, with the widest allowed as a rule."""
    figure = new_figure(
        mode,
        title="Expected width of the interval against the number of topics",
        x_title="topics n per system",
        y_title=f"expected width, 2 MOE ({measure})",
    )
    _draw(figure, curve, 1.0, f"widest allowed: {target:g}", target, mode)
    hover = f"yours: {required_topics:,} topics, expected width {attained_width:.4g}"
    ring(
        figure,
        mode,
        x=required_topics,
        y=attained_width,
        text=f"{required_topics:,}",
        hover=hover,
        above=True,
    )
    figure.update_yaxes(range=[0, 4 * target])  # the first few topics are off the scale
    _name_methods(figure, mode, at_top=True)
    return figure


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


def _where_it_rises(power: Floats) -> Floats:
    """Leave out the first few topics if the approximation falls there, which no power does.

    Eq. 6 of Sakai 2016 gives a paired t test of 2 topics more power than one of 5. The tables to
    take home keep what it says.
    """
    if np.isnan(power).all():
        return power
    return np.where(np.arange(len(power)) < np.nanargmin(power), np.nan, power)


def _draw(figure: go.Figure, curve: SizeCurve, scale: float, rule: str, target: float, mode: Mode) -> None:
    """Add both methods' lines and the target, all in the units of the axis."""
    palette = PALETTES[mode]
    lines = (
        ("published", curve.published, {"color": palette.quiet, "width": 1.6, "dash": "dash"}),
        ("exact", curve.exact, {"color": palette.accent, "width": 3}),
    )
    for name, values, line in lines:
        has_value = np.isfinite(values)  # the published form has none at a few very small n
        figure.add_scatter(
            x=curve.n_topics[has_value].astype(float),
            y=scale * values[has_value],
            mode="lines",
            line=line,
            name=name,
            hovertemplate=f"{name}: %{{x:,}} topics, %{{y:.4g}}<extra></extra>",
        )
    figure.add_hline(y=target, line={"color": palette.quiet, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=target,
        text=rule,
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"color": palette.quiet, "size": 12},
    )


def _name_methods(figure: go.Figure, mode: Mode, *, at_top: bool) -> None:
    """Say in a corner, away from the lines, which line is which."""
    palette = PALETTES[mode]
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1 if at_top else 0,
        yref="paper",
        text=f'<span style="color:{palette.accent}">— exact</span>   '
        f'<span style="color:{palette.quiet}">- - Excel tool</span>',
        showarrow=False,
        xanchor="right",
        yanchor="top" if at_top else "bottom",
        yshift=-6 if at_top else 6,
        font={"size": 12},
    )
