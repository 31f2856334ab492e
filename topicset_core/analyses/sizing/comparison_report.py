"""Exports of a comparison of designs: tables, record, figures and paragraph."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from topicset_core import __version__
from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    EFFECTS,
    SYSTEMS,
    ComparisonTable,
    EffectTable,
    Levels,
    MethodLine,
    Planned,
    compare_designs,
    effect_table,
    method_lines,
    spoken_of,
)
from topicset_core.analyses.sizing.separation import Separations
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import mcnemar, paired_t
from topicset_core.designs.results import Method
from topicset_core.designs.shares import shares_of
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import SERIES, TEXT
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    METHOD,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Setting,
)
from topicset_core.references import SAKAI_2016, SAKAI_2018
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.wording import joined

SYMBOLS = {one.name: one.symbol for one in (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)}
"""Symbols of the variances, by their names."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A comparison of designs and its answers: a page and the command make the same."""

    variances: Mapping[str, tuple[float, str]]  # within-system variance by measure, and its source
    difference_variances: Mapping[str, float] | None  # by measure; 2 sigma^2 where it is None
    residual_variances: Mapping[str, float]  # of shared topics by measure, where it is known
    levels: Sequence[Levels]  # the first is that of figures
    systems: Sequence[int] = SYSTEMS
    differences: Sequence[float] = DIFFERENCES
    effects: Sequence[float] = EFFECTS
    method: Method = "exact"
    topics: str = "shared"  # or "separate"
    planned: Planned
    of: str  # the measure of figures
    binary: Collection[str] = ()  # measures whose scores are all 0 or 1

    @cached_property
    def tables(self) -> tuple[ComparisonTable, ...]:
        """The tables of all levels."""
        return tuple(
            table
            for alpha, beta in self.levels
            for table in compare_designs(
                {measure: value for measure, (value, _) in self.variances.items()},
                alpha=alpha,
                beta=beta,
                differences=self.differences,
                systems=self.systems,
                method=self.method,
                difference_variances=self.difference_variances,
                residual_variances=self.residual_variances,
                topics=self.topics,
                planned=self.planned,
                binary=self.binary,
            )
        )

    @cached_property
    def lines(self) -> tuple[MethodLine, ...]:
        """What each design detects with one measure."""
        alpha, beta = self.levels[0]
        return method_lines(
            self.variances[self.of][0],
            alpha=alpha,
            beta=beta,
            systems=[*self.systems, self.planned.n_systems],
            difference_variance=(self.difference_variances or {}).get(self.of),
            is_binary=self.of in self.binary,
        )

    @cached_property
    def by_effect(self) -> EffectTable:
        """The paired t test by effect size."""
        return effect_table(self.levels, effects=self.effects, method=self.method)

    def answered(self) -> "Comparison":
        """Compute all, or raise."""
        _ = self.tables, self.lines, self.by_effect
        return self

    def sentences(self, separated: Separations | None) -> list[str]:
        """Return the answer in words: on the designs, and on the measures where there is something to say."""
        result = [". ".join(designs_sentence(self.tables, self.of))]
        if len(self.variances) > 1 or separated:
            result.append(". ".join(comparison_sentence(self.tables, separated)))
        return result

    def report(self, separated: Separations | None = None, matrices: Sequence[ScoreMatrix] = ()) -> Report:
        """Return it ready for export."""
        measures, tables, variances = ", ".join(self.variances), self.tables, self.variances
        asked = zip((METHOD, ALPHA, BETA), (self.method, *self.levels[0]), strict=True)

        def record() -> dict[str, Any]:
            return {
                "analysis": "comparison of designs",
                "within_system_variances": {measure: value for measure, (value, _) in variances.items()},
                **({"difference_variances": self.difference_variances} if self.difference_variances else {}),
                **({"residual_variances": self.residual_variances} if self.residual_variances else {}),
                **({"binary": list(self.binary)} if self.binary else {}),
                "tables": tables,
                "effects": _effects(self.by_effect),
                "separation": separated and fields_of(separated) | {"best": separated.best},
            }

        return Report(
            name="compare-designs",
            title=f"Designs compared: {measures}",
            sentence=" ".join(self.sentences(separated)),
            tables=[
                ReportTable("designs", lambda: planned_table(tables), "Designs", "compare-planned"),
                ReportTable("", lambda: _long(tables), "All tables", "compare-designs"),
                ReportTable(
                    "measures", lambda: measures_table(variances, separated), "Measures", "compare-measures"
                ),
                *(_sheet(label, tables) for label in dict.fromkeys(table.method_label for table in tables)),
                ReportTable("paired t test by effect", lambda: _effects(self.by_effect)),
            ],
            page_table=lambda: planned_table(tables),
            results=lambda: [record()],
            request=[Setting(parameter, value) for parameter, value in asked],
            text=comparison_text(
                tables,
                variances,
                of=self.of,
                method=self.method,
                residual_variances=self.residual_variances,
            ),
            figures=lambda: [
                *self.figures_of_designs(),
                *comparison_figures(tables, self.lines, variances, self.of),
            ],
            measure=measures,
            variance_source="; ".join(source for _, source in variances.values()),
            matrices=matrices,
        )

    @property
    def paired_variance(self) -> float | None:
        """The variance of a difference in the measure of figures."""
        if self.difference_variances is None:
            return conservative_difference_variance(self.variances[self.of][0])
        return self.difference_variances.get(self.of)

    def figures_of_designs(self) -> list[Figure]:
        """Return the bars of the designs for one measure, by its variances."""
        variances = {
            WITHIN_SYSTEM_VARIANCE.symbol: self.variances[self.of][0],
            DIFFERENCE_VARIANCE.symbol: self.paired_variance,
            RESIDUAL_VARIANCE.symbol: self.residual_variances.get(self.of),
        }
        known = {symbol: value for symbol, value in variances.items() if value is not None}
        return designs_figures(self.tables, known, self.of)


