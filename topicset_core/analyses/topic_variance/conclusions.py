"""Conclusions from simulated collections: estimates, the order of runs, how well a model fits, variances.

A number from trials is an `Estimate`. How well does a model fit? What its simulated scores are off the original
ones by on average is no noise of the collection, and does not go away with more trials.

A score is taken as mean + topic + run + interaction + noise of the documents. The noise is the mean variance of
a cell over simulated collections; the rest comes from the raw scores by two-way analysis of variance. Noise that
all runs of a topic have in common moves the topic and no comparison of runs, so it is part of what analysis of
variance finds between topics; the rest of the noise is part of its residual. Models that draw documents for each
run apart have no noise in common: all of it goes into comparisons, which is an upper bound. Negative values
count as 0.

Does significance survive?

Algorithm 3 of Yang, Zhang and Song (2018) counts how often |t| of a simulated collection exceeds its critical
value. That is a rejection rate: it is large for pairs that differ. The paper reads it as a p-value and takes pairs
with less than .05 as significant; those are the pairs that are almost never significant.

In Sakai (2006), the source of the algorithm, differences are shifted so that their mean is 0 before they are
resampled, and the level is how often |t*| reaches the |t| observed. Here (i) topics alone are resampled,
as there, and (ii) topics and collection together: the simulated differences on topics drawn with
replacement, shifted by their mean over all trials.

Algorithm 4 asks how large a difference must be to be significant: for each pair of runs, take the
trial with the (B alpha)-th largest |t| and its |mean difference|; the answer is the largest of these over
all pairs. Sakai shifts differences to mean 0 first, so that |t| varies as it does for two runs that
are equally good. As printed they are not, so the answer tracks the largest difference between any two runs
there are.

`topicset_core.references` has both papers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.simulation import TIE, Simulation, critical_value
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.paired_t import Requirements, required_topics
from topicset_core.exports.records import fields_of
from topicset_core.exports.tables import Row
from topicset_core.variance.sums_of_squares import mean_squares

_TOPIC_RESAMPLES = 1_000
_ROUNDING = 1e-12  # of squares of scores

N_RESAMPLES = 200
"""Resamples of trials for a standard error: it is off by 5 % itself."""


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A number and how far the trials determine it."""

    value: float | None = None  # None if undefined
    standard_error: float | None = None  # over trials: how the value would vary with the seed


