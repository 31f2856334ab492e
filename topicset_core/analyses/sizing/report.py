"""The exports: tables, records, figures and paragraphs of designs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from topicset_core import __version__
from topicset_core.analyses.assurance import Assurance
from topicset_core.analyses.sizing.charts import (
    compares_designs,
    equal_topics_chart,
    looks_figure,
    power_by_topics,
    topics_by_difference,
    topics_by_systems,
    value_by_topics,
)
from topicset_core.analyses.sizing.curves import Curves, curves_around
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Plan
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.results import Result
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE

HOW = {
    "exact": "exact distributions",
    "published": "the approximation of Sakai's Excel tool",
}
"""How a number was computed, at the end of a sentence, by method."""

_VARIANCES = {
    WITHIN_SYSTEM_VARIANCE.name: "within-system variance σ²",
    RESIDUAL_VARIANCE.name: "two-way residual variance σₑ²",
    DIFFERENCE_VARIANCE.name: "variance of the difference σₜ²",
}
"""Name of a variance in a paper."""


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
    link: str = "",
) -> Report:
    """Return the answer of one design ready for export."""
    topics = exact.required_topics

    def results() -> list[dict[str, Any]]:
        records = [result.record() for result in (exact, published) if result is not None]
        return records if assured is None else [records[0] | {"assurance": assured}, *records[1:]]

    return Report(
        name="topic-set-size",
        title=f"{exact.design}: {topics:,} topics",
        sentence=f"{topics:,} topics {sentence}",
        tables=[
            ReportTable("topics by difference", lambda: _topics(curves), "Topics", "topics-by-difference"),
            ReportTable("by topics", lambda: _sizes(exact, curves), "By topics", "by-topics"),
            *_rounds(exact),
        ],
        page_table=lambda: _differences(exact, curves),
        results=results,
        text=design_text(exact, measure=measure, variance_source=variance_source, assured=assured),
        figures=lambda: [
            *design_figures(exact, curves, measure),
            *_looks_figures(exact),
            *(
                [topics_by_systems(exact, others or {})]
                if compares_designs(exact.requirements.plan())
                else []
            ),
        ],
        measure=measure,
        variance_source=variance_source,
        matrices=matrices,
        link=link,
    )


def bare_report(result: Result) -> Report:
    """Return an answer without a measure: its record, and figures where its difference is in units of a measure.

    A difference in standard deviations, as commands take it, has no curves in these units.
    """

    def figures() -> list[Figure]:
        plan: Plan = result.requirements.plan()
        if not plan.design.has_curves:
            return []
        if not plan.difference:
            return _looks_figures(result)
        curves = curves_around(plan, result.required_topics)
        return [*design_figures(result, curves, "units of the measure"), *_looks_figures(result)]

    return Report(
        name="topic-set-size",
        title=f"{result.design}: {result.required_topics:,} topics",
        sentence=f"{result.required_topics:,} topics",
        figures=figures,
        tables=(),
        results=lambda: [result],
        text=("", ""),
    )


def design_figures(exact: Result, curves: Curves, measure: str) -> Iterator[Figure]:
    """Yield topics against the difference, the power of each size, and lines of equal n, each built when taken."""
    plan: Plan = exact.requirements.plan()
    symbol, topics, variance = plan.symbol, exact.required_topics, plan.variance_parameter.symbol
    of = plan.design.difference_parameter
    point: dict[str, Any] = {"of": of, "difference": plan.difference, "required_topics": topics}
    yield Figure(
        "topics-by-difference",
        topics_by_difference(curves.topics, **point, measure=measure),
        f"Required topics fall with the square of {symbol}; at {symbol} {plan.difference:g} they are {topics:,}.",
    )
    if plan.design.has_power:
        second = power_by_topics(curves.sizes, exact, of=plan.design.event)
    else:
        second = value_by_topics(curves.sizes, exact, measure=measure)
    yield Figure(
        "by-topics",
        second,
        f"Result for each number of topics; the requirement is met from {topics:,} on.",
    )
    third = equal_topics_chart(
        curves.equal,
        **point,
        variance=plan.variance,
        symbol=variance,
        measure=measure,
    )
    yield Figure(
        "equal-topics",
        third,
        f"Lines of equal topics over {symbol} and {variance}.",
    )


def design_text(
    result: Result, *, measure: str, variance_source: str, assured: Assurance | None = None
) -> tuple[str, str]:
    """Return how the topic set size was determined, in plain text and in LaTeX."""
    plan: Plan = result.requirements.plan()
    per_system = "" if plan.variance_parameter is DIFFERENCE_VARIANCE else " per system"
    variance = _VARIANCES[plan.variance_parameter.name]
    paragraph = (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} topics{per_system}, {plan.claim(measure)}, given "
        f"a {variance} = {plan.variance:.4g} ({variance_source}). {result.evidence}, computed with "
        f"{HOW[result.method]} (Topicset {__version__})."
    )
    if result.for_paper:
        paragraph += f" {result.for_paper}"
    if assured is not None:
        paragraph += (
            " If the uncertainty of the variance is taken into account (a chi-square distribution, "
            f"{assured.effective_df:.3g} degrees of freedom), {assured.sentence}."
        )
    return cite_plain(paragraph, plan.works), cite_latex(paragraph, plan.works)


def _topics(curves: Curves) -> Table:
    return {"difference": curves.topics[0].difference.tolist()} | {
        f"topics, {curve.label}": curve.topics.tolist() for curve in curves.topics
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
    result = {"n_topics": curves.sizes.n_topics.tolist(), f"{what}_exact": curves.sizes.exact.tolist()}
    if exact.requirements.design.is_published:
        result[f"{what}_excel_tool"] = curves.sizes.published.tolist()
    return result
