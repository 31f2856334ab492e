"""How many topics each method asks for, measure by measure: tables 1, 6 and 7 and figure 1 of Sakai 2016.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 6.2.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.designs import Design, TradeOff, confidence_interval, one_way_anova, paired_t, two_sample_t
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.results import Method, check_method
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    MIN_D,
    MIN_DELTA,
    N_SYSTEMS,
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
"""Numbers of systems that the ANOVA is compared for."""

EFFECTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
"""Rows of the table of effect sizes, minDelta in standard deviations of the difference."""

Levels = tuple[float, float]
"""alpha and beta."""


@dataclass(frozen=True)
class Planned:
    """What is planned: m, and by measure what is to be detected.

    A difference is in units of a measure, so that each measure has its own.

    Parameters
    ----------
    n_systems : int
        m of the ANOVA.
    differences : mapping of str to float
        minD by measure.
    widths : mapping of str to float
        Widest confidence interval allowed, by measure.
    """

    n_systems: int
    differences: Mapping[str, float]
    widths: Mapping[str, float]


@dataclass(frozen=True)
class ComparisonTable:
    """Required topics of one method for several differences (rows) and measures (columns).

    Attributes
    ----------
    method_label : str
        For example "one-way ANOVA, m = 2".
    levels : (float, float)
        alpha and beta.
    differences : tuple of float
        minD, or delta for an interval.
    measures : tuple of str
        In the order given.
    topics : (n_differences, n_measures) int array
        Required topics; 0 where there is no answer: the published ANOVA knows ten (alpha, beta), and
        nothing is searched beyond ten million topics.
    smallest : (n_differences, n_measures) bool array
        Whether a cell is the smallest of its row; ties are all marked.
    stands_in : (n_differences, n_measures) bool array
        Where the interval sheet of 2016 could not compute, so that, as in the paper, the ANOVA with
        m = 10 stands in. Always False for the exact method.
    planned : mapping of str to (float, int)
        By measure what is planned to be detected and the topics for it, 0 without an answer; empty where nothing
        is planned, and for other numbers of systems.
    """

    method_label: str
    levels: Levels
    differences: tuple[float, ...]
    measures: tuple[str, ...]
    topics: Integers
    smallest: NDArray[np.bool_]
    stands_in: NDArray[np.bool_]
    planned: Mapping[str, tuple[float, int]] = field(default_factory=dict)

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
        """Return the table as plain values for JSON."""
        planned = {
            measure: {"difference": difference, "required_topics": topics or None}
            for measure, (difference, topics) in self.planned.items()
        }
        return {
            "method_label": self.method_label,
            "alpha": self.levels[0],
            "beta": self.levels[1],
            "differences": list(self.differences),
            "required_topics": self.columns(),
            "anova_stands_in": self.stands_in.tolist(),
        } | ({"planned": planned} if planned else {})


@dataclass(frozen=True)
class MethodLine:
    """What one method detects with n topics at one variance: minD, or the width of an interval.

    Parameters
    ----------
    label : str
        What tells it from the others.
    n_topics : ndarray of int64, shape (n,)
        Topics, ascending.
    difference : ndarray of float64, shape (n,)
        minD that they detect or the expected width, in units of the measure.
    is_width : bool
        Whether it is a width.
    """

    label: str
    n_topics: Integers
    difference: Floats
    is_width: bool


@dataclass(frozen=True)
class _Entry:
    """A method to compare, and whether its variance is that of a paired difference."""

    label: str
    view: TradeOff
    is_paired: bool
    n_systems: int | None


def anova_label(n_systems: int) -> str:
    """Return what the table of an ANOVA is called.

    Parameters
    ----------
    n_systems : int
        m.
    """
    return f"one-way ANOVA, m = {n_systems}"


def _methods(alpha: float, beta: float, systems: Sequence[int]) -> tuple[_Entry, ...]:
    power = {"alpha": alpha, "beta": beta}
    methods: list[tuple[str, Design, dict[str, Any]]] = [
        ("paired t test", paired_t.DESIGN, power),
        ("two-sample t test", two_sample_t.DESIGN, power),
        *((anova_label(m), one_way_anova.DESIGN, power | {"n_systems": m}) for m in sorted(set(systems))),
    ]
    # Where the paper has it: between the ANOVA of two systems and that of ten.
    methods.insert(
        2 + (2 in systems), ("confidence interval, paired", confidence_interval.DESIGN, {"alpha": alpha})
    )
    return tuple(
        _Entry(label, design.view(**settled), design.is_paired, settled.get(N_SYSTEMS.name))
        for label, design, settled in methods
    )


def method_lines(
    within_system_variance: float,
    *,
    alpha: float,
    beta: float,
    systems: Sequence[int] = SYSTEMS,
    difference_variance: float | None = None,
) -> tuple[MethodLine, ...]:
    """Return what each method detects at one variance, for n from 10 to 2,000: figure 1 of [1].

    Parameters
    ----------
    within_system_variance : float
        sigma^2, in squared units of the measure, above 0.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    systems : sequence of int
        Numbers of systems of the ANOVA, each 2 to 1000.
    difference_variance : float, optional
        sigma_t^2 of paired designs; 2 sigma^2 where it is not given.

    Raises
    ------
    InputError
        If a value breaks its rule.
    NoSolution
        If ten topics detect no difference up to a thousand standard deviations.
    """
    within = WITHIN_SYSTEM_VARIANCE.check(within_system_variance)
    paired = difference_variance
    paired = conservative_difference_variance(within) if paired is None else DIFFERENCE_VARIANCE.check(paired)
    n = np.unique(np.geomspace(10, 2000, 80).round().astype(np.int64))
    lines = []
    for entry in _methods(alpha, beta, systems):
        difference = entry.view.difference(n, paired if entry.is_paired else within, "exact")
        lines.append(MethodLine(entry.label, n, difference, entry.view.kind == "width"))
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
    planned: Planned | None = None,
) -> tuple[ComparisonTable, ...]:
    """Return the tables of all methods.

    Parameters
    ----------
    variances : mapping of str to float
        Within-system variance by measure.
    alpha, beta : float
        Error probabilities.
    differences : sequence of float
        minD, and the widths of intervals.
    systems : sequence of int
        Numbers of systems of the ANOVA, each 2 to 1000.
    method : {"exact", "published"}
        As in the designs, but for the interval: its Gamma ratio was in the sheet of 2016, as far as
        that went, so both methods have it. (The sheet of 2018, which is the published method of the
        design itself, asks for one topic fewer in about one cell of a thousand.)
    difference_variances : mapping of str to float, optional
        sigma_t^2 of paired designs by measure; a measure without one has no answer there. Where it is not given it
        is 2 sigma^2, as in [1].
    planned : Planned, optional
        What is planned, to be answered besides.

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
    rows = np.array([MIN_D.check(difference) for difference in differences])[:, None]
    within = np.array([WITHIN_SYSTEM_VARIANCE.check(value) for value in variances.values()])[None, :]
    paired = np.array([[conservative_difference_variance(float(value)) for value in within[0]]])
    if difference_variances is not None:
        known = {one: DIFFERENCE_VARIANCE.check(value) for one, value in difference_variances.items()}
        paired = np.array([[known.get(measure, np.nan) for measure in variances]])
    tables = []
    for entry in _methods(alpha, beta, systems):
        is_width = entry.view.kind == "width"
        variance, how = paired if entry.is_paired else within, "exact" if is_width else method
        topics = _answer(entry.view, rows, variance, how)
        stands_in = np.zeros(topics.shape, dtype=np.bool_)
        if is_width and method == "published":
            stands_in = topics > LAST_TOPICS_OF_2016_SHEET
            substitute = one_way_anova.DESIGN.view(alpha=alpha, beta=beta, n_systems=STAND_IN_SYSTEMS)
            topics = np.where(stands_in, _answer(substitute, rows, within, method), topics)
        least = np.where(topics > 0, topics, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
        tables.append(
            ComparisonTable(
                entry.label,
                (alpha, beta),
                tuple(differences),
                tuple(variances),
                topics,
                topics == least,
                stands_in,
                _planned(entry, planned, tuple(variances), variance, method),
            )
        )
    return tuple(tables)


def _planned(
    entry: _Entry, planned: Planned | None, measures: Sequence[str], variances: Floats, method: Method
) -> dict[str, tuple[float, int]]:
    """Return what is planned with one method and the topics for it, by measure; as its own page does."""
    if planned is None or entry.n_systems not in (None, planned.n_systems):
        return {}
    wanted = planned.widths if entry.view.kind == "width" else planned.differences
    cells = [
        _answer(entry.view, np.array([[wanted[measure]]]), np.array([[variance]]), method)
        for measure, variance in zip(measures, variances[0], strict=True)
    ]
    found = zip(measures, cells, strict=True)
    return {measure: (wanted[measure], int(topics[0, 0])) for measure, topics in found}


def _answer(view: TradeOff, differences: Floats, variances: Floats, method: Method) -> Integers:
    """Return the required topics, all at once if that is possible; 0 in cells without an answer."""
    with suppress(InputError, NoSolution):
        return view.topics(differences, variances, method)
    cells = np.zeros(np.broadcast_shapes(differences.shape, variances.shape), dtype=np.int64)
    for row, difference in enumerate(differences[:, 0]):
        for column, variance in enumerate(variances[0]):
            with suppress(InputError, NoSolution):  # also for a variance that is not known
                cells[row, column] = int(view.topics(difference, variance, method))
    return cells


@dataclass(frozen=True)
class EffectTable:
    """Required topics of the paired t test by effect size, whatever the measure: table 1 of [1].

    Attributes
    ----------
    effects : tuple of float
        minDelta, in standard deviations of the difference.
    levels : tuple of (float, float)
        alpha and beta, a column each.
    topics : (n_effects, n_levels) int array
        Required topics; 0 beyond ten million.
    """

    effects: tuple[float, ...]
    levels: tuple[Levels, ...]
    topics: Integers


def effect_table(
    levels: Sequence[Levels], *, effects: Sequence[float] = EFFECTS, method: Method = "exact"
) -> EffectTable:
    """Return the required topics of the paired t test by effect size.

    Parameters
    ----------
    levels : sequence of (float, float)
        alpha and beta, 0 < alpha < 1 and 0 < beta < 1 - alpha.
    effects : sequence of float
        minDelta, above 0.
    method : {"exact", "published"}
        As of the design.

    Raises
    ------
    InputError
        If a value breaks its rule.
    """
    rows = np.array([MIN_DELTA.check(effect) for effect in effects])[:, None]
    for alpha, beta in levels:
        check_error_probabilities(alpha, beta)
    one = np.ones((1, 1))
    columns = [_answer(paired_t.DESIGN.view(alpha=a, beta=b), rows, one, method)[:, 0] for a, b in levels]
    return EffectTable(tuple(effects), tuple(levels), np.stack(columns, axis=1))


def spoken_of(tables: Sequence[ComparisonTable]) -> tuple[ComparisonTable, dict[str, tuple[float, int]]]:
    """Return the table that sentences are about, and by measure its difference and topics, where it has an answer.

    That is the ANOVA of what is planned, or else of ten systems at .10, if asked for.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        What `compare_designs` returned; of several levels the first ones speak.
    """
    anovas = [
        one for one in tables if one.levels == tables[0].levels and one.method_label.startswith("one-way")
    ]
    for table in anovas:
        if table.planned:
            return table, {measure: found for measure, found in table.planned.items() if found[1]}
    table = next((one for one in anovas if one.method_label == anova_label(STAND_IN_SYSTEMS)), anovas[0])
    asked = table.differences
    difference = SPOKEN_DIFFERENCE if SPOKEN_DIFFERENCE in asked else asked[0]
    topics = table.topics_by_measure(difference)
    return table, {measure: (difference, number) for measure, number in topics.items()}
