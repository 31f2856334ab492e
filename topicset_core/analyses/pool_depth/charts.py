"""The figures of pool depth: what a budget buys, the trade-off, and the losses of teams that are left out.

What a budget buys has pool depth on the x axis, the others documents per topic, as pooled from the runs. The
trade-off is that of Sakai 2016, figures 2 and 3: a point is a pool depth, and the area of the rectangle from the
origin to it is the cost of the design.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign, Purchase
from topicset_core.analyses.pool_depth.pools import LeftOut
from topicset_core.charts.chart import Chart, Panel
from topicset_core.charts.labels import literal
from topicset_core.designs import Plan
from topicset_core.exports.colours import ACCENT, GRID, QUIET, TEXT, TRANSPARENT, series
from topicset_core.exports.figures import Figure
from topicset_core.wording import percent

_EQUAL_COSTS = (1, 2, 5)  # times a power of ten: the costs of the pale lines
_NUMBER = 0.04  # of the picture's width: a number of three digits, closely
_LINE = 0.04  # of the picture's height: a line of text
_MARGIN = 1.15  # how far axes go beyond the outermost points
_RIGHT = 110  # pixels to the right of the picture, for names at the ends of lines
_HIGH = 400  # pixels, height of the trade-off
_LOW = 260  # pixels, height of the losses of teams
_FIRST = 470  # pixels, height of what a budget buys
_LESS_ROOM = -10  # pixels below its title, as a headline of two lines stands above it on the first screen
_BOUGHT = Panel("", [0, 1], [0.42, 1])  # what a budget buys
_SEEN = Panel("2", [0, 1], [0, 0.37])  # τ, and relevant documents found
_APART = 0.042  # of two labels next to these panels, as a share of the picture
_HOLLOW = "circle-open"


def bought_by_depth(
    by_measure: Sequence[Sequence[DepthDesign]],
    bought: Sequence[Purchase],
    choice: Choice,
    rule: Plan,
    shown: Purchase,
) -> Figure:
    """Draw the difference that a budget detects at each depth (hollow: hardly judged), and below it τ."""
    symbol, kind = rule.symbol, "difference detected" if rule.design.has_power else "expected width"
    chart = Chart(
        f"What {choice.budget:,.0f} judgments buy: {symbol} {_from_to(bought)}",
        "pool depth",
        f"{kind} ({symbol})",
        height=_FIRST,
    )
    lines = [
        (
            designs[0].measure,
            ACCENT if designs[0].measure == shown.measure else series(place),
            [(one, one.kendall_tau) for one in designs],
        )
        for place, designs in enumerate(by_measure)
    ]
    known = "relevant found", QUIET, [(one, one.relevant_known) for one in by_measure[0]]
    quality = [(name, colour, drawn) for name, colour, each in (*lines, known) if (drawn := _known(each))]
    upper = _BOUGHT if quality else Panel("", [0, 1], [0, 1])
    across = _depth_axis([one.pool_depth for one in by_measure[0]])
    chart.panel(upper, across | ({"title": {}, "showticklabels": False} if quality else {}), {})
    at = {(one.pool_depth, one.measure): one for one in bought}
    ends: list[tuple[float, float, str, str]] = []
    for (measure, colour, _), designs in zip(lines, by_measure, strict=True):
        pairs = [(one, at[one.pool_depth, measure]) for one in designs if (one.pool_depth, measure) in at]
        points = _known([(one, each.difference) for one, each in pairs])
        if points:
            texts = [_bought_in_words(*pair, symbol) for pair in pairs if pair[1].difference is not None]
            symbols = [_symbol(one, choice) for one, _ in points]
            width = 3 if measure == shown.measure else 2
            _depth_line(chart, points, measure, texts, colour=colour, width=width, marker={"symbol": symbols})
            ends.append((points[-1][0].pool_depth, points[-1][1], measure, colour))
    top = 1.1 * max(rule.difference, *(end[1] for end in ends), *(one.difference or 0.0 for one in bought))
    chart.axis("y", range=[0, top])
    chart.name_ends(ends, height=top, gap=_APART / (upper.high[1] - upper.high[0]))
    chart.rule(rule.difference, f"{symbol} = {rule.difference:g}", colour=TEXT, is_left=True)
    if any(_symbol(one, choice) == _HOLLOW for one in by_measure[0]):
        chart.key((TEXT, f"○ under {percent(choice.min_judged_share, '.0f')} of the pool judged"))
    if quality:
        _quality(chart, quality, across)
    middle = {"x0": shown.pool_depth, "x1": shown.pool_depth, "y0": 0, "y1": 1, "yref": "paper"}
    chart.add_shape(type="line", layer="below", line={"color": ACCENT, "width": 1, "dash": "dot"}, **middle)
    if shown.difference is not None:
        hover = f"depth {shown.pool_depth}: {shown.n_topics:,} topics, {symbol} = {shown.difference:.3g}"
        chart.yours(shown.pool_depth, shown.difference, "", hover)
    chart.room(right=_RIGHT, top=_LESS_ROOM)
    alt = f"What {choice.budget:,.0f} judgments detect at each pool depth, by each measure."
    return chart.figure(
        "bought-by-depth", alt + (" Below: Kendall's τ with all judgments." if quality else "")
    )


def _quality(
    chart: Chart,
    lines: Sequence[tuple[str, str, Sequence[tuple[DepthDesign, float]]]],
    across: Mapping[str, Any],
) -> None:
    """Draw τ of each measure and the relevant documents found below what the budget buys, on the same depths."""
    bottom = math.floor(10 * min(value for *_, points in lines for _, value in points) - 0.01) / 10
    title = {"text": "τ, and share", "font": {"size": 14, "color": TEXT}, "standoff": 10}
    gap = _APART / (_SEEN.high[1] - _SEEN.high[0]) * (1 - bottom)
    # Names one above the other, as many above 1 as below, as notes beyond the axis are not drawn.
    top = 1 + gap * len(lines) / 2
    chart.panel(_SEEN, {"matches": "x", **across}, {"title": title, "range": [bottom, top]})
    ends = []
    for name, colour, points in lines:
        texts = [f"{name}, depth {one.pool_depth}: {value:.3f}" for one, value in points]
        dash = "dash" if name == "relevant found" else None
        _depth_line(chart, points, name, texts, colour=colour, dash=dash, panel=_SEEN.end)
        text = name if dash else f"τ {name}"
        ends.append((points[-1][0].pool_depth, points[-1][1], text, colour))
    chart.name_ends(ends, height=1, gap=gap, xref=f"x{_SEEN.end}", yref=f"y{_SEEN.end}")


def _known(points: Sequence[tuple[DepthDesign, float | None]]) -> list[tuple[DepthDesign, float]]:
    """Return the points with a value: a single run has no ranking."""
    return [(one, value) for one, value in points if value is not None]


def _from_to(bought: Sequence[Purchase]) -> str:
    """Return what the budget reaches by every measure at its first and its last depth."""
    depths = sorted({one.pool_depth for one in bought})
    worst = [max(one.reached for one in bought if one.pool_depth == depth) for depth in depths]
    reached = [value for value in worst if value < math.inf]
    return " to ".join(f"{value:.3g}" for value in (*reached[:1], *reached[1:][-1:])) or "at no depth"


def _depth_axis(depths: Sequence[int]) -> dict[str, Any]:
    """Return the axis of pool depths, with a tick at each as long as these keep clear of each other."""
    ticks: list[int] = []
    for depth in depths:
        if not ticks or depth - ticks[-1] >= _NUMBER * depths[-1]:
            ticks.append(depth)
    return {"range": [0, depths[-1]], "tickvals": ticks}


def _depth_line(
    chart: Chart,
    points: Sequence[tuple[DepthDesign, float]],
    name: str,
    texts: Sequence[str],
    **look: Any,
) -> None:
    x, y = [one.pool_depth for one, _ in points], [value for _, value in points]
    chart.line(x, y, name, texts, **{"size": 8, "cliponaxis": False} | look)


def _symbol(design: DepthDesign, choice: Choice) -> str:
    return "circle" if design.is_judged(choice.min_judged_share) else _HOLLOW


def _bought_in_words(design: DepthDesign, bought: Purchase, symbol: str) -> str:
    power = (
        "" if bought.power is None else f", power at the {symbol} asked for {percent(bought.power, '.0f')}"
    )
    judged = (
        "" if design.judged_share is None else f"; {percent(design.judged_share, '.0f')} of the pool judged"
    )
    return (
        f"{design.measure}, depth {design.pool_depth}: {bought.n_topics:,} topics, "
        f"{symbol} = {bought.difference:.3g}{power}{judged}"
    )


def topics_by_judgments(by_measure: Sequence[Sequence[DepthDesign]], choice: Choice) -> Figure:
    """Draw a curve per measure (open markers: not recommended), equal costs, and rectangles of two designs."""
    every = [design for designs in by_measure for design in designs]
    yours = (choice.taken or choice.designs[-1]).measure
    right = _MARGIN * max(design.pooled_per_topic for design in every)
    top = _MARGIN * max(design.required_topics or 0 for design in every)
    chart = Chart(
        "Topics × documents per topic = judgments",
        "documents to judge per topic (inside: pool depth)",
        "required topics n",
        height=_HIGH,
    )
    _equal_costs(chart, right, top, choice.budget)
    _cost_line(chart, choice.budget, right, top, f"budget {choice.budget:,.0f}", is_yours=True)
    if choice.taken is not None:
        _rectangle(chart, choice.taken, ACCENT, filled=True)
    if choice.recommended:
        _rectangle(chart, choice.recommended[-1], QUIET, filled=False)
    ends = []
    for place, designs in enumerate(by_measure):
        measure, is_yours = designs[0].measure, designs[0].measure == yours
        topics = [float(design.required_topics or 0) for design in designs]
        symbols = [_symbol(one, choice) for one in designs]
        chart.line(
            [design.pooled_per_topic for design in designs],
            topics,
            measure,
            [_in_words(design) for design in designs],
            colour=ACCENT if is_yours else series(place),
            width=3 if is_yours else 1.8,
            size=8 if is_yours else 6,
            marker={"symbol": symbols},
        )
        ends.append((designs[-1].pooled_per_topic, topics[-1], measure, ACCENT if is_yours else TEXT))
    _depths(chart, next(designs for designs in by_measure if designs[0].measure == yours), right)
    chart.name_ends(ends, height=top)
    chart.axis("x", range=[0, right])
    chart.axis("y", range=[0, top])
    chart.room(right=_RIGHT)
    alt = "Required topics against documents per topic, for each measure."
    return chart.figure("topics-by-judgments", alt)


def change_of_left_out(
    result: Sequence[LeftOut], designs: Sequence[DepthDesign], *, measure: str, alt: str
) -> Figure:
    """Draw how each run's mean score changes without its team's own judgments, at every depth."""
    judged = {design.pool_depth: design.pooled_per_topic for design in designs}
    chart = Chart(
        "Change of scores when the team of a run is left out of the pool",
        "documents per topic",
        f"change of the mean ({measure})",
        height=_LOW,
    )
    drawn = [one for one in result if one.pool_depth in judged]
    chart.points(
        [judged[one.pool_depth] for one in drawn],
        [one.change for one in drawn],
        "runs",
        [
            f"{literal(one.system)} ({literal(one.team)}), depth {one.pool_depth}: {one.change:+z.4f}, "
            f"rank {one.rank} becomes {one.rank_left_out}; "
            f"{one.n_unique_relevant} relevant of {one.n_unique} documents only from it"
            for one in drawn
        ],
        colour=QUIET,
        size=7,
        marker={"opacity": 0.6},
    )
    depths = sorted({one.pool_depth for one in drawn})
    changes = [[one.change for one in drawn if one.pool_depth == depth] for depth in depths]
    means = [sum(each) / len(each) for each in changes]
    x = [judged[depth] for depth in depths]
    chart.line(x, means, "mean", "mean of all runs: %{y:+.4f}", width=2.5)
    chart.name_end(x[-1], means[-1], "mean of runs", colour=ACCENT)
    chart.rule(0)
    chart.axis("x", range=[0, _MARGIN * max(design.pooled_per_topic for design in designs)])
    chart.room(right=_RIGHT)
    return chart.figure("left-out", alt)


def _in_words(design: DepthDesign) -> str:
    return (
        f"{design.measure}, depth {design.pool_depth}: {design.required_topics:,} topics × "
        f"{design.pooled_per_topic:.0f} documents = {design.total_judgments:,} judgments"
        + ("" if design.judged_share is None else f"; {design.judged_share:.0%} judged")
    )


def _depths(chart: Chart, designs: Sequence[DepthDesign], right: float) -> None:
    """Write depths on the axis, as long as they keep clear of each other."""
    last = -right
    for design in designs:
        if design.pooled_per_topic - last < _NUMBER * right:
            continue
        last = design.pooled_per_topic
        chart.note(str(design.pool_depth), last, 0, colour=TEXT, yanchor="bottom")


def _rectangle(chart: Chart, design: DepthDesign, colour: str, *, filled: bool) -> None:
    chart.add_shape(
        type="rect",
        x0=0,
        y0=0,
        x1=design.pooled_per_topic,
        y1=design.required_topics or 0,
        line={"color": colour, "width": 1.5, "dash": "solid" if filled else "dot"},
        fillcolor=colour if filled else TRANSPARENT,
        opacity=0.25 if filled else 0.9,
        layer="below",
    )


def _equal_costs(chart: Chart, right: float, top: float, budget: float) -> None:
    """Draw lines of equal cost for a few round costs that cross the picture, not where the budget's is."""
    most = right * top
    power = 10 ** int(np.log10(most))
    costs = [step * scale for scale in (power // 10, power) for step in _EQUAL_COSTS if scale >= 1]
    for cost in [cost for cost in costs if cost < 0.7 * most][-4:]:
        if abs(cost - budget) >= _LINE * most:
            _cost_line(chart, cost, right, top, f"{cost:,}", is_yours=False)


def _cost_line(chart: Chart, cost: float, right: float, top: float, text: str, *, is_yours: bool) -> None:
    documents = np.geomspace(max(cost / top, right / 1000), right, 80)
    topics = cost / documents
    colour, width, dash = (ACCENT, 1.6, "dash") if is_yours else (GRID, 1.2, "solid")
    chart.line(documents, topics, text, None, colour=colour, width=width, dash=dash)
    colour = ACCENT if is_yours else QUIET
    chart.note(text, right, float(topics[-1]), colour=colour, size=11, xanchor="left", xshift=4)
