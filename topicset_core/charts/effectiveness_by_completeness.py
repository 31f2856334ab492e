"""What training by each measure gives, at each level of completeness: figure 2 of He et al. 2008."""

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.analyses.training_sensitivity import CurvePoint
from topicset_core.charts.completeness_axis import TITLE, band, colours_of, completeness_axis, name_lines
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_SIGNIFICANT = 0.05
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")


def effectiveness_by_completeness(
    points: Sequence[CurvePoint],
    *,
    complete: Mapping[str, float],
    yours: str,
    mode: Mode,
) -> go.Figure:
    """Draw a line for each training measure with its 95 % interval, shaded where the choice matters.

    Parameters
    ----------
    points : sequence of CurvePoint
        Of one task (or the mean of all) and one measure on the test topics; the reference's among them.
    complete : mapping of str to float
        The same with all judgments, by training measure; the reference first.
    yours : str
        The measure that is recommended.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    measures = list(complete)
    evaluated_by = points[0].evaluated_by
    lines = {
        name: sorted((p for p in points if p.trained_by == name), key=lambda p: p.level) for name in measures
    }
    figure = new_figure(
        mode,
        title="By training measure; 95 % intervals; shaded: it matters, p ≤ .05",
        x_title=TITLE,
        y_title=f"mean {evaluated_by} on the test topics",
        height=460,
    )
    levels = [point.level for point in lines[measures[0]]]
    _shade(figure, levels, [p for p in points if p.trained_by != measures[0]], palette.grid)
    colours = colours_of(measures, yours, mode)
    for name, of_line in lines.items():
        band(figure, levels, [p.low for p in of_line], [p.high for p in of_line], colours[name])
    for place, (name, of_line) in enumerate(lines.items()):
        whole = (
            []
            if levels[-1] == 100
            else [(100.0, complete[name], f"{name}, all judgments: {complete[name]:.4f}")]
        )
        drawn = [(p.level, p.mean, _said(p, measures[0])) for p in of_line] + whole
        figure.add_scatter(
            x=[x for x, _, _ in drawn],
            y=[y for _, y, _ in drawn],
            mode="lines+markers",
            line={
                "color": colours[name],
                "width": 3 if name == yours else 1.8,
                "dash": _DASHES[place % len(_DASHES)],
            },
            marker={"color": colours[name], "size": 7, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
            hovertext=[literal(said) for _, _, said in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    completeness_axis(figure, levels)
    bounds = [value for point in points for value in (point.low, point.high)] + list(complete.values())
    ends = [(f"by {name}", complete[name], colours[name]) for name in measures]
    name_lines(figure, ends, low=min(bounds), high=max(bounds))
    return figure


def where_it_matters(
    levels: Sequence[float], alternatives: Sequence[CurvePoint]
) -> list[tuple[float, float]]:
    """Return the ranges of levels at which training by some measure differs significantly from the reference.

    A level's range ends half-way to its neighbours, on the log scale.
    """
    significant = {point.level for point in alternatives if point.p_value <= _SIGNIFICANT}
    logs = np.log10(levels)
    halves = (logs[1:] + logs[:-1]) / 2
    edges = 10 ** np.concatenate([logs[:1], halves, logs[-1:]])
    ranges: list[tuple[float, float]] = []
    for place, level in enumerate(levels):
        if level not in significant:
            continue
        low, high = float(edges[place]), float(edges[place + 1])
        if ranges and ranges[-1][1] == low:
            low = ranges.pop()[0]
        ranges.append((low, high))
    return ranges


def _shade(
    figure: go.Figure, levels: Sequence[float], alternatives: Sequence[CurvePoint], colour: str
) -> None:
    for low, high in where_it_matters(levels, alternatives):
        figure.add_vrect(x0=low, x1=high, fillcolor=colour, opacity=0.55, layer="below", line_width=0)


def _said(point: CurvePoint, reference: str) -> str:
    said = f"{point.level:g} % of the judgments, trained by {point.trained_by}: {point.mean:.4f} "
    said += f"({point.low:.4f} to {point.high:.4f})"
    if point.trained_by != reference:
        said += f", {point.difference:+.4f} (p = {point.p_value:.2g})"
    return said
