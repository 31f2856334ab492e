"""A chart with its exports: SVG and PNG in print style, drawn again in the browser."""

import base64
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
import streamlit as st
from plotly.basedatatypes import BaseFigure

from pages.parts import frame
from topicset_core.exports.colours import QUIET, Mode, for_print, resolved
from topicset_core.exports.figures import (
    PRINT_FONT,
    SCALE,
    WIDTH,
    Drawing,
    Figure,
    below_title,
    marked_as_sample,
    merged,
)

_MARGIN = 12  # pixels to the left of a title

# Charts are drawn again to be saved: on white, with their title, and with a font that is there wherever the file is
# opened.
_SAVE = st.components.v2.component(
    "topicset.save_chart",
    html='<span class="label">Save chart</span>'
    '<button data-format="svg" aria-label="Save chart as SVG">SVG</button>'
    '<button data-format="png" aria-label="Save chart as PNG">PNG</button>',
    css="""
    :host { display: flex; gap: 0.4rem; align-items: center; }
    .label { font: 0.875rem var(--st-font); color: var(--st-text-color); }
    button {
      font: 0.875rem var(--st-font); color: var(--st-text-color); cursor: pointer;
      background: transparent; border: 1px solid var(--st-border-color);
      border-radius: var(--st-base-radius); padding: 0.25rem 0.7rem; margin-left: 0.4rem;
    }
    button:hover, button:focus-visible { border-color: var(--st-primary-color); }
    """,
    js="""
    const two = number => Number(number).toString(16).padStart(2, "0");
    function printed(value, colours) {
      if (typeof value === "string") {
        return value
          .replace(/#[0-9a-f]{6}/gi, hex => colours[hex.toUpperCase()] ?? hex)
          .replace(/rgba\\((\\d+), ?(\\d+), ?(\\d+), ?([\\d.]+)\\)/g, (whole, r, g, b, alpha) => {
            const paper = colours[("#" + two(r) + two(g) + two(b)).toUpperCase()];
            const parts = paper?.slice(1).match(/../g).map(pair => parseInt(pair, 16));
            return parts ? `rgba(${parts},${alpha})` : whole;
          });
      }
      if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
      if (Array.isArray(value)) return value.map(one => printed(one, colours));
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, printed(one, colours)]));
    }
    // The camera of the chart copies data and layout as soon as it is clicked, and draws the copy.
    function save(chart, format, data) {
      const {data: drawn, layout: shown} = chart, height = shown.height + data.title;
      chart.data = printed(drawn, data.colours);
      chart.layout = printed(shown, data.colours);
      Object.assign(chart.layout, {
        paper_bgcolor: "#FFFFFF", plot_bgcolor: "#FFFFFF",
        font: { ...chart.layout.font, family: data.font },
        title: { ...chart.layout.title, pad: { ...shown.title?.pad, l: data.margin } },
        margin: { ...shown.margin, t: shown.margin.t + data.title },
      });
      const scale = format === "png" ? data.scale : 1;
      chart._context.toImageButtonOptions = { format, filename: data.name, width: data.width, height, scale };
      chart.querySelector(".modebar-btn").click();
      Object.assign(chart, { data: drawn, layout: shown });
    }
    export default function ({ data, parentElement, setTriggerValue }) {
      for (const button of parentElement.querySelectorAll("button")) {
        button.onclick = () => {
          const chart = document.querySelector(`.st-key-${data.key} .js-plotly-plot`);
          if (chart) save(chart, button.dataset.format, data);
        };
      }
      // The server draws charts for the theme of the system. When that changes, the page has to run again.
      const scheme = matchMedia("(prefers-color-scheme: dark)");
      const changed = () => setTimeout(() => setTriggerValue("theme", scheme.matches), 300);
      scheme.addEventListener("change", changed);
      return () => scheme.removeEventListener("change", changed);
    }
    """.replace("\\\\", "\\"),
)


def show(
    *figures: Figure,
    of: str = "",
    is_marked: bool = False,
    on_click: Callable[[float], None] | None = None,
    before: tuple[float, float] | None = None,
) -> None:
    """Draw figures, each with buttons that save it; figures of simulated data are marked as simulated."""
    # A click on a point of a line calls `on_click` with its x; a ring marks the point `before` the last
    # change.
    for one in figures:
        drawn = marked_as_sample(one) if frame.on_sample() and not is_marked else one
        _show(drawn, f"{of}-{one.name}" if of else one.name, on_click, before)


