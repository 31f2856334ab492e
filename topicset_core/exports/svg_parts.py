"""Parts of an SVG: elements, boxes, paths, colours of roles, and text with Plotly's markup."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from topicset_core.exports.colours import colour_of

FONT_SIZE, _LETTER = 12, 0.6  # in pixels; the width of a letter, per its size
_DASHES = {"dot": "2 3", "dash": "7 4", "longdash": "11 5", "dashdot": "7 4 2 4"}
PAGE_COLOUR = "var(--jp-layout-color0,var(--vscode-editor-background,#fff))"
_COLOUR = re.compile(r"#[0-9A-Fa-f]{6}|rgba\([\d.]+(,[\d.]+){3}\)")
_MARKUP = re.compile(r'(<br>|</?b>|</span>|<span style="color:[^"<>]*">)')


def element(name: str, body: str = "", /, **attributes: Any) -> str:
    """Return an element; its attributes are the drawing's own, and its body is SVG."""
    values = {at: f"{value:.5g}" if isinstance(value, float) else value for at, value in attributes.items()}
    head = "".join(f' {at.replace("_", "-")}="{html.escape(str(value))}"' for at, value in values.items())
    return f"<{name}{head}>{body}</{name}>" if body else f"<{name}{head}/>"


def box_of(across: Iterable[float], down: Iterable[float]) -> dict[str, float]:
    """Return place and size of a rectangle between two sides and two heights."""
    (left, right), (top, bottom) = sorted(across), sorted(down)
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


def path_of(points: Iterable[tuple[float, float]]) -> str:
    """Return the path through points."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def line_of(points: Sequence[tuple[float, float]], role: str, width: float, dash: str | None = None) -> str:
    """Return a line through points in a colour; nothing without a width."""
    return element("path", d=path_of(points), fill="none", **stroke_of(role, width, dash)) if width else ""


def stroke_of(role: str, width: float, dash: str | None = None) -> dict[str, Any]:
    """Return the attributes of a line."""
    if not width:
        return {}
    dashes = {"stroke_dasharray": _DASHES[dash]} if dash in _DASHES else {}
    return paint_of("stroke", role) | {"stroke_width": float(width)} | dashes


def paint_of(what: str, role: str) -> dict[str, Any]:
    """Return the attributes of a role of colour: the colour of the text around, or one into which it is mixed."""
    if _COLOUR.fullmatch(role):  # a figure of a file has colours
        return {what: role}
    name, _, alpha = role.partition("/")
    strength = {"$text": 1.0, "$quiet": 0.7, "$grid": 0.15}.get(name)
    if strength is not None:
        return {what: "currentColor", f"{what}_opacity": strength * float(alpha or 1)}
    if name == "$page":
        return {what: "#fff", "style": f"{what}:{PAGE_COLOUR}"}
    if not name.startswith("$") or name == "$background":
        return {what: "none"}
    colour = colour_of(name, "print")
    mixed = {what: colour, "style": f"{what}:color-mix(in srgb,currentColor 15%,{colour})"}
    return mixed | ({f"{what}_opacity": alpha} if alpha else {})


_BASE = {"top": 0.8, "middle": 0.35, "bottom": -0.2}
"""How far below its place the base of a line of text is, in its size."""


def text_of(
    markup: str,
    x: float,
    y: float,
    anchor: str,
    high: str,
    *,
    size: float = FONT_SIZE,
    role: str = "$text",
    angle: int = 0,
) -> str:
    """Return text with what it has of Plotly's markup; all else in it is shown as it is."""
    lines = str(markup).split("<br>")
    first = y + size * (_BASE[high] - {"top": 0, "middle": 0.6, "bottom": 1.2}[high] * (len(lines) - 1))
    body = "".join(
        element("tspan", "".join(marked(line)), x=x, y=first + 1.2 * size * number)
        for number, line in enumerate(lines)
    )
    look: dict[str, Any] = {} if role == "$text" else paint_of("fill", role)
    look |= {"transform": f"rotate({angle} {x:.1f} {y:.1f})"} if angle else {}
    return element("text", body, text_anchor=anchor, font_size=float(size), **look)


def marked(line: str) -> Iterator[str]:
    """Yield parts of a line: markup that is known as SVG, anything else escaped; nothing stays open."""
    look: dict[str, Any] = {}
    for part in _MARKUP.split(line):
        if part == "<b>":
            look |= {"font_weight": "bold"}
        elif part.startswith("<span "):
            look |= paint_of("fill", part.split('"')[1].removeprefix("color:"))
        elif part in ("</b>", "</span>"):
            look = {}
        elif part:
            text = html.escape(html.unescape(part))
            yield element("tspan", text, **look) if look else text


def plain_text(markup: str) -> str:
    """Return a text without Plotly's markup."""
    return html.unescape(_MARKUP.sub(lambda mark: " " if mark[0] == "<br>" else "", str(markup)))


def width_of(markup: str, size: float) -> float:
    """Return about how wide a text is."""
    lines = _MARKUP.sub(lambda mark: "\n" if mark[0] == "<br>" else "", str(markup)).split("\n")
    return max(len(html.unescape(line)) for line in lines) * _LETTER * size
