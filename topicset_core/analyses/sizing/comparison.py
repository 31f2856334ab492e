"""How many topics each design asks for, measure by measure, as tables 1, 6 and 7 and figure 1 of Sakai 2016.

The designs are those of `designs.DESIGNS` but for those by a margin: one that is added there is compared without
further work. Where a measure has scores of 0 and 1 only, those of `designs.OF_SHARES` are next to them: McNemar's
exact test and the intervals of shares; again none by a margin. Variance, groups and interval are those of
`topicset_core.analyses.planning`; tables of other differences and systems count with the same variances, all at
once. A plan stands on one assumption: all systems share the topics, or each has its own.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 6.2.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.planning import PlanRequest, Source, planned
from topicset_core.analyses.planning.source import VARIANCES
from topicset_core.analyses.sizing.cells import (
    Bases,
    Cell,
    StatedGroups,
    Target,
    bases_of,
    group_size_of,
    size_cv_of,
)
from topicset_core.designs import (
    DESIGNS,
    IN_GROUPS,
    OF_SHARES,
    Design,
    Plan,
    blocked_anova,
    confidence_interval,
    design_named,
    mcnemar,
    one_way_anova,
    paired_t,
)
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.results import Method, check_method, unit_of
from topicset_core.designs.search import Floats, Integers, fewest_topics
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    check_error_probabilities,
)
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.variance.intervals import DEFAULT_LEVEL

DIFFERENCES = (0.02, 0.05, 0.10, 0.15, 0.20, 0.25)
"""Rows of the tables, for measures from 0 to 1."""

STAND_IN_SYSTEMS = 10
"""m of the ANOVA that the paper put where its interval sheet stopped."""

SPOKEN_DIFFERENCE = 0.10
"""The row that sentences are about, where it is asked for."""

SYSTEMS = (2, STAND_IN_SYSTEMS, 100)
"""Numbers of systems that designs are compared for."""

EFFECTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Rows of the table of effect sizes, minDelta in standard deviations of the difference."""

Levels = tuple[float, float]
"""alpha and beta."""


_LEVEL = f"{100 * DEFAULT_LEVEL:g} %"

NOT_IN_GROUPS = "McNemar's test and intervals of shares do not hold for topics in groups"
"""Why scores of 0 and 1 in groups have no answer by the designs for them."""


@dataclass(frozen=True)
class ComparisonTable:
    """Required topics of one method for several differences (rows) and measures (columns)."""

    method_label: str  # for example "one-way ANOVA, m = 2"
    slug: str  # of the design, as on the command line
    variance: str  # name of the variance that it takes
    n_systems: int | None  # m, of a design that takes it
    levels: Levels  # alpha and beta
    differences: tuple[float, ...]  # minD, or delta for an interval
    measures: tuple[str, ...]
    # All three (n_differences, n_measures): required topics; 0 where there is no answer, as the published ANOVA has
    # ten (alpha, beta), a measure may lack the variance or scores of 0 and 1, and the search ends at ten million
    topics: Integers
    smallest: NDArray[np.bool_]  # whether a cell is the smallest of its row; ties are all marked
    # Where the interval sheet of 2016 could not compute, so that, as in the paper, the ANOVA with m = 10 is in;
    # always False for the exact method
    stands_in: NDArray[np.bool_]
    # The plan by measure; empty where nothing is planned, for other numbers of systems, and for the other
    # assumption about topics
    planned: Mapping[str, Cell] = field(default_factory=dict)
    # Topics per group of measures whose numbers are of groups
    group_sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def design_label(self) -> str:
        """The design and its procedure, without m."""
        return self.method_label.removesuffix(f", m = {self.n_systems}")

    @property
    def is_width(self) -> bool:
        """Whether the differences are widths of an interval."""
        return not design_named(self.slug).has_power

    def heading(self, measure: str) -> str:
        """Return what a column with the numbers of a measure is called."""
        return f"{unit_of(self.group_sizes.get(measure, 0))}s, {measure}"

    def topics_by_measure(self, difference: float) -> dict[str, int]:
        """Return the row of one of the differences, without measures that have no answer."""
        row = self.topics[self.differences.index(difference)]
        return {measure: int(topics) for measure, topics in zip(self.measures, row, strict=True) if topics}

    def columns(self) -> dict[str, list[int | None]]:
        """Return the required topics of each measure; None where there is no answer."""
        return {
            measure: [int(topics) or None for topics in self.topics[:, place]]
            for place, measure in enumerate(self.measures)
        }

    def record(self) -> dict[str, Any]:
        """Return the table for a record."""
        columns, sizes = self.columns(), self.group_sizes
        topics = {
            measure: [n and n * sizes.get(measure, 1) for n in column] for measure, column in columns.items()
        }
        more: dict[str, Any] = {}
        if sizes:
            more["required_groups"] = {measure: columns[measure] for measure in sizes}
            more["group_size"] = sizes
        if self.planned:
            more["planned"] = {measure: cell.record() for measure, cell in self.planned.items()}
        return {
            "method_label": self.method_label,
            "alpha": self.levels[0],
            "beta": self.levels[1],
            "differences": self.differences,
            "required_topics": topics,
            "anova_stands_in": self.stands_in,
        } | more


