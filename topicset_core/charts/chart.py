"""Charts from pieces: lines, bands, points, rules and the user's point, in roles of colour.

One accent colour means "yours" (the user's point, the user's curve); everything else is quiet.
Text is never lighter than WCAG AA asks for on its background.
"""

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from topicset_core.charts.labels import literal, spread
from topicset_core.exports.colours import (
    ACCENT,
    BACKGROUND,
    GRID,
    QUIET,
    RAMP,
    SERIES,
    TEXT,
    in_colour,
)
from topicset_core.exports.figures import LINE_HEIGHT, Drawing, Figure, merged

FONT = '"Source Sans", "Source Sans Pro", Helvetica, Arial, sans-serif'

_LONGEST_TITLE = 100  # characters in a line of a title in a file; on a page it has the width of the page

LONGEST_X = 54
"""Characters in a line below an axis: a phone, 400 pixels wide, has room for them."""

_ASIDE = 0.4  # of the gap between two names: as far as one may be from its line without being joined to it
_LEADER = 18  # pixels, from the end of a line to its name

PANEL_NAMES = 20
"""Pixels of names of panels below the title."""

Hover = str | Sequence[str] | None
"""What hovering shows: a template for all points, a text for each, or nothing."""


class Panel(NamedTuple):
    """A place in a figure of several panels."""

    end: str  # of the names of its axes
    wide: list[float]
    high: list[float]


