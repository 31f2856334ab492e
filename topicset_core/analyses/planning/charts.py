"""The charts of a plan: topics by difference with the band of the interval, power by topics, and others."""

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from topicset_core.analyses.planning.assurance import PilotTotals
from topicset_core.analyses.planning.curves import (
    Band,
    Curves,
    EqualTopics,
    ShareCurve,
    SizeCurve,
    TopicsCurve,
    systems_lines,
)
from topicset_core.analyses.running_evidence import Standing
from topicset_core.charts.chart import LONGEST_X, Chart
from topicset_core.designs import Plan
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.results import Result
from topicset_core.designs.search import Floats
from topicset_core.exports.colours import ACCENT, LINE_RAMP, QUIET, RAMP, SERIES, TEXT, faint, series
from topicset_core.exports.figures import Figure
from topicset_core.parameters import N_SYSTEMS, WITHIN_SYSTEM_VARIANCE

RULE_AT = 50  # the size of most TREC topic sets


_FAINT = 0.15  # opacity of a band


def design_figures(exact: Result, curves: Curves, measure: str) -> Iterator[Figure]:
    """Yield the figures of a design, each built when taken."""
    yield topics_by_difference(exact, curves.topics, measure, curves.beside, curves.band)
    has_power = exact.requirements.design.has_power
    yield power_by_topics(exact, curves.sizes) if has_power else value_by_topics(exact, curves.sizes, measure)
    if exact.requirements.design.shares:
        yield topics_by_share(exact, curves.over_share)
    else:
        yield equal_topics_chart(exact, curves.equal, measure)


def per_system(plan: Plan) -> str:
    """Return what a number of topics is per: " per system" where several systems do not share the topics."""
    is_of_one = len(plan.design.shares) == 1  # the share of right topics of one system
    return " per system" if plan.variance_parameter is WITHIN_SYSTEM_VARIANCE and not is_of_one else ""


def topics_by_difference(
    exact: Result,
    curves: Sequence[TopicsCurve],
    measure: str,
    beside: Sequence[TopicsCurve] = (),
    band: Band | None = None,
) -> Figure:
    """Draw n against the difference, both on log scales, where a fall with the square is a straight line."""
    plan, topics, units = exact.plan, exact.required_topics, f"{exact.unit}s"
    of, symbol, difference = plan.design.difference_parameter, plan.symbol, plan.difference
    finding, fixed = _half(curves, symbol, difference, topics), plan.design.in_axis(plan.values)
    within = f"({', '.join(filter(None, (measure.removeprefix('the '), fixed, 'log scale')))})"
    x_title = f"{of.axis or of.label} {within}"
    if len(x_title) > LONGEST_X:
        x_title = f"{symbol} {within}"
    chart = Chart(finding, x_title, f"required {units} n{per_system(plan)} (log scale)")
    x = curves[0].difference
    powers = np.log10([x[0], x[-1]])
    margin = 0.03 * float(np.ptp(powers))  # the names at the ends are beyond the axis
    chart.log_axis("x", range=[float(powers[0]) - margin, float(powers[-1]) + margin / 6])
    chart.log_axis("y")
    if band is not None:
        x_band, y_band = band.drawn()
        chart.outline(x_band, y_band, "interval", fillcolor=faint(ACCENT, _FAINT))
    for curve in beside:
        hover = f"{curve.label}: {symbol} %{{x:.4g}} needs %{{y:,}} {units}"
        chart.line(*curve.drawn(), curve.label, hover, colour=QUIET, width=2.2, dash="dot")
    for position, curve in enumerate(curves):
        chart.line(
            *curve.drawn(),
            curve.label,
            f"{curve.label}: {symbol} %{{x:.4g}} needs %{{y:,}} {units}",
            colour=ACCENT if curve.is_yours else _step(position, len(curves)),
            width=3 if curve.is_yours else 1.8,
        )
    named = [(one, ACCENT if one.is_yours else TEXT) for one in curves if len(curves) > 1 or beside]
    named += [(one, QUIET) for one in beside]
    ends = [(float(one.difference[-1]), float(one.topics[-1]), one.label, colour) for one, colour in named]
    counts = [n for one in (*curves, *beside) for n in one.topics[[0, -1]]]
    counts += [] if plan.group_size else [RULE_AT]
    counts += [] if band is None else [band.high[0], band.low[-1]]
    chart.name_ends(ends, height=math.log10(max(counts) / min(counts)))
    chart.room(right=30 + 7 * max((len(label) for _, _, label, _ in ends), default=0))
    # Both numbers are at the left, where falling curves are not, and away from each other.
    up, down = ("bottom", "top") if topics >= RULE_AT else ("top", "bottom")
    if not plan.group_size:
        chart.rule(RULE_AT, f"{RULE_AT} topics", at_left=True, yanchor=down)
    start, line = float(x[0]), {"color": ACCENT, "width": 1.5, "dash": "dot"}
    chart.add_shape(type="line", x0=start, x1=difference, y0=topics, y1=topics, line=line, xref="x", yref="y")
    chart.note(f"<b>{topics:,}</b>", start, topics, colour=ACCENT, size=14, xanchor="left", yanchor=up)
    chart.yours(difference, topics, "", f"yours: {symbol} {difference:g} needs {topics:,} {units}")
    return chart.figure(
        "topics-by-difference",
        f"Required {units} by {symbol}; at {symbol} {difference:g} they are {topics:,}. {finding}.",
    )


