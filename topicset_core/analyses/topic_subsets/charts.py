"""The figures of best and worst subsets.

Goodness against size (Guiver et al. 2009, figures 1 to 4), goodness of each topic alone against its mean score
over runs, effects of topics on halves of the runs, and a map of the topics of sets (figure 6).
"""

import itertools
import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from topicset_core.analyses.topic_subsets.answer import Advice, TopicTable
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import (
    GoodnessMeasure,
    measure_of,
    named,
)
from topicset_core.analyses.topic_subsets.held_out.null import NullComparison
from topicset_core.charts.chart import Chart, errors, floats, steps
from topicset_core.charts.labels import category_axis, clear_of_each_other, literal
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.colours import ACCENT, GRID, PAGE, QUIET, SERIES, TEXT
from topicset_core.exports.figures import Figure

BANDS = ((5, 95), (25, 75))
"""Percentiles of random subsets between which a band is drawn, the wide one first."""

_ROOM = 0.08  # of the range, for the name of a line that ends on the axis


MARKS: dict[Status, tuple[str, int, str]] = {
    "exhaustive": ("circle", 6, "all subsets were evaluated"),
    "proved": ("diamond", 9, "proved: no subset is beyond"),
    "gap": ("diamond", 9, "not proved: no subset is beyond the bar"),
    "heuristic": ("circle", 6, "found by local search: better or worse ones may exist"),
}
"""Symbol, size and words."""

MOST_MARKS = 60
"""On a line; of more sizes only this number is marked, evenly, since touching marks look like one."""

MOST_NAMED = 30
"""Topics that are named in a sentence."""

_MOST_POINTS = 1000  # of topics with neither advice; more are left out evenly
_Row = TypeVar("_Row")

_CERTAIN: tuple[Status, ...] = ("exhaustive", "proved")
_EDGE = 1.6  # pixels
_RIGHT = 58  # pixels to the right of the lines, for the target


def goodness_by_cardinality(curve: SubsetCurve, *, target: float, of_what: str, alt: str) -> Figure:
    """Draw three lines, bands of percentiles, and where the lines cross the target."""
    measure = curve.measure
    thinned = share_of_sizes(curve.cardinalities, curve.n_topics) if curve.sizes_in_words else ""
    finding = f"In-sample {named(measure)} of subsets with all {curve.n_topics:,} topics: {of_what}"
    fewest = curve.crossings(target).best if curve.is_complete else None
    if fewest is not None:
        goal = measure.equal_to(f"{target:.6g}" if measure.higher_is_better else f"{100 * target:.6g} %")
        finding = (
            f"The best {fewest:,} of {curve.n_topics:,} topics reach the target, {goal}, in sample: {of_what}"
        )
    chart = Chart(
        finding,
        " · ".join(filter(None, ("topics in the subset", thinned))),
        f"{measure.short} of run means",
        height=480,
    )
    for piece in _pieces(curve):
        for low, high in BANDS:
            points = [point for point in piece if point.percentiles]
            chart.band(
                [point.cardinality for point in points],
                [point.percentiles[high] for point in points],
                [point.percentiles[low] for point in points],
                f"{low}th to {high}th percentile",
                fillcolor=QUIET,
                opacity=0.14,
            )
        _add_mean(chart, piece)
        _add_line(chart, piece, [point.best for point in piece], "best", SERIES[0])
        _add_line(chart, piece, [point.worst for point in piece], "worst", SERIES[1])
    _add_legend(chart, curve)
    _name_lines(chart, curve, target)
    draw_target(chart, target)
    if curve.is_complete:
        _add_crossings(chart, curve, target)
    chart.axis("x", range=[0, curve.n_topics * 1.02])
    chart.axis("y", range=_range(curve, target))
    return chart.figure("curve", alt)


def draw_target(chart: Chart, target: float) -> None:
    """Draw the target, with its name to the right of the lines."""
    chart.rule(target, colour=ACCENT, width=1.4)
    text = f"target<br>{target:.6g}"
    chart.note(text, 1, target, colour=ACCENT, xref="paper", xanchor="left", xshift=3, align="left")
    chart.room(right=_RIGHT)


def _pieces(curve: SubsetCurve) -> list[list[CurvePoint]]:
    """Return runs of points without a missing requested point between them."""
    places = {size: place for place, size in enumerate(curve.cardinalities)}
    groups = itertools.groupby(enumerate(curve.points), lambda pair: places[pair[1].cardinality] - pair[0])
    return [[point for _, point in group] for _, group in groups]


