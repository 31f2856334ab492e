"""A chart as SVG, drawn without a browser and in the colours of the page around it.

Plotly draws in a browser, by a script of 4.5 MB. A notebook shows answers where no script runs, too, as in a copy
on a web site, and a file is sent by mail. So the kinds of trace that charts are made of are drawn here from the
same plain data. Text and axes have the colour of the text around them, which is mixed into the colours of series: a
chart can be read on light and on dark pages.
"""

import html
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, product
from typing import Any

from topicset_core.exports.colours import Mode, between, colour_of
from topicset_core.exports.figures import Drawing
from topicset_core.exports.svg_parts import (
    FONT_SIZE,
    box_of,
    element,
    line_of,
    paint_of,
    path_of,
    stroke_of,
    text_of,
    width_of,
)

_KINDS = ("bar", "contour", "heatmap", "histogram", "scatter")
"""The kinds of trace that are drawn."""

_WIDTH, _ROW = 800, 22  # pixels
_MOST_TICKS = 200

Traces = Sequence[Mapping[str, Any]]
Look = Mapping[str, Any]


def svg(drawing: Drawing, alt: str) -> str:
    """Return a figure with its description; raise `ValueError` for a kind of trace that is not drawn here."""
    unknown = {trace["type"] for trace in drawing.data} - set(_KINDS)
    if unknown:
        raise ValueError(f"no kind of trace that is drawn: {', '.join(sorted(unknown))}")
    plot = _Plot(drawing.layout, [_outline(trace) for trace in drawing.data])
    look = f"display:block;width:100%;max-width:{_WIDTH}px;height:auto;font-family:inherit"
    box = {"viewBox": f"0 0 {_WIDTH} {plot.height:.0f}", "xmlns": "http://www.w3.org/2000/svg", "role": "img"}
    title = element("title", html.escape(alt))
    return element("svg", title + "".join(plot.parts()), fill="currentColor", style=look, **box)


