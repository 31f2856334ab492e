"""Where the names of points stand, so that few of them lie upon each other."""

from collections.abc import Sequence

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
    """Return a text position a point, for Plotly: the usual one where nothing is there yet, else another side.

    Parameters
    ----------
    x, y : sequence of float
        Of the points, which fill a chart.
    names : sequence of str
        What stands beside them.
    rather : sequence of str, optional
        The usual position of each; above by default.
    """
    if not names:
        return []
    across, down = (max(max(values) - min(values), 1e-12) for values in (x, y))
    points = [(_WIDE * one / across, _HIGH * other / down) for one, other in zip(x, y, strict=True)]
    taken = [(column - 1.0, column + 1.0, line) for column, line in points]
    found = []
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
        found.append(best)
    return found


def _overlap(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Return how much of two lines of text, from left to right at a height, is on the same spot."""
    wide = min(one[1], other[1]) - max(one[0], other[0])
    high = 1.0 - abs(one[2] - other[2])
    return max(wide, 0.0) * max(high, 0.0)
