"""Figures as plain data against Plotly's own figures, which are built by the same calls."""

from collections.abc import Callable
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

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
