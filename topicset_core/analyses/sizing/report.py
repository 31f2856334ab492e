"""What one leaves with: tables, records, figures and paragraphs of designs, comparisons, reported results."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from topicset_core import __version__
from topicset_core.analyses.sizing.comparison import (
    ComparisonTable,
    EffectTable,
    MethodLine,
    spoken_of,
)
from topicset_core.analyses.sizing.curves import Curves, curves_around
from topicset_core.analyses.sizing.reported_result import ReportedResult
from topicset_core.analyses.sizing.separation import Separations
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import design_named, one_way_anova, paired_t, two_sample_t
from topicset_core.designs.curves import SizeCurve
from topicset_core.designs.results import ErrorRateResult, Method, PowerResult, WidthResult, rounded
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE, WITHIN_SYSTEM_VARIANCE
from topicset_core.references import SAKAI_2016, SAKAI_2016_REVIEW, SAKAI_2018
from topicset_core.wording import joined

if TYPE_CHECKING:
    from topicset_core.charts.style import Mode

Result = PowerResult | WidthResult

_HOW = {
    "exact": "exact distributions",
    "published": "the approximation of Sakai's Excel tool",
}
"""How a number was computed, at the end of a sentence, by method."""

_VARIANCES = {
    WITHIN_SYSTEM_VARIANCE.name: "within-system variance σ²",
    RESIDUAL_VARIANCE.name: "two-way residual variance σₑ²",
    DIFFERENCE_VARIANCE.name: "variance of the difference σₜ²",
}
"""What a variance is called in a paper, by name."""

_INLINE = {
    paired_t.NAME: "paired t test",
    two_sample_t.NAME: "two-sample t test",
    one_way_anova.NAME: "one-way ANOVA",
}


def design_report(
    exact: Result,
    published: Result | None,
    curves: Curves,
    *,
    sentence: str,
    measure: str,
    variance_source: str,
    matrices: Sequence[ScoreMatrix] = (),
    seed: int | None = None,
    link: str = "",
) -> Report:
    """Return the answer of one design ready to be taken home.

    Parameters
    ----------
    exact : PowerResult or WidthResult
        The answer, of requirements that give the difference in units of the measure.
    published : PowerResult or WidthResult, optional
        The answer of the published method, where it has one.
    curves : Curves
        The curves around the answer.
    sentence : str
        What the topics do, in words that follow "149 topics".
    measure, variance_source : str
        The measure, and where its variance comes from in words.
    matrices : sequence of ScoreMatrix
        The scores that the variance came from.
    seed : int, optional
        Of the resamples behind its interval, where there are any.
    link : str
        The full link to the answer.
    """
    topics = exact.required_topics
    return Report(
        name="topic-set-size",
        title=f"{exact.design}: {topics:,} topics",
        sentence=f"{topics:,} topics {sentence}",
        tables=[
            ReportTable("topics by difference", lambda: _topics(curves), "Topics", "topics-by-difference"),
            ReportTable("by topics", lambda: _sizes(exact, curves), "By topics", "by-topics"),
        ],
        page_table=lambda: _differences(exact, curves),
        results=lambda: [result.record() for result in (exact, published) if result is not None],
        text=design_text(exact, measure=measure, variance_source=variance_source),
        figures=lambda: design_figures(exact, curves, measure, "print"),
        measure=measure,
        variance_source=variance_source,
        matrices=matrices,
        seed=seed,
        link=link,
    )


def bare_report(result: Result | ErrorRateResult) -> Report:
    """Return an answer without a measure: its record, and figures where its difference is in units of a measure.

    A difference in standard deviations, as commands take it, has no curves in such units.

    Parameters
    ----------
    result : PowerResult, WidthResult or ErrorRateResult
        The answer.
    """

    def figures() -> list[Figure]:
        if isinstance(result, ErrorRateResult) or result.requirements.difference is None:
            return []
        values = {name: value for name, value in asdict(result.requirements).items() if value is not None}
        curves = curves_around(result.design, values, result.required_topics)
        return design_figures(result, curves, "units of the measure", "print")

    return Report(
        name="topic-set-size",
        title=f"{result.design}: {result.required_topics:,} topics",
        sentence=f"{result.required_topics:,} topics",
        figures=figures,
        tables=(),
        results=lambda: [result.record()],
        text=("", ""),
    )


def design_figures(exact: Result, curves: Curves, measure: str, mode: "Mode") -> list[Figure]:
    """Return topics against the difference, what each size gives, and lines of equal n."""
    # They need Plotly, which is an extra: the command line makes a report without it.
    from topicset_core.analyses.sizing.charts import (
        equal_topics_chart,
        power_by_topics,
        topics_by_difference,
        width_by_topics,
    )

    wanted, topics, design = exact.requirements, exact.required_topics, design_named(exact.design)
    point = {"kind": design.kind, "difference": wanted.difference, "required_topics": topics}
    first = topics_by_difference(curves.topics, **point, measure=measure, mode=mode)
    if isinstance(exact, WidthResult):
        second = width_by_topics(
            curves.sizes,
            required_topics=topics,
            attained_width=exact.attained_width,
            target=wanted.max_width,
            measure=measure,
            mode=mode,
        )
    else:
        second = power_by_topics(
            curves.sizes,
            required_topics=topics,
            attained_power=exact.attained_power,
            target=1 - wanted.beta,
            mode=mode,
        )
    third = equal_topics_chart(
        curves.equal,
        **point,
        variance=wanted.variance,
        symbol=design.variance.symbol,
        measure=measure,
        mode=mode,
    )
    symbol = symbol_of(exact)
    return [
        Figure(
            "topics-by-difference",
            first,
            f"Required topics fall with the square of {symbol}; at {symbol} {wanted.difference:g} they are "
            f"{topics:,}.",
        ),
        Figure(
            "by-topics",
            second,
            f"What each number of topics gives; the requirement is met from {topics:,} on.",
        ),
        Figure("equal-topics", third, f"Lines of equal topics over {symbol} and {design.variance.symbol}."),
    ]


def symbol_of(exact: Result) -> str:
    """Return the symbol of the difference: minD, or δ of an interval."""
    return design_named(exact.design).difference_parameter.symbol


def design_text(result: Result, *, measure: str, variance_source: str) -> tuple[str, str]:
    """Return how the topic set size was determined, in plain text and in LaTeX.

    Parameters
    ----------
    result : PowerResult or WidthResult
        Of requirements that give the difference in units of the measure.
    measure : str
        The measure.
    variance_source : str
        Where the variance comes from, in words.
    """
    design, wanted = design_named(result.design), result.requirements
    per_system = "" if design.is_paired else " per system"
    variance = _VARIANCES[wanted.variance_parameter.name]
    paragraph = (
        f"The topic set size was determined by topic set size design {CITATION}. "
        f"With n = {result.required_topics:,} topics{per_system}, {design.claimed(wanted, measure)}, given "
        f"a {variance} = {wanted.variance:.4g} ({variance_source}). {_evidence(result)}, computed with "
        f"{_HOW[result.method]} (Topicset {__version__})."
    )
    if isinstance(result, one_way_anova.AnovaResult):
        paragraph += f" {one_way_anova.shared_topics_note(result.shared_topics, 1 - wanted.beta)}"
    return cite_plain(paragraph, design.works), cite_latex(paragraph, design.works)


def _evidence(result: Result) -> str:
    wanted = result.requirements
    if isinstance(result, WidthResult):
        name, values = "expected width", (result.attained_width, result.width_one_topic_fewer)
        shown = [rounded(v, lambda w: w <= wanted.max_width, digits=4, style="g") for v in values if v]
    else:
        name, values = "attained power", (result.attained_power, result.power_one_topic_fewer)
        shown = [rounded(v, lambda p: p >= 1 - wanted.beta, digits=4, style="f") for v in values if v]
    beside = f" (with one topic fewer {shown[1]})" if len(shown) > 1 else ""
    return f"The {name} is {shown[0]}{beside}"


def _topics(curves: Curves) -> Table:
    return {"difference": curves.topics[0].difference.tolist()} | {
        f"topics, {curve.label}": curve.topics.tolist() for curve in curves.topics
    }


def _differences(exact: Result, curves: Curves) -> Table:
    difference = design_named(exact.design).difference_parameter.name
    return {difference: curves.table[0].difference.tolist()} | {
        curve.label: curve.topics.tolist() for curve in curves.table
    }


def _sizes(exact: Result, curves: Curves) -> Table:
    what = "expected_width" if isinstance(exact, WidthResult) else "power"
    found = {"n_topics": curves.sizes.n_topics.tolist(), f"{what}_exact": curves.sizes.exact.tolist()}
    if design_named(exact.design).is_published:
        found[f"{what}_excel_tool"] = curves.sizes.published.tolist()
    return found


def comparison_report(
    tables: Sequence[ComparisonTable],
    lines: Sequence[MethodLine],
    variances: Mapping[str, tuple[float, str]],
    *,
    effects: EffectTable,
    method: Method,
    sentence: str,
    separated: Separations | None = None,
    matrices: Sequence[ScoreMatrix] = (),
    link: str = "",
) -> Report:
    """Return a comparison of designs ready to be taken home.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        The answer, for one or more levels.
    lines : sequence of MethodLine
        What each method detects at the largest variance.
    variances : mapping of str to (float, str)
        Within-system variance of each measure and where it comes from.
    effects : EffectTable
        Topics by effect size, for the same levels.
    method : {"exact", "published"}
        How the tables were computed.
    sentence : str
        The answer in words.
    separated : Separations, optional
        What the measures tell apart, where their scores are there.
    matrices : sequence of ScoreMatrix
        The scores that the variances came from.
    link : str
        The full link to the answer.
    """
    measures = ", ".join(variances)

    def record() -> dict[str, Any]:
        alpha, beta = tables[0].levels
        return {
            "analysis": "comparison of designs",
            "method": method,
            "alpha": alpha,
            "beta": beta,
            "within_system_variances": {measure: value for measure, (value, _) in variances.items()},
            "tables": [table.record() for table in tables],
            "effects": _effects(effects),
            "separation": None if separated is None else asdict(separated) | {"best": separated.best},
        }

    return Report(
        name="compare-designs",
        title=f"Designs compared: {measures}",
        sentence=sentence,
        tables=[
            ReportTable("", lambda: _long(tables), "All tables", "compare-designs"),
            ReportTable(
                "measures", lambda: measures_table(variances, separated), "Measures", "compare-measures"
            ),
            *(_sheet(label, tables) for label in dict.fromkeys(table.method_label for table in tables)),
            ReportTable("paired t test by effect", lambda: _effects(effects)),
        ],
        page_table=lambda: _wide(tables),
        results=lambda: [record()],
        text=comparison_text(tables, variances, method=method),
        figures=lambda: comparison_figures(tables, lines, variances, "print"),
        measure=measures,
        variance_source="; ".join(source for _, source in variances.values()),
        matrices=matrices,
        link=link,
    )


def comparison_figures(
    tables: Sequence[ComparisonTable],
    lines: Sequence[MethodLine],
    variances: Mapping[str, tuple[float, str]],
    mode: "Mode",
) -> list[Figure]:
    """Return topics by measure, where there are several, and what each method detects by the largest variance."""
    from topicset_core.analyses.sizing.charts import methods_by_topics, topics_by_measure

    (spoken, difference), drawn = spoken_of(tables), []
    topics = spoken.topics_by_measure(difference)
    if len(topics) > 1:
        wanted = f"minD = {difference:g}"
        counts = ", ".join(f"{measure} {number:,}" for measure, number in topics.items())
        bars = topics_by_measure(topics, method=spoken.method_label, difference=wanted, mode=mode)
        said = f"Topics that each measure requires for {wanted}, {spoken.method_label}: {counts}."
        drawn.append(Figure("topics-by-measure", bars, said))
    measure, (variance, _) = max(variances.items(), key=lambda item: item[1][0])
    said = (
        "The difference that n topics detect falls with the root of n; the t tests and the ANOVA of two systems "
        "almost coincide, as do the interval and the ANOVA of ten at α = .05 and β = .20."
    )
    lines_drawn = methods_by_topics(lines, variance=variance, measure=measure, mode=mode)
    return [*drawn, Figure("methods-by-topics", lines_drawn, said)]


def comparison_sentence(tables: Sequence[ComparisonTable], separated: Separations | None) -> tuple[str, str]:
    """Return the heading and the sentence of a comparison.

    Which measure needs the fewest topics for one minD is no merit: minD is not the same difference for two
    measures. So a measure is named best only by what it tells apart, on the same runs and topics as the
    others, and by more than the intervals of all differences.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        Of one or more levels.
    separated : Separations, optional
        What the measures tell apart.
    """
    table, difference = spoken_of(tables)
    topics = table.topics_by_measure(difference)
    needed = _needed(topics)
    asked = f"For minD = {difference:g} ({table.method_label}): {needed}."
    if len(table.measures) == 1:
        (measure,) = table.measures
        count = f"{topics[measure]:,} topics" if topics else "No number of topics"
        shares = "" if separated is None else f" {_shares(separated)}."
        return f"{count} with {measure}", f"{asked}{shares}"
    unlike = "minD is not the same difference for two measures"
    if separated is None:
        return (
            f"Topics for {len(table.measures)} measures",
            f"{asked} Which measure is the better one they do not say: {unlike}. Load the scores to see how many "
            "pairs of runs each measure tells apart.",
        )
    if not separated.same_data:
        return (
            "These measures are of different runs or topics",
            f"{asked} They cannot be compared with each other: load scores of the same runs and topics.",
        )
    first, second = separated.measures[0], separated.measures[1]
    lead = separated.leads[0]
    by = f"{100 * lead.value:.1f} points ({100 * lead.low:.1f} to {100 * lead.high:.1f})"
    said = f"{_shares(separated)}. {asked} Compare measures by what they tell apart: {unlike}."
    if separated.best is not None:
        return f"{first.measure} tells the most pairs of runs apart", f"{said} {first.measure} leads by {by}."
    return (
        "No measure tells clearly more pairs of runs apart",
        f"{said} {first.measure} leads {second.measure} by {by}, which other topics may reverse.",
    )


def _needed(topics: Mapping[str, int]) -> str:
    """Return the topics by measure in words."""
    if not topics:
        return "no number of topics (more than ten million, or not in the published tables)"
    return joined([f"{n:,} topics with {measure}" for measure, n in topics.items()])


def _shares(separated: Separations) -> str:
    """Return the share of run pairs that each measure tells apart, in words."""
    listed = joined(
        [
            f"{one.measure} {100 * one.share.value:.1f} % ({100 * one.share.low:.1f} to {100 * one.share.high:.1f})"
            for one in separated.measures
        ]
    )
    sizes = sorted({n for one in separated.measures for n in one.topics})
    at = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return f"With {at} topics a paired t test tells these shares of run pairs apart (90 % interval): {listed}"


def measures_table(variances: Mapping[str, tuple[float, str]], separated: Separations | None) -> Table:
    """Return each measure's variance, and what it tells apart where its scores are there.

    Parameters
    ----------
    variances : mapping of str to (float, str)
        Within-system variance of each measure and where it comes from.
    separated : Separations, optional
        What the measures tell apart.
    """
    first: Table = {"measure": list(variances), "σ²": [value for value, _ in variances.values()]}
    last: Table = {"σ² from": [source for _, source in variances.values()]}
    if separated is None:
        return dict(first) | dict(last)
    found = {one.measure: one for one in separated.measures}
    ordered = [found.get(measure) for measure in variances]
    told: Table = {
        "told apart": [None if one is None else one.share.value for one in ordered],
        "from (90 %)": [None if one is None else one.share.low for one in ordered],
        "to (90 %)": [None if one is None else one.share.high for one in ordered],
        "median difference": [None if one is None else one.median_difference for one in ordered],
        "pairs of runs": [None if one is None else one.n_pairs for one in ordered],
    }
    return dict(first) | dict(told) | dict(last)


def comparison_text(
    tables: Sequence[ComparisonTable], variances: Mapping[str, tuple[float, str]], *, method: Method
) -> tuple[str, str]:
    """Return what one row of a comparison says, in plain text and in LaTeX.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        Of one or more levels; the first one is written about.
    variances : mapping of str to (float, str)
        Within-system variance of each measure and where it comes from.
    method : {"exact", "published"}
        How the tables were computed.
    """
    table, difference = spoken_of(tables)
    alpha, beta = table.levels
    measured = joined(
        [f"σ² = {value:.4g} for {measure} ({source})" for measure, (value, source) in variances.items()]
    )
    found = table.topics_by_measure(difference)
    paragraph = (
        f"Topic set sizes were compared by topic set size design {CITATION} at significance level "
        f"α = {alpha:g} and power 1 − β = {1 - beta:g}, given within-system variances {measured}. For a "
        f"difference of {difference:g}, the method {table.method_label} asks for {_needed(found)} per "
        f"system, computed with {_HOW[method]} (Topicset {__version__})."
    )
    works = SAKAI_2016, SAKAI_2018
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _sheet(label: str, tables: Sequence[ComparisonTable]) -> ReportTable:
    """Return one method's tables, of all levels one below the other."""
    title = label.replace("confidence interval", "CI")  # a sheet's title is short
    return ReportTable(title, lambda: _stacked([table for table in tables if table.method_label == label]))


