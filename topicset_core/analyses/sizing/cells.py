"""The cells of a comparison: one answer of the one plan per design and measure, and what it rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topicset_core.analyses.planning import Planned, PlanRequest, Source, Stated, Variance, planned
from topicset_core.analyses.planning.source import VARIANCES
from topicset_core.designs import (
    blocked_anova,
    paired_t,
    two_sample_t,
)
from topicset_core.designs.grouped import GROUP_SIZE, GROUP_SIZE_CV, INTRACLASS_CORRELATION
from topicset_core.designs.results import unit_of
from topicset_core.errors import InputError
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    MIN_D,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance.estimates import why_no_variance
from topicset_core.wording import counted

_OF_VARIANCE = {
    WITHIN_SYSTEM_VARIANCE: two_sample_t.DESIGN,
    RESIDUAL_VARIANCE: blocked_anova.DESIGN,
    DIFFERENCE_VARIANCE: paired_t.DESIGN,
}
"""The design by which a variance is taken from its source."""


@dataclass(frozen=True)
class Target:
    """The plan: m, and the difference to detect by measure, in the units of each."""

    n_systems: int  # m of the designs that take it
    differences: Mapping[str, float]  # minD by measure
    widths: Mapping[str, float]  # widest confidence interval allowed, by measure


@dataclass(frozen=True)
class StatedGroups:
    """Topics in groups, as somebody states them."""

    # Topics per group and coefficient of variation of them; as in the scores, if not stated
    size: int | None = None
    size_cv: float | None = None
    correlations: Mapping[str, float] = field(default_factory=dict)  # by the names of the variances

    def stated(self, variance: Parameter) -> dict[str, Any]:
        """Return what a request has of them."""
        sizes = {GROUP_SIZE.name: self.size, GROUP_SIZE_CV.name: self.size_cv}
        return sizes | {INTRACLASS_CORRELATION.name: self.correlations.get(variance.name)}


@dataclass(frozen=True, kw_only=True)
class Numbers(Source):
    """The variances of one measure as numbers, each with degrees of freedom of its own, as a link carries them."""

    of: Mapping[str, Stated]  # by the names of the variances

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources."""
        return "numbers", *((name, stated.key) for name, stated in self.of.items())

    @property
    def is_binary(self) -> bool:
        """Whether all scores were 0 or 1."""
        return any(stated.is_binary for stated in self.of.values())

    def variance(self, parameter: Parameter) -> Variance:
        """Return the stated variance."""
        if parameter.name not in self.of:
            raise InputError(parameter.name, None, "must be given")
        return self.of[parameter.name].variance(parameter)


Bases = Mapping[str, Mapping[str, Planned]]
"""A plan of each variance that a source gives, by measure and name of the variance."""


@dataclass(frozen=True)
class Cell:
    """The topics of one design with one measure."""

    difference: float
    topics: int  # or groups of them; 0 without an answer
    group_size: int = 0  # of groups
    plan: Planned | None = None  # of a planned difference, with an answer

    @property
    def n_topics(self) -> int:
        """Topics, also where groups of them are counted."""
        return self.topics * max(self.group_size, 1)

    @property
    def units(self) -> str:
        """What is counted, in words."""
        on_average = " on average" * bool(self.plan and self.plan.plan.size_cv)
        return f"groups of {counted(self.group_size, 'topic')}{on_average}" if self.group_size else "topics"

    @property
    def in_all(self) -> str:
        """The topics in all groups, as a sentence; "" where topics are counted."""
        return f"{self.n_topics:,} topics in all." if self.group_size and not self.is_guess else ""

    @property
    def counted(self) -> str:
        """The number with its noun and, where it is known, its interval."""
        return f"{self.topics:,} {self.units}" if self.plan is None else self.plan.counted

    @property
    def in_short(self) -> str:
        """The number with its interval, without the noun."""
        return f"{self.topics:,}" if self.plan is None else self.plan.in_short

    @property
    def is_guess(self) -> bool:
        """Whether the interval alone is the number."""
        return self.plan is not None and self.plan.is_guess

    @property
    def ends(self) -> tuple[int | None, int | None] | None:
        """The ends of the interval, None for no number of topics; None where the interval is not known."""
        uncertain = None if self.plan is None else self.plan.uncertain
        return None if uncertain is None else uncertain.topics_interval

    @property
    def in_words(self) -> tuple[str, str]:
        """The ends of the interval in words; the number where it is not known."""
        known = None if self.plan is None else self.plan.ends
        return (f"{self.topics:,}", f"{self.topics:,}") if known is None else known

    @property
    def by_pairs(self) -> dict[str, int]:
        """The topics by other estimates of a pair's variance, by the names of the estimates."""
        return {} if self.plan is None else {beside.name: beside.topics for beside in self.plan.pairs}

    def record(self) -> dict[str, Any]:
        """Return it for a record."""
        more: dict[str, Any] = {}
        if self.group_size:
            more = {"required_groups": self.topics or None, "group_size": self.group_size}
        if self.ends is not None:
            more[f"{unit_of(self.group_size)}s_interval"] = list(self.ends)
        if self.by_pairs:
            more["pairs"] = self.by_pairs
        return {"difference": self.difference, "required_topics": self.n_topics or None} | more


def bases_of(
    sources: Mapping[str, Source],
    groups: Mapping[str, StatedGroups],
    n_systems: int = int(N_SYSTEMS.default),
) -> Bases:
    """Return the plan of each variance that each source gives: value, degrees of freedom and groups."""
    if not sources:
        raise InputError("sources", {}, "must not be empty")
    return {
        measure: _basis(source, groups.get(measure, StatedGroups()), n_systems)
        for measure, source in sources.items()
    }


def _basis(source: Source, groups: StatedGroups, n_systems: int) -> dict[str, Planned]:
    result = {}
    for parameter in VARIANCES:
        try:
            value = parameter.check(source.variance(parameter).value)
        except InputError as error:
            is_wrong = error.parameter == parameter.name and error.value is not None
            if is_wrong and error.value == 0 and source.matrices:
                names = ", ".join(dict.fromkeys(one.name for one in source.matrices))
                rule = f"must have a variance above 0, but {why_no_variance(source.matrices)}"
                raise InputError("scores", names, rule) from None
            if parameter is WITHIN_SYSTEM_VARIANCE or is_wrong:
                raise
            continue  # the source does not give it, as a single run has no pairs
        design = _OF_VARIANCE[parameter]
        values = {one.name: one.default for one in design.parameters} | {MIN_D.name: value**0.5}
        values |= {N_SYSTEMS.name: n_systems} if N_SYSTEMS in design.parameters else {}
        request = PlanRequest.of(groups.stated(parameter), design=design, values=values)
        result[parameter.name] = planned(request, source)
    return result


def group_size_of(basis: Mapping[str, Planned]) -> int:
    """Return the topics per group of a measure; 0 where topics are independent."""
    return max(one.plan.group_size for one in basis.values())


def size_cv_of(basis: Mapping[str, Planned]) -> float:
    """Return the coefficient of variation of the topics per group of a measure."""
    return max(one.plan.size_cv for one in basis.values())
