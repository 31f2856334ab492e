"""The charts of designs: topics over differences and variances, the power of a size, methods and measures."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from topicset_core.analyses.assurance import PilotTotals
from topicset_core.analyses.running_evidence import Standing
from topicset_core.analyses.sizing.comparison import MethodLine
from topicset_core.analyses.sizing.curves import EqualTopics, SizeCurve, TopicsCurve, systems_lines
from topicset_core.analyses.sizing.reported_result import ReportedResult
from topicset_core.charts.labels import end_labels
from topicset_core.charts.style import annotate, end_label, key_above, legend_below, literal, new_figure, ring
from topicset_core.designs import Plan
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.results import Result
from topicset_core.designs.search import Floats, Integers
from topicset_core.exports.colours import ACCENT, LINE_RAMP, QUIET, RAMP, SERIES, TEXT, in_colour, series
from topicset_core.exports.drawing import Drawing
from topicset_core.exports.figures import Figure
from topicset_core.parameters import N_SYSTEMS, Parameter

RULE_AT = 50  # the size of most TREC topic sets


def topics_by_difference(
    curves: Sequence[TopicsCurve],
    *,
    of: Parameter,
    difference: float,
    required_topics: int,
    measure: str,
) -> Drawing:
    """Draw n on a log scale against the difference; the log because n falls with its square."""
    symbol, axis_title = of.symbol, of.axis or of.label
    figure = new_figure(
        title=f"Required topics against {symbol} (log scale of topics)",
        x_title=f"{axis_title} ({measure})",
        y_title="required topics n per system",
    )
    for position, curve in enumerate(curves):
        color = ACCENT if curve.is_yours else _step(LINE_RAMP, position, len(curves))
        figure.add_scatter(
            x=curve.difference,
            y=curve.topics.astype(float),
            mode="lines",
            line={"color": color, "width": 3 if curve.is_yours else 1.8},
            name=curve.label,
            hovertemplate=f"{curve.label}: {symbol} %{{x:.4g}} needs %{{y:,}} topics<extra></extra>",
        )
    if len(curves) > 1:
        ends = [
            (float(one.difference[-1]), math.log10(one.topics[-1]), one.label, one.is_yours) for one in curves
        ]
        height = math.log10(max(one.topics.max() for one in curves) / min(one.topics.min() for one in curves))
        end_labels(figure, ends, height=height or 1.0)
    # The name of the rule is about a quarter of the width long on a phone: it is where curves leave room.
    x = curves[0].difference
    quarter = (x[-1] - x[0]) / 4
    is_left = _distance([one.topics[one.difference <= x[0] + quarter] for one in curves]) >= _distance(
        [one.topics[one.difference >= x[-1] - quarter] for one in curves]
    )
    away = {"xshift": 4 if is_left else -4}
    _rule(figure, RULE_AT, f"{RULE_AT} topics", is_left=is_left, y=math.log10(RULE_AT), **away)
    hover = f"yours: {symbol} {difference:g} needs {required_topics:,} topics"
    text = f"{required_topics:,}"
    ring(figure, x=difference, y=required_topics, text=text, hover=hover, log_y=True, above=True)
    figure.update_yaxes(type="log", dtick="D2", tickformat=",d")
    figure.update_layout(margin={"r": 70 if len(curves) > 1 else 24})
    return figure


def _distance(topics: Sequence[Integers]) -> float:
    """Return how far parts of curves stay from the rule, in powers of ten."""
    return min(float(np.abs(np.log10(part / RULE_AT)).min()) for part in topics)


def equal_topics_chart(
    lines: Sequence[EqualTopics],
    *,
    of: Parameter,
    difference: float,
    variance: float,
    required_topics: int,
    symbol: str,
    measure: str,
) -> Drawing:
    """Draw, for several n, the differences that n topics detect at each variance."""
    name, axis_title = of.symbol, of.axis or of.label
    figure = new_figure(
        title=f"Required topics over {name} and the variance: each line is one number of topics",
        x_title=f"variance {symbol} (squared {measure})",
        y_title=f"{axis_title} ({measure})",
    )
    names: list[dict[str, Any]] = []
    for line in lines:
        figure.add_scatter(
            x=line.variance,
            y=line.difference,
            mode="lines",
            line={"color": RAMP[3], "width": 1.6},
            name=f"{line.n_topics}",
            hovertemplate=f"{line.n_topics:,} topics: {symbol} %{{x:.4g}}, {name} %{{y:.4g}}<extra></extra>",
        )
        x, y = float(line.variance[-1]), float(line.difference[-1])
        names.append(end_label(x=x, y=y, text=f"{line.n_topics:,} topics", is_yours=False))
    annotate(figure, names)
    hover = f"yours: {symbol} {variance:.4g}, {name} {difference:g} need {required_topics:,} topics"
    ring(figure, x=variance, y=difference, text=f"{required_topics:,}", hover=hover)
    figure.update_layout(margin={"r": 90})
    figure.update_yaxes(rangemode="tozero")
    return figure


def _step(ramp: tuple[str, ...], position: int, count: int) -> str:
    """Return the ramp's colour for one of `count` ordered curves."""
    return ramp[round((len(ramp) - 1) * position / max(count - 1, 1))]


