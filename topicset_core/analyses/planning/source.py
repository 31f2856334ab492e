"""Where the variance of a plan is from: a stated number, a similar task, scores, or shares of topics.

A source gives a `Variance` for each variance that a design takes: its value, its interval where one is known, its
measure, and words. All designs on shared topics rest on the mean over pairs of systems, twice the residual variance
of two-way ANOVA, unless the user chooses another estimate; other estimates of the same scores go along by name.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from topicset_core.collection import ScoreMatrix
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError
from topicset_core.measures.ranges import check_in_range
from topicset_core.parameters import (
    DIFFERENCE_VARIANCE,
    EFFECTIVE_DF,
    N_SYSTEMS,
    RESIDUAL_VARIANCE,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    ESTIMATES,
    OFFERED,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    Estimate,
    Weights,
    pooled,
    pooled_interval,
    usual_estimate,
)
from topicset_core.variance.atlas import SIMILAR_RUNS, SIMILAR_TO, Runs, SimilarTask, combined, similar_task
from topicset_core.variance.choices import chosen_pair
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.variance.intervals import (
    VarianceInterval,
    chi_square_interval,
    coverage_of,
    coverage_of_similar,
)
from topicset_core.variance.literature import StatedVariance
from topicset_core.variance.pooling import largest_by_measure

VARIANCES = (WITHIN_SYSTEM_VARIANCE, RESIDUAL_VARIANCE, DIFFERENCE_VARIANCE)
"""The variances that designs take."""


@dataclass(frozen=True, kw_only=True)
class Variance:
    """A variance and all that its source tells about it.

    Parameters
    ----------
    parameter : Parameter
        Which variance it is.
    value : float
        In squared units of the measure.
    measure : str
        The measure; "" where it is not known.
    words : str
        Where it is from, for a reader.
    estimate : Estimate or None
        How it was taken from scores, or from the collections of a similar task.
    interval : VarianceInterval or None
        None where nobody stated its degrees of freedom.
    residual : float or None
        The two-way variance from the same source, of a one-way variance.
    others : mapping of str to float
        Other estimates from the same source, by the name of the estimate.
    matrices : tuple of ScoreMatrix
        The scores; none of other sources.
    weights : {"topics", "degrees-of-freedom"}
        How matrices were pooled.
    similar : SimilarTask or None
        The similar task, alone or together with scores.
    alone : (float, VarianceInterval) or None
        The same by scores alone, where a similar task is used together with them.
    """

    parameter: Parameter
    value: float
    measure: str
    words: str
    estimate: Estimate | None = None
    interval: VarianceInterval | None = None
    residual: float | None = None
    others: Mapping[str, float] = field(default_factory=dict)
    matrices: tuple[ScoreMatrix, ...] = ()
    weights: Weights = "topics"
    similar: SimilarTask | None = None
    alone: tuple[float, VarianceInterval] | None = None

    def check_range(self, parameter: Parameter, value: float) -> None:
        """Refuse a difference that scores cannot have, where their measure is known to range from 0 to 1."""
        if self.value <= _LARGEST_FROM_0_TO_1:
            check_in_range(parameter, value, self.measure, self.matrices)


_LARGEST_FROM_0_TO_1 = 1.0
"""No variance of differences of scores from 0 to 1 is larger, so one that is larger is of another scale."""


class Check(NamedTuple):
    """What a planned test did on scores, as a link carries it; it holds for this plan alone."""

    design: str  # its slug
    alpha: float  # nominal
    n_topics: int  # of the plan
    type_one: float  # Type I error of its test
    keeping_topics: int  # of the test that keeps alpha; 0 where the planned one does, or none was found


class Source(ABC):
    """Where a variance is from."""

    matrices: tuple[ScoreMatrix, ...] = ()

    @property
    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources, as plain values."""

    @abstractmethod
    def variance(self, parameter: Parameter) -> Variance:
        """Return a variance that a design takes; raises `InputError` where the source does not give it."""

    @property
    def is_binary(self) -> bool:
        """Whether all scores are 0 or 1."""
        return bool(self.matrices) and all(matrix.is_binary for matrix in self.matrices)

    @property
    def usual_systems(self) -> int:
        """How many systems are planned for, if the user does not say."""
        return usual_systems(self.matrices)