def designs_planned(
    tables: Sequence[ComparisonTable], of: str
) -> dict[str, tuple[ComparisonTable, float, int]]:
    """Return the plan for one measure: table, difference and topics by the label of the design."""
    return {
        table.design_label: (table, *table.planned[of])
        for table in tables
        if table.levels == tables[0].levels and table.planned and table.planned[of][1]
    }


def designs_sentence(tables: Sequence[ComparisonTable], of: str) -> tuple[str, str]:
    """Return the heading and the sentence of the designs: the range of topics, and which design needs which."""
    tests = {label: one for label, one in designs_planned(tables, of).items() if not one[0].is_width}
    result = {label: (n, difference) for label, (_, difference, n) in tests.items()}
    if not result:
        return (
            "No number of topics",
            f"With {of} no test has an answer: more than ten million topics, or not in the published tables.",
        )
    alpha, beta = tables[0].levels
    ((_, difference), *_) = result.values()
    m = next((table.n_systems for table in tables if table.planned and table.n_systems), None)
    systems = "" if m is None else f", m = {m} systems"
    is_shared = all(table.variance != WITHIN_SYSTEM_VARIANCE.name for table, *_ in tests.values())
    systems += ", topics shared" if is_shared else ", separate topics"
    fewest, most = min(result, key=result.__getitem__), max(result, key=result.__getitem__)
    low, high = result[fewest][0], result[most][0]
    if low == high:
        heading, span = f"{low:,} topics with each test", f"each test needs {low:,} topics"
    else:
        heading = f"{low:,} to {high:,} topics, depending on the test"
        span = f"from {low:,} topics ({fewest}) to {high:,} topics ({most})"
    sentence = (
        f"For minD = {difference:g} in {of}, α = {alpha:g}, {100 * (1 - beta):g} % power{systems}: {span}."
    )
    topics = {table.slug: n for table, _, n in reversed(tests.values())}
    exact, paired = (topics.get(one.DESIGN.slug) for one in (mcnemar, paired_t))
    if exact and paired:
        sentence += (
            f" Scores of {of} are 0 or 1: McNemar's exact test keeps this power from {exact:,} topics on, and the "
            f"paired t test asks for {paired:,}."
        )
    return heading, sentence


def in_short(compared: Comparison, separated: Separations | None) -> list[tuple[str, str, str]]:
    """Return the numbers next to the headline for one measure: label, value, and what to know of it."""
    planned = designs_planned(compared.tables, compared.of)
    tests = {label: n for label, (table, _, n) in planned.items() if not table.is_width}
    ends = sorted(tests, key=tests.__getitem__)
    told = dict.fromkeys((*ends[:1], *ends[1:][-1:]), "")
    for label, (table, difference, _) in planned.items():
        if table.slug == mcnemar.DESIGN.slug and compared.paired_variance is not None:
            shares = shares_of(difference, compared.paired_variance)
            told[label] = "Discordant topics: {:.3g} % and {:.3g} %.".format(*(100 * one for one in shares))
    result = [(label, f"{tests[label]:,} topics", text) for label, text in told.items()]
    widths = [one for one in planned.items() if one[1][0].is_width]
    for label, (_, width, n) in widths[:1]:
        result.append((label, f"{n:,} topics", f"For a width of {width:g}."))
    for one in () if separated is None else separated.measures:
        if one.measure == compared.of:
            share, low, high = (f"{100 * x:.1f} %" for x in (one.share.value, one.share.low, one.share.high))
            how = f"Of run pairs, by a paired t test; 90 % interval: {low} to {high}."
            result.append(("pairs distinguished", share, how))
    return result