def power_by_topics(curve: SizeCurve, exact: Result, *, of: str = "detecting minD") -> Drawing:
    """Draw the power against n, with the wanted power as a rule."""
    topics, power, target = exact.required_topics, 100 * exact.attained, 100 * exact.target
    figure = new_figure(
        title="Power against the number of topics",
        x_title="topics n per system",
        y_title=f"power, chance of {of} (%)",
    )
    curve = replace(curve, published=_where_it_rises(curve.published))
    _draw(figure, curve, 100.0, f"required: {target:g} %", target)
    hover = f"yours: {topics:,} topics, power {power:.2f} %"
    ring(figure, x=topics, y=power, text=f"{topics:,}", hover=hover)
    figure.update_yaxes(range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    if np.isfinite(curve.published).any():
        _name_methods(figure, at_top=False)
    return figure


def value_by_topics(curve: SizeCurve, exact: Result, *, measure: str) -> Drawing:
    """Draw what n topics give in units of the measure, as a width, with the most that is allowed as a rule."""
    topics, (title, axis, limit) = exact.required_topics, exact.in_chart
    figure = new_figure(
        title=f"{title} against the number of topics",
        x_title="topics n per system",
        y_title=f"{axis} ({measure})",
    )
    _draw(figure, curve, 1.0, f"{limit}: {exact.target:g}", exact.target)
    hover = f"yours: {topics:,} topics, {exact.name} {exact.attained:.4g}"
    ring(figure, x=topics, y=exact.attained, text=f"{topics:,}", hover=hover, above=True)
    figure.update_yaxes(range=[0, 4 * exact.target])  # the first few topics are off the scale
    _name_methods(figure, at_top=True)
    return figure


def power_of_replication(
    audit: ReportedResult,
    alt: str,
) -> Figure:
    """Draw the probability of significance on new topics, shrunk and for exactly the published effect."""
    curve, target = audit.curve(), 100 * (1 - audit.beta)
    figure = new_figure(
        title="Probability that a replication is significant again",
        x_title="topics n per system",
        y_title="probability of significance (%)",
        height=360,
    )
    for name, power, line in (
        (
            "if the published effect were exact",
            curve.if_exact,
            {"color": QUIET, "width": 1.6, "dash": "dash"},
        ),
        ("shrunk effect", curve.shrunk, {"color": ACCENT, "width": 3}),
    ):
        figure.add_scatter(
            x=curve.n_topics.astype(float),
            y=100 * power,
            mode="lines",
            line=line,
            name=name,
            hovertemplate=f"%{{x:,}} topics: %{{y:.3g}} %, {name}<extra></extra>",
        )
    _rule(figure, target, f"required: {target:g} %")
    if audit.topics is not None:
        again = 100 * float(audit.significant_again(audit.topics))
        ring(
            figure,
            x=audit.topics,
            y=again,
            text=f"{audit.topics:,}",
            hover=f"replication: {audit.topics:,} topics, {again:.3g} %",
        )
    figure.update_yaxes(range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    key_above(figure, (ACCENT, "━ shrunk effect"), (QUIET, "╍ if the published effect were exact"))
    return Figure("power-of-replication", figure, alt)


def _where_it_rises(power: Floats) -> Floats:
    """Leave out the first few topics if the approximation falls there, which no power does.

    Eq. 6 of Sakai 2016 gives a paired t test of 2 topics more power than one of 5. The exported
    tables keep its values.
    """
    if np.isnan(power).all():
        return power
    return np.where(np.arange(len(power)) < np.nanargmin(power), np.nan, power)


def _draw(figure: Drawing, curve: SizeCurve, scale: float, rule: str, target: float) -> None:
    """Add both methods' lines and the target, all in the units of the axis."""
    lines = (
        ("published", curve.published, {"color": QUIET, "width": 1.6, "dash": "dash"}),
        ("exact", curve.exact, {"color": ACCENT, "width": 3}),
    )
    for name, values, line in lines:
        has_value = np.isfinite(values)  # the published form is undefined at a few very small n, or at any
        if not has_value.any():
            continue
        figure.add_scatter(
            x=curve.n_topics[has_value].astype(float),
            y=scale * values[has_value],
            mode="lines",
            line=line,
            name=name,
            hovertemplate=f"{name}: %{{x:,}} topics, %{{y:.4g}}<extra></extra>",
        )
    _rule(figure, target, rule)


def _rule(figure: Drawing, at: float, text: str, *, is_left: bool = False, **placed: float) -> None:
    """Draw a dotted line across the figure with its text above one end."""
    quiet = QUIET
    figure.add_hline(y=at, line={"color": quiet, "width": 1, "dash": "dot"})
    note = {
        "x": 0 if is_left else 1,
        "xref": "paper",
        "y": at,
        "text": text,
        "showarrow": False,
        "xanchor": "left" if is_left else "right",
        "yanchor": "bottom",
        "font": {"color": quiet, "size": 12},
    }
    figure.add_annotation(**note | placed)


def _name_methods(figure: Drawing, *, at_top: bool) -> None:
    """Label the lines in a corner, away from the lines."""
    figure.add_annotation(
        x=1,
        xref="paper",
        y=1 if at_top else 0,
        yref="paper",
        text=f"{in_colour('— exact', ACCENT)}   {in_colour('- - Excel tool', QUIET)}",
        showarrow=False,
        xanchor="right",
        yanchor="top" if at_top else "bottom",
        yshift=-6 if at_top else 6,
        font={"size": 12},
    )


_READ_AS_TEXT = (0, 3, 2, 8, 6, 5, 9, 7)  # colours of series that also names can have, most unlike first
_DASHES = ("dash", "dot", "dashdot", "longdash")


def methods_by_topics(lines: Sequence[MethodLine], *, variance: float, measure: str) -> Drawing:
    """Draw the difference (minD, or the width δ) against n for several methods at one variance.

    Both scales are logarithmic: the lines are then nearly straight, and as far apart at few topics as at many.
    Methods that nearly coincide are distinguished by their dashes.
    """
    figure = new_figure(
        title=f"What n topics detect, by method, at σ² = {variance:.4g} ({measure})",
        x_title="topics n per system (log scale)",
        y_title=f"minD, or width δ of the interval ({measure}, log scale)",
        height=460,
    )
    colors = [SERIES[place] for place in _READ_AS_TEXT]
    n_others = sum("ANOVA" not in line.label for line in lines)
    names: list[str] = []
    drawn: list[tuple[float, str]] = []  # the end of each line, and its colour
    for line in lines:
        is_anova = "ANOVA" in line.label
        others = sum("ANOVA" not in name for name in names)
        place = n_others + len(names) - others if is_anova else others  # one colour a method
        color = colors[place % len(colors)]
        figure.add_scatter(
            x=line.n_topics.astype(np.float64),
            y=line.difference,
            mode="lines",
            line={"color": color, "width": 2, "dash": "solid" if is_anova else _DASHES[place % len(_DASHES)]},
            name=line.label,
            hovertemplate=f"{line.label}: %{{x:,}} topics, %{{y:.4g}}<extra></extra>",
        )
        names.append(line.label)
        drawn.append((float(line.difference[-1]), color))
    across = [float(one) for one in np.log10([lines[0].n_topics[0], lines[0].n_topics[-1]])]
    figure.update_xaxes(type="log", dtick="D2", tickformat=",d", range=across)
    figure.update_yaxes(type="log", dtick="D2", tickformat=".3~g")
    ends = [np.log10([line.n_topics[-1], line.difference[-1]]) for line in lines]
    all_y = np.log10(np.concatenate([line.difference for line in lines]))
    end_labels(
        figure,
        [(float(x), float(y), name, False) for (x, y), name in zip(ends, names, strict=True)],
        height=float(np.ptp(all_y)),
    )
    for label, (_, color) in zip(
        figure.layout["annotations"], sorted(drawn, key=lambda end: end[0]), strict=True
    ):
        label["font"]["color"] = color
    figure.update_layout(margin={"r": 190})
    return figure


def compares_designs(plan: Plan) -> bool:
    """Return whether the plan is for a number of systems, so that other designs for them are shown next to it."""
    return N_SYSTEMS in plan.design.parameters and plan.difference > 0


def topics_by_systems(exact: Result, others: Mapping[str, float]) -> Figure:
    """Draw n against the number of systems, one line per design; `others` are the variances of other designs."""
    requirements = exact.requirements
    taken, difference = requirements.variance_parameter.name, requirements.min_d
    variances = {**others, taken: requirements.variance}
    lines = systems_lines(requirements.alpha, requirements.beta, difference, variances, taken)
    point = requirements.n_systems, exact.required_topics
    figure = new_figure(
        title=f"Required topics by number of systems, minD = {difference:g}",
        x_title="number of systems m (log scale)",
        y_title="required topics n per system (log scale)",
        height=420,
    )
    for place, line in enumerate(lines):
        color = series(place)
        figure.add_scatter(
            x=list(line.systems),
            y=list(line.topics),
            mode="lines+markers",
            marker={"size": 5, "color": color},
            line={"color": color, "width": 2, "dash": "dash" if "ANOVA" in line.label else "solid"},
            name=line.label,
            hovertemplate=f"{line.label}: m = %{{x}} needs %{{y:,}} topics<extra></extra>",
        )
    ends = [(math.log10(one.systems[-1]), math.log10(one.topics[-1]), one.label, False) for one in lines]
    counts = [topics for one in lines for topics in one.topics]
    if ends:
        end_labels(figure, ends, height=math.log10(max(counts) / min(counts)) or 1.0)
    hover = f"yours: m = {point[0]} needs {point[1]:,} topics"
    ring(figure, x=point[0], y=point[1], text=f"{point[1]:,}", hover=hover, log_x=True, log_y=True)
    figure.update_xaxes(
        type="log",
        tickvals=[2, 5, 10, 20, 50, 100],
        range=[math.log10(1.8), math.log10(max(110, 1.1 * point[0]))],
    )
    figure.update_yaxes(type="log", dtick="D2", tickformat=",d")
    figure.update_layout(margin={"r": 150})
    text = "; ".join(f"{one.label} {one.topics[0]:,} to {one.topics[-1]:,}" for one in lines)
    span = f"m = {lines[0].systems[0]} to {lines[0].systems[-1]}" if lines else ""
    alt = f"Required topics against the number of systems, {span}: {text}."
    return Figure("topics-by-systems", figure, alt)


def topics_by_design(
    topics: Mapping[str, tuple[int, str]], *, variances: Mapping[str, float], title: str
) -> Drawing:
    """Draw one bar per design with its number of topics, coloured by the variance that it takes."""
    labels = [*topics][::-1]
    height = 34 * len(labels)
    figure = new_figure(title=title, x_title="topics n per system", y_title="design", height=150 + height)
    symbols = list(dict.fromkeys(symbol for _, symbol in topics.values()))
    for symbol, place in zip(symbols, _READ_AS_TEXT, strict=False):
        places = [place for place, label in enumerate(labels) if topics[label][1] == symbol]
        numbers = [topics[labels[place]][0] for place in places]
        figure.add_bar(
            x=numbers,
            y=places,
            orientation="h",
            width=0.45,
            marker={"color": SERIES[place]},
            text=[f"{number:,}" for number in numbers],
            textposition="outside",
            textfont={"color": TEXT, "size": 12},
            constraintext="none",
            cliponaxis=False,
            hovertext=[literal(labels[place]) for place in places],
            hovertemplate="%{hovertext}: %{x:,} topics<extra></extra>",
            name=f"{symbol} = {variances[symbol]:.4g}",
        )
    # Room for the number behind the longest bar.
    figure.update_xaxes(range=[0, 1.12 * max(number for number, _ in topics.values())], tickformat=",d")
    figure.update_yaxes(range=[-0.4, len(labels) - 0.2], showticklabels=False, showgrid=False)
    above_its_bar = {  # where a phone has room for it
        "x": 0,
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "bottom",
        "yshift": 7,
        "font": {"color": TEXT, "size": 12},
    }
    annotate(
        figure, (above_its_bar | {"y": place, "text": literal(label)} for place, label in enumerate(labels))
    )
    legend_below(figure)
    figure.update_layout(barmode="overlay", legend={"y": -56 / height})
    return figure


def totals_by_pilot(totals: Mapping[str, PilotTotals], *, topics: int) -> Figure:
    """Draw the topics of pilot and experiment together against those of the pilot."""
    figure = new_figure(
        title=f"Topics of pilot and experiment, if {topics:,} topics are right",
        x_title="topics of the pilot (log scale)",
        y_title="topics of pilot and experiment",
    )
    most = 0.0
    for place, (label, one) in enumerate(totals.items()):
        pilot, total = one.pilot, one.total
        color = ACCENT if place == 0 else SERIES[place]
        at = int(np.argmin(total))
        most = max(most, 1.6 * float(total[at]))
        figure.add_scatter(
            x=pilot,
            y=total,
            mode="lines",
            line={"color": color, "width": 2.5 if place == 0 else 1.8},
            name=label,
            hovertemplate=f"{label}: a pilot of %{{x:,}} topics, %{{y:,.0f}} in total<extra></extra>",
        )
        x, y = math.log10(float(pilot[-1])), float(total[-1])
        annotate(figure, [end_label(x=x, y=y, text=label, is_yours=place == 0)])
        hover = f"{label}: least total {total[at]:,.0f} with a pilot of {pilot[at]:,}"
        ring(
            figure,
            x=float(pilot[at]),
            y=float(total[at]),
            text=f"{pilot[at]:,}",
            hover=hover,
            log_x=True,
        )
    sizes = [float(size) for one in totals.values() for size in (one.pilot[0], one.pilot[-1])]
    across = [math.log10(min(sizes)), math.log10(max(sizes))]
    figure.update_xaxes(
        type="log", tickvals=[5, 10, 20, 50, 100, 200, 500, 1000], tickformat=",d", range=across
    )
    figure.update_yaxes(tickformat=",d", range=[0.9 * topics, most])
    figure.update_layout(margin={"r": 105})
    least = "; ".join(f"{label}: least with a pilot of {one.best:,} topics" for label, one in totals.items())
    return Figure("pilot", figure, f"Total topics by pilot, {least}.")


def topics_by_measure(topics: Mapping[str, int], *, method: str, difference: str) -> Drawing:
    """Draw one bar per measure with its number of topics, fewest at the top."""
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    figure = new_figure(
        title=f"Required topics, {method}, {difference}",
        x_title="topics n per system",
        y_title="measure",
        height=150 + 34 * len(ordered),
    )
    figure.add_bar(
        x=numbers,
        y=positions,
        orientation="h",
        marker={"color": ACCENT},
        text=[f"{number:,}" for number in numbers],
        textposition="outside",
        textfont={"color": TEXT},
        cliponaxis=False,
        hovertext=labels,
        hovertemplate="%{hovertext}: %{x:,} topics<extra></extra>",
        name="topics",
    )
    # Room for the number behind the longest bar.
    figure.update_xaxes(range=[0, 1.1 * max(numbers)], tickformat=",d")
    figure.update_yaxes(tickvals=positions, ticktext=labels, showgrid=False)
    return figure


_HIGHEST = 6.0
"""Of |t|; boundaries above it are written, not drawn to scale."""


def looks_figure(plan: Looks, now: Standing | None) -> Figure:
    """Draw the critical value of each look over its topics, and the t statistics so far."""
    figure: Drawing = new_figure(
        title="What |t| must reach at each look",
        x_title="topics scored so far",
        y_title="|t| of the mean difference (standard errors)",
        height=360,
    )
    shown = [min(t, _HIGHEST) for t in plan.critical_t]
    figure.add_scatter(
        x=plan.topics,
        y=shown,
        mode="lines+markers+text",
        line={"color": SERIES[0], "width": 2, "dash": "dot"},
        marker={"size": 10, "color": SERIES[0]},
        text=[f"{t:.3f}" for t in plan.critical_t],
        textposition="top center",
        textfont={"color": TEXT, "size": 13},
        customdata=np.column_stack([plan.critical_t, plan.nominal_p]),
        hovertemplate="%{x:,} topics: stop if |t| ≥ %{customdata[0]:.4f} (p ≤ %{customdata[1]:.6f})<extra></extra>",
        name="stop at or above",
    )
    reached = [min(abs(t), _HIGHEST) for t in (now.t if now else ())]
    for t, at, topics in zip(now.t if now else (), reached, plan.topics, strict=False):
        ring(
            figure,
            x=topics,
            y=at,
            text=f"{abs(t):.3f}",
            hover=f"yours: {topics:,} topics, |t| = {abs(t):.3f}",
        )
    figure.update_xaxes(range=[0, plan.topics[-1] * 1.08])
    figure.update_yaxes(range=[0, max(*shown, *reached, 3.0) * 1.15])
    values = ", ".join(f"{n:,} topics {t:.3f}" for n, t in zip(plan.topics, plan.critical_t, strict=True))
    return Figure("looks", figure, f"Critical values of the absolute t statistic: {values}.")