def _show(
    figure: Figure,
    file: str,
    on_click: Callable[[float], None] | None,
    before: tuple[float, float] | None,
) -> None:
    key, mode = figure.name, frame.chart_mode()
    title, drawing, height = below_title(figure.drawing)
    chart = f"chart-{key}"
    more: dict[str, Any] = {}
    if on_click is not None:
        drawing = _clickable(drawing, before)
        more = {"on_select": partial(_clicked, chart, on_click), "selection_mode": "points"}
    with frame.chart_place(), st.container(key=f"figure-{key}", gap="xsmall"):
        st.html(title)
        st.plotly_chart(
            Ready(drawing, mode),
            key=chart,
            theme=None,
            alt=figure.alt,
            config={"displaylogo": False, "modeBarButtons": [["toImage"]]},
            **more,
        )
        saved = {"key": f"figure-{key}", "name": file, "colours": for_print(mode), "title": height}
        look = {"font": PRINT_FONT, "width": WIDTH, "scale": SCALE, "margin": _MARGIN}
        _SAVE(data=saved | look, key=f"save-{key}", on_theme_change=lambda: None)


class Ready(BaseFigure):
    """A drawing as Streamlit takes it from Plotly, without Plotly's objects: they took ten times its time."""

    def __init__(self, drawing: Drawing, mode: Mode) -> None:
        layout = {"template": _template()} | resolved(drawing.layout, mode)
        data = [_packed(resolved(trace, mode)) for trace in drawing.data]
        self.__dict__["ready"] = {"data": data, "layout": layout}  # Plotly forbids other names

    def to_dict(self) -> dict[str, Any]:
        """Return what is drawn."""
        result: dict[str, Any] = self.__dict__["ready"]
        return result


@cache
def _template() -> dict[str, Any]:
    """Return what Plotly gives to all figures."""
    result: dict[str, Any] = go.Figure().to_dict()["layout"]["template"]
    return result


_TYPES = {"f": ("f8", np.float64), "i": ("i4", np.int32)}


def _packed(value: Any) -> Any:
    """Return part of a figure with its arrays as Plotly's script reads them: as bytes, half as long as text."""
    if isinstance(value, dict):
        return {name: _packed(one) for name, one in value.items()}
    if not isinstance(value, np.ndarray) or value.dtype.kind not in _TYPES or value.size == 0:
        return value
    name, kind = _TYPES[value.dtype.kind]
    array = np.ascontiguousarray(value, kind)
    if not np.array_equal(array, value, equal_nan=name == "f8"):  # an integer that is too large
        return value
    packed = {"dtype": name, "bdata": base64.b64encode(array.data).decode()}
    return packed if array.ndim == 1 else packed | {"shape": ", ".join(map(str, array.shape))}


def _clickable(drawing: Drawing, before: tuple[float, float] | None) -> Drawing:
    """Return a drawing whose lines have markers that are not seen, as only points can be clicked."""
    result = Drawing(merged(drawing.layout, {"clickmode": "event+select", "dragmode": False}))
    for trace in drawing.data:
        is_line = trace.get("mode") == "lines"
        more = {"mode": "lines+markers", "marker": {"size": 6, "opacity": 0}} if is_line else {}
        stays = {"marker": {"opacity": 0 if is_line else 1}}  # a click would fade what it does not select
        result.data.append(merged(trace, more | {"selected": stays, "unselected": stays}))
    if before is not None:
        x, y = before
        # Of points at one place the smallest shows its text: one within the ring, as lines have points there.
        marker = {"symbol": "circle-open", "size": [13, 1], "color": QUIET, "line": {"width": 2}}
        hover = f"before: {y:,.0f} topics at {x:g}"
        result.add(
            "scatter", x=[x] * 2, y=[y] * 2, mode="markers", marker=marker, hovertext=hover, hoverinfo="text"
        )
    return result


def _clicked(chart: str, on_click: Callable[[float], None]) -> None:
    """Call back with the x of the point that was clicked."""
    for point in st.session_state[chart].selection.points:
        on_click(float(point["x"]))