def _add_mean(chart: Chart, points: Sequence[CurvePoint]) -> None:
    texts = [
        f"exact mean of {point.n_averaged:,} subsets"
        if point.mean_standard_error == 0
        else f"mean of {point.n_averaged:,} random subsets, standard error {point.mean_standard_error:.1g}"
        for point in points
    ]
    x, y = [point.cardinality for point in points], floats([point.mean for point in points])
    chart.line(x, y, "average", "%{x} topics: %{y:.5f}, %{text}", colour=TEXT, text=texts)


def _add_line(
    chart: Chart, points: Sequence[CurvePoint], chosen: Sequence[Subset | None], name: str, colour: str
) -> None:
    """Draw a line, each set marked full where it is certain, else hollow, and a bar to its bound if it has one."""
    ends = [
        (point.cardinality, subset.value, subset.bound)
        for point, subset in zip(points, chosen, strict=True)
        if subset is not None and subset.bound is not None
    ]
    if ends:  # behind the marks
        up = [max(0.0, bound - value) for _, value, bound in ends]
        down = [max(0.0, value - bound) for _, value, bound in ends]
        chart.trace(
            "scatter",
            f"bounds of the {name}",
            None,
            x=[size for size, _, _ in ends],
            y=[value for _, value, _ in ends],
            mode="markers",
            marker={"opacity": 0, "color": colour},
            error_y=errors(up, colour, down=down),
        )
    statuses: list[Status] = ["heuristic" if subset is None else subset.status for subset in chosen]
    chart.line(
        [point.cardinality for point in points],
        floats([None if subset is None else subset.value for subset in chosen]),
        name,
        f"{name} of %{{x}} topics: %{{y:.5f}} (%{{text}})",
        colour=colour,
        width=1.8,
        mode="lines+markers",
        marker={
            "color": [colour if status in _CERTAIN else PAGE for status in statuses],
            "symbol": [MARKS[status][0] for status in statuses],
            "size": [MARKS[status][1] for status in statuses],
            "line": {"color": colour, "width": _EDGE},
            "opacity": 1,
            "maxdisplayed": MOST_MARKS,
        },
        text=[known(subset) for subset in chosen],
    )


def _name_lines(chart: Chart, curve: SubsetCurve, target: float) -> None:
    """Write the names where the lines are far apart: at a sixth of the topics."""
    near = min(curve.points, key=lambda point: abs(point.cardinality - curve.n_topics / 6), default=None)
    if near is None:
        return
    ups = 1 if curve.measure.higher_is_better else -1
    needed = curve.crossings(target).mean  # its number is below the line, too
    is_near = needed is not None and -0.1 < (needed - near.cardinality) / curve.n_topics < 0.2
    for name, value, colour, shift in (
        ("best", near.best and near.best.value, SERIES[0], 14 * ups),
        ("average", near.mean, TEXT, (-27 if is_near else -12) * ups),
        ("worst", near.worst and near.worst.value, SERIES[1], -14 * ups),
    ):
        if isinstance(value, float):
            look = {"xanchor": "left", "xshift": 6, "yshift": shift}
            chart.note(f"<b>{name}</b>", near.cardinality, value, colour=colour, size=13, **look)


def _add_crossings(chart: Chart, curve: SubsetCurve, target: float) -> None:
    result = zip(("best", "average", "worst"), curve.crossings(target).by_side.values(), strict=True)
    sizes = {name: size for name, size in result if size is not None}
    chart.points(
        list(sizes.values()),
        [target] * len(sizes),
        "topics needed",
        f"%{{text}}: {target:.6g} from %{{x}} topics on",
        size=13,
        symbol="circle-open",
        marker={"line": {"width": 2.4, "color": ACCENT}},
        text=list(sizes),
        cliponaxis=False,
        showlegend=False,
    )
    shift = -11 if curve.measure.higher_is_better else 11
    for size in dict.fromkeys(sizes.values()):
        look = {"xanchor": "left", "xshift": 8, "yshift": shift}
        chart.note(f"<b>{size:,}</b>", size, target, colour=ACCENT, size=14, **look)


def _range(curve: SubsetCurve, target: float) -> list[float]:
    values = [target, float(curve.measure.higher_is_better)]  # the latter is what all topics reach
    for point in curve.points:
        for subset in (point.best, point.worst):
            values += [] if subset is None else [subset.value if subset.bound is None else subset.bound]
    low, high = min(values), max(values)
    room = _ROOM * (high - low or 1.0)
    return [low - room, high + room]


