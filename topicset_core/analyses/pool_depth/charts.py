"""The figures of pool depth: the trade-off, and three pictures of the losses of a shallower pool.

All have documents per topic, as pooled from the runs, on the x axis. The trade-off is that of Sakai 2016,
figures 2 and 3: a point is a pool depth, and the area of the rectangle from the origin to it is the cost
of the design.
"""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign
from topicset_core.analyses.pool_depth.pools import LeftOut
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.exports.colours import ACCENT, GRID, QUIET, TEXT, TRANSPARENT, series
from topicset_core.exports.figures import Figure

_EQUAL_COSTS = (1, 2, 5)  # times a power of ten: the costs of the pale lines
_NUMBER = 0.04  # of the picture's width: a number of three digits, closely
_LINE = 0.04  # of the picture's height: a line of text
_MARGIN = 1.15  # how far axes go beyond the outermost points
_RIGHT = 110  # pixels to the right of the picture, for names at the ends of lines
_HIGH = 400  # pixels, height of the trade-off, and of the agreement by many measures
_LOW = 260  # pixels, height of the other pictures
_GAP = 0.11  # of two labels, as a share of these low pictures
_NAME = 0.055  # of two labels, as a share of a high picture


def topics_by_judgments(by_measure: Sequence[Sequence[DepthDesign]], choice: Choice) -> Figure:
    """Draw a curve per measure (open markers: not recommended), equal costs, and rectangles of two designs."""
    every = [design for designs in by_measure for design in designs]
    yours = (choice.taken or choice.designs[-1]).measure
    recommended = {design.pool_depth for design in choice.recommended}
    right = _MARGIN * max(design.pooled_per_topic for design in every)
    top = _MARGIN * max(design.required_topics or 0 for design in every)
    chart = Chart(
        "Topics × documents per topic = judgments",
        "documents to judge per topic (inside: pool depth)",
        "required topics n",
        height=_HIGH,
    )
    _equal_costs(chart, right, top, choice.budget)
    if choice.budget is not None:
        _cost_line(chart, choice.budget, right, top, f"budget {choice.budget:,.0f}", is_yours=True)
    if choice.taken is not None:
        _rectangle(chart, choice.taken, ACCENT, filled=True)
    if choice.recommended:
        _rectangle(chart, choice.recommended[-1], QUIET, filled=False)
    ends = []
    for place, designs in enumerate(by_measure):
        measure, is_yours = designs[0].measure, designs[0].measure == yours
        topics = [float(design.required_topics or 0) for design in designs]
        symbols = ["circle" if one.pool_depth in recommended else "circle-open" for one in designs]
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


def variance_by_depth(by_measure: Sequence[Sequence[DepthDesign]], *, yours: str) -> Figure:
    """Draw the within-system variance of each measure against documents per topic."""
    chart = Chart(
        "Within-system variance", "documents per topic", "variance σ² (squared measure)", height=_LOW
    )
    ends: list[tuple[float, float, str, str]] = []
    top = 0.0
    for place, designs in enumerate(by_measure):
        measure, is_yours = designs[0].measure, designs[0].measure == yours
        values = [design.within_system_variance or 0.0 for design in designs]
        _line(chart, designs, values, ACCENT if is_yours else series(place), measure, "%{y:.4f}")
        ends.append((designs[-1].pooled_per_topic, values[-1], measure, ACCENT if is_yours else TEXT))
        top = max(top, *values)
    chart.name_ends(ends, height=top, gap=_GAP)
    chart.axis("y", range=[0, 1.1 * top])
    _align(chart, [design for designs in by_measure for design in designs])
    return chart.figure("variance-by-depth", "Variance of each measure at each depth.")


def agreement_by_depth(
    by_measure: Sequence[Sequence[DepthDesign]], *, yours: str, lowest: str = ""
) -> Figure:
    """Draw rank agreement with all judgments by each measure, and the share of relevant documents known."""
    chart = Chart(
        "Rank agreement with all judgments (τ)", "documents per topic", "τ or share, 0 to 1", height=_HIGH
    )
    lines = [
        (
            designs[0].measure,
            ACCENT if designs[0].measure == yours else series(place),
            [(one, one.kendall_tau) for one in designs],
        )
        for place, designs in enumerate(by_measure)
    ]
    lines.append(("relevant known", QUIET, [(one, one.relevant_known) for one in by_measure[0]]))
    ends: list[tuple[float, float, str, str]] = []
    bottom = 0.0
    for text, colour, points in lines:
        drawn = [(design, value) for design, value in points if value is not None]
        if not drawn:  # a single run has no ranking
            continue
        values = [value for _, value in drawn]
        _line(chart, [design for design, _ in drawn], values, colour, text, "%{y:.3f}")
        ends.append((drawn[-1][0].pooled_per_topic, values[-1], text, ACCENT if text == yours else TEXT))
        bottom = min(bottom, *values)
    top = 1 / (1 - _NAME * len(ends) / 2)  # of names one above the other, as many above 1 as below
    chart.name_ends(ends, height=top, gap=_NAME)
    chart.axis("y", range=[bottom, top])
    _align(chart, [one for designs in by_measure for one in designs])
    alt = f"Kendall's τ with all judgments by each measure at each depth{lowest and f'; lowest {lowest}'}."
    return chart.figure("agreement-by-depth", alt)


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
    _align(chart, designs)
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


def _equal_costs(chart: Chart, right: float, top: float, budget: float | None) -> None:
    """Draw lines of equal cost for a few round costs that cross the picture, not where the budget's is."""
    most = right * top
    power = 10 ** int(np.log10(most))
    costs = [step * scale for scale in (power // 10, power) for step in _EQUAL_COSTS if scale >= 1]
    for cost in [cost for cost in costs if cost < 0.7 * most][-4:]:
        if budget is not None and abs(cost - budget) < _LINE * most:
            continue
        _cost_line(chart, cost, right, top, f"{cost:,}", is_yours=False)


def _cost_line(chart: Chart, cost: float, right: float, top: float, text: str, *, is_yours: bool) -> None:
    documents = np.geomspace(max(cost / top, right / 1000), right, 80)
    topics = cost / documents
    colour, width, dash = (ACCENT, 1.6, "dash") if is_yours else (GRID, 1.2, "solid")
    chart.line(documents, topics, text, None, colour=colour, width=width, dash=dash)
    colour = ACCENT if is_yours else QUIET
    chart.note(text, right, float(topics[-1]), colour=colour, size=11, xanchor="left", xshift=4)


def _align(chart: Chart, designs: Sequence[DepthDesign]) -> None:
    """Let the pictures have one x axis and one margin, so that they are aligned."""
    chart.axis("x", range=[0, _MARGIN * max(design.pooled_per_topic for design in designs)])
    chart.room(right=_RIGHT)


def _line(
    chart: Chart,
    designs: Sequence[DepthDesign],
    values: Sequence[float],
    colour: str,
    name: str,
    shown: str,
) -> None:
    depths = [f"{name}, depth {design.pool_depth}" for design in designs]
    x, hover = [design.pooled_per_topic for design in designs], f"%{{hovertext}}: {shown}"
    chart.line(x, values, name, hover, colour=colour, width=2.2, size=6, hovertext=depths)