@dataclass(frozen=True)
class MethodLine:
    """Detectable difference of one method with n topics at one variance: minD, or the width of an interval."""

    label: str  # what distinguishes it from the others
    n_topics: Integers  # (n,)
    difference: Floats  # (n,): minD that they detect or the expected width, in units of the measure
    is_width: bool


@dataclass(frozen=True)
class _Entry:
    """A design to compare, with all values but the difference and the variance."""

    plan: Plan
    words: tuple[str, ...]

    @property
    def n_systems(self) -> int | None:
        """m, of a design that takes it."""
        return self.plan.fixed.get(N_SYSTEMS.name)

    @property
    def label(self) -> str:
        """What its table is called."""
        m = self.n_systems
        return ", ".join([_named(self.plan.design), *self.words, *([] if m is None else [f"m = {m}"])])

    @property
    def variance(self) -> str:
        """Name of the variance that it is sized by."""
        return self.plan.variance_parameter.name

    @property
    def topics(self) -> str:
        """Whether the systems share the topics; "" of one system."""
        if len(self.plan.design.shares) == 1:
            return ""
        return "separate" if self.plan.variance_parameter is WITHIN_SYSTEM_VARIANCE else "shared"

    def required(self, difference: float, variance: float) -> int:
        """Return the exact topics as its own page has them; 0 where it refuses the values."""
        names = self.plan.design.difference_parameter.name, self.plan.variance_parameter.name
        with suppress(InputError, NoSolution):  # also for a variance that is not known
            return int(
                self.plan.with_(**dict(zip(names, (difference, variance), strict=True)))
                .required_topics()
                .required_topics
            )
        return 0

    def cell(
        self, difference: float, source: Source, *, groups: StatedGroups, size: int, method: Method
    ) -> Cell:
        """Return the topics as its own page has them."""
        design, variance = self.plan.design, self.plan.variance_parameter
        is_refused = bool(design.shares) and (bool(size) or not source.is_binary)
        with suppress(InputError, NoSolution):  # also for a variance that is not known
            if not is_refused:
                request = PlanRequest.of(
                    groups.stated(variance) if design in IN_GROUPS else {},
                    design=design,
                    values=self.plan.values | {design.difference_parameter.name: difference},
                    method=method,
                )
                plan = planned(request, source)
                # The interval has the number of topics, which its evidence takes as long again to find.
                topics = plan.topics if plan.uncertain is None else plan.uncertain.topics or 0
                return Cell(difference, topics, plan.plan.group_size, plan if topics else None)
        return Cell(difference, 0, size)


def _named(design: Design) -> str:
    first = design.name.partition(" ")[0]
    return design.name.replace(first, first.lower(), 1) if first == first.capitalize() else design.name


def anova_label(n_systems: int) -> str:
    """Return the name of the table of a one-way ANOVA."""
    return f"{_named(one_way_anova.DESIGN)}, m = {n_systems}"


