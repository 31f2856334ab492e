"""The figures of best and worst subsets.

Goodness against size (Guiver et al. 2009, figures 1 to 4), goodness of each topic alone against its mean score
over runs, effects of topics on halves of the runs, and a map of the topics of sets (figure 6).
"""

import math
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, Subset, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import (
    GoodnessMeasure,
    measure_of,
    named,
    without_leading_zero,
)
from topicset_core.analyses.topic_subsets.held_out.null import NullComparison
from topicset_core.analyses.topic_subsets.topic_counts import Advice, TopicTable
from topicset_core.charts.labels import category_axis, clear_of_each_other
from topicset_core.charts.style import (
    PANEL_NAMES,
    grid,
    key_above,
    legend_below,
    literal,
    make_room,
    new_figure,
)
from topicset_core.execution.sizes import share_of_sizes
from topicset_core.exports.colours import ACCENT, GRID, PAGE, QUIET, SERIES, TEXT
from topicset_core.exports.drawing import Drawing

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

_MOST_POINTS = 1000  # of topics with neither advice; more are left out evenly
_Row = TypeVar("_Row")

_CERTAIN: tuple[Status, ...] = ("exhaustive", "proved")
_EDGE = 1.6  # pixels


def goodness_by_cardinality(curve: SubsetCurve, *, target: float, of_what: str) -> Drawing:
    """Draw three lines, bands of percentiles, and where the lines cross the target."""
    measure = curve.measure
    thinned = share_of_sizes(curve.cardinalities, curve.n_topics) if curve.sizes_in_words else ""
    figure = new_figure(
        title=f"In-sample {named(measure)} of subsets with all {curve.n_topics:,} topics: {of_what}",
        x_title=" · ".join(filter(None, ("topics in the subset", thinned))),
        y_title=f"{measure.short} of run means",
        height=480,
    )
    for piece in _pieces(curve):
        _add_bands(figure, piece)
        _add_mean(figure, piece)
        _add_line(figure, piece, [point.best for point in piece], "best", SERIES[0])
        _add_line(figure, piece, [point.worst for point in piece], "worst", SERIES[1])
    _add_legend(figure, curve)
    _name_lines(figure, curve)
    figure.add_hline(y=target, line={"color": ACCENT, "width": 1.4, "dash": "dot"})
    if curve.is_complete:
        _add_crossings(figure, curve, target)
    figure.update_xaxes(range=[0, curve.n_topics * 1.02])
    figure.update_yaxes(range=_range(curve, target))
    return figure


def goodness_by_measure(curves: Sequence[tuple[str, SubsetCurve]], *, target: float) -> Drawing:
    """Draw best, average and worst subsets, a panel per effectiveness measure: Guiver et al. (2009), figure 2."""
    measure = curves[0][1].measure
    rows = (len(curves) + 1) // 2
    figure = new_figure(
        title=f"{measure.label} of subsets of topics with all topics, by measure",
        x_title="topics in the subset",
        y_title=f"{measure.short} of run means",
        height=120 + 300 * rows,
    )
    axis_x, axis_y = (dict(figure.layout[axis]) for axis in ("xaxis", "yaxis"))
    colours = {"best": SERIES[0], "average": TEXT, "worst": SERIES[1]}
    panels = grid(rows, 2, across=0.06, down=0.3 / rows)
    for place, ((of_what, curve), (end, wide, high)) in enumerate(zip(curves, panels, strict=False)):
        up: dict[str, Any] = {"anchor": f"x{end}", "domain": high}
        if end:
            up |= {"matches": "y"}
        if place % 2:
            up |= {"title": {"text": ""}, "showticklabels": False}
        across = axis_x | {"anchor": f"y{end}", "domain": wide}
        figure.update_layout(**{f"xaxis{end}": across, f"yaxis{end}": axis_y | up})
        figure.add_annotation(
            x=sum(wide) / 2,
            xref="paper",
            y=high[1],
            yref="paper",
            text=literal(of_what),
            showarrow=False,
            xanchor="center",
            yanchor="bottom",
            font={"size": 16},
        )
        values: dict[str, list[float | None]] = {
            "best": [point.best.value if point.best else None for point in curve.points],
            "average": [point.mean for point in curve.points],
            "worst": [point.worst.value if point.worst else None for point in curve.points],
        }
        for line, of_line in values.items():
            figure.add_scatter(
                x=[point.cardinality for point in curve.points],
                y=_floats(of_line),
                mode="lines",
                line={"color": colours[line], "width": 2},
                hovertemplate=f"{line} of %{{x}} topics, {literal(of_what)}: %{{y:.5f}}<extra></extra>",
                name=line,
                legendgroup=line,
                showlegend=place == 0,
                xaxis=f"x{end}",
                yaxis=f"y{end}",
            )
        figure.add_hline(y=target, line={"color": ACCENT, "width": 1.4, "dash": "dot"}, panel=end)
    legend_below(figure)
    figure.update_layout(legend={"y": -0.24 / rows})
    make_room(figure, PANEL_NAMES)
    return figure


