"""A main chart as SVG, drawn without a browser and in the colours of the page around it.

Plotly draws in a browser. A notebook shows answers where no script runs, too, as in a copy on a web site. So the
kinds of trace that main charts are made of are drawn here from the same plain data. Text and axes have the colour
of the text around them, which is mixed into the colours of series: a chart can be read on light and on dark pages.
"""

import html
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from topicset_core.exports.colours import colour_of
from topicset_core.exports.figures import Drawing

KINDS = ("bar", "scatter")
"""The kinds of trace that are drawn."""

_WIDTH, _FONT, _LETTER, _ROW = 800, 12, 0.6, 22  # in pixels but the width of a letter, per its size
_DASHES = {"dot": "2 3", "dash": "7 4", "longdash": "11 5", "dashdot": "7 4 2 4"}
_PAGE = "var(--jp-layout-color0,var(--vscode-editor-background,#fff))"
_MARKUP = re.compile(r'(<br>|</?b>|</span>|<span style="color:[^"<>]*">)')

Traces = Sequence[Mapping[str, Any]]
Look = Mapping[str, Any]


def svg(drawing: Drawing, alt: str) -> str:
    """Return a figure with its description; raise `ValueError` for a kind of trace that is not drawn here."""
    unknown = {trace["type"] for trace in drawing.data} - set(KINDS)
    if unknown:
        raise ValueError(f"drawn by Plotly alone: {', '.join(sorted(unknown))}")
    plot = _Plot(drawing.layout, drawing.data)
    look = f"display:block;width:100%;max-width:{_WIDTH}px;height:auto;font-family:inherit"
    box = {"viewBox": f"0 0 {_WIDTH} {plot.height:.0f}", "xmlns": "http://www.w3.org/2000/svg", "role": "img"}
    title = _tag("title", html.escape(alt))
    return _tag("svg", title + "".join(plot.parts()), fill="currentColor", style=look, **box)


