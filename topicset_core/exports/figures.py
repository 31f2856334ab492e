"""A figure as plain data, in the terms of Plotly's schema; with its name and description, and as a file.

Plotly's classes check every property each time one is set. That took two fifths of the time of a page, for
properties that are the same for every user. Here nothing is checked; the tests have Plotly check every figure.
"""

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from topicset_core.exports.colours import Mode, resolved

if TYPE_CHECKING:  # drawing is an extra
    import plotly.graph_objects as go


class Drawing:
    """Traces and a layout, which grow as the figure is built."""

    # Values that are None are left out, as Plotly leaves them out; dicts within dicts are merged.

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self.data: list[dict[str, Any]] = []
        self.layout: dict[str, Any] = _copied(layout)

    def add(self, kind: str, **trace: Any) -> None:
        """Add a trace of a kind of Plotly's."""
        self.data.append({**_copied(trace), "type": kind})

    def add_annotation(self, **note: Any) -> None:
        """Add a text."""
        self.layout.setdefault("annotations", []).append(_copied(note))

    def add_shape(self, **shape: Any) -> None:
        """Add a rectangle or a line."""
        self.layout.setdefault("shapes", []).append(_copied(shape))

    def add_hline(self, *, y: float, line: Mapping[str, Any], panel: str = "") -> None:
        """Add a line across the plot, or across the panel whose axes end in this number."""
        axes = {"xref": f"x{panel} domain", "yref": f"y{panel}"}
        self.add_shape(type="line", x0=0, x1=1, y0=y, y1=y, line=line, **axes)

    def add_vline(self, *, x: float, line: Mapping[str, Any], layer: str | None = None) -> None:
        """Add a line from the bottom to the top of the plot."""
        self.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, line=line, layer=layer, xref="x", yref="y domain")

    def update_layout(self, **changes: Any) -> None:
        """Change the layout."""
        _merge(self.layout, changes)

    def axis(self, axis: str, **changes: Any) -> None:
        """Change every "x" or every "y" axis."""
        for name, settings in self.layout.items():
            if name.startswith(f"{axis}axis"):
                _merge(settings, changes)

    def to_plotly(self, mode: Mode = "print", *, is_checked: bool = True) -> "go.Figure":
        """Return the figure as Plotly's, in the colours of a mode."""
        import plotly.graph_objects as go

        data, layout = [resolved(trace, mode) for trace in self.data], resolved(self.layout, mode)
        return go.Figure({"data": data, "layout": layout}, _validate=is_checked)


def drawing_of(text: str) -> Drawing:
    """Return the drawing of a figure as JSON, in which Plotly packs arrays of numbers."""
    figure = json.loads(text, object_hook=_unpacked)
    result = Drawing(figure["layout"])
    result.data = figure["data"]
    return result


def _unpacked(value: dict[str, Any]) -> Any:
    if "bdata" not in value:
        return value
    array = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
    shape = [int(size) for size in str(value.get("shape", array.size)).split(",")]
    return array.reshape(shape).tolist()


def merged(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of both, those of the second where both have one; dicts within dicts are merged."""
    result = _copied(one)
    _merge(result, other)
    return result


def _copied(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy, without what is None; what is changed in it does not change in other figures."""
    result: dict[str, Any] = {}
    _merge(result, values)
    return result


def _merge(old: dict[str, Any], changes: Mapping[str, Any]) -> None:
    for name, value in changes.items():
        if isinstance(value, dict):
            _merge(old.setdefault(name, {}), value)
        elif value is not None:
            old[name] = value


class Figure(NamedTuple):
    """A figure of a report."""

    name: str  # short name, once in a report: pages and the command line know the figure by it
    drawing: Drawing  # the figure as plain data
    alt: str  # description of the figure, for readers who cannot see it

    @property
    def drawn(self) -> "go.Figure":
        """The figure as the chart library has it."""
        return self.drawing.to_plotly()


_MARK_HEIGHT = 24  # pixels


def marked_as_sample(figure: Figure) -> Figure:
    """Return a figure with a note below its title that its data are simulated; an empty one does not change."""
    marked = Drawing(figure.drawing.layout)
    marked.data = figure.drawing.data
    font = {"size": 13, "color": marked.layout.get("font", {}).get("color")}
    top = marked.layout.get("margin", {}).get("t", 0) + _MARK_HEIGHT
    marked.update_layout(
        title={"subtitle": {"text": "<b>Simulated sample data</b>", "font": font}}, margin={"t": top}
    )
    if "height" in marked.layout:
        marked.layout["height"] += _MARK_HEIGHT
    return Figure(figure.name, marked, f"{figure.alt} Simulated sample data.")


_TITLE_HEIGHT, LINE_HEIGHT = 28, 19
"""Pixels of a title of one line, and of each line more."""


def below_title(drawing: Drawing) -> tuple[str, Drawing, int]:
    """Return the title as HTML, which wraps, the drawing without room for it, and the height of this room."""
    # The drawing keeps its title for files; a page hides it, and marks simulated data at its headline.
    result = Drawing(drawing.layout)
    result.data = drawing.data
    title = drawing.layout["title"]
    lines = title["text"].split("<br>")
    height = _TITLE_HEIGHT + LINE_HEIGHT * (len(lines) - 1) + (_MARK_HEIGHT if "subtitle" in title else 0)
    result.layout["height"] -= height
    result.layout["margin"]["t"] -= height
    return f'<div class="chart-title">{" ".join(lines)}</div>', result, height


FIGURE_FILES = (".html", ".svg", ".png")
"""Endings of files that a figure can be written to; images need kaleido."""

WIDTH, SCALE = 900, 3
"""Pixels of a saved figure, and of a PNG for each of these."""

PRINT_FONT = "Helvetica, Arial, sans-serif"
"""In saved figures: fonts that are there wherever one is opened, so that its margins are right there."""


def figure_file(figure: Figure, ending: str) -> bytes:
    """Return a figure as an image."""
    image: bytes = figure.drawn.to_image(format=ending.removeprefix("."), width=WIDTH, scale=SCALE)
    return image
