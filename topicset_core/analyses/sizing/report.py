"""The exports: tables, records, figures and paragraphs of designs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from topicset_core import __version__
from topicset_core.analyses.assurance import Assurance
from topicset_core.analyses.sizing.charts import (
    compares_designs,
    design_figures,
    looks_figure,
    topics_by_systems,
)
from topicset_core.analyses.sizing.curves import Curves, curves_around
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import design_named
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.results import ErrorRateResult, PowerResult, WidthResult, rounded
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE

Result = PowerResult | WidthResult

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
        return records if assured is None else [records[0] | {"assurance": assured.record()}, *records[1:]]

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
            *([topics_by_systems(exact, others or {})] if compares_designs(exact) else []),
        ],
        measure=measure,
        variance_source=variance_source,
        matrices=matrices,
        link=link,
    )


def bare_report(result: Result | ErrorRateResult) -> Report:
    """Return an answer without a measure: its record, and figures where its difference is in units of a measure.

    A difference in standard deviations, as commands take it, has no curves in these units.
    """

    def figures() -> list[Figure]:
        if isinstance(result, ErrorRateResult) or result.requirements.difference is None:
            return [] if isinstance(result, ErrorRateResult) else _looks_figures(result)
        values = {name: value for name, value in asdict(result.requirements).items() if value is not None}
        curves = curves_around(result.design, values, result.required_topics)
        return [*design_figures(result, curves, "units of the measure"), *_looks_figures(result)]

    return Report(
        name="topic-set-size",
        title=f"{result.design}: {result.required_topics:,} topics",
        sentence=f"{result.required_topics:,} topics",
        figures=figures,
        tables=(),
        results=lambda: [result.record()],
        text=("", ""),
    )


def symbol_of(exact: Result) -> str:
    """Return the symbol of the difference: minD, or δ of an interval."""
    return design_named(exact.design).difference_parameter.symbol


def design_text(
    result: Result, *, measure: str, variance_source: str, assured: Assurance | None = None
) -> tuple[str, str]:
    """Return how the topic set size was determined, in plain text and in LaTeX."""
    design, requirements = design_named(result.design), result.requirements
    per_system = "" if requirements.variance_parameter is DIFFERENCE_VARIANCE else " per system"
    variance = _VARIANCES[requirements.variance_parameter.name]
    paragraph = (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} topics{per_system}, {design.claimed(requirements, measure)}, given "
        f"a {variance} = {requirements.variance:.4g} ({variance_source}). {_evidence(result)}, computed with "
        f"{HOW[result.method]} (Topicset {__version__})."
    )
    if isinstance(result, PowerResult) and result.for_paper:
        paragraph += f" {result.for_paper}"
    if assured is not None:
        paragraph += (
            " If the uncertainty of the variance is taken into account (a chi-square distribution, "
            f"{assured.effective_df:.3g} degrees of freedom), {assured.sentence}."
        )
    works = design.cited(requirements)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _evidence(result: Result) -> str:
    requirements = result.requirements
    if isinstance(result, WidthResult):
        name, values = "expected width", (result.attained_width, result.width_one_topic_fewer)
        shown = [rounded(v, lambda w: w <= requirements.max_width, digits=4, style="g") for v in values if v]
    else:
        name, values = "attained power", (result.attained_power, result.power_one_topic_fewer)
        shown = [rounded(v, lambda p: p >= 1 - requirements.beta, digits=4, style="f") for v in values if v]
    others = f" (with one topic fewer {shown[1]})" if len(shown) > 1 else ""
    return f"The {name} is {shown[0]}{others}"


def _topics(curves: Curves) -> Table:
    return {"difference": curves.topics[0].difference.tolist()} | {
        f"topics, {curve.label}": curve.topics.tolist() for curve in curves.topics
    }


def _looks_figures(exact: Result) -> list[Figure]:
    """Return what |t| must reach at each look, of a design with looks."""
    return [looks_figure(exact, None)] if isinstance(exact, Looks) else []


def _rounds(exact: Result) -> list[ReportTable]:
    """Return the table of the rounds in which topics come, where there are several."""
    if not (isinstance(exact, PowerResult) and exact.rounds):
        return []
    rounds = exact.rounds
    return [
        ReportTable(
            "looks", lambda: {name: list(values) for name, values in rounds.items()}, "Looks", "looks"
        )
    ]


def _differences(exact: Result, curves: Curves) -> Table:
    difference = design_named(exact.design).difference_parameter.name
    return {difference: curves.table[0].difference.tolist()} | {
        curve.label: curve.topics.tolist() for curve in curves.table
    }


def _sizes(exact: Result, curves: Curves) -> Table:
    what = "expected_width" if isinstance(exact, WidthResult) else "power"
    result = {"n_topics": curves.sizes.n_topics.tolist(), f"{what}_exact": curves.sizes.exact.tolist()}
    if design_named(exact.design).is_published:
        result[f"{what}_excel_tool"] = curves.sizes.published.tolist()
    return result
