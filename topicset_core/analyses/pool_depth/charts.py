"""The figures of pool depth: what a budget buys, the trade-off, and the losses of teams that are left out.

What a budget buys and what a depth costs have pool depth on the x axis, the others documents per topic, as pooled
from the runs. The trade-off is that of Sakai 2016, figures 2 and 3: a point is a pool depth, and the area of the
rectangle from the origin to it is the cost of the design.
"""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign, Purchase
from topicset_core.charts.chart import Chart, Panel, floats
from topicset_core.charts.labels import literal
from topicset_core.designs import Plan
from topicset_core.designs.search import Floats
from topicset_core.exports.colours import ACCENT, GRID, QUIET, TEXT, TRANSPARENT, series
from topicset_core.exports.figures import Figure
from topicset_core.exports.tables import Row

_EQUAL_COSTS = (1, 2, 5)  # times a power of ten: the costs of the pale lines
_NUMBER = 0.04  # of the picture's width: a number of three digits, closely
_LINE = 0.04  # of the picture's height: a line of text
_MARGIN = 1.15  # how far axes go beyond the outermost points
_RIGHT = 128  # pixels to the right of the picture, for names at the ends of lines
_HIGH = 400  # pixels, height of the trade-off
_LOW = 260  # pixels, height of the losses of teams
_FIRST = 500  # pixels, height of what a budget buys
_BOUGHT = Panel("", [0, 1], [0.42, 1])  # what a budget buys
_SEEN = Panel("2", [0, 1], [0, 0.37])  # τ, and relevant documents found
_NAME = 0.042  # of two labels next to these panels, as a share of the picture
_HOLLOW = "circle-open"
_DASHES = ("solid", "dash", "dot", "dashdot")  # of measures: a line on top of another leaves it seen


def bought_by_depth(
    by_measure: Sequence[Sequence[DepthDesign]],
    bought: Sequence[Purchase],
    choice: Choice,
    rule: Plan,
    shown: Purchase,
) -> Figure:
    """Draw the difference that a budget detects at each depth (hollow: not recommended), and below it τ."""
    symbol, budget = rule.symbol, choice.budget.in_words
    at = {(one.pool_depth, one.measure): one for one in bought}

    def paid(one: DepthDesign) -> tuple[float | None, str]:
        found = at.get((one.pool_depth, one.measure))
        return (None, "") if found is None else (found.difference, f" with {found.n_topics:,} topics")

    chart = _by_depth(
        f"What {budget} buy: {symbol} {_from_to(bought)}",
        f"{'difference detected' if rule.design.has_power else 'expected width'} ({symbol})",
        by_measure,
        paid,
        choice,
        (shown.pool_depth, shown.measure, shown.difference),
        top=rule.difference,
    )
    chart.rule(rule.difference, f"{symbol} = {rule.difference:g}", colour=TEXT)
    alt = f"What {budget} detect at each pool depth by each measure; τ with all judgments below it."
    return chart.figure("bought-by-depth", alt)


def cost_by_depth(
    by_measure: Sequence[Sequence[DepthDesign]], choice: Choice, rule: Plan, shown: DepthDesign | None
) -> Figure:
    """Draw the judgments that a difference takes at each depth (hollow: not recommended), and below it τ."""

    def cost(one: DepthDesign) -> tuple[float | None, str]:
        return one.total_judgments, f" judgments for {one.required_topics or 0:,} topics"

    at = None if shown is None else (shown.pool_depth, shown.measure, shown.total_judgments)
    asked = f"{rule.symbol} = {rule.difference:g}"
    title = f"Judgments for {asked} by pool depth"
    chart = _by_depth(title, "judgments", by_measure, cost, choice, at)
    alt = f"The judgments for {asked} at each pool depth; τ with all judgments below it."
    return chart.figure("cost-by-depth", alt)