class _Axis:
    """An axis with its range: in powers of ten where it is logarithmic, by places of categories."""

    def __init__(self, name: str, look: Look, traces: Traces) -> None:
        self.look, self.is_across, self.is_log = look, name[0] == "x", look.get("type") == "log"
        letter, end = name[0], name.replace("axis", "")
        own = [trace for trace in traces if trace.get(f"{letter}axis", letter) == end]
        values = [value for trace in own for value in _along(trace, letter)]
        named = any(isinstance(value, str | tuple) for value in values)
        self.categories = list(dict.fromkeys([*look.get("categoryarray", ()), *values])) if named else []
        if "range" in look:
            low, high = map(float, look["range"])
        elif named:
            low, high = -0.5, len(self.categories) - 0.5
        else:
            low, high = self._range_of(own, letter)
        self.low, self.high = (high, low) if look.get("autorange") == "reversed" else (low, high)
        self.first, self.last = 0.0, _WIDTH / (1.0 if self.is_across else 2.5)  # until the plot has its place

    def _range_of(self, traces: Traces, letter: str) -> tuple[float, float]:
        units = [self.unit(value) for trace in traces for value in _reached(trace, letter)]
        cells = [trace for trace in traces if trace["type"] == "heatmap"]
        units += [edge for trace in cells for edge in self.edges(trace)]
        units = [unit for unit in units if math.isfinite(unit)] or [0.0, 1.0]
        low, high = min(units), max(units)
        if not self.is_across and any(trace["type"] == "bar" for trace in traces):
            return low - 0.5, high + 0.5
        if cells and high > low:
            return low, high
        has_markers = any("markers" in trace.get("mode", "lines") for trace in traces)
        room = 0.05 * (high - low) if has_markers or not self.is_across else 0.0
        room = room if high > low else abs(low) / 2 or 0.5
        if self.look.get("rangemode") == "tozero" or any(trace["type"] == "bar" for trace in traces):
            return (0.0, max(0.0, high + room)) if low >= 0 else (low - room, high + room)
        return low - room, high + room

    def unit(self, value: Any) -> float:
        """Return where a value is in units of the axis; NaN where it is nowhere."""
        if isinstance(value, str | tuple):
            return float(self.categories.index(value))
        if value is None or (self.is_log and value <= 0):
            return math.nan
        return math.log10(value) if self.is_log else float(value)

    def edges(self, cells: Look) -> list[float]:
        """Return the units between the cells of a heatmap, and at both ends."""
        units = [self.unit(value) for value in _along(cells, "x" if self.is_across else "y")]
        if len(units) == 1:
            half = math.log10(2) if self.is_log else 0.5
            return [units[0] - half, units[0] + half]
        between = [(one + other) / 2 for one, other in pairwise(units)]
        return [2 * units[0] - between[0], *between, 2 * units[-1] - between[-1]]

    def at(self, unit: float) -> float:
        """Return the pixel of a unit."""
        return self.first + (unit - self.low) / (self.high - self.low) * (self.last - self.first)

    def places(self, values: Iterable[Any]) -> list[float]:
        """Return the pixels of values."""
        return [self.at(self.unit(value)) for value in values]

    def ticks(self) -> list[tuple[float, str]]:
        """Return units and labels within the range, as many as there is room for."""
        look, (low, high), length = self.look, sorted((self.low, self.high)), abs(self.last - self.first)
        form = look.get("tickformat", "")
        if "tickvals" in look:
            texts = look.get("ticktext") or [_number(value, form) for value in look["tickvals"]]
            every = [(self.unit(value), text) for value, text in zip(look["tickvals"], texts, strict=True)]
        elif self.categories:
            known = look.get("labelalias", {})
            texts = [known.get(category) or html.escape(str(category)) for category in self.categories]
            lies = self.is_across and not look.get("tickangle")
            needed = max(width_of(text, FONT_SIZE) for text in texts) + 8 if lies else FONT_SIZE + 2
            every = [(float(at), text) for at, text in enumerate(texts)]
            every = every[:: math.ceil(len(every) * needed / length)]
        else:
            step = _step((high - low) * (70 if self.is_across else 36) / length)
            wanted = look.get("dtick")
            step = wanted if wanted and high - low <= wanted * _MOST_TICKS else step
            start = look.get("tick0", 0)
            first, last = (low - start) / step - 1e-9, (high - start) / step + 1e-9
            units = [round(start + n * step, 12) for n in range(math.ceil(first), math.floor(last) + 1)]
            every = [(unit, _number(unit, form)) for unit in units]
        return [(unit, text) for unit, text in every if low - 1e-9 <= unit <= high + 1e-9]

    @property
    def room(self) -> float:
        """The pixels that labels and title take beside the plot."""
        is_shown = self.look.get("showticklabels") is not False
        texts = [text for _, text in self.ticks()] if is_shown else []
        widest = max((width_of(text, FONT_SIZE) for text in texts), default=0.0)
        labels = widest
        if self.is_across:
            labels = FONT_SIZE * is_shown + widest * abs(
                math.sin(math.radians(self.look.get("tickangle") or 0))
            )
        return labels + 12 + 20 * bool(self.look.get("title", {}).get("text"))

    def grid(self, other: "_Axis") -> Iterator[str]:
        """Yield the lines of the grid, and the line at zero."""
        units = [] if self.look.get("showgrid") is False else [unit for unit, _ in self.ticks()]
        for unit in units:
            yield line_of(self.across(self.at(unit), other.first, other.last), "$grid", 1)
        if self.look.get("zeroline"):
            yield line_of(self.across(self.at(0.0), other.first, other.last), self.look["zerolinecolor"], 1)

    def labels(self, other: "_Axis") -> Iterator[str]:
        """Yield the line of the axis, its ticks with their labels, and the title."""
        edge, way = other.first, 1 if self.is_across else -1
        yield line_of(other.across(edge, self.first, self.last), "$quiet", 1)
        for unit, text in self.ticks() if self.look.get("showticklabels") is not False else ():
            mark = self.across(self.at(unit), edge, edge + 4 * way)
            yield line_of(mark, "$quiet", 1)
            x, y = mark[1]
            angle = self.look.get("tickangle") or 0
            place = (
                (x, y + 3, "end" if angle else "middle", "top")
                if self.is_across
                else (x - 3, y, "end", "middle")
            )
            yield text_of(text, *place, angle=angle)
        title = self.look.get("title", {})
        if title.get("text"):
            ((x, y),) = self.across((self.first + self.last) / 2, edge + (self.room - 3) * way)
            size, high = title["font"]["size"], "bottom" if self.is_across else "top"
            yield text_of(title["text"], x, y, "middle", high, size=size, angle=0 if self.is_across else -90)

    def across(self, at: float, *others: float) -> list[tuple[float, float]]:
        """Return points at a pixel of this axis and pixels of the other one."""
        return [(at, other) if self.is_across else (other, at) for other in others]


