"""The figures of scores: every score as a cell, the means of runs, and variances round after round."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.score_variance.run_means import RunMeans
from topicset_core.analyses.score_variance.uncertainty import Round, VarianceUncertainty
from topicset_core.charts.labels import LONGEST, category_axis, shortened
from topicset_core.charts.style import literal, new_figure
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.colours import ACCENT, GRID, QUIET, RAMP, SERIES, TEXT
from topicset_core.exports.drawing import Drawing

_LONGEST_HOVER = 80  # characters
_SHORTEST, _TALLEST, _ROW = 220, 760, 16  # pixels


def score_heat_map(matrix: ScoreMatrix, *, by_means: bool) -> Drawing:
    """Draw topics from left to right and runs from top to bottom, a cell a score."""
    topics, systems = np.arange(matrix.n_topics), np.arange(matrix.n_systems)
    if by_means:
        topics = np.argsort(matrix.scores.mean(axis=1), kind="stable")
        systems = np.argsort(-matrix.scores.mean(axis=0), kind="stable")
    topic_ids = [matrix.topics[place] for place in topics.tolist()]
    run_names = [matrix.systems[place] for place in systems.tolist()]
    order = "best run on top, hardest topic first" if by_means else "runs and topics in the order of the file"
    figure = new_figure(
        title=f"{matrix.measure}: {order}",
        x_title=f"{matrix.n_topics:,} topics",
        y_title=f"{matrix.n_systems:,} runs",
        height=min(max(150 + _ROW * matrix.n_systems, _SHORTEST), _TALLEST),
    )
    figure.add_heatmap(
        # Single precision halves the data sent to the browser; seven digits are more than a colour shows.
        z=matrix.scores[np.ix_(topics, systems)].T.astype(np.float32),
        colorscale=[(place / len(RAMP), colour) for place, colour in enumerate((GRID, *RAMP))],
        colorbar={
            "title": {"text": literal(matrix.measure), "side": "right"},
            "thickness": 14,
            "outlinewidth": 0,
            "tickfont": {"size": 12, "color": TEXT},
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


_MOST_CAPS = 50  # of runs whose bars end in a short line


def run_means_chart(
    result: RunMeans,
) -> Drawing:
    """Draw the runs from left to right by falling mean, each with its interval."""
    level = f"{100 * result.level:g} %"
    figure = new_figure(
        title=f"Mean {result.measure} of each run over {result.n_topics:,} topics, with {level} intervals",
        x_title=f"{len(result.systems):,} runs, best first",
        y_title=f"mean {result.measure}",
    )
    figure.add_scatter(
        x=list(result.systems),
        y=result.means,
        error_y={
            "type": "data",
            "array": result.half_widths,
            "color": QUIET,
            "thickness": 1.2,
            "width": 0 if len(result.systems) > _MOST_CAPS else 3,
        },
        mode="markers",
        marker={"size": 6, "color": SERIES[0]},
        customdata=np.column_stack([result.lower, result.upper]),
        hovertext=[literal(name) for name in result.systems],
        hovertemplate=f"%{{hovertext}}: %{{y:.4f}}, {level} interval %{{customdata[0]:.4f}} to "
        "%{customdata[1]:.4f}<extra></extra>",
        name="means",
    )
    figure.update_xaxes(range=[-0.7, len(result.systems) - 0.3], **category_axis(result.systems))
    return figure


_APART = 0.08  # of the two points of a round, in rounds


def variance_by_round(
    result: Sequence[Round],
) -> Drawing:
    """Draw two points a round with their intervals: its own variance (open), pooled so far (filled)."""
    estimate = result[0].own.estimate.label
    level = 100 * result[0].own.interval.level
    figure = new_figure(
        title=f"Variance of each round (open) and pooled so far (filled), with {level:g} % intervals",
        x_title="rounds, in their order",
        y_title=f"{estimate.partition(',')[0]} (squared {result[0].own.measure})",
        height=360,
    )
    for name, shift, colour, symbol, values in (
        ("own", -_APART, QUIET, "circle-open", [each.own for each in result]),
        ("so far", _APART, ACCENT, "circle", [each.so_far for each in result]),
    ):
        figure.add_scatter(
            x=[place + shift for place in range(len(result))],
            y=[one.variance for one in values],
            error_y=_bars(values, colour),
            mode="markers" if name == "own" else "lines+markers",
            line={"color": colour, "width": 1.2, "dash": "dot"},
            marker={"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
            hovertext=[
                f"{literal(each.name)}, {name}: {one.variance:.4g} "
                f"({one.interval.low:.4g} to {one.interval.high:.4g})"
                for each, one in zip(result, values, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    figure.update_xaxes(
        tickvals=list(range(len(result))),
        ticktext=[literal(shortened(each.name)) for each in result],
        range=[-0.5, len(result) - 0.5],
        showgrid=False,
    )
    figure.update_yaxes(rangemode="tozero")
    return figure


def _bars(values: Sequence[VarianceUncertainty], colour: str) -> dict[str, object]:
    """Return bars to the ends of the interval, which need not hold the estimate itself."""
    return {
        "type": "data",
        "symmetric": False,
        "array": [one.interval.high - one.variance for one in values],
        "arrayminus": [one.variance - one.interval.low for one in values],
        "color": colour,
        "thickness": 1.6,
        "width": 4,
    }