class _Axis:
    """An axis with its range: in powers of ten where it is logarithmic, by places of categories."""

    def __init__(self, name: str, look: Look, traces: Traces) -> None:
        self.look, self.is_across, self.is_log = look, name[0] == "x", look.get("type") == "log"
        letter, end = name[0], name.replace("axis", "")
        own = [trace for trace in traces if trace.get(f"{letter}axis", letter) == end]
        values = [value for trace in own for value in trace[letter]]
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
        units = [unit for unit in units if math.isfinite(unit)] or [0.0, 1.0]
        low, high = min(units), max(units)
        has_markers = any("markers" in trace.get("mode", "lines") for trace in traces)
        room = 0.05 * (high - low) if has_markers or not self.is_across else 0.0
        room = room if high > low else abs(low) / 2 or 0.5
        if self.look.get("rangemode") == "tozero" or any(trace["type"] == "bar" for trace in traces):
            return min(0.0, low - room), max(0.0, high + room) if low >= 0 else high + room
        return low - room, high + room

    def unit(self, value: Any) -> float:
        """Return where a value is in units of the axis; NaN where it is nowhere."""
        if isinstance(value, str | tuple):
            return float(self.categories.index(value))
        if value is None or (self.is_log and value <= 0):
            return math.nan
        return math.log10(value) if self.is_log else float(value)

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
            needed = max(_width(text, _FONT) for text in texts) + 8 if self.is_across else _FONT + 2
            every = [(float(at), text) for at, text in enumerate(texts)]
            every = every[:: math.ceil(len(every) * needed / length)]
        else:
            step = look.get("dtick") or _step((high - low) * (70 if self.is_across else 36) / length)
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
        labels = (
            _FONT * is_shown if self.is_across else max((_width(text, _FONT) for text in texts), default=0)
        )
        return labels + 12 + 20 * bool(self.look.get("title", {}).get("text"))

    def grid(self, other: "_Axis") -> Iterator[str]:
        """Yield the lines of the grid, and the line at zero."""
        units = [] if self.look.get("showgrid") is False else [unit for unit, _ in self.ticks()]
        for unit in units:
            yield _line(self.across(self.at(unit), other.first, other.last), "$grid", 1)
        if self.look.get("zeroline"):
            yield _line(self.across(self.at(0.0), other.first, other.last), self.look["zerolinecolor"], 1)

    def labels(self, other: "_Axis") -> Iterator[str]:
        """Yield the line of the axis, its ticks with their labels, and the title."""
        edge, way = other.first, 1 if self.is_across else -1
        yield _line(other.across(edge, self.first, self.last), "$quiet", 1)
        for unit, text in self.ticks() if self.look.get("showticklabels") is not False else ():
            mark = self.across(self.at(unit), edge, edge + 4 * way)
            yield _line(mark, "$quiet", 1)
            x, y = mark[1]
            place = (x, y + 3, "middle", "top") if self.is_across else (x - 3, y, "end", "middle")
            yield _text(text, *place)
        title = self.look.get("title", {})
        if title.get("text"):
            ((x, y),) = self.across((self.first + self.last) / 2, edge + (self.room - 3) * way)
            size, high = title["font"]["size"], "bottom" if self.is_across else "top"
            yield _text(title["text"], x, y, "middle", high, size=size, angle=0 if self.is_across else -90)

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
        self.right, self.top = _WIDTH - float(margin["r"]), float(margin["t"])
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
        for number, row in enumerate(self.rows):
            x, y = self.left, self.key + number * _ROW
            for entry in row:
                yield _sample(entry, x, y) + _text(entry["name"], x + 32, y, "start", "middle")
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
            return _line(list(zip(x, y, strict=True)), line["color"], line.get("width", 2), line.get("dash"))
        fill = _paint("fill", shape.get("fillcolor", ""))
        return _tag("rect", **_box(x, y), **fill, opacity=shape.get("opacity", 1))

    def _note(self, note: Look) -> str:
        """Return a text; one in units of the plot is anchored at the nearer side by default."""
        refs = note.get("xref", "x"), note.get("yref", "y")
        x = self._at(refs[0], note["x"], is_across=True, is_unit=True) + note.get("xshift", 0)
        y = self._at(refs[1], note["y"], is_across=False, is_unit=True) - note.get("yshift", 0)
        leader = ""
        if note.get("showarrow"):  # from the point to the text, which is aside
            end = x + note["ax"], self._at(note["ayref"], note["ay"], is_across=False, is_unit=True)
            leader = _line([(x, y), end], note["arrowcolor"], note["arrowwidth"])
            x, y = end
        nearest = [
            min(int(3 * max(note[name], 0)), 2) if ref == "paper" else 1
            for name, ref in zip("xy", refs, strict=True)
        ]
        side = note.get("xanchor") or ("left", "center", "right")[nearest[0]]
        high = note.get("yanchor") or ("bottom", "middle", "top")[nearest[1]]
        font, anchor = note.get("font", {}), {"left": "start", "center": "middle", "right": "end"}[side]
        x, y = x + {"left": 3, "right": -3}.get(side, 0), y + {"bottom": -3, "top": 3}.get(high, 0)
        return leader + _text(
            note["text"], x, y, anchor, high, size=font.get("size", _FONT), role=font.get("color", "$text")
        )

    def _trace(self, look: Look) -> str:
        """Return what a trace draws, cut off at its panel where it is not to go beyond."""
        x, y = self.axes[look.get("xaxis", "x")], self.axes[look.get("yaxis", "y")]
        parts = "".join(_bars(look, x, y) if look["type"] == "bar" else _points(look, x, y))
        if look.get("cliponaxis") is False:
            return parts
        box = _box((x.first, x.last), (y.first, y.last))
        return _tag("svg", parts, **box, viewBox=" ".join(f"{value:.1f}" for value in box.values()))


def _reached(trace: Look, letter: str) -> Iterator[Any]:
    """Yield the values of a trace on an axis, with the ends of its error bars."""
    bars = trace.get(f"error_{letter}")
    for place, value in enumerate(trace[letter]):
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
            box = _box((start, end), (middle - half, middle + half))
            yield _tag("rect", **box, **_paint("fill", _each(trace["marker"]["color"], place)))
            size = trace.get("textfont", {}).get("size", _FONT)
            yield _text(
                trace["text"][place] if "text" in trace else "", end + 4, middle, "start", "middle", size=size
            )