class _Plot:
    """The axes in their places, and what is drawn in them."""

    def __init__(self, layout: Look, traces: Traces) -> None:
        names = [name for name in layout if name[1:5] == "axis"]
        self.axes = {name.replace("axis", ""): _Axis(name, layout[name], traces) for name in names}
        self.layout, self.traces, margin = layout, traces, layout["margin"]
        entries = [trace for trace in traces if trace.get("showlegend", True) and trace.get("name")]
        self.rows = list(_rows(entries)) if layout.get("showlegend") else []
        across = [axis for axis in self.axes.values() if axis.is_across]
        at_left = [axis for axis in self.axes.values() if self.partner(axis).look.get("domain", [0])[0] == 0]
        below = max(axis.room for axis in across) + margin["b"]
        self.left = margin["l"] + max(axis.room for axis in at_left if not axis.is_across)
        self.scales = [one for one in traces if one["type"] == "heatmap" and one.get("showscale", True)]
        beyond = (_scale_room(one) for one in self.scales if one.get("colorbar", {}).get("x", 1) >= 1)
        self.right, self.top = _WIDTH - max(float(margin["r"]), *beyond, 0.0), float(margin["t"])
        self.bottom = layout["height"] - below - _ROW * len(self.rows)
        self.key = self.bottom + below + _ROW / 2
        self.height = self.key + _ROW * (len(self.rows) - 0.5)
        for drawn in self.axes.values():
            start, end = (self.left, self.right) if drawn.is_across else (self.bottom, self.top)
            share = drawn.look.get("domain", (0, 1))
            drawn.first, drawn.last = (start + part * (end - start) for part in share)

    def parts(self) -> Iterator[str]:
        """Yield all that is drawn, from the back to the front."""
        axes, shapes = self.axes.values(), self.layout.get("shapes", ())
        yield from (self._shape(shape) for shape in shapes if shape.get("layer") == "below")
        yield from (part for axis in axes for part in axis.grid(self.partner(axis)))
        yield from map(self._trace, self.traces)
        yield from (self._shape(shape) for shape in shapes if shape.get("layer") != "below")
        yield from (part for axis in axes for part in axis.labels(self.partner(axis)))
        yield from map(self._note, self.layout.get("annotations", ()))
        yield from (part for cells in self.scales for part in self._scale(cells))
        for number, row in enumerate(self.rows):
            x, y = self.left, self.key + number * _ROW
            for entry in row:
                yield _sample(entry, x, y) + text_of(entry["name"], x + 32, y, "start", "middle")
                x += _entry_width(entry)

    def partner(self, axis: _Axis) -> _Axis:
        """Return the axis that crosses an axis."""
        return self.axes[axis.look.get("anchor", "y" if axis.is_across else "x")]

    def _at(self, ref: str, value: Any, *, is_across: bool, is_unit: bool = False) -> float:
        """Return the pixel of a value in units of the plot ("paper"), a panel ("x domain") or an axis ("x")."""
        name, _, of_panel = ref.partition(" ")
        if name == "paper":
            start, end = (self.left, self.right) if is_across else (self.bottom, self.top)
        elif of_panel:
            start, end = self.axes[name].first, self.axes[name].last
        else:
            axis = self.axes[name]
            return axis.at(float(value) if is_unit and not isinstance(value, str) else axis.unit(value))
        return float(start + value * (end - start))

    def _shape(self, shape: Look) -> str:
        x = [self._at(shape.get("xref", "x"), shape[end], is_across=True) for end in ("x0", "x1")]
        y = [self._at(shape.get("yref", "y"), shape[end], is_across=False) for end in ("y0", "y1")]
        line = shape.get("line", {})
        if shape["type"] == "line":
            return line_of(
                list(zip(x, y, strict=True)), line["color"], line.get("width", 2), line.get("dash")
            )
        look = paint_of("fill", shape.get("fillcolor", ""))
        if "color" in line:
            look |= stroke_of(line["color"], line.get("width", 2), line.get("dash"))
        return element("rect", **box_of(x, y), **look, opacity=shape.get("opacity", 1))

    def _note(self, note: Look) -> str:
        """Return a text; one in units of the plot is anchored at the nearer side by default."""
        refs = note.get("xref", "x"), note.get("yref", "y")
        x = self._at(refs[0], note["x"], is_across=True, is_unit=True) + note.get("xshift", 0)
        y = self._at(refs[1], note["y"], is_across=False, is_unit=True) - note.get("yshift", 0)
        leader = ""
        if note.get("showarrow"):  # from the point to the text, which is aside
            end = x + note["ax"], self._at(note["ayref"], note["ay"], is_across=False, is_unit=True)
            leader = line_of([(x, y), end], note["arrowcolor"], note["arrowwidth"])
            x, y = end
        nearest = [
            min(int(3 * max(note[name], 0)), 2) if ref == "paper" else 1
            for name, ref in zip("xy", refs, strict=True)
        ]
        side = note.get("xanchor") or ("left", "center", "right")[nearest[0]]
        high = note.get("yanchor") or ("bottom", "middle", "top")[nearest[1]]
        font, anchor = note.get("font", {}), {"left": "start", "center": "middle", "right": "end"}[side]
        x, y = x + {"left": 3, "right": -3}.get(side, 0), y + {"bottom": -3, "top": 3}.get(high, 0)
        return leader + text_of(
            note["text"],
            x,
            y,
            anchor,
            high,
            size=font.get("size", FONT_SIZE),
            role=font.get("color", "$text"),
        )

    def _trace(self, look: Look) -> str:
        """Return what a trace draws, cut off at its panel where it is not to go beyond."""
        x, y = self.axes[look.get("xaxis", "x")], self.axes[look.get("yaxis", "y")]
        parts = "".join(_DRAWN[look["type"]](look, x, y))
        if look.get("cliponaxis") is False:
            return parts
        box = box_of((x.first, x.last), (y.first, y.last))
        return element("svg", parts, **box, viewBox=" ".join(f"{value:.1f}" for value in box.values()))

    def _scale(self, cells: Look) -> Iterator[str]:
        """Yield the bar of colours of a heatmap with its numbers and its title."""
        bar, (low, high) = cells.get("colorbar", {}), _ends_of_scale(cells)
        left = self.left + bar["x"] * (self.right - self.left) if "x" in bar else self.right + 12
        wide, font = bar.get("thickness", 30), bar.get("tickfont", {}).get("size", FONT_SIZE)
        for part in range(_LEVELS):
            y = [self.bottom + end / _LEVELS * (self.top - self.bottom) for end in (part, part + 1)]
            fill = _shade(cells["colorscale"], (part + 0.5) / _LEVELS)
            yield element("rect", **box_of((left, left + wide), y), shape_rendering="crispEdges", **fill)
        for value, text in _ticks_of_scale(cells, self.bottom - self.top):
            y = self.bottom + (value - low) / (high - low) * (self.top - self.bottom)
            yield text_of(text, left + wide + 4, y, "start", "middle", size=font)
        title = bar.get("title", {}).get("text")
        if title:
            x = left + _scale_room(cells) - 40
            yield text_of(title, x, (self.top + self.bottom) / 2, "middle", "bottom", angle=90)


