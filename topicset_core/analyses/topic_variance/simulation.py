"""Simulated collections: all cells drawn anew in every trial, and all pairs of runs compared.

One sample is drawn for each run, topic and trial, and every pair of runs uses it. Each has a stream of
random numbers of its own, and sums over trials are whole numbers, so nothing depends on batches,
workers or machines: the scores of cells are summed in units of 2^-32.
"""

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.batches import in_batches
from topicset_core.analyses.topic_variance.cells import Cells, Floats, Ints, raw_scores
from topicset_core.analyses.topic_variance.drawing import UNIT, Batch, draw
from topicset_core.analyses.topic_variance.prepared import Prepared, prepare
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.collection.run import Run
from topicset_core.progress import Report, silently

GROUPS = 50
"""Groups of consecutive trials; standard errors of shares come from resampling them."""

MOST_KEPT = 1000
"""Trials whose pairs are kept one by one, for the bootstrap of topics and the estimated difference."""

_MOST_KEPT_VALUES = 2**25  # a table of pairs by trials has at most 256 MB
_BATCH_SECONDS = 0.2
_PAIR_SECONDS = 2e-9  # a pair and topic, three times over
_SHARE_OF_PREPARING = 0.1


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


def simulate_trials(
    cells: Cells,
    settings: Settings,
    runs: Sequence[Run] = (),
    *,
    report: Report = silently,
    executor: Executor | None = None,
) -> Simulation:
    """Draw all trials.

    Parameters
    ----------
    cells : Cells
        Relevant documents of each topic and run.
    settings : Settings
        All choices.
    runs : sequence of Run
        With their scores; only the model "kde" needs them.
    report : callable
        Takes the fraction done, between batches of a fifth of a second; raises to stop the work.
    executor : Executor, optional
        Where batches run; threads are best, as processes are sent all densities with every batch.

    Raises
    ------
    InputError
        If densities are asked for, and a run is not there or has no scores.
    """
    from topicset_core.analyses.topic_variance.kernels.pairs import N_CELLS, N_SUMS, means_and_deviations

    share = _SHARE_OF_PREPARING if settings.model == "kde" else 0.0
    prepared = prepare(cells, settings, runs, lambda done: report(share * done), executor)
    raw = raw_scores(cells, settings)
    raw_means, raw_deviations = means_and_deviations(raw, np.ones(cells.n_topics, dtype=np.int64))
    n_pairs, n_trials, n_systems = raw_deviations.size, settings.n_trials, cells.n_systems
    kept = max(min(n_trials, MOST_KEPT, _MOST_KEPT_VALUES // n_pairs), 1)
    bounds = np.arange(min(GROUPS, n_trials) + 1) * n_trials // min(GROUPS, n_trials)
    seconds = prepared.seconds + n_pairs * cells.n_topics * _PAIR_SECONDS
    size = max(round(_BATCH_SECONDS / seconds), 1)
    batches = [
        Batch(group, first, min(first + size, end))
        for group, (begin, end) in enumerate(pairwise(bounds.tolist()))
        for first in range(begin, end, size)
    ]
    means, found = np.empty((n_trials, n_systems)), np.empty((n_trials, 3))
    of_pairs = [np.empty((kept, n_pairs)) for _ in range(3)]
    run_means = [np.empty((kept, n_systems)) for _ in range(2)]
    tables = (of_pairs[0], run_means[0], of_pairs[1], run_means[1], of_pairs[2])
    reversed_pairs = np.zeros(n_pairs, dtype=np.int64)
    rejected_pairs = np.zeros((bounds.size - 1, n_pairs), dtype=np.int64)
    sums = np.zeros((N_CELLS, N_SUMS), dtype=np.int64)
    cell_sums, cell_squares = (np.zeros(cells.depths.size, dtype=np.int64) for _ in range(2))
    work = partial(draw, prepared.arguments, settings, raw, raw_means, kept)
    costs = [float(batch.end - batch.first) for batch in batches]
    for batch, drawn in in_batches(
        work, batches, costs, lambda done: report(share + (1 - share) * done), executor
    ):
        means[batch.first : batch.end], found[batch.first : batch.end] = drawn.means, drawn.found
        for table, part in zip(tables, drawn.kept, strict=True):
            table[batch.first : batch.first + part.shape[0]] = part
        reversed_pairs += drawn.reversed_pairs
        rejected_pairs[batch.group] += drawn.rejected_pairs
        sums += drawn.sums
        cell_sums += drawn.cell_sums
        cell_squares += drawn.cell_squares
    cell_means = (cell_sums / (UNIT * n_trials)).reshape(raw.shape)
    squares = cell_squares / UNIT - cell_sums / UNIT * (cell_sums / UNIT) / n_trials
    variances = np.maximum(squares, 0.0).reshape(raw.shape) / max(n_trials - 1, 1)
    return Simulation(
        cells=cells,
        settings=settings,
        prepared=prepared,
        raw=raw,
        raw_means=raw_means,
        raw_deviations=raw_deviations,
        means=means,
        taus=found[:, 0],
        n_reversed=found[:, 1].astype(np.int64),
        n_rejected=found[:, 2].astype(np.int64),
        reversed_pairs=reversed_pairs,
        rejected_pairs=rejected_pairs,
        group_sizes=np.diff(bounds).astype(np.int64),
        sums=sums,
        deviations=tables[0],
        topics_means=tables[1],
        topics_deviations=tables[2],
        both_means=tables[3],
        both_deviations=tables[4],
        cell_means=cell_means,
        cell_variances=variances,
    )
