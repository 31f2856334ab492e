"""What changes with completeness: effectiveness (figure 2 of He et al. 2008), agreement (figure 3), and costs.

Completeness is in percent of the judgments, on a log scale, as low levels are where things happen.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

import numpy as np

from topicset_core.analyses.training_sensitivity.answer import Gain
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    documents_text,
    plannable,
)
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.surfaces import Agreement
from topicset_core.analyses.training_sensitivity.tables import CurvePoint
from topicset_core.charts.labels import spread
from topicset_core.charts.style import PALETTES, PANEL_NAMES, Mode, literal, make_room, new_figure
from topicset_core.exports.drawing import Drawing

TITLE = "judgments that stay, % (log scale)"
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_RIGHT = 110  # pixels next to the picture, for names at the ends of lines
_GAP = 0.055  # least distance of two names, as a share of the height
_MARGIN = 0.06
_BETWEEN = 0.04  # of two panels, as a share of the width
_FAINT = 0.14  # how much of its colour a band has
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
_POWERS = 13  # of ten: more judgments are not useful


def gains_by_completeness(
    gains: Mapping[str, Sequence[tuple[float, Gain]]],
    *,
    evaluated_by: str,
    reference: str,
    worthwhile: float,
    mode: Mode,
) -> Drawing:
    """Draw a panel for each alternative: what training by it gains over the reference, with one 95 % band.

    Gains that are not worthwhile are shaded.
    """
    palette = PALETTES[mode]
    figure = new_figure(
        mode,
        title=f"Gain over training by {reference} (95 %; grey: below {worthwhile:g})",
        x_title="judgments, %",
        y_title=f"gain in test {evaluated_by}",
        height=360,
    )
    make_room(figure, PANEL_NAMES)
    common = [figure.layout[axis] | {} for axis in ("xaxis", "yaxis")]
    y_title = common[1]["title"]
    n = len(gains)
    width = (1 - _BETWEEN * (n - 1)) / n
    values = [value for rows in gains.values() for _, one in rows for value in (one.low, one.high)]
    low, high = min(*values, -worthwhile), max(*values, worthwhile)
    margin = _MARGIN * (high - low)
    for place, (name, rows) in enumerate(gains.items()):
        end = "" if place == 0 else str(place + 1)
        start = place * (width + _BETWEEN)
        levels = [level for level, _ in rows]
        own: tuple[dict[str, Any], ...] = (
            {
                "domain": [start, start + width],
                "anchor": f"y{end}",
                "type": "log",
                "range": [np.log10(min(levels)) - 0.06, 2.06],
                "tickvals": [tick for tick in (1, 10, 100) if tick >= min(levels)],
            },
            {
                "anchor": f"x{end}",
                "range": [low - margin, high + margin],
                "zeroline": True,
                "zerolinecolor": palette.text,
                "zerolinewidth": 1,
                "showticklabels": place == 0,
                "title": y_title if place == 0 else None,
                "tickformat": "+.3~f",
            },
        )
        for axis, looks, changed in zip(("xaxis", "yaxis"), common, own, strict=True):
            figure.update_layout(**{f"{axis}{end}": looks | changed})
        axes: dict[str, Any] = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
        figure.add_shape(
            type="rect",
            xref=f"x{end} domain",
            yref=f"y{end}",
            x0=0,
            x1=1,
            y0=-worthwhile,
            y1=worthwhile,
            fillcolor=palette.grid,
            opacity=0.6,
            layer="below",
            line={"width": 0},
        )
        _band(
            figure, levels, [one.low for _, one in rows], [one.high for _, one in rows], palette.accent, axes
        )
        figure.add_scatter(
            x=levels,
            y=[one.difference for _, one in rows],
            mode="lines+markers",
            line={"color": palette.accent, "width": 2.5},
            marker={"color": palette.accent, "size": 6},
            hovertext=[literal(_gain_text(level, one)) for level, one in rows],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
            **axes,
        )
        figure.add_annotation(
            text=f"<b>by {literal(name)}</b>",
            x=start,
            xref="paper",
            y=1,
            yref="paper",
            xanchor="left",
            yanchor="bottom",
            showarrow=False,
            font={"size": 13},
        )
    return figure


def effectiveness_by_completeness(
    points: Sequence[CurvePoint], *, complete: Mapping[str, float], mode: Mode
) -> Drawing:
    """Draw a line for each training measure: figure 2 of the paper."""
    measures = list(complete)
    evaluated_by = points[0].evaluated_by
    figure = new_figure(
        mode,
        title=f"Test {evaluated_by} by training measure",
        x_title=TITLE,
        y_title=f"mean {evaluated_by} on the test topics",
        height=400,
    )
    colours = _colours_of(measures, "", mode)
    for place, name in enumerate(measures):
        of_line = sorted((p for p in points if p.trained_by == name), key=lambda p: p.level)
        drawn = [(p.level, p.mean, _point_text(p, measures[0])) for p in of_line]
        if of_line[-1].level != COMPLETE:
            drawn.append((COMPLETE, complete[name], f"{name}, all judgments: {complete[name]:.4f}"))
        figure.add_scatter(
            x=[x for x, _, _ in drawn],
            y=[y for _, y, _ in drawn],
            mode="lines+markers",
            line={"color": colours[name], "width": 1.8, "dash": _DASHES[place % len(_DASHES)]},
            marker={"color": colours[name], "size": 7, "symbol": _SYMBOLS[place % len(_SYMBOLS)]},
            hovertext=[literal(text) for _, _, text in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    _completeness_axis(figure, [point.level for point in points])
    bounds = [point.mean for point in points] + list(complete.values())
    ends = [(f"by {name}", complete[name], colours[name]) for name in measures]
    _name_lines(figure, ends, low=min(bounds), high=max(bounds))
    return figure


def agreement_by_completeness(
    points: Sequence[Agreement], *, reference: str, yours: str, mode: Mode
) -> Drawing:
    """Draw a line for each measure, with the range over samples."""
    figure = new_figure(
        mode,
        title=f"Agreement of measures with {reference} on the order of settings: mean and range",
        x_title=TITLE,
        y_title=f"Spearman's ρ with {reference} over settings",
        height=400,
    )
    measures = list(dict.fromkeys(point.measure for point in points))
    colours = _colours_of([reference, *measures], yours, mode)
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
        _band(figure, x, low, high, colours[measure])
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
    _completeness_axis(figure, levels)
    _name_lines(figure, ends, low=min(bounds), high=max(bounds))
    return figure


def judgments_by_completeness(
    designs: Sequence[CompletenessDesign], *, difference: float, yours: str, mode: Mode
) -> Drawing:
    """Draw a line for each measure, its cheapest design as a larger diamond."""
    figure = new_figure(
        mode,
        title=f"Judgments to detect a difference of {difference:g} (◆ cheapest, ○ too noisy to plan with)",
        x_title=TITLE,
        y_title="total judgments (log scale)",
        height=400,
    )
    measures = list(dict.fromkeys(one.measure for one in designs))
    colours = _colours_of(measures, yours, mode)
    ends, levels, totals = [], [], []
    for measure in measures:
        answer = sorted(
            (one for one in designs if one.measure == measure and one.total_judgments),
            key=lambda one: one.level,
        )
        if not answer:
            continue
        least, known = cheapest(designs, measure), plannable(designs, measure)
        values = [float(one.total_judgments or 0) for one in answer]
        figure.add_scatter(
            x=[one.level for one in answer],
            y=values,
            mode="lines+markers",
            line={"color": colours[measure], "width": 3 if measure == yours else 1.8},
            marker={
                "color": colours[measure],
                "size": [13 if one is least else 6 for one in answer],
                "symbol": [
                    "diamond" if one is least else "circle" if one in known else "circle-open"
                    for one in answer
                ],
            },
            hovertext=[_design_text(one) for one in answer],
            hovertemplate="%{hovertext}<extra></extra>",
            name=measure,
        )
        ends.append((measure, log10(values[-1]), colours[measure]))
        levels += [one.level for one in answer]
        totals += values
    _completeness_axis(figure, levels)
    _name_lines(figure, ends, low=log10(min(totals)), high=log10(max(totals)), log_y=True)
    ticks = [step * 10**power for power in range(_POWERS) for step in (1, 2, 5)]
    figure.update_yaxes(tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
    return figure


def _completeness_axis(figure: Drawing, levels: Sequence[float]) -> None:
    """Make the x axis that of completeness, up to all judgments."""
    low = np.log10(min(levels))
    figure.update_xaxes(
        type="log",
        range=[low - 0.03 * (2 - low) - 0.01, 2.01],
        tickvals=_TICKS,
        ticktext=[f"{tick:g}" for tick in _TICKS],
    )
    figure.update_layout(margin={"r": _RIGHT})


def _colours_of(measures: Sequence[str], yours: str, mode: Mode) -> dict[str, str]:
    """Return a colour for each measure: the accent for the one that is recommended, text for the reference."""
    palette = PALETTES[mode]
    # Without the second, which is close to the accent.
    series = [colour for place, colour in enumerate(palette.series) if place != 1]
    result = {name: series[(place - 1) % len(series)] for place, name in enumerate(measures)}
    result[measures[0]] = palette.text
    return result | ({yours: palette.accent} if yours else {})


def _band(
    figure: Drawing,
    x: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    colour: str,
    axes: Mapping[str, Any] | None = None,
) -> None:
    """Shade what lies between two lines."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    figure.add_scatter(
        x=[*x, *reversed(x)],
        y=[*low, *reversed(high)],
        mode="lines",
        line={"color": colour, "width": 0},
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},{_FAINT})",
        hoverinfo="skip",
        name="interval",
        **(axes or {}),
    )