def _along(trace: Look, letter: str) -> Sequence[Any]:
    """Return the values of a trace on an axis; cells without any have the numbers of their columns and rows."""
    values: Sequence[Any] | None = trace.get(letter)
    if values is None:
        return range(len(trace["z"][0]) if letter == "x" else len(trace["z"]))
    return values


def _reached(trace: Look, letter: str) -> Iterator[Any]:
    """Yield the values of a trace on an axis, with the ends of its error bars."""
    bars = trace.get(f"error_{letter}")
    for place, value in enumerate(_along(trace, letter)):
        if bars and value is not None:
            yield value + (bars["array"][place] or 0)
            yield value - (bars.get("arrayminus", bars["array"])[place] or 0)
        elif value is not None:
            yield value


def _bars(trace: Look, x: _Axis, y: _Axis) -> Iterator[str]:
    """Yield bars from left to right, with their texts at the ends."""
    half = abs(y.at(trace.get("width", 0.8)) - y.at(0)) / 2
    for place, (value, middle) in enumerate(zip(trace["x"], y.places(trace["y"]), strict=True)):
        start, end = x.first, x.at(x.unit(value))
        if math.isfinite(end):
            box = box_of((start, end), (middle - half, middle + half))
            yield element("rect", **box, **paint_of("fill", _each(trace["marker"]["color"], place)))
            size = trace.get("textfont", {}).get("size", FONT_SIZE)
            yield text_of(
                trace["text"][place] if "text" in trace else "", end + 4, middle, "start", "middle", size=size
            )
            yield from _error_bar(trace.get("error_x"), x, value, middle, place)


