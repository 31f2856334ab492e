"""How often do two sets of topics contradict each other? The experiment of Voorhees and Buckley (2002).

For each cardinality c, two sets of c topics are drawn; one is the reference. Every pair of runs
falls into the bin of its absolute mean difference on the reference, and counts as an error there if the
other set orders it in the opposite order. A tie on the other set counts as half an error: it says nothing, so a
coin decides. In the papers it is no error (Voorhees and Buckley 2002; Guiver et al. 2009, section 5.6.3), so that
few topics, on which many pairs tie, seem better than more; that rate is reversals / pairs. A difference of 0 on
the reference has no order to reverse: it belongs to no bin and is counted apart.

Drawn disjoint, sets reach half the topics. Drawn with replacement, each for itself, they reach any
size, but from the same topics again and again: that is a bootstrap (Sakai 2006), and is marked.

Scores are compared as whole numbers, so that ties and the edges of bins are exact: a mean difference of .05 lies
in the bin (.04, .05], and in binary floating point either bin may come out. Scores are released with a few
decimals, so in units of the last one they and their sums are whole. Those with more than nine decimals are
rounded to nine; differences of means that this rounding could have made then count as none.

Seeds: trials come in blocks of `BLOCK_TRIALS`, and block b of cardinality c draws from its own
`numpy.random.SeedSequence(seed, spawn_key=(replace, c, b))`. All counts are whole numbers. So
nothing depends on how blocks are batched, on workers, or on which other cardinalities are asked.

The curve that Voorhees and Buckley fitted to the rates of each bin is error rate = b1 exp(-b2 n): least
squares of the rates, all cardinalities counting the same; where sizes were thinned, each counts for those
around it. They read rates at more topics than they had off these curves; `check_extrapolation` shows how accurate
that is.
"""

import math
from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.execution.sizes import default_sizes, sizes_in_words, stands_for
from topicset_core.exports.records import attributes
from topicset_core.parameters import SEED, number_of_trials
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_task
from topicset_core.variance.estimates import require_two_systems
from topicset_core.wording import in_units

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]

BIN_WIDTH = 0.01
N_BINS = 20
"""Bins (0.01 (k - 1), 0.01 k], k = 1 .. 20; one more holds all differences above .2."""

UPPER_EDGES: tuple[float | None, ...] = (*(round(0.01 * k, 2) for k in range(1, N_BINS + 1)), None)
"""Upper edge of each bin; the last is open."""

_FEWEST_DECIMALS, _MOST_DECIMALS = 2, 9  # from 2 on, a bin is a whole number of units wide
_LARGEST_SUM = 2.0**53

N_TRIALS = number_of_trials(
    "Pairs of topic sets that are drawn and compared; 10,000 in the literature.",
    label="Trials for each size",
    default=10_000,
)

BLOCK_TRIALS = 100
"""Trials that share a stream of random numbers."""

DEFAULT_TRIALS = int(N_TRIALS.default)
"""As in Voorhees and Buckley (2002)."""

LARGEST_SET = 10_000
"""Topics that a set may have: beyond it curves are flat and trials slow."""

_CELLS = N_BINS + 2, 6  # N_CELLS and N_SUMS of the kernels
_BATCH_SECONDS = 0.1
_PAIR_SECONDS, _SCORE_SECONDS, _DRAW_SECONDS = 1.3e-9, 0.4e-9, 5e-9  # on a core of 2026; only sizes batches

_FEWEST_TRIALS, _MOST_TRIALS = 5, 2000

_GRID = np.concatenate([[0.0], np.geomspace(1e-6, 10.0, 400)])
"""Decays among which the best is looked for first; at 10 the second topic leaves nothing."""

_GOLDEN = (np.sqrt(5.0) - 1) / 2
_STEPS = 80  # each shortens the bracket to .618 of itself; 80 leave no digit


@dataclass(frozen=True, kw_only=True, eq=False)
class WholeScores:
    """Scores in units of their last decimal."""

    scores: NDArray[np.float64] | NDArray[np.int32]  # (n_topics, n_systems)
    decimals: int  # a unit is 10^-decimals
    exact: bool  # whether the scores have no more decimals than that

    def narrow(self, cardinality: int) -> "WholeScores":
        """Return them in 32 bits if sums over that many topics fit, which add up twice as fast."""
        fits = float(np.abs(self.scores).max()) * cardinality < 2.0**31
        return replace(self, scores=self.scores.astype(np.int32)) if fits else self

    def slack(self, cardinality: int) -> float:
        """Return up to where a difference of sums over that many topics may be rounding alone."""
        return 0.0 if self.exact else float(cardinality)  # half a unit for each score of either run

    def bins_per_unit(self, cardinality: int) -> float:
        """Return 1 / (width of a bin as a difference of sums over that many topics)."""
        return 1.0 / (cardinality * 10.0 ** (self.decimals - 2))


