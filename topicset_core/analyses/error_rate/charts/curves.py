"""How often two sets of topics contradict each other: a curve for each bin of the difference."""

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import N_BINS, Floats, bin_label
from topicset_core.charts.style import PALETTES, Mode, Palette, end_label, new_figure

_LABELLED = (0, 1, 2, 3, 4, 6, 9)
"""Bins that get a stronger line and, where there is room at its end, a label."""

_LABEL_HEIGHT = 2.4  # in units of the axis

Y_TITLE = "wrong in 100 comparisons"


def error_rate_curves(
    counted: ErrorRates, *, expected: Theory | None = None, tolerated: float | None = None, mode: Mode
) -> go.Figure:
    """Draw error rates against the topics in a set, from small differences (pale) to large ones (strong).

    Parameters
    ----------
    counted : ErrorRates
        The experiment.
    expected : Theory, optional
        Its conditional form is drawn dashed over the labelled bins.
    tolerated : float, optional
        Error rate to draw as a rule.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    order = np.argsort(counted.cardinalities)
    sizes = np.array(counted.cardinalities)[order]
    drawn = "sets drawn with replacement" if counted.with_replacement else "disjoint sets"
    figure = new_figure(
        mode,
        title=f"Reversed by other topics, by difference in {counted.measure} ({drawn}, "
        f"{counted.n_trials:,} trials)",
        x_title="topics in each of the two sets",
        y_title=Y_TITLE,
        height=480,
    )
    lowest = np.inf  # label so far; bins come from the top, from small differences to large ones
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
            end_label(figure, mode, x=float(sizes[end]), y=float(rates[end]), text=text, is_yours=False)
    said = ["— experiment"]
    if expected is not None:
        _add_theory(figure, expected, palette)
        said.append("- - theory")
    if tolerated is not None:
        figure.add_hline(y=100 * tolerated, line={"color": palette.accent, "width": 1.4, "dash": "dot"})
        said.append(f'<span style="color:{palette.accent}">··· tolerated: {100 * tolerated:g} %</span>')
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1,
        yref="paper",
        text="   ".join(said),
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12, "color": palette.text},
    )
    figure.update_xaxes(range=[max(float(sizes[0]) - 1, 0), float(sizes[-1]) + 0.2])
    figure.update_yaxes(range=[0, highest(counted.error_rates)])
    figure.update_layout(margin_r=150)
    return figure


def highest(rates: Floats) -> float:
    """Return where the axis ends: a little above one half, and above what few pairs happened to show."""
    shown = rates[np.isfinite(rates)]
    return max(54.0, 104 * float(shown.max())) if shown.size else 54.0


def shade(palette: Palette, place: int) -> str:
    """Return the colour of a bin: steps of one hue, between those of the palette's ramp for lines."""
    ramp = palette.ramp_for_lines
    where = place / N_BINS * (len(ramp) - 1)
    low = min(int(where), len(ramp) - 2)
    parts = zip(_channels(ramp[low]), _channels(ramp[low + 1]), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * (where - low)):02X}" for a, b in parts)


def _add_theory(figure: go.Figure, expected: Theory, palette: Palette) -> None:
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