def of_trials(values: Floats) -> Estimate:
    """Return the mean of independent values, one per trial; NaN are left out."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return Estimate()
    error = float(defined.std(ddof=1)) / math.sqrt(defined.size) if defined.size > 1 else None
    return Estimate(value=float(defined.mean()), standard_error=error)


def raw(value: float) -> Estimate:
    """Return a number without simulation error."""
    return Estimate(value=value, standard_error=0.0)


def resampled(statistic: Callable[[Ints], Floats], n_units: int, seed: int) -> Estimate:
    """Return a statistic of all trials, with the standard deviation it has when trials are resampled."""
    value = float(statistic(np.ones((1, n_units), dtype=np.int64))[0])
    if n_units < 2:
        return Estimate(value=value)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2,)))
    drawn = rng.multinomial(n_units, np.full(n_units, 1 / n_units), N_RESAMPLES)
    return Estimate(value=value, standard_error=float(statistic(drawn).std(ddof=1)))


BIN_WIDTH = 0.01
N_BINS = 21
"""Bins [0.01 (k - 1), 0.01 k) of the absolute simulated difference, without 0; the last from .2 on."""

LEVEL = 0.95
"""Share of trials within a rank interval."""

TOLERATED = 0.05
"""A pair that reverses in less than this share of trials keeps its order, as in pages and texts."""


def error_rates(simulation: Simulation) -> tuple[Estimate, ...]:
    """Return for each bin how often a pair of runs is reversed compared with the raw data (algorithm 1)."""
    n_trials, rates = simulation.request.n_trials, []
    for pairs, reversals, pairs_squared, product, reversals_squared in simulation.sums[1:].tolist():
        rate = reversals / pairs if pairs else None
        error = None
        if rate is not None and n_trials > 1:
            # Pairs of one trial share its samples, so the trial is the unit: the error of a ratio of two sums.
            residual = reversals_squared - 2 * rate * product + rate**2 * pairs_squared
            error = math.sqrt(max(residual, 0.0) * n_trials / (n_trials - 1)) / pairs
        rates.append(Estimate(value=rate, standard_error=error))
    return tuple(rates)


def tied_share(simulation: Simulation) -> float:
    """Return how often a pair that has an order has equal means in a simulated collection."""
    n_cases = int(simulation.has_order.sum()) * simulation.request.n_trials
    return float(simulation.tied_pairs.sum()) / max(n_cases, 1)


def overall_error_rate(simulation: Simulation) -> Estimate:
    """Return how often a pair that has an order changes it, over all differences."""
    n_pairs = int(simulation.has_order.sum())
    return of_trials(simulation.n_reversed / n_pairs) if n_pairs else Estimate()


def between_collections(simulation: Simulation) -> Estimate:
    """Return how often two simulated collections have opposite orders of a pair that has an order."""
    n_trials, ordered = simulation.request.n_trials, simulation.has_order
    if n_trials < 2 or not ordered.any():
        return Estimate()
    reversing, tied = simulation.reversed_pairs[ordered], simulation.tied_pairs[ordered]
    kept = n_trials - reversing - tied
    # Two real collections are apart by the noise of both, one simulated collection and the original by that of one.
    value = float((2 * reversing * kept).mean()) / (n_trials * (n_trials - 1))
    towards = differences(simulation.means[: simulation.n_kept])[:, ordered]
    towards *= np.sign(differences(simulation.raw_means)[ordered])
    # The effect of each trial on the mean over pairs.
    moved = ((towards < -TIE) * kept + (towards > TIE) * reversing).mean(axis=1) * (2 / n_trials)
    error = float(moved.std(ddof=1)) / math.sqrt(n_trials) if moved.size > 1 else None
    return Estimate(value=value, standard_error=error)


def differences(means: Floats) -> Floats:
    """Return differences of means of all pairs (i, j), j < i, along the last axis."""
    first, second = np.tril_indices(means.shape[-1], -1)
    return np.asarray(means[..., first] - means[..., second])


def ranks(means: Floats) -> Floats:
    """Return the rank of each run along the last axis, 1 for the best and mean ranks for ties."""
    falling = -np.round(means, 12)  # what differs by rounding only is tied
    order = np.argsort(falling, axis=-1, kind="stable")
    ordered = np.take_along_axis(falling, order, axis=-1)
    differs = ordered[..., 1:] != ordered[..., :-1]
    ends = np.ones((*means.shape[:-1], 1), dtype=np.bool_)
    places = np.arange(1, means.shape[-1] + 1)
    first = np.maximum.accumulate(np.where(np.concatenate([ends, differs], axis=-1), places, 0), axis=-1)
    beyond = places.size + 1
    last = np.where(np.concatenate([differs, ends], axis=-1), places, beyond)[..., ::-1]
    last = np.minimum.accumulate(last, axis=-1)[..., ::-1]
    result: Floats = np.empty(means.shape)
    np.put_along_axis(result, order, 0.5 * (first + last), axis=-1)
    return result


def rank_intervals(simulation: Simulation) -> tuple[Row, ...]:
    """Return each run with its raw rank, and the ranks that occurred between which it is in 95 % of the trials."""
    raw_ranks = ranks(simulation.raw_means)
    tail = (1 - LEVEL) / 2
    result = ranks(simulation.means)
    low = np.quantile(result, tail, axis=0, method="inverted_cdf")
    high = np.quantile(result, 1 - tail, axis=0, method="inverted_cdf")
    return tuple(
        {"system": system, "raw_rank": float(at), "low": float(lowest), "high": float(highest)}
        for system, at, lowest, highest in zip(simulation.cells.systems, raw_ranks, low, high, strict=True)
    )


def reversed_pairs(simulation: Simulation, at_least: float = TOLERATED) -> tuple[Row, ...]:
    """Return the pairs that lose their order in at least a share of the trials, reversed most often first."""
    first, second = simulation.pairs
    n_trials = simulation.request.n_trials
    shares, ties = simulation.reversed_pairs / n_trials, simulation.tied_pairs / n_trials
    lost = (simulation.reversed_pairs + simulation.tied_pairs) / n_trials
    results = []
    for pair in np.lexsort((-ties, -shares)).tolist():
        share = float(shares[pair])
        if lost[pair] < at_least or lost[pair] == 0.0:
            continue
        better, worse = int(first[pair]), int(second[pair])
        if simulation.raw_means[better] < simulation.raw_means[worse]:
            better, worse = worse, better
        error = math.sqrt(share * (1 - share) / (n_trials - 1)) if n_trials > 1 else None
        results.append(
            {
                "better": simulation.cells.systems[better],  # by raw means
                "worse": simulation.cells.systems[worse],
                "raw_difference": float(simulation.raw_means[better] - simulation.raw_means[worse]),
                # Of the trials, those that reverse the pair and those that tie it
                "share": Estimate(value=share, standard_error=error),
                "tied": float(ties[pair]),
            }
        )
    return tuple(results)


ALMOST_NEVER, HALF, ALMOST_ALWAYS = 0.05, 0.5, 0.95
"""Rejection rates below the first and from the others on have names."""

_SAME = 1 - 1e-9  # a |t*| this much below |t| still reaches it: that much may be rounding


def t_statistics(mean_differences: Floats, deviations: Floats, n_topics: int) -> Floats:
    """Return t of each pair; 0 for equal means, infinite where all differences are one and the same."""
    t = np.where(mean_differences > 0, math.inf, -math.inf)
    np.divide(mean_differences * math.sqrt(n_topics), deviations, out=t, where=deviations > 0)
    t[np.abs(mean_differences) <= TIE] = 0.0
    return t


def raw_t(simulation: Simulation) -> Floats:
    """Return t of each pair on the raw scores."""
    return t_statistics(
        differences(simulation.raw_means), simulation.raw_deviations, simulation.cells.n_topics
    )


def raw_significant_share(simulation: Simulation) -> Estimate:
    """Return the share of pairs with a significant paired t test on the raw scores, two-sided."""
    critical = critical_value(simulation.cells.n_topics, simulation.request.alpha)
    return raw(float((np.abs(raw_t(simulation)) > critical).mean()))


def almost_never_significant_share(simulation: Simulation) -> Estimate:
    """Return the share of pairs rejected in fewer than 5 % of trials; "PCT(ASL < .05)" of table 1."""
    return _share_of_rates(simulation, lambda rates: rates < ALMOST_NEVER)


def often_significant_share(simulation: Simulation, rate: float = HALF) -> Estimate:
    """Return the share of pairs that are rejected in at least that share of trials."""
    return _share_of_rates(simulation, lambda rates: rates >= rate)


def _share_of_rates(simulation: Simulation, chosen: Callable[[Floats], NDArray[np.bool_]]) -> Estimate:
    rejected, sizes = simulation.rejected_pairs, simulation.group_sizes

    def share(weights: Ints) -> Floats:
        # Whole numbers far below 2^53, which products of floats keep exactly and compute faster.
        counted = weights.astype(np.float64) @ rejected.astype(np.float64)
        return np.asarray(chosen(counted / (weights @ sizes)[:, None]).mean(axis=1))

    return resampled(share, sizes.size, simulation.request.seed)


def shifted(simulation: Simulation, *, documents: bool) -> tuple[Floats, Floats]:
    """Return t* and mean differences less their average, (n_kept, n_pairs), topics resampled, or documents too."""
    means, deviations = simulation.topics_means, simulation.topics_deviations
    centre = simulation.raw_means
    if documents:
        means, deviations = simulation.both_means, simulation.both_deviations
        centre = simulation.means.mean(axis=0)
    away = differences(means) - differences(centre)
    return t_statistics(away, deviations, simulation.cells.n_topics), away


def significant_share(simulation: Simulation, *, documents: bool) -> Estimate:
    """Return the share of pairs with an achieved level below alpha, topics resampled, or documents too."""
    t, _ = shifted(simulation, documents=documents)
    reached = np.abs(t) >= np.abs(raw_t(simulation)) * _SAME
    counted = reached.astype(np.float32)  # whole numbers below 2^24, so that all sums are exact
    n_trials = reached.shape[0]

    def share(weights: Ints) -> Floats:
        with np.errstate(invalid="ignore"):  # all is finite; the product has raised this flag without a cause
            levels = (weights.astype(np.float32) @ counted).astype(np.float64) / n_trials
        return np.asarray((levels < simulation.request.alpha).mean(axis=1))

    return resampled(share, n_trials, simulation.request.seed)


def estimated_difference(simulation: Simulation) -> Estimate:
    """Return algorithm 4 as printed, from the trials that are kept."""
    away = differences(simulation.means[: simulation.n_kept])
    t = t_statistics(away, simulation.deviations, simulation.cells.n_topics)
    return _estimated(simulation, t, away)


def estimated_difference_shifted(simulation: Simulation, *, documents: bool) -> Estimate:
    """Return it with differences shifted to mean 0, as Sakai does: topics resampled, or documents too."""
    return _estimated(simulation, *shifted(simulation, documents=documents))


def _estimated(simulation: Simulation, t: Floats, mean_differences: Floats) -> Estimate:
    n_trials = t.shape[0]
    place = max(math.floor(n_trials * simulation.request.alpha + 1e-9), 1)  # B alpha
    # Resamples of the trials need more of them, but not all: the place moves by 5 standard deviations.
    most = min(place + math.ceil(5 * math.sqrt(place)) + 5, n_trials)
    size = np.abs(t)
    top = np.sort(np.argpartition(-size, most - 1, axis=0)[:most], axis=0)
    order = np.argsort(-np.take_along_axis(size, top, axis=0), axis=0, kind="stable")
    top = np.take_along_axis(top, order, axis=0)
    magnitudes = np.abs(np.take_along_axis(mean_differences, top, axis=0))

    # A pair can only be the largest if it ever reaches what some pair always does.
    may_win = magnitudes.max(axis=0) >= magnitudes.min(axis=0).max()
    top, magnitudes = top[:, may_win], magnitudes[:, may_win]

    def largest(weights: Ints) -> Floats:
        result = np.empty(weights.shape[0])
        for row, drawn in enumerate(weights):
            reached = np.cumsum(drawn[top], axis=0) >= place
            reached[-1] = True
            result[row] = np.take_along_axis(magnitudes, reached.argmax(axis=0)[None], axis=0).max()
        return result

    return resampled(largest, n_trials, simulation.request.seed)


def mean_absolute_shift(simulation: Simulation) -> Estimate:
    """Return the mean over topics and runs of |mean simulated score - score as it is|."""
    shifts = np.abs(simulation.cell_means - simulation.raw)
    n_trials = simulation.request.n_trials
    error = None
    if n_trials > 1:  # the signs of the differences are taken as given
        error = math.sqrt(float(simulation.cell_variances.sum()) / n_trials) / shifts.size
    return Estimate(value=float(shifts.mean()), standard_error=error)


def run_shifts(simulation: Simulation) -> tuple[Row, ...]:
    """Return the mean of each run over trials less its mean as it is, the run that the model moves most first."""
    n_trials = simulation.request.n_trials
    shifts = simulation.means.mean(axis=0) - simulation.raw_means
    errors: list[float | None] = [None] * shifts.size
    if n_trials > 1:
        errors = (simulation.means.std(axis=0, ddof=1) / math.sqrt(n_trials)).tolist()
    return tuple(
        {
            "system": simulation.cells.systems[run],
            "shift": Estimate(value=float(shifts[run]), standard_error=errors[run]),
        }
        for run in np.argsort(-np.abs(shifts), kind="stable").tolist()
    )


@dataclass(frozen=True, kw_only=True)
class Components:
    """Variances, in squared units of the measure."""

    topic: float
    system: float
    interaction: float
    collection: float
    residual: float  # of two-way analysis of variance: interaction, and noise that runs do not have in common
    collection_shared: float = 0.0  # part of `collection` that all runs of a topic have in common
    # 95 % interval of `noise_share`: percentiles over 1,000 resamples of the topics
    noise_share_low: float | None = None
    noise_share_high: float | None = None
    # The same by random halves of the documents (`halves`)
    noise_share_by_halves: float | None = None
    noise_share_by_halves_low: float | None = None
    noise_share_by_halves_high: float | None = None

    @property
    def collection_own(self) -> float:
        """Noise of the documents that moves runs apart: half the noise in the difference of two runs."""
        return self.collection - self.collection_shared

    @property
    def noise_share(self) -> float | None:
        """What part of the noise in comparing two runs is the documents'; above 1 where a model draws too much."""
        return self.collection_own / self.residual if self.residual > 0 else None

    @property
    def total(self) -> float:
        """Sum of the four components."""
        return self.topic + self.system + self.interaction + self.collection

    def record(self) -> dict[str, Any]:
        """Return the components for a record."""
        return fields_of(self) | {"noise_share": self.noise_share}


