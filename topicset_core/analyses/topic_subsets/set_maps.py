"""Maps of the topics of best and worst subsets (Guiver et al. 2009, figures 5 and 6)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.charts import evenly
from topicset_core.analyses.topic_subsets.curve import SubsetCurve
from topicset_core.analyses.topic_subsets.topic_counts import TopicTable
from topicset_core.charts.labels import category_axis
from topicset_core.charts.style import PALETTES, Mode, key_above, literal, new_figure
from topicset_core.exports.drawing import Drawing

_KINDS = ("in neither set", "in the best set", "in the worst set", "in both sets")
_MOST_ROWS = 100  # of cardinalities; more are left out evenly
_MOST_COLUMNS, _AT_EACH_END = (
    1000,
    300,
)  # of topics; of more, those most often in good and in bad sets are drawn
_MOST_TEXTS = 30_000  # cells with a hover text of their own


def topics_by_use(table: TopicTable) -> list[str]:
    """Return topic ids from those most often in best sets to those most often in worst ones."""
    rows = sorted(
        table.rows,
        key=lambda row: (row.in_worst - row.in_best, row.in_ten_worst - row.in_ten_best),
    )
    return [row.topic for row in rows]


def _drawn_topics(table: TopicTable) -> list[str]:
    """Return the columns of a map of topics."""
    topics = topics_by_use(table)
    return topics if len(topics) <= _MOST_COLUMNS else topics[:_AT_EACH_END] + topics[-_AT_EACH_END:]


def sets_by_cardinality(curve: SubsetCurve, table: TopicTable, *, mode: Mode) -> Drawing:
    """Draw one row per cardinality: the topics of its best set, of its worst set, and of both (figure 5)."""
    topics = _drawn_topics(table)
    points = [point for point in curve.points if point.best is not None and point.worst is not None]
    points = evenly(points, _MOST_ROWS)
    cells = np.zeros((len(points), len(topics)), dtype=np.int8)
    for row, point in enumerate(points):
        for subset, kind in ((point.best, 1), (point.worst, 2)):
            if subset is not None:
                chosen = set(subset.topics)
                cells[row] += np.array([kind * (topic in chosen) for topic in topics], dtype=np.int8)
    counts = {row.topic: f"best of {row.in_best}, worst of {row.in_worst} sizes" for row in table.rows}
    figure = _map(
        topics,
        [f"{point.cardinality}" for point in points],
        cells,
        [counts[topic] for topic in topics],
        n_topics=len(table.rows),
        title="Best and worst subset of each size",
        y_title="topics in the subset",
        row_name="{} topics",
        height=min(760, 190 + 9 * len(points)),
        mode=mode,
    )
    return figure


def ten_sets(curve: SubsetCurve, table: TopicTable, *, mode: Mode) -> Drawing:
    """Draw the ten best and the ten worst sets of one cardinality, a row each (figure 6)."""
    topics = _drawn_topics(table)
    point = curve.at(table.cardinality)
    best, worst = ((), ()) if point is None else (point.ten_best, point.ten_worst)
    rows = [(f"best {place}", one, 1) for place, one in enumerate(best, start=1)]
    rows += [(f"worst {place}", one, 2) for place, one in reversed(list(enumerate(worst, start=1)))]
    cells = np.array(
        [
            [kind * (topic in chosen) for topic in topics]
            for chosen, kind in ((set(one.topics), kind) for _, one, kind in rows)
        ],
        dtype=np.int8,
    ).reshape(len(rows), len(topics))
    counts = {
        row.topic: f"in {row.in_ten_best} of the {len(best)} best, {row.in_ten_worst} of the {len(worst)} worst"
        for row in table.rows
    }
    return _map(
        topics,
        [name for name, _, _ in rows],
        cells,
        [counts[topic] for topic in topics],
        n_topics=len(table.rows),
        title=f"The {len(best)} best and {len(worst)} worst subsets of {table.cardinality} topics",
        y_title="subset",
        row_name="{}",
        height=190 + 16 * len(rows),
        mode=mode,
    )


def _map(
    topics: Sequence[str],
    rows: Sequence[str],
    cells: NDArray[np.int8],
    counts: Sequence[str],
    *,
    n_topics: int,
    title: str,
    y_title: str,
    row_name: str,
    height: int,
    mode: Mode,
) -> Drawing:
    palette = PALETTES[mode]
    cut = "" if len(topics) == n_topics else f" (the first and last {_AT_EACH_END} are drawn)"
    figure = new_figure(
        mode,
        title=title,
        x_title=f"{n_topics:,} topics, from good subsets to bad subsets{cut}",
        y_title=y_title,
        height=height,
    )
    colours = (palette.grid, palette.series[0], palette.series[1], palette.text)
    steps = [(kind + place) / 4 for kind in range(4) for place in (0, 1)]
    drawn: dict[str, Any] = {"x": list(topics), "y": list(rows), "z": cells}
    hover: dict[str, Any] = {"hovertemplate": "topic %{x}<extra></extra>"}
    if cells.size <= _MOST_TEXTS and len(topics) == n_topics:
        texts = [
            [
                f"topic {literal(topic)}, {row_name.format(row)}: {_KINDS[kind]}<br>{count}"
                for topic, kind, count in zip(topics, line, counts, strict=True)
            ]
            for row, line in zip(rows, cells.tolist(), strict=True)
        ]
        hover = {"text": texts, "hovertemplate": "%{text}<extra></extra>"}
    figure.add_heatmap(
        zmin=-0.5,
        zmax=3.5,
        colorscale=[(step, colours[place // 2]) for place, step in enumerate(steps)],
        showscale=False,
        xgap=1 if len(topics) <= 120 else 0,
        ygap=1 if len(rows) <= 60 else 0,
        name="topics of subsets",
        **drawn,
        **hover,
    )
    key_above(figure, (colours[1], "■ best"), (colours[2], "■ worst"), (colours[3], "■ both"))
    figure.update_xaxes(**category_axis(topics))
    figure.update_yaxes(autorange="reversed", **category_axis(rows))
    return figure