def _points(trace: Look, x: _Axis, y: _Axis) -> Iterator[str]:
    """Yield an area, a line, error bars, markers and texts."""
    mode, look, marker = trace.get("mode", "lines"), trace.get("line", {}), trace.get("marker", {})
    role = look.get("color", "$text")
    points = list(zip(x.places(trace["x"]), y.places(trace["y"]), strict=True))
    for is_there, run in groupby(points, lambda point: all(map(math.isfinite, point))):
        ends = list(run)
        if is_there and trace.get("fill") == "toself":
            fill = _paint("fill", trace.get("fillcolor", f"{role}/0.5"))
            yield _tag("path", d=f"{_path(ends)}Z", **fill, opacity=trace.get("opacity", 1))
        if is_there and "lines" in mode and look.get("width", 2):
            yield _line(ends, role, look.get("width", 2), look.get("dash"))
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
        yield _line([axis.across(end, at)[0] for end in ends], bars["color"], thick)
        for end in ends if cap else ():
            yield _line(axis.across(end, at - cap, at + cap), bars["color"], thick)


def _marker(look: Look, place: int, x: float, y: float) -> str:
    """Return one marker; an open one has its own colour as its line."""
    symbol, half = _each(look.get("symbol", "circle"), place), _each(look.get("size", 6), place) / 2
    role, line = _each(look.get("color", "$text"), place), look.get("line", {})
    is_open, width = symbol.endswith("-open"), line.get("width", 0)
    paint = _stroke(role if is_open else line.get("color", role), width or is_open * 1.0)
    paint |= {"fill": "none"} if is_open else _paint("fill", role)
    if symbol.startswith("line-ns"):
        return _tag("path", d=_path([(x, y - half), (x, y + half)]), **paint)
    if symbol.startswith("diamond"):
        half *= 1.3
        return _tag(
            "path", d=_path([(x, y - half), (x + half, y), (x, y + half), (x - half, y)]) + "Z", **paint
        )
    return _tag("circle", cx=x, cy=y, r=half, **paint)


def _beside(trace: Look, place: int, x: float, y: float) -> str:
    """Return the text of a point, at its side of the marker."""
    up, side = _each(trace.get("textposition", "middle center"), place).split()
    far = _each(trace.get("marker", {}).get("size", 0), place) / 2 + 3
    high, down = {"top": ("bottom", -far), "bottom": ("top", far), "middle": ("middle", 0.0)}[up]
    anchor, aside = {"center": ("middle", 0.0), "left": ("end", -far), "right": ("start", far)}[side]
    font = trace.get("textfont", {})
    size, role = font.get("size", _FONT), _each(font.get("color", "$text"), place)
    return _text(trace["text"][place], x + aside, y + down, anchor, high, size=size, role=role)


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
    return 50 + _width(trace["name"], _FONT)


def _sample(trace: Look, x: float, y: float) -> str:
    """Return the look of a trace in a legend."""
    marker, look, mode = trace.get("marker", {}), trace.get("line", {}), trace.get("mode", "lines")
    if trace["type"] == "bar" or trace.get("fill"):
        role = trace.get("fillcolor") or _each(marker.get("color", "$text"), 0)
        return _tag(
            "rect",
            **_box((x, x + 24), (y - 5, y + 5)),
            **_paint("fill", role),
            opacity=trace.get("opacity", 1),
        )
    width = look.get("width", 2) if "lines" in mode else 0
    dot = {**marker, "size": min(_each(marker.get("size", 6), 0), 10)}
    line = _line([(x, y), (x + 26, y)], look.get("color", "$text"), width, look.get("dash"))
    return line + (_marker(dot, 0, x + 13, y) if "markers" in mode else "")


def _each(value: Any, place: int) -> Any:
    """Return a setting of one point."""
    return value if isinstance(value, str | int | float) else value[place]


