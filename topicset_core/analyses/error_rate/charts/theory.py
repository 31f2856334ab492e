"""Theory against the experiment in three forms, for a few bins."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.error_rate.charts.curves import Y_TITLE, highest
from topicset_core.analyses.error_rate.experiment import ErrorRates
from topicset_core.analyses.error_rate.theory import Theory
from topicset_core.analyses.error_rate.units import bin_label
from topicset_core.charts.style import PALETTES, Mode, new_figure

BINS = (0, 4, 9)
"""The bins that are drawn: up to .01, around .045, around .095."""

FORMS = {
    "conditional": ("given the observed difference", "dash"),
    "paired": ("Eq. 8, paired variance", "dot"),
    "independent": ("Eq. 8 as printed, independent", "longdashdot"),
}
"""Forms of theory: what they are called, and the dash they are drawn in."""


def theory_against_experiment(
    counted: ErrorRates, expected: Theory, *, bins: Sequence[int] = BINS, mode: Mode
) -> go.Figure:
    """Draw the experiment as points with two standard errors, and each form of theory as a line.

    Parameters
    ----------
    counted, expected : ErrorRates, Theory
        Of the same matrix.
    bins : sequence of int
        Which bins, from 0 to 19; a colour each.
    mode : {"light", "dark", "print"}
        Colours.
    """
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
        for form, (said, dash) in FORMS.items():
            figure.add_scatter(
                x=sizes,
                y=100 * getattr(expected, form)[order, place],
                mode="lines",
                line={"color": colour, "width": 1.8, "dash": dash},
                hovertemplate=f"{said}, {label}: %{{x}} topics, %{{y:.2f}} %<extra></extra>",
                name=said,  # lines differ by dash and colours by bin: the legend names each once
                showlegend=position == 0,
                legendgroup=label,
            )
    figure.update_yaxes(range=[0, highest(counted.error_rates[:, list(bins)])])
    figure.update_layout(
        showlegend=True,
        legend={"x": 1.01, "xanchor": "left", "y": 1, "font": {"size": 12}, "groupclick": "toggleitem"},
    )
    return figure
