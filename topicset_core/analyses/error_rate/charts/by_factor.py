"""Lin and Hauptmann's error rate over one of its factors, the user's point ringed."""

import plotly.graph_objects as go

from topicset_core.analyses.error_rate.charts.curves import Y_TITLE
from topicset_core.charts.style import PALETTES, Mode, new_figure, ring
from topicset_core.designs.error_rate_curves import FactorCurve

TITLES = {
    "n_topics": ("Error rate against topics", "topics of each experiment"),
    "difference": ("Error rate against the true difference", "true difference ({measure})"),
    "difference_variance": ("Error rate against the variance", "variance of the difference ({measure}²)"),
}
"""Title and axis of each factor."""


def error_by_factor(curve: FactorCurve, *, value: float, error: float, measure: str, mode: Mode) -> go.Figure:
    """Draw one factor's curve.

    Parameters
    ----------
    curve : FactorCurve
        Of Eq. 8.
    value, error : float
        The user's point.
    measure : str
        Unit of the difference.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    title, axis = TITLES[curve.factor]
    figure = new_figure(mode, title=title, x_title=axis.format(measure=measure), y_title=Y_TITLE, height=340)
    figure.add_scatter(
        x=curve.values,
        y=100 * curve.errors,
        mode="lines",
        line={"color": palette.accent, "width": 3},
        hovertemplate="%{x:.4g}: %{y:.2f} %<extra></extra>",
        name="Eq. 8",
    )
    said = f"{100 * error:.3g} %"
    ring(figure, mode, x=value, y=100 * error, text=said, hover=f"yours: {value:g}, {said}", above=True)
    figure.update_yaxes(range=[0, 54])
    return figure
