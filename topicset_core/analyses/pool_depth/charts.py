"""The figures of pool depth: the trade-off, and three pictures of the losses of a shallower pool.

All have documents per topic, as pooled from the runs, on the x axis. The trade-off is that of Sakai 2016,
figures 2 and 3: a point is a pool depth, and the area of the rectangle from the origin to it is the cost
of the design.
"""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.pool_depth.designs import Choice, DepthDesign
from topicset_core.analyses.pool_depth.new_systems import LeftOut
from topicset_core.charts.labels import end_labels
from topicset_core.charts.style import annotate, end_label, literal, new_figure
from topicset_core.exports.colours import ACCENT, GRID, QUIET, TEXT, TRANSPARENT, series
from topicset_core.exports.drawing import Drawing

_EQUAL_COSTS = (1, 2, 5)  # times a power of ten: the costs of the pale lines
_NUMBER = 0.04  # of the picture's width: a number of three digits, closely
_LINE = 0.04  # of the picture's height: a line of text
_MARGIN = 1.15  # how far axes go beyond the outermost points
_RIGHT = 110  # pixels to the right of the picture, for names at the ends of lines
_HIGH = 400  # pixels, height of the trade-off, and of the agreement by many measures
_LOW = 260  # pixels, height of the other pictures
_GAP = 0.11  # of two labels, as a share of these low pictures
_NAME = 0.055  # of two labels, as a share of a high picture


def topics_by_judgments(
    by_measure: Sequence[Sequence[DepthDesign]],
    choice: Choice,
) -> Drawing:
    """Draw a curve per measure, lines of equal cost, and the rectangles of two designs.

    Depths that are not recommended have open markers. The filled rectangle is the cost of the chosen design; the
    outlined one that of the deepest that is recommended.
    """
    every = [design for designs in by_measure for design in designs]
    yours = (choice.taken or choice.designs[-1]).measure
    recommended = {design.pool_depth for design in choice.recommended}
    right = _MARGIN * max(design.pooled_per_topic for design in every)
    top = _MARGIN * max(design.required_topics or 0 for design in every)
    figure = new_figure(
        title="Topics × documents per topic = judgments",
        x_title="documents to judge per topic (inside: pool depth)",
        y_title="required topics n",
        height=_HIGH,
    )
    _equal_costs(figure, right, top, choice.budget)
    if choice.budget is not None:
        _cost_line(figure, choice.budget, right, top, f"budget {choice.budget:,.0f}", is_yours=True)
    if choice.taken is not None:
        _rectangle(figure, choice.taken, ACCENT, filled=True)
    if choice.recommended:
        _rectangle(figure, choice.recommended[-1], QUIET, filled=False)
    for place, designs in enumerate(by_measure):
        measure = designs[0].measure
        is_yours = measure == yours
        colour = ACCENT if is_yours else series(place)
        figure.add_scatter(
            x=[design.pooled_per_topic for design in designs],
            y=[float(design.required_topics or 0) for design in designs],
            mode="lines+markers",
            line={"color": colour, "width": 3 if is_yours else 1.8},
            marker={
                "size": 8 if is_yours else 6,
                "color": colour,
                "symbol": ["circle" if one.pool_depth in recommended else "circle-open" for one in designs],
            },
            hovertext=[_in_words(design) for design in designs],
            hovertemplate="%{hovertext}<extra></extra>",
            name=measure,
        )
    _depths(figure, next(designs for designs in by_measure if designs[0].measure == yours), right)
    ends = [
        (designs[-1].pooled_per_topic, float(designs[-1].required_topics or 0), designs[-1].measure)
        for designs in by_measure
    ]
    end_labels(figure, [(*end, end[2] == yours) for end in ends], height=top)
    figure.update_xaxes(range=[0, right])
    figure.update_yaxes(range=[0, top])
    figure.update_layout(margin={"r": _RIGHT})
    return figure


def variance_by_depth(by_measure: Sequence[Sequence[DepthDesign]], *, yours: str) -> Drawing:
    """Draw the within-system variance of each measure against documents per topic."""
    figure = new_figure(
        title="Within-system variance",
        x_title="documents per topic",
        y_title="variance σ² (squared measure)",
        height=_LOW,
    )
    ends: list[tuple[float, float, str, bool]] = []
    top = 0.0
    for place, designs in enumerate(by_measure):
        is_yours = designs[0].measure == yours
        colour = ACCENT if is_yours else series(place)
        values = [design.within_system_variance or 0.0 for design in designs]
        _line(figure, designs, values, colour, designs[0].measure, "%{y:.4f}")
        ends.append((designs[-1].pooled_per_topic, values[-1], designs[0].measure, is_yours))
        top = max(top, *values)
    end_labels(figure, ends, height=top, gap=_GAP)
    figure.update_yaxes(range=[0, 1.1 * top])
    _align(figure, [design for designs in by_measure for design in designs])
    return figure