def _stacked(tables: Sequence[ComparisonTable]) -> Table:
    rows = [(table, row) for table in tables for row in range(len(table.differences))]
    levels: Table = {
        "alpha": [table.levels[0] for table, _ in rows],
        "beta": [table.levels[1] for table, _ in rows],
        "difference": [table.differences[row] for table, row in rows],
    }
    return dict(levels) | {
        f"topics, {measure}": [int(table.topics[row, column]) or None for table, row in rows]
        for column, measure in enumerate(tables[0].measures)
    }


def _long(tables: Sequence[ComparisonTable]) -> Table:
    """Return all tables as one, a row a number."""
    rows = [
        (table.method_label, *table.levels, difference, measure, int(table.topics[row, column]) or None)
        for table in tables
        for row, difference in enumerate(table.differences)
        for column, measure in enumerate(table.measures)
    ]
    names = ("method", "alpha", "beta", "difference", "measure", "topics")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _wide(tables: Sequence[ComparisonTable]) -> Table:
    """Return all tables one below the other, a column a measure."""
    methods: Table = {"method": [table.method_label for table in tables for _ in table.differences]}
    return dict(methods) | dict(_stacked(tables))


def _effects(table: EffectTable) -> dict[str, list[float | None]]:
    columns: dict[str, list[float | None]] = {"min_delta": list(table.effects)}
    for place, (alpha, beta) in enumerate(table.levels):
        columns[f"topics, alpha {alpha:g}, beta {beta:g}"] = [int(n) or None for n in table.topics[:, place]]
    return columns