def _half(curves: Sequence[TopicsCurve], symbol: str, difference: float, topics: int) -> str:
    """Return how many times the topics half the difference takes: about 4, but for margins also 3 or 7."""
    yours = next(one for one in curves if one.is_yours)
    half = np.isclose(yours.difference, difference / 2, rtol=1e-9, atol=0)
    units = f"{yours.plan.unit}s"
    if not half.any():  # it would take more topics than a curve has
        return f"Required {units} by {symbol}"
    return f"A {symbol} half as large takes {yours.topics[half][0] / topics:.2g} times the {units}"


def equal_topics_chart(exact: Result, lines: Sequence[EqualTopics], measure: str) -> Figure:
    """Draw, for several n, the differences that n topics detect at each variance."""
    plan, topics, units = exact.plan, exact.required_topics, f"{exact.unit}s"
    of, name, symbol = plan.design.difference_parameter, plan.symbol, plan.variance_parameter.symbol
    x, y, of_means = plan.variance, plan.difference, " of group means" * bool(plan.group_size)
    chart = Chart(
        f"At {symbol} = {x:.3g}, {name} = {y:g} takes {topics:,} {units}; each line is one number of {units}",
        f"variance {symbol}{of_means} (squared {measure})",
        f"{of.axis or of.label} ({measure})",
    )
    ends: list[tuple[float, float, str, str]] = []
    for line in lines:
        hover = f"{line.n_topics:,} {units}: {symbol} %{{x:.4g}}, {name} %{{y:.4g}}"
        chart.line(line.variance, line.difference, f"{line.n_topics}", hover, colour=RAMP[3], width=1.6)
        ends.append(
            (float(line.variance[-1]), float(line.difference[-1]), f"{line.n_topics:,} {units}", TEXT)
        )
    chart.name_ends(ends, height=max((end[1] for end in ends), default=1.0))
    hover = f"yours: {symbol} {x:.4g}, {name} {y:g} need {topics:,} {units}"
    chart.yours(x, y, "", hover)
    chart.room(right=90)
    chart.axis("y", rangemode="tozero")
    return chart.figure("equal-topics", f"Lines of equal {units} over {name} and {symbol}.")


def topics_by_share(exact: Result, curve: ShareCurve) -> Figure:
    """Draw n against the share of topics that decides the variance, the difference held."""
    plan, topics = exact.requirements.plan(), exact.required_topics
    of, symbol = plan.in_doubt, plan.in_doubt.symbol
    held = (f"{one.symbol} = {plan.values[one.name]:g}" for one in plan.design.parameters if one.of_measure)
    more = f", {curve.topics[-1]:,} at {curve.shares[-1]:.3g}"
    finding = f"{topics:,} topics at {symbol} = {curve.share:.3g}{more} ({', '.join(held)})"
    chart = Chart(finding, of.axis or of.label, "required topics n")
    hover = f"{symbol} %{{x:.4g}} needs %{{y:,}} topics"
    chart.line(curve.shares, curve.topics, "topics", hover, colour=ACCENT, width=3)
    hover = f"yours: {symbol} {curve.share:.4g} needs {topics:,} topics"
    chart.yours(curve.share, topics, f"{topics:,}", hover)
    chart.axis("y", rangemode="tozero", tickformat=",d")
    return chart.figure("topics-by-share", f"Required topics by {symbol}: {finding}.")


def _step(position: int, count: int) -> str:
    """Return the ramp's colour for one of `count` ordered curves."""
    return LINE_RAMP[round((len(LINE_RAMP) - 1) * position / max(count - 1, 1))]