def whole_scores(matrix: ScoreMatrix, largest_cardinality: int) -> WholeScores:
    """Return the scores as whole numbers."""
    largest = float(np.abs(matrix.scores).max()) * largest_cardinality
    for decimals in range(_FEWEST_DECIMALS, _MOST_DECIMALS + 1):
        if largest * 10.0**decimals >= _LARGEST_SUM:
            break
        scaled = matrix.scores * 10.0**decimals
        whole = np.rint(scaled)
        # A decimal as read is off by half a unit of 2e-16 of itself, and again when multiplied.
        if np.all(np.abs(scaled - whole) <= 4e-16 * np.abs(scaled)):
            return WholeScores(scores=whole, decimals=decimals, exact=True)
    else:
        decimals += 1
    decimals -= 1
    if decimals < _FEWEST_DECIMALS:
        rule = (
            "must be small enough to resolve differences of .01; error rates are for scores of about 0 to 1"
        )
        raise InputError("scores", float(np.abs(matrix.scores).max()), rule)
    whole = np.rint(matrix.scores * 10.0**decimals)
    return WholeScores(scores=whole, decimals=decimals, exact=False)


def bin_label(place: int) -> str:
    """Return the difference in a bin as ".04–.05", or "above .20" for the last."""
    edge = UPPER_EDGES[place]
    if edge is None:
        return f"above {_short(N_BINS / 100)}"
    return f"{_short(place / 100)}–{_short(edge)}"


def _short(value: float) -> str:
    return "0" if value == 0 else f"{value:.2f}".lstrip("0")


