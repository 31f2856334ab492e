"""What training sees, two measures side by side: surfaces with the settings chosen, and the scatter (figure 1)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.training_sensitivity.experiment import Floats
from topicset_core.analyses.training_sensitivity.surfaces import Surface, spearman
from topicset_core.charts.style import DOMAINS, PALETTES, Mode, axes_of, literal, new_figure, side_by_side
from topicset_core.exports.drawing import Drawing

_DOT = "●"
_SMALLEST, _GROWTH = 7, 17  # pixels of a point that represents one choice, and more for all of them


def training_surface(surfaces: Sequence[Surface], *, mode: Mode) -> Drawing:
    """Draw a curve over one parameter, shades over two, else the settings in the order of the first measure."""
    first = surfaces[0]
    parameters = first.settings.parameters
    x_title = parameters[0] if parameters else ""
    if len(parameters) not in (1, 2):
        x_title = f"settings, the best by {first.measure} first"
    figure = new_figure(
        mode,
        title=f"{_DOT} chosen on {first.level:g} % of the judgments (larger: more often), ○ on all",
        x_title=x_title,
        y_title=_y_title(first),
        height=440,
    )
    # As the points are: a dot in the colour of the text has no meaning here.
    dot = f'<span style="color:{PALETTES[mode].accent}">{_DOT}</span>'
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
            x, y = _draw_shades(figure, one, axes, mode)
        else:
            x, y = _draw_line(figure, one, order, axes, mode)
        _draw_chosen(figure, one, x, y, axes, mode)
    return figure


def measures_in_training(reference: Surface, other: Surface, *, mode: Mode) -> Drawing:
    """Draw a point for each setting, by all judgments and in one sample."""
    palette = PALETTES[mode]
    y_title = f"mean {other.measure} in training"
    figure = new_figure(
        mode,
        title=f"{other.measure} against {reference.measure} in training, one point per setting",
        x_title=f"mean {reference.measure} in training",
        y_title=y_title,
        height=380,
    )
    panels = (
        (reference.complete, other.complete, "all judgments", palette.series[0]),
        (
            reference.sample,
            other.sample,
            f"{reference.level:g} %, sample 1",
            palette.series[0],
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
    return figure


def _y_title(one: Surface) -> str:
    return (
        one.settings.parameters[1] if len(one.settings.parameters) == 2 else f"mean {one.measure} in training"
    )


def _draw_line(
    figure: Drawing, one: Surface, order: Any, axes: dict[str, Any], mode: Mode
) -> tuple[list[Any], list[Any]]:
    """Draw scores by all judgments; return the place of each setting."""
    palette = PALETTES[mode]
    is_curve = len(one.settings.parameters) == 1
    if is_curve:
        order = np.argsort(one.settings.values[:, 0], kind="stable")
    x = np.empty(order.size)
    x[order] = one.settings.values[order, 0] if is_curve else np.arange(1, order.size + 1)
    figure.add_scatter(
        x=x[order].tolist(),
        y=one.complete[order].tolist(),
        mode="lines",
        line={"color": palette.series[0], "width": 2},
        hovertext=[
            literal(f"{one.settings.text(place)}: {one.complete[place]:.4f}") for place in order.tolist()
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name=f"{one.measure} on all judgments",
        **axes,
    )
    return x.tolist(), one.complete.tolist()


def _draw_shades(
    figure: Drawing, one: Surface, axes: dict[str, Any], mode: Mode
) -> tuple[list[Any], list[Any]]:
    """Draw a cell for each setting; return the place of each: columns and rows by their numbers."""
    palette = PALETTES[mode]
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
    ramp = (palette.grid, *palette.ramp)
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
            "tickfont": {"size": 11, "color": palette.text},
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


def _draw_chosen(
    figure: Drawing, one: Surface, x: list[Any], y: list[Any], axes: dict[str, Any], mode: Mode
) -> None:
    palette = PALETTES[mode]
    chosen = np.flatnonzero(one.times_chosen).tolist()
    figure.add_scatter(
        x=[x[place] for place in chosen],
        y=[y[place] for place in chosen],
        mode="markers",
        marker={
            "color": palette.accent,
            "size": [_SMALLEST + _GROWTH * float(one.times_chosen[at]) / one.n_samples for at in chosen],
            "opacity": 0.85,
            "line": {"width": 1, "color": palette.page},
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
    halo = ((palette.page, 5),) if len(one.settings.parameters) == 2 else ()
    for colour, width in (*halo, (palette.text, 2)):
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