_READ_AS_TEXT = (0, 3, 2, 8, 6, 5, 9, 7)  # colours of series that also names can have, most unlike first
_DASHES = ("dash", "dot", "dashdot", "longdash")


def designs_figures(
    tables: Sequence[ComparisonTable], variances: Mapping[str, float], of: str
) -> list[Figure]:
    """Draw one bar per design with its topics for one measure, coloured by its variance; none without an answer."""
    result = designs_planned(tables, of)
    if not result:
        return []
    topics, by_measure, m = {}, "", ""
    for label, (table, difference, n) in result.items():
        topics[f"{label} (δ = {difference:g})" if table.is_width else label] = n, SYMBOLS[table.variance]
        by_measure = by_measure if table.is_width else f", minD = {difference:g}"
        m = f", m = {table.n_systems}" if table.n_systems else m
    title = f"{designs_sentence(tables, of)[0]} ({of}{by_measure}{m})"
    labels = [*topics][::-1]
    height = 34 * len(labels)
    chart = Chart(title, "topics n per system", "design", height=150 + height)
    symbols = list(dict.fromkeys(symbol for _, symbol in topics.values()))
    for symbol, place in zip(symbols, _READ_AS_TEXT, strict=False):
        places = [place for place, label in enumerate(labels) if topics[label][1] == symbol]
        numbers = [topics[labels[place]][0] for place in places]
        chart.bars(
            numbers,
            places,
            f"{symbol} = {variances[symbol]:.4g}",
            "%{hovertext}: %{x:,} topics",
            colour=SERIES[place],
            width=0.45,
            text=[f"{number:,}" for number in numbers],
            textfont={"size": 14},
            constraintext="none",
            hovertext=[literal(labels[place]) for place in places],
        )
    # Room for the number behind the longest bar.
    chart.axis("x", range=[0, 1.12 * max(number for number, _ in topics.values())], tickformat=",d")
    chart.axis("y", range=[-0.4, len(labels) - 0.2], showticklabels=False, showgrid=False)
    for place, label in enumerate(labels):  # above its bar, where a phone has room for it
        chart.note(literal(label), 0, place, colour=TEXT, size=14, xanchor="left", yanchor="bottom", yshift=6)
    chart.legend(y=-56 / height)
    chart.update_layout(barmode="overlay")
    listed = ", ".join(f"{label} {n:,}" for label, (n, _) in topics.items())
    return [chart.figure("topics-by-design", f"{title}. {listed}.")]


def comparison_figures(
    tables: Sequence[ComparisonTable],
    lines: Sequence[MethodLine],
    variances: Mapping[str, tuple[float, str]],
    of: str,
) -> list[Figure]:
    """Return topics by measure, where there are several, and what each method detects."""
    (spoken, result), drawn = spoken_of(tables), []
    topics = {measure: number for measure, (_, number) in result.items()}
    if len(topics) > 1:
        differences = {difference for difference, _ in result.values()}
        by_measure = f"minD = {differences.pop():g}" if len(differences) == 1 else "each measure's minD"
        drawn.append(topics_by_measure(topics, method=spoken.method_label, difference=by_measure))
    return [*drawn, methods_by_topics(lines, variance=variances[of][0], measure=of)]


def methods_by_topics(lines: Sequence[MethodLine], *, variance: float, measure: str) -> Figure:
    """Draw the difference (minD, or the width δ) against n for several methods at one variance.

    Both scales are logarithmic: the lines are then nearly straight, and as far apart at few topics as at many.
    Methods that nearly coincide are distinguished by their dashes.
    """
    chart = Chart(
        f"The detectable difference falls with the square root of n (σ² = {variance:.4g}, {measure})",
        "topics n per system (log scale)",
        f"minD, or width δ of the interval ({measure}, log scale)",
        height=460,
    )
    ends_of_lines = [line.n_topics[place] for line in lines for place in (0, -1)]
    across = [float(one) for one in np.log10([min(ends_of_lines), max(ends_of_lines)])]
    chart.log_axis("x", range=across)
    chart.log_axis("y")
    n_others = sum("ANOVA" not in line.label for line in lines)
    ends: list[tuple[float, float, str, str]] = []
    others = 0
    for drawn, line in enumerate(lines):
        is_anova = "ANOVA" in line.label
        place = n_others + drawn - others if is_anova else others  # one colour a method
        others += not is_anova
        colour = SERIES[_READ_AS_TEXT[place % len(_READ_AS_TEXT)]]
        chart.line(
            line.n_topics.astype(np.float64),
            line.difference,
            line.label,
            f"{line.label}: %{{x:,}} topics, %{{y:.4g}}",
            colour=colour,
            dash="solid" if is_anova else _DASHES[place % len(_DASHES)],
        )
        ends.append((float(line.n_topics[-1]), float(line.difference[-1]), line.label, colour))
    chart.name_ends(ends, height=float(np.ptp(np.log10(np.concatenate([line.difference for line in lines])))))
    chart.room(right=210)
    return chart.figure(
        "methods-by-topics",
        "The detectable difference falls with the square root of n; the t tests and the ANOVA of two systems "
        "almost coincide, like the interval and the ANOVA of ten at α = .05 and β = .20.",
    )


