"""The figures: what changes with completeness, and what training sees (figures 1 to 3 of He et al. 2008).

Completeness is in percent of the judgments, on a log scale, as low levels are where things happen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from operator import itemgetter
from typing import Any

import numpy as np

from topicset_core.analyses.training_sensitivity.answer import Answer, gains_by_level
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    documents_text,
    plannable,
)
from topicset_core.analyses.training_sensitivity.experiment import Floats
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.analyses.training_sensitivity.tables import Surface, spearman, surface
from topicset_core.charts.chart import PANEL_NAMES, Chart, Panel, panels
from topicset_core.charts.labels import literal
from topicset_core.exports.colours import ACCENT, GRID, PAGE, SERIES, TEXT, faint
from topicset_core.exports.figures import Figure
from topicset_core.exports.tables import Row

TITLE = "judgments that stay, % (log scale)"
_RIGHT = 110  # pixels next to the picture, for names at the ends of lines
_GAP = 0.055  # least distance of two names, as a share of the height
_MARGIN = 0.06
_BETWEEN = 0.04  # of two panels, as a share of the width
_FAINT = 0.14  # how much of its colour a band has
_DASHES = ("solid", "dash", "dot", "dashdot")
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
_SMALLEST, _GROWTH = 7, 17  # pixels of a point that represents one choice, and more for all of them


@dataclass(frozen=True, kw_only=True)
class View:
    """The selection that the figures show in detail."""

    evaluated_by: str  # measure on the test topics, for the curves of effectiveness
    # Task and alternative whose training surface is drawn next to the reference's
    task: str
    measure: str
    level: float  # percent of the judgments for which settings chosen are drawn


def gains_by_completeness(answer: Answer, evaluated_by: str) -> Figure:
    """Draw a panel for each alternative: what training by it gains over the reference, with a 95 % band."""
    gains = gains_by_level(answer.sensitivity, evaluated_by)
    worthwhile = answer.worthwhile
    chart = Chart(
        f"Gain over training by {answer.sensitivity.reference} (grey: less than {worthwhile:g})",
        "judgments, %",
        f"gain in test {evaluated_by}, 95 % intervals",
        height=360,
    )
    chart.room(top=PANEL_NAMES)
    values = [value for rows in gains.values() for _, gain in rows for value in (gain.low, gain.high)]
    low, high = min(*values, -worthwhile), max(*values, worthwhile)
    margin = _MARGIN * (high - low)
    levels = [level for level, _ in next(iter(gains.values()))]
    across = {
        "type": "log",
        "range": [np.log10(min(levels)) - 0.06, 2.06],
    }
    up: dict[str, Any] = {
        "range": [low - margin, high + margin],
        "zeroline": True,
        "zerolinecolor": TEXT,
        "zerolinewidth": 1,
        "tickformat": "+.3~f",
    }
    shade: dict[str, Any] = {"type": "rect", "fillcolor": GRID, "opacity": 0.6, "layer": "below"}
    shade |= {"line": {"width": 0}, "x0": 0, "x1": 1, "y0": -worthwhile, "y1": worthwhile}
    places = panels(1, len(gains), across=_BETWEEN)
    for (name, rows), panel in zip(gains.items(), places, strict=True):
        end, is_first = panel.end, panel is places[0]
        chart.panel(panel, across, up | ({} if is_first else {"title": None}) | {"showticklabels": is_first})
        chart.add_shape(xref=f"x{end} domain", yref=f"y{end}", **shade)  # gains that are not worthwhile
        ends = [gain.low for _, gain in rows], [gain.high for _, gain in rows]
        look = {"line": {"color": ACCENT}, "fillcolor": faint(ACCENT, _FAINT)}
        chart.band(levels, *ends, "interval", panel=end, **look)
        differences = [gain.difference for _, gain in rows]
        hover = [
            literal(
                f"{level:g} % of the judgments, trained by {name}: {gain.difference:+z.4f} ({gain.interval}), "
                f"better in {gain.trainings} trainings"
            )
            for level, gain in rows
        ]
        chart.line(levels, differences, name, hover, width=2.5, size=6, panel=end)
        chart.name_panel(f"<b>by {literal(name)}</b>", panel)
    return chart.figure("gains", answer.recommendation.sentence)


def effectiveness_by_completeness(answer: Answer, evaluated_by: str) -> Figure:
    """Draw figure 2 of the paper: by the reference a line for each measure, by another one it and the reference."""
    points = [point for point in answer.curves if not point["task"] and point["evaluated_by"] == evaluated_by]
    trained, result = {point["trained_by"] for point in points}, answer.paper
    scores = result.complete_effectiveness[:, result.measures.index(evaluated_by)].mean(axis=0).tolist()
    complete = {name: score for name, score in zip(result.measures, scores, strict=True) if name in trained}
    measures = list(complete)
    chart = _over_completeness(
        f"Test {evaluated_by} by training measure: "
        f"{min(complete.values()):.3f} to {max(complete.values()):.3f} on all judgments",
        f"mean {evaluated_by} on the test topics",
        [point["level"] for point in points],
    )
    colours = _colours_of(measures, "")
    for place, name in enumerate(measures):
        of_line = sorted((p for p in points if p["trained_by"] == name), key=itemgetter("level"))
        drawn = [(p["level"], p["mean"], _point_text(p, measures[0])) for p in of_line]
        if of_line[-1]["level"] != COMPLETE:
            drawn.append((COMPLETE, complete[name], f"{name}, all judgments: {complete[name]:.4f}"))
        chart.line(
            [x for x, _, _ in drawn],
            [y for _, y, _ in drawn],
            name,
            [literal(text) for _, _, text in drawn],
            colour=colours[name],
            width=1.8,
            dash=_DASHES[place % len(_DASHES)],
            size=7,
            marker={"symbol": _SYMBOLS[place % len(_SYMBOLS)]},
        )
    bounds = [point["mean"] for point in points] + list(complete.values())
    ends = [(f"by {name}", complete[name], colours[name]) for name in measures]
    _name_lines(chart, ends, bounds)
    alt = f"Mean {evaluated_by} on the test topics against completeness, by training measure."
    return chart.figure("effectiveness", alt)


def agreement_by_completeness(answer: Answer) -> Figure:
    """Draw figure 3 of the paper: a line for each measure, with the range over samples."""
    reference, measures, yours = answer.paper.reference, answer.paper.alternatives, answer.yours
    points = sorted(
        (point for point in answer.agreements if point["rho"] is not None), key=itemgetter("level")
    )
    chart = _over_completeness(
        f"Agreement of measures with {reference} on the order of settings",
        f"Spearman's ρ with {reference} over settings, mean and range",
        [point["level"] for point in points],
    )
    colours = _colours_of([reference, *measures], yours)
    ends, bounds, of_drawn = [], [1.0], itemgetter("level", "rho", "lowest", "highest")
    for measure in measures:
        rows = [of_drawn(point) for point in points if point["measure"] == measure]
        if not rows:
            continue
        x, mean, low, high = (list(values) for values in zip(*rows, strict=True))
        colour, width = colours[measure], 3 if measure == yours else 1.8
        chart.band(x, low, high, "interval", line={"color": colour}, fillcolor=faint(colour, _FAINT))
        hover = f"{literal(measure)}, %{{x:g}} %: ρ = %{{y:.3f}}"
        chart.line(x, mean, measure, hover, colour=colour, width=width, size=7)
        ends.append((measure, mean[-1], colour))
        bounds += low
    _name_lines(chart, ends, bounds)
    alt = f"Rank correlation with {reference} over settings, against completeness."
    return chart.figure("agreement", alt)


def judgments_by_completeness(answer: Answer) -> Figure:
    """Draw a line for each measure, its cheapest design as a larger diamond."""
    designs, measures = answer.designs, answer.sensitivity.measures
    chart = _over_completeness(
        "Total judgments by measure and completeness",
        "total judgments (log scale)",
        [design.level for design in designs if design.total_judgments],
    )
    chart.log_axis("y")
    colours = _colours_of(measures, measures[0])
    ends, totals = [], []
    for measure in measures:
        drawn = sorted(
            (design for design in designs if design.measure == measure and design.total_judgments),
            key=lambda design: design.level,
        )
        if not drawn:
            continue
        least, known = cheapest(designs, measure), plannable(designs, measure)
        values = [float(design.total_judgments or 0) for design in drawn]
        symbols = [
            "diamond" if design is least else "circle" if design in known else "circle-open"
            for design in drawn
        ]
        chart.line(
            [design.level for design in drawn],
            values,
            measure,
            [_design_text(design) for design in drawn],
            colour=colours[measure],
            width=3 if measure == measures[0] else 1.8,
            size=[13 if design is least else 6 for design in drawn],
            marker={"symbol": symbols},
        )
        ends.append((measure, values[-1], colours[measure]))
        totals += values
    _name_lines(chart, ends, [log10(total) for total in totals])
    chart.key((TEXT, "◆ cheapest"), (TEXT, "○ too noisy to plan with"))
    return chart.figure("judgments", answer.cheapest)


def _over_completeness(title: str, y: str, levels: Sequence[float]) -> Chart:
    """Begin a chart whose x axis is that of completeness, up to all judgments."""
    chart = Chart(title, TITLE, y, height=400)
    low = np.log10(min(levels))
    chart.log_axis("x", range=[low - 0.03 * (2 - low) - 0.01, 2.01])
    chart.room(right=_RIGHT)
    return chart


def _colours_of(measures: Sequence[str], yours: str) -> dict[str, str]:
    """Return a colour for each measure: the accent for the one that is recommended, text for the reference."""
    # Without the second, which is close to the accent.
    series = [colour for place, colour in enumerate(SERIES) if place != 1]
    result = {name: series[(place - 1) % len(series)] for place, name in enumerate(measures)}
    result[measures[0]] = TEXT
    return result | ({yours: ACCENT} if yours else {})


def _name_lines(chart: Chart, ends: Sequence[tuple[str, float, str]], bounds: Sequence[float]) -> None:
    """Write names at the right end of lines, in their colours and moved apart, and set the y axis to its bounds."""
    low, high = min(bounds), max(bounds)
    height = (high - low) or 1.0
    places = [(1.0, y, literal(name), colour) for name, y, colour in ends]
    chart.name_ends(places, height=height, gap=_GAP, xref="paper", xshift=6)
    edges = [low - _MARGIN * height, high + _MARGIN * height]
    chart.axis("y", range=edges)


def _point_text(point: Row, reference: str) -> str:
    text = "{level:g} % of the judgments, trained by {trained_by}: {mean:.4f} ({low:.4f} to {high:.4f})"
    if point["trained_by"] != reference:
        text += ", {difference:+z.4f} (p = {p_value:.2g})"
    return text.format_map(point)


def _design_text(design: CompletenessDesign) -> str:
    between = design.likely_judgments
    interval = "" if between is None else f" (95 %: {between[0]:,} to {between[1]:,})"
    return literal(
        f"{design.measure}, {design.level:g} %: {design.topics_to_judge:,} topics × about "
        f"{documents_text(design)} documents = {design.total_judgments:,} judgments{interval}"
    )


def scores_in_training(answer: Answer, view: View) -> list[Figure]:
    """Draw training scores of the reference and another measure, and their agreement where it is defined."""
    result = answer.paper
    pair = [surface(result, view.task, name, view.level) for name in (result.reference, view.measure)]
    charts = [training_surface(pair), measures_in_training(*pair)]
    if any(point["rho"] is not None for point in answer.agreements):
        charts.append(agreement_by_completeness(answer))
    return charts


def training_surface(surfaces: Sequence[Surface]) -> Figure:
    """Draw a curve over one parameter, shades over two, else the settings in the order of the first measure."""
    first = surfaces[0]
    parameters = first.settings.parameters
    x_title = parameters[0] if parameters else ""
    if len(parameters) not in (1, 2):
        x_title = f"settings, the best by {first.measure} first"
    chart = Chart(
        f"Settings chosen on {first.level:g} % of the judgments, and on all",
        x_title,
        _y_title(first),
        height=440,
    )
    names = [f"trained by {surface.measure}" for surface in surfaces]
    places = _side_by_side(chart, y_titles=[_y_title(surface) for surface in surfaces], names=names)
    order = np.argsort(-first.complete, kind="stable")
    for drawn, panel in zip(surfaces, places, strict=True):
        if len(parameters) == 2:
            x, y = _draw_shades(chart, drawn, panel)
        else:
            x, y = _draw_line(chart, drawn, order, panel)
        _draw_chosen(chart, drawn, x, y, panel)
    chart.key((ACCENT, f"● on {first.level:g} %, larger: more often"), (TEXT, "○ on all"), y=1.06)
    measures = " and ".join(drawn.measure for drawn in surfaces)
    return chart.figure("surface", f"Training scores of each setting by {measures}, and the chosen settings.")


def measures_in_training(reference: Surface, other: Surface) -> Figure:
    """Draw a point for each setting, by all judgments and in one sample."""
    y_title = f"mean {other.measure} in training"
    drawn = (
        (reference.complete, other.complete, "all judgments"),
        (reference.sample, other.sample, f"{reference.level:g} %, sample 1"),
    )
    chart = Chart(
        f"{other.measure} and {reference.measure} over settings in training: ρ {_rho(*drawn[0][:2])}",
        f"mean {reference.measure} in training",
        y_title,
        height=380,
    )
    names = [f"{name}: ρ {_rho(x, y)}" for x, y, name in drawn]
    places = _side_by_side(chart, y_titles=(y_title, y_title), names=names)
    for (x, y, name), panel in zip(drawn, places, strict=True):
        chart.points(
            x.tolist(),
            y.tolist(),
            name,
            f"%{{hovertext}}: %{{x:.4f}}, %{{y:.4f}}<extra>{literal(name)}</extra>",
            colour=SERIES[0],
            size=8,
            hovertext=[literal(reference.settings.text(setting)) for setting in range(x.size)],
            panel=panel.end,
        )
    alt = f"Each setting's {other.measure} against its {reference.measure} in training."
    return chart.figure("scatter", alt)


def _side_by_side(chart: Chart, *, y_titles: Sequence[str], names: Sequence[str]) -> list[Panel]:
    """Give a chart two panels, and name both above; on a phone numbers and a title fit between them."""
    places = panels(1, 2, across=0.2)
    for panel, y_title, name in zip(places, y_titles, names, strict=True):
        chart.panel(panel, {}, {})
        chart.update_layout(**{f"yaxis{panel.end}": {"title": {"text": literal(y_title)}}})
        chart.name_panel(f"<b>{literal(name)}</b>", panel)
    chart.room(top=PANEL_NAMES)
    return places


def _y_title(surface: Surface) -> str:
    parameters = surface.settings.parameters
    return parameters[1] if len(parameters) == 2 else f"mean {surface.measure} in training"


def _draw_line(chart: Chart, surface: Surface, order: Any, panel: Panel) -> tuple[list[Any], list[Any]]:
    """Draw scores by all judgments; return the place of each setting."""
    is_curve = len(surface.settings.parameters) == 1
    if is_curve:
        order = np.argsort(surface.settings.values[:, 0], kind="stable")
    x = np.empty(order.size)
    x[order] = surface.settings.values[order, 0] if is_curve else np.arange(1, order.size + 1)
    hover = [
        literal(f"{surface.settings.text(place)}: {surface.complete[place]:.4f}") for place in order.tolist()
    ]
    y, name = surface.complete[order].tolist(), f"{surface.measure} on all judgments"
    chart.line(x[order].tolist(), y, name, hover, colour=SERIES[0], panel=panel.end)
    return x.tolist(), surface.complete.tolist()


def _draw_shades(chart: Chart, surface: Surface, panel: Panel) -> tuple[list[Any], list[Any]]:
    """Draw a cell for each setting; return the place of each: columns and rows by their numbers."""
    (columns, x), (rows, y) = (np.unique(values, return_inverse=True) for values in surface.settings.values.T)
    shades = np.full((rows.size, columns.size), np.nan)
    shades[y, x] = surface.complete
    across, up = surface.settings.parameters
    names = [[literal(f"{across} = {c:g}, {up} = {r:g}") for c in columns] for r in rows]
    chart.shades(
        shades,
        surface.measure,
        "%{text}: %{z:.4f}",
        x=list(range(columns.size)),
        y=list(range(rows.size)),
        text=np.array(names),
        colorbar={
            "x": panel.wide[1] + 0.005,
            "thickness": 10,
            "outlinewidth": 0,
            "tickfont": {"size": 11, "color": TEXT},
        },
        panel=panel.end,
    )
    for axis, values in (("xaxis", columns), ("yaxis", rows)):
        shown = range(0, values.size, max(round(values.size / 8), 1))
        ticks = {"tickvals": list(shown), "ticktext": [f"{values[at]:g}" for at in shown]}
        chart.update_layout(**{f"{axis}{panel.end}": ticks})
    return x.tolist(), y.tolist()


def _draw_chosen(chart: Chart, surface: Surface, x: list[Any], y: list[Any], panel: Panel) -> None:
    chosen = np.flatnonzero(surface.times_chosen).tolist()
    by, n = f"by {surface.measure}", int(surface.times_chosen.sum())
    chart.points(
        [x[place] for place in chosen],
        [y[place] for place in chosen],
        f"chosen {by}",
        [
            literal(f"{surface.settings.text(at)}: chosen {by} in {surface.times_chosen[at]} of {n}")
            for at in chosen
        ],
        size=[_SMALLEST + _GROWTH * float(surface.times_chosen[at]) / n for at in chosen],
        marker={"opacity": 0.85, "line": {"width": 1, "color": PAGE}},
        cliponaxis=False,
        panel=panel.end,
    )
    # A ring within a ring of the page's colour can be seen on any shade.
    halo = ((PAGE, 5),) if len(surface.settings.parameters) == 2 else ()
    for colour, width in (*halo, (TEXT, 2)):
        chart.points(
            [x[surface.chosen]],
            [y[surface.chosen]],
            f"best {by}",
            [literal(f"{surface.settings.text(surface.chosen)}: chosen {by} on all judgments")],
            colour=colour,
            size=20,
            symbol="circle-open",
            marker={"line": {"width": width, "color": colour}},
            cliponaxis=False,
            panel=panel.end,
        )


def _rho(first: Floats, second: Floats) -> str:
    rho = spearman(first, second)
    return "undefined" if rho is None else f"= {rho:.2f}"
