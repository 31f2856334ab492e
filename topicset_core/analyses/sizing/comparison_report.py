"""Exports of a comparison of designs: findings, tables, record and figures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from topicset_core.analyses.planning import Planned, Source
from topicset_core.analyses.sizing.cells import (
    Bases,
    Cell,
    StatedGroups,
    Target,
    bases_of,
    group_size_of,
    size_cv_of,
)
from topicset_core.analyses.sizing.comparison import (
    DIFFERENCES,
    EFFECTS,
    SYSTEMS,
    ComparisonTable,
    EffectTable,
    Levels,
    MethodLine,
    compare_designs,
    designs_planned,
    designs_sentence,
    effect_table,
    method_lines,
    spoken_of,
)
from topicset_core.analyses.sizing.comparison_charts import SYMBOLS, comparison_figures, designs_figures
from topicset_core.analyses.sizing.separation import Separations
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import mcnemar, paired_t
from topicset_core.designs.results import Method
from topicset_core.designs.shares import shares_of
from topicset_core.exports.citing import CITATION
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    METHOD,
    MIN_DELTA,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
    Setting,
)
from topicset_core.references import SAKAI_2016, SAKAI_2018
from topicset_core.variance import PAIR_PERCENTILE
from topicset_core.variance.intervals import DEFAULT_LEVEL
from topicset_core.version import __version__
from topicset_core.wording import joined

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
        return bases_of(self.sources, self.groups, self.target.n_systems)

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

    def report(self, separated: Separations | None = None, matrices: Sequence[ScoreMatrix] = ()) -> Report:
        """Return it ready for export."""
        measures, tables, variances = ", ".join(self.sources), self.tables, self.variances
        of_pairs, of_shared = map(self.of_variance, (DIFFERENCE_VARIANCE, RESIDUAL_VARIANCE))
        binary = [measure for measure, source in self.sources.items() if source.is_binary]
        asked = zip((METHOD, ALPHA, BETA), (self.method, *self.levels[0]), strict=True)
        slugs = {table.slug for table, _ in designs_planned(tables, self.of).values()}
        exact = mcnemar.DESIGN.works if mcnemar.DESIGN.slug in slugs else ()

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
            findings=findings(self, separated),
            works=(SAKAI_2016, SAKAI_2018, *exact),
            tables=[
                ReportTable("designs", lambda: planned_table(tables), "Designs", "compare-planned"),
                ReportTable("", lambda: _long(tables), "All tables", "compare-designs"),
                ReportTable(
                    "measures", lambda: measures_table(variances, separated), "Measures", "compare-measures"
                ),
                # A sheet's title is short; it has the tables of all levels one below the other.
                *(
                    ReportTable(_sheet(label), partial(_stacked, tables, label))
                    for label in dict.fromkeys(table.method_label for table in tables)
                ),
                ReportTable("paired t test by effect", lambda: _effects(self.by_effect, MIN_DELTA.symbol)),
            ],
            page_table=lambda: planned_table(tables),
            results=lambda: [record()],
            request=[Setting(parameter, value) for parameter, value in asked],
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


MEASURES = "Which measure?"
"""The tab of the page that compares measures."""


def findings(compared: Comparison, separated: Separations | None) -> list[Finding]:
    """Return the findings: the range of topics over the designs, then topics and run pairs by measure."""
    heading, sentence, more = designs_sentence(compared.tables, compared.of)
    cells = [cell for table in compared.tables for cell in table.planned.values()]
    said = [
        headline("", heading),
        *_tiles(compared, separated),
        Finding(_origin(compared), "paper"),
        Finding(" ".join(filter(None, (sentence, more))), "export terminal paper"),
        Finding(more, "page"),  # bars, headline and form of a page have the rest
    ]
    if any(cell.is_guess for cell in cells):
        text = "The interval alone is the number: its source is worth fewer than 10 pilot topics."
        said.append(Finding(text, "page export terminal"))
    if compared.topics == "shared" and not compared.of_variance(RESIDUAL_VARIANCE):
        text = "Tests of several systems on shared topics are left out: σₑ² is not known."
        said.append(Finding(text, "page export terminal"))
    said += [replace(one, tab=MEASURES) for one in _of_measures(compared.tables, separated)]
    computed = f"Computed with {METHOD.options[compared.method]} (Topicset {__version__})."
    return [*said, Finding(computed, "paper")]


def _tiles(compared: Comparison, separated: Separations | None) -> Iterator[Finding]:
    """Yield the numbers next to the headline, for one measure."""
    plans = designs_planned(compared.tables, compared.of)
    tests = {label: cell for label, (table, cell) in plans.items() if not table.is_width}
    ends = sorted(tests, key=lambda label: tests[label].topics)
    # The headline has the numbers of the ends, and the bars their names.
    notes = {label: tests[label].in_all for label in (*ends[:1], *ends[1:][-1:]) if tests[label].in_all}
    by_pairs = []
    for label, (table, cell) in plans.items():
        if table.slug == mcnemar.DESIGN.slug and compared.paired_variance is not None:
            shares = shares_of(cell.difference, compared.paired_variance)
            notes[label] = "Discordant topics: {:.3g} % and {:.3g} %.".format(*(100 * one for one in shares))
        if table.slug == paired_t.DESIGN.slug and PAIR_PERCENTILE.name in cell.by_pairs:
            text = f"{cell.units.capitalize()} by the {PAIR_PERCENTILE.label}."
            by_pairs.append(tile(FOR_PAIRS, f"{cell.by_pairs[PAIR_PERCENTILE.name]:,}", text))
    yield from (tile(label, tests[label].in_short, text) for label, text in notes.items())
    yield from by_pairs
    for label, (_, cell) in [one for one in plans.items() if one[1][0].is_width][:1]:
        yield tile(label, cell.in_short, f"{cell.units.capitalize()} for a width of {cell.difference:g}.")
    for one in () if separated is None else separated.measures:
        if one.measure == compared.of:
            share, low, high = (f"{100 * x:.1f} %" for x in (one.share.value, one.share.low, one.share.high))
            note = f"Of run pairs, by a paired t test; 90 % interval: {low} to {high}."
            yield tile("pairs distinguished", share, note)


def _of_measures(tables: Sequence[ComparisonTable], separated: Separations | None) -> Iterator[Finding]:
    """Yield the topics of each measure, and which of them distinguishes the most run pairs."""
    # minD is not the same difference for two measures. Therefore only run pairs name a measure the best: it
    # distinguishes more, on the same runs and topics, and by more than the intervals of all differences.
    table, topics = spoken_of(tables)
    difference, needed = _needed(topics)
    label, advised = table.method_label, "page export terminal"
    start = f"For minD = {difference} ({label})" if difference else f"{label[0].upper()}{label[1:]}"
    yield Finding(f"{start}: {needed}.")
    unlike = "minD is not the same difference for two measures"
    if separated is None:
        if len(table.measures) > 1:
            yield Finding(f"These topics do not show which measure is better: {unlike}.")
            text = "Scores of at least two runs in each measure show how many run pairs it distinguishes."
            yield Finding(text, advised)
        return
    if len(table.measures) > 1 and not separated.same_data:
        yield Finding(
            "These measures are of different runs or topics and cannot be compared with each other."
        )
        yield Finding("Load scores of the same runs and topics.", advised)
        return
    yield Finding(f"{_shares(separated)}.")
    if len(table.measures) > 1:
        first, second, *_ = (one.measure for one in separated.measures)
        lead = separated.leads[0]
        by = f"{100 * lead.value:.1f} points ({100 * lead.low:.1f} to {100 * lead.high:.1f})"
        yield Finding(
            f"No measure distinguishes clearly more run pairs: {first} leads {second} by {by}, which other topics "
            "may reverse."
            if separated.best is None
            else f"{first} distinguishes the most run pairs: it leads by {by}."
        )
        yield Finding(f"Compare measures by the run pairs that they distinguish: {unlike}.", advised)


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


def _origin(compared: Comparison) -> str:
    """Return which variances the topics are from, for a paper."""
    table, _ = spoken_of(compared.tables)
    is_shared = table.variance == RESIDUAL_VARIANCE.name
    kind, symbol = ("two-way residual" if is_shared else "within-system"), SYMBOLS[table.variance]
    within = {name: value for name, (value, _) in compared.variances.items()}
    measured = [
        f"{symbol} = {value:.4g} for {measure} ({compared.variances[measure][1]})"
        for measure, value in (compared.of_variance(RESIDUAL_VARIANCE) if is_shared else within).items()
    ]
    alpha, beta = table.levels
    return (
        f"Topic set sizes were compared by topic set size design {CITATION} at significance level α = {alpha:g} "
        f"and power 1 − β = {1 - beta:g}, given {kind} variances {joined(measured)}."
    )


def _sheet(label: str) -> str:
    """Return a method as the name of a sheet, which has at most 31 characters: no two are cut to the same."""
    return label.replace("confidence interval", "CI").replace("against a baseline", "baseline")


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
    """Return all tables as one, with one row per number of topics; for groups also the number of groups."""
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


def _effects(table: EffectTable, effect: str = MIN_DELTA.name) -> dict[str, list[float | None]]:
    columns: dict[str, list[float | None]] = {effect: list(table.effects)}
    for place, (alpha, beta) in enumerate(table.levels):
        columns[f"topics, alpha {alpha:g}, beta {beta:g}"] = [int(n) or None for n in table.topics[:, place]]
    return columns