def _by_depth(
    title: str,
    quantity: str,
    by_measure: Sequence[Sequence[DepthDesign]],
    value: Callable[[DepthDesign], tuple[float | None, str]],
    choice: Choice,
    shown: tuple[int, str, float | None] | None,
    *,
    top: float = 0.0,
) -> Chart:
    """Draw a quantity of each depth and measure, and below it τ and relevant documents with their floors."""
    depths = _depths(by_measure[0])
    chart = Chart(title, "pool depth", quantity, height=_FIRST)
    ends: list[tuple[float, float, str, str]] = []
    seen: list[tuple[float, float, str, str]] = []
    below: dict[str, Any] = {"width": 2, "yaxis": f"y{_SEEN.end}"}
    yours = shown[1] if shown else max(choice.designs, key=lambda one: one.required_topics or 0).measure
    for place, designs in enumerate(by_measure):
        measure = designs[0].measure
        colour, width = (ACCENT, 3) if measure == yours else (series(place), 2)
        dash = "solid" if measure == yours else _DASHES[place % len(_DASHES)]
        values, texts = zip(*map(value, designs), strict=True)
        top = max(top, *(one or 0.0 for one in values))
        symbols = {"symbol": [_symbol(one, choice) for one in designs]}
        look = {"colour": colour, "dash": dash}
        ends += _curve(chart, measure, designs, values, texts, **look, width=width, marker=symbols)
        taus = [one.kendall_tau for one in designs]
        seen += _curve(chart, f"τ {measure}", designs, taus, **look, **below)
    known = [one.relevant_known for one in by_measure[0]]
    seen += _curve(chart, "relevant found", by_measure[0], known, colour=QUIET, dash="dash", **below)
    start = depths[0] - _NUMBER * (depths[-1] - depths[0] or depths[0])
    chart.axis("x", range=[start, depths[-1]], tickvals=_apart(depths, _NUMBER * (depths[-1] - start)))
    chart.axis("y", range=[0, 1.1 * top])
    chart.name_ends(ends, height=1.1 * top, gap=_NAME / (1 - _BOUGHT.high[0] if seen else 1))
    if any(_symbol(one, choice) == _HOLLOW for one in by_measure[0]):
        chart.key((TEXT, "○ not recommended"))
    if seen:
        _draw_seen(chart, by_measure, known, seen, choice)
    if shown is not None:
        depth, _, reached = shown
        here = {"x0": depth, "x1": depth, "y0": 0, "y1": 1, "yref": "paper"}
        chart.add_shape(type="line", layer="below", line={"color": ACCENT, "width": 1, "dash": "dot"}, **here)
        if reached is not None:
            chart.yours(depth, reached, "", f"depth {depth}: {reached:,.3g}")
    chart.room(right=_RIGHT)
    return chart


def _draw_seen(
    chart: Chart,
    by_measure: Sequence[Sequence[DepthDesign]],
    known: Sequence[float | None],
    seen: Sequence[tuple[float, float, str, str]],
    choice: Choice,
) -> None:
    """Draw the axis of τ and relevant documents, the names of their curves, and their floors."""
    chart.axis("x", anchor=f"y{_SEEN.end}")
    chart.axis("y", domain=_BOUGHT.high)
    values = [*known, *(one.kendall_tau for designs in by_measure for one in designs)]
    floors = {"τ": choice.floors.min_tau} if choice.taus else {}
    floors |= {"found": choice.floors.min_relevant} if any(one is not None for one in known) else {}
    least = min([*(one for one in values if one is not None), *(floor - 0.05 for floor in floors.values())])
    bottom = math.floor(10 * max(least, 0.0)) / 10
    gap = _NAME / _SEEN.high[1] * (1.1 - bottom)
    ticks = [tenth / 10 for tenth in range(0, 11, 1 if bottom > 0.6 else 2)]
    title = {"text": "τ, share found", "font": {"size": 14, "color": TEXT}, "standoff": 10}
    chart.panel_axis("y", _SEEN, anchor="x", title=title, range=[bottom, 1.1], tickvals=ticks)
    for floor in floors.values():
        place = {"x0": 0, "x1": 1, "xref": "paper", "y0": floor, "y1": floor, "yref": f"y{_SEEN.end}"}
        chart.add_shape(type="line", layer="below", line={"color": QUIET, "width": 1, "dash": "dot"}, **place)
    last = seen[0][0]
    named = [*seen, *((last, floor, f"{name} ≥ {floor:g}", QUIET) for name, floor in floors.items())]
    chart.name_ends(named, height=1, gap=gap, xref="x", yref=f"y{_SEEN.end}")


def _curve(
    chart: Chart,
    name: str,
    designs: Sequence[DepthDesign],
    values: Sequence[float | None],
    more: Sequence[str] | None = None,
    **look: Any,
) -> list[tuple[float, float, str, str]]:
    """Draw values by depth, and return the end of the curve for its name; nothing where there is no value."""
    depths = _depths(designs)
    ends = [(depth, value) for depth, value in zip(depths, values, strict=True) if value is not None]
    if not ends:
        return []
    rows = zip(depths, values, more or [""] * len(depths), strict=True)
    texts = [f"{name}, depth {depth}: {value or 0.0:.3g}{text}" for depth, value, text in rows]
    chart.line(depths, floats(values), name, texts, **{"size": 8, "cliponaxis": False} | look)
    return [(*ends[-1], name, look["colour"])]


