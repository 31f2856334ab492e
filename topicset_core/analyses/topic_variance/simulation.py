"""What simulated collections come to: the trials summed up, for every run, topic and pair of runs."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.cells import Cells, Floats, Ints
from topicset_core.analyses.topic_variance.prepared import Prepared
from topicset_core.analyses.topic_variance.settings import Settings


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """What was drawn, summed up. Pairs are (i, j), j < i, in the order (1, 0), (2, 0), (2, 1), ...

    Parameters
    ----------
    cells : Cells
        What was drawn from.
    settings : Settings
        How.
    prepared : Prepared
        Remarks on cells that could not be drawn as asked.
    raw : ndarray, shape (n_topics, n_systems)
        Scores of the runs as they are.
    raw_means, raw_deviations : ndarray, shapes (n_systems,) and (n_pairs,)
        Of these: means, and standard deviations of the differences over topics.
    means : ndarray, shape (n_trials, n_systems)
        Means over topics in each trial.
    taus : ndarray, shape (n_trials,)
        Kendall's tau-b of raw and simulated means; NaN where all simulated means are equal.
    n_reversed, n_rejected : ndarray of int64, shape (n_trials,)
        Pairs in another order than the raw one, and pairs with a significant t, in each trial.
    reversed_pairs : ndarray of int64, shape (n_pairs,)
        Trials in which the pair stood in the other order.
    rejected_pairs : ndarray of int64, shape (n_groups, n_pairs)
        Trials of each group in which its t was significant.
    group_sizes : ndarray of int64, shape (n_groups,)
        Trials in each group.
    sums : ndarray of int64, shape (22, 5)
        Over trials, by size of the simulated difference; see `kernels.pairs`.
    deviations : ndarray, shape (n_kept, n_pairs)
        Standard deviations of differences over topics in the first trials.
    topics_means, topics_deviations : ndarray, shapes (n_kept, n_systems) and (n_kept, n_pairs)
        Raw scores with topics resampled.
    both_means, both_deviations : ndarray, shapes (n_kept, n_systems) and (n_kept, n_pairs)
        Simulated scores with the same topics.
    cell_means, cell_variances : ndarray, shape (n_topics, n_systems)
        Over trials; unbiased, 0 with a single trial.
    """

    cells: Cells
    settings: Settings
    prepared: Prepared
    raw: Floats = field(repr=False)
    raw_means: Floats = field(repr=False)
    raw_deviations: Floats = field(repr=False)
    means: Floats = field(repr=False)
    taus: Floats = field(repr=False)
    n_reversed: Ints = field(repr=False)
    n_rejected: Ints = field(repr=False)
    reversed_pairs: Ints = field(repr=False)
    rejected_pairs: Ints = field(repr=False)
    group_sizes: Ints = field(repr=False)
    sums: Ints = field(repr=False)
    deviations: Floats = field(repr=False)
    topics_means: Floats = field(repr=False)
    topics_deviations: Floats = field(repr=False)
    both_means: Floats = field(repr=False)
    both_deviations: Floats = field(repr=False)
    cell_means: Floats = field(repr=False)
    cell_variances: Floats = field(repr=False)

    @property
    def n_kept(self) -> int:
        """Trials whose pairs are kept one by one."""
        return int(self.deviations.shape[0])

    @property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Both runs of each pair; the second comes before the first."""
        return np.tril_indices(self.cells.n_systems, -1)