OfSimilar = Literal["", "alone", "with-scores"]
"""Whether a stated variance is that of a similar task, alone or together with scores."""


@dataclass(frozen=True, kw_only=True)
class Stated(Source):
    """Variances that somebody states, as numbers or in a link.

    Parameters
    ----------
    values : mapping of str to float
        By the names of their parameters. Without that of a difference, it is 2 sigma^2 (Sakai 2016, section 3.4).
    measure, words : str
        The measure, and where the numbers are from.
    effective_df : float, optional
        Degrees of freedom of the variance, which give its interval.
    estimate : Estimate, optional
        How it was taken from scores before.
    others : mapping of str to float
        Other estimates of these scores, by the name of the estimate.
    check : Check, optional
        What the planned test did on these scores.
    binary : bool
        Whether all of these scores were 0 or 1.
    similar : {"", "alone", "with-scores"}
        Whether the variance is that of a similar task, alone or together with scores.
    of_one : bool
        Whether it was the variance of one pair of runs, or of one run.
    """

    values: Mapping[str, float]
    measure: str = ""
    words: str = ""
    effective_df: float | None = None
    estimate: Estimate | None = None
    others: Mapping[str, float] = field(default_factory=dict)
    check: Check | None = None
    binary: bool = False
    similar: OfSimilar = ""
    of_one: bool = False

    def __post_init__(self) -> None:
        for parameter in VARIANCES:
            if self.values.get(parameter.name) is not None:
                parameter.check_given(self.values[parameter.name])
        if self.effective_df is not None:
            EFFECTIVE_DF.check(self.effective_df)

    @classmethod
    def in_paper(cls, stated: StatedVariance) -> "Stated":
        """Return a variance that a paper states."""
        words = f"stated in Sakai 2016, {stated.place}: {stated.task}"
        return cls(values={WITHIN_SYSTEM_VARIANCE.name: stated.variance}, measure=stated.measure, words=words)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources."""
        parts = (self.values, self.others)
        estimate = self.estimate and self.estimate.name
        return (
            "stated",
            *(tuple(part.items()) for part in parts),
            self.measure,
            self.words,
            self.effective_df,
            estimate,
            self.check,
            self.binary,
            self.similar,
            self.of_one,
        )

    @property
    def is_binary(self) -> bool:
        """Whether all scores were 0 or 1."""
        return self.binary

    def variance(self, parameter: Parameter) -> Variance:
        """Return the stated variance, or 2 sigma^2 for that of a difference."""
        words, value = self.words, self.values.get(parameter.name)
        within = self.values.get(WITHIN_SYSTEM_VARIANCE.name)
        if parameter is DIFFERENCE_VARIANCE and within is not None:
            if value is not None:
                rule = f"contradicts {WITHIN_SYSTEM_VARIANCE.option}; give one"
                raise InputError(parameter.name, value, rule)
            value = conservative_difference_variance(WITHIN_SYSTEM_VARIANCE.check(within))
            words = "; ".join(filter(None, (words, CONSERVATIVE_DIFFERENCE.label)))
        if value is None:
            raise InputError(parameter.name, None, "must be given")
        interval = None
        if self.effective_df is not None:
            interval = chi_square_interval(parameter.check(value), self.effective_df)
            if self.similar == "alone":
                interval = coverage_of_similar(interval)
            elif not self.similar:
                interval = coverage_of(interval, self.estimate, of_one=self.of_one)
        return Variance(
            parameter=parameter,
            value=value,
            measure=self.measure,
            words=words,
            estimate=self.estimate,
            interval=interval,
            residual=self.values.get(RESIDUAL_VARIANCE.name) if parameter is WITHIN_SYSTEM_VARIANCE else None,
            others=self.others,
        )


@dataclass(frozen=True, kw_only=True)
class Similar(Source):
    """A similar task of the atlas.

    Parameters
    ----------
    name : str
        Family and measure, as "dl-passage:nDCG@10".
    runs : {"all", "stronger-half"}
        Runs of the task whose variance is used.
    n_systems : int, optional
        Systems that are planned for, of which `planned` takes note: the fewer they are, the more their variance may
        differ. As many as a track has, if it is left out.
    """

    name: str
    runs: Runs = "all"
    n_systems: int | None = None

    def __post_init__(self) -> None:
        SIMILAR_RUNS.check(self.runs)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources."""
        return "similar", self.name, self.runs, self.n_systems

    def variance(self, parameter: Parameter) -> Variance:
        """Return the median of the collections of the task."""
        tasks = {
            variance: similar_task(self.name, variance, n_systems=self.n_systems, runs=self.runs)
            for variance in VARIANCES
        }
        task, residual = tasks[parameter], tasks[RESIDUAL_VARIANCE].median
        return Variance(
            parameter=parameter,
            value=task.median,
            measure=task.measure,
            words=task.source,
            estimate=task.estimate,
            interval=coverage_of_similar(chi_square_interval(task.median, task.effective_df)),
            residual=residual if parameter is WITHIN_SYSTEM_VARIANCE else None,
            others={task.estimate.name: task.median for task in tasks.values()},
            similar=task,
        )


