"""The axis of completeness: percent of the judgments, on a log scale, as low levels are where things happen."""

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from topicset_core.charts.end_labels import spread
from topicset_core.charts.style import PALETTES, Mode, literal

TITLE = "judgments that stay, % (log scale)"
_TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_RIGHT = 110  # pixels beside the picture, for names at the ends of lines
_GAP = 0.055  # least distance of two names, as a share of the height
_MARGIN = 0.06
_FAINT = 0.14  # how much of its colour a band has


def completeness_axis(figure: go.Figure, levels: Sequence[float]) -> None:
    """Make the x axis that of completeness, up to all judgments."""
    low = np.log10(min(levels))
    figure.update_xaxes(
        type="log",
        range=[low - 0.03 * (2 - low) - 0.01, 2.01],
        tickvals=_TICKS,
        ticktext=[f"{tick:g}" for tick in _TICKS],
    )
    figure.update_layout(margin_r=_RIGHT)


def colours_of(measures: Sequence[str], yours: str, mode: Mode) -> dict[str, str]:
    """Return a colour for each measure: the accent for the one that is recommended, text for the reference."""
    palette = PALETTES[mode]
    # Without the second, which is close to the accent.
    series = [colour for place, colour in enumerate(palette.series) if place != 1]
    found = {name: series[(place - 1) % len(series)] for place, name in enumerate(measures)}
    found[measures[0]] = palette.text
    return found | {yours: palette.accent}


def band(
    figure: go.Figure, x: Sequence[float], low: Sequence[float], high: Sequence[float], colour: str
) -> None:
    """Shade what lies between two lines."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    figure.add_scatter(
        x=[*x, *reversed(x)],
        y=[*low, *reversed(high)],
        mode="lines",
        line={"color": colour, "width": 0},
        fill="toself",
        fillcolor=f"rgba({red},{green},{blue},{_FAINT})",
        hoverinfo="skip",
        name="interval",
    )


def name_lines(
    figure: go.Figure, ends: Sequence[tuple[str, float, str]], *, low: float, high: float, log_y: bool = False
) -> None:
    """Write names at the right end of lines, in their colours and moved apart, and set the y axis.

    Parameters
    ----------
    figure : Figure
        With a completeness axis; on a log y axis values are logarithms.
    ends : sequence of (str, float, str)
        Name, last value and colour of each line.
    low, high : float
        The smallest and largest value drawn.
    log_y : bool
        Whether the y axis is logarithmic: then `low`, `high` and the ends are base-10 logarithms.
    """
    height = (high - low) or 1.0
    order = sorted(ends, key=lambda end: end[1])
    for (name, _, colour), y in zip(order, spread([end[1] for end in order], _GAP * height), strict=True):
        figure.add_annotation(
            x=1,
            xref="paper",
            y=y,
            text=literal(name),
            showarrow=False,
            xanchor="left",
            xshift=6,
            font={"color": colour, "size": 12},
        )
    edges = [low - _MARGIN * height, high + _MARGIN * height]
    figure.update_yaxes(range=edges, type="log" if log_y else "linear")
