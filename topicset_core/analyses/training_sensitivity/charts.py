"""The figures: what changes with completeness, and what training sees (figures 1 to 3 of He et al. 2008).

Completeness is in percent of the judgments, on a log scale, as low levels are where things happen.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

import numpy as np

from topicset_core.analyses.training_sensitivity.answer import Answer, Gain, gains_by_level
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    documents_text,
    plannable,
)
from topicset_core.analyses.training_sensitivity.experiment import Floats
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.tables import CurvePoint, Surface, spearman, surface
from topicset_core.charts.labels import spread
from topicset_core.charts.style import (
    DOMAINS,
    PANEL_NAMES,
    axes_of,
    literal,
    make_room,
    new_figure,
    side_by_side,
)
from topicset_core.exports.colours import ACCENT, GRID, PAGE, RAMP, SERIES, TEXT, faint, in_colour
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.figures import Figure

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
_DOT = "●"
_SMALLEST, _GROWTH = 7, 17  # pixels of a point that represents one choice, and more for all of them


@dataclass(frozen=True, kw_only=True)
class View:
    """The selection that the figures show in detail."""

    evaluated_by: str  # measure on the test topics, for the curves of effectiveness
    # Task and alternative whose training surface is drawn next to the reference's
    task: str
    measure: str
    level: float  # percent of the judgments for which settings chosen are drawn


def gains_by_completeness(
    answer: Answer,
    evaluated_by: str,
) -> Figure:
    """Draw a panel for each alternative: what training by it gains over the reference, with one 95 % band.

    Gains that are not worthwhile are shaded.
    """
    gains = gains_by_level(answer.sensitivity, evaluated_by)
    worthwhile = answer.worthwhile
    figure = new_figure(
        title=f"Gain over training by {answer.sensitivity.reference} (95 %; grey: below {worthwhile:g})",
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
                "zerolinecolor": TEXT,
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
            fillcolor=GRID,
            opacity=0.6,
            layer="below",
            line={"width": 0},
        )
        _band(figure, levels, [one.low for _, one in rows], [one.high for _, one in rows], ACCENT, axes)
        figure.add_scatter(
            x=levels,
            y=[one.difference for _, one in rows],
            mode="lines+markers",
            line={"color": ACCENT, "width": 2.5},
            marker={"color": ACCENT, "size": 6},
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
    return Figure("gains", figure, answer.recommendation.sentence)


def effectiveness_by_completeness(
    answer: Answer,
    evaluated_by: str,
) -> Figure:
    """Draw figure 2 of the paper: by the reference a line for each measure, by another one it and the reference."""
    points = [one for one in answer.curves if not one.task and one.evaluated_by == evaluated_by]
    trained = {one.trained_by for one in points}
    complete = {
        name: score for name, score in answer.paper.complete_means(evaluated_by).items() if name in trained
    }
    measures = list(complete)
    figure = new_figure(
        title=f"Test {evaluated_by} by training measure",
        x_title=TITLE,
        y_title=f"mean {evaluated_by} on the test topics",
        height=400,
    )
    colours = _colours_of(measures, "")
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
    alt = f"Mean {evaluated_by} on the test topics against completeness, by training measure."
    return Figure("effectiveness", figure, alt)


def agreement_by_completeness(
    answer: Answer,
) -> Figure:
    """Draw figure 3 of the paper: a line for each measure, with the range over samples."""
    points, reference, yours = answer.agreements, answer.paper.reference, answer.yours
    figure = new_figure(
        title=f"Agreement of measures with {reference} on the order of settings: mean and range",
        x_title=TITLE,
        y_title=f"Spearman's ρ with {reference} over settings",
        height=400,
    )
    measures = list(dict.fromkeys(point.measure for point in points))
    colours = _colours_of([reference, *measures], yours)
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
    alt = f"Rank correlation with {reference} over settings, against completeness."
    return Figure("agreement", figure, alt)


def judgments_by_completeness(
    answer: Answer,
) -> Figure:
    """Draw a line for each measure, its cheapest design as a larger diamond."""
    designs, yours = answer.designs, answer.sensitivity.reference
    figure = new_figure(
        title=f"Judgments to detect a difference of {answer.min_d:g} (◆ cheapest, ○ too noisy to plan with)",
        x_title=TITLE,
        y_title="total judgments (log scale)",
        height=400,
    )
    measures = list(dict.fromkeys(one.measure for one in designs))
    colours = _colours_of(measures, yours)
    ends, levels, totals = [], [], []
    for measure in measures:
        drawn = sorted(
            (one for one in designs if one.measure == measure and one.total_judgments),
            key=lambda one: one.level,
        )
        if not drawn:
            continue
        least, known = cheapest(designs, measure), plannable(designs, measure)
        values = [float(one.total_judgments or 0) for one in drawn]
        figure.add_scatter(
            x=[one.level for one in drawn],
            y=values,
            mode="lines+markers",
            line={"color": colours[measure], "width": 3 if measure == yours else 1.8},
            marker={
                "color": colours[measure],
                "size": [13 if one is least else 6 for one in drawn],
                "symbol": [
                    "diamond" if one is least else "circle" if one in known else "circle-open"
                    for one in drawn
                ],
            },
            hovertext=[_design_text(one) for one in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
            name=measure,
        )
        ends.append((measure, log10(values[-1]), colours[measure]))
        levels += [one.level for one in drawn]
        totals += values
    _completeness_axis(figure, levels)
    _name_lines(figure, ends, low=log10(min(totals)), high=log10(max(totals)), log_y=True)
    ticks = [step * 10**power for power in range(_POWERS) for step in (1, 2, 5)]
    figure.update_yaxes(tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
    return Figure("judgments", figure, answer.cheapest)


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


def _colours_of(measures: Sequence[str], yours: str) -> dict[str, str]:
    """Return a colour for each measure: the accent for the one that is recommended, text for the reference."""
    # Without the second, which is close to the accent.
    series = [colour for place, colour in enumerate(SERIES) if place != 1]
    result = {name: series[(place - 1) % len(series)] for place, name in enumerate(measures)}
    result[measures[0]] = TEXT
    return result | ({yours: ACCENT} if yours else {})


def _band(
    figure: Drawing,
    x: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    colour: str,
    axes: Mapping[str, Any] | None = None,
) -> None:
    """Shade what lies between two lines."""
    figure.add_scatter(
        x=[*x, *reversed(x)],
        y=[*low, *reversed(high)],
        mode="lines",
        line={"color": colour, "width": 0},
        fill="toself",
        fillcolor=faint(colour, _FAINT),
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


def scores_in_training(
    answer: Answer,
    view: View,
) -> list[Figure]:
    """Draw training scores of the reference and another measure, and their agreement where it is defined."""
    result = answer.paper
    pair = [surface(result, view.task, name, view.level) for name in (result.reference, view.measure)]
    charts = [training_surface(pair), measures_in_training(*pair)]
    if any(one.rho is not None for one in answer.agreements):
        charts.append(agreement_by_completeness(answer))
    return charts


def training_surface(
    surfaces: Sequence[Surface],
) -> Figure:
    """Draw a curve over one parameter, shades over two, else the settings in the order of the first measure."""
    first = surfaces[0]
    parameters = first.settings.parameters
    x_title = parameters[0] if parameters else ""
    if len(parameters) not in (1, 2):
        x_title = f"settings, the best by {first.measure} first"
    figure = new_figure(
        title=f"{_DOT} chosen on {first.level:g} % of the judgments (larger: more often), ○ on all",
        x_title=x_title,
        y_title=_y_title(first),
        height=440,
    )
    # As the points are: a dot in the colour of the text has no meaning here.
    dot = in_colour(_DOT, ACCENT)
    title = figure.layout["title"]
    title["text"] = title["text"].replace(_DOT, dot)
    side_by_side(
        figure,
        y_titles=[_y_title(one) for one in surfaces],
        names=[f"trained by {one.measure}" for one in surfaces],
    )
    order = np.argsort(-first.complete, kind="stable")
    for place, one in enumerate(surfaces):
        axes = axes_of(place)
        if len(parameters) == 2:
            x, y = _draw_shades(figure, one, axes)
        else:
            x, y = _draw_line(figure, one, order, axes)
        _draw_chosen(figure, one, x, y, axes)
    measures = " and ".join(one.measure for one in surfaces)
    alt = f"Training scores of each setting by {measures}, and the chosen settings."
    return Figure("surface", figure, alt)


def measures_in_training(
    reference: Surface,
    other: Surface,
) -> Figure:
    """Draw a point for each setting, by all judgments and in one sample."""
    y_title = f"mean {other.measure} in training"
    figure = new_figure(
        title=f"{other.measure} against {reference.measure} in training, one point per setting",
        x_title=f"mean {reference.measure} in training",
        y_title=y_title,
        height=380,
    )
    panels = (
        (reference.complete, other.complete, "all judgments", SERIES[0]),
        (
            reference.sample,
            other.sample,
            f"{reference.level:g} %, sample 1",
            SERIES[0],
        ),
    )
    names = [f"{name}: ρ {_rho(x, y)}" for x, y, name, _ in panels]
    side_by_side(figure, y_titles=(y_title, y_title), names=names)
    for place, (x, y, name, colour) in enumerate(panels):
        figure.add_scatter(
            x=x.tolist(),
            y=y.tolist(),
            mode="markers",
            marker={"color": colour, "size": 8},
            hovertext=[literal(reference.settings.text(setting)) for setting in range(x.size)],
            hovertemplate=f"%{{hovertext}}: %{{x:.4f}}, %{{y:.4f}}<extra>{literal(name)}</extra>",
            name=name,
            **axes_of(place),
        )
    alt = f"Each setting's {other.measure} against its {reference.measure} in training."
    return Figure("scatter", figure, alt)


def _y_title(one: Surface) -> str:
    return (
        one.settings.parameters[1] if len(one.settings.parameters) == 2 else f"mean {one.measure} in training"
    )


def _draw_line(
    figure: Drawing, one: Surface, order: Any, axes: dict[str, Any]
) -> tuple[list[Any], list[Any]]:
    """Draw scores by all judgments; return the place of each setting."""
    is_curve = len(one.settings.parameters) == 1
    if is_curve:
        order = np.argsort(one.settings.values[:, 0], kind="stable")
    x = np.empty(order.size)
    x[order] = one.settings.values[order, 0] if is_curve else np.arange(1, order.size + 1)
    figure.add_scatter(
        x=x[order].tolist(),
        y=one.complete[order].tolist(),
        mode="lines",
        line={"color": SERIES[0], "width": 2},
        hovertext=[
            literal(f"{one.settings.text(place)}: {one.complete[place]:.4f}") for place in order.tolist()
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name=f"{one.measure} on all judgments",
        **axes,
    )
    return x.tolist(), one.complete.tolist()


def _draw_shades(figure: Drawing, one: Surface, axes: dict[str, Any]) -> tuple[list[Any], list[Any]]:
    """Draw a cell for each setting; return the place of each: columns and rows by their numbers."""
    (columns, x), (rows, y) = (np.unique(values, return_inverse=True) for values in one.settings.values.T)
    shades = np.full((rows.size, columns.size), np.nan)
    shades[y, x] = one.complete
    names = [
        [
            literal(f"{one.settings.parameters[0]} = {c:g}, {one.settings.parameters[1]} = {r:g}")
            for c in columns
        ]
        for r in rows
    ]
    ramp = (GRID, *RAMP)
    place = DOMAINS[0 if axes["xaxis"] == "x" else 1][1]
    figure.add_heatmap(
        x=list(range(columns.size)),
        y=list(range(rows.size)),
        z=shades,
        text=np.array(names),
        hovertemplate="%{text}: %{z:.4f}<extra></extra>",
        colorscale=[(step / (len(ramp) - 1), colour) for step, colour in enumerate(ramp)],
        colorbar={
            "x": place + 0.005,
            "thickness": 10,
            "outlinewidth": 0,
            "tickfont": {"size": 11, "color": TEXT},
        },
        name=one.measure,
        **axes,
    )
    ends = axes["xaxis"][1:], axes["yaxis"][1:]
    for axis, values, end in (("xaxis", columns, ends[0]), ("yaxis", rows, ends[1])):
        shown = range(0, values.size, max(round(values.size / 8), 1))
        ticks = {"tickvals": list(shown), "ticktext": [f"{values[at]:g}" for at in shown]}
        figure.update_layout(**{f"{axis}{end}": ticks})
    return x.tolist(), y.tolist()


def _draw_chosen(figure: Drawing, one: Surface, x: list[Any], y: list[Any], axes: dict[str, Any]) -> None:
    chosen = np.flatnonzero(one.times_chosen).tolist()
    figure.add_scatter(
        x=[x[place] for place in chosen],
        y=[y[place] for place in chosen],
        mode="markers",
        marker={
            "color": ACCENT,
            "size": [_SMALLEST + _GROWTH * float(one.times_chosen[at]) / one.n_samples for at in chosen],
            "opacity": 0.85,
            "line": {"width": 1, "color": PAGE},
        },
        hovertext=[
            literal(
                f"{one.settings.text(at)}: chosen by {one.measure} in {one.times_chosen[at]} of {one.n_samples}"
            )
            for at in chosen
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        cliponaxis=False,
        name=f"chosen by {one.measure}",
        **axes,
    )
    # A ring within a ring of the page's colour can be seen on any shade.
    halo = ((PAGE, 5),) if len(one.settings.parameters) == 2 else ()
    for colour, width in (*halo, (TEXT, 2)):
        figure.add_scatter(
            x=[x[one.chosen]],
            y=[y[one.chosen]],
            mode="markers",
            marker={
                "symbol": "circle-open",
                "size": 20,
                "color": colour,
                "line": {"width": width, "color": colour},
            },
            hovertext=[literal(f"{one.settings.text(one.chosen)}: chosen by {one.measure} on all judgments")],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            name=f"best by {one.measure}",
            **axes,
        )


def _rho(first: Floats, second: Floats) -> str:
    rho = spearman(first, second)
    return "undefined" if rho is None else f"= {rho:.2f}"