def topics_by_measure(topics: Mapping[str, int], *, method: str, difference: str) -> Figure:
    """Draw one bar per measure with its number of topics, fewest at the top."""
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    fewest, most = ordered[-1], ordered[0]
    title = f"{fewest[0]} needs {fewest[1]:,} topics, {most[0]} {most[1]:,} ({method}, {difference})"
    chart = Chart(title, "topics n per system", "measure", height=150 + 34 * len(ordered))
    chart.bars(
        numbers,
        positions,
        "topics",
        "%{hovertext}: %{x:,} topics",
        text=[f"{number:,}" for number in numbers],
        hovertext=labels,
    )
    # Room for the number behind the longest bar.
    chart.axis("x", range=[0, 1.1 * max(numbers)], tickformat=",d")
    chart.axis("y", tickvals=positions, ticktext=labels, showgrid=False)
    counts = ", ".join(f"{measure} {number:,}" for measure, number in topics.items())
    alt = f"Topics that each measure requires for {difference}, {method}: {counts}."
    return chart.figure("topics-by-measure", alt)


def comparison_sentence(tables: Sequence[ComparisonTable], separated: Separations | None) -> tuple[str, str]:
    """Return the heading and the sentence of a comparison.

    Which measure needs the fewest topics for one minD is no merit: minD is not the same difference for two
    measures. Therefore a measure is named best only by the run pairs that it distinguishes, on the same runs
    and topics as the others, and by more than the intervals of all differences.
    """
    table, topics = spoken_of(tables)
    difference, needed = _needed(topics)
    requested = f"{table.method_label[0].upper()}{table.method_label[1:]}: {needed}."
    if difference:
        requested = f"For minD = {difference} ({table.method_label}): {needed}."
    if len(table.measures) == 1:
        (measure,) = table.measures
        count = f"{topics[measure][1]:,} topics" if topics else "No number of topics"
        shares = "" if separated is None else f" {_shares(separated)}."
        return f"{count} with {measure}", f"{requested}{shares}"
    unlike = "minD is not the same difference for two measures"
    if separated is None:
        return (
            f"Topics for {len(table.measures)} measures",
            f"{requested} They do not show which measure is better: {unlike}. Load the scores to compare how many "
            "run pairs each measure distinguishes.",
        )
    if not separated.same_data:
        return (
            "These measures are of different runs or topics",
            f"{requested} They cannot be compared with each other: load scores of the same runs and topics.",
        )
    first, second = separated.measures[0], separated.measures[1]
    lead = separated.leads[0]
    by = f"{100 * lead.value:.1f} points ({100 * lead.low:.1f} to {100 * lead.high:.1f})"
    rule = f"Compare measures by the run pairs that they distinguish: {unlike}."
    summary = f"{_shares(separated)}. {requested} {rule}"
    if separated.best is not None:
        return (
            f"{first.measure} distinguishes the most run pairs",
            f"{summary} {first.measure} leads by {by}.",
        )
    return (
        "No measure distinguishes clearly more run pairs",
        f"{summary} {first.measure} leads {second.measure} by {by}, which other topics may reverse.",
    )


def _needed(topics: Mapping[str, tuple[float, int]]) -> tuple[str, str]:
    """Return the difference, where all measures have the same one, and the topics by measure, in words."""
    differences = {difference for difference, _ in topics.values()}
    if not topics:
        return "", "no number of topics (more than ten million, or not in the published tables)"
    if len(differences) == 1:
        results = [f"{n:,} topics with {measure}" for measure, (_, n) in topics.items()]
        return f"{differences.pop():g}", joined(results)
    results = [f"{n:,} topics with {measure} (minD = {one:g})" for measure, (one, n) in topics.items()]
    return "", joined(results)


