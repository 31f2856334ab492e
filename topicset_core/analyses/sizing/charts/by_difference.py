"""Required topics over differences and variances, the user's point ringed."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, end_label, new_figure, ring
from topicset_core.designs.curves import EqualTopics, TopicsCurve
from topicset_core.designs.design import Kind

RULE_AT = 50  # the size of most TREC topic sets

DIFFERENCE = {
    "power": ("minD", "minD, smallest difference to detect"),
    "width": ("δ", "δ, widest confidence interval allowed"),
}
"""Symbol and axis title of the difference, by kind of design."""


def topics_by_difference(
    curves: Sequence[TopicsCurve],
    *,
    kind: Kind,
    difference: float,
    required_topics: int,
    measure: str,
    mode: Mode,
) -> go.Figure:
    """Draw n on a log scale against the difference; the log because n falls with its square.

    Parameters
    ----------
    curves : sequence of TopicsCurve
        In the order from weak to strong.
    kind : {"power", "width"}
        What the difference is.
    difference, required_topics : float, int
        The user's point.
    measure : str
        Unit of the difference.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    symbol, axis_title = DIFFERENCE[kind]
    figure = new_figure(
        mode,
        title=f"Required topics against {symbol} (log scale of topics)",
        x_title=f"{axis_title} ({measure})",
        y_title="required topics n per system",
    )
    for position, curve in enumerate(curves):
        color = palette.accent if curve.is_yours else _step(palette.ramp_for_lines, position, len(curves))
        figure.add_scatter(
            x=curve.difference,
            y=curve.topics.astype(float),
            mode="lines",
            line={"color": color, "width": 3 if curve.is_yours else 1.8},
            name=curve.label,
            hovertemplate=f"{curve.label}: {symbol} %{{x:.4g}} needs %{{y:,}} topics<extra></extra>",
        )
        if len(curves) > 1:
            x, y = float(curve.difference[-1]), math.log10(curve.topics[-1])
            end_label(figure, mode, x=x, y=y, text=curve.label, is_yours=curve.is_yours)
    figure.add_hline(y=RULE_AT, line={"color": palette.quiet, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=0,
        xref="paper",
        y=math.log10(RULE_AT),
        text=f"{RULE_AT} topics",
        showarrow=False,
        xanchor="left",
        yanchor="bottom",
        xshift=4,
        font={"color": palette.quiet, "size": 12},
    )
    hover = f"yours: {symbol} {difference:g} needs {required_topics:,} topics"
    text = f"{required_topics:,}"
    ring(figure, mode, x=difference, y=required_topics, text=text, hover=hover, log_y=True, above=True)
    figure.update_yaxes(type="log", dtick="D2", tickformat=",d")
    figure.update_layout(margin_r=70 if len(curves) > 1 else 24)
    return figure


def equal_topics_chart(
    lines: Sequence[EqualTopics],
    *,
    kind: Kind,
    difference: float,
    variance: float,
    required_topics: int,
    symbol: str,
    measure: str,
    mode: Mode,
) -> go.Figure:
    """Draw, for several n, the differences that n topics settle at each variance.

    Parameters
    ----------
    lines : sequence of EqualTopics
        By rising n.
    kind : {"power", "width"}
        What the difference is.
    difference, variance, required_topics : float, float, int
        The user's point.
    symbol : str
        Of the variance.
    measure : str
        Unit of the difference.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    name, axis_title = DIFFERENCE[kind]
    figure = new_figure(
        mode,
        title=f"Required topics over {name} and the variance: each line is one number of topics",
        x_title=f"variance {symbol} (squared {measure})",
        y_title=f"{axis_title} ({measure})",
    )
    for line in lines:
        figure.add_scatter(
            x=line.variance,
            y=line.difference,
            mode="lines",
            line={"color": palette.ramp[3], "width": 1.6},
            name=f"{line.n_topics}",
            hovertemplate=f"{line.n_topics:,} topics: {symbol} %{{x:.4g}}, {name} %{{y:.4g}}<extra></extra>",
        )
        x, y = float(line.variance[-1]), float(line.difference[-1])
        end_label(figure, mode, x=x, y=y, text=f"{line.n_topics:,} topics", is_yours=False)
    hover = f"yours: {symbol} {variance:.4g}, {name} {difference:g} need {required_topics:,} topics"
    ring(figure, mode, x=variance, y=difference, text=f"{required_topics:,}", hover=hover)
    figure.update_layout(margin_r=90)
    figure.update_yaxes(rangemode="tozero")
    return figure


def _step(ramp: tuple[str, ...], position: int, count: int) -> str:
    """Return the ramp's colour for one of `count` ordered curves."""
    return ramp[round((len(ramp) - 1) * position / max(count - 1, 1))]