def _entries(
    alpha: float,
    beta: float,
    systems: Sequence[int],
    *,
    known: Sequence[str],
    topics: str = "shared",
    is_binary: bool = False,
) -> tuple[_Entry, ...]:
    """Return the designs with a known variance, for each number of systems, procedure and, if asked, 0 and 1."""
    levels = {ALPHA: alpha, BETA: beta}
    results = []
    beside = OF_SHARES if is_binary else {}
    for design in [one for usual in DESIGNS for one in (beside.get(usual), usual) if one is not None]:
        if not design.is_compared:
            continue
        fixed = design.with_defaults({one.name: one.default for one in design.choices})
        fixed |= {TOPICS.name: topics} if TOPICS in design.choices else {}
        fixed |= {one.name: value for one, value in levels.items() if one in design.parameters}
        if design.variance_of(fixed).name not in known:
            continue
        takes_systems = N_SYSTEMS in design.parameters
        of_systems = [{N_SYSTEMS.name: m} for m in sorted(set(systems))] if takes_systems else [{}]
        procedures = [one for one in design.choices if one.name == "procedure"]
        by_words: list[tuple[tuple[str, ...], dict[str, str]]] = [
            ((words,), {one.name: word})
            for one in procedures
            for word, words in one.options.items()
            if word != "holm"  # for one pair its number is Bonferroni's
        ]
        decided = [one.options[fixed[one.name]] for one in design.choices if design.shares]
        usual = tuple(words.partition(",")[0] for words in decided)
        results += [
            _Entry(design.plan(**fixed | chosen | m), words)
            for words, chosen in by_words or [(usual, {})]
            for m in of_systems
        ]
    return tuple(results)


def method_lines(
    within_system_variance: float,
    *,
    alpha: float,
    beta: float,
    systems: Sequence[int] = SYSTEMS,
    difference_variance: float | None = None,
    is_binary: bool = False,
    size_cv: float = 0.0,
) -> tuple[MethodLine, ...]:
    """Return the detectable difference of each design at one variance, n from 10 to 2,000: figure 1 of [1]."""
    # Those of a residual variance are left out; `topics_by_systems` draws them. Those for scores of 0 and 1 begin
    # at the first n that detects a difference.
    within = WITHIN_SYSTEM_VARIANCE.check(within_system_variance)
    paired = difference_variance
    paired = conservative_difference_variance(within) if paired is None else DIFFERENCE_VARIANCE.check(paired)
    sizes = np.unique(np.geomspace(max(10, fewest_topics(size_cv)), 2000, 80).round().astype(np.int64))
    lines = []
    variances = {WITHIN_SYSTEM_VARIANCE.name: within, DIFFERENCE_VARIANCE.name: paired}
    for entry in _entries(alpha, beta, systems, known=list(variances), is_binary=is_binary):
        design, variance, n = entry.plan.design, variances[entry.variance], sizes
        plan = replace(entry.plan, size_cv=size_cv)
        while n.size:
            try:
                lines.append(MethodLine(entry.label, n, plan.detected(n, variance), not design.has_power))
                break
            except NoSolution:
                if not design.shares:
                    raise
                n = n[1:]
    return tuple(lines)


