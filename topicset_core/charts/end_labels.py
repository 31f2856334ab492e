"""Names at the ends of lines, moved apart where lines end close together."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.charts.style import Mode, end_label


def end_labels(
    figure: go.Figure,
    mode: Mode,
    ends: Sequence[tuple[float, float, str, bool]],
    *,
    height: float,
    gap: float = 0.055,
) -> None:
    """Write the name of each line at its end.

    Parameters
    ----------
    figure : Figure
        With a linear y axis.
    mode : {"light", "dark", "print"}
        Colours.
    ends : sequence of (float, float, str, bool)
        x and y of the end of each line, its name, and whether it is the user's.
    height : float
        Range of the y axis.
    gap : float
        Least distance of two names, as a share of the height.
    """
    order = sorted(ends, key=lambda end: end[1])
    for (x, _, text, is_yours), y in zip(order, spread([end[1] for end in order], gap * height), strict=True):
        end_label(figure, mode, x=x, y=y, text=text, is_yours=is_yours)


def spread(ascending: Sequence[float], gap: float) -> list[float]:
    """Move values apart until none is closer than `gap` to the next; their order and middle stay.

    Values that touch form a block around their mean, and blocks that touch are one.
    """
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
