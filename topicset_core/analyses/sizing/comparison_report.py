"""Exports of a comparison of designs: tables, record, figures and paragraph."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

import numpy as np

from topicset_core import __version__
from topicset_core.analyses.planning import Planned, Source
from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    EFFECTS,
    NOT_IN_GROUPS,
    SYSTEMS,
    Bases,
    Cell,
    ComparisonTable,
    EffectTable,
    Levels,
    MethodLine,
    StatedGroups,
    Target,
    bases_of,
    compare_designs,
    effect_table,
    group_size_of,
    method_lines,
    size_cv_of,
    spoken_of,
)
from topicset_core.analyses.sizing.separation import Separations
from topicset_core.charts.chart import Chart, errors
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
    Parameter,
    Setting,
)
from topicset_core.references import SAKAI_2016, SAKAI_2018
from topicset_core.variance import PAIR_PERCENTILE
from topicset_core.variance.intervals import DEFAULT_LEVEL
from topicset_core.wording import joined

SYMBOLS = {one.name: one.symbol for one in (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)}
"""Symbols of the variances, by their names."""

FOR_PAIRS = "for 95 % of pairs"
"""What the paired t test is also planned for, in tiles and tables."""

_LEVEL = f"{100 * DEFAULT_LEVEL:g} %"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A comparison of designs and its answers: a page and the command make the same."""

    sources: Mapping[str, Source]  # where the variances of each measure are from
    levels: Sequence[Levels]  # the first is that of figures
    systems: Sequence[int] = SYSTEMS
    differences: Sequence[float] = DIFFERENCES
    effects: Sequence[float] = EFFECTS
    method: Method = "exact"
    topics: str = "shared"  # or "separate"
    target: Target
    of: str  # the measure of figures
    groups: Mapping[str, StatedGroups] = field(default_factory=dict)  # where somebody states them

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other comparisons, as plain values."""
        sources = tuple((measure, source.key) for measure, source in self.sources.items())
        more = (self.levels, self.systems, self.differences, self.effects, self.target, self.groups)
        return sources, self.method, self.topics, self.of, repr(more)

    @cached_property
    def bases(self) -> Bases:
        """The plan of each variance: its value, degrees of freedom and groups."""
        return bases_of(self.sources, self.groups)

    def of_variance(self, variance: Parameter) -> dict[str, float]:
        """Return the variance of one topic by measure, where it is known."""
        return {
            measure: basis[variance.name].of_topics.variance
            for measure, basis in self.bases.items()
            if variance.name in basis
        }

    @property
    def variances(self) -> dict[str, tuple[float, str]]:
        """The within-system variance by measure, and its source."""
        within = WITHIN_SYSTEM_VARIANCE
        return {
            measure: (value, self.bases[measure][within.name].words)
            for measure, value in self.of_variance(within).items()
        }

    @property
    def group_sizes(self) -> dict[str, int]:
        """Topics per group, of measures that are planned in groups."""
        return {measure: size for measure, basis in self.bases.items() if (size := group_size_of(basis))}

    @cached_property
    def tables(self) -> tuple[ComparisonTable, ...]:
        """The tables of all levels."""
        return tuple(
            table
            for alpha, beta in self.levels
            for table in compare_designs(
                self.sources,
                alpha=alpha,
                beta=beta,
                differences=self.differences,
                systems=self.systems,
                method=self.method,
                topics=self.topics,
                target=self.target,
                groups=self.groups,
                bases=self.bases,
            )
        )

    @cached_property
    def lines(self) -> tuple[MethodLine, ...]:
        """What each design detects with one measure."""
        (alpha, beta), basis = self.levels[0], self.bases[self.of]
        pairs = basis.get(DIFFERENCE_VARIANCE.name)
        return method_lines(
            basis[WITHIN_SYSTEM_VARIANCE.name].plan.variance,
            alpha=alpha,
            beta=beta,
            systems=[*self.systems, self.target.n_systems],
            difference_variance=None if pairs is None else pairs.plan.variance,
            is_binary=self.sources[self.of].is_binary and self.of not in self.group_sizes,
            size_cv=size_cv_of(basis),
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
        measures, tables, variances = ", ".join(self.sources), self.tables, self.variances
        of_pairs, of_shared = map(self.of_variance, (DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE))
        binary = [measure for measure, source in self.sources.items() if source.is_binary]
        asked = zip((METHOD, ALPHA, BETA), (self.method, *self.levels[0]), strict=True)

        def record() -> dict[str, Any]:
            return {
                "analysis": "comparison of designs",
                "within_system_variances": {measure: value for measure, (value, _) in variances.items()},
                **({"difference_variances": of_pairs} if of_pairs else {}),
                **({"residual_variances": of_shared} if of_shared else {}),
                **({"binary": binary} if binary else {}),
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
                # A sheet's title is short; it has the tables of all levels one below the other.
                *(
                    ReportTable(label.replace("confidence interval", "CI"), partial(_stacked, tables, label))
                    for label in dict.fromkeys(table.method_label for table in tables)
                ),
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
                residual_variances=of_shared,
            ),
            figures=lambda: [
                *self.figures_of_designs(),
                *comparison_figures(tables, self.lines, variances, self.of),
            ],
            measure=measures,
            variance_source="; ".join(source for _, source in variances.values()),
            matrices=matrices,
            counts_groups=len(self.group_sizes) == len(self.sources),
        )

    @property
    def paired_variance(self) -> float | None:
        """The variance of a difference in the measure of figures."""
        return self.of_variance(DIFFERENCE_VARIANCE).get(self.of)

    def figures_of_designs(self) -> list[Figure]:
        """Return the bars of the designs for one measure, by its variances."""
        known: Mapping[str, Planned] = self.bases[self.of]
        variances = {SYMBOLS[name]: basis.of_topics.variance for name, basis in known.items()}
        return designs_figures(self.tables, variances, self.of)


def designs_planned(tables: Sequence[ComparisonTable], of: str) -> dict[str, tuple[ComparisonTable, Cell]]:
    """Return the plan for one measure: table and cell by the label of the design."""
    return {
        table.design_label: (table, table.planned[of])
        for table in tables
        if table.levels == tables[0].levels and table.planned and table.planned[of].topics
    }


def designs_sentence(tables: Sequence[ComparisonTable], of: str) -> tuple[str, str]:
    """Return the heading and the sentence of the designs: the range of topics, and which design needs which."""
    tests = {label: one for label, one in designs_planned(tables, of).items() if not one[0].is_width}
    cells = {label: cell for label, (_, cell) in tests.items()}
    if not cells:
        return (
            "No number of topics",
            f"With {of} no test has an answer: more than ten million topics, or not in the published tables.",
        )
    alpha, beta = tables[0].levels
    m = next((table.n_systems for table in tables if table.planned and table.n_systems), None)
    systems = "" if m is None else f", m = {m} systems"
    is_shared = all(table.variance != WITHIN_SYSTEM_VARIANCE.name for table, _ in tests.values())
    systems += ", topics shared" if is_shared else ", separate topics"
    (fewest, least), (most, largest) = (end(cells.items(), key=_topics_of) for end in (min, max))
    if least.topics == largest.topics:
        heading, span = f"{least.counted} with each test", f"each test needs {least.counted}"
    else:
        heading = f"{least.topics:,} to {largest.topics:,} {least.units}, depending on the test"
        span = f"from {least.counted} by {fewest} to {largest.counted} by {most}"
    if least.is_guess:
        low, high = least.in_words[0], largest.in_words[1]
        heading = f"{low} to {high} {least.units}, depending on the test and the variance"
    levels = f"α = {alpha:g}, {100 * (1 - beta):g} % power{systems}"
    sentence = f"For minD = {least.difference:g} in {of}, {levels}: {span}."
    if any(cell.ends is not None for cell in cells.values()):
        sentence += f" {'Ranges are' if least.is_guess else 'In brackets:'} {_LEVEL} confidence intervals."
    slugs = {table.slug: cell for table, cell in reversed(tests.values())}
    exact, paired = (slugs.get(one.DESIGN.slug) for one in (mcnemar, paired_t))
    if exact and paired:
        sentence += (
            f" Scores of {of} are 0 or 1: McNemar's exact test keeps this power from {exact.counted} on, and the "
            f"paired t test asks for {paired.in_short}."
        )
    if any(table.slug == mcnemar.DESIGN.slug and of in table.group_sizes for table in tables):
        sentence += f" {NOT_IN_GROUPS}."
    return heading, sentence


def _topics_of(one: tuple[str, Cell]) -> int:
    return one[1].topics


def in_short(compared: Comparison, separated: Separations | None) -> list[tuple[str, str, str]]:
    """Return the numbers next to the headline for one measure: label, value, and what to know of it."""
    plans = designs_planned(compared.tables, compared.of)
    tests = {label: cell for label, (table, cell) in plans.items() if not table.is_width}
    ends = sorted(tests, key=lambda label: tests[label].topics)
    told = {label: tests[label].in_all for label in (*ends[:1], *ends[1:][-1:])}
    by_pairs = []
    for label, (table, cell) in plans.items():
        if table.slug == mcnemar.DESIGN.slug and compared.paired_variance is not None:
            shares = shares_of(cell.difference, compared.paired_variance)
            told[label] = "Discordant topics: {:.3g} % and {:.3g} %.".format(*(100 * one for one in shares))
        if table.slug == paired_t.DESIGN.slug and PAIR_PERCENTILE.name in cell.by_pairs:
            topics = f"{cell.by_pairs[PAIR_PERCENTILE.name]:,} {cell.units}"
            by_pairs.append((f"{label}, {FOR_PAIRS}", topics, f"By the {PAIR_PERCENTILE.label}."))
    result = [*((label, tests[label].counted, text) for label, text in told.items()), *by_pairs]
    for label, (_, cell) in [one for one in plans.items() if one[1][0].is_width][:1]:
        result.append((label, cell.counted, f"For a width of {cell.difference:g}."))
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
    bars, by_measure, m = {}, "", ""
    for label, (table, cell) in result.items():
        bars[f"{label} (δ = {cell.difference:g})" if table.is_width else label] = (
            cell,
            SYMBOLS[table.variance],
        )
        by_measure = by_measure if table.is_width else f", minD = {cell.difference:g}"
        m = f", m = {table.n_systems}" if table.n_systems else m
    title = f"{designs_sentence(tables, of)[0]} ({of}{by_measure}{m})"
    labels = [*bars][::-1]
    height, units = 34 * len(labels), next(iter(bars.values()))[0].units
    chart = Chart(title, f"{units} n per system", "design", height=150 + height)
    for symbol, place in zip(
        dict.fromkeys(symbol for _, symbol in bars.values()), _READ_AS_TEXT, strict=False
    ):
        places = [place for place, label in enumerate(labels) if bars[label][1] == symbol]
        cells = [bars[labels[place]][0] for place in places]
        chart.bars(
            [0 if cell.is_guess else cell.topics for cell in cells],  # the interval alone is the number
            places,
            f"{symbol} = {variances[symbol]:.4g}",
            "%{hovertext}",
            colour=SERIES[place],
            width=0.45,
            hovertext=[
                f"{literal(labels[place])}: {cell.counted}" for place, cell in zip(places, cells, strict=True)
            ],
            **_whiskers(cells),
        )
    longest = max(max(cell.topics, *_ends(cell)) for cell, _ in bars.values())
    chart.axis("x", range=[0, 1.02 * longest], tickformat=",d")
    chart.axis("y", range=[-0.4, len(labels) - 0.2], showticklabels=False, showgrid=False)
    for place, label in enumerate(labels):  # above its bar, where a phone has room for it
        text = f"{literal(label)}: {bars[label][0].in_short}"
        chart.note(text, 0, place, colour=TEXT, size=14, xanchor="left", yanchor="bottom", yshift=6)
    chart.legend(y=-56 / height)
    chart.update_layout(barmode="overlay")
    listed = ", ".join(f"{label} {cell.in_short}" for label, (cell, _) in bars.items())
    return [chart.figure("topics-by-design", f"{title}. {listed}.")]


def _ends(cell: Cell) -> tuple[int, int]:
    """Return the ends of the interval that a chart has; the number where one is not known, or is no number."""
    low, high = cell.ends or (None, None)
    return min(low or cell.topics, cell.topics), max(high or cell.topics, cell.topics)


def _whiskers(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the intervals of bars as their whiskers; no settings where no interval is known."""
    if all(cell.ends is None for cell in cells):
        return {}
    ends = [(*_ends(cell), cell.topics) for cell in cells]
    up, down = [high - n for _, high, n in ends], [n - low for low, _, n in ends]
    base = {"base": [cell.topics if cell.is_guess else 0 for cell in cells]}
    return {"error_x": errors(up, TEXT, down=down)} | (base if any(base["base"]) else {})


