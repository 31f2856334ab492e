"""The figures of the error rate analysis: curves, the map, the formula's factors."""

import math
from typing import Any

import numpy as np

from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.prediction import Prediction, Surface, percent
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, Floats, bin_label
from topicset_core.charts.style import annotate, end_label, new_figure, ring, ring_marker
from topicset_core.designs.error_rate import FactorCurve
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.colours import ACCENT, GRID, RAMP, TEXT, in_colour, shade
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.figures import Figure

_LABELLED = (0, 1, 2, 3, 4, 6, 9)
"""Bins that get a stronger line and, where there is room at its end, a label."""

_LABEL_HEIGHT = 2.4  # in units of the axis

_Y_TITLE = "error rate (%)"


def error_rate_curves(
    counted: ErrorRates, *, expected: Theory | None = None, tolerated: float | None = None
) -> Figure:
    """Draw error rates against the topics in a set, from small differences (pale) to large ones (strong)."""
    order = np.argsort(counted.cardinalities)
    sizes = np.array(counted.cardinalities)[order]
    shown_sizes = (
        share_of_sizes(counted.cardinalities, counted.largest_size) if counted.sizes_in_words else ""
    )
    drawn = "sets drawn with replacement" if counted.with_replacement else "disjoint sets"
    figure = new_figure(
        title=f"Error rate by difference in {counted.measure} ({drawn}, {counted.n_trials:,} trials)",
        x_title=" · ".join(filter(None, ("topics in each of the two sets", shown_sizes))),
        y_title=_Y_TITLE,
        height=480,
    )
    lowest = np.inf  # label so far; bins come from the top, from small differences to large ones
    names: list[dict[str, Any]] = []
    for place in range(N_BINS + 1):
        rates = 100 * counted.error_rates[order, place]
        label = bin_label(place)
        figure.add_scatter(
            x=sizes,
            y=rates,
            mode="lines",
            line={"color": shade(place / N_BINS), "width": 2 if place in _LABELLED else 1.1},
            customdata=100 * counted.standard_errors[order, place],
            hovertemplate=f"difference {label}: %{{x}} topics, %{{y:.2f}} % "
            "(standard error %{customdata:.2f})<extra></extra>",
            name=label,
        )
        there = np.flatnonzero(np.isfinite(rates))
        if place in _LABELLED and there.size and rates[there[-1]] < lowest - _LABEL_HEIGHT:
            end = there[-1]
            lowest = rates[end]
            text = f"difference {label}" if place == 0 else label
            x, y = float(sizes[end]), float(rates[end])
            names.append(end_label(x=x, y=y, text=text, is_yours=False))
    annotate(figure, names)
    legend = ["— experiment"]
    if expected is not None:
        _add_theory(figure, expected)
        legend.append("- - theory")
    if tolerated is not None:
        figure.add_hline(y=100 * tolerated, line={"color": ACCENT, "width": 1.4, "dash": "dot"})
        legend.append(in_colour(f"··· tolerated: {100 * tolerated:g} %", ACCENT))
    figure.add_annotation(
        x=1,
        xref="paper",
        y=0,
        yref="paper",
        yshift=-56,  # below the title of the axis; above the chart it would cover the mark of simulated data
        text="   ".join(legend),
        showarrow=False,
        xanchor="right",
        yanchor="top",
        font={"size": 12, "color": TEXT},
    )
    figure.update_xaxes(range=[max(float(sizes[0]) - 1, 0), float(sizes[-1]) + 0.2])
    figure.update_yaxes(range=[0, _highest(counted.error_rates)])
    figure.update_layout(margin={"r": 150, "b": 86})
    alt = "Error rates fall with the number of topics, the faster the larger the difference."
    return Figure("curves", figure, alt)


def _highest(rates: Floats) -> float:
    """Return where the axis ends: a little above one half, and above what few pairs happened to show."""
    shown = rates[np.isfinite(rates)]
    return max(54.0, 104 * float(shown.max())) if shown.size else 54.0