def power_by_topics(exact: Result, curve: SizeCurve) -> Figure:
    """Draw the power against n, with the wanted power as a rule."""
    of = exact.requirements.design.event
    target, n, power = 100 * exact.target, exact.required_topics, 100 * exact.attained
    finding = f"Power reaches {target:.4g} % at {n:,} {exact.unit}s"
    chart = Chart(finding, f"{exact.unit}s n{per_system(exact.plan)}", f"power, chance of {of} (%)")
    published = _where_it_rises(curve.published)
    _methods(chart, curve, 100 * published, 100 * curve.exact, exact.unit)
    chart.rule(target, f"required: {target:g} %", at_left=True)
    chart.yours(n, power, f"{n:,}", f"yours: {n:,} {exact.unit}s, power {power:.2f} %")
    chart.axis("y", range=[0, 104], tickvals=[0, 20, 40, 60, 80, 100])
    if np.isfinite(published).any():
        _name_methods(chart, at_top=False)
    return chart.figure("by-topics", _MET.format(exact.unit, n))


_MET = "Result for each number of {}s; the requirement is met from {:,} on."


def value_by_topics(exact: Result, curve: SizeCurve, measure: str) -> Figure:
    """Draw what n topics give in units of the measure, as a width, with the most that is allowed as a rule."""
    title, axis, limit = exact.in_chart
    target, n = exact.target, exact.required_topics
    finding = f"{title} falls to {target:g} at {n:,} {exact.unit}s"
    chart = Chart(finding, f"{exact.unit}s n{per_system(exact.plan)}", f"{axis} ({measure})")
    _methods(chart, curve, curve.published, curve.exact, exact.unit)
    chart.rule(target, f"{limit}: {target:g}")
    hover = f"yours: {n:,} {exact.unit}s, {exact.name} {exact.attained:.4g}"
    chart.yours(n, exact.attained, f"{n:,}", hover, above=True)
    chart.axis("y", range=[0, 4 * target])  # the first few topics are off the scale
    _name_methods(chart, at_top=True)
    return chart.figure("by-topics", _MET.format(exact.unit, n))


def _where_it_rises(power: Floats) -> Floats:
    """Leave out the first few topics if the approximation falls there, which no power does.

    Eq. 6 of Sakai 2016 gives a paired t test of 2 topics more power than one of 5. The exported
    tables keep its values.
    """
    if np.isnan(power).all():
        return power
    return np.where(np.arange(len(power)) < np.nanargmin(power), np.nan, power)


def _methods(chart: Chart, curve: SizeCurve, published: Floats, exact: Floats, unit: str) -> None:
    """Add both methods' lines, in the units of the axis."""
    for name, values, colour, width, dash in (
        ("published", published, QUIET, 1.6, "dash"),
        ("exact", exact, ACCENT, 3, None),
    ):
        there = np.isfinite(values)  # the published form is undefined at a few very small n, or at any
        if there.any():
            x, hover = curve.n_topics[there].astype(float), f"{name}: %{{x:,}} {unit}s, %{{y:.4g}}"
            chart.line(x, values[there], name, hover, colour=colour, width=width, dash=dash)


def _name_methods(chart: Chart, *, at_top: bool) -> None:
    """Label the lines in a corner, away from the lines."""
    corner = {"y": 1, "yanchor": "top", "yshift": -6} if at_top else {"y": 0, "yshift": 6}
    chart.key((ACCENT, "— exact"), (QUIET, "- - Excel tool"), **corner)


def compares_designs(plan: Plan) -> bool:
    """Return whether the plan is for a number of systems, so that other designs for them are shown next to it."""
    return N_SYSTEMS in plan.design.parameters and plan.difference > 0 and not plan.group_size


def topics_by_systems(exact: Result, others: Mapping[str, float]) -> Figure:
    """Draw n against the number of systems, one line per design; `others` are the variances of other designs."""
    requirements = exact.requirements
    taken, difference = requirements.variance_parameter.name, requirements.min_d
    variances = {**others, taken: requirements.variance}
    lines = systems_lines(requirements.alpha, requirements.beta, difference, variances, taken)
    m, topics = requirements.n_systems, exact.required_topics
    chart = Chart(
        f"{m:,} systems need {topics:,} topics at minD = {difference:g}; each line is one design",
        "number of systems m (log scale)",
        f"required topics n{per_system(exact.plan)} (log scale)",
    )
    across = [math.log10(1.8), math.log10(max(110, 1.1 * m))]
    chart.log_axis("x", range=across)
    chart.log_axis("y")
    for place, line in enumerate(lines):
        chart.line(
            list(line.systems),
            list(line.topics),
            line.label,
            f"{line.label}: m = %{{x}} needs %{{y:,}} topics",
            colour=series(place),
            dash="dash" if "ANOVA" in line.label else "solid",
            size=5,
        )
    counts = [topics for one in lines for topics in one.topics]
    if lines:
        ends = [(one.systems[-1], one.topics[-1], one.label, TEXT) for one in lines]
        chart.name_ends(ends, height=math.log10(max(counts) / min(counts)) or 1.0)
    chart.yours(m, topics, f"{topics:,}", f"yours: m = {m} needs {topics:,} topics")
    chart.room(right=154)
    text = "; ".join(f"{one.label} {one.topics[0]:,} to {one.topics[-1]:,}" for one in lines)
    span = f"m = {lines[0].systems[0]} to {lines[0].systems[-1]}" if lines else ""
    return chart.figure(
        "topics-by-systems", f"Required topics against the number of systems, {span}: {text}."
    )


