"""Every score of a matrix as a cell: which topics are hard, which runs are good, what stands out."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from topicset_core.charts.labels import LONGEST, category_axis
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure
from topicset_core.collection import ScoreMatrix

_LONGEST_HOVER = 80  # characters
_SHORTEST, _TALLEST, _ROW = 220, 760, 16  # pixels


def score_heat_map(matrix: ScoreMatrix, *, by_means: bool, mode: Mode) -> go.Figure:
    """Draw topics from left to right and runs from top to bottom, a cell a score.

    Parameters
    ----------
    matrix : ScoreMatrix
        The scores.
    by_means : bool
        Topics from the hardest to the easiest and runs from the best to the worst, by their means;
        else in the order of the file.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    topics, systems = np.arange(matrix.n_topics), np.arange(matrix.n_systems)
    if by_means:
        topics = np.argsort(matrix.scores.mean(axis=1), kind="stable")
        systems = np.argsort(-matrix.scores.mean(axis=0), kind="stable")
    topic_ids = [matrix.topics[place] for place in topics.tolist()]
    run_names = [matrix.systems[place] for place in systems.tolist()]
    order = "best run on top, hardest topic first" if by_means else "runs and topics in the order of the file"
    figure = new_figure(
        mode,
        title=f"{matrix.measure}: {order}",
        x_title=f"{matrix.n_topics:,} topics",
        y_title=f"{matrix.n_systems:,} runs",
        height=min(max(150 + _ROW * matrix.n_systems, _SHORTEST), _TALLEST),
    )
    figure.add_heatmap(
        # Single precision halves what the browser is sent; seven digits are more than a colour shows.
        z=matrix.scores[np.ix_(topics, systems)].T.astype(np.float32),
        colorscale=[
            (place / len(palette.ramp), colour) for place, colour in enumerate((palette.grid, *palette.ramp))
        ],
        colorbar={
            "title": {"text": literal(matrix.measure), "side": "right"},
            "thickness": 14,
            "outlinewidth": 0,
            "tickfont": {"size": 12, "color": palette.text},
        },
        **_names(topic_ids, run_names),
        name="scores",
    )
    figure.update_xaxes(**category_axis(topic_ids))
    figure.update_yaxes(autorange="reversed", **category_axis(run_names))
    return figure


def _names(topics: Sequence[str], runs: Sequence[str]) -> dict[str, Any]:
    """Name rows and columns; where the axes show names changed, they go along with each cell."""
    names = {"x": list(topics), "y": list(runs)}
    if all(len(name) <= LONGEST and literal(name) == name for name in (*topics, *runs)):
        return names | {"hovertemplate": "topic %{x}, run %{y}: %{z:.4g}<extra></extra>"}
    cut_topics, cut_runs = ([literal(name[:_LONGEST_HOVER]) for name in each] for each in (topics, runs))
    return names | {
        "text": [[f"topic {topic}, run {run}" for topic in cut_topics] for run in cut_runs],
        "hovertemplate": "%{text}: %{z:.4g}<extra></extra>",
    }