def components(simulation: Simulation) -> Components:
    """Return the components of variance of the scores."""
    cells = simulation.cells
    table = mean_squares(
        ScoreMatrix(
            scores=simulation.raw,
            topics=cells.topics,
            systems=cells.systems,
            measure=simulation.request.measure,
            name=cells.collection,
        )
    )
    residual = table.residual_mean_square
    of_topics = simulation.cell_variances.mean(axis=1)
    own = of_topics
    if not simulation.request.is_upper_bound:
        # The mean of m runs has (1 / m) of the noise and (1 - 1 / m) of what two of them have in common.
        own = cells.n_systems / (cells.n_systems - 1) * (of_topics - simulation.topic_variances)
    noise, in_common = float(simulation.cell_variances.mean()), float((of_topics - own).mean())
    low, high = _noise_share_interval(simulation, own)
    by_halves = simulation.prepared.by_halves
    share = halves_low = halves_high = None
    if np.isfinite(by_halves).any() and residual > 0:
        share = float(np.nanmean(by_halves)) / residual
        halves_low, halves_high = _noise_share_interval(simulation, by_halves)
    return Components(
        topic=max((table.between_topic_mean_square - residual) / cells.n_systems - in_common, 0.0),
        system=max(table.between_system_mean_square - residual, 0.0) / cells.n_topics,
        interaction=max(residual - (noise - in_common), 0.0),
        collection=noise,
        collection_shared=in_common,
        residual=residual,
        noise_share_low=low,
        noise_share_high=high,
        noise_share_by_halves=share,
        noise_share_by_halves_low=halves_low,
        noise_share_by_halves_high=halves_high,
    )


