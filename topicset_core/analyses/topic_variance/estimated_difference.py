"""How large must a difference be to be significant? Algorithm 4 of the paper, as printed and repaired.

For each pair of runs, take the trial with the (B alpha)-th largest |t| and its |mean difference|; the
answer is the largest of these over all pairs. In Sakai (2006), its source, differences are shifted to
mean 0 first, so that |t| varies as it does for two runs that are equally good. As printed they are not,
so the answer tracks the largest difference between any two runs there are.

References
----------
.. [1] M. Yang, P. Zhang, D. Song. A study of per-topic variance on system comparison. SIGIR 2018,
   1181-1184, algorithm 4. https://doi.org/10.1145/3209978.3210122
.. [2] T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.
   https://doi.org/10.1145/1148170.1148261
"""

import math

import numpy as np

from topicset_core.analyses.topic_variance.cells import Floats, Ints
from topicset_core.analyses.topic_variance.estimate import Estimate, resampled
from topicset_core.analyses.topic_variance.significance import (
    differences,
    shifted_differences_both,
    shifted_differences_topics,
    shifted_t_both,
    shifted_t_topics,
    t_statistics,
)
from topicset_core.analyses.topic_variance.simulation import Simulation


def estimated_difference(simulation: Simulation) -> Estimate:
    """Return algorithm 4 as printed in [1], from the trials that are kept."""
    found = differences(simulation.means[: simulation.n_kept])
    t = t_statistics(found, simulation.deviations, simulation.cells.n_topics)
    return _estimated(simulation, t, found)


def estimated_difference_topics(simulation: Simulation) -> Estimate:
    """Return it with mean-shifted raw differences and topics resampled, as in [2]."""
    return _estimated(simulation, shifted_t_topics(simulation), shifted_differences_topics(simulation))


def estimated_difference_shifted(simulation: Simulation) -> Estimate:
    """Return it with mean-shifted simulated differences, topics and collection resampled together."""
    return _estimated(simulation, shifted_t_both(simulation), shifted_differences_both(simulation))


def _estimated(simulation: Simulation, t: Floats, mean_differences: Floats) -> Estimate:
    n_trials = t.shape[0]
    place = max(math.floor(n_trials * simulation.settings.alpha + 1e-9), 1)  # B alpha
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
        found = np.empty(weights.shape[0])
        for row, drawn in enumerate(weights):
            reached = np.cumsum(drawn[top], axis=0) >= place
            reached[-1] = True
            found[row] = np.take_along_axis(magnitudes, reached.argmax(axis=0)[None], axis=0).max()
        return found

    return resampled(largest, n_trials, simulation.settings.seed)