def _outline(trace: Look) -> Look:
    """Return a histogram as areas of its bars, each over its bin; other traces as they are."""
    if trace["type"] != "histogram":
        return trace
    bins, counts = trace["xbins"], Counter[int]()
    for value in trace["x"]:
        counts[math.floor((value - bins["start"]) / bins["size"])] += 1
    unit = len(trace["x"]) * bins["size"] if trace.get("histnorm") == "probability density" else 1
    x: list[float | None] = []
    y: list[float | None] = []
    for place, count in sorted(counts.items()):
        low, high = (bins["start"] + (place + end) * bins["size"] for end in (0.01, 0.99))
        x += [low, low, high, high, None]
        y += [0, count / unit, count / unit, 0, None]
    area = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "fill": "toself"}
    return {**trace, **area, "x": x, "y": y, "fillcolor": trace["marker"]["color"]}


def _cells(trace: Look, x: _Axis, y: _Axis) -> Iterator[str]:
    """Yield the cells of a heatmap, those of one colour together; neighbours without a gap are one."""
    across, down = ([round(axis.at(edge), 1) for edge in axis.edges(trace)] for axis in (x, y))
    (low, high), gaps = _ends_of_scale(trace), (trace.get("xgap", 0), trace.get("ygap", 0))
    shapes: dict[float, list[str]] = {}
    for row, values in enumerate(trace["z"]):
        levels = [_level(value, low, high) for value in values]
        (top, bottom), place = sorted(down[row : row + 2]), 0
        for level, run in groupby(levels):
            count = len(list(run))
            for part in range(count) if gaps[0] else (0,):
                left, right = sorted((across[place + part], across[place + (part + 1 if gaps[0] else count)]))
                if level is not None:
                    box = f"M{left:g} {top:g}H{right - gaps[0]:g}V{bottom - gaps[1]:g}H{left:g}z"
                    shapes.setdefault(level, []).append(box)
            place += count
    for level, boxes in sorted(shapes.items()):
        yield element(
            "path", d="".join(boxes), shape_rendering="crispEdges", **_shade(trace["colorscale"], level)
        )


_LEVELS = 64
"""Of a colour scale; fewer can be told apart."""


def _level(value: float | None, low: float, high: float) -> float | None:
    """Return the middle of the level of a value in its scale, from 0 to 1; None without a value."""
    if value is None or not math.isfinite(value):
        return None
    share = min(max((value - low) / (high - low), 0.0), 1.0)
    return (min(math.floor(share * _LEVELS), _LEVELS - 1) + 0.5) / _LEVELS


def _ends_of_scale(trace: Look) -> tuple[float, float]:
    """Return the values at the ends of a colour scale."""
    values = [value for row in trace["z"] for value in row if value is not None and math.isfinite(value)]
    low, high = trace.get("zmin", min(values, default=0.0)), trace.get("zmax", max(values, default=1.0))
    return float(low), float(high) if high > low else float(low) + 1.0


def _ticks_of_scale(trace: Look, length: float) -> list[tuple[float, str]]:
    axis = _Axis("yaxis", {"range": _ends_of_scale(trace)}, ())
    axis.first, axis.last = length, 0.0
    return axis.ticks()


def _scale_room(trace: Look) -> float:
    """Return the pixels from a panel that a colour scale with its numbers and its title takes."""
    bar = trace.get("colorbar", {})
    widest = max((width_of(text, FONT_SIZE) for _, text in _ticks_of_scale(trace, _WIDTH / 2.5)), default=0.0)
    return float(bar.get("thickness", 30) + widest + 26 + 20 * bool(bar.get("title", {}).get("text")))


