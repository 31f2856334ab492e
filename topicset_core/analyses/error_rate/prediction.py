"""Error rates at any difference and any number of topics, also more than the matrix has.

The question is a user's: two systems were compared on n topics and found d apart; how often would n
other topics reverse them? Averaged over all pairs of runs, given the observed
difference d, with true differences delta and normal mean differences (see `theory`):

    sum over pairs, of both signs of delta, of phi((d - delta) / s) / s  Phi(-delta / s)
    ------------------------------------------------------------------------------------
    sum over pairs, of both signs of delta, of phi((d - delta) / s) / s

with s the standard deviation of the pair's mean difference on n topics. The deflated differences of the
matrix replace the true ones, so the rate can be carried to more topics than there are.

The interval comes from the topics: each of up to 50 groups of them is left out once (delete-a-
group jackknife), on the scale log(rate / (.5 - rate)) that keeps it between 0 and .5. One factor
deflates all pairs and follows the large differences, so the estimate is too low on average; the jackknife
sees this, but correcting the estimate costs more variance than it is worth. So the interval contains
both, c being the corrected value:

    min(estimate, c) - t se  to  max(estimate, c) + t se.

Where runs are close, the spread of their true differences is uncertain itself, and it may seem to be 0. So the
interval contains also the rates at the 90 % limits of this spread: theta from F / F_.95 - 1, or 0, to
F / F_.05 - 1, with m - 1 and (m - 1)(n - 1) degrees of freedom (`theory.Pairs.differences_at`), as if runs were
drawn from a normal distribution. For six close systems of three shapes and 10 to 50 topics this held the truth in
.88 to .95 of samples, where the jackknife alone did in .45 to .87.

The topics for a tolerated rate have the interval of those numbers whose own interval holds that rate:
with the most of them even the upper end is as low. Neither shows what other runs would change.

How often they hold the truth: docs/statements.md.

How good it is: `check_extrapolation` predicts from a part of the topics and checks the rest. From 50 of the
249 topics of Robust 2004 (24 cuts, sets of 99) predicted rates of the first seven bins were unbiased
and several times closer to the rates of the rest than fitted exponentials; nominal 90 % intervals that
allow for the error of both held 79 to 83 % of them. From 50 of the 1,153 topics of the Million Query
track of 2007 (60 cuts, sets of 551) they held 87 to 100 % of the first four bins.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.experiment import Floats, error_rates, exponential_fits
from topicset_core.analyses.error_rate.theory import Pairs, conditional_rates, pairs_of, pairs_of_scores
from topicset_core.analyses.score_variance.uncertainty import VarianceUncertainty, variance_uncertainty
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.distributions import normal_cdf
from topicset_core.designs.error_rate import DESIGN, SET_SIZE
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.records import attributes
from topicset_core.parameters import MAX_ERROR, MIN_D, MOST_TOPICS, SEED
from topicset_core.progress import ReportProgress, silently
from topicset_core.variance import MEAN_PAIR_DIFFERENCE
from topicset_core.wording import in_units

LEVEL = 0.90
"""Share of intervals that should contain the true value, if not stated; their coverage was measured at it."""

MOST_GROUPS = 50
"""Groups of topics that are left out one by one; with fewer topics, each alone."""

FEWEST_TO_CUT = 12
"""With fewer, neither part has enough evidence."""

_FEWEST_FOR_INTERVAL = 4  # topics: with a group left out, a variance needs two more

INTERVAL_COVERS, TOPICS_COVERS = (0.78, 0.99), (0.82, 0.99)
"""Least and most coverage of intervals of the rate and of the required topics, measured: docs/statements.md."""


def interval_note(unit: str = "topic") -> str:
    """Return what pages and the command line say of all intervals here."""
    rate, topics = (f"{100 * low:g} to {100 * high:g} %" for low, high in (INTERVAL_COVERS, TOPICS_COVERS))
    text = (
        f"In simulations with 10 to 50 topics, {100 * LEVEL:g} % intervals contained the true rate in {rate} "
        f"of cases, and the required topics in {topics}."
    )
    return in_units(text, unit)


_DIFFERENCES, _SIZES = 40, 28  # of the map


@dataclass(frozen=True, kw_only=True)
class Interval:
    """A value and the interval for it; equal ends where topics do not matter."""

    value: float
    low: float
    high: float
    level: float  # share of such intervals that should contain the true value

    @property
    def words(self) -> str:
        """The interval in per cent, with its level."""
        return f"{100 * self.level:g} % interval {self.ends}"

    @property
    def ends(self) -> str:
        """The interval in per cent."""
        low, high = percent(self.low), percent(self.high)
        return high if low == high else f"{low.removesuffix(' %')} to {high}"


class TopicsInterval(NamedTuple):
    """The interval of a number of topics; `high` is None where no number is enough for certain."""

    low: int
    high: int | None


def stretched(rates: Floats) -> Floats:
    """Map rates from 0 to .5 onto the whole line."""
    inside = np.clip(rates, 1e-300, 0.5 - 1e-12)
    return np.asarray(np.log(inside / (0.5 - inside)))


def jackknife_error(answers: Floats) -> Any:
    """Return the standard error from an answer without each group, along the first axis."""
    n_groups = len(answers)
    return np.sqrt((n_groups - 1) / n_groups * np.sum(np.square(answers - answers.mean(axis=0)), axis=0))


def critical_t(n_groups: int, level: float) -> float:
    """Return how many standard errors an interval reaches to either side."""
    from scipy import special

    return float(special.stdtrit(n_groups - 1, (1 + level) / 2))


def interval_of(rate: float, without: Floats, *others: float, level: float) -> Interval:
    """Return the interval of a rate from the rates without each group, (n_groups,); it contains the `others`."""
    n_groups, answers = len(without), stretched(without)
    middle = float(stretched(np.array(rate)))
    corrected = n_groups * middle - (n_groups - 1) * float(answers.mean())
    reach = critical_t(n_groups, level) * float(jackknife_error(answers))
    ends = min(middle, corrected) - reach, max(middle, corrected) + reach
    low, high = (0.5 / (1 + math.exp(min(-end, 700.0))) for end in ends)
    return Interval(value=rate, low=min(low, rate, *others), high=max(high, rate, *others), level=level)


@dataclass(frozen=True, eq=False)
class Predictor:
    """Error rates of one matrix at any difference and number of topics."""

    matrix: ScoreMatrix  # at least 2 runs that are not identical
    level: float = LEVEL  # of intervals

    def __post_init__(self) -> None:
        _ = self.pairs  # refuses here

    @cached_property
    def pairs(self) -> Pairs:
        """Moments of all pairs, from all topics."""
        return pairs_of(self.matrix)

    @cached_property
    def left_out(self) -> tuple[tuple[NDArray[np.bool_], Pairs], ...]:
        """Topics kept and moments without each group of topics; nothing where there are too few topics."""
        n_topics = self.matrix.n_topics
        n_groups = min(n_topics, MOST_GROUPS)
        if n_topics < _FEWEST_FOR_INTERVAL:
            return ()
        group = np.arange(n_topics) % n_groups
        results = []
        for one in range(n_groups):
            try:
                results.append((group != one, pairs_of_scores(self.matrix.scores[group != one])))
            except InputError:  # runs that differ on these topics only: no interval
                return ()
        return tuple(results)

    @cached_property
    def limits_of_spread(self) -> tuple[Floats, Floats]:
        """The differences of all pairs if the true ones spread as widely, and as little, as the topics allow."""
        from scipy import special

        runs, topics = self.matrix.n_systems - 1, self.pairs.n_topics - 1
        wide, narrow = special.fdtri(
            runs, runs * topics, [(1 - self.level) / 2, (1 + self.level) / 2]
        ).tolist()
        return self.pairs.differences_at(wide), self.pairs.differences_at(narrow)

    def at(self, level: float) -> "Predictor":
        """Return it with intervals of another level; what does not depend on the level is kept."""
        result = replace(self, level=level)
        result.__dict__.update(pairs=self.pairs, left_out=self.left_out)
        return result

    def error(self, difference: float, n_topics: float) -> float:
        """Return how often n topics are contradicted that found two runs `difference` apart, 0 to .5."""
        MIN_D.check(difference)
        _check_size(n_topics)
        return float(_rates(self.pairs, np.array([difference]), n_topics)[0])

    def errors(self, differences: Floats, n_topics: float) -> Floats:
        """Return the error rate for each of `differences`, all above 0, shape (k,)."""
        _check_size(n_topics)
        return _rates(self.pairs, differences, n_topics)

    def bins(self, n_topics: float) -> Floats:
        """Return the error rate of each of the 21 bins of the experiment; NaN where no pair is expected."""
        _check_size(n_topics)
        return _bins(self.pairs, n_topics)

    def error_interval(self, difference: float, n_topics: float) -> Interval | None:
        """Return the error rate with its interval; None with fewer than 4 topics."""
        value = self.error(difference, n_topics)
        without = self._without(lambda pairs: _rates(pairs, np.array([difference]), n_topics))
        if without is None:
            return None
        seen = np.array([difference])
        others = (float(_rates(self.pairs, seen, n_topics, true)[0]) for true in self.limits_of_spread)
        return interval_of(value, without[:, 0], *others, level=self.level)

    def bin_intervals(self, n_topics: float) -> tuple[Interval | None, ...]:
        """Return the error rate of each of the 21 bins with its interval; None if not available."""
        values = self.bins(n_topics)
        without = self._without(lambda pairs: _bins(pairs, n_topics))
        if without is None:
            return (None,) * values.size
        others = np.array([conditional_rates(self.pairs, true, n_topics) for true in self.limits_of_spread])
        return tuple(
            interval_of(float(value), rates, *ends[np.isfinite(ends)].tolist(), level=self.level)
            if np.isfinite(value + rates.sum())
            else None
            for value, rates, ends in zip(values, without.T, others.T, strict=True)
        )

    def departures(self, observed: Floats, other: "Predictor", n_topics: float) -> Floats:
        """Return rates of the bins observed here less those that `other` predicts, in standard errors of both."""
        both = [one._without(lambda pairs: _bins(pairs, n_topics)) for one in (self, other)]
        mine, theirs = (np.nan if one is None else jackknife_error(stretched(one)) for one in both)
        counted = np.where(observed > 0, observed, np.nan)
        difference = stretched(counted) - stretched(other.bins(n_topics))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(difference / np.hypot(mine, theirs))

    def required_topics(self, difference: float, max_error: float) -> int:
        """Return the fewest topics that, finding two runs `difference` apart, err at most `max_error`."""
        MIN_D.check(difference)
        MAX_ERROR.check(max_error)
        needed = _fewest(lambda n: self.error(difference, n) <= max_error)
        if needed is None:
            raise NoSolution(f"not even {MOST_TOPICS:,} topics are contradicted that seldom")
        return needed

    def topics_interval(self, difference: float, max_error: float, needed: int) -> TopicsInterval | None:
        """Return from how many topics on the interval of the error rate holds `max_error`, and lies below it."""
        if not self.left_out:
            return None

        @cache
        def ends(n_topics: int) -> tuple[bool, bool]:
            interval = self.error_interval(difference, n_topics)
            return (
                (True, False) if interval is None else (interval.low <= max_error, interval.high <= max_error)
            )

        low, high = _fewest(lambda n: ends(n)[0], needed), _fewest(lambda n: ends(n)[1], needed)
        return TopicsInterval(low or needed, high)

    def resolved_difference(self, n_topics: float, max_error: float) -> float:
        """Return the smallest difference that, found on n topics, is reversed at most at `max_error`."""
        MAX_ERROR.check(max_error)
        _check_size(n_topics)
        pairs = self.pairs
        widest = float(np.sqrt(pairs.paired_variances.max() / n_topics))
        farthest = float(pairs.differences.max()) + 8 * widest  # beyond it, no pair is to be expected
        differences = np.linspace(0.0, farthest, 201)[1:]
        seldom = np.flatnonzero(_rates(pairs, differences, n_topics) <= max_error)
        if not seldom.size:
            raise NoSolution(f"no difference found on {n_topics:,} topics is reversed that seldom")
        high = float(differences[seldom[0]])
        low = high - farthest / differences.size
        for _ in range(40):
            middle = (low + high) / 2
            if middle > 0 and float(_rates(pairs, np.array([middle]), n_topics)[0]) <= max_error:
                high = middle
            else:
                low = middle
        return high

    def _without(self, rates: Callable[[Pairs], Floats]) -> Floats | None:
        """Return the rates without each group of topics, (n_groups, k); None without groups."""
        return np.array([rates(pairs) for _, pairs in self.left_out]) if self.left_out else None


def _fewest(is_enough: Callable[[int], bool], start: int = 1) -> int | None:
    """Return the fewest topics that are enough, sought from `start`; None if ten million are not."""
    fails, enough = 0, start
    while not is_enough(enough):
        if enough >= MOST_TOPICS:
            return None
        fails, enough = enough, min(2 * enough, MOST_TOPICS)
    between = range(fails + 1, enough)
    return between.start + bisect_left(between, True, key=is_enough)


@dataclass(frozen=True, kw_only=True)
class Prediction:
    """The error rate at one difference and number of topics, and the way to a tolerated one."""

    measure: str
    name: str
    n_topics: int  # topics on which a difference was found
    difference: float  # the difference found, in units of the measure
    max_error: float  # error rate that is tolerated
    level: float  # of its intervals
    error: float  # how often as many other topics reverse the two, 0 to .5
    interval: Interval | None  # of `error`, from leaving out topics
    required_topics: int | None  # topics for the tolerated rate at this difference
    required_topics_interval: TopicsInterval | None
    resolved_difference: float | None  # difference for the tolerated rate at these topics
    if_true: VarianceUncertainty | None  # topics for the tolerated rate if this is the true difference: Eq. 8
    topics_of_matrix: int
    unit: str = "topic"  # what topics are: "group" where the scores are of whole groups

    @property
    def rate(self) -> tuple[str, str]:
        """The error rate in per cent, and its interval in words, "" if not available."""
        return percent(self.error), "" if self.interval is None else f" ({self.interval.words})"

    @property
    def sentence(self) -> str:
        """The answer in words."""
        topics = f"one {self.unit}" if self.n_topics == 1 else f"{self.n_topics:,} {self.unit}s"
        others = f"{self.unit}s" if self.n_topics == 1 else in_units("topic sets", self.unit)
        rate, interval = self.rate
        return (
            f"A difference of {self.difference:g} {self.measure} observed on {topics} is reversed on "
            f"{rate} of other {others}{interval}, on average over pairs of runs. {self.requirements}"
        )

    @property
    def requirements(self) -> str:
        """What the tolerated rate takes, in a sentence."""
        if self.required_topics is None and self.resolved_difference is None:
            return f"These {self.unit}s do not show that the systems differ."
        return f"An error rate of {100 * self.max_error:g} % requires {self.way}.{self._if_true_in_words}"

    @property
    def _if_true_in_words(self) -> str:
        found = self.if_true
        if found is None:
            return ""
        return (
            f" If {self.difference:g} is the true difference, two sets of {found.counted} disagree in "
            f"{100 * self.max_error:g} % of cases."
        )

    @property
    def limits(self) -> str:
        """Whether the rate is extrapolated, in words; "" where the experiment reaches it."""
        half = self.topics_of_matrix // 2  # up to where two disjoint sets can be drawn from the matrix
        return f"Extrapolated from sets of {half:,} {self.unit}s" if self.n_topics > half else ""

    @property
    def with_limits(self) -> str:
        """The answer in words, and whether it is extrapolated."""
        return f"{self.sentence} {self.limits}." if self.limits else self.sentence

    @property
    def way(self) -> str:
        """The requirements for the tolerated rate, in words."""
        resolved, ways = self.resolved_difference, []
        if self.topics_needed:
            ways.append(self.topics_needed + (f" ({self.topics_between})" if self.topics_between else ""))
        if resolved is not None:
            ways.append(f"a difference of {resolved:.2g}")
        return ", or ".join(ways) or f"systems that these {self.unit}s show to differ"

    @property
    def topics_needed(self) -> str:
        """The topics for the tolerated rate, in words; "" where no number is enough."""
        needed, unit = self.required_topics, self.unit
        return (
            "" if needed is None else f"a single {unit}" if needed == 1 else f"{two_digits(needed)} {unit}s"
        )

    @property
    def topics_between(self) -> str:
        """The interval of the topics for the tolerated rate, in words; "" where not available."""
        between = self.required_topics_interval
        if between is None:
            return ""
        most = "or more" if between.high is None else f"to {two_digits(between.high)}"
        return f"{100 * self.level:g} % interval {two_digits(between.low)} {most}"

    def record(self) -> dict[str, Any]:
        """Return the answer for a record."""
        return {
            "analysis": "error rate",
            **attributes(self, "measure n_topics difference error"),
            "error_interval": self.interval and (self.interval.low, self.interval.high),
            "interval_level": self.level,
            **attributes(self, "required_topics required_topics_interval resolved_difference"),
            "if_true_difference": self.if_true and attributes(self.if_true, "topics topics_interval"),
            "sentence": self.sentence,
        }


def percent(rate: float) -> str:
    """Return a rate in per cent with two digits that count."""
    value = 100 * rate
    if value < 0.01:
        return "less than 0.01 %"
    return f"{value:.1f} %" if value >= 1 else f"{value:.2g} %"


def two_digits(count: int) -> str:
    """Return an uncertain count with two digits that count."""
    return f"{int(float(f'{count:.2g}')):,}"


def predict(
    scores: ScoreMatrix | Predictor, *, n_topics: int, difference: float, max_error: float
) -> Prediction:
    """Return the answer for a matrix."""
    size = int(SET_SIZE.check(n_topics))
    MIN_D.check(difference)
    MAX_ERROR.check(max_error)
    predictor = scores if isinstance(scores, Predictor) else Predictor(scores)
    matrix = predictor.matrix
    between = None
    try:
        needed: int | None = predictor.required_topics(difference, max_error)
        between = predictor.topics_interval(difference, max_error, needed) if needed else None
    except NoSolution:
        needed = None
    try:
        resolved: float | None = predictor.resolved_difference(size, max_error)
    except NoSolution:
        resolved = None
    return Prediction(
        measure=matrix.measure,
        name=matrix.name,
        n_topics=size,
        difference=float(difference),
        max_error=float(max_error),
        level=predictor.level,
        error=predictor.error(difference, size),
        interval=predictor.error_interval(difference, size),
        required_topics=needed,
        required_topics_interval=between,
        resolved_difference=resolved,
        if_true=topics_if_true(matrix, difference, max_error, predictor.level),
        topics_of_matrix=matrix.n_topics,
        unit=matrix.unit,
    )


def topics_if_true(
    matrix: ScoreMatrix, difference: float, max_error: float, level: float
) -> VarianceUncertainty | None:
    """Return the topics of the design "error rate", Eq. 8; None of groups, and where differences are constant."""
    if matrix.unit != "topic":
        return None
    plan = DESIGN.plan(max_error=max_error, min_d=difference)
    found = variance_uncertainty([matrix], plan, estimate=MEAN_PAIR_DIFFERENCE, level=level)
    return found if found.topics is not None and found.variance > 0 else None


@dataclass(frozen=True, kw_only=True, eq=False)
class Surface:
    """Error rates of a grid."""

    sizes: Floats  # (n_sizes,): numbers of topics, ascending, evenly spaced on a log scale
    differences: Floats  # (n_differences,): observed differences, ascending, evenly spaced
    rates: Floats  # (n_differences, n_sizes): error rate of each, 0 to .5


def surface(predictor: Predictor, *, n_topics: int, difference: float) -> Surface:
    """Return the error rates around a question."""
    most = max(4 * predictor.matrix.n_topics, 2 * n_topics)
    widest = max(0.2, 2 * difference)
    sizes = np.unique(np.rint(np.geomspace(1, most, _SIZES)))
    differences = widest * (np.arange(_DIFFERENCES) + 0.5) / _DIFFERENCES
    rates = np.array([predictor.errors(differences, float(size)) for size in sizes]).T
    return Surface(sizes=sizes, differences=differences, rates=rates)


def rates_by_topics(predictor: Predictor, difference: float, sizes: Floats) -> Floats:
    """Return the error rate of a difference at each number of topics, 0 to .5."""
    return np.array([predictor.error(difference, float(size)) for size in sizes])


def _rates(pairs: Pairs, differences: Floats, n_topics: float, true: Floats | None = None) -> Floats:
    """Return the error rate at each observed difference, (k,); in logarithms, so that far tails hold."""
    true = pairs.deflated_differences if true is None else true
    spread = np.sqrt(pairs.paired_variances / n_topics)
    # A pair that never varies keeps its order: a spread far below any difference that is asked.
    spread = np.maximum(spread, 1e-9 * max(float(spread.max()), 1e-9))
    seen = differences[:, np.newaxis]
    same = -np.square((seen - true) / spread) / 2 - np.log(spread)
    other = -np.square((seen + true) / spread) / 2 - np.log(spread)
    highest = same.max(axis=1, keepdims=True)
    same, other = np.exp(same - highest), np.exp(other - highest)
    wrong = normal_cdf(-true / spread)
    reversed_ = np.sum(same * wrong + other * (1 - wrong), axis=1)
    return np.asarray(reversed_ / np.sum(same + other, axis=1))


def _bins(pairs: Pairs, n_topics: float) -> Floats:
    return conditional_rates(pairs, pairs.deflated_differences, n_topics)


def _check_size(n_topics: float) -> None:
    if isinstance(n_topics, bool) or not 1 <= n_topics <= SET_SIZE.upper:
        raise InputError(SET_SIZE.name, n_topics, SET_SIZE.rule)


@dataclass(frozen=True, kw_only=True, eq=False)
class ExtrapolationCheck:
    """Rates predicted from one part of the topics next to the rates on the rest, for each of 21 bins."""

    # Topics of the part that predicts, and of the rest
    n_topics_used: int
    n_topics_left: int
    cardinality: int  # topics in a set at which the two are compared
    seed: int  # of the experiments and of the cut
    # Predicted rate and its interval
    predicted: Floats  # (21,)
    low: Floats  # (21,)
    high: Floats  # (21,)
    exponential: Floats  # (21,): rate read off the fitted exponential
    observed: Floats  # (21,): rate in the experiment on the rest
    departures: Floats  # (21,): observed less predicted in standard errors of both, on the log scale


def check_extrapolation(
    matrix: ScoreMatrix,
    *,
    n_topics_used: int | None = None,
    n_trials: int = 1000,
    seed: int = 0,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> ExtrapolationCheck:
    """Predict from some topics the rates at the largest sets that the others allow, and compare."""
    if matrix.n_topics < FEWEST_TO_CUT:
        raise InputError("topics", matrix.n_topics, f"must be at least {FEWEST_TO_CUT} to be cut in two")
    SEED.check(seed)
    used = matrix.n_topics // 3 if n_topics_used is None else n_topics_used
    most = (matrix.n_topics - 1) // 2
    if isinstance(used, bool) or not isinstance(used, int) or not FEWEST_TO_CUT // 3 <= used <= most:
        rule = f"must be a whole number from {FEWEST_TO_CUT // 3} to {most}, less than half of the topics"
        raise InputError("n_topics_used", n_topics_used, rule)
    order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(matrix.n_topics)
    part, rest = (
        matrix.taken(np.sort(rows).tolist(), range(matrix.n_systems)) for rows in (order[:used], order[used:])
    )
    size = rest.n_topics // 2
    settings = {"n_trials": n_trials, "seed": seed, "executor": executor}
    shown = error_rates(
        rest,
        cardinalities=[size],
        report_progress=lambda done: report_progress(0.4 * done),
        **settings,  # type: ignore[arg-type]
    )
    on_part = error_rates(
        part,
        report_progress=lambda done: report_progress(0.4 + 0.4 * done),
        **settings,  # type: ignore[arg-type]
    )
    fitted = exponential_fits(on_part)
    predictor = Predictor(part)
    intervals = predictor.bin_intervals(size)
    report_progress(0.9)
    own = Predictor(rest)
    departures = own.departures(shown.error_rates[0], predictor, size)
    report_progress(1.0)
    return ExtrapolationCheck(
        n_topics_used=used,
        n_topics_left=rest.n_topics,
        cardinality=size,
        seed=seed,
        predicted=predictor.bins(size),
        low=np.array([np.nan if interval is None else interval.low for interval in intervals]),
        high=np.array([np.nan if interval is None else interval.high for interval in intervals]),
        exponential=np.array([np.nan if fit is None else float(fit.at(size)) for fit in fitted]),
        observed=shown.error_rates[0],
        departures=departures,
    )