def totals_by_pilot(totals: Mapping[str, PilotTotals], *, topics: int, unit: str = "topic") -> Figure:
    """Draw the topics of pilot and experiment together against those of the pilot."""
    best = next(iter(totals.values())).best
    chart = Chart(
        f"A pilot of {best:,} {unit}s takes the fewest, if {topics:,} {unit}s are right",
        f"{unit}s of the pilot (log scale)",
        f"{unit}s of pilot and experiment",
    )
    sizes = [float(size) for one in totals.values() for size in (one.pilot[0], one.pilot[-1])]
    across = [math.log10(min(sizes)), math.log10(max(sizes))]
    chart.log_axis("x", range=across)
    most = 0.0
    for place, (label, one) in enumerate(totals.items()):
        pilot, total = one.pilot, one.total
        colour = ACCENT if place == 0 else SERIES[place]
        at = int(np.argmin(total))
        most = max(most, 1.6 * float(total[at]))
        hover = f"{label}: a pilot of %{{x:,}} {unit}s, %{{y:,.0f}} in total"
        chart.line(pilot, total, label, hover, colour=colour, width=2.5 if place == 0 else 1.8)
        end = ACCENT if place == 0 else TEXT
        chart.name_end(float(pilot[-1]), float(total[-1]), label, colour=end)
        hover = f"{label}: least total {total[at]:,.0f} with a pilot of {pilot[at]:,}"
        chart.yours(float(pilot[at]), float(total[at]), f"{pilot[at]:,}", hover)
    chart.axis("y", tickformat=",d", range=[0.9 * topics, most])
    chart.room(right=105)
    least = "; ".join(f"{label}: least with a pilot of {one.best:,} {unit}s" for label, one in totals.items())
    return chart.figure("pilot", f"Total {unit}s by pilot, {least}.")


_HIGHEST = 6.0
"""Of |t|; boundaries above it are written, not drawn to scale."""


def looks_figure(plan: Looks, now: Standing | None) -> Figure:
    """Draw the critical value of each look over its topics, and the t statistics so far."""
    units = f"{plan.unit}s"
    chart = Chart(
        "; ".join(f"{n:,} {units}: |t| ≥ {t:.2f}" for n, t in zip(plan.topics, plan.critical_t, strict=True)),
        f"{units} scored so far",
        "|t| of the mean difference",
        height=360,
    )
    shown = [min(t, _HIGHEST) for t in plan.critical_t]
    chart.line(
        plan.topics,
        shown,
        "stop at or above",
        f"%{{x:,}} {units}: stop if |t| ≥ %{{customdata[0]:.4f}} (p ≤ %{{customdata[1]:.6f}})",
        colour=SERIES[0],
        dash="dot",
        size=10,
        mode="lines+markers+text",
        text=[f"{t:.3f}" for t in plan.critical_t],
        textposition="top center",
        textfont={"color": TEXT, "size": 13},
        customdata=np.column_stack([plan.critical_t, plan.nominal_p]),
    )
    reached = [min(abs(t), _HIGHEST) for t in (now.t if now else ())]
    for t, at, topics in zip(now.t if now else (), reached, plan.topics, strict=False):
        chart.yours(topics, at, f"{abs(t):.3f}", f"yours: {topics:,} {units}, |t| = {abs(t):.3f}")
    chart.axis("x", range=[0, plan.topics[-1] * 1.08])
    chart.axis("y", range=[0, max(*shown, *reached, 3.0) * 1.15])
    values = ", ".join(f"{n:,} {units} {t:.3f}" for n, t in zip(plan.topics, plan.critical_t, strict=True))
    return chart.figure("looks", f"Critical values of the absolute t statistic: {values}.")
