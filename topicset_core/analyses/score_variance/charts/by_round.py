"""Round after round: each round's own variance, and the variance pooled so far."""

from collections.abc import Sequence

import plotly.graph_objects as go

from topicset_core.analyses.score_variance.uncertainty import Round, VarianceUncertainty
from topicset_core.charts.labels import shortened
from topicset_core.charts.style import PALETTES, Mode, literal, new_figure

_APART = 0.08  # of the two points of a round, in rounds


def variance_by_round(found: Sequence[Round], *, mode: Mode) -> go.Figure:
    """Draw two points a round with their intervals: its own variance (open), pooled so far (filled)."""
    palette = PALETTES[mode]
    estimate = found[0].own.estimate.label
    level = 100 * found[0].own.interval.level
    figure = new_figure(
        mode,
        title=f"Variance of each round (open) and pooled so far (filled), with {level:g} % of resamples",
        x_title="rounds, in their order",
        y_title=f"{estimate.partition(',')[0]} (squared {found[0].own.measure})",
        height=360,
    )
    for name, shift, colour, symbol, values in (
        ("own", -_APART, palette.quiet, "circle-open", [each.own for each in found]),
        ("so far", _APART, palette.accent, "circle", [each.so_far for each in found]),
    ):
        figure.add_scatter(
            x=[place + shift for place in range(len(found))],
            y=[one.variance for one in values],
            error_y=_bars(values, colour),
            mode="markers" if name == "own" else "lines+markers",
            line={"color": colour, "width": 1.2, "dash": "dot"},
            marker={"size": 10, "color": colour, "symbol": symbol, "line": {"width": 2, "color": colour}},
            hovertext=[
                f"{literal(each.name)}, {name}: {one.variance:.4g} "
                f"({one.interval.low:.4g} to {one.interval.high:.4g})"
                for each, one in zip(found, values, strict=True)
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            name=name,
        )
    figure.update_xaxes(
        tickvals=list(range(len(found))),
        ticktext=[literal(shortened(each.name)) for each in found],
        range=[-0.5, len(found) - 0.5],
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