class Chart(Drawing):
    """A figure in the house style, to which pieces are added."""

    # Points and notes are in the units of their axes, also where these are logarithmic. Further settings of a
    # piece have Plotly's names.

    def __init__(self, title: str, x: str, y: str, *, height: int = 420) -> None:
        """Begin with a title and axes with units, shown literally and in several lines where they are long."""
        lines = textwrap.wrap(title, _LONGEST_TITLE) or [""]
        more = LINE_HEIGHT * (len(lines) - 1)
        axis: dict[str, Any] = {
            "gridcolor": GRID,
            "linecolor": QUIET,
            "tickcolor": QUIET,
            "ticks": "outside",
            "ticklen": 4,
            "separatethousands": True,
            "exponentformat": "none",  # thousands in full: 40,000, not 40k
            "showline": True,
            "zeroline": False,
            "tickfont": {"size": 12, "color": TEXT},
            "automargin": True,
            "title": {"font": {"size": 14, "color": TEXT}, "standoff": 10},
        }
        self._axes = {
            "x": merged(axis, {"title": {"text": "<br>".join(map(literal, textwrap.wrap(x, LONGEST_X)))}}),
            "y": merged(axis, {"title": {"text": literal(y)}}),
        }
        super().__init__(
            {
                "font": {"family": FONT, "color": TEXT, "size": 13},
                "title": {
                    "text": "<br>".join(map(literal, lines)),
                    "x": 0,
                    "xref": "container",
                    "y": 1,
                    "yref": "container",
                    "yanchor": "top",
                    "pad": {"t": 24 if more else 14},  # Plotly puts the first of several lines higher
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
                "xaxis": self._axes["x"],
                "yaxis": self._axes["y"],
            }
        )

    def figure(self, name: str, alt: str) -> Figure:
        """Return the figure with its name in the report, and its description; log axes get their ticks."""
        for place, axis in self.layout.items():
            if "axis" in place and axis.get("type") == "log":
                axis |= self._log_ticks(place[0], place.replace("axis", ""), axis.get("range"))
        return Figure(name, self, alt)

    def _log_ticks(self, axis: str, end: str, powers: Sequence[float] | None) -> dict[str, Any]:
        """Return the ticks of a log axis, over the range of its powers of ten or else over its data."""
        if powers is None:
            drawn = [floats(trace[axis]) for trace in self.data if trace.get(f"{axis}axis", axis) == end]
            values = np.concatenate(drawn)
            ends = np.log10(values[values > 0])
            if not ends.size:
                return {}
            powers = [ends.min(), ends.max()]
        ticks = log_ticks(*powers)
        return {"tickvals": ticks, "ticktext": [f"{tick:,.10g}" for tick in ticks]}

    def trace(
        self, kind: str, name: str | None, hover: Hover, panel: str | None = None, **settings: Any
    ) -> None:
        """Add a trace of a kind of Plotly's, in the panel whose axes end in this."""
        if hover is None:
            settings["hoverinfo"] = "skip"
        elif isinstance(hover, str):
            settings["hovertemplate"] = hover if hover.endswith("</extra>") else f"{hover}<extra></extra>"
        else:
            settings |= {"hovertext": list(hover), "hovertemplate": "%{hovertext}<extra></extra>"}
        if panel is not None:
            settings |= {"xaxis": f"x{panel}", "yaxis": f"y{panel}"}
        self.add(kind, name=name, **settings)

    def line(
        self,
        x: Any,
        y: Any,
        name: str | None,
        hover: Hover,
        *,
        colour: str = ACCENT,
        width: float = 2,
        dash: str | None = None,
        size: float | Sequence[float] | None = None,
        **more: Any,
    ) -> None:
        """Add a line, with a marker at each point where these have a size."""
        settings: dict[str, Any] = {
            "mode": "lines" if size is None else "lines+markers",
            "line": {"color": colour, "width": width, "dash": dash},
        }
        if size is not None:
            settings["marker"] = {"color": colour, "size": size}
        self.trace("scatter", name, hover, x=x, y=y, **merged(settings, more))

    def points(
        self,
        x: Any,
        y: Any,
        name: str | None,
        hover: Hover,
        *,
        colour: str | Sequence[str] = ACCENT,
        size: float | Sequence[float] = 6,
        symbol: str | None = None,
        **more: Any,
    ) -> None:
        """Add points."""
        settings = {"mode": "markers", "marker": {"color": colour, "size": size, "symbol": symbol}}
        self.trace("scatter", name, hover, x=x, y=y, **merged(settings, more))

    def band(self, x: Any, one: Any, other: Any, name: str, **more: Any) -> None:
        """Shade what is between two lines over the same points."""
        self.outline([*x, *reversed(x)], [*one, *reversed(other)], name, **more)

    def outline(self, x: Any, y: Any, name: str, **more: Any) -> None:
        """Shade what is within a line."""
        settings = {"mode": "lines", "line": {"width": 0}, "fill": "toself"}
        self.trace("scatter", name, None, x=x, y=y, **merged(settings, more))

    def bars(
        self, x: Any, y: Any, name: str, hover: Hover, *, colour: str | Sequence[str] = ACCENT, **more: Any
    ) -> None:
        """Add bars from left to right, with what `text` says at their ends."""
        settings = {
            "orientation": "h",
            "marker": {"color": colour},
            "textposition": "outside",
            "textfont": {"color": TEXT},
            "cliponaxis": False,
        }
        self.trace("bar", name, hover, x=x, y=y, **merged(settings, more))

    def shades(self, z: Any, name: str, hover: Hover, *, bar: str = "", **more: Any) -> None:
        """Add coloured cells, from weak to strong, with a bar that explains the colours if it has a title."""
        settings: dict[str, Any] = {"colorscale": scale(GRID, *RAMP)}
        if bar:
            settings["colorbar"] = {
                "title": {"text": literal(bar), "side": "right"},
                "thickness": 14,
                "outlinewidth": 0,
                "tickfont": {"size": 12, "color": TEXT},
            }
        self.trace("heatmap", name, hover, z=z, **merged(settings, more))

    def yours(
        self,
        x: float,
        y: float,
        text: str,
        hover: str,
        *,
        above: bool = False,
        name: str = "yours",
        **more: Any,
    ) -> None:
        """Mark the user's point: a ring in the accent colour, with a short label next to it if there is one."""
        # It is below to the right, where rising lines leave room, or `above` for falling ones.
        self.points([x], [y], name, hover, **merged(RING, more))
        if text:
            self.note(
                f"<b>{text}</b>",
                x,
                y,
                colour=ACCENT,
                size=14,
                xanchor="left",
                xshift=12,
                yshift=14 if above else -12,
            )

    def note(
        self, text: str, x: float, y: float, *, colour: str | None = None, size: int = 12, **look: Any
    ) -> None:
        """Write a text at a place in the units of the axes, or as `xref` and `yref` have it."""
        x = x if "xref" in look else self._on_axis("xaxis", x)
        y = y if "yref" in look else self._on_axis("yaxis", y)
        self.add_annotation(
            x=x, y=y, text=text, showarrow=False, font={"color": colour, "size": size}, **look
        )

    def rule(
        self,
        y: float,
        text: str = "",
        *,
        colour: str = QUIET,
        width: float = 1,
        dash: str | None = "dot",
        panel: str = "",
        at_left: bool = False,
        **look: Any,
    ) -> None:
        """Draw a dotted line across a panel, with its text above its right or left end."""
        self.add_hline(y=y, line={"color": colour, "width": width, "dash": dash}, panel=panel)
        if text:
            end, side = (0, "left") if at_left else (1, "right")
            place = {"xref": "paper", "xanchor": side, "yanchor": "bottom", "colour": colour}
            self.note(text, end, y, **place | look)

    def name_ends(
        self, ends: Sequence[tuple[float, float, str, str]], *, height: float, gap: float = 0.055, **look: Any
    ) -> None:
        """Write the name of each line at its end, in its colour, apart by a share of the height of the axis.

        A name that has to move away from its end stays joined to it by a thin line.
        """
        places = [self._on_axis("yaxis", end[1]) for end in ends]
        order = sorted(range(len(ends)), key=places.__getitem__)
        apart = spread([places[at] for at in order], gap * height)
        moved = max((abs(places[at] - y) for at, y in zip(order, apart, strict=True)), default=0.0)
        look = {"xanchor": "left", "xshift": 5} | look
        for at, y in zip(order, apart, strict=True):
            x, _, text, colour = ends[at]
            place: dict[str, Any] = {"y": y, "showarrow": False}
            if moved > _ASIDE * gap * height:
                place = {"y": places[at], "ay": y, "ayref": look.get("yref", "y"), "ax": _LEADER}
                place |= {
                    "showarrow": True,
                    "arrowhead": 0,
                    "arrowwidth": 1,
                    "arrowcolor": colour,
                    "standoff": 1,
                }
            place["x"] = x if "xref" in look else self._on_axis("xaxis", x)
            self.add_annotation(text=text, font={"color": colour, "size": 12}, **look, **place)

    def name_end(self, x: float, y: float, text: str, *, colour: str = TEXT) -> None:
        """Write the name of a line at its end, so that no legend is needed."""
        self.note(text, x, y, colour=colour, xanchor="left", xshift=5)

    def key(self, *entries: tuple[str, str], **look: Any) -> None:
        """Explain colours at the right, above the plot."""
        text = "   ".join(in_colour(text, colour) for colour, text in entries)
        place: dict[str, Any] = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "bottom"}
        self.note(text, 1, look.pop("y", 1), **place | look)

    def legend(self, **look: Any) -> None:
        """Show a legend below the axis, one that explains and does not hide clicked lines."""
        below = {
            "orientation": "h",
            "y": -0.16,
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        }
        self.update_layout(showlegend=True, legend=below | look)

    def log_axis(self, axis: str, **settings: Any) -> None:
        """Make an axis, "x" or "y", logarithmic; notes are placed on it from then on."""
        self.update_layout(**{f"{axis}axis": {"type": "log"} | settings})

    def room(self, *, right: int | None = None, bottom: int | None = None, top: int = 0) -> None:
        """Set the margins of names at the right and of notes below, and add pixels above."""
        self.update_layout(margin={"r": right, "b": bottom, "t": self.layout["margin"]["t"] + top})

    def panel(self, panel: Panel, x: Mapping[str, Any], y: Mapping[str, Any]) -> None:
        """Add a panel with the looks of the chart's axes, and settings of its own."""
        self.panel_axis("x", panel, **x)
        self.panel_axis("y", panel, **y)

    def panel_axis(self, axis: str, panel: Panel, **own: Any) -> None:
        """Give a panel its "x" or "y" axis, with the looks of the chart's and settings of its own."""
        other, domain = ("y", panel.wide) if axis == "x" else ("x", panel.high)
        place = {"anchor": f"{other}{panel.end}", "domain": domain}
        self.layout[f"{axis}axis{panel.end}"] = merged(self._axes[axis] | place | own, {})

    def name_panel(
        self, text: str, panel: Panel, *, size: int = 13, is_left: bool = True, colour: str | None = None
    ) -> None:
        """Write the name of a panel above it."""
        x, anchor = (panel.wide[0], "left") if is_left else (sum(panel.wide) / 2, "center")
        place = {"xref": "paper", "yref": "paper", "xanchor": anchor, "yanchor": "bottom"}
        self.note(text, x, panel.high[1], size=size, colour=colour, **place)

    def _on_axis(self, axis: str, value: float) -> float:
        """Return where Plotly wants a note: in powers of ten on a log axis."""
        return math.log10(value) if self.layout[axis].get("type") == "log" else value