def _from_to(bought: Sequence[Purchase]) -> str:
    """Return what the budget reaches by every measure at its first and its last depth."""
    worst = [
        max(one.reached for one in bought if one.pool_depth == depth)
        for depth in dict.fromkeys(one.pool_depth for one in bought)
    ]
    reached = [f"{value:.3g}" for value in worst if value < math.inf]
    return " to ".join(dict.fromkeys((*reached[:1], *reached[-1:]))) or "at no depth"


def _depths(designs: Sequence[DepthDesign]) -> list[int]:
    return [one.pool_depth for one in designs]


def _apart(ascending: Sequence[float], gap: float) -> list[float]:
    """Return the values that keep clear of the one before."""
    result: list[float] = []
    for value in ascending:
        if not result or value - result[-1] >= gap:
            result.append(value)
    return result


def _symbol(design: DepthDesign, choice: Choice) -> str:
    return "circle" if choice.is_recommended(design) else _HOLLOW


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
    budget = choice.budget
    _equal_costs(chart, right, top, budget.judgments or 0.0)
    if not budget.is_open:
        _cost_line(chart, budget.topics, right, top, f"budget {budget.in_words}", is_yours=True)
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
            dash=_DASHES[0 if is_yours else place % len(_DASHES)],
            size=8 if is_yours else 6,
            marker={"symbol": symbols},
        )
        ends.append((designs[-1].pooled_per_topic, topics[-1], measure, ACCENT if is_yours else TEXT))
    depths = {one.pooled_per_topic: one.pool_depth for one in every if one.measure == yours}
    for documents in _apart(list(depths), _NUMBER * right):
        chart.note(str(depths[documents]), documents, 0, colour=TEXT, yanchor="bottom")
    chart.name_ends(ends, height=top)
    chart.axis("x", range=[0, right])
    chart.axis("y", range=[0, top])
    chart.room(right=_RIGHT)
    alt = "Required topics against documents per topic, for each measure."
    return chart.figure("topics-by-judgments", alt)


def change_of_left_out(
    result: Sequence[Row], designs: Sequence[DepthDesign], *, measure: str, alt: str
) -> Figure:
    """Draw how each run's mean score changes without its team's own judgments, at every depth."""
    judged = {design.pool_depth: design.pooled_per_topic for design in designs}
    chart = Chart(
        "Change of scores when the team of a run is left out of the pool",
        "documents per topic",
        f"change of the mean ({measure})",
        height=_LOW,
    )
    drawn = [one for one in result if one["pool_depth"] in judged]
    chart.points(
        [judged[one["pool_depth"]] for one in drawn],
        [one["change"] for one in drawn],
        "runs",
        [
            f"{literal(one['system'])} ({literal(one['team'])}), depth {one['pool_depth']}: {one['change']:+z.4f}, "
            f"rank {one['rank']} becomes {one['rank_left_out']}; "
            f"{one['n_unique_relevant']} relevant of {one['n_unique']} documents only from it"
            for one in drawn
        ],
        colour=QUIET,
        size=7,
        marker={"opacity": 0.6},
    )
    depths = sorted({one["pool_depth"] for one in drawn})
    changes = [[one["change"] for one in drawn if one["pool_depth"] == depth] for depth in depths]
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
            _cost_line(chart, partial(np.divide, cost), right, top, f"{cost:,}", is_yours=False)


def _cost_line(
    chart: Chart,
    affordable: Callable[[Floats], Floats],
    right: float,
    top: float,
    text: str,
    *,
    is_yours: bool,
) -> None:
    """Draw how many topics a cost pays for, by the documents per topic."""
    documents = np.geomspace(right / 1000, right, 240)
    documents = documents[affordable(documents) <= top]
    if not documents.size:  # it pays for more than the picture shows
        return
    topics = affordable(documents)
    colour, width, dash = (ACCENT, 1.6, "dash") if is_yours else (GRID, 1.2, "solid")
    chart.line(documents, topics, text, None, colour=colour, width=width, dash=dash)
    colour = ACCENT if is_yours else QUIET
    chart.note(text, right, float(topics[-1]), colour=colour, size=11, xanchor="left", xshift=4)
