"""The figures of the error rate analysis: curves, theory against the experiment, the map, the formula's factors."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, Floats, bin_label
from topicset_core.charts.style import (
    PALETTES,
    Mode,
    Palette,
    annotate,
    end_label,
    new_figure,
    ring,
    ring_marker,
)
from topicset_core.designs.error_rate import FactorCurve
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.drawing import Drawing

_LABELLED = (0, 1, 2, 3, 4, 6, 9)
"""Bins that get a stronger line and, where there is room at its end, a label."""

_LABEL_HEIGHT = 2.4  # in units of the axis

Y_TITLE = "error rate (%)"


def error_rate_curves(
    counted: ErrorRates, *, expected: Theory | None = None, tolerated: float | None = None, mode: Mode
) -> Drawing:
    """Draw error rates against the topics in a set, from small differences (pale) to large ones (strong)."""
    palette = PALETTES[mode]
    order = np.argsort(counted.cardinalities)
    sizes = np.array(counted.cardinalities)[order]
    shown_sizes = (
        share_of_sizes(counted.cardinalities, counted.largest_size) if counted.sizes_in_words else ""
    )
    drawn = "sets drawn with replacement" if counted.with_replacement else "disjoint sets"
    figure = new_figure(
        mode,
        title=f"Error rate by difference in {counted.measure} ({drawn}, {counted.n_trials:,} trials)",
        x_title=" · ".join(filter(None, ("topics in each of the two sets", shown_sizes))),
        y_title=Y_TITLE,
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
            line={"color": shade(palette, place), "width": 2 if place in _LABELLED else 1.1},
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
            names.append(end_label(mode, x=x, y=y, text=text, is_yours=False))
    annotate(figure, names)
    sentence = ["— experiment"]
    if expected is not None:
        _add_theory(figure, expected, palette)
        sentence.append("- - theory")
    if tolerated is not None:
        figure.add_hline(y=100 * tolerated, line={"color": palette.accent, "width": 1.4, "dash": "dot"})
        sentence.append(f'<span style="color:{palette.accent}">··· tolerated: {100 * tolerated:g} %</span>')
    figure.add_annotation(
        x=1,
        xref="paper",
        y=0,
        yref="paper",
        yshift=-56,  # below the title of the axis; above the chart it would cover the mark of simulated data
        text="   ".join(sentence),
        showarrow=False,
        xanchor="right",
        yanchor="top",
        font={"size": 12, "color": palette.text},
    )
    figure.update_xaxes(range=[max(float(sizes[0]) - 1, 0), float(sizes[-1]) + 0.2])
    figure.update_yaxes(range=[0, highest(counted.error_rates)])
    figure.update_layout(margin={"r": 150, "b": 86})
    return figure


def highest(rates: Floats) -> float:
    """Return where the axis ends: a little above one half, and above what few pairs happened to show."""
    shown = rates[np.isfinite(rates)]
    return max(54.0, 104 * float(shown.max())) if shown.size else 54.0


def shade(palette: Palette, place: int) -> str:
    """Return the colour of a bin: steps of one hue, between the steps of the palette's ramp for lines."""
    ramp = palette.ramp_for_lines
    where = place / N_BINS * (len(ramp) - 1)
    low = min(int(where), len(ramp) - 2)
    parts = zip(_channels(ramp[low]), _channels(ramp[low + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (where - low)):02X}" for a, b in parts)


def _add_theory(figure: Drawing, expected: Theory, palette: Palette) -> None:
    order = np.argsort(expected.cardinalities)
    sizes = np.array(expected.cardinalities)[order]
    for place in _LABELLED:
        label = f"theory, {bin_label(place)}"
        figure.add_scatter(
            x=sizes,
            y=100 * expected.conditional[order, place],
            mode="lines",
            line={"color": palette.text, "width": 1.2, "dash": "dash"},
            hovertemplate=f"{label}: %{{x}} topics, %{{y:.2f}} %<extra></extra>",
            name=label,
        )


def _channels(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


BINS = (0, 4, 9)
"""The bins that are drawn: up to .01, around .045, around .095."""

FORMS = {
    "conditional": ("given the observed difference", "dash"),
    "paired": ("Eq. 8, paired variance", "dot"),
    "independent": ("Eq. 8 as printed, independent", "longdashdot"),
}
"""Forms of theory: their names, and the dash they are drawn in."""


def theory_against_experiment(
    counted: ErrorRates, expected: Theory, *, bins: Sequence[int] = BINS, mode: Mode
) -> Drawing:
    """Draw the experiment as points with two standard errors, and each form of theory as a line."""
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title=f"Theory against experiment, by difference in {counted.measure}",
        x_title="topics in each of the two sets",
        y_title=Y_TITLE,
        height=480,
    )
    order = np.argsort(expected.cardinalities)
    sizes = np.array(expected.cardinalities)[order]
    for position, place in enumerate(bins):
        colour = palette.series[position]
        label = bin_label(place)
        figure.add_scatter(
            x=list(counted.cardinalities),
            y=100 * counted.error_rates[:, place],
            error_y={
                "type": "data",
                "array": 200 * counted.standard_errors[:, place],
                "color": colour,
                "thickness": 1,
                "width": 0,
            },
            mode="markers",
            marker={"size": 6, "color": colour},
            hovertemplate=f"experiment, {label}: %{{x}} topics, %{{y:.2f}} %<extra></extra>",
            name=f"{label}, experiment",
            legendgroup=label,
        )
        for form, (sentence, dash) in FORMS.items():
            figure.add_scatter(
                x=sizes,
                y=100 * getattr(expected, form)[order, place],
                mode="lines",
                line={"color": colour, "width": 1.8, "dash": dash},
                hovertemplate=f"{sentence}, {label}: %{{x}} topics, %{{y:.2f}} %<extra></extra>",
                name=sentence,  # lines differ by dash and colours by bin: the legend names each once
                showlegend=position == 0,
                legendgroup=label,
            )
    figure.update_yaxes(range=[0, highest(counted.error_rates[:, list(bins)])])
    figure.update_layout(
        showlegend=True,
        legend={"x": 1.01, "xanchor": "left", "y": 1, "font": {"size": 12}, "groupclick": "toggleitem"},
    )
    return figure


def error_rate_map(
    sizes: Floats,  # (k,)
    differences: Floats,  # (l,)
    rates: Floats,  # (l, k)
    *,
    n_topics: int,
    difference: float,
    error: float,
    tolerated: float,
    n_topics_of_matrix: int,
    measure: str,
    mode: Mode,
) -> Drawing:
    """Draw error rates as shades, with the line of the tolerated rate."""
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title="Error rate by difference and topics (log scale of topics)",
        x_title="topics on which the difference is observed",
        y_title=f"observed difference ({measure})",
        height=460,
    )
    figure.add_heatmap(
        x=sizes,
        y=differences,
        z=(100 * rates).astype(np.float32),
        zmin=0,
        zmax=50,
        colorscale=[
            (place / len(palette.ramp), colour) for place, colour in enumerate((palette.grid, *palette.ramp))
        ],
        colorbar={
            "title": {"text": Y_TITLE, "side": "right"},
            "thickness": 14,
            "outlinewidth": 0,
            "tickfont": {"size": 12, "color": palette.text},
        },
        hovertemplate="%{x:.0f} topics, difference %{y:.3f}: %{z:.2f} %<extra></extra>",
        name="error rate",
    )
    figure.add_contour(
        x=sizes,
        y=differences,
        z=100 * rates,
        contours={"start": 100 * tolerated, "end": 100 * tolerated, "size": 1, "coloring": "none"},
        line={"color": palette.accent, "width": 2.4},
        showscale=False,
        hoverinfo="skip",
        name=f"{100 * tolerated:g} %",
    )
    _add_reach(figure, n_topics_of_matrix, palette.text)
    figure.add_scatter(
        x=[n_topics],
        y=[difference],
        mode="markers",
        marker=ring_marker(palette),
        hovertemplate=f"yours: {n_topics:,} topics, difference {difference:g}: {100 * error:.2f} %<extra></extra>",
        cliponaxis=False,
        name="yours",
    )
    ticks = [tick for tick in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if tick <= sizes[-1]]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks], showgrid=False)
    figure.update_yaxes(showgrid=False)
    return figure


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


TITLES = {
    "n_topics": ("Error rate against topics", "topics of each experiment"),
    "difference": ("Error rate against the true difference", "true difference ({measure})"),
    "difference_variance": ("Error rate against the variance", "variance of the difference ({measure}²)"),
}
"""Title and axis of each factor."""


def error_by_factor(curve: FactorCurve, *, value: float, error: float, measure: str, mode: Mode) -> Drawing:
    """Draw one factor's curve."""
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
    sentence = f"{100 * error:.3g} %"
    ring(
        figure, mode, x=value, y=100 * error, text=sentence, hover=f"yours: {value:g}, {sentence}", above=True
    )
    figure.update_yaxes(range=[0, 54])
    return figure
