"""How many topics each method asks for, measure by measure: tables 6 and 7 of Sakai 2016.

References
----------
.. [1] T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016), section 6.2.
   https://doi.org/10.1007/s10791-015-9273-z
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.designs import Design, TradeOff, confidence_interval, one_way_anova, paired_t, two_sample_t
from topicset_core.designs.interval_width import LAST_TOPICS_OF_2016_SHEET
from topicset_core.designs.results import Method, check_method
from topicset_core.designs.search import Floats, Integers
from topicset_core.errors import InputError
from topicset_core.parameters import MIN_D, WITHIN_SYSTEM_VARIANCE
from topicset_core.variance.difference import conservative_difference_variance

DIFFERENCES = (0.02, 0.05, 0.10, 0.15, 0.20, 0.25)
"""Rows of the tables, for measures from 0 to 1."""

STAND_IN_SYSTEMS = 10
"""m of the ANOVA that the paper put where its interval sheet stopped."""

SPOKEN_DIFFERENCE = 0.10
"""The row that sentences are about."""


@dataclass(frozen=True)
class ComparisonTable:
    """Required topics of one method for several differences (rows) and measures (columns).

    Attributes
    ----------
    method_label : str
        For example "one-way ANOVA, m = 2".
    differences : tuple of float
        minD, or delta for an interval.
    measures : tuple of str
        In the order given.
    topics : (n_differences, n_measures) int array
        Required topics.
    smallest : (n_differences, n_measures) bool array
        Whether a cell is the smallest of its row; ties are all marked.
    stands_in : (n_differences, n_measures) bool array
        Where the interval sheet of 2016 could not compute, so that, as in the paper, the ANOVA with
        m = 10 stands in. Always False for the exact method.
    """

    method_label: str
    differences: tuple[float, ...]
    measures: tuple[str, ...]
    topics: Integers
    smallest: NDArray[np.bool_]
    stands_in: NDArray[np.bool_]

    def topics_by_measure(self, difference: float) -> dict[str, int]:
        """Return the row of one of the differences."""
        row = self.topics[self.differences.index(difference)]
        return {measure: int(topics) for measure, topics in zip(self.measures, row, strict=True)}

    def columns(self) -> dict[str, list[int]]:
        """Return the required topics of each measure."""
        return {measure: self.topics[:, place].tolist() for place, measure in enumerate(self.measures)}

    def record(self) -> dict[str, Any]:
        """Return the table as plain values for JSON."""
        return {
            "method_label": self.method_label,
            "differences": list(self.differences),
            "required_topics": self.columns(),
            "anova_stands_in": self.stands_in.tolist(),
        }


@dataclass(frozen=True)
class MethodLine:
    """What one method settles with n topics at one variance: minD, or the width of an interval.

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


def _methods(alpha: float, beta: float) -> tuple[_Entry, ...]:
    power = {"alpha": alpha, "beta": beta}
    methods: tuple[tuple[str, Design, dict[str, float]], ...] = (
        ("paired t test", paired_t.DESIGN, power),
        ("two-sample t test", two_sample_t.DESIGN, power),
        ("one-way ANOVA, m = 2", one_way_anova.DESIGN, power | {"n_systems": 2}),
        ("confidence interval, paired", confidence_interval.DESIGN, {"alpha": alpha}),
        ("one-way ANOVA, m = 10", one_way_anova.DESIGN, power | {"n_systems": STAND_IN_SYSTEMS}),
        ("one-way ANOVA, m = 100", one_way_anova.DESIGN, power | {"n_systems": 100}),
    )
    return tuple(
        _Entry(label, design.view(**settled), design.is_paired) for label, design, settled in methods
    )


def method_lines(within_system_variance: float, *, alpha: float, beta: float) -> tuple[MethodLine, ...]:
    """Return what each method settles at one variance, for n from 10 to 2,000: figure 1 of [1].

    Parameters
    ----------
    within_system_variance : float
        sigma^2, in squared units of the measure, above 0; paired designs take twice that.
    alpha, beta : float
        Error probabilities, 0 < alpha < 1 and 0 < beta < 1 - alpha.

    Raises
    ------
    InputError
        If a value breaks its rule.
    NoSolution
        If ten topics settle no difference up to a thousand standard deviations.
    """
    within = WITHIN_SYSTEM_VARIANCE.check(within_system_variance)
    n = np.unique(np.geomspace(10, 2000, 80).round().astype(np.int64))
    lines = []
    for entry in _methods(alpha, beta):
        variance = conservative_difference_variance(within) if entry.is_paired else within
        difference = entry.view.difference(n, variance, "exact")
        lines.append(MethodLine(entry.label, n, difference, entry.view.kind == "width"))
    return tuple(lines)


def compare_designs(
    variances: Mapping[str, float],
    *,
    alpha: float,
    beta: float,
    differences: tuple[float, ...] = DIFFERENCES,
    method: Method = "exact",
) -> tuple[ComparisonTable, ...]:
    """Return the tables of all methods.

    Parameters
    ----------
    variances : mapping of str to float
        Within-system variance by measure; paired designs take twice that, as [1].
    alpha, beta : float
        Error probabilities.
    differences : tuple of float
        minD, and the widths of intervals.
    method : {"exact", "published"}
        As in the designs, but for the interval: its Gamma ratio was in the sheet of 2016, as far as
        that went, so both methods have it. (The sheet of 2018, which is the published method of the
        design itself, asks for one topic fewer in about one cell of a thousand.)

    Raises
    ------
    InputError
        If a value breaks its rule, or there is no measure or no difference.
    NoSolution
        If some cell needs more than ten million topics.
    """
    check_method(method)
    for name, given in (("variances", variances), ("differences", differences)):
        if not given:
            raise InputError(name, given, "must not be empty")
    rows = np.array([MIN_D.check(difference) for difference in differences])[:, None]
    within = np.array([WITHIN_SYSTEM_VARIANCE.check(value) for value in variances.values()])[None, :]
    paired = np.array([[conservative_difference_variance(float(value)) for value in within[0]]])
    tables = []
    for entry in _methods(alpha, beta):
        is_width = entry.view.kind == "width"
        topics = entry.view.topics(
            rows, paired if entry.is_paired else within, "exact" if is_width else method
        )
        stands_in = np.zeros(topics.shape, dtype=np.bool_)
        if is_width and method == "published":
            stands_in = topics > LAST_TOPICS_OF_2016_SHEET
            substitute = one_way_anova.DESIGN.view(alpha=alpha, beta=beta, n_systems=STAND_IN_SYSTEMS).topics(
                rows, within, method
            )
            topics = np.where(stands_in, substitute, topics)
        smallest = topics == topics.min(axis=1, keepdims=True)
        tables.append(
            ComparisonTable(entry.label, tuple(differences), tuple(variances), topics, smallest, stands_in)
        )
    return tuple(tables)


def spoken_of(tables: Sequence[ComparisonTable]) -> ComparisonTable:
    """Return the table that sentences are about: the ANOVA of ten systems.

    Parameters
    ----------
    tables : sequence of ComparisonTable
        What `compare_designs` returned.
    """
    return next(table for table in tables if table.method_label == f"one-way ANOVA, m = {STAND_IN_SYSTEMS}")
