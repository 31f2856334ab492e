"""Two panels side by side in one figure, each with axes of its own."""

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from topicset_core.charts.style import literal

DOMAINS = ((0.0, 0.4), (0.6, 1.0))
"""Where the panels stand, as shares of the width; on a phone numbers and a title fit between them."""

_TOP = 68  # pixels: the title, and below it the names of the panels


def axes_of(panel: int) -> dict[str, Any]:
    """Return the axes of a panel, 0 or 1, as traces take them."""
    return {"xaxis": "x2", "yaxis": "y2"} if panel else {"xaxis": "x", "yaxis": "y"}


def side_by_side(figure: go.Figure, *, y_titles: Sequence[str], names: Sequence[str]) -> None:
    """Give a figure a second panel with the looks of the first, and name both above.

    Parameters
    ----------
    figure : Figure
        In the house style, nothing drawn yet.
    y_titles : sequence of str
        Of both panels.
    names : sequence of str
        Written above them.
    """
    second: tuple[dict[str, Any], ...] = ({"anchor": "y2", "domain": DOMAINS[1]}, {"anchor": "x2"})
    for axis, own in zip(("xaxis", "yaxis"), second, strict=True):
        figure.update_layout({f"{axis}2": figure.layout[axis].to_plotly_json() | own})
    figure.update_layout(
        xaxis_domain=DOMAINS[0],
        margin_t=_TOP,
        yaxis_title_text=literal(y_titles[0]),
        yaxis2_title_text=literal(y_titles[1]),
    )
    for name, domain in zip(names, DOMAINS, strict=True):
        figure.add_annotation(
            x=domain[0],
            xref="paper",
            y=1,
            yref="paper",
            text=f"<b>{literal(name)}</b>",
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"size": 13},
        )