def _pieces(curve: SubsetCurve) -> list[list[CurvePoint]]:
    """Return runs of points without a missing requested point between them."""
    places = {size: place for place, size in enumerate(curve.cardinalities)}
    pieces: list[list[CurvePoint]] = []
    for point in curve.points:
        last = places[pieces[-1][-1].cardinality] if pieces else None
        if last is not None and places[point.cardinality] == last + 1:
            pieces[-1].append(point)
        else:
            pieces.append([point])
    return pieces


def _add_bands(figure: Drawing, piece: Sequence[CurvePoint]) -> None:
    for low, high in BANDS:
        points = [point for point in piece if point.percentiles]
        sizes = [point.cardinality for point in points]
        lower = [point.percentiles[low] for point in points]
        upper = [point.percentiles[high] for point in points]
        figure.add_scatter(
            x=sizes + sizes[::-1],
            y=upper + lower[::-1],
            fill="toself",
            fillcolor=QUIET,
            opacity=0.14,
            mode="lines",
            line={"width": 0},
            hoverinfo="skip",
            name=f"{low}th to {high}th percentile",
        )


def _add_mean(figure: Drawing, points: Sequence[CurvePoint]) -> None:
    figure.add_scatter(
        x=[point.cardinality for point in points],
        y=_floats([point.mean for point in points]),
        mode="lines",
        line={"color": TEXT, "width": 2},
        text=[
            f"exact mean of {point.n_averaged:,} subsets"
            if point.mean_standard_error == 0
            else f"mean of {point.n_averaged:,} random subsets, standard error {point.mean_standard_error:.1g}"
            for point in points
        ],
        hovertemplate="%{x} topics: %{y:.5f}, %{text}<extra></extra>",
        name="average",
    )


def _add_line(
    figure: Drawing,
    points: Sequence[CurvePoint],
    chosen: Sequence[Subset | None],
    name: str,
    colour: str,
) -> None:
    _add_bounds(figure, points, chosen, name, colour)  # behind the marks, which are hollow
    figure.add_scatter(
        x=[point.cardinality for point in points],
        y=_floats([None if one is None else one.value for one in chosen]),
        mode="lines+markers",
        line={"color": colour, "width": 1.8},
        marker=_markers(chosen, colour),
        text=[known(one) for one in chosen],
        hovertemplate=f"{name} of %{{x}} topics: %{{y:.5f}} (%{{text}})<extra></extra>",
        name=name,
    )