def _add_theory(figure: Drawing, expected: Theory) -> None:
    order = np.argsort(expected.cardinalities)
    sizes = np.array(expected.cardinalities)[order]
    for place in _LABELLED:
        label = f"theory, {bin_label(place)}"
        figure.add_scatter(
            x=sizes,
            y=100 * expected.conditional[order, place],
            mode="lines",
            line={"color": TEXT, "width": 1.2, "dash": "dash"},
            hovertemplate=f"{label}: %{{x}} topics, %{{y:.2f}} %<extra></extra>",
            name=label,
        )


def error_rate_map(
    around: Surface,
    prediction: Prediction,
) -> Figure:
    """Draw error rates as shades, with the line of the tolerated rate and the user's point."""
    tolerated = 100 * prediction.max_error
    figure = new_figure(
        title="Error rate by difference and topics (log scale of topics)",
        x_title="topics on which the difference is observed",
        y_title=f"observed difference ({prediction.measure})",
        height=460,
    )
    figure.add_heatmap(
        x=around.sizes,
        y=around.differences,
        z=(100 * around.rates).astype(np.float32),
        zmin=0,
        zmax=50,
        colorscale=[(place / len(RAMP), colour) for place, colour in enumerate((GRID, *RAMP))],
        colorbar={
            "title": {"text": _Y_TITLE, "side": "right"},
            "thickness": 14,
            "outlinewidth": 0,
            "tickfont": {"size": 12, "color": TEXT},
        },
        hovertemplate="%{x:.0f} topics, difference %{y:.3f}: %{z:.2f} %<extra></extra>",
        name="error rate",
    )
    figure.add_contour(
        x=around.sizes,
        y=around.differences,
        z=100 * around.rates,
        contours={"start": tolerated, "end": tolerated, "size": 1, "coloring": "none"},
        line={"color": ACCENT, "width": 2.4},
        showscale=False,
        hoverinfo="skip",
        name=f"{tolerated:g} %",
    )
    _add_reach(figure, prediction.topics_of_matrix, TEXT)
    figure.add_scatter(
        x=[prediction.n_topics],
        y=[prediction.difference],
        mode="markers",
        marker=ring_marker(),
        hovertemplate=f"yours: {prediction.n_topics:,} topics, difference {prediction.difference:g}: "
        f"{100 * prediction.error:.2f} %<extra></extra>",
        cliponaxis=False,
        name="yours",
    )
    ticks = [
        tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if tick <= around.sizes[-1]
    ]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks], showgrid=False)
    figure.update_yaxes(showgrid=False)
    alt = f"Error rate over difference and topics, with the line of {tolerated:g} %."
    return Figure("map", figure, alt)


def _add_reach(figure: Drawing, n_topics_of_matrix: int, colour: str) -> None:
    """Mark up to where two disjoint sets can be drawn from the matrix."""
    half = n_topics_of_matrix // 2
    figure.add_vline(x=half, line={"color": colour, "width": 1, "dash": "dot"})
    figure.add_annotation(
        x=math.log10(half),
        y=1,
        yref="paper",
        text=f"experiment: up to {half} topics",
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"color": colour, "size": 12},
    )


_TITLES = {
    "n_topics": ("Error rate against topics", "topics of each experiment"),
    "difference": ("Error rate against the true difference", "true difference ({measure})"),
    "difference_variance": ("Error rate against the variance", "variance of the difference ({measure}²)"),
}
"""Title and axis of each factor."""


def error_by_factor(curve: FactorCurve, *, value: float, error: float, measure: str) -> Figure:
    """Draw one factor's curve."""
    title, axis = _TITLES[curve.factor]
    figure = new_figure(title=title, x_title=axis.format(measure=measure), y_title=_Y_TITLE, height=340)
    figure.add_scatter(
        x=curve.values,
        y=100 * curve.errors,
        mode="lines",
        line={"color": ACCENT, "width": 3},
        hovertemplate="%{x:.4g}: %{y:.2f} %<extra></extra>",
        name="Eq. 8",
    )
    rate = f"{100 * error:.3g} %"
    ring(figure, x=value, y=100 * error, text=rate, hover=f"yours: {value:g}, {rate}", above=True)
    figure.update_yaxes(range=[0, 54])
    return Figure("factor", figure, f"{title}, Eq. 8; {percent(error)} at your values.")