def _shade(scale: Sequence[tuple[float, str]], share: float) -> dict[str, Any]:
    """Return the attributes of a place in a colour scale, between two roles of colour."""
    (low, weak), (high, strong) = next(
        (one, other) for one, other in pairwise(scale) if share <= other[0] and one[0] < other[0]
    )
    if weak == strong and not weak.startswith("$ramp"):
        return paint_of("fill", weak)  # as the key beside it
    part = (share - low) / (high - low)
    modes: tuple[Mode, ...] = ("print", "dark")
    light, dark = (between(_in(mode, weak), _in(mode, strong), part) for mode in modes)
    return {"fill": light} | ({} if light == dark else {"style": f"fill:light-dark({light},{dark})"})


def _in(mode: Mode, role: str) -> str:
    """Return the colour of a role in a mode; a figure of a file has colours."""
    return colour_of(role, mode) if role.startswith("$") else role


def _contours(trace: Look, x: _Axis, y: _Axis) -> Iterator[str]:
    """Yield the lines along which a table of values has one value, straight within each of its cells."""
    level, z, look = trace["contours"]["start"], trace["z"], trace["line"]
    across, down = x.places(_along(trace, "x")), y.places(_along(trace, "y"))
    segments = []
    for row, column in product(range(len(down) - 1), range(len(across) - 1)):
        around = [(row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column), (row, column)]
        crossed = []
        for (r, c), (s, d) in pairwise(around):
            one, other = z[r][c], z[s][d]
            if (one < level) != (other < level):
                part = (level - one) / (other - one)
                crossed.append(
                    (across[c] + part * (across[d] - across[c]), down[r] + part * (down[s] - down[r]))
                )
        segments += [crossed[place : place + 2] for place in range(0, len(crossed), 2)]
    path = "".join(map(path_of, segments))
    if path:
        paint = stroke_of(look["color"], look.get("width", 2))
        yield element("path", d=path, fill="none", stroke_linecap="round", **paint)


def _points(trace: Look, x: _Axis, y: _Axis) -> Iterator[str]:
    """Yield an area, a line, error bars, markers and texts."""
    mode, look, marker = trace.get("mode", "lines"), trace.get("line", {}), trace.get("marker", {})
    role = look.get("color", "$text")
    points = list(zip(x.places(trace["x"]), y.places(trace["y"]), strict=True))
    for is_there, run in groupby(points, lambda point: all(map(math.isfinite, point))):
        ends = list(run)
        if is_there and trace.get("fill") == "toself":
            fill = paint_of("fill", trace.get("fillcolor", f"{role}/0.5"))
            yield element("path", d=f"{path_of(ends)}Z", **fill, opacity=trace.get("opacity", 1))
        if is_there and "lines" in mode and look.get("width", 2):
            yield line_of(ends, role, look.get("width", 2), look.get("dash"))
    step = math.ceil(len(points) / (marker.get("maxdisplayed") or len(points) or 1))
    for place, (across, down) in enumerate(points):
        if not (math.isfinite(across) and math.isfinite(down)):
            continue
        for letter, axis, at in (("x", x, down), ("y", y, across)):
            yield from _error_bar(trace.get(f"error_{letter}"), axis, trace[letter][place], at, place)
        if "markers" in mode and place % step == 0:
            yield _marker(marker, place, across, down)
        if "text" in mode:
            yield _beside(trace, place, across, down)


def _error_bar(bars: Look | None, axis: _Axis, value: Any, at: float, place: int) -> Iterator[str]:
    """Yield a line from the lower to the upper end, with caps."""
    if bars is None:
        return
    up, down = bars["array"][place], bars.get("arrayminus", bars["array"])[place]
    if up is not None and down is not None and math.isfinite(up) and math.isfinite(down):
        cap, thick = bars.get("width", 4), bars.get("thickness", 2)
        ends = axis.places([value - down, value + up])
        yield line_of([axis.across(end, at)[0] for end in ends], bars["color"], thick)
        for end in ends if cap else ():
            yield line_of(axis.across(end, at - cap, at + cap), bars["color"], thick)


