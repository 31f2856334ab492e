"""The exports: tables, records, figures and paragraphs of designs."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from topicset_core import __version__
from topicset_core.analyses.assurance import Assurance, PilotTotals
from topicset_core.analyses.running_evidence import Standing
from topicset_core.analyses.sizing.curves import (
    Curves,
    EqualTopics,
    ShareCurve,
    SizeCurve,
    TopicsCurve,
    curves_around,
    systems_lines,
)
from topicset_core.analyses.sizing.grouped_report import correlation_in_words, with_groups
from topicset_core.charts.chart import Chart
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import OF_SHARES, Plan, mcnemar, share_interval
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.grouped import GroupedPlan
from topicset_core.designs.results import Result
from topicset_core.designs.search import Floats
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import ACCENT, LINE_RAMP, QUIET, RAMP, SERIES, TEXT, series
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import (
    ALPHA,
    DIFFERENCE_VARIANCE,
    METHOD,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.references import COCHRAN_1977, ELDRIDGE_2006

_VARIANCES = {
    WITHIN_SYSTEM_VARIANCE.name: "within-system variance σ²",
    RESIDUAL_VARIANCE.name: "two-way residual variance σₑ²",
    DIFFERENCE_VARIANCE.name: "variance of the difference σₜ²",
}
"""Name of a variance in a paper."""


def in_place_of(plan: Plan, matrices: Sequence[ScoreMatrix]) -> str:
    """Return the topics by the design for scores of 0 and 1, where all scores are, or what the test assumes."""
    design = OF_SHARES.get(plan.design)
    fits = all(one.is_binary and one.groups is None for one in matrices)  # these designs take no groups
    if plan.design.shares or not matrices or not fits:
        return ""
    if N_SYSTEMS in plan.design.parameters:
        return (
            "All scores are 0 or 1. The test assumes normal scores with one variance, but a share p of right "
            "topics has the variance p (1 − p). For several systems there is no exact design here, but for two: "
            f"{mcnemar.DESIGN.name}"
        )
    if plan.variance_parameter is WITHIN_SYSTEM_VARIANCE:
        return (
            "All scores are 0 or 1. There is no exact design here for two systems on separate topics, but for the "
            f"share of one system: {share_interval.DESIGN.name}"
        )
    if design is None or plan.variance_parameter is not DIFFERENCE_VARIANCE:
        return ""
    # An interval has no true difference: it is planned for none.
    values = {
        one.name: plan.values.get(one.name, one.default) for one in (*design.parameters, design.variance)
    }
    with suppress(InputError, NoSolution):
        n = int(design.plan(**values).topics())
        return f"All scores are 0 or 1. The design for such scores ({design.name}) asks for {n:,} topics"
    return f"All scores are 0 or 1. There is a design for such scores: {design.name}"


def in_groups_instead(plan: Plan, matrices: Sequence[ScoreMatrix]) -> str:
    """Return what to plan instead of a design for scores of 0 and 1 whose topics have groups; "" for others."""
    if not plan.design.shares or all(one.groups is None for one in matrices):
        return ""
    return (
        f"{plan.design.name} does not hold for topics in groups, which are correlated. Plan a paired t test, or an "
        "interval of its difference, in groups"
    )


def design_report(
    exact: Result,
    published: Result | None,
    curves: Curves,
    *,
    sentence: str,
    measure: str,
    variance_source: str,
    matrices: Sequence[ScoreMatrix] = (),
    others: Mapping[str, float] | None = None,
    assured: Assurance | None = None,
    warning: str = "",
    grouped: GroupedPlan | None = None,
) -> Report:
    """Return the answer of one design ready for export."""
    topics = f"{exact.required_topics:,} {exact.units}"

    def results() -> list[dict[str, Any]]:
        records = [result.record() for result in (exact, published) if result is not None]
        return records if assured is None else [records[0] | {"assurance": assured}, *records[1:]]

    report = Report(
        name="topic-set-size",
        title=f"{exact.design}: {topics}",
        sentence=f"{topics} {sentence}",
        tables=[
            *_design_tables(exact, lambda: curves),
            *_rounds(exact),
        ],
        page_table=lambda: _differences(exact, curves),
        results=results,
        text=design_text(
            exact, measure=measure, variance_source=variance_source, assured=assured, grouped=grouped
        ),
        figures=lambda: [
            *design_figures(exact, curves, measure),
            *_looks_figures(exact),
            *([topics_by_systems(exact, others or {})] if compares_designs(exact.plan) else []),
        ],
        measure=measure,
        variance_source=variance_source,
        matrices=matrices,
        warning=warning,
        request=[
            *(grouped or exact.requirements.plan(exact.method)).settings,
            *(assured.settings if assured else ()),
        ],
    )
    return report if grouped is None else with_groups(report, grouped, exact)


def bare_report(result: Result, measure: str = "", grouped: GroupedPlan | None = None) -> Report:
    """Return an answer as commands have it: with curves where its difference is in units of a measure.

    A difference in standard deviations has no curves in these units.
    """
    plan, topics = result.plan, f"{result.required_topics:,} {result.units}"
    if grouped is not None and not grouped.of_topics.variance:
        measure = "standard deviations of a topic"
    unit = measure or "units of the measure"
    has_curves = plan.design.has_curves and plan.difference > 0
    curves = cache(lambda: curves_around(plan, result.required_topics))
    report = Report(
        name="topic-set-size",
        title=f"{result.design}: {topics}",
        sentence=f"{topics} {headline(result, measure)}" if plan.difference else topics,
        figures=lambda: chain(
            design_figures(result, curves(), unit) if has_curves else (), _looks_figures(result)
        ),
        tables=[
            *(_design_tables(result, curves) if has_curves else ()),
            *_rounds(result),
        ],
        page_table=(lambda: _differences(result, curves())) if has_curves else None,
        results=lambda: [result],
        text=("", ""),
        request=(grouped or result.requirements.plan(result.method)).settings,
    )
    return report if grouped is None else with_groups(report, grouped, result)


def headline(result: Result, measure: str) -> str:
    """Return what the required topics do, behind their number."""
    plan: Plan = result.plan
    words = plan.design.headline.format(
        difference=plan.difference,
        measure=measure or (RIGHT if plan.design.shares else ""),
        power=100 * result.target,
        confidence=100 * (1 - plan.values.get(ALPHA.name, 0.0)),
    )
    return " ".join(words.split())


def _design_tables(exact: Result, curves: Callable[[], Curves]) -> list[ReportTable]:
    return [
        ReportTable("topics by difference", lambda: _topics(curves()), "Topics", "topics-by-difference"),
        ReportTable("by topics", lambda: _sizes(exact, curves()), "By topics", "by-topics"),
    ]


def design_text(
    result: Result,
    *,
    measure: str,
    variance_source: str,
    assured: Assurance | None = None,
    grouped: GroupedPlan | None = None,
) -> tuple[str, str]:
    """Return how the topic set size was determined, in plain text and in LaTeX."""
    plan, of_topics = result.plan, result.plan if grouped is None else grouped.of_topics
    per_system = "" if plan.variance_parameter is DIFFERENCE_VARIANCE else " per system"
    variance = _VARIANCES[plan.variance_parameter.name]
    test = "a cluster-robust test (CR2)" if plan.size_cv else "a test of group means"
    correlated = "" if grouped is None else f" and {correlation_in_words(grouped)}, by {test}"
    paragraph = (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} {result.units}{per_system}, {of_topics.claim(measure)}, given "
        f"a {variance} = {of_topics.variance:.4g} ({variance_source}){correlated}. {result.evidence}, "
        f"computed with {METHOD.options[result.method]} (Topicset {__version__})."
    )
    if result.for_paper:
        paragraph += f" {result.for_paper}"
    if assured is not None:
        paragraph += (
            " If the uncertainty of the variance is taken into account (a chi-square distribution, "
            f"{assured.effective_df:.3g} degrees of freedom), {assured.sentence}."
        )
    works = plan.works if grouped is None else (*plan.works, COCHRAN_1977)
    works = (*works, ELDRIDGE_2006) if plan.size_cv else works
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _topics(curves: Curves) -> Table:
    return {"difference": curves.topics[0].difference.tolist()} | {
        f"{curve.plan.unit}s, {curve.label}": curve.topics.tolist() for curve in curves.topics
    }


def _looks_figures(exact: Result) -> list[Figure]:
    """Return what |t| must reach at each look, of a design with looks."""
    return [looks_figure(exact, None)] if isinstance(exact, Looks) else []


def _rounds(exact: Result) -> list[ReportTable]:
    """Return the table of the rounds in which topics come, where there are several."""
    rounds = exact.rounds
    if not rounds:
        return []
    return [
        ReportTable(
            "looks", lambda: {name: list(values) for name, values in rounds.items()}, "Looks", "looks"
        )
    ]


def _differences(exact: Result, curves: Curves) -> Table:
    difference = exact.requirements.design.difference_parameter.name
    return {difference: curves.table[0].difference.tolist()} | {
        curve.label: curve.topics.tolist() for curve in curves.table
    }


def _sizes(exact: Result, curves: Curves) -> Table:
    what = exact.column
    result = {
        f"n_{exact.unit}s": curves.sizes.n_topics.tolist(),
        f"{what}_exact": curves.sizes.exact.tolist(),
    }
    if exact.requirements.design.is_published:
        result[f"{what}_excel_tool"] = curves.sizes.published.tolist()
    return result


RULE_AT = 50  # the size of most TREC topic sets


def design_figures(exact: Result, curves: Curves, measure: str) -> Iterator[Figure]:
    """Yield the figures of a design, each built when taken."""
    yield topics_by_difference(exact, curves.topics, measure, curves.beside)
    has_power = exact.requirements.design.has_power
    yield power_by_topics(exact, curves.sizes) if has_power else value_by_topics(exact, curves.sizes, measure)
    if exact.requirements.design.shares:
        yield topics_by_share(exact, curves.over_share)
    else:
        yield equal_topics_chart(exact, curves.equal, measure)


def topics_by_difference(
    exact: Result, curves: Sequence[TopicsCurve], measure: str, beside: Sequence[TopicsCurve] = ()
) -> Figure:
    """Draw n against the difference, both on log scales, where a fall with the square is a straight line."""
    plan, topics, units = exact.plan, exact.required_topics, f"{exact.unit}s"
    of, symbol, difference = plan.design.difference_parameter, plan.symbol, plan.difference
    finding, fixed = _half(curves, symbol, difference, topics), plan.design.in_axis(plan.values)
    chart = Chart(
        finding,
        f"{of.axis or of.label} ({', '.join(filter(None, (measure, fixed)))}, log scale)",
        f"required {units} n per system (log scale)",
    )
    x = curves[0].difference
    powers = np.log10([x[0], x[-1]])
    margin = 0.03 * float(np.ptp(powers))  # the names at the ends are beyond the axis
    chart.log_axis("x", range=[float(powers[0]) - margin, float(powers[-1]) + margin / 6])
    chart.log_axis("y")
    for curve in beside:
        hover = f"{curve.label}: {symbol} %{{x:.4g}} needs %{{y:,}} {units}"
        chart.line(*curve.drawn(), curve.label, hover, colour=QUIET, width=2.2, dash="dash")
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
    rules = [] if plan.group_size else [RULE_AT]
    ends += [(float(x[-1]), rule, f"{rule} topics", QUIET) for rule in rules]
    counts = [*rules, *(n for one in (*curves, *beside) for n in one.topics[[0, -1]])]
    chart.name_ends(ends, height=math.log10(max(counts) / min(counts)))
    chart.room(right=7 * max((len(label) for _, _, label, _ in ends), default=0))
    for rule in rules:
        chart.rule(rule)
    # Between curves is no room for the number: it is where falling curves are not.
    start, line = float(x[0]), {"color": ACCENT, "width": 1.5, "dash": "dot"}
    chart.add_shape(type="line", x0=start, x1=difference, y0=topics, y1=topics, line=line, xref="x", yref="y")
    side = {"xanchor": "left", "yanchor": "bottom" if topics >= RULE_AT else "top"}  # away from the rule
    chart.note(f"<b>{topics:,}</b>", start, topics, colour=ACCENT, size=14, **side)
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
    return f"Halving {symbol} takes {yours.topics[half][0] / topics:.2g} times the {units}"


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
    finding = f"{topics:,} topics at {symbol} = {curve.share:.3g}{more}"
    chart = Chart(finding, f"{of.axis or of.label} ({', '.join(held)})", "required topics n per system")
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
    chart = Chart(finding, f"{exact.unit}s n per system", f"power, chance of {of} (%)")
    published = _where_it_rises(curve.published)
    _methods(chart, curve, 100 * published, 100 * curve.exact, exact.unit)
    chart.rule(target, f"required: {target:g} %")
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
    chart = Chart(finding, f"{exact.unit}s n per system", f"{axis} ({measure})")
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
        "required topics n per system (log scale)",
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
    chart.room(right=150)
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
