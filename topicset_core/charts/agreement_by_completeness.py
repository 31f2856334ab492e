"""Do measures see the same in training? Spearman's rho at each level: figure 3 of He et al. 2008."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.analyses.training_sensitivity import Agreement
from topicset_core.charts.completeness_axis import TITLE, band, colours_of, completeness_axis, name_lines
from topicset_core.charts.style import Mode, literal, new_figure


def agreement_by_completeness(
    points: Sequence[Agreement], *, reference: str, yours: str, mode: Mode
) -> go.Figure:
    """Draw a line for each measure, with the range over samples.

    Parameters
    ----------
    points : sequence of Agreement
        At least one of them defined; those that are not are left out.
    reference : str
        The measure agreed with.
    yours : str
        The measure that is recommended.
    mode : {"light", "dark", "print"}
        Colours.
    """
    figure = new_figure(
        mode,
        title=f"Do measures order settings as {reference} does? Mean and range",
        x_title=TITLE,
        y_title=f"Spearman's ρ with {reference} over settings",
        height=400,
    )
    measures = list(dict.fromkeys(point.measure for point in points))
    colours = colours_of([reference, *measures], yours, mode)
    ends, bounds, levels = [], [1.0], []
    for measure in measures:
        known = [
            (one.level, one.rho, one.lowest, one.highest)
            for one in sorted(points, key=lambda one: one.level)
            if one.measure == measure
            and one.rho is not None
            and one.lowest is not None
            and one.highest is not None
        ]
        if not known:
            continue
        x, mean, low, high = (list(values) for values in zip(*known, strict=True))
        band(figure, x, low, high, colours[measure])
        figure.add_scatter(
            x=x,
            y=mean,
            mode="lines+markers",
            line={"color": colours[measure], "width": 3 if measure == yours else 1.8},
            marker={"color": colours[measure], "size": 7},
            hovertemplate=f"{literal(measure)}, %{{x:g}} %: ρ = %{{y:.3f}}<extra></extra>",
            name=measure,
        )
        ends.append((measure, mean[-1], colours[measure]))
        bounds += low
        levels += x
    completeness_axis(figure, levels)
    name_lines(figure, ends, low=min(bounds), high=max(bounds))
    return figure
