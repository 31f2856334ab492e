"""Goodness on held-out runs or topics against cardinality (Guiver et al. 2009, figures 7 and 8)."""

from collections.abc import Callable, Sequence

import plotly.graph_objects as go

from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, HeldOutPoint
from topicset_core.analyses.topic_subsets.held_out.sentences import named, nearest_point, number
from topicset_core.analyses.topic_subsets.held_out.spreads import HIGH, LOW, Spread
from topicset_core.analyses.topic_subsets.sentences import shown
from topicset_core.charts.style import PALETTES, Mode, Palette, legend_below, new_figure, ring_marker
from topicset_core.wording import counted

Reader = Callable[[HeldOutPoint], Spread | None]
Line = tuple[str, Reader, str, str, bool]
"""Name, where its numbers are, colour, dash, and whether a band of its interval is drawn."""

_TOP, _RIGHT = 66, 44  # pixels, for the label of the ringed size and for the target
_EDGE = 0.2  # of the axis, where a label in the middle would not fit


def held_out_goodness(
    curve: HeldOutCurve, *, target: float, cardinality: int, of_what: str, mode: Mode
) -> go.Figure:
    """Draw best, average and worst, chosen on the other half and on the half they are judged on.

    Parameters
    ----------
    curve : HeldOutCurve
        With at least one point.
    target : float
        Goodness to reach; drawn as a rule.
    cardinality : int
        The size that is ringed: the nearest that was looked at.
    of_what : str
        Whose scores these are, for the title.
    mode : {"light", "dark", "print"}
        Colours.
    """
    palette = PALETTES[mode]
    measure, held = curve.judge_by, curve.request.hold_out
    by = "" if curve.choose_by == measure else f", chosen by {named(curve.choose_by)}"
    figure = new_figure(
        mode,
        title=f"{measure.label} on {held} that were held out{by}: {of_what}",
        x_title="topics in the subset",
        y_title=f"{measure.short}, mean over {curve.request.n_splits:,} splits",
        height=500,
    )
    lines = lines_of(curve, palette)
    for name, read, colour, _, has_band in lines:
        if has_band:
            _add_band(
                figure, curve.points, read, f"{LOW}th to {HIGH}th percentile over splits, {name}", colour
            )
    for name, read, colour, dash, _ in lines:
        _add_line(figure, curve.points, read, name, colour, dash)
    figure.add_hline(y=target, line={"color": palette.accent, "width": 1.4, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=target,
        text=shown(target),
        showarrow=False,
        xanchor="left",
        xshift=3,
        font={"color": palette.accent, "size": 12},
    )
    point = nearest_point(curve, cardinality)
    if point.chosen.best is not None:
        _mark(figure, point.cardinality, point.chosen.best.mean, curve, palette)
    figure.update_xaxes(range=[0, curve.points[-1].cardinality * 1.02])
    figure.update_layout(margin={"t": _TOP, "r": _RIGHT})
    legend_below(figure)
    return figure


def _mark(figure: go.Figure, cardinality: int, value: float, curve: HeldOutCurve, palette: Palette) -> None:
    """Ring a point of the best, and write above the lines what it is: beside it, the label would cover them."""
    said = number(value, curve.judge_by)
    figure.add_vline(x=cardinality, line={"color": palette.accent, "width": 1, "dash": "dot"}, layer="below")
    figure.add_scatter(
        x=[cardinality],
        y=[value],
        mode="markers",
        marker=ring_marker(palette),
        hovertemplate=f"best {cardinality:,} on the held-out half: {said}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
        name="yours",
    )
    share = cardinality / curve.points[-1].cardinality
    figure.add_annotation(
        x=cardinality,
        y=1,
        yref="paper",
        text=f"<b>{counted(cardinality, 'topic')}: {said}</b>",
        showarrow=False,
        xanchor="left" if share < _EDGE else "right" if share > 1 - _EDGE else "center",
        yanchor="bottom",
        font={"color": palette.accent, "size": 14},
    )


def lines_of(curve: HeldOutCurve, palette: Palette) -> tuple[Line, ...]:
    """Return the lines, two by two as the legend has room for: what was chosen elsewhere and what here."""
    runs = curve.request.hold_out == "runs"
    best, worst = palette.series[0], palette.series[1]
    own = "these runs" if runs else "these topics"
    averages: tuple[Line, ...] = (
        (("average", lambda point: point.chosen.average, palette.text, "solid", False),)
        if runs
        else (
            (
                "average, of the other half",
                lambda point: point.chosen.average,
                palette.text,
                "solid",
                False,
            ),
            ("average, of these topics", lambda point: point.own.average, palette.text, "dash", False),
        )
    )
    return (
        ("best, chosen on the other half", lambda point: point.chosen.best, best, "solid", True),
        (f"best for {own} themselves", lambda point: point.own.best, best, "dash", False),
        ("worst, chosen on the other half", lambda point: point.chosen.worst, worst, "solid", True),
        (f"worst for {own} themselves", lambda point: point.own.worst, worst, "dash", False),
        *averages,
    )


def _add_band(
    figure: go.Figure, points: Sequence[HeldOutPoint], read: Reader, name: str, colour: str
) -> None:
    there = [(point.cardinality, spread) for point in points if (spread := read(point)) is not None]
    sizes = [size for size, _ in there]
    figure.add_scatter(
        x=sizes + sizes[::-1],
        y=[spread.high for _, spread in there] + [spread.low for _, spread in there][::-1],
        fill="toself",
        fillcolor=colour,
        opacity=0.16,
        mode="lines",
        line={"width": 0},
        hoverinfo="skip",
        showlegend=False,
        name=name,
    )


def _add_line(
    figure: go.Figure, points: Sequence[HeldOutPoint], read: Reader, name: str, colour: str, dash: str
) -> None:
    there = [(point.cardinality, spread) for point in points if (spread := read(point)) is not None]
    figure.add_scatter(
        x=[size for size, _ in there],
        y=[spread.mean for _, spread in there],
        mode="lines+markers",
        line={"color": colour, "width": 2.4 if dash == "solid" else 1.6, "dash": dash},
        marker={"color": colour, "size": 4},
        text=[
            f"nine splits in ten {spread.low:.4f} to {spread.high:.4f}, standard error of the mean "
            f"{spread.standard_error:.1g}"
            for _, spread in there
        ],
        hovertemplate=f"{name}<br>%{{x}} topics: %{{y:.4f}}<br>%{{text}}<extra></extra>",
        name=name,
    )