def _marker(look: Look, place: int, x: float, y: float) -> str:
    """Return one marker; an open one has its own colour as its line."""
    symbol, half = _each(look.get("symbol", "circle"), place), _each(look.get("size", 6), place) / 2
    role, line = _each(look.get("color", "$text"), place), look.get("line", {})
    is_open, width = symbol.endswith("-open"), line.get("width", 0)
    paint = stroke_of(role if is_open else line.get("color", role), width or is_open * 1.0)
    paint |= {"fill": "none"} if is_open else paint_of("fill", role)
    if symbol.startswith("line-ns"):
        return element("path", d=path_of([(x, y - half), (x, y + half)]), **paint)
    paint |= {"opacity": look["opacity"]} if "opacity" in look else {}
    if symbol.startswith("square"):
        return element("rect", **box_of((x - half, x + half), (y - half, y + half)), **paint)
    if symbol.startswith("triangle-up"):
        low = y + half / 2
        return element("path", d=path_of([(x - half, low), (x + half, low), (x, y - half)]) + "Z", **paint)
    if symbol.startswith("diamond"):
        half *= 1.3
        return element(
            "path", d=path_of([(x, y - half), (x + half, y), (x, y + half), (x - half, y)]) + "Z", **paint
        )
    return element("circle", cx=x, cy=y, r=half, **paint)


def _beside(trace: Look, place: int, x: float, y: float) -> str:
    """Return the text of a point, at its side of the marker."""
    up, side = _each(trace.get("textposition", "middle center"), place).split()
    far = _each(trace.get("marker", {}).get("size", 0), place) / 2 + 3
    high, down = {"top": ("bottom", -far), "bottom": ("top", far), "middle": ("middle", 0.0)}[up]
    anchor, aside = {"center": ("middle", 0.0), "left": ("end", -far), "right": ("start", far)}[side]
    font = trace.get("textfont", {})
    size, role = font.get("size", FONT_SIZE), _each(font.get("color", "$text"), place)
    return text_of(trace["text"][place], x + aside, y + down, anchor, high, size=size, role=role)


def _rows(entries: Traces) -> Iterator[list[Look]]:
    """Yield the entries of a legend that fit in a row."""
    row: list[Look] = []
    for entry in entries:
        if row and sum(map(_entry_width, [*row, entry])) > _WIDTH - 80:
            yield row
            row = []
        row.append(entry)
    if row:
        yield row


def _entry_width(trace: Look) -> float:
    return 50 + width_of(trace["name"], FONT_SIZE)


def _sample(trace: Look, x: float, y: float) -> str:
    """Return the look of a trace in a legend."""
    marker, look, mode = trace.get("marker", {}), trace.get("line", {}), trace.get("mode", "lines")
    if trace["type"] == "bar" or trace.get("fill"):
        role = trace.get("fillcolor") or _each(marker.get("color", "$text"), 0)
        return element(
            "rect",
            **box_of((x, x + 24), (y - 5, y + 5)),
            **paint_of("fill", role),
            opacity=trace.get("opacity", 1),
        )
    width = look.get("width", 2) if "lines" in mode else 0
    dot = {**marker, "size": min(_each(marker.get("size", 6), 0), 10)}
    line = line_of([(x, y), (x + 26, y)], look.get("color", "$text"), width, look.get("dash"))
    return line + (_marker(dot, 0, x + 13, y) if "markers" in mode else "")


def _each(value: Any, place: int) -> Any:
    """Return a setting of one point."""
    return value if isinstance(value, str | int | float) else value[place]


_DRAWN: Mapping[str, Callable[[Look, _Axis, _Axis], Iterator[str]]] = {
    "bar": _bars,
    "contour": _contours,
    "heatmap": _cells,
    "scatter": _points,
}


def _step(at_least: float) -> float:
    """Return the next round step: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(at_least))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= at_least * (1 - 1e-9))


def _number(value: float, form: str) -> str:
    """Return a number of an axis in a format of Plotly's, or with the digits that it has."""
    text = format(value, {"": ",.10g", ",d": ",.0f"}.get(form, form.replace("~", "")))
    text = text.rstrip("0").rstrip(".") if "~" in form else text
    return text.replace("-", "−")
