"""The figures of held-out runs and topics, and of an audit.

Goodness against cardinality (Guiver et al. 2009, figures 7 and 8); the place of a subset among all of its size;
ranks of the runs on it against those on all.
"""

from collections.abc import Callable, Sequence
from typing import Any

from topicset_core.analyses.topic_subsets.goodness import named, number, without_leading_zero
from topicset_core.analyses.topic_subsets.held_out.audit import AuditedGoodness, SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, HeldOutPoint
from topicset_core.analyses.topic_subsets.held_out.ranking import Ranking
from topicset_core.analyses.topic_subsets.held_out.splits import HIGH, LOW, Spread
from topicset_core.charts.labels import clear_of_each_other
from topicset_core.charts.style import grid, legend_below, literal, make_room, new_figure, ring_marker
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.drawing import Drawing
from topicset_core.wording import counted

Reader = Callable[[HeldOutPoint], Spread | None]
Line = tuple[str, Reader, str, str, bool]
"""Name, where its numbers are, colour, dash, and whether a band of its interval is drawn."""

_LABEL, _RIGHT = 18, 44  # pixels, for the label of the ringed size and for the target
_EDGE = 0.2  # of the axis, where a label in the middle would not fit


def held_out_goodness(curve: HeldOutCurve, *, target: float, cardinality: int, of_what: str) -> Drawing:
    """Draw best, average and worst, chosen on the other half and on the half they are evaluated on."""
    measure, held, splits = curve.evaluated_by, curve.request.hold_out, curve.request.n_splits
    by = "" if curve.choose_by == measure else f", chosen by {named(curve.choose_by)}"
    figure = new_figure(
        title=f"{measure.label} on held-out {held}{by}: {of_what}",
        x_title="topics in the subset",
        y_title=f"{measure.short}, {'mean over ' + counted(splits, 'split') if splits > 1 else 'given split'}",
        height=500,
    )
    lines = lines_of(curve)
    for name, read, colour, _, has_band in lines:
        if has_band and splits > 1:
            _add_band(
                figure, curve.points, read, f"{LOW}th to {HIGH}th percentile over splits, {name}", colour
            )
    for place, (name, read, colour, dash, _) in enumerate(lines):
        _add_line(figure, curve.points, read, name, colour, dash, has_reversed=place == 0)
    figure.add_hline(y=target, line={"color": ACCENT, "width": 1.4, "dash": "dot"})
    figure.add_annotation(
        x=1,
        xref="paper",
        y=target,
        text=without_leading_zero(target),
        showarrow=False,
        xanchor="left",
        xshift=3,
        font={"color": ACCENT, "size": 12},
    )
    point = curve.nearest(cardinality)
    if point.chosen.best is not None:
        _mark(figure, point.cardinality, point.chosen.best.mean, curve)
    figure.update_xaxes(range=[0, curve.points[-1].cardinality * 1.02])
    make_room(figure, _LABEL)
    figure.update_layout(margin={"r": _RIGHT})
    legend_below(figure)
    return figure


def _mark(figure: Drawing, cardinality: int, value: float, curve: HeldOutCurve) -> None:
    """Ring a point of the best, and label it above the lines: next to it, the label would cover them."""
    sentence = number(value, curve.evaluated_by)
    figure.add_vline(x=cardinality, line={"color": ACCENT, "width": 1, "dash": "dot"}, layer="below")
    figure.add_scatter(
        x=[cardinality],
        y=[value],
        mode="markers",
        marker=ring_marker(),
        hovertemplate=f"best {cardinality:,} on the held-out half: {sentence}<extra></extra>",
        cliponaxis=False,
        showlegend=False,
        name="yours",
    )
    share = cardinality / curve.points[-1].cardinality
    figure.add_annotation(
        x=cardinality,
        y=1,
        yref="paper",
        text=f"<b>{counted(cardinality, 'topic')}: {sentence}</b>",
        showarrow=False,
        xanchor="left" if share < _EDGE else "right" if share > 1 - _EDGE else "center",
        yanchor="bottom",
        font={"color": ACCENT, "size": 14},
    )


