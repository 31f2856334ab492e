"""Error rates of chosen sets by the size of a difference (Guiver et al. 2009, figures 9 to 11)."""

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.analyses.error_rate.units import N_BINS, UPPER_EDGES
from topicset_core.analyses.topic_subsets.held_out.error_rates import THREE_BINS, HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.sentences import named
from topicset_core.analyses.topic_subsets.held_out.spreads import BestAverageWorst
from topicset_core.charts.end_labels import end_labels
from topicset_core.charts.style import PALETTES, Mode, legend_below, new_figure

_SIDES = (("best", "solid", 2.4), ("average", "dash", 1.8), ("worst", "dot", 1.8))
_LABELLED = (0, 1, 2, 4, 9, 14, 19)
_PERCENT = 100


def error_rates_of_three_bins(found: HeldOutErrorRates, *, of_what: str, mode: Mode) -> go.Figure:
    """Draw best, random and worst sets in three bins, and the average of the bins (figures 10 and 11).

    Parameters
    ----------
    found : HeldOutErrorRates
        With at least one point.
    of_what : str
        Whose scores these are, for the title.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    by = f"chosen by {named(found.choose_by)}"
    figure = _figure(found, f"Error rates of best, random and worst sets, {by}: {of_what}", mode)
    groups = [
        (f"difference {_bin(place)}", [point.bins[place] for point in found.points], palette.series[number])
        for number, place in enumerate(THREE_BINS)
    ]
    groups.append(
        ("average of the bins to 0.2", [point.average_of_bins for point in found.points], palette.text)
    )
    for name, levels, colour in groups:
        for side, dash, width in _SIDES:
            _add(figure, found, levels, side, f"{_words(side)} sets, {name}", colour, dash, width)
        figure.add_scatter(
            x=[math.nan], y=[math.nan], mode="lines", line={"color": colour, "width": 3}, name=name
        )
    for side, dash, width in _SIDES:
        figure.add_scatter(
            x=[math.nan],
            y=[math.nan],
            mode="lines",
            line={"color": palette.quiet, "width": width, "dash": dash},
            name=f"{_words(side)} sets",
        )
    legend_below(figure)
    return figure


def error_rates_of_best_sets(found: HeldOutErrorRates, *, of_what: str, mode: Mode) -> go.Figure:
    """Draw a curve for each of the 20 bins, of the best sets (figure 9); parameters as above."""
    figure = _figure(found, f"Error rates of the best sets by difference: {of_what}", mode)
    ramp = PALETTES[mode].ramp_for_lines
    ends = []
    for place in range(N_BINS):
        levels = [point.bins[place] for point in found.points]
        colour = ramp[place * len(ramp) // N_BINS]
        _add(figure, found, levels, "best", f"difference {_bin(place)}", colour, "solid", 1.6)
        last = [(point.cardinality, one.best) for point, one in zip(found.points, levels, strict=True)]
        there = [(size, best.mean) for size, best in last if best is not None]
        if place in _LABELLED and there:
            ends.append((float(there[-1][0]), _PERCENT * there[-1][1], _bin(place), False))
    end_labels(figure, mode, ends, height=50)
    figure.update_layout(margin={"r": 90})
    return figure


def _figure(found: HeldOutErrorRates, title: str, mode: Mode) -> go.Figure:
    figure = new_figure(
        mode,
        title=title,
        x_title="topics in the set, and in the set that is the truth",
        y_title="pairs of runs the other way round, %",
        height=500,
    )
    figure.update_xaxes(range=[0, found.points[-1].cardinality * 1.02])
    figure.update_yaxes(rangemode="tozero")
    return figure


def _add(
    figure: go.Figure,
    found: HeldOutErrorRates,
    levels: Sequence[BestAverageWorst],
    side: str,
    name: str,
    colour: str,
    dash: str,
    width: float,
) -> None:
    there = [
        (point.cardinality, spread)
        for point, one in zip(found.points, levels, strict=True)
        if (spread := getattr(one, side)) is not None
    ]
    figure.add_scatter(
        x=[size for size, _ in there],
        y=[_PERCENT * spread.mean for _, spread in there],
        mode="lines+markers",
        marker={"size": 3, "color": colour},
        line={"color": colour, "width": width, "dash": dash},
        text=[
            f"nine splits in ten {_PERCENT * spread.low:.1f} to {_PERCENT * spread.high:.1f} %"
            for _, spread in there
        ],
        hovertemplate=f"{name}<br>%{{x}} topics: %{{y:.2f}} %<br>%{{text}}<extra></extra>",
        showlegend=False,
        name=name,
    )


def _words(side: str) -> str:
    return "random" if side == "average" else side


def _bin(place: int) -> str:
    low, high = UPPER_EDGES[place - 1] if place else 0.0, UPPER_EDGES[place]
    return f"{low:g} to {high:g}"