@dataclass(frozen=True, kw_only=True, eq=False)
class ErrorRates:
    """Counts over trials by cardinality and bin; 21 bins, the last of them above .2."""

    matrix: ScoreMatrix = field(repr=False)
    cardinalities: tuple[int, ...]  # topics in each of the two sets, in the order asked
    # Pairs of sets for each cardinality, and the seed
    n_trials: int
    seed: int
    with_replacement: bool  # whether topics were drawn with replacement, so that it is a bootstrap
    decimals: int  # decimals of the scores as they were compared
    scores_are_exact: bool  # whether the scores have no more decimals
    counts: Counts = field(repr=False)  # (n_cardinalities, *_CELLS): sums over trials

    @property
    def n_pairs(self) -> int:
        """Pairs of runs compared in each trial."""
        return math.comb(self.matrix.n_systems, 2)

    @property
    def pairs(self) -> Counts:
        """Pairs that fell into each bin over all trials, (n_cardinalities, 21)."""
        return self.counts[:, 1:, 0]

    @property
    def reversals(self) -> Counts:
        """The reversed ones of them, (n_cardinalities, 21)."""
        return self.counts[:, 1:, 1]

    @property
    def half_errors(self) -> Counts:
        """Those of them that tie on the other set, each half an error, (n_cardinalities, 21)."""
        return self.counts[:, 1:, 2]

    @property
    def ties(self) -> Counts:
        """Pairs without a difference on the reference, which are in no bin, (n_cardinalities,)."""
        return self.counts[:, 0, 0]

    @property
    def error_rates(self) -> Floats:
        """(Reversals + half errors / 2) / pairs, 0 to 1, (n_cardinalities, 21); NaN where a bin has no pair."""
        return _ratio(self.reversals + self.half_errors / 2, self.pairs)

    @property
    def standard_errors(self) -> Floats:
        """Standard error of each rate over trials, the unit as pairs share topics; NaN if not available."""
        rate = self.error_rates
        pairs_squared, product, square = (self.counts[:, 1:, place] for place in (3, 4, 5))
        # `product` and `square` are of twice the errors.
        residual = square / 4 - rate * product + rate**2 * pairs_squared
        if self.n_trials == 1:
            return np.full_like(rate, np.nan)
        unbiased = self.n_trials / (self.n_trials - 1)
        return _ratio(np.asarray(np.sqrt(np.maximum(residual, 0.0) * unbiased)), self.pairs)

    @property
    def overall(self) -> Floats:
        """Error rate over all pairs with a difference, over all bins, (n_cardinalities,)."""
        errors = self.reversals + self.half_errors / 2
        return _ratio(errors.sum(axis=1), self.pairs.sum(axis=1))

    @property
    def sizes_in_words(self) -> str:
        """How sizes were thinned, in a sentence; "" where they were not."""
        return in_units(sizes_in_words(self.cardinalities, self.largest_size), self.matrix.unit)

    @property
    def largest_size(self) -> int:
        """Topics that a set may have: half of them, with replacement up to the requested number."""
        return (
            max(self.cardinalities) if self.with_replacement else min(self.matrix.n_topics // 2, LARGEST_SET)
        )

    def largest_standard_error(self, n_bins: int) -> float | None:
        """Return the largest standard error of the first bins over all cardinalities; None without any."""
        errors = self.standard_errors[:, :n_bins]
        return float(np.nanmax(errors)) if np.isfinite(errors).any() else None

    def record(self) -> dict[str, Any]:
        """Return the counts for a record."""
        return {
            **attributes(self, "with_replacement n_trials"),
            "bins": UPPER_EDGES,
            "cardinalities": self.cardinalities,
            **({"sizes": self.sizes_in_words} if self.sizes_in_words else {}),
            **attributes(self, "pairs reversals half_errors ties"),
        }


@dataclass(frozen=True)
class _Batch:
    """Consecutive blocks of one cardinality; `n_trials` counts the rest of all from the first on."""

    place: int
    cardinality: int
    first_block: int
    n_trials: int


def error_rates(
    matrix: ScoreMatrix,
    *,
    cardinalities: Iterable[int] | None = None,
    n_trials: int = DEFAULT_TRIALS,
    seed: int = 0,
    with_replacement: bool = False,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> ErrorRates:
    """Run the experiment."""
    require_two_systems(matrix)
    N_TRIALS.check(n_trials)
    SEED.check(seed)
    sizes = checked_cardinalities(matrix, cardinalities, with_replacement=with_replacement)
    whole = whole_scores(matrix, max(sizes)).narrow(max(sizes))
    batches, costs = _batches(matrix, sizes, n_trials)
    counts = np.zeros((len(sizes), *_CELLS), dtype=np.int64)
    work = partial(_count, whole, seed, with_replacement)
    for batch, counted in in_batches(work, batches, costs, report_progress, executor):
        counts[batch.place] += counted
    return ErrorRates(
        matrix=matrix,
        cardinalities=sizes,
        n_trials=n_trials,
        seed=seed,
        with_replacement=with_replacement,
        decimals=whole.decimals,
        scores_are_exact=whole.exact,
        counts=counts,
    )


def estimated_seconds(matrix: ScoreMatrix, cardinalities: Iterable[int], n_trials: int) -> float:
    """Return about how many CPU seconds the experiment will take, to choose a number of trials by."""
    return sum(n_trials * _seconds_of_trial(matrix, size) for size in cardinalities)


def curve_sizes(
    n_topics: int, *, with_replacement: bool = False, always: Iterable[int] = ()
) -> tuple[int, ...]:
    """Return the cardinalities of a curve: up to half the topics, log-spaced where these are many."""
    most = min(n_topics if with_replacement else n_topics // 2, LARGEST_SET)
    return default_sizes(most, n_topics, always=always)


def affordable_trials(
    matrix: ScoreMatrix, sizes: tuple[int, ...], seconds: float, most: int = DEFAULT_TRIALS
) -> int:
    """Return about how many trials per size `seconds` of CPU allow, from 5 to 2,000 and to `most`."""
    affordable = seconds / estimated_seconds(matrix, sizes, 1)
    return int(min(max(affordable, _FEWEST_TRIALS), _MOST_TRIALS, most))


@dataclass(frozen=True, kw_only=True)
class ExponentialFit:
    """One fitted curve."""

    bin: int  # from 0
    b1: float  # rate that the curve starts from, at n = 0
    b2: float  # decay, from 0
    largest_residual: float  # largest absolute difference between a rate and the curve
    n_points: int  # cardinalities whose bin is not empty

    def at(self, n_topics: ArrayLike) -> Floats:
        """Return the curve at any number of topics."""
        return np.asarray(self.b1 * np.exp(-self.b2 * np.asarray(n_topics, dtype=np.float64)))


def exponential_fits(counted: ErrorRates) -> tuple[ExponentialFit | None, ...]:
    """Return the fit of each of the 21 bins; None with fewer than three cardinalities to fit, or no error."""
    sizes = np.array(counted.cardinalities, dtype=np.float64)
    # Where sizes were thinned each counts for those around it, so that the curve is that of all sizes.
    weights = stands_for(counted.cardinalities) if counted.sizes_in_words else np.ones(len(sizes))
    return tuple(_fit(place, sizes, rates, weights) for place, rates in enumerate(counted.error_rates.T))


def _fit(place: int, sizes: Floats, rates: Floats, weights: Floats) -> ExponentialFit | None:
    there = np.isfinite(rates)
    n, y, w = sizes[there], rates[there], weights[there]
    if n.size < 3 or not y.any():
        return None
    best = int(np.argmin(_squares(_GRID, n, y, w)))
    low, high = float(_GRID[max(best - 1, 0)]), float(_GRID[min(best + 1, _GRID.size - 1)])
    for _ in range(_STEPS):  # golden section: one valley between the neighbours of the best
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        at_left, at_right = _squares(np.array([left, right]), n, y, w)
        if at_left <= at_right:
            high = right
        else:
            low = left
    b2 = (low + high) / 2
    b1 = _start(b2, n, y, w)
    residual = float(np.max(np.abs(y - b1 * np.exp(-b2 * n))))
    return ExponentialFit(bin=place, b1=b1, b2=float(b2), largest_residual=residual, n_points=n.size)


def _start(decay: float, n: Floats, y: Floats, weights: Floats) -> float:
    """Return the b1 that fits best for a given b2: a linear problem."""
    # Counted from the smallest n, so that nothing underflows; then carried back to n = 0.
    falling = np.exp(-decay * (n - n.min()))
    weighted = weights * falling
    return float(weighted @ y / (weighted @ falling) * np.exp(decay * n.min()))


def _squares(decays: Floats, n: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of squared residuals for each decay, each with the b1 that fits best."""
    falling = np.exp(-decays[:, np.newaxis] * (n - n.min()))
    share = (weights * falling) @ y / np.sum(weights * np.square(falling), axis=1)
    return np.asarray(np.sum(weights * np.square(y - share[:, np.newaxis] * falling), axis=1))


def checked_cardinalities(
    matrix: ScoreMatrix, cardinalities: Iterable[int] | None, *, with_replacement: bool
) -> tuple[int, ...]:
    """Return the cardinalities, by default a curve up to half the topics."""
    half = matrix.n_topics // 2
    most = LARGEST_SET if with_replacement else min(half, LARGEST_SET)
    sizes = tuple(curve_sizes(matrix.n_topics) if cardinalities is None else cardinalities)
    why = "" if with_replacement or most < half else ", half of the topics: the two sets are disjoint"
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= most:
            raise InputError("cardinalities", size, f"must be whole numbers from 1 to {most:,}{why}")
    if not sizes or len(set(sizes)) < len(sizes):
        raise InputError("cardinalities", sizes, "must be at least one number, each once")
    return tuple(int(size) for size in sizes)


def _batches(matrix: ScoreMatrix, sizes: tuple[int, ...], n_trials: int) -> tuple[list[_Batch], list[float]]:
    """Cut the work into pieces of about a tenth of a second, with the seconds each may take."""
    batches, costs = [], []
    for place, size in enumerate(sizes):
        seconds = _seconds_of_trial(matrix, size)
        blocks = max(round(_BATCH_SECONDS / (seconds * BLOCK_TRIALS)), 1)
        for start in range(0, n_trials, blocks * BLOCK_TRIALS):
            trials = min(blocks * BLOCK_TRIALS, n_trials - start)
            batches.append(_Batch(place, size, start // BLOCK_TRIALS, trials))
            costs.append(trials * seconds)
    return batches, costs


def _seconds_of_trial(matrix: ScoreMatrix, size: int) -> float:
    adding = 2 * size * (_DRAW_SECONDS + matrix.n_systems * _SCORE_SECONDS)
    return adding + matrix.n_systems * (matrix.n_systems - 1) / 2 * _PAIR_SECONDS


def _count(whole: WholeScores, seed: int, with_replacement: bool, batch: _Batch) -> NDArray[np.int64]:
    """Return the counts of one batch."""
    from topicset_core.analyses.error_rate.kernels import count_reversals

    size = batch.cardinality
    counts = np.zeros(_CELLS, dtype=np.int64)
    for step, start in enumerate(range(0, batch.n_trials, BLOCK_TRIALS)):
        key = (int(with_replacement), size, batch.first_block + step)
        stream = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0]
        counts += count_reversals(
            whole.scores,
            size,
            with_replacement,
            min(BLOCK_TRIALS, batch.n_trials - start),
            stream,
            whole.slack(size),
            whole.bins_per_unit(size),
        )
    return counts


def _ratio(above: NDArray[np.float64] | Counts, below: Counts) -> Floats:
    """Divide; NaN where there is nothing to divide by."""
    empty: Floats = np.full(below.shape, np.nan)
    return np.asarray(np.divide(above, below, out=empty, where=below > 0), dtype=np.float64)


def warm_up() -> None:
    """Compile the kernels by a small question."""
    scores = simulated_task()[0]
    finer = replace(scores, scores=scores.scores / 3)  # too many decimals for 32 bits
    for matrix in (scores, finer):
        for with_replacement in (False, True):
            error_rates(matrix, n_trials=4, with_replacement=with_replacement)
