"""How many topics each design asks for, measure by measure, as tables 1, 6 and 7 and figure 1 of Sakai 2016.

The designs are those of `designs.DESIGNS` but for those by a margin: one that is added there is compared without
further work. Where a measure has scores of 0 and 1 only, those of `designs.OF_SHARES` are next to them: McNemar's
exact test and the intervals of shares; again none by a margin. A plan stands on one assumption: all systems share
the topics, or each has its own. On shared topics the paired t test is also sized by 2 sigma_e^2, the mean over
pairs that tests of m systems take: at one variance of a pair, a test of one pair never needs more topics than a
corrected test of several.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 6.2.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.designs import (
    DESIGNS,
    OF_SHARES,
    Design,
    Plan,
    blocked_anova,
    confidence_interval,
    design_named,
    one_way_anova,
    paired_t,
)
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.results import Method, check_method
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
    check_error_probabilities,
)
from topicset_core.variance.estimates import conservative_difference_variance

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


@dataclass(frozen=True)
class Planned:
    """The plan: m, and the difference to detect by measure, in the units of each."""

    n_systems: int  # m of the designs that take it
    differences: Mapping[str, float]  # minD by measure
    widths: Mapping[str, float]  # widest confidence interval allowed, by measure


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
    # Planned difference and its topics by measure, 0 without an answer; empty where nothing is planned, for other
    # numbers of systems, and for the other assumption about topics
    planned: Mapping[str, tuple[float, int]] = field(default_factory=dict)

    @property
    def design_label(self) -> str:
        """The design and its procedure, without m."""
        return self.method_label.removesuffix(f", m = {self.n_systems}")

    @property
    def is_width(self) -> bool:
        """Whether the differences are widths of an interval."""
        return not design_named(self.slug).has_power

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
        planned = {
            measure: {"difference": difference, "required_topics": topics or None}
            for measure, (difference, topics) in self.planned.items()
        }
        return {
            "method_label": self.method_label,
            "alpha": self.levels[0],
            "beta": self.levels[1],
            "differences": self.differences,
            "required_topics": self.columns(),
            "anova_stands_in": self.stands_in,
        } | ({"planned": planned} if planned else {})


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
    of_mean_pair: bool = False

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
        return RESIDUAL_VARIANCE.name if self.of_mean_pair else self.plan.variance_parameter.name

    @property
    def topics(self) -> str:
        """Whether the systems share the topics; "" of one system."""
        if len(self.plan.design.shares) == 1:
            return ""
        return "separate" if self.plan.variance_parameter is WITHIN_SYSTEM_VARIANCE else "shared"

    def required(self, difference: float, variance: float, method: Method) -> int:
        """Return the required topics as its own page has them; 0 without an answer."""
        names = self.plan.design.difference_parameter.name, self.plan.variance_parameter.name
        with suppress(InputError, NoSolution):  # also for a variance that is not known
            plan = self.plan.with_(**dict(zip(names, (difference, variance), strict=True)))
            return int(replace(plan, method=method).required_topics().required_topics)
        return 0


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
        if design is paired_t.DESIGN and RESIDUAL_VARIANCE.name in known:
            results.append(_Entry(design.plan(**fixed), ("mean pair",), of_mean_pair=True))
    return tuple(results)


def method_lines(
    within_system_variance: float,
    *,
    alpha: float,
    beta: float,
    systems: Sequence[int] = SYSTEMS,
    difference_variance: float | None = None,
    is_binary: bool = False,
) -> tuple[MethodLine, ...]:
    """Return the detectable difference of each design at one variance, n from 10 to 2,000: figure 1 of [1]."""
    # Those of a residual variance are left out; `topics_by_systems` draws them. Those for scores of 0 and 1 begin
    # at the first n that detects a difference.
    within = WITHIN_SYSTEM_VARIANCE.check(within_system_variance)
    paired = difference_variance
    paired = conservative_difference_variance(within) if paired is None else DIFFERENCE_VARIANCE.check(paired)
    sizes = np.unique(np.geomspace(10, 2000, 80).round().astype(np.int64))
    lines = []
    variances = {WITHIN_SYSTEM_VARIANCE.name: within, DIFFERENCE_VARIANCE.name: paired}
    for entry in _entries(alpha, beta, systems, known=list(variances), is_binary=is_binary):
        design, variance, n = entry.plan.design, variances[entry.variance], sizes
        while n.size:
            try:
                lines.append(
                    MethodLine(entry.label, n, entry.plan.detected(n, variance), not design.has_power)
                )
                break
            except NoSolution:
                if not design.shares:
                    raise
                n = n[1:]
    return tuple(lines)


def compare_designs(
    variances: Mapping[str, float],
    *,
    alpha: float,
    beta: float,
    differences: Sequence[float] = DIFFERENCES,
    systems: Sequence[int] = SYSTEMS,
    method: Method = "exact",
    difference_variances: Mapping[str, float] | None = None,
    residual_variances: Mapping[str, float] | None = None,
    topics: str = "shared",
    planned: Planned | None = None,
    binary: Collection[str] = (),
) -> tuple[ComparisonTable, ...]:
    """Return the tables of all designs with a known variance.

    Parameters
    ----------
    variances : mapping of str to float
        Within-system variance by measure.
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
    difference_variances : mapping of str to float, optional
        sigma_t^2 of paired designs by measure; a measure without one has no answer there. Where it is not given it
        is 2 sigma^2, as in [1].
    residual_variances : mapping of str to float, optional
        sigma_e^2 of shared topics by measure; without any, designs that take it are left out.
    topics : {"shared", "separate"}
        Whether all systems have the same topics, in multiple comparisons and in the plan.
    planned : Planned, optional
        The plan, answered in addition.
    binary : collection of str
        Measures whose scores are all 0 or 1: they are also compared by McNemar's exact test and by intervals of
        shares, where other measures have no answer.

    Raises
    ------
    InputError
        If a value breaks its rule, or there is no measure, no difference or no number of systems.
    """
    check_method(method)
    check_error_probabilities(alpha, beta)
    for name, given in (("variances", variances), ("differences", differences), ("systems", systems)):
        if not given:
            raise InputError(name, given, "must not be empty")
    systems = [*systems, *([planned.n_systems] if planned else [])]
    for m in systems:
        N_SYSTEMS.check(m)
    TOPICS.check(topics)
    rows = np.array([MIN_D.check(difference) for difference in differences])[:, None]
    within = np.array([WITHIN_SYSTEM_VARIANCE.check(value) for value in variances.values()])[None, :]
    of = {
        WITHIN_SYSTEM_VARIANCE.name: within,
        DIFFERENCE_VARIANCE.name: np.array(
            [[conservative_difference_variance(float(value)) for value in within[0]]]
        ),
    }
    for parameter, own in (
        (DIFFERENCE_VARIANCE, difference_variances),
        (RESIDUAL_VARIANCE, residual_variances or None),
    ):
        if own is not None:
            known = {measure: parameter.check(value) for measure, value in own.items()}
            of[parameter.name] = np.array([[known.get(measure, np.nan) for measure in variances]])
    tables = []
    in_binary = np.array([[measure in binary for measure in variances]])
    for entry in _entries(
        alpha, beta, systems, known=list(of), topics=topics, is_binary=bool(in_binary.any())
    ):
        if method == "published" and not entry.plan.design.is_published:
            continue
        is_interval = entry.plan.design is confidence_interval.DESIGN
        variance = (2 if entry.of_mean_pair else 1) * of[entry.variance]
        if entry.plan.design.shares:  # as their own page: it refuses what scores of 0 and 1 cannot have
            variance = np.where(in_binary, variance, np.nan)
            cells = [[entry.required(*one, method) for one in product(row, variance[0])] for row in rows]
            needed_topics = np.array(cells, dtype=np.int64)
        else:
            needed_topics = _answer(entry.plan, rows, variance, "exact" if is_interval else method)
        stands_in = np.zeros(needed_topics.shape, dtype=np.bool_)
        if is_interval and method == "published":
            stands_in = needed_topics > LAST_TOPICS_OF_2016_SHEET
            substitute = one_way_anova.DESIGN.plan(alpha=alpha, beta=beta, n_systems=STAND_IN_SYSTEMS)
            needed_topics = np.where(stands_in, _answer(substitute, rows, within, method), needed_topics)
        least = np.where(needed_topics > 0, needed_topics, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
        tables.append(
            ComparisonTable(
                entry.label,
                entry.plan.design.slug,
                entry.variance,
                entry.n_systems,
                (alpha, beta),
                tuple(differences),
                tuple(variances),
                needed_topics,
                needed_topics == least,
                stands_in,
                _planned(
                    entry,
                    planned if entry.topics in (topics, "") else None,
                    tuple(variances),
                    variance,
                    method,
                ),
            )
        )
    return tuple(tables)


def _planned(
    entry: _Entry, planned: Planned | None, measures: Sequence[str], variances: Floats, method: Method
) -> dict[str, tuple[float, int]]:
    """Return the planned difference with one design and its topics, by measure; as its own page does."""
    if planned is None or entry.n_systems not in (None, planned.n_systems):
        return {}
    by_measure = planned.differences if entry.plan.design.has_power else planned.widths
    return {
        measure: (by_measure[measure], entry.required(by_measure[measure], float(variance), method))
        for measure, variance in zip(measures, variances[0], strict=True)
    }


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


def spoken_of(tables: Sequence[ComparisonTable]) -> tuple[ComparisonTable, dict[str, tuple[float, int]]]:
    """Return the table that sentences are about, and by measure its difference and topics, if any."""
    # The planned ANOVA, or else the one-way ANOVA of ten systems at .10, if requested.
    anovas = [
        one
        for one in tables
        if one.levels == tables[0].levels
        and one.slug in (one_way_anova.DESIGN.slug, blocked_anova.DESIGN.slug)
    ]
    for table in anovas:
        if table.planned:
            return table, {measure: result for measure, result in table.planned.items() if result[1]}
    table = next((one for one in anovas if one.method_label == anova_label(STAND_IN_SYSTEMS)), anovas[0])
    requested = table.differences
    difference = SPOKEN_DIFFERENCE if SPOKEN_DIFFERENCE in requested else requested[0]
    topics = table.topics_by_measure(difference)
    return table, {measure: (difference, number) for measure, number in topics.items()}
