"""Simulated collections: all cells drawn anew in every trial, and all pairs of runs compared.

One sample is drawn for each run, topic and trial, and every pair of runs uses it. Each has a stream of
random numbers of its own, and sums over trials are whole numbers, so nothing depends on batches,
workers or machines: the scores of cells are summed in units of 2^-32.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from topicset_core.analyses.topic_variance.cells import Cells, raw_scores
from topicset_core.analyses.topic_variance.drawing import UNIT, Batch, Drawn, draw
from topicset_core.analyses.topic_variance.prepared import Prepared, prepare
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.simulation import Simulation
from topicset_core.collection.run import Run
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently

Show = Callable[[Simulation], None]
"""Takes what the first trials come to, while the others are still being drawn."""

GROUPS = 50
"""Groups of consecutive trials; standard errors of shares come from resampling them."""

MOST_KEPT = 10_000
"""Trials whose pairs are kept one by one, for the bootstrap of topics and the estimated difference."""

_MOST_KEPT_VALUES = 2**23  # a table of pairs by trials has at most 64 MB
_BATCH_SECONDS = 0.2
_PAIR_SECONDS = 1e-9  # a pair and topic, three times over
_SHARE_OF_PREPARING = 0.05


def simulate_trials(
    cells: Cells,
    settings: Settings,
    runs: Sequence[Run] = (),
    *,
    report: Report = silently,
    executor: Executor | None = None,
    show: Show | None = None,
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
        Where batches run; threads are best, as processes are sent all densities.
    show : callable, optional
        Takes what there is after each of 50 groups of trials but the last: the values are those of so
        many trials, whatever becomes of the rest.

    Raises
    ------
    InputError
        If densities are asked for, and a run is not there or has no scores.
    """
    share = _SHARE_OF_PREPARING if settings.model == "kde" else 0.0
    prepared = prepare(cells, settings, runs, lambda done: report(share * done), executor)
    trials = _Trials(cells, settings, prepared)
    n_pairs, n_trials = trials.reversed_pairs.size, settings.n_trials
    n_groups = min(GROUPS, n_trials)
    bounds = [group * n_trials // n_groups for group in range(n_groups + 1)]
    seconds = prepared.seconds + n_pairs * cells.n_topics * _PAIR_SECONDS
    size = max(round(_BATCH_SECONDS / seconds), 1)
    batches = [
        Batch(group, first, min(first + size, end))
        for group, (begin, end) in enumerate(pairwise(bounds))
        for first in range(begin, end, size)
    ]
    work = partial(draw, prepared.arguments, settings, trials.raw, trials.raw_means, trials.n_kept)
    costs = [float(batch.end - batch.first) for batch in batches]
    for batch, drawn in in_batches(
        work, batches, costs, lambda done: report(share + (1 - share) * done), executor
    ):
        trials.add(batch, drawn)
        if show is not None and batch.end == bounds[batch.group + 1] < n_trials:
            show(trials.so_far(batch.end, bounds[: batch.group + 2]))
    return trials.so_far(n_trials, bounds)


class _Trials:
    """The trials summed up so far; batches come in their order."""

    def __init__(self, cells: Cells, settings: Settings, prepared: Prepared) -> None:
        from topicset_core.analyses.topic_variance.kernels.pairs import (
            N_CELLS,
            N_SUMS,
            means_and_deviations,
        )

        self.cells, self.settings, self.prepared = cells, settings, prepared
        self.raw = raw_scores(cells, settings)
        ones = np.ones(cells.n_topics, dtype=np.int64)
        self.raw_means, self.raw_deviations = means_and_deviations(self.raw, ones)
        n_pairs, n_trials, n_systems = self.raw_deviations.size, settings.n_trials, cells.n_systems
        self.n_kept = max(min(n_trials, MOST_KEPT, _MOST_KEPT_VALUES // n_pairs), 1)
        self.means, self.found = np.empty((n_trials, n_systems)), np.empty((n_trials, 3))
        widths = (n_pairs, n_systems, n_pairs, n_systems, n_pairs)
        self.kept = tuple(np.empty((self.n_kept, width)) for width in widths)
        self.reversed_pairs = np.zeros(n_pairs, dtype=np.int64)
        self.rejected_pairs = np.zeros((min(GROUPS, n_trials), n_pairs), dtype=np.int64)
        self.sums = np.zeros((N_CELLS, N_SUMS), dtype=np.int64)
        self.cell_sums, self.cell_squares = np.zeros((2, cells.depths.size), dtype=np.int64)

    def add(self, batch: Batch, drawn: Drawn) -> None:
        """Add what a batch found."""
        self.means[batch.first : batch.end], self.found[batch.first : batch.end] = drawn.means, drawn.found
        for table, part in zip(self.kept, drawn.kept, strict=True):
            table[batch.first : batch.first + part.shape[0]] = part
        self.reversed_pairs += drawn.reversed_pairs
        self.rejected_pairs[batch.group] += drawn.rejected_pairs
        self.sums += drawn.sums
        self.cell_sums += drawn.cell_sums
        self.cell_squares += drawn.cell_squares

    def so_far(self, n_trials: int, bounds: list[int]) -> Simulation:
        """Return what the first trials come to; groups of them lie between the bounds.

        Sums are copied and tables of trials are not: rows that were written stay as they are.
        """
        shape, kept = self.raw.shape, min(n_trials, self.n_kept)
        sums, squares = self.cell_sums / UNIT, self.cell_squares / UNIT
        variances = np.maximum(squares - sums * sums / n_trials, 0.0) / max(n_trials - 1, 1)
        deviations, topics_means, topics_deviations, both_means, both_deviations = (
            table[:kept] for table in self.kept
        )
        return Simulation(
            cells=self.cells,
            settings=replace(self.settings, n_trials=n_trials),
            prepared=self.prepared,
            raw=self.raw,
            raw_means=self.raw_means,
            raw_deviations=self.raw_deviations,
            means=self.means[:n_trials],
            taus=self.found[:n_trials, 0],
            n_reversed=self.found[:n_trials, 1].astype(np.int64),
            n_rejected=self.found[:n_trials, 2].astype(np.int64),
            reversed_pairs=self.reversed_pairs.copy(),
            rejected_pairs=self.rejected_pairs[: len(bounds) - 1].copy(),
            group_sizes=np.diff(bounds).astype(np.int64),
            sums=self.sums.copy(),
            deviations=deviations,
            topics_means=topics_means,
            topics_deviations=topics_deviations,
            both_means=both_means,
            both_deviations=both_deviations,
            cell_means=(sums / n_trials).reshape(shape),
            cell_variances=variances.reshape(shape),
        )