def known(subset: Subset | None) -> str:
    """Return the status of a set in words."""
    if subset is None:
        return ""
    if subset.bound is None:
        return MARKS[subset.status][2]
    return f"not proved: no subset is beyond {subset.bound:.5f}"


def _add_legend(chart: Chart, curve: SubsetCurve) -> None:
    """Explain the drawn marks below the chart."""
    for trace in chart.data:
        trace["showlegend"] = False
    drawn = {
        subset.status for point in curve.points for subset in (point.best, point.worst) if subset is not None
    }
    for status, (symbol, size, words) in MARKS.items():
        if status in drawn:
            chart.points(
                [math.nan],  # only the legend shows it
                [math.nan],
                words,
                None,
                colour=QUIET if status in _CERTAIN else PAGE,
                size=size + 1,
                symbol=symbol,
                marker={"line": {"color": QUIET, "width": _EDGE}},
                showlegend=True,
            )
    chart.legend()


def topic_hardness(table: TopicTable, *, measure: GoodnessMeasure, scores: str) -> Figure:
    """Draw one point per topic; topics to keep and to exclude have the colours of best and worst."""
    correlation = table.hardness_correlation
    related = "" if correlation is None else f": they correlate by {correlation:.2g}"
    chart = Chart(
        f"Agreement of a single topic against its mean score{related}",
        f"mean {scores} over runs (left: hard topics)",
        f"{measure.short}, single topic",
    )
    styles: dict[Advice, tuple[str, str, str, int]] = {
        "": ("other topics", QUIET, "circle-open", 8),
        "keep": ("to keep", SERIES[0], "circle", 9),
        "exclude": ("to exclude", SERIES[1], "diamond", 9),
    }
    drawn = [(row["mean_score"], row["alone"]) for row in table.rows if row["alone"] is not None]
    corners = [tuple(map(end, zip(*drawn, strict=True))) for end in (min, max)] if drawn else []
    for advice, (name, colour, symbol, size) in styles.items():
        rows = [row for row in table.rows if row["advice"] == advice and row["alone"] is not None]
        named = bool(advice) and len(rows) <= 15
        if len(rows) > _MOST_POINTS:
            name += f" ({_MOST_POINTS:,} of {len(rows):,}, drawn evenly by mean score)"
            rows = evenly(sorted(rows, key=lambda row: row["mean_score"]), _MOST_POINTS)
        x, y = [row["mean_score"] for row in rows], [row["alone"] for row in rows if row["alone"] is not None]
        names = [row["topic"] for row in rows] + [""] * len(
            corners
        )  # names are apart on the scale of all topics
        at = (x + [one for one, _ in corners], y + [one for _, one in corners])
        places = clear_of_each_other(*at, names)[: len(rows)] if named else "top center"
        chart.points(
            x,
            y,
            name,
            [
                f"topic {literal(row['topic'])}: alone {row['alone']:.4f}, mean score {row['mean_score']:.4f}<br>"
                f"in {row['in_ten_best']} of the {table.n_best} best, {row['in_ten_worst']} of the "
                f"{table.n_worst} worst"
                for row in rows
            ],
            colour=colour,
            size=size,
            symbol=symbol,
            mode="markers+text" if named else "markers",
            text=[literal(row["topic"]) for row in rows],
            textposition=places,
            textfont={"color": colour, "size": 11},
        )
    chart.key((SERIES[0], "● to keep"), (SERIES[1], "◆ to exclude"))
    return chart.figure("hardness", "Agreement of each single topic against its mean score.")


def evenly(rows: list[_Row], most: int) -> list[_Row]:
    """Return as many of the rows as are drawn, the first and the last among them."""
    if len(rows) <= most:
        return rows
    return [rows[round(place)] for place in np.linspace(0, len(rows) - 1, most)]