def _tag(name: str, body: str = "", /, **attributes: Any) -> str:
    """Return an element; its attributes are the drawing's own, and its body is SVG."""
    values = {at: f"{value:.5g}" if isinstance(value, float) else value for at, value in attributes.items()}
    head = "".join(f' {at.replace("_", "-")}="{value}"' for at, value in values.items())
    return f"<{name}{head}>{body}</{name}>" if body else f"<{name}{head}/>"


def _box(across: Iterable[float], down: Iterable[float]) -> dict[str, float]:
    (left, right), (top, bottom) = sorted(across), sorted(down)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _line(points: Sequence[tuple[float, float]], role: str, width: float, dash: str | None = None) -> str:
    return _tag("path", d=_path(points), fill="none", **_stroke(role, width, dash)) if width else ""


def _stroke(role: str, width: float, dash: str | None = None) -> dict[str, Any]:
    if not width:
        return {}
    dashes = {"stroke_dasharray": _DASHES[dash]} if dash in _DASHES else {}
    return _paint("stroke", role) | {"stroke_width": float(width)} | dashes


def _paint(what: str, role: str) -> dict[str, Any]:
    """Return the attributes of a role of colour: the colour of the text around, or one into which it is mixed."""
    name, _, alpha = role.partition("/")
    strength = {"$text": 1.0, "$quiet": 0.7, "$grid": 0.15}.get(name)
    if strength is not None:
        return {what: "currentColor", f"{what}_opacity": strength * float(alpha or 1)}
    if name == "$page":
        return {what: "#fff", "style": f"{what}:{_PAGE}"}
    if not name.startswith("$") or name == "$background":
        return {what: "none"}
    colour = colour_of(name, "print")
    mixed = {what: colour, "style": f"{what}:color-mix(in srgb,currentColor 15%,{colour})"}
    return mixed | ({f"{what}_opacity": alpha} if alpha else {})


_BASE = {"top": 0.8, "middle": 0.35, "bottom": -0.2}
"""How far below its place the base of a line of text is, in its size."""


def _text(
    markup: str,
    x: float,
    y: float,
    anchor: str,
    high: str,
    *,
    size: float = _FONT,
    role: str = "$text",
    angle: int = 0,
) -> str:
    """Return text with what it has of Plotly's markup; all else in it is shown as it is."""
    lines = str(markup).split("<br>")
    first = y + size * (_BASE[high] - {"top": 0, "middle": 0.6, "bottom": 1.2}[high] * (len(lines) - 1))
    body = "".join(
        _tag("tspan", "".join(_marked(line)), x=x, y=first + 1.2 * size * number)
        for number, line in enumerate(lines)
    )
    look: dict[str, Any] = {} if role == "$text" else _paint("fill", role)
    look |= {"transform": f"rotate({angle} {x:.1f} {y:.1f})"} if angle else {}
    return _tag("text", body, text_anchor=anchor, font_size=float(size), **look)


def _marked(line: str) -> Iterator[str]:
    """Yield parts of a line: markup that is known as SVG, anything else escaped; nothing stays open."""
    look: dict[str, Any] = {}
    for part in _MARKUP.split(line):
        if part == "<b>":
            look |= {"font_weight": "bold"}
        elif part.startswith("<span "):
            look |= _paint("fill", part.split('"')[1].removeprefix("color:"))
        elif part in ("</b>", "</span>"):
            look = {}
        elif part:
            text = html.escape(html.unescape(part))
            yield _tag("tspan", text, **look) if look else text


def _width(markup: str, size: float) -> float:
    """Return about how wide a text is."""
    lines = _MARKUP.sub(lambda tag: "\n" if tag[0] == "<br>" else "", str(markup)).split("\n")
    return max(len(html.unescape(line)) for line in lines) * _LETTER * size


def _step(at_least: float) -> float:
    """Return the next round step: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(at_least))
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= at_least * (1 - 1e-9))


def _number(value: float, form: str) -> str:
    """Return a number of an axis in a format of Plotly's, or with the digits that it has."""
    text = format(value, {"": ",.10g", ",d": ",.0f"}.get(form, form.replace("~", "")))
    text = text.rstrip("0").rstrip(".") if "~" in form else text
    return text.replace("-", "−")