def _name_lines(figure: Drawing, curve: SubsetCurve) -> None:
    """Write the names where the lines are far apart: at a sixth of the topics."""
    near = min(curve.points, key=lambda point: abs(point.cardinality - curve.n_topics / 6), default=None)
    if near is None:
        return
    ups = 1 if curve.measure.higher_is_better else -1
    for name, value, colour, shift in (
        ("best", near.best and near.best.value, SERIES[0], 14 * ups),
        ("average", near.mean, TEXT, -12 * ups),
        ("worst", near.worst and near.worst.value, SERIES[1], -14 * ups),
    ):
        if isinstance(value, float):
            figure.add_annotation(
                x=near.cardinality,
                y=value,
                text=f"<b>{name}</b>",
                showarrow=False,
                xanchor="left",
                xshift=6,
                yshift=shift,
                font={"color": colour, "size": 13},
            )


def _add_crossings(figure: Drawing, curve: SubsetCurve, target: float) -> None:
    crossings = curve.crossings(target)
    result = {"best": crossings.best, "average": crossings.mean, "worst": crossings.worst}
    there = {name: size for name, size in result.items() if size is not None}
    figure.add_scatter(
        x=list(there.values()),
        y=[target] * len(there),
        mode="markers",
        marker={
            "symbol": "circle-open",
            "size": 13,
            "color": ACCENT,  # what Plotly draws an open symbol with
            "line": {"width": 2.4, "color": ACCENT},
        },
        text=list(there),
        hovertemplate=f"%{{text}}: {without_leading_zero(target)} from %{{x}} topics on<extra></extra>",
        cliponaxis=False,
        showlegend=False,
        name="topics needed",
    )
    below = curve.measure.higher_is_better
    for size in dict.fromkeys(there.values()):
        figure.add_annotation(
            x=size,
            y=target,
            text=f"<b>{size:,}</b>",
            showarrow=False,
            xanchor="left",
            xshift=8,
            yshift=-11 if below else 11,
            bgcolor=PAGE,
            borderpad=1,
            font={"color": ACCENT, "size": 14},
        )


def _floats(values: Sequence[float | None]) -> NDArray[np.float64]:
    """Return an array in which missing values leave a gap in a line."""
    return np.array([math.nan if value is None else value for value in values])


def _range(curve: SubsetCurve, target: float) -> list[float]:
    values = [target, curve.measure.perfect]
    for point in curve.points:
        for one in (point.best, point.worst):
            values += [] if one is None else [one.value if one.bound is None else one.bound]
    low, high = min(values), max(values)
    room = _ROOM * (high - low or 1.0)
    return [low - room, high + room]


def _markers(chosen: Sequence[Subset | None], colour: str) -> dict[str, Any]:
    """Return the markers of one line: full where the set is certain, else hollow, in the colour of the page."""
    statuses: list[Status] = ["heuristic" if one is None else one.status for one in chosen]
    return {
        "color": [colour if status in _CERTAIN else PAGE for status in statuses],
        "symbol": [MARKS[status][0] for status in statuses],
        "size": [MARKS[status][1] for status in statuses],
        "line": {"color": colour, "width": _EDGE},
        "opacity": 1,
        "maxdisplayed": MOST_MARKS,
    }


def known(subset: Subset | None) -> str:
    """Return the status of a set in words."""
    if subset is None:
        return ""
    if subset.bound is None:
        return MARKS[subset.status][2]
    return f"not proved: no subset is beyond {subset.bound:.5f}"


def _add_bounds(
    figure: Drawing, points: Sequence[CurvePoint], chosen: Sequence[Subset | None], name: str, colour: str
) -> None:
    """Draw a thin bar from each set that is not proved to its bound."""
    ends = [
        (point.cardinality, one.value, one.bound)
        for point, one in zip(points, chosen, strict=True)
        if one is not None and one.bound is not None
    ]
    if not ends:
        return
    figure.add_scatter(
        x=[size for size, _, _ in ends],
        y=[value for _, value, _ in ends],
        mode="markers",
        marker={"opacity": 0, "color": colour},
        error_y={
            "type": "data",
            "symmetric": False,
            "array": [max(0.0, bound - value) for _, value, bound in ends],
            "arrayminus": [max(0.0, value - bound) for _, value, bound in ends],
            "color": colour,
            "thickness": 1.2,
            "width": 3,
        },
        hoverinfo="skip",
        name=f"bounds of the {name}",
    )


