"""The figures of a leaderboard: rank intervals, resolved pairs, groups, more topics."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

import numpy as np

from topicset_core.analyses.rank_resolution.outlook import (
    LEVEL,
    MOST_EXPECTED_TOPICS,
    TARGET_SHARE,
    Outlook,
    two_digits,
)
from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Resolution
from topicset_core.charts.chart import Chart, steps
from topicset_core.charts.labels import category_axis, literal
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.colours import (
    ACCENT,
    PAGE,
    QUIET,
    RAMP,
    SERIES,
    TEXT,
    Mode,
    colour_of,
)
from topicset_core.exports.figures import Figure
from topicset_core.preparation.whole_groups import units_in_words

_ROW, _LOWEST, _HIGHEST = 19, 330, 880  # pixels
_POINTS = 60
_WIDE, _HIGH, _MARGIN = 180, 24, 6  # pixels of an interval in a cell


def _height(n_systems: int) -> int:
    return int(min(max(130 + _ROW * n_systems, _LOWEST), _HIGHEST))


def _systems_axis(chart: Chart, names: Sequence[str]) -> None:
    """Put systems on the y axis, the best on top."""
    n = len(names)
    chart.axis("y", range=[n - 0.4, -0.6], categoryorder="array", categoryarray=names, **category_axis(names))


def drawn_intervals(low: Floats, means: Floats, high: Floats, mode: Mode) -> list[str]:
    """Draw each mean with its interval on one scale, as images for the cells of a table."""
    least, most = float(low.min()), float(high.max())
    x = _MARGIN + (_WIDE - 2 * _MARGIN) * (np.stack([low, means, high], axis=1) - least) / (
        most - least or 1.0
    )
    line, point = (quote(colour_of(role, mode)) for role in (QUIET, ACCENT))
    return [
        f"data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg' width='{_WIDE}' height='{_HIGH}'>"
        f"<path d='M{left:.1f} {_HIGH / 2}H{right:.1f}' stroke='{line}' stroke-width='2'/>"
        f"<circle cx='{middle:.1f}' cy='{_HIGH / 2}' r='4' fill='{point}'/></svg>"
        for left, middle, right in x.tolist()
    ]


def rank_intervals(resolution: Resolution) -> Figure:
    """Draw each system's rank with its simultaneous (thin) and marginal (thick) interval, the best on top."""
    names: list[Any] = list(resolution.systems)
    level = 100 * (1 - resolution.request.alpha)
    chart = Chart(
        f"Ranks with {level:g} % intervals; thin: all systems at once",
        "rank (1 = best)",
        f"system, by mean {resolution.matrix.measure}",
        height=_height(len(names)),
    )
    wide = max(2.0, min(5.0, 300 / len(names)))
    first = (resolution.lower == 1) & (resolution.lower.max() > 1)
    marginal = resolution.marginal_lower, resolution.marginal_upper
    for is_first, colour, name in ((False, SERIES[0], "others"), (True, ACCENT, "may be the best")):
        chosen = np.flatnonzero(first == is_first)
        if not chosen.size:
            continue
        for low, high, width in (
            (resolution.lower, resolution.upper, max(1.0, wide / 3)),
            (*marginal, wide),
        ):
            x: list[Any] = []
            y: list[Any] = []
            for place in chosen.tolist():
                x += [int(low[place]), int(high[place]), None]
                y += [names[place], names[place], None]
            chart.line(x, y, f"{name}, interval", None, colour=colour, width=width)
        columns = (resolution.means, resolution.lower, resolution.upper, *marginal)
        chart.points(
            resolution.ranks[chosen].tolist(),
            [names[place] for place in chosen],
            name,
            "%{hovertext}: rank %{x}, mean %{customdata[0]:.4f}<br>all together: "
            "rank %{customdata[1]} to %{customdata[2]}<br>alone: "
            "rank %{customdata[3]} to %{customdata[4]}",
            colour=PAGE,
            size=max(5.0, wide + 3),
            marker={"line": {"color": colour, "width": 2}},
            customdata=np.column_stack([column[chosen] for column in columns]),
            hovertext=[literal(names[place]) for place in chosen],
        )
    _systems_axis(chart, names)
    n = len(names)
    chart.axis("x", range=[1 - 0.03 * n, n + 0.03 * n], showgrid=True, dtick=1 if n <= 12 else None)
    if first.any():
        chart.key((ACCENT, f"may be the best: {int(first.sum())}"))
    return chart.figure("ranks", "Rank of each system with its simultaneous and its marginal interval.")