def agreement_by_depth(by_measure: Sequence[Sequence[DepthDesign]], *, yours: str) -> Drawing:
    """Draw rank agreement with all judgments by each measure, and the share of relevant documents known."""
    figure = new_figure(
        title="Rank agreement with all judgments (τ)",
        x_title="documents per topic",
        y_title="τ or share, 0 to 1",
        height=_HIGH,
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
    ends: list[tuple[float, float, str, bool]] = []
    lowest = 0.0
    for text, colour, points in lines:
        drawn = [(design, value) for design, value in points if value is not None]
        if not drawn:  # a single run has no ranking
            continue
        values = [value for _, value in drawn]
        _line(figure, [design for design, _ in drawn], values, colour, text, "%{y:.3f}")
        ends.append((drawn[-1][0].pooled_per_topic, values[-1], text, text == yours))
        lowest = min(lowest, *values)
    top = 1 / (1 - _NAME * len(ends) / 2)  # of names one above the other, as many above 1 as below
    end_labels(figure, ends, height=top, gap=_NAME)
    figure.update_yaxes(range=[lowest, top])
    _align(figure, [one for designs in by_measure for one in designs])
    return figure


def change_of_left_out(result: Sequence[LeftOut], designs: Sequence[DepthDesign], *, measure: str) -> Drawing:
    """Draw how each run's mean score changes without its team's own judgments, at every depth."""
    judged = {design.pool_depth: design.pooled_per_topic for design in designs}
    figure = new_figure(
        title="Change of scores when the team of a run is left out of the pool",
        x_title="documents per topic",
        y_title=f"change of the mean ({measure})",
        height=_LOW,
    )
    drawn = [one for one in result if one.pool_depth in judged]
    figure.add_scatter(
        x=[judged[one.pool_depth] for one in drawn],
        y=[one.change for one in drawn],
        mode="markers",
        marker={"size": 7, "color": QUIET, "opacity": 0.6},
        hovertext=[
            f"{literal(one.system)} ({literal(one.team)}), depth {one.pool_depth}: {one.change:+z.4f}, "
            f"rank {one.rank} becomes {one.rank_left_out}; "
            f"{one.n_unique_relevant} relevant of {one.n_unique} documents only from it"
            for one in drawn
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        name="runs",
    )
    depths = sorted({one.pool_depth for one in drawn})
    means = [_mean([one.change for one in drawn if one.pool_depth == depth]) for depth in depths]
    figure.add_scatter(
        x=[judged[depth] for depth in depths],
        y=means,
        mode="lines",
        line={"color": ACCENT, "width": 2.5},
        hovertemplate="mean of all runs: %{y:+.4f}<extra></extra>",
        name="mean",
    )
    annotate(figure, [end_label(x=judged[depths[-1]], y=means[-1], text="mean of runs", is_yours=True)])
    figure.add_hline(y=0, line={"color": QUIET, "width": 1, "dash": "dot"})
    _align(figure, designs)
    return figure


def _in_words(design: DepthDesign) -> str:
    return (
        f"{design.measure}, depth {design.pool_depth}: {design.required_topics:,} topics × "
        f"{design.pooled_per_topic:.0f} documents = {design.total_judgments:,} judgments"
        + ("" if design.judged_share is None else f"; {design.judged_share:.0%} judged")
    )


def _depths(figure: Drawing, designs: Sequence[DepthDesign], right: float) -> None:
    """Write depths on the axis, where no curve runs through them, as long as they keep clear of each other.

    A depth is at one place for all measures.
    """
    last = -right
    for design in designs:
        if design.pooled_per_topic - last < _NUMBER * right:
            continue
        last = design.pooled_per_topic
        figure.add_annotation(
            x=last,
            y=0,
            text=str(design.pool_depth),
            showarrow=False,
            yanchor="bottom",
            font={"color": TEXT, "size": 12},
        )


def _rectangle(figure: Drawing, design: DepthDesign, colour: str, *, filled: bool) -> None:
    figure.add_shape(
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


def _equal_costs(figure: Drawing, right: float, top: float, budget: float | None) -> None:
    """Draw lines of equal cost for a few round costs that cross the picture, not where the budget's is."""
    most = right * top
    power = 10 ** int(np.log10(most))
    costs = [step * scale for scale in (power // 10, power) for step in _EQUAL_COSTS if scale >= 1]
    for cost in [cost for cost in costs if cost < 0.7 * most][-4:]:
        if budget is not None and abs(cost - budget) < _LINE * most:
            continue
        _cost_line(figure, cost, right, top, f"{cost:,}", is_yours=False)


def _cost_line(figure: Drawing, cost: float, right: float, top: float, text: str, *, is_yours: bool) -> None:
    documents = np.geomspace(max(cost / top, right / 1000), right, 80)
    topics = cost / documents
    colour = ACCENT if is_yours else GRID
    figure.add_scatter(
        x=documents,
        y=topics,
        mode="lines",
        line={"color": colour, "width": 1.6 if is_yours else 1.2, "dash": "dash" if is_yours else "solid"},
        hoverinfo="skip",
        name=text,
    )
    figure.add_annotation(
        x=right,
        y=float(topics[-1]),
        text=text,
        showarrow=False,
        xanchor="left",
        xshift=4,
        font={"color": ACCENT if is_yours else QUIET, "size": 11},
    )


def _align(figure: Drawing, designs: Sequence[DepthDesign]) -> None:
    """Let the pictures have one x axis and one margin, so that they are aligned."""
    figure.update_xaxes(range=[0, _MARGIN * max(design.pooled_per_topic for design in designs)])
    figure.update_layout(margin={"r": _RIGHT})


def _line(
    figure: Drawing,
    designs: Sequence[DepthDesign],
    values: Sequence[float],
    colour: str,
    name: str,
    shown: str,
) -> None:
    figure.add_scatter(
        x=[design.pooled_per_topic for design in designs],
        y=values,
        mode="lines+markers",
        line={"color": colour, "width": 2.2},
        marker={"size": 6, "color": colour},
        hovertext=[f"{name}, depth {design.pool_depth}" for design in designs],
        hovertemplate=f"%{{hovertext}}: {shown}<extra></extra>",
        name=name,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