def lines_of(curve: HeldOutCurve) -> tuple[Line, ...]:
    """Return the lines, two by two as the legend has room for: chosen elsewhere and chosen here."""
    runs = curve.request.hold_out == "runs"
    best, worst = SERIES[0], SERIES[1]
    own = "these runs" if runs else "these topics"
    averages: tuple[Line, ...] = (
        (("average", lambda point: point.chosen.average, TEXT, "solid", False),)
        if runs
        else (
            (
                "average, of the other half",
                lambda point: point.chosen.average,
                TEXT,
                "solid",
                False,
            ),
            ("average, of these topics", lambda point: point.own.average, TEXT, "dash", False),
        )
    )
    return (
        ("best, chosen on the other half", lambda point: point.chosen.best, best, "solid", True),
        (f"best for {own} themselves", lambda point: point.own.best, best, "dash", False),
        ("worst, chosen on the other half", lambda point: point.chosen.worst, worst, "solid", True),
        (f"worst for {own} themselves", lambda point: point.own.worst, worst, "dash", False),
        *averages,
    )


def _add_band(figure: Drawing, points: Sequence[HeldOutPoint], read: Reader, name: str, colour: str) -> None:
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
    figure: Drawing,
    points: Sequence[HeldOutPoint],
    read: Reader,
    name: str,
    colour: str,
    dash: str,
    *,
    has_reversed: bool,
) -> None:
    there = [(point, spread) for point in points if (spread := read(point)) is not None]
    figure.add_scatter(
        x=[point.cardinality for point, _ in there],
        y=[spread.mean for _, spread in there],
        mode="lines+markers",
        line={"color": colour, "width": 2.4 if dash == "solid" else 1.6, "dash": dash},
        marker={"color": colour, "size": 4},
        text=[_hover(spread, point.reversed_pairs if has_reversed else None) for point, spread in there],
        hovertemplate=f"{name}<br>%{{x}} topics: %{{y:.4f}}<br>%{{text}}<extra></extra>",
        name=name,
    )


def _hover(spread: Spread, reversed_pairs: Spread | None) -> str:
    parts = []
    if spread.n_splits > 1:
        parts.append(
            f"nine splits in ten {spread.low:.4f} to {spread.high:.4f}, standard error of the mean "
            f"{spread.standard_error:.1g}"
        )
    if reversed_pairs is not None:
        parts.append(f"reversed pairs {100 * reversed_pairs.mean:.1f} %")
    return "<br>".join(parts)


_HALVES, _ALL = 0, 1
_ROWS = ("halves of the runs", "all runs")
_ROW_HEIGHT, _FRAME = 150, 110  # pixels
_LEGEND_BELOW = 0.45  # of a row


def audit_place(
    audit: SubsetAudit,
) -> Drawing:
    """Draw a strip for each measure: on all runs, and on random halves of them next to sets that were chosen."""
    results = [one for one in audit.goodness if one.value is not None]
    figure = new_figure(
        title=f"Your {audit.cardinality:,} topics among all subsets of that size: {audit.scores}",
        x_title="",
        y_title="",
        height=_FRAME + _ROW_HEIGHT * max(1, len(results)),
    )
    axis_x, axis_y = (dict(figure.layout[axis]) for axis in ("xaxis", "yaxis"))
    strips = grid(max(1, len(results)), 1, down=0.16)
    for one, (end, wide, high) in zip(results, strips, strict=False):
        _add_strip(figure, one, end)
        across = axis_x | {
            "title": {"text": literal(one.measure.label), "font": {"size": 13}, "standoff": 4},
            "anchor": f"y{end}",
            "domain": wide,
        }
        if not one.measure.higher_is_better:  # better is to the right, everywhere
            across["autorange"] = "reversed"
        up = axis_y | {
            "title": {},
            "tickvals": [_HALVES, _ALL],
            "ticktext": list(_ROWS),
            "range": [-0.9, 1.9],
            "anchor": f"x{end}",
            "domain": high,
        }
        figure.update_layout(**{f"xaxis{end}": across, f"yaxis{end}": up})
    figure.update_layout(
        showlegend=True,
        legend={
            "orientation": "h",
            "y": -_LEGEND_BELOW / max(1, len(results)),
            "yanchor": "top",
            "itemclick": False,
            "itemdoubleclick": False,
        },
    )
    return figure