def reported_report(
    audit: ReportedResult,
    curve: SizeCurve,
    *,
    asked: Mapping[str, Any],
    study: str,
    n_topics: int | None,
    sentence: str,
    link: str = "",
) -> Report:
    """Return the audit of a reported result ready to be taken home.

    Parameters
    ----------
    audit : ReportedResult
        The audit.
    curve : SizeCurve
        Power of a replication against its size.
    asked : mapping
        The statistic, the sizes and the error probabilities, by name.
    study : str
        Size of the reported study in words, for example "28 topics".
    n_topics : int, optional
        Its topics, where its systems have the same.
    sentence : str
        What the replication does, in words that follow "244 topics".
    link : str
        The full link to the answer.
    """
    topics = audit.replication.required_topics

    def powers() -> Table:
        return {"n_topics": curve.n_topics.tolist(), "power_exact": curve.exact.tolist()}

    return Report(
        name="reported-result",
        title=f"{audit.test}: a replication needs {topics:,} topics",
        sentence=f"{topics:,} topics {sentence}",
        tables=[
            ReportTable("audit", lambda: audit_table(audit), "Audit", "reported-result"),
            ReportTable("power by topics", powers, "By topics", "power-of-replication"),
        ],
        results=lambda: [audit.record(asked)],
        text=audit_text(audit, study),
        figures=lambda: [replication_figure(audit, curve, n_topics, "print")],
        link=link,
    )