def effects_on_halves(null: NullComparison, alt: str) -> Figure:
    """Draw the smaller to the larger effect of each topic on two halves of the runs, and the limits of chance."""
    rows = sorted(null.topics, key=lambda row: (row["harm"] - row["gain"], row["topic"]))
    topics = [row["topic"] for row in rows]
    measure = measure_of(null.request.goodness)
    chart = Chart(
        f"Effect of each topic on random subsets of {null.request.cardinality:,}, on two halves of the runs",
        f"{len(topics):,} topics, from good ones to bad ones",
        f"gain with the topic ({measure.symbol})",
        height=380,
    )
    for verdict, colour in (("reliably good", SERIES[0]), ("reliably bad", SERIES[1]), ("", QUIET)):
        chosen = [row for row in rows if row["verdict"] == verdict]
        chart.trace(
            "bar",
            verdict or "as exchangeable topics",
            "topic %{x}: %{hovertext}",
            x=[row["topic"] for row in chosen],
            base=[row["gain"] for row in chosen],
            y=[-row["harm"] - row["gain"] for row in chosen],
            marker={"color": colour},
            hovertext=[
                f"{row['gain']:.4f} to {-row['harm']:.4f}; in most good sets of both halves in {row['kept']} "
                f"splits, in most bad ones in {row['excluded']}"
                for row in chosen
            ],
        )
    for limit in (null.gain_limit, -null.harm_limit):
        chart.rule(limit, colour=ACCENT, width=1.4)
    chart.rule(0, colour=TEXT, dash=None)
    chart.legend()
    chart.update_layout(barmode="overlay")
    chart.axis("x", **category_axis(topics), categoryorder="array", categoryarray=topics)
    return chart.figure("null", alt)


# Of topics; of more, those most often in good and in bad sets are drawn
_MOST_COLUMNS, _AT_EACH_END = 1000, 300
_MOST_TEXTS = 30_000  # cells with a hover text of their own


def topics_by_use(table: TopicTable) -> list[str]:
    """Return topic ids from those most often in best sets to those most often in worst ones."""
    rows = sorted(
        table.rows,
        key=lambda row: (row["in_worst"] - row["in_best"], row["in_ten_worst"] - row["in_ten_best"]),
    )
    return [row["topic"] for row in rows]


def ten_sets(curve: SubsetCurve, table: TopicTable) -> Figure:
    """Draw the ten best and the ten worst sets of one cardinality, a row each (figure 6)."""
    topics, n_topics = topics_by_use(table), len(table.rows)
    cut = ""
    if n_topics > _MOST_COLUMNS:
        topics = topics[:_AT_EACH_END] + topics[-_AT_EACH_END:]
        cut = f" (the first and last {_AT_EACH_END} are drawn)"
    point = curve.at(table.cardinality)
    best, worst = ((), ()) if point is None else (point.ten_best, point.ten_worst)
    rows = [(f"best {place}", subset, 1) for place, subset in enumerate(best, start=1)]
    rows += [(f"worst {place}", subset, 2) for place, subset in reversed(list(enumerate(worst, start=1)))]
    names = [name for name, _, _ in rows]
    cells = np.array(
        [
            [kind * (topic in chosen) for topic in topics]
            for chosen, kind in ((set(subset.topics), kind) for _, subset, kind in rows)
        ],
        dtype=np.int8,
    ).reshape(len(rows), len(topics))
    chart = Chart(
        f"The {len(best)} best and {len(worst)} worst subsets of {table.cardinality} topics",
        f"{n_topics:,} topics, from good subsets to bad subsets{cut}",
        "subset",
        height=190 + 16 * len(rows),
    )
    texts: list[list[str]] | None = None
    if cells.size <= _MOST_TEXTS and not cut:
        counts = {
            row["topic"]: (
                f"in {row['in_ten_best']} of the {len(best)} best, {row['in_ten_worst']} of the {len(worst)} worst"
            )
            for row in table.rows
        }
        kinds = ("in neither set", "in the best set", "in the worst set")
        texts = [
            [
                f"topic {literal(topic)}, {row}: {kinds[kind]}<br>{counts[topic]}"
                for topic, kind in zip(topics, line, strict=True)
            ]
            for row, line in zip(names, cells.tolist(), strict=True)
        ]
    chart.shades(
        cells,
        "topics of subsets",
        "topic %{x}" if texts is None else "%{text}",
        x=topics,
        y=names,
        zmin=-0.5,
        zmax=2.5,
        colorscale=steps(GRID, SERIES[0], SERIES[1]),
        showscale=False,
        xgap=1 if len(topics) <= 120 else 0,
        ygap=1 if len(rows) <= 60 else 0,
        text=texts,
    )
    chart.key((SERIES[0], "■ best"), (SERIES[1], "■ worst"))
    chart.axis("x", **category_axis(topics))
    chart.axis("y", autorange="reversed", **category_axis(names))
    excluded = [row["topic"] for row in table.rows if row["advice"] == "exclude"]
    ten = f"Topics of the 10 best and 10 worst subsets of {table.cardinality}"
    alt = f"{ten}; {', '.join(excluded[:MOST_NAMED])} in bad subsets only." if excluded else f"{ten}."
    return chart.figure("ten", alt)
