"""Lines of equal n over difference and variance: what an error in the variance would do."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.charts.style import PALETTES, Mode, end_label, new_figure, ring
from topicset_core.charts.topics_by_difference import DIFFERENCE
from topicset_core.designs.curves import EqualTopics
from topicset_core.designs.design import Kind


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