def _add_strip(figure: Drawing, one: AuditedGoodness, end: str) -> None:
    measure = one.measure
    axes: dict[str, Any] = {"xaxis": f"x{end}", "yaxis": f"y{end}"}
    if one.best is not None and one.worst is not None:
        figure.add_scatter(
            x=[one.worst.value, one.best.value],
            y=[_ALL, _ALL],
            mode="lines",
            line={"color": QUIET, "width": 1.4},
            hoverinfo="skip",
            showlegend=False,
            name="range",
            **axes,
        )
    marks: tuple[tuple[str, int, float | None, str, str, int], ...] = (
        ("worst", _ALL, one.worst.value if one.worst else None, SERIES[1], "circle", 10),
        ("best", _ALL, one.best.value if one.best else None, SERIES[0], "circle", 10),
        ("average", _ALL, one.average, TEXT, "line-ns-open", 14),
        ("average", _HALVES, _mean(one, "held_out_average"), TEXT, "line-ns-open", 14),
        (
            "chosen on the other half",
            _HALVES,
            _mean(one, "held_out_chosen"),
            SERIES[0],
            "circle-open",
            10,
        ),
        ("yours", _HALVES, _mean(one, "held_out"), ACCENT, "diamond", 13),
        ("yours", _ALL, one.value, ACCENT, "diamond", 13),
    )
    for name, place, value, colour, symbol, size in marks:
        if value is None:
            continue
        is_yours = name == "yours"
        figure.add_scatter(
            x=[value],
            y=[place],
            mode="markers+text" if is_yours else "markers",
            text=[f"<b>{number(value, measure)}</b>"],
            textposition="top center" if place == _ALL else "bottom center",
            textfont={"color": colour, "size": 13},
            marker={"color": colour, "symbol": symbol, "size": size, "line": {"width": 2, "color": colour}},
            error_x=_interval(one) if is_yours and place == _HALVES else None,
            hovertemplate=f"{name}, {_ROWS[place]}: %{{x:.5f}}<extra></extra>",
            cliponaxis=False,
            showlegend=not end and (place == _ALL or name.startswith("chosen")),
            name=name,
            **axes,
        )


def _interval(one: AuditedGoodness) -> dict[str, object]:
    """Return the bar from the 5th to the 95th percentile over halves."""
    spread = one.held_out
    if spread is None:
        return {}
    return {
        "type": "data",
        "symmetric": False,
        "array": [spread.high - spread.mean],
        "arrayminus": [spread.mean - spread.low],
        "color": ACCENT,
        "thickness": 1.6,
        "width": 5,
    }


def _mean(one: AuditedGoodness, name: str) -> float | None:
    spread = getattr(one, name)
    return None if spread is None else float(spread.mean)


_NAMED = 5
_EVERY_RANK = 10  # runs up to which each rank has a tick; else some would fall between ranks


def rank_changes(ranking: Ranking, *, of_what: str) -> Drawing:
    """Draw one point per run; the runs that change most are named."""
    n = len(ranking.changes)
    figure = new_figure(
        title=f"Ranks of the runs: {of_what}",
        x_title="rank on all topics (1 is best)",
        y_title="rank on these topics",
        height=480,
    )
    figure.add_scatter(
        x=[1, n],
        y=[1, n],
        mode="lines",
        line={"color": QUIET, "width": 1, "dash": "dot"},
        hoverinfo="skip",
        name="same rank",
    )
    named = [one for one in ranking.changes[:_NAMED] if one.change]
    rest = ranking.changes[len(named) :]
    for runs, name, colour in (
        (rest, "other runs", SERIES[0]),
        (named, "largest changes", ACCENT),
    ):
        figure.add_scatter(
            x=[one.rank_all for one in runs],
            y=[one.rank_subset for one in runs],
            mode="markers+text" if name == "largest changes" else "markers",
            text=[literal(one.system) for one in runs],
            textposition=clear_of_each_other(
                [one.rank_all for one in runs],
                [one.rank_subset for one in runs],
                [one.system for one in runs],
                ["middle right" if one.rank_all <= n / 2 else "middle left" for one in runs],
            )
            if name == "largest changes"
            else "middle right",
            textfont={"color": colour, "size": 11},
            marker={"color": colour, "size": 7, "symbol": "circle"},
            hovertext=[
                f"{literal(one.system)}: rank {one.rank_all:g} on all, {one.rank_subset:g} here<br>"
                f"means {one.mean_all:.4f} and {one.mean_subset:.4f}"
                for one in runs
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            cliponaxis=False,
            name=name,
        )
    # There is no rank 0; half a rank of room shows the outermost points whole.
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(range=[0.5, n + 0.5], dtick=1 if n <= _EVERY_RANK else None)
    return figure
