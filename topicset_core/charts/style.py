"""How every figure looks: one template for the light theme, the dark theme and print.

One accent colour means "yours" (the user's point, the user's curve); everything else is quiet.
Text is never lighter than WCAG AA asks for on its background.
"""

import html
import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from topicset_core.exports.colours import ACCENT, BACKGROUND, GRID, PAGE, QUIET, SERIES, TEXT, in_colour
from topicset_core.exports.drawing import Drawing

FONT = '"Source Sans", "Source Sans Pro", Helvetica, Arial, sans-serif'


def literal(text: str) -> str:
    """Return text that Plotly shows as it is: names may look like its markup, or like places in its templates."""
    return html.escape(text, quote=False).replace("%{", "%&#123;")


_LONGEST_TITLE = 52  # characters in a line: what a phone shows
_LINE = 19  # pixels of a line of a title


def new_figure(*, x_title: str, y_title: str, title: str, height: int = 420) -> Drawing:
    """Return an empty figure in the house style; both axis titles must carry their units.

    Titles are shown literally: the name of a measure in them may look like markup, which Plotly reads. A long title
    is in several lines.
    """
    lines = textwrap.wrap(title, _LONGEST_TITLE) or [""]
    more = _LINE * (len(lines) - 1)
    title, x_title, y_title = "<br>".join(map(literal, lines)), literal(x_title), literal(y_title)
    axis: dict[str, Any] = {
        "gridcolor": GRID,
        "linecolor": QUIET,
        "tickcolor": QUIET,
        "ticks": "outside",
        "ticklen": 4,
        "showline": True,
        "zeroline": False,
        "tickfont": {"size": 12, "color": TEXT},
        "automargin": True,
    }
    axis_title: dict[str, Any] = {"font": {"size": 14, "color": TEXT}, "standoff": 10}
    layout = {
        "font": {"family": FONT, "color": TEXT, "size": 13},
        "title": {
            "text": title,
            "x": 0,
            "xref": "container",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 14},
            "font": {"size": 15, "color": TEXT},
        },
        "colorway": list(SERIES),
        "paper_bgcolor": BACKGROUND,
        "plot_bgcolor": BACKGROUND,
        "height": height + more,
        "margin": {"l": 12, "r": 24, "t": 48 + more, "b": 12},
        "showlegend": False,
        "hoverlabel": {"font": {"family": FONT, "size": 13}},
        "hovermode": "closest",
        "xaxis": axis | {"title": axis_title | {"text": x_title}},
        "yaxis": axis | {"title": axis_title | {"text": y_title}},
    }
    return Drawing(layout)


def ring_marker() -> dict[str, Any]:
    """Return the ring that marks the user's point."""
    return {
        "symbol": "circle-open",
        "size": 14,
        "color": ACCENT,
        "line": {"width": 3, "color": ACCENT},
    }


def legend_below(figure: Drawing) -> None:
    """Show a legend below the axis, one that explains and does not hide clicked lines."""
    figure.update_layout(
        showlegend=True,
        legend={
            "orientation": "h",
            "y": -0.16,
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )


def key_above(figure: Drawing, *entries: tuple[str, str]) -> None:
    """Explain colours at the right, above the plot."""
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1,
        yref="paper",
        text="   ".join(in_colour(text, colour) for colour, text in entries),
        showarrow=False,
        xanchor="right",
        yanchor="bottom",
        font={"size": 12},
    )


def ring(
    figure: Drawing,
    *,
    x: float,
    y: float,
    text: str,
    hover: str,
    log_x: bool = False,
    log_y: bool = False,
    above: bool = False,
) -> None:
    """Mark the user's point: a ring in the accent colour with a short label next to it.

    The label is below to the right, where rising lines leave room, or `above` for falling ones.
    """
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker=ring_marker(),
        hovertemplate=hover + "<extra></extra>",
        cliponaxis=False,
        name="yours",
    )
    figure.add_annotation(
        x=math.log10(x) if log_x else x,
        y=math.log10(y) if log_y else y,  # where Plotly wants annotations on a log axis
        text=f"<b>{text}</b>",
        showarrow=False,
        xanchor="left",
        xshift=12,
        yshift=14 if above else -12,
        bgcolor=PAGE,
        borderpad=1,
        font={"color": ACCENT, "size": 14},
    )


def annotate(figure: Drawing, notes: Iterable[dict[str, Any]]) -> None:
    """Add annotations."""
    for note in notes:
        figure.add_annotation(**note)


def end_label(*, x: float, y: float, text: str, is_yours: bool) -> dict[str, Any]:
    """Return a line's name at its end, so that no legend is needed; `x`, `y` in axis coordinates."""
    return {
        "x": x,
        "y": y,
        "text": text,
        "showarrow": False,
        "xanchor": "left",
        "xshift": 5,
        "font": {"color": ACCENT if is_yours else TEXT, "size": 12},
    }


DOMAINS = ((0.0, 0.4), (0.6, 1.0))
"""Places of the panels, as shares of the width; on a phone numbers and a title fit between them."""

PANEL_NAMES = 20
"""Pixels of names of panels below the title."""


def make_room(figure: Drawing, pixels: int) -> None:
    """Add pixels to the margin between the title and the panels."""
    figure.layout["margin"]["t"] += pixels


def axes_of(panel: int) -> dict[str, Any]:
    """Return the axes of a panel, 0 or 1, as traces take them."""
    return {"xaxis": "x2", "yaxis": "y2"} if panel else {"xaxis": "x", "yaxis": "y"}


def grid(
    rows: int, columns: int, *, across: float = 0.0, down: float = 0.0
) -> list[tuple[str, list[float], list[float]]]:
    """Return the ending of the axes' names, the width and the height of each panel, row by row from the top."""
    width = (1 - across * (columns - 1)) / columns
    height = (1 - down * (rows - 1)) / rows
    places = [
        (column * (width + across), row * (height + down))
        for row in reversed(range(rows))
        for column in range(columns)
    ]
    return [
        (str(number) if number > 1 else "", [x, x + width], [y, y + height])
        for number, (x, y) in enumerate(places, start=1)
    ]


def side_by_side(figure: Drawing, *, y_titles: Sequence[str], names: Sequence[str]) -> None:
    """Give a figure a second panel with the looks of the first, and name both above."""
    second: tuple[dict[str, Any], ...] = ({"anchor": "y2", "domain": DOMAINS[1]}, {"anchor": "x2"})
    for axis, own in zip(("xaxis", "yaxis"), second, strict=True):
        figure.update_layout(**{f"{axis}2": figure.layout[axis] | own})
    figure.update_layout(
        xaxis={"domain": DOMAINS[0]},
        yaxis={"title": {"text": literal(y_titles[0])}},
        yaxis2={"title": {"text": literal(y_titles[1])}},
    )
    make_room(figure, PANEL_NAMES)
    for name, domain in zip(names, DOMAINS, strict=True):
        figure.add_annotation(
            x=domain[0],
            xref="paper",
            y=1,
            yref="paper",
            text=f"<b>{literal(name)}</b>",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 13},
        )