def audit_table(audit: ReportedResult) -> Table:
    """Return the audit as a table."""
    return {
        "quantity": ["statistic", "p value", "effect size", "achieved power", "topics for a replication"],
        "value": [
            audit.statistic,
            audit.p_value,
            audit.effect_size,
            audit.achieved_power,
            float(audit.replication.required_topics),
        ],
    }


def replication_figure(audit: ReportedResult, curve: SizeCurve, n_topics: int | None, mode: "Mode") -> Figure:
    """Return power against the size of a replication, with the reported study where it has one size."""
    from topicset_core.analyses.sizing.charts import power_of_replication

    replication = audit.replication
    topics, target = replication.required_topics, 1 - replication.requirements.beta
    drawn = power_of_replication(
        curve,
        required_topics=topics,
        attained_power=replication.attained_power,
        target=target,
        reported=None if n_topics is None else (n_topics, audit.achieved_power),
        mode=mode,
    )
    alt = f"Power rises with the number of topics and reaches {100 * target:g} % at {topics:,}."
    return Figure("power-of-replication", drawn, alt)


def audit_text(audit: ReportedResult, study: str) -> tuple[str, str]:
    """Return what a reported result amounts to, in plain text and in LaTeX.

    Parameters
    ----------
    audit : ReportedResult
        The audit.
    study : str
        Size of the reported study in words, for example "28 topics".
    """
    wanted = audit.replication.requirements
    symbol, unit = ("F", "(Cohen's f)") if audit.test == one_way_anova.NAME else ("t", "standard deviations")
    per_system = "" if audit.test == paired_t.NAME else " per system"
    paragraph = (
        f"The reported statistic {symbol} = {audit.statistic:g} ({_INLINE[audit.test]}, {study}) amounts to an "
        f"effect of {audit.effect_size:.4g} {unit} in the sample, p = {audit.p_value:.3g}; a study of that size "
        f"detects an effect so large with power {audit.achieved_power:.3g} at significance level "
        f"α = {wanted.alpha:g}. To detect it with power 1 − β = {1 - wanted.beta:g}, a replication needs "
        f"n = {audit.replication.required_topics:,} topics{per_system} {CITATION}, computed with {_HOW['exact']} "
        f"(Topicset {__version__})."
    )
    works = SAKAI_2016_REVIEW, SAKAI_2016
    return cite_plain(paragraph, works), cite_latex(paragraph, works)
