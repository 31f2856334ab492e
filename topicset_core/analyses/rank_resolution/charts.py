"""The figures of a leaderboard: rank intervals, resolved pairs, groups, more topics, discriminative power."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.rank_resolution.discriminative_power import Powers, curve_of
from topicset_core.analyses.rank_resolution.outlook import (
    LEVEL,
    MOST_TOPICS,
    TARGET_SHARE,
    Outlook,
    two_digits,
)
from topicset_core.analyses.rank_resolution.resolution import Resolution
from topicset_core.charts.labels import category_axis
from topicset_core.charts.style import legend_below, literal, new_figure, ring
from topicset_core.exports.colours import ACCENT, PAGE, QUIET, RAMP, SERIES, TEXT, in_colour, series
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.figures import Figure

_ROW, _LOWEST, _HIGHEST = 19, 330, 880  # pixels
_POINTS = 60


def _height(n_systems: int) -> int:
    return int(min(max(130 + _ROW * n_systems, _LOWEST), _HIGHEST))


def _systems_axis(figure: Drawing, names: Sequence[str]) -> None:
    """Put systems on the y axis, the best on top."""
    n = len(names)
    figure.update_yaxes(
        range=[n - 0.4, -0.6], categoryorder="array", categoryarray=names, **category_axis(names)
    )


def rank_intervals(
    resolution: Resolution,
) -> Figure:
    """Draw each system's rank with its simultaneous (thin) and marginal (thick) interval, the best on top."""
    names: list[Any] = list(resolution.systems)
    level = 100 * (1 - resolution.request.alpha)
    figure = new_figure(
        title=f"Rank, {level:g} % interval: all together (thin), alone (thick)",
        x_title="rank (1 = best)",
        y_title=f"system, by mean {resolution.matrix.measure}",
        height=_height(len(names)),
    )
    wide = max(2.0, min(5.0, 300 / len(names)))
    first = (resolution.lower == 1) & (resolution.lower.max() > 1)
    for is_first, colour, name in (
        (False, SERIES[0], "others"),
        (True, ACCENT, "may be the best"),
    ):
        chosen = np.flatnonzero(first == is_first)
        if not chosen.size:
            continue
        for low, high, width in (
            (resolution.lower, resolution.upper, max(1.0, wide / 3)),
            (resolution.marginal_lower, resolution.marginal_upper, wide),
        ):
            x: list[Any] = []
            y: list[Any] = []
            for place in chosen.tolist():
                x += [int(low[place]), int(high[place]), None]
                y += [names[place], names[place], None]
            figure.add_scatter(
                x=x,
                y=y,
                mode="lines",
                line={"color": colour, "width": width},
                hoverinfo="skip",
                name=f"{name}, interval",
            )
        figure.add_scatter(
            x=resolution.ranks[chosen].tolist(),
            y=[names[place] for place in chosen],
            mode="markers",
            marker={
                "size": max(5.0, wide + 3),
                "color": PAGE,
                "line": {"color": colour, "width": 2},
            },
            customdata=np.column_stack(
                [
                    resolution.means[chosen],
                    resolution.lower[chosen],
                    resolution.upper[chosen],
                    resolution.marginal_lower[chosen],
                    resolution.marginal_upper[chosen],
                ]
            ),
            hovertext=[literal(names[place]) for place in chosen],
            hovertemplate="%{hovertext}: rank %{x}, mean %{customdata[0]:.4f}<br>all together: "
            "rank %{customdata[1]} to %{customdata[2]}<br>alone: "
            "rank %{customdata[3]} to %{customdata[4]}<extra></extra>",
            name=name,
        )
    _systems_axis(figure, names)
    n = len(names)
    figure.update_xaxes(range=[1 - 0.03 * n, n + 0.03 * n], showgrid=True)
    if n <= 12:
        figure.update_xaxes(dtick=1)
    if first.any():
        figure.add_annotation(
            x=1,
            xref="paper",
            y=1,
            yref="paper",
            yanchor="bottom",
            xanchor="right",
            showarrow=False,
            text=in_colour(f"may be the best: {int(first.sum())}", ACCENT),
            font={"size": 12},
        )
    alt = "Rank of each system with its simultaneous and its marginal interval."
    return Figure("ranks", figure, alt)


def resolved_pairs(
    resolution: Resolution,
) -> Figure:
    """Draw a matrix of systems: the row is resolved as better (strong) or worse (pale), or not resolved (empty)."""
    names: list[Any] = list(resolution.systems)
    m = len(names)
    z = resolution.resolved.astype(np.int8) - resolution.resolved.T.astype(np.int8)
    p, apart = np.ones((m, m)), np.zeros((m, m))
    i, k = resolution.pairs.first, resolution.pairs.second
    p[i, k] = p[k, i] = resolution.adjusted_p
    apart[i, k], apart[k, i] = resolution.pairs.difference, -resolution.pairs.difference
    figure = new_figure(
        title=(
            f"{resolution.n_resolved:,} of {resolution.n_pairs:,} pairs resolved: row is better (strong), "
            "worse (pale)"
        ),
        x_title=f"system, by mean {resolution.matrix.measure}",
        y_title="system in the row",
        height=int(min(max(260 + 18 * m, 420), 900)),
    )
    open_ = PAGE
    figure.add_heatmap(
        x=names,
        y=names,
        z=z.tolist(),
        zmin=-1,
        zmax=1,
        colorscale=[
            (0, RAMP[0]),
            (1 / 3, RAMP[0]),
            (1 / 3, open_),
            (2 / 3, open_),
            (2 / 3, RAMP[-1]),
            (1, RAMP[-1]),
        ],
        showscale=False,
        customdata=np.stack([apart, p], axis=-1).astype(np.float32),
        hovertemplate="%{y} less %{x}: %{customdata[0]:.4f}, adjusted p = %{customdata[1]:.4f}<extra></extra>",
        xgap=1 if m <= 60 else 0,
        ygap=1 if m <= 60 else 0,
        name="pairs",
    )
    _systems_axis(figure, names)
    figure.update_xaxes(categoryorder="array", categoryarray=names, **category_axis(names), tickangle=-60)
    alt = "Which pairs of systems are resolved, and which system is the better one."
    return Figure("pairs", figure, alt)