def resolved_pairs(resolution: Resolution) -> Figure:
    """Draw each pair once: the cell of the better and the worse system is strong if their order is resolved."""
    names: list[Any] = list(resolution.systems)
    m, pairs = len(names), resolution.pairs
    cells, more = np.full((m, m), np.nan), np.zeros((m, m, 2), np.float32)
    cells[pairs.first, pairs.second] = resolution.is_resolved
    more[pairs.first, pairs.second] = np.column_stack([pairs.difference, resolution.adjusted_p])
    chart = Chart(
        f"{resolution.n_resolved:,} of {resolution.n_pairs:,} pairs resolved",
        "worse system of the pair",
        f"better system, by mean {resolution.matrix.measure}",
        height=int(min(max(180 + 18 * m, 360), 900)),
    )
    gap, shades = 1 if m <= 60 else 0, (RAMP[-1], RAMP[0])
    chart.shades(
        cells[:-1, 1:],  # the worst system is in no row, the best one in no column
        "pairs",
        "%{y} less %{x}: %{customdata[0]:.4f}, adjusted p = %{customdata[1]:.4f}",
        x=names[1:],
        y=names[:-1],
        zmin=0,
        zmax=1,
        colorscale=steps(*reversed(shades)),
        showscale=False,
        hoverongaps=False,
        customdata=more[:-1, 1:],
        xgap=gap,
        ygap=gap,
    )
    chart.key((shades[0], "■"), (TEXT, "resolved"), (shades[1], "■"), (TEXT, "not resolved"))
    _systems_axis(chart, names[:-1])
    chart.axis("x", categoryorder="array", categoryarray=names[1:], **category_axis(names[1:]), tickangle=-60)
    return chart.figure("pairs", "Which pairs of systems are resolved, and which system is the better one.")


def groups(resolution: Resolution) -> Figure:
    """Draw a line for each longest run of systems without a resolved pair, the best systems on top."""
    names: list[Any] = list(resolution.systems)
    chart = Chart(
        "Systems on one line are not resolved",
        "group without a resolved pair",
        f"system, by mean {resolution.matrix.measure}",
        height=_height(len(names)),
    )
    for place, (first, last) in enumerate(resolution.lines, start=1):
        members = names[first - 1 : last]
        hover = f"line {place}: %{{y}}, places {first} to {last}"
        mode = "lines" if len(members) > 1 else "markers"
        x = [place] * len(members)
        chart.line(x, members, f"line {place}", hover, colour=SERIES[0], width=3, size=6, mode=mode)
    _systems_axis(chart, names)
    n = len(resolution.lines)
    chart.axis("x", range=[0.3, n + 0.7], showgrid=False, dtick=1 if n <= 20 else None)
    return chart.figure("groups", "Groups of systems in which no pair is resolved, as lines.")


def share_by_topics(ahead: Outlook, rows: ScoreMatrix) -> Figure:
    """Draw the share of pairs that n topics, or groups of topics as the rows are, are expected to resolve."""
    share, unit = ahead.resolved, rows.unit
    n_topics = None if share >= TARGET_SHARE else ahead.topics_for(TARGET_SHARE)
    low, high = ahead.interval
    longest = 0 if n_topics is None else 1.1 * (high or MOST_EXPECTED_TOPICS)
    last = min(max(longest, 4 * ahead.n_topics, 200), MOST_EXPECTED_TOPICS)
    sizes = np.unique(np.round(np.geomspace(5, last, _POINTS)))
    chart = Chart(
        f"Pairs that more {unit}s are expected to resolve",
        f"{units_in_words(rows)} (log scale)",
        "pairs resolved (%)",
        height=400,
    )
    chart.log_axis("x")
    values = [100 * ahead.share(float(n)) for n in sizes]
    hover = f"%{{x:,.0f}} {unit}s: %{{y:.1f}} % of pairs expected"
    chart.line(sizes, values, "expected", hover, colour=SERIES[0], width=3)
    if n_topics is not None:
        target = 100 * TARGET_SHARE
        interval = f"{low:,} or more" if high is None else f"{low:,} to {high:,}"
        text = f"{target:g} %: {two_digits(n_topics):,.0f} {unit}s ({interval})"
        name = f"{100 * LEVEL:g} % interval"
        chart.line([low, high or MOST_EXPECTED_TOPICS], [target, target], name, None, colour=QUIET)
        chart.points([n_topics], [target], "wanted", text, colour=SERIES[0], size=9)
        chart.note(text, n_topics, target, colour=TEXT, xanchor="right", xshift=-8, yshift=12)
    twice = 2 * ahead.n_topics
    least, most = (100 * end for end in ahead.share_interval(twice))
    hover = (
        f"{twice:,} {unit}s: {100 * ahead.share(twice):.0f} % of pairs expected ({least:.0f} to {most:.0f} %)"
    )
    chart.line([twice, twice], [least, most], f"{100 * LEVEL:g} % interval of the share", hover, colour=QUIET)
    text = f"{twice:,} {unit}s: {least:.0f} to {most:.0f} %"
    chart.note(text, twice, least, colour=TEXT, xanchor="left", xshift=6, yshift=4)
    hover = f"{ahead.n_topics:,} {unit}s: {100 * share:.1f} % of pairs found"
    chart.yours(ahead.n_topics, 100 * share, f"found: {100 * share:.1f} %", hover)
    chart.axis("y", range=[-2, 102])
    return chart.figure("more-topics", f"The share of pairs that more {unit}s are expected to resolve.")