def comparison_figures(
    tables: Sequence[ComparisonTable],
    lines: Sequence[MethodLine],
    variances: Mapping[str, tuple[float, str]],
    of: str,
) -> list[Figure]:
    """Return topics by measure, where there are several, and what each method detects."""
    spoken, cells = spoken_of(tables)
    result = {measure: cell for measure, cell in cells.items() if not cell.is_guess}
    drawn = []
    if len(result) > 1:
        differences = {cell.difference for cell in result.values()}
        by_measure = f"minD = {differences.pop():g}" if len(differences) == 1 else "each measure's minD"
        topics = {measure: cell.n_topics for measure, cell in result.items()}
        ends = {
            measure: (low * max(cell.group_size, 1), high * max(cell.group_size, 1))
            for measure, cell in result.items()
            if cell.ends is not None
            for low, high in [_ends(cell)]
        }
        drawn.append(
            topics_by_measure(topics, method=spoken.method_label, difference=by_measure, intervals=ends)
        )
    units = Cell(0.0, 0, tables[0].group_sizes.get(of, 0)).units
    return [*drawn, methods_by_topics(lines, variance=variances[of][0], measure=of, units=units)]


def methods_by_topics(
    lines: Sequence[MethodLine], *, variance: float, measure: str, units: str = "topics"
) -> Figure:
    """Draw the difference (minD, or the width δ) against n for several methods at one variance."""
    # On logarithmic scales lines are nearly straight, and as far apart at few topics as at many.
    chart = Chart(
        f"The detectable difference falls with the square root of n (σ² = {variance:.4g}, {measure})",
        f"{units} n per system (log scale)",
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
            f"{line.label}: %{{x:,}} {units}, %{{y:.4g}}",
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


def topics_by_measure(
    topics: Mapping[str, int],
    *,
    method: str,
    difference: str,
    intervals: Mapping[str, tuple[int, int]] | None = None,
) -> Figure:
    """Draw one bar per measure with its number of topics and its interval, fewest at the top."""
    ordered = sorted(topics.items(), key=lambda item: item[1], reverse=True)
    labels, positions = [literal(measure) for measure, _ in ordered], list(range(len(ordered)))
    numbers = [number for _, number in ordered]
    fewest, most = ordered[-1], ordered[0]
    title = f"{fewest[0]} needs {fewest[1]:,} topics, {most[0]} {most[1]:,} ({method}, {difference})"
    chart = Chart(title, "topics n per system", "measure", height=150 + 34 * len(ordered))
    ends = [(intervals or {}).get(measure, (number, number)) for measure, number in ordered]
    whiskers: dict[str, Any] = {"text": [f"{number:,}" for number in numbers]}
    if intervals:
        texts = [f"{n:,} ({low:,} to {high:,})" for n, (low, high) in zip(numbers, ends, strict=True)]
        labels = [f"{label}<br>{text}" for label, text in zip(labels, texts, strict=True)]
        up, down = ([abs(end[side] - n) for end, n in zip(ends, numbers, strict=True)] for side in (1, 0))
        whiskers = {"error_x": errors(up, TEXT, down=down)}
    chart.bars(numbers, positions, "topics", "%{hovertext}: %{x:,} topics", hovertext=labels, **whiskers)
    # Room for the number behind the longest bar.
    chart.axis("x", range=[0, 1.1 * max(high for _, high in ends)], tickformat=",d")
    chart.axis("y", tickvals=positions, ticktext=labels, showgrid=False)
    counts = ", ".join(f"{measure} {number:,}" for measure, number in topics.items())
    alt = f"Topics that each measure requires for {difference}, {method}: {counts}."
    return chart.figure("topics-by-measure", alt)


def comparison_sentence(tables: Sequence[ComparisonTable], separated: Separations | None) -> tuple[str, str]:
    """Return the heading and the sentence of a comparison."""
    # minD is not the same difference for two measures. Therefore only run pairs name a measure the best: it
    # distinguishes more, on the same runs and topics, and by more than the intervals of all differences.
    table, topics = spoken_of(tables)
    difference, needed = _needed(topics)
    requested = f"{table.method_label[0].upper()}{table.method_label[1:]}: {needed}."
    if difference:
        requested = f"For minD = {difference} ({table.method_label}): {needed}."
    if len(table.measures) == 1:
        (measure,) = table.measures
        count = topics[measure].counted if topics else "No number of topics"
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


def _needed(cells: Mapping[str, Cell]) -> tuple[str, str]:
    """Return the difference, "" if measures have no common one, and the topics by measure, in words."""
    differences = {cell.difference for cell in cells.values()}
    if not cells:
        return "", "no number of topics (more than ten million, or not in the published tables)"
    if len(differences) == 1:
        return f"{differences.pop():g}", joined(
            [f"{cell.counted} with {measure}" for measure, cell in cells.items()]
        )
    results = [
        f"{cell.counted} with {measure} (minD = {cell.difference:g})" for measure, cell in cells.items()
    ]
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
    """Return the topics of the plan: one row per method; per measure difference, topics and their interval."""
    rows = [table for table in tables if table.planned and table.levels == tables[0].levels]
    result: dict[str, list[Any]] = {
        "method": [table.method_label for table in rows],
        "variance": [SYMBOLS[table.variance] for table in rows],
    }
    is_one = all(len({cell.difference for cell in table.planned.values()}) == 1 for table in rows)
    if is_one:
        result["minD or δ"] = [next(iter(table.planned.values())).difference for table in rows]
    for measure in rows[0].planned:
        cells = [table.planned[measure] for table in rows]
        if not is_one:
            result[f"minD or δ, {measure}"] = [cell.difference for cell in cells]
        of_number = {"": [None if cell.is_guess else cell.topics or None for cell in cells]}
        if any(cell.ends is not None for cell in cells):
            ends = [(None, None) if cell.ends is None else cell.ends for cell in cells]
            of_number |= {f" from ({_LEVEL})": [low for low, _ in ends]}
            of_number |= {f" to ({_LEVEL})": [high for _, high in ends]}
        if any(PAIR_PERCENTILE.name in cell.by_pairs for cell in cells):
            of_number[f" {FOR_PAIRS}"] = [cell.by_pairs.get(PAIR_PERCENTILE.name) for cell in cells]
        unit, size = rows[0].heading(measure).partition(",")[0], rows[0].group_sizes.get(measure)
        result |= {f"{unit}{name}, {measure}": numbers for name, numbers in of_number.items()}
        if size:
            numbers = [None if n is None else n * size for n in of_number[""]]
            result |= {f"topics, {measure}": numbers}
    return dict(result)


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


def _stacked(all_tables: Sequence[ComparisonTable], label: str) -> Table:
    tables = [table for table in all_tables if table.method_label == label]
    rows = [(table, row) for table in tables for row in range(len(table.differences))]
    levels: Table = {
        "alpha": [table.levels[0] for table, _ in rows],
        "beta": [table.levels[1] for table, _ in rows],
        "difference": [table.differences[row] for table, row in rows],
    }
    return dict(levels) | {
        tables[0].heading(measure): [int(table.topics[row, column]) or None for table, row in rows]
        for column, measure in enumerate(tables[0].measures)
    }


def _long(tables: Sequence[ComparisonTable]) -> Table:
    """Return all tables as one, a row a number; of groups also their number."""
    rows = [
        (table.method_label, *table.levels, difference, measure, int(table.topics[row, column]) or None)
        for table in tables
        for row, difference in enumerate(table.differences)
        for column, measure in enumerate(table.measures)
    ]
    names = ("method", "alpha", "beta", "difference", "measure", "topics")
    result: dict[str, list[Any]] = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    if sizes := tables[0].group_sizes:
        numbers = [*zip(result["measure"], result["topics"], strict=True)]
        result["topics"] = [n and n * sizes.get(measure, 1) for measure, n in numbers]
        result["groups"] = [n if measure in sizes else None for measure, n in numbers]
    return dict(result)


def _effects(table: EffectTable) -> dict[str, list[float | None]]:
    columns: dict[str, list[float | None]] = {"min_delta": list(table.effects)}
    for place, (alpha, beta) in enumerate(table.levels):
        columns[f"topics, alpha {alpha:g}, beta {beta:g}"] = [int(n) or None for n in table.topics[:, place]]
    return columns
