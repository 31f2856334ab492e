"""Does significance survive? Rejection rates, achieved significance levels, and estimated differences.

Algorithm 3 of [1] counts how often |t| of a simulated collection exceeds its critical value. That is a
rejection rate: it is large for pairs that differ. The paper reads it as a p-value and takes pairs with
less than .05 as significant; those are the pairs that are almost never significant.

In [2], the source of the algorithm, differences are shifted so that their mean is 0 before they are
resampled, and the level is how often |t*| reaches the |t| observed. Here (i) topics alone are resampled,
as there, and (ii) topics and collection together: the simulated differences on topics drawn with
replacement, shifted by their mean over all trials.

Algorithm 4 of [1] asks how large a difference must be to be significant: for each pair of runs, take the
trial with the (B alpha)-th largest |t| and its |mean difference|; the answer is the largest of these over
all pairs. In [2] differences are shifted to mean 0 first, so that |t| varies as it does for two runs that
are equally good. As printed they are not, so the answer tracks the largest difference between any two runs
there are.

References
----------
.. [1] M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018,
   1181-1184, algorithms 3 and 4. https://doi.org/10.1145/3209978.3210122
.. [2] T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.
   https://doi.org/10.1145/1148170.1148261
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.conclusions import Estimate, differences, of_trials, raw, resampled
from topicset_core.analyses.topic_variance.simulation import TIE, Simulation, critical_value

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


def mean_rejection_rate(simulation: Simulation) -> Estimate:
    """Return the share of pairs that are significant in a trial, over all trials."""
    return of_trials(simulation.n_rejected / simulation.reversed_pairs.size)


def almost_never_significant_share(simulation: Simulation) -> Estimate:
    """Return the share of pairs rejected in fewer than 5 % of trials; "PCT(ASL < .05)" of [1], table 1."""
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
    """Return t* and mean differences less what they are on average, topics resampled, or documents too.

    Both are of shape (n_kept, n_pairs).
    """
    means, deviations, centre = (
        (simulation.both_means, simulation.both_deviations, simulation.means.mean(axis=0))
        if documents
        else (simulation.topics_means, simulation.topics_deviations, simulation.raw_means)
    )
    away = differences(means) - differences(centre)
    return t_statistics(away, deviations, simulation.cells.n_topics), away


def significant_share(simulation: Simulation, *, documents: bool) -> Estimate:
    """Return the share of pairs with an achieved level below alpha, topics resampled, or documents too."""
    t, _ = shifted(simulation, documents=documents)
    reached = np.abs(t) >= np.abs(raw_t(simulation)) * _SAME
    counted = reached.astype(np.float32)  # whole numbers below 2^24, so that all sums are exact
    n_trials = reached.shape[0]

    def share(weights: Ints) -> Floats:
        levels = (weights.astype(np.float32) @ counted).astype(np.float64) / n_trials
        return np.asarray((levels < simulation.request.alpha).mean(axis=1))

    return resampled(share, n_trials, simulation.request.seed)


def estimated_difference(simulation: Simulation) -> Estimate:
    """Return algorithm 4 as printed in [1], from the trials that are kept."""
    away = differences(simulation.means[: simulation.n_kept])
    t = t_statistics(away, simulation.deviations, simulation.cells.n_topics)
    return _estimated(simulation, t, away)


def estimated_difference_shifted(simulation: Simulation, *, documents: bool) -> Estimate:
    """Return it with differences shifted to mean 0, as in [2]: topics resampled, or documents too."""
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