def groups(
    resolution: Resolution,
) -> Figure:
    """Draw a line for each longest run of systems without a resolved pair, the best systems on top."""
    names: list[Any] = list(resolution.systems)
    figure = new_figure(
        title="Groups: systems on one line are not resolved",
        x_title="line",
        y_title=f"system, by mean {resolution.matrix.measure}",
        height=_height(len(names)),
    )
    for place, (first, last) in enumerate(resolution.lines, start=1):
        members = names[first - 1 : last]
        figure.add_scatter(
            x=[place] * len(members),
            y=members,
            mode="lines" if len(members) > 1 else "markers",
            line={"color": SERIES[0], "width": 3},
            marker={"color": SERIES[0], "size": 6},
            hovertemplate=f"line {place}: %{{y}}, places {first} to {last}<extra></extra>",
            name=f"line {place}",
        )
    _systems_axis(figure, names)
    figure.update_xaxes(range=[0.3, len(resolution.lines) + 0.7], showgrid=False)
    if len(resolution.lines) <= 20:
        figure.update_xaxes(dtick=1)
    alt = "Groups of systems in which no pair is resolved, as lines."
    return Figure("groups", figure, alt)


def share_by_topics(
    ahead: Outlook,
) -> Figure:
    """Draw the share of pairs that n topics are expected to resolve."""
    share = ahead.resolved
    n_topics = None if share >= TARGET_SHARE else ahead.topics_for(TARGET_SHARE)
    low, high = ahead.interval
    longest = 0 if n_topics is None else 1.1 * (high or MOST_TOPICS)
    last = min(max(longest, 4 * ahead.n_topics, 200), MOST_TOPICS)
    sizes = np.unique(np.round(np.geomspace(5, last, _POINTS)))
    figure = new_figure(
        title="Pairs that more topics are expected to resolve (log scale of topics)",
        x_title="topics",
        y_title="pairs resolved (%)",
        height=400,
    )
    figure.add_scatter(
        x=sizes,
        y=[100 * ahead.share(float(n)) for n in sizes],
        mode="lines",
        line={"color": SERIES[0], "width": 3},
        hovertemplate="%{x:,.0f} topics: %{y:.1f} % of pairs expected<extra></extra>",
        name="expected",
    )
    if n_topics is not None:
        target = 100 * TARGET_SHARE
        interval = f"{low:,} or more" if high is None else f"{low:,} to {high:,}"
        text = f"{target:g} %: {two_digits(n_topics):,.0f} topics ({interval})"
        figure.add_scatter(
            x=[low, high or MOST_TOPICS],
            y=[target, target],
            mode="lines",
            line={"color": QUIET, "width": 2},
            hoverinfo="skip",
            name=f"{100 * LEVEL:g} % interval",
        )
        figure.add_scatter(
            x=[n_topics],
            y=[target],
            mode="markers",
            marker={"size": 9, "color": SERIES[0]},
            hovertemplate=f"{text}<extra></extra>",
            name="wanted",
        )
        figure.add_annotation(
            x=math.log10(n_topics),
            y=target,
            text=text,
            showarrow=False,
            xanchor="right",
            xshift=-8,
            yshift=12,
            font={"size": 12, "color": TEXT},
        )
    ring(
        figure,
        x=ahead.n_topics,
        y=100 * share,
        text=f"found: {100 * share:.1f} %",
        hover=f"{ahead.n_topics:,} topics: {100 * share:.1f} % of pairs found",
    )
    figure.layout["annotations"][-1]["x"] = math.log10(ahead.n_topics)  # as Plotly wants it on a log axis
    ticks = [
        tick for tick in (5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000) if tick <= last
    ]
    figure.update_xaxes(type="log", tickvals=ticks, ticktext=[f"{tick:,}" for tick in ticks])
    figure.update_yaxes(range=[-2, 102])
    alt = "The share of pairs that more topics are expected to resolve."
    return Figure("more-topics", figure, alt)


def asl_curves(
    result: Sequence[Powers],
) -> Figure:
    """Draw the sorted achieved significance levels of pairs, one line per measure: the lower, the better."""
    alpha = result[0].alpha
    top = max(0.1, 2 * alpha)
    figure = new_figure(
        title="Achieved significance level by randomised Tukey HSD",
        x_title="pairs of systems, by significance level (%)",
        y_title="achieved significance level",
        height=400,
    )
    for place, one in enumerate(result):
        share, asl = curve_of(one, top)
        colour = series(place)
        figure.add_scatter(
            x=100 * share,
            y=asl,
            mode="lines+markers" if asl.size < 3 else "lines",
            line={"color": colour, "width": 2.4},
            marker={"color": colour},
            hovertemplate=f"{literal(one.measure)}: %{{x:.1f}} %, ASL %{{y:.4f}}<extra></extra>",
            name=literal(one.measure),
        )
    figure.add_hline(y=alpha, line={"color": QUIET, "width": 1.2, "dash": "dot"})
    figure.update_yaxes(range=[-0.02 * top, top])
    figure.update_xaxes(range=[0, 101])
    legend_below(figure)
    alt = "Sorted significance levels of pairs by randomised Tukey HSD, one line per measure."
    return Figure("significance-levels", figure, alt)
