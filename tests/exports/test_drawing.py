"""Figures as plain data against Plotly's own figures, which are built by the same calls."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from topicset_core.exports.drawing import Drawing

LAYOUT = {
    "title": {"text": "T", "font": {"size": 15}},
    "xaxis": {"ticks": "outside"},
    "yaxis": {},
    "xaxis2": {},
}
LINE = {"color": "#123456", "width": 1, "dash": "dot"}


def _build(figure: Any) -> Any:
    figure.add_scatter(x=np.array([1.0, 2.0]), y=[3, None], mode="lines", line=LINE, name=None)
    figure.add_bar(x=[1], y=["a"], orientation="h", marker={"color": ["#000000"], "opacity": None})
    figure.add_histogram(x=[1, 2, 2], xbins={"start": 0, "end": 3, "size": 1})
    figure.add_heatmap(z=[[0.5, 1.0]], colorscale=[[0, "#000000"], [1, "#FFFFFF"]])
    figure.add_contour(x=[1, 2], y=[1, 2], z=[[1, 2], [3, 4]], contours={"start": 2, "end": 2, "size": 1})
    figure.add_hline(y=0.95, line=LINE)
    figure.add_vline(x=3, line=LINE, layer="below")
    figure.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, line={"width": 0})
    figure.add_annotation(x=1, y=2, text="note", font={"size": 12, "color": None})
    figure.update_layout(title={"font": {"color": "#654321"}}, margin={"r": 90}, showlegend=None)
    figure.update_xaxes(type="log", range=[0, 2])
    figure.update_yaxes(title={"text": "y"})
    return figure


def test_the_same_calls_give_the_same_figure_as_plotly() -> None:
    ours, theirs = _build(Drawing(LAYOUT)), _build(go.Figure(layout=LAYOUT))
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
    one.update_xaxes(title={"text": "changed"})
    assert (one.layout["yaxis"], other.layout["xaxis"], axis) == (axis, axis, {"title": {"text": "x"}})


def test_plotly_names_an_unknown_property() -> None:
    drawing = Drawing({})
    drawing.add_scatter(x=[1], y=[1], colour="red")
    with pytest.raises(ValueError, match="colour"):
        drawing.to_plotly()