@dataclass(frozen=True, kw_only=True)
class Scores(Source):
    """Scores of past systems.

    Parameters
    ----------
    matrices : tuple of ScoreMatrix
        One or more; of several measures the one that varies most is used (Sakai 2016, 6.1).
    estimates : mapping of str to Estimate
        How a variance is estimated, by the name of its parameter; the usual way where it is left out.
    weights : {"topics", "degrees-of-freedom"}
        How matrices of one measure are pooled.
    similar : str, optional
        A similar task that is used together with the scores, by its name. What it tells is about as many systems as
        the scores have.
    similar_runs : {"all", "stronger-half"}
        Runs of the similar task.
    described : callable, optional
        From a measure and its matrices to the words of the source.
    """

    matrices: tuple[ScoreMatrix, ...]
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    weights: Weights = "topics"
    similar: str = ""
    similar_runs: Runs = "all"
    described: Callable[[str, Sequence[ScoreMatrix]], str] | None = None
    _known: dict[str, Variance] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources."""
        estimates = tuple((name, estimate.label) for name, estimate in self.estimates.items())
        digests = tuple((matrix.digest, matrix.name, matrix.measure) for matrix in self.matrices)
        return "scores", digests, estimates, self.weights, self.similar, self.similar_runs

    def variance(self, parameter: Parameter) -> Variance:
        """Return the pooled estimate of the measure that varies most."""
        if parameter.name not in self._known:  # its interval leaves out each topic in turn
            self._known[parameter.name] = self._variance(parameter)
        return self._known[parameter.name]

    def offered(self, parameter: Parameter) -> tuple[Estimate, ...]:
        """Return the estimates of a variance that these scores allow: a single run has no pairs, two have one."""
        allowed = []
        one_pair = all(matrix.n_systems == 2 for matrix in self.matrices)
        for estimate in OFFERED[parameter]:
            if one_pair and estimate is PAIR_PERCENTILE:
                continue
            with suppress(InputError):
                largest_by_measure(self.matrices, estimate, self.weights)
                allowed.append(estimate)
        return tuple(allowed)

    def _variance(self, parameter: Parameter) -> Variance:
        task = None
        if self.similar:
            fewest = min(matrix.n_systems for matrix in self.matrices)
            task = similar_task(self.similar, parameter, n_systems=fewest, runs=self.similar_runs)
        estimate = self.estimates.get(parameter.name)
        if task is not None and estimate not in (None, task.estimate):
            rule = f"must be {task.estimate.name} next to {SIMILAR_TO.option}"
            raise InputError("estimate", estimate and estimate.name, rule)
        if estimate is None:
            estimate = usual_estimate(parameter, self.matrices) if task is None else task.estimate
        largest = largest_by_measure(self.matrices, estimate, self.weights)
        matrices = tuple(matrix for matrix in self.matrices if matrix.measure == largest.measure)
        interval = pooled_interval(matrices, estimate, self.weights)
        value, alone = largest.variance, None
        words = self._words(largest.measure, matrices, estimate)
        if task is not None:
            alone = value, interval
            value, df = combined(task.median, task.effective_df, value, interval.effective_df)
            interval, words = chi_square_interval(value, df), f"{words}, together with the {task.source}"
        others = self._others(matrices)
        return Variance(
            parameter=parameter,
            value=value,
            measure=largest.measure,
            words=words,
            estimate=estimate,
            interval=interval,
            residual=others.get(TWO_WAY.name) or None if estimate is ONE_WAY else None,
            others=others,
            matrices=matrices,
            weights=self.weights,
            similar=task,
            alone=alone,
        )

    def _others(self, matrices: Sequence[ScoreMatrix]) -> dict[str, float]:
        found = {}
        for estimate in ESTIMATES:
            with suppress(InputError):
                found[estimate.name] = pooled(matrices, estimate, self.weights)
        return found

    def _words(self, measure: str, matrices: Sequence[ScoreMatrix], estimate: Estimate) -> str:
        words = (self.described or described)(measure, matrices)
        if estimate.kind == "difference":
            words = f"{words}; {estimate.label}"
        if self.weights != "topics":
            words = f"{words}; pooled by degrees of freedom"
        measures = dict.fromkeys(matrix.measure for matrix in self.matrices)
        return f"{words}; the largest among {', '.join(measures)}" if len(measures) > 1 else words


@dataclass(frozen=True, kw_only=True)
class Shares(Source):
    """Shares of topics, for scores of 0 and 1: they give difference and variance together."""

    shares: tuple[float, ...]

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from all other sources."""
        return "shares", *self.shares

    def variance(self, parameter: Parameter) -> Variance:
        """Return a variance that the design replaces by that of its shares."""
        return Variance(
            parameter=parameter, value=0.0, measure=RIGHT, words="from shares of topics, typed in"
        )


