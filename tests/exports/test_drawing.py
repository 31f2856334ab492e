"""Figures as plain data against Plotly's own figures, which are built by the same calls."""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from plotly.io import to_json

from pages.parts import figure
from topicset_core.exports.figures import Drawing

LAYOUT = {
    "title": {"text": "T", "font": {"size": 15}},
    "xaxis": {"ticks": "outside"},
    "yaxis": {},
    "xaxis2": {},
}
LINE = {"color": "#123456", "width": 1, "dash": "dot"}


def _build(figure: Any, add: Callable[..., Any], axis: Callable[..., Any]) -> Any:
    add("scatter", x=np.array([1.0, 2.0]), y=[3, None], mode="lines", line=LINE, name=None)
    add("bar", x=[1], y=["a"], orientation="h", marker={"color": ["#000000"], "opacity": None})
    add("histogram", x=[1, 2, 2], xbins={"start": 0, "end": 3, "size": 1})
    add("heatmap", z=[[0.5, 1.0]], colorscale=[[0, "#000000"], [1, "#FFFFFF"]])
    add("contour", x=[1, 2], y=[1, 2], z=[[1, 2], [3, 4]], contours={"start": 2, "end": 2, "size": 1})
    figure.add_hline(y=0.95, line=LINE)
    figure.add_vline(x=3, line=LINE, layer="below")
    figure.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, line={"width": 0})
    figure.add_annotation(x=1, y=2, text="note", font={"size": 12, "color": None})
    figure.update_layout(title={"font": {"color": "#654321"}}, margin={"r": 90}, showlegend=None)
    axis("x", type="log", range=[0, 2])
    axis("y", title={"text": "y"})
    return figure


def test_the_same_calls_give_the_same_figure_as_plotly() -> None:
    drawing, plotly = Drawing(LAYOUT), go.Figure(layout=LAYOUT)
    ours = _build(drawing, drawing.add, drawing.axis)
    theirs = _build(
        plotly,
        lambda kind, **trace: getattr(plotly, f"add_{kind}")(**trace),
        lambda axis, **changes: getattr(plotly, f"update_{axis}axes")(**changes),
    )
    assert ours.to_plotly().to_dict() == ours.to_plotly(is_checked=False).to_dict() == theirs.to_dict()
    assert LAYOUT["yaxis"] == {}


def _unpacked(value: Any) -> Any:
    """Return part of a figure with its arrays as lists; NumPy reads the bytes as Plotly's script does."""
    if isinstance(value, dict) and "bdata" in value:
        array = np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"])
        shape = [int(one) for one in value.get("shape", str(array.size)).split(",")]
        return array.reshape(shape).tolist()
    if isinstance(value, dict):
        return {name: _unpacked(one) for name, one in value.items()}
    return [_unpacked(one) for one in value] if isinstance(value, list) else value


def test_pages_draw_what_plotly_draws() -> None:
    drawing = Drawing({"title": {"text": "T"}, "xaxis": {"range": [0, 2]}})
    numbers, words = np.array([0.1, np.pi, 1e300]), np.array(["a", "b", "c"])
    large = np.array([1, 2**40, 2])  # more than the 32 bits of an integer in JavaScript
    drawing.add("scatter", x=numbers, y=numbers[::-1], text=words, error_y={"array": np.array([1.5], "f4")})
    drawing.add("scatter", x=np.array([1, -2, 3]), y=large, line={"color": "$series-1"})
    drawing.add("heatmap", z=np.array([[0.5, 1.0], [2.0, 3.0]]), x=np.array([]))
    ours, theirs = (
        _unpacked(json.loads(to_json(one.to_dict(), validate=False)))
        for one in (figure.Ready(drawing, "dark"), drawing.to_plotly("dark"))
    )
    assert ours == theirs


def test_a_line_across_one_panel() -> None:
    drawing = Drawing(LAYOUT)
    drawing.add_hline(y=1, line=LINE, panel="2")
    (shape,) = drawing.layout["shapes"]
    assert (shape["xref"], shape["yref"]) == ("x2 domain", "y2")


def test_figures_from_the_same_parts_do_not_change_together() -> None:
    axis = {"title": {"text": "x"}}
    one, other = Drawing({"xaxis": axis, "yaxis": axis}), Drawing({"xaxis": axis})
    one.axis("x", title={"text": "changed"})
    assert (one.layout["yaxis"], other.layout["xaxis"], axis) == (axis, axis, {"title": {"text": "x"}})


def test_plotly_names_an_unknown_property() -> None:
    drawing = Drawing({})
    drawing.add("scatter", x=[1], y=[1], colour="red")
    with pytest.raises(ValueError, match="colour"):
        drawing.to_plotly()