def _name_lines(
    figure: Drawing, ends: Sequence[tuple[str, float, str]], *, low: float, high: float, log_y: bool = False
) -> None:
    """Write names at the right end of lines, in their colours and moved apart, and set the y axis."""
    height = (high - low) or 1.0
    order = sorted(ends, key=lambda end: end[1])
    for (name, _, colour), y in zip(order, spread([end[1] for end in order], _GAP * height), strict=True):
        figure.add_annotation(
            x=1,
            xref="paper",
            y=y,
            text=literal(name),
            showarrow=False,
            xanchor="left",
            xshift=6,
            font={"color": colour, "size": 12},
        )
    edges = [low - _MARGIN * height, high + _MARGIN * height]
    figure.update_yaxes(range=edges, type="log" if log_y else "linear")


def _gain_text(level: float, one: Gain) -> str:
    return (
        f"{level:g} % of the judgments, trained by {one.measure}: {one.difference:+z.4f} "
        f"({one.low:+z.4f} to {one.high:+z.4f}), better in {one.n_better} of {one.n_tasks} trainings"
    )


def _point_text(point: CurvePoint, reference: str) -> str:
    text = f"{point.level:g} % of the judgments, trained by {point.trained_by}: {point.mean:.4f} "
    text += f"({point.low:.4f} to {point.high:.4f})"
    if point.trained_by != reference:
        text += f", {point.difference:+z.4f} (p = {point.p_value:.2g})"
    return text


def _design_text(one: CompletenessDesign) -> str:
    between = one.likely_judgments
    interval = "" if between is None else f" (95 %: {between[0]:,} to {between[1]:,})"
    return literal(
        f"{one.measure}, {one.level:g} %: {one.topics_to_judge:,} topics × about {documents_text(one)} documents = "
        f"{one.total_judgments:,} judgments{interval}"
    )