def _shares(separated: Separations) -> str:
    """Return the share of run pairs that each measure distinguishes, in words."""
    listed = joined(
        [
            f"{one.measure} {100 * one.share.value:.1f} % ({100 * one.share.low:.1f} to {100 * one.share.high:.1f})"
            for one in separated.measures
        ]
    )
    sizes = sorted({n for one in separated.measures for n in one.topics})
    at = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return (
        f"With {at} topics a paired t test distinguishes these shares of run pairs (90 % interval): {listed}"
    )


def measures_table(variances: Mapping[str, tuple[float, str]], separated: Separations | None) -> Table:
    """Return each measure's variance, and the run pairs that it distinguishes, if its scores are loaded."""
    first: Table = {"measure": list(variances), "σ²": [value for value, _ in variances.values()]}
    last: Table = {"σ² from": [source for _, source in variances.values()]}
    if separated is None:
        return dict(first) | dict(last)
    result = {one.measure: one for one in separated.measures}
    ordered = [result.get(measure) for measure in variances]
    table: Table = {
        "distinguished": [None if one is None else one.share.value for one in ordered],
        "from (90 %)": [None if one is None else one.share.low for one in ordered],
        "to (90 %)": [None if one is None else one.share.high for one in ordered],
        "median difference": [None if one is None else one.median_difference for one in ordered],
        "pairs of runs": [None if one is None else one.n_pairs for one in ordered],
    }
    return dict(first) | dict(table) | dict(last)


SHOWN_AS = {
    "σ²": ".4g",
    "distinguished": ".2%",
    "from (90 %)": ".2%",
    "to (90 %)": ".2%",
    "median difference": ".4g",
}
"""Formats of the columns of `measures_table`."""


def planned_table(tables: Sequence[ComparisonTable]) -> Table:
    """Return the topics of the plan: one row per method, one column per measure with its difference."""
    rows = [table for table in tables if table.planned and table.levels == tables[0].levels]
    methods: Table = {
        "method": [table.method_label for table in rows],
        "variance": [SYMBOLS[table.variance] for table in rows],
    }
    result: dict[str, list[float | None]] = {}
    if all(len({difference for difference, _ in table.planned.values()}) == 1 for table in rows):
        result["minD or δ"] = [
            difference for table in rows for difference, _ in [*table.planned.values()][:1]
        ]
    for measure in rows[0].planned:
        if "minD or δ" not in result:
            result[f"minD or δ, {measure}"] = [table.planned[measure][0] for table in rows]
        result[f"topics, {measure}"] = [table.planned[measure][1] or None for table in rows]
    return dict(methods) | dict(result)


def comparison_text(
    tables: Sequence[ComparisonTable],
    variances: Mapping[str, tuple[float, str]],
    *,
    method: Method,
    of: str,
    residual_variances: Mapping[str, float],
) -> tuple[str, str]:
    """Return one row of a comparison and the range over the planned designs, in plain text and in LaTeX."""
    table, result = spoken_of(tables)
    is_shared = table.variance == RESIDUAL_VARIANCE.name
    kind, symbol = ("two-way residual" if is_shared else "within-system"), SYMBOLS[table.variance]
    taken = residual_variances if is_shared else {name: value for name, (value, _) in variances.items()}
    difference, needed = _needed(result)
    by_measure = f"For a difference of {difference}," if difference else "For these differences,"
    alpha, beta = table.levels
    measured = joined(
        [
            f"{symbol} = {value:.4g} for {measure} ({variances[measure][1]})"
            for measure, value in taken.items()
        ]
    )
    paragraph = (
        f"Topic set sizes were compared by topic set size design {CITATION} at significance level "
        f"α = {alpha:g} and power 1 − β = {1 - beta:g}, given {kind} variances {measured}. {by_measure} "
        f"the method {table.method_label} requires {needed} per system, computed with {METHOD.options[method]} "
        f"(Topicset {__version__})."
    )
    if any(one.planned for one in tables):
        paragraph += f" {designs_sentence(tables, of)[1]}"
    by_mcnemar = any(table.slug == mcnemar.DESIGN.slug for table, *_ in designs_planned(tables, of).values())
    works = SAKAI_2016, SAKAI_2018, *(mcnemar.DESIGN.works if by_mcnemar else ())
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


def _effects(table: EffectTable) -> dict[str, list[float | None]]:
    columns: dict[str, list[float | None]] = {"min_delta": list(table.effects)}
    for place, (alpha, beta) in enumerate(table.levels):
        columns[f"topics, alpha {alpha:g}, beta {beta:g}"] = [int(n) or None for n in table.topics[:, place]]
    return columns