def compare_designs(
    sources: Mapping[str, Source],
    *,
    alpha: float,
    beta: float,
    differences: Sequence[float] = DIFFERENCES,
    systems: Sequence[int] = SYSTEMS,
    method: Method = "exact",
    topics: str = "shared",
    target: Target | None = None,
    groups: Mapping[str, StatedGroups] | None = None,
    bases: Bases | None = None,
) -> tuple[ComparisonTable, ...]:
    """Return the tables of all designs with a known variance.

    Parameters
    ----------
    sources : mapping of str to Source
        Where the variances of each measure are from.
    alpha, beta : float
        Error probabilities.
    differences : sequence of float
        minD, and the widths of intervals.
    systems : sequence of int
        Numbers of systems, each 2 to 1000.
    method : {"exact", "published"}
        As in the designs; the published one leaves out designs that the Excel tools do not have. But for the
        interval: its Gamma ratio was in the sheet of 2016, as far as
        that went, so both methods have it. (The sheet of 2018, which is the published method of the
        design itself, asks for one topic fewer in about one cell of a thousand.)
    topics : {"shared", "separate"}
        Whether all systems have the same topics, in multiple comparisons and in the plan.
    target : Target, optional
        The plan, answered in addition.
    groups : mapping of str to StatedGroups, optional
        Topics in groups, of measures where they are stated; else they are as in the scores.
    bases : mapping, optional
        What `bases_of` returns of these sources and groups, where it is known.

    Raises
    ------
    InputError
        If a value breaks its rule, or there is no measure, no difference or no number of systems.
    """
    check_method(method)
    check_error_probabilities(alpha, beta)
    for name, given in (("sources", sources), ("differences", differences), ("systems", systems)):
        if not given:
            raise InputError(name, given, "must not be empty")
    systems = [*systems, *([target.n_systems] if target else [])]
    for m in systems:
        N_SYSTEMS.check(m)
    TOPICS.check(topics)
    rows = np.array([MIN_D.check(difference) for difference in differences])[:, None]
    for source in sources.values():
        spread = source.variance(WITHIN_SYSTEM_VARIANCE)
        for difference in differences:
            spread.check_range(MIN_D, difference)
    bases = bases or bases_of(sources, groups or {})
    of: dict[str, Floats] = {
        one.name: np.array(
            [[basis[one.name].plan.variance if one.name in basis else np.nan for basis in bases.values()]]
        )
        for one in VARIANCES
    }
    known = [name for name, row in of.items() if not np.isnan(row).all()]
    sizes = {measure: size for measure in sources if (size := group_size_of(bases[measure]))}
    cvs = np.array([size_cv_of(basis) for basis in bases.values()])
    in_shares = [source.is_binary and measure not in sizes for measure, source in sources.items()]
    is_binary = any(source.is_binary for source in sources.values())
    tables = []
    for entry in _entries(alpha, beta, systems, known=known, topics=topics, is_binary=is_binary):
        design = entry.plan.design
        if method == "published" and not design.is_published:
            continue
        is_interval = design is confidence_interval.DESIGN
        variance = of[entry.variance]
        if design.shares:  # as their own page: it refuses what scores of 0 and 1 cannot have
            variance = np.where(in_shares, variance, np.nan)
            cells_of = [[entry.required(*one) for one in product(row, variance[0])] for row in rows]
            needed_topics = np.array(cells_of, dtype=np.int64)
        else:
            needed_topics = _answers(entry.plan, rows, variance, "exact" if is_interval else method, cvs)
        stands_in = np.zeros(needed_topics.shape, dtype=np.bool_)
        if is_interval and method == "published":
            stands_in = needed_topics > LAST_TOPICS_OF_2016_SHEET
            substitute = one_way_anova.DESIGN.plan(alpha=alpha, beta=beta, n_systems=STAND_IN_SYSTEMS)
            within = of[WITHIN_SYSTEM_VARIANCE.name]
            needed_topics = np.where(
                stands_in, _answers(substitute, rows, within, method, cvs), needed_topics
            )
        least = np.where(needed_topics > 0, needed_topics, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
        cells = {}
        if target and entry.topics in (topics, "") and entry.n_systems in (None, target.n_systems):
            by_measure = target.differences if design.has_power else target.widths
            for measure, source in sources.items():
                stated = (groups or {}).get(measure, StatedGroups())
                cells[measure] = entry.cell(
                    by_measure[measure], source, groups=stated, size=sizes.get(measure, 0), method=method
                )
        tables.append(
            ComparisonTable(
                method_label=entry.label,
                slug=design.slug,
                variance=entry.variance,
                n_systems=entry.n_systems,
                levels=(alpha, beta),
                differences=tuple(differences),
                measures=tuple(sources),
                topics=needed_topics,
                smallest=needed_topics == least,
                stands_in=stands_in,
                planned=cells,
                group_sizes=sizes,
            )
        )
    return tuple(tables)


def _answers(plan: Plan, differences: Floats, variances: Floats, method: Method, cvs: Floats) -> Integers:
    """Return the required topics, or groups of sizes that vary differently from measure to measure."""
    result = np.zeros((len(differences), variances.size), dtype=np.int64)
    for cv in np.unique(cvs).tolist():
        result[:, cvs == cv] = _answer(
            replace(plan, size_cv=cv), differences, variances[:, cvs == cv], method
        )
    return result


def _answer(plan: Plan, differences: Floats, variances: Floats, method: Method) -> Integers:
    """Return the required topics, all at once if that is possible; 0 in cells without an answer."""
    if not differences.size:
        return np.zeros((0, variances.size), dtype=np.int64)
    plan = replace(plan, method=method)
    with suppress(InputError, NoSolution):
        return plan.topics(differences, variances)
    cells = np.zeros(np.broadcast_shapes(differences.shape, variances.shape), dtype=np.int64)
    for row, difference in enumerate(differences[:, 0]):
        for column, variance in enumerate(variances[0]):
            with suppress(InputError, NoSolution):  # also for a variance that is not known
                cells[row, column] = int(plan.topics(difference, variance))
    return cells


@dataclass(frozen=True)
class EffectTable:
    """Required topics of the paired t test by effect size, for any measure: table 1 of [1]."""

    effects: tuple[float, ...]  # minDelta, in standard deviations of the difference
    levels: tuple[Levels, ...]  # alpha and beta, a column each
    topics: Integers


def effect_table(
    levels: Sequence[Levels], *, effects: Sequence[float] = EFFECTS, method: Method = "exact"
) -> EffectTable:
    """Return the required topics of the paired t test by effect size."""
    rows = np.array([MIN_DELTA.check(effect) for effect in effects])[:, None]
    for alpha, beta in levels:
        check_error_probabilities(alpha, beta)
    one = np.ones((1, 1))
    columns = [_answer(paired_t.DESIGN.plan(alpha=a, beta=b), rows, one, method)[:, 0] for a, b in levels]
    return EffectTable(tuple(effects), tuple(levels), np.stack(columns, axis=1))


def spoken_of(tables: Sequence[ComparisonTable]) -> tuple[ComparisonTable, dict[str, Cell]]:
    """Return the table that sentences are about, and its cells with an answer by measure."""
    # The planned ANOVA, or else the one-way ANOVA of ten systems at .10, if requested.
    anovas = [
        one
        for one in tables
        if one.levels == tables[0].levels
        and one.slug in (one_way_anova.DESIGN.slug, blocked_anova.DESIGN.slug)
    ]
    for table in anovas:
        if table.planned:
            return table, {measure: cell for measure, cell in table.planned.items() if cell.topics}
    table = next((one for one in anovas if one.method_label == anova_label(STAND_IN_SYSTEMS)), anovas[0])
    requested = table.differences
    difference = SPOKEN_DIFFERENCE if SPOKEN_DIFFERENCE in requested else requested[0]
    return table, {
        measure: Cell(difference, n, table.group_sizes.get(measure, 0))
        for measure, n in table.topics_by_measure(difference).items()
    }


def designs_planned(tables: Sequence[ComparisonTable], of: str) -> dict[str, tuple[ComparisonTable, Cell]]:
    """Return the plan for one measure: table and cell by the label of the design."""
    return {
        table.design_label: (table, table.planned[of])
        for table in tables
        if table.levels == tables[0].levels and table.planned and table.planned[of].topics
    }


def designs_sentence(tables: Sequence[ComparisonTable], of: str) -> tuple[str, str, str]:
    """Return the heading of the designs, the sentence which design needs which topics, and what to know of it."""
    tests = {label: one for label, one in designs_planned(tables, of).items() if not one[0].is_width}
    cells = {label: cell for label, (_, cell) in tests.items()}
    if not cells:
        return (
            "No number of topics",
            "",
            f"With {of} no test has an answer: more than ten million topics, or not in the published tables.",
        )
    alpha, beta = tables[0].levels
    m = next((table.n_systems for table in tables if table.planned and table.n_systems), None)
    systems = "" if m is None else f", m = {m} systems"
    is_shared = all(table.variance != WITHIN_SYSTEM_VARIANCE.name for table, _ in tests.values())
    systems += ", topics shared" if is_shared else ", separate topics"
    fewest, most = (end(cells, key=lambda label: cells[label].topics) for end in (min, max))
    least, largest = cells[fewest], cells[most]
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
    more: list[str] = []
    if any(cell.ends is not None for cell in cells.values()):
        more.append(f"{'Ranges are' if least.is_guess else 'In brackets:'} {_LEVEL} confidence intervals.")
    slugs = {table.slug: cell for table, cell in reversed(tests.values())}
    exact, paired = (slugs.get(one.DESIGN.slug) for one in (mcnemar, paired_t))
    if exact and paired:
        more.append(
            f"Scores of {of} are 0 or 1: McNemar's exact test keeps this power from {exact.counted} on, and the "
            f"paired t test asks for {paired.in_short}."
        )
    if any(table.slug == mcnemar.DESIGN.slug and of in table.group_sizes for table in tables):
        more.append(f"{NOT_IN_GROUPS}.")
    return heading, sentence, " ".join(more)
