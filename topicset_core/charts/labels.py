"""Names in a figure, and their places: on long axes, at the ends of lines, next to points."""

import html
from collections.abc import Sequence
from typing import Any

LONGEST = 22
"""Characters of a label; the full name shows on hovering."""


def literal(text: str) -> str:
    """Return text that Plotly shows as it is: names may look like its markup, or like places in its templates."""
    return html.escape(text, quote=False).replace("%{", "%&#123;")


def category_axis(names: Sequence[str]) -> dict[str, Any]:
    """Return settings of an axis of categories called by names, some of which may be long."""
    # Names that are numbers, as topic ids are, stay names; a name is labelled where there is room for it.
    labels = {name: literal(shortened(name)) for name in names}
    aliases = {name: label for name, label in labels.items() if label != name}
    return {"type": "category", "showgrid": False, "labelalias": aliases}


def shortened(name: str) -> str:
    """Return the name, its middle left out where it is long: run names differ at either end."""
    if len(name) <= LONGEST:
        return name
    half = (LONGEST - 1) // 2
    return f"{name[: LONGEST - 1 - half]}…{name[-half:]}"


def spread(ascending: Sequence[float], gap: float) -> list[float]:
    """Move values apart until all are at least `gap` from the next; their order and middle stay."""
    # Values that touch form a block around their mean, and blocks that touch are one.
    blocks: list[list[float]] = []
    for value in ascending:
        blocks.append([value])
        while len(blocks) > 1 and _bottom(blocks[-1], gap) - _top(blocks[-2], gap) < gap:
            last = blocks.pop()
            blocks[-1] += last
    return [_bottom(block, gap) + place * gap for block in blocks for place in range(len(block))]


def _bottom(block: Sequence[float], gap: float) -> float:
    return sum(block) / len(block) - gap * (len(block) - 1) / 2


def _top(block: Sequence[float], gap: float) -> float:
    return sum(block) / len(block) + gap * (len(block) - 1) / 2


_PLACES = {
    "top center": (0.0, 1.0),
    "bottom center": (0.0, -1.0),
    "middle right": (1.0, 0.0),
    "middle left": (-1.0, 0.0),
}
_ABOVE = "top center"
_WIDE, _HIGH = 90, 22  # characters and lines that a chart has room for, about


def clear_of_each_other(
    x: Sequence[float], y: Sequence[float], names: Sequence[str], rather: Sequence[str] = ()
) -> list[str]:
    """Return a text position per point, for Plotly: the usual one if that place is free, else another side."""
    if not names:
        return []
    across, down = (max(max(values) - min(values), 1e-12) for values in (x, y))
    points = [(_WIDE * place / across, _HIGH * other / down) for place, other in zip(x, y, strict=True)]
    taken = [(column - 1.0, column + 1.0, line) for column, line in points]
    results = []
    for (column, line), name, usual in zip(points, names, rather or [_ABOVE] * len(names), strict=True):
        half = len(name) / 2
        boxes = {
            place: (middle - half, middle + half, line + up)
            for place, (aside, up) in _PLACES.items()
            for middle in [column + aside * (half + 1.5)]
        }
        order = sorted(_PLACES, key=lambda place: place != usual)
        best = min(order, key=lambda place: sum(_overlap(boxes[place], other) for other in taken))
        taken.append(boxes[best])
        results.append(best)
    return results


def _overlap(box: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return how much of two lines of text, from left to right at a height, is on the same spot."""
    wide = min(box[1], other[1]) - max(box[0], other[0])
    high = 1.0 - abs(box[2] - other[2])
    return max(wide, 0.0) * max(high, 0.0)