def _add_legend(figure: Drawing, curve: SubsetCurve) -> None:
    """Explain the drawn marks below the chart."""
    for trace in figure.data:
        trace["showlegend"] = False
    there = {one.status for point in curve.points for one in (point.best, point.worst) if one is not None}
    for status, (symbol, size, words) in MARKS.items():
        if status in there:
            figure.add_scatter(
                x=[math.nan],  # only the legend shows it
                y=[math.nan],
                mode="markers",
                marker={
                    "symbol": symbol,
                    "size": size + 1,
                    "color": QUIET if status in _CERTAIN else PAGE,
                    "line": {"color": QUIET, "width": _EDGE},
                },
                hoverinfo="skip",
                showlegend=True,
                name=words,
            )
    legend_below(figure)


def topic_hardness(table: TopicTable, *, measure: GoodnessMeasure, scores: str) -> Drawing:
    """Draw one point per topic; topics to keep and to exclude have the colours of best and worst."""
    correlation = table.hardness_correlation
    related = (
        "" if correlation is None else f": they correlate by {without_leading_zero(round(correlation, 2))}"
    )
    figure = new_figure(
        title=f"Agreement of a single topic against its mean score{related}",
        x_title=f"mean {scores} over runs (left: hard topics)",
        y_title=f"{measure.short}, single topic",
        height=420,
    )
    styles: dict[Advice, tuple[str, str, str, int]] = {
        "": ("other topics", QUIET, "circle-open", 8),
        "keep": ("to keep", SERIES[0], "circle", 9),
        "exclude": ("to exclude", SERIES[1], "diamond", 9),
    }
    for advice, (name, colour, symbol, size) in styles.items():
        rows = [row for row in table.rows if row.advice == advice and row.alone is not None]
        named = bool(advice) and len(rows) <= 15
        if len(rows) > _MOST_POINTS:
            name += f" ({_MOST_POINTS:,} of {len(rows):,}, drawn evenly by mean score)"
            rows = evenly(sorted(rows, key=lambda row: row.mean_score), _MOST_POINTS)
        figure.add_scatter(
            x=[row.mean_score for row in rows],
            y=[row.alone for row in rows if row.alone is not None],
            mode="markers+text" if named else "markers",
            text=[literal(row.topic) for row in rows],
            textposition=clear_of_each_other(
                [row.mean_score for row in rows],
                [row.alone for row in rows if row.alone is not None],
                [row.topic for row in rows],
            )
            if named
            else "top center",
            textfont={"color": colour, "size": 11},
            marker={"color": colour, "symbol": symbol, "size": size},
            hovertext=[
                f"topic {literal(row.topic)}: alone {row.alone:.4f}, mean score {row.mean_score:.4f}<br>"
                f"in {row.in_ten_best} of the {table.n_best} best, {row.in_ten_worst} of the {table.n_worst} worst"
                for row in rows
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    key_above(figure, (SERIES[0], "● to keep"), (SERIES[1], "◆ to exclude"))
    return figure


def evenly(rows: list[_Row], most: int) -> list[_Row]:
    """Return as many of the rows as are drawn, the first and the last among them."""
    if len(rows) <= most:
        return rows
    return [rows[round(place)] for place in np.linspace(0, len(rows) - 1, most)]


def effects_on_halves(
    null: NullComparison,
) -> Drawing:
    """Draw the smaller to the larger effect of each topic on two halves of the runs, and the limits of chance."""
    rows = sorted(null.topics, key=lambda row: (row.harm - row.gain, row.topic))
    topics = [row.topic for row in rows]
    measure = measure_of(null.request.goodness)
    figure = new_figure(
        title=f"Effect of each topic on random subsets of {null.request.cardinality:,}, on two halves of the runs",
        x_title=f"{len(topics):,} topics, from good ones to bad ones",
        y_title=f"gain with the topic ({measure.symbol})",
        height=380,
    )
    colours = {"reliably good": SERIES[0], "reliably bad": SERIES[1], "": QUIET}
    for verdict, colour in colours.items():
        chosen = [row for row in rows if row.verdict == verdict]
        figure.add_bar(
            x=[row.topic for row in chosen],
            base=[row.gain for row in chosen],
            y=[-row.harm - row.gain for row in chosen],
            name=verdict or "as exchangeable topics",
            marker={"color": colour},
            hovertext=[
                f"{row.gain:.4f} to {-row.harm:.4f}; in most good sets of both halves in {row.kept} splits, in "
                f"most bad ones in {row.excluded}"
                for row in chosen
            ],
            hovertemplate="topic %{x}: %{hovertext}<extra></extra>",
        )
    for limit in (null.gain_limit, -null.harm_limit):
        figure.add_hline(y=limit, line={"color": ACCENT, "width": 1.4, "dash": "dot"})
    figure.add_hline(y=0, line={"color": TEXT, "width": 1})
    figure.update_layout(barmode="overlay", showlegend=True)
    legend_below(figure)
    figure.update_xaxes(**category_axis(topics), categoryorder="array", categoryarray=topics)
    return figure


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


def ten_sets(
    curve: SubsetCurve,
    table: TopicTable,
) -> Drawing:
    """Draw the ten best and the ten worst sets of one cardinality, a row each (figure 6)."""
    topics, n_topics = topics_by_use(table), len(table.rows)
    cut = ""
    if n_topics > _MOST_COLUMNS:
        topics = topics[:_AT_EACH_END] + topics[-_AT_EACH_END:]
        cut = f" (the first and last {_AT_EACH_END} are drawn)"
    point = curve.at(table.cardinality)
    best, worst = ((), ()) if point is None else (point.ten_best, point.ten_worst)
    rows = [(f"best {place}", one, 1) for place, one in enumerate(best, start=1)]
    rows += [(f"worst {place}", one, 2) for place, one in reversed(list(enumerate(worst, start=1)))]
    names = [name for name, _, _ in rows]
    cells = np.array(
        [
            [kind * (topic in chosen) for topic in topics]
            for chosen, kind in ((set(one.topics), kind) for _, one, kind in rows)
        ],
        dtype=np.int8,
    ).reshape(len(rows), len(topics))
    figure = new_figure(
        title=f"The {len(best)} best and {len(worst)} worst subsets of {table.cardinality} topics",
        x_title=f"{n_topics:,} topics, from good subsets to bad subsets{cut}",
        y_title="subset",
        height=190 + 16 * len(rows),
    )
    hover: dict[str, Any] = {"hovertemplate": "topic %{x}<extra></extra>"}
    if cells.size <= _MOST_TEXTS and not cut:
        counts = {
            row.topic: f"in {row.in_ten_best} of the {len(best)} best, {row.in_ten_worst} of the {len(worst)} worst"
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
        hover = {"text": texts, "hovertemplate": "%{text}<extra></extra>"}
    colours = (GRID, SERIES[0], SERIES[1])
    figure.add_heatmap(
        x=topics,
        y=names,
        z=cells,
        zmin=-0.5,
        zmax=2.5,
        colorscale=[((kind + place) / 3, colour) for kind, colour in enumerate(colours) for place in (0, 1)],
        showscale=False,
        xgap=1 if len(topics) <= 120 else 0,
        ygap=1 if len(rows) <= 60 else 0,
        name="topics of subsets",
        **hover,
    )
    key_above(figure, (colours[1], "■ best"), (colours[2], "■ worst"))
    figure.update_xaxes(**category_axis(topics))
    figure.update_yaxes(autorange="reversed", **category_axis(names))
    return figure
