"""Properties of every figure: finite points, named axes, colours that can be read on their page."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any, get_args

import numpy as np

from tests.reference_data import REPOSITORY
from topicset_core.exports.colours import PALETTES, TRANSPARENT, Mode, colour_of
from topicset_core.exports.figures import Drawing, Figure

MODES: tuple[Mode, ...] = get_args(Mode)

TEXT_CONTRAST, LINE_CONTRAST = 4.5, 3.0
"""Least ratios of WCAG 2.2: 1.4.3 for text of this size, 1.4.11 for graphical objects."""


def traces(figure: Figure | Drawing, name: str | None = None, mode: Mode = "print") -> list[Any]:
    """Return all traces, or those of a name, as Plotly has them: it checks every property."""
    every: list[Any] = list(_drawing(figure).to_plotly(mode).data)
    return [trace for trace in every if name in (None, trace.name)]


def layout_of(figure: Figure | Drawing, mode: Mode = "print") -> Any:
    """Return the layout as Plotly has it: it checks every property."""
    return _drawing(figure).to_plotly(mode).layout


def _drawing(figure: Figure | Drawing) -> Drawing:
    return figure.drawing if isinstance(figure, Figure) else figure


def assert_roles(figure: Figure | Drawing) -> None:
    """Assert that every colour of a figure is a role, which each mode has a colour for."""

    def colours(name: str, value: Any) -> Iterator[Any]:
        if isinstance(value, dict):
            for key, one in value.items():
                yield from colours(key, one)
        elif name.endswith("color") or name in ("colorway", "colorscale"):
            yield from strings(value)
        elif name in ("annotations", "shapes"):
            for one in value:
                yield from colours("", one)
        elif isinstance(value, str):
            yield from re.findall(r"color:([^;\"]+)", value)

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                yield from strings(one)

    drawing = _drawing(figure)
    found = {*colours("", drawing.layout), *(one for trace in drawing.data for one in colours("", trace))}
    assert found
    for role in found - {TRANSPARENT}:
        for mode in MODES:
            assert re.fullmatch(r"#[0-9A-F]{6}|rgba\(\d+,\d+,\d+,[\d.]+\)", colour_of(role, mode)), role


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, WCAG 2.2: from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    assert re.fullmatch(r"#[0-9A-Fa-f]{6}", colour), colour
    parts = np.array([int(colour[start : start + 2], 16) for start in (1, 3, 5)]) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def backgrounds_of_the_app() -> dict[Mode, str]:
    """The colours of the page in both themes, as the app is configured."""
    config = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    return {mode: config["theme"][mode]["backgroundColor"] for mode in MODES if mode != "print"}


def check(figure: Figure | Drawing, *, x: str, y: str) -> None:
    """Assert the properties of every figure, in every mode; its axes name the symbols or units `x` and `y`.

    All words of a chart are in the record of its page, tests/golden.
    """
    assert_roles(figure)
    layout = layout_of(figure)
    for axis, named_there in ((layout.xaxis, x), (layout.yaxis, y)):
        assert axis.title.text
        assert named_there in axis.title.text
    assert layout.title.text
    assert traces(figure)
    for trace in traces(figure):
        for values in (trace.x, trace.y):
            numbers = np.asarray([value for value in values if value is not None], dtype=float)
            assert numbers.size
            assert np.isfinite(numbers).all(), trace.name
    for mode in MODES:
        page = PALETTES[mode].page
        for part, colour in _text_colours(figure, mode):
            assert contrast(colour, page) >= TEXT_CONTRAST, (mode, part, colour)
        for part, colour in _line_colours(figure, mode):
            assert contrast(colour, page) >= LINE_CONTRAST, (mode, part, colour)


def _text_colours(figure: Figure | Drawing, mode: Mode) -> Iterator[tuple[str, str]]:
    layout = layout_of(figure, mode)
    yield "base", layout.font.color
    yield "title", layout.title.font.color
    for axis in (layout.xaxis, layout.yaxis):
        yield "axis title", axis.title.font.color
        yield "ticks", axis.tickfont.color
    for note in layout.annotations:
        yield note.text, note.font.color or layout.font.color
        yield from ((note.text, colour) for colour in re.findall(r"color:(#\w+)", note.text))


def _line_colours(figure: Figure | Drawing, mode: Mode) -> Iterator[tuple[str, str]]:
    layout = layout_of(figure, mode)
    for axis in (layout.xaxis, layout.yaxis):
        yield "axis", axis.linecolor
    for trace in traces(figure, mode=mode):
        is_line = trace.type == "scatter" and trace.mode == "lines"
        colour = trace.line.color if is_line else trace.marker.color
        assert colour is not None, trace.name
        yield from ((trace.name, one) for one in ([colour] if isinstance(colour, str) else colour))
    for shape in layout.shapes:
        yield "rule", shape.line.color


def yours(figure: Figure | Drawing) -> tuple[float, float]:
    """Return where the user's point is ringed."""
    (ring,) = traces(figure, "yours")
    ((x,), (y,)) = ring.x, ring.y
    return float(x), float(y)


def named(figure: Figure | Drawing, name: str) -> Any:
    """Return the trace of a name."""
    (trace,) = traces(figure, name)
    return trace