def _noise_share_interval(simulation: Simulation, own: Floats) -> tuple[float | None, float | None]:
    """Return percentiles of noise over residual mean square, topics resampled; None where runs never differ."""
    n_topics, n_systems = simulation.raw.shape
    rng = np.random.default_rng(np.random.SeedSequence(simulation.request.seed, spawn_key=(3,)))
    weights = rng.multinomial(n_topics, np.full(n_topics, 1 / n_topics), _TOPIC_RESAMPLES).astype(np.float64)
    centred = simulation.raw - simulation.raw.mean(axis=1, keepdims=True)
    squares = weights @ (centred**2).sum(axis=1) - ((weights @ centred) ** 2).sum(axis=1) / n_topics
    # A sum of squares of n resampled topics is on average (n - 1) / n of the one without resampling.
    residuals = squares * n_topics / ((n_topics - 1) ** 2 * (n_systems - 1))
    defined = residuals > _ROUNDING * float((centred**2).mean())
    if not defined.all():
        return None, None
    known = np.isfinite(own)
    noise = weights[:, known] @ own[known] / np.maximum(weights[:, known].sum(axis=1), 1.0)
    low, high = np.quantile(noise / residuals, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2])
    return float(low), float(high)


def unstable_topics(simulation: Simulation) -> tuple[Row, ...]:
    """Return all topics, the least stable first: root mean variance of the runs' scores there."""
    variances = simulation.cell_variances.mean(axis=1)
    total = float(variances.sum()) or 1.0
    return tuple(
        {
            "topic": simulation.cells.topics[topic],
            "standard_deviation": float(np.sqrt(variances[topic])),  # of a score over collections
            "share": float(variances[topic]) / total,  # of all variance
        }
        for topic in np.argsort(-variances, kind="stable").tolist()
    )


def topics_needed(variances: Components, *, min_d: float, alpha: float = 0.05, beta: float = 0.20) -> Row:
    """Return how many topics a paired t test needs, with the noise of the collection and without it."""

    def topics(variance: float) -> int:  # of a run; of a difference of two it is twice that
        requirements = Requirements(alpha=alpha, beta=beta, min_d=min_d, difference_variance=2 * variance)
        return required_topics(requirements).required_topics

    rest, share = variances.interaction, variances.noise_share_by_halves
    return {
        "min_d": min_d,  # the difference to detect
        # With scores from one collection, as they are: their variance holds the collection's noise
        "with_noise": topics(variances.residual),
        # If the collection were so large that its documents made no difference
        "without_noise": topics(rest) if rest > 0 else None,
        # The same with the noise by random halves of the documents
        "without_noise_by_halves": None
        if share is None or share >= 1
        else topics((1 - share) * variances.residual),
    }