RING: dict[str, Any] = {
    "colour": ACCENT,
    "size": 14,
    "symbol": "circle-open",
    "marker": {"line": {"width": 3, "color": ACCENT}},
    "cliponaxis": False,
}
"""Settings of points that mark the user's."""


def panels(rows: int, columns: int, *, across: float = 0.0, down: float = 0.0) -> list[Panel]:
    """Return the places of panels, row by row from the top."""
    width = (1 - across * (columns - 1)) / columns
    height = (1 - down * (rows - 1)) / rows
    places = [
        (column * (width + across), row * (height + down))
        for row in reversed(range(rows))
        for column in range(columns)
    ]
    return [
        Panel(str(number) if number > 1 else "", [x, x + width], [y, y + height])
        for number, (x, y) in enumerate(places, start=1)
    ]


def scale(*colours: str) -> list[tuple[float, str]]:
    """Return a colour scale that goes over from each colour to the next."""
    return [(place / (len(colours) - 1), colour) for place, colour in enumerate(colours)]


def steps(*colours: str) -> list[tuple[float, str]]:
    """Return a colour scale of equal parts, each of one colour."""
    return [((part + end) / len(colours), colour) for part, colour in enumerate(colours) for end in (0, 1)]


def errors(
    up: Any, colour: str, *, down: Any = None, thickness: float = 1.2, width: float | None = 3
) -> dict[str, Any]:
    """Return error bars of these lengths, the same in both directions if only one is given."""
    lengths = {"array": up} if down is None else {"symmetric": False, "array": up, "arrayminus": down}
    return {"type": "data", **lengths, "color": colour, "thickness": thickness, "width": width}


_DIGITS = (range(1, 10), (1, 2, 3, 5, 7), (1, 2, 5), (1, 3), (1,))
_MOST_TICKS = 8


def log_ticks(first: float, last: float) -> list[float]:
    """Return the ticks between two powers of ten: as many round numbers as there is room for."""
    reach = max(0.05 * (last - first), 0.05)  # an axis goes on beyond its data
    low, high = 10 ** (first - reach), 10 ** (last + reach)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    if high < 4 * low:
        unit = 10.0 ** math.floor(math.log10(high - low))
        step = next(step * unit for step in (1, 0.5, 0.2) if high - low >= 3 * step * unit)
        return [
            round(place * step, 12) for place in range(math.ceil(low / step), math.floor(high / step) + 1)
        ]
    for digits in _DIGITS:
        ticks = [float(f"{digit}e{power}") for power in powers for digit in digits]
        ticks = [tick for tick in ticks if low <= tick <= high]
        if len(ticks) <= _MOST_TICKS:
            break
    return ticks[:: math.ceil(len(ticks) / _MOST_TICKS)]


def floats(values: Sequence[float | None]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return an array in which missing values leave a gap in a line."""
    return np.array([math.nan if value is None else value for value in values])