def usual_systems(matrices: Sequence[ScoreMatrix]) -> int:
    """Return how many systems are planned for: as many as scores have, at most 10, and 10 without two."""
    usual = int(N_SYSTEMS.default)
    fewest = min((matrix.n_systems for matrix in matrices), default=usual)
    return usual if fewest < N_SYSTEMS.lower else min(usual, fewest)


def of_pair(first: str, second: str) -> Mapping[str, Estimate]:
    """Return the estimate from the difference of two named runs, as `Scores` takes it."""
    return {DIFFERENCE_VARIANCE.name: chosen_pair(first, second)}


def estimate_named(name: str) -> Estimate | None:
    """Return the estimate of this name; None where there is none that needs nothing but scores."""
    return next((estimate for estimate in ESTIMATES if estimate.name == name), None)


def size_of(matrix: ScoreMatrix) -> str:
    """Return the size of scores in words."""
    in_groups = f" in {len(matrix.group_sizes):,} groups" if matrix.groups else ""
    runs = "run" if matrix.n_systems == 1 else "runs"
    return f"{matrix.n_topics} topics{in_groups} × {matrix.n_systems} {runs}"


def described(measure: str, matrices: Sequence[ScoreMatrix]) -> str:
    """Return names, measure and size of scores, as the source of a variance."""
    if len(matrices) == 1:
        return f"{matrices[0].name}, {measure}, {size_of(matrices[0])}"
    return f"{measure}, pooled over {', '.join(matrix.name for matrix in matrices)}"
