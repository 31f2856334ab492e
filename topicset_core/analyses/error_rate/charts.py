"""The figures of the error rate analysis: curves, the map, the formula's factors."""

from typing import Any

import numpy as np

from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.prediction import Prediction, Surface, percent
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, Floats, bin_label
from topicset_core.charts.chart import Chart
from topicset_core.designs.error_rate import FactorCurve
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.colours import ACCENT, TEXT, in_colour, shade
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
    chart = Chart(
        f"Error rate by difference in {counted.measure} ({drawn}, {counted.n_trials:,} trials)",
        " · ".join(filter(None, ("topics in each of the two sets", shown_sizes))),
        _Y_TITLE,
        height=480,
    )
    lowest = np.inf  # label so far; bins come from the top, from small differences to large ones
    for place in range(N_BINS + 1):
        rates = 100 * counted.error_rates[order, place]
        label = bin_label(place)
        chart.line(
            sizes,
            rates,
            label,
            f"difference {label}: %{{x}} topics, %{{y:.2f}} % (standard error %{{customdata:.2f}})",
            colour=shade(place / N_BINS),
            width=2 if place in _LABELLED else 1.1,
            customdata=100 * counted.standard_errors[order, place],
        )
        there = np.flatnonzero(np.isfinite(rates))
        if place in _LABELLED and there.size and rates[there[-1]] < lowest - _LABEL_HEIGHT:
            end = there[-1]
            lowest = rates[end]
            text = f"difference {label}" if place == 0 else label
            chart.name_end(float(sizes[end]), float(rates[end]), text)
    legend = ["— experiment"]
    if expected is not None:
        _add_theory(chart, expected)
        legend.append("- - theory")
    if tolerated is not None:
        chart.rule(100 * tolerated, colour=ACCENT, width=1.4)
        legend.append(in_colour(f"··· tolerated: {100 * tolerated:g} %", ACCENT))
    # Below the title of the axis; above the chart it would cover the mark of simulated data.
    corner: dict[str, Any] = {
        "xref": "paper",
        "yref": "paper",
        "xanchor": "right",
        "yanchor": "top",
        "yshift": -56,
    }
    chart.note("   ".join(legend), 1, 0, colour=TEXT, **corner)
    chart.axis("x", range=[max(float(sizes[0]) - 1, 0), float(sizes[-1]) + 0.2])
    chart.axis("y", range=[0, _highest(counted.error_rates)])
    chart.room(right=150, bottom=86)
    alt = "Error rates fall with the number of topics, the faster the larger the difference."
    return chart.figure("curves", alt)


def _highest(rates: Floats) -> float:
    """Return where the axis ends: a little above one half, and above what few pairs happened to show."""
    shown = rates[np.isfinite(rates)]
    return max(54.0, 104 * float(shown.max())) if shown.size else 54.0


def _add_theory(chart: Chart, expected: Theory) -> None:
    order = np.argsort(expected.cardinalities)
    sizes = np.array(expected.cardinalities)[order]
    for place in _LABELLED:
        label = f"theory, {bin_label(place)}"
        rates, hover = 100 * expected.conditional[order, place], f"{label}: %{{x}} topics, %{{y:.2f}} %"
        chart.line(sizes, rates, label, hover, colour=TEXT, width=1.2, dash="dash")


def error_rate_map(around: Surface, prediction: Prediction) -> Figure:
    """Draw error rates as shades, with the line of the tolerated rate and the user's point."""
    tolerated = 100 * prediction.max_error
    chart = Chart(
        "Error rate by difference and topics (log scale of topics)",
        "topics on which the difference is observed",
        f"observed difference ({prediction.measure})",
        height=460,
    )
    ticks = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    chart.log_axis("x", [tick for tick in ticks if tick <= around.sizes[-1]], showgrid=False)
    chart.axis("y", showgrid=False)
    hover, rates = "%{x:.0f} topics, difference %{y:.3f}: %{z:.2f} %", 100 * around.rates
    place: dict[str, Any] = {"x": around.sizes, "y": around.differences}
    chart.shades(rates.astype(np.float32), "error rate", hover, bar=_Y_TITLE, zmin=0, zmax=50, **place)
    chart.trace(
        "contour",
        f"{tolerated:g} %",
        None,
        z=rates,
        contours={"start": tolerated, "end": tolerated, "size": 1, "coloring": "none"},
        line={"color": ACCENT, "width": 2.4},
        showscale=False,
        **place,
    )
    half = prediction.topics_of_matrix // 2  # up to where two disjoint sets can be drawn from the matrix
    chart.add_vline(x=half, line={"color": TEXT, "width": 1, "dash": "dot"})
    look: dict[str, Any] = {"yref": "paper", "xanchor": "right", "yanchor": "bottom"}
    chart.note(f"experiment: up to {half} topics", half, 1, colour=TEXT, **look)
    chart.yours(
        prediction.n_topics,
        prediction.difference,
        "",
        f"yours: {prediction.n_topics:,} topics, difference {prediction.difference:g}: "
        f"{100 * prediction.error:.2f} %",
    )
    return chart.figure("map", f"Error rate over difference and topics, with the line of {tolerated:g} %.")


_TITLES = {
    "n_topics": ("Error rate against topics", "topics of each experiment"),
    "difference": ("Error rate against the true difference", "true difference ({measure})"),
    "difference_variance": ("Error rate against the variance", "variance of the difference ({measure}²)"),
}
"""Title and axis of each factor."""


def error_by_factor(curve: FactorCurve, *, value: float, error: float, measure: str) -> Figure:
    """Draw one factor's curve."""
    title, axis = _TITLES[curve.factor]
    chart = Chart(title, axis.format(measure=measure), _Y_TITLE, height=340)
    chart.line(curve.values, 100 * curve.errors, "Eq. 8", "%{x:.4g}: %{y:.2f} %", width=3)
    rate = f"{100 * error:.3g} %"
    chart.yours(value, 100 * error, rate, f"yours: {value:g}, {rate}", above=True)
    chart.axis("y", range=[0, 54])
    return chart.figure("factor", f"{title}, Eq. 8; {percent(error)} at your values.")
