"""Simulated collections: documents drawn again in every trial, and all pairs of runs compared.

The documents of a collection are a sample. The model "shared" draws that sample again, once for all runs, as
Cormack and Lynam (2006) do: drawing a collection from itself with replacement gives each document a number of
copies, and for the few documents of one topic these are independent Poisson numbers with mean 1. Each run returns
its documents in its order, each as often as it was drawn, copies together; relevant documents of the topic are
those drawn. Two runs that return the same documents so rise and fall together.

Decided here: each topic is drawn for itself; where no relevant document of a topic was drawn, its relevant
documents are drawn again until there is one, since a track keeps no topic without (a topic with R of them meets
that in e^-R of the trials); lists are not cut where copies make them longer, and have no documents from beyond
their end where they get shorter. A run's scores do not matter to it.

Yang, Zhang and Song (2018) draw for each run apart. For each run and topic, the scores that the run gave the r
relevant documents it returned, and those it gave the others, are samples from two distributions. A simulated
collection draws r_s from a Poisson distribution with mean r, then r_s scores from the first and depth - r_s from
the second, sorts them, and computes the measure. The scores are resampled ("bst") or drawn from
Gaussian kernel densities ("kde"). Runs that would meet the same documents then meet other ones, so their
result about a comparison of runs is an upper bound.

Decided here, where the paper is silent: r_s is at most the depth of the run on the topic; relevant
documents of the topic are R - r + r_s in that trial, unless "fixed" is asked for; documents that are not
judged count as not relevant; tied scores are in the order of the run, which only matters to "bst".

How good "shared" is on real documents: docs/evidence/topic-variance.md.

A sample has a stream of random numbers of its own, and sums over trials are whole numbers, so results do not
depend on batches, workers or machines: the scores of cells are summed in units of 2^-32.

`topicset_core.references` has the papers.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_variance.cells import Cells, Floats, Ints, raw_scores
from topicset_core.analyses.topic_variance.prepared import Prepared, prepare
from topicset_core.analyses.topic_variance.request import Model, Request
from topicset_core.collection.run import Run
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress, silently

GROUPS = 50
"""Groups of consecutive trials; standard errors of shares come from resampling them."""

MOST_KEPT = 10_000
"""Trials whose pairs are kept one by one, for the bootstrap of topics and the estimated difference."""

_MOST_KEPT_VALUES = 2**23  # a table of pairs by trials has at most 64 MB
_BATCH_SECONDS = 0.2
_PAIR_SECONDS = 1e-9  # a pair and topic, three times over
_SHARE_OF_PREPARING = 0.05

STREAMS: dict[Model, int] = {"bst": 0, "kde": 1, "shared": 2}
"""Number of each model in the keys of its random numbers."""

TIE = 1e-12
"""Means that differ by no more are equal, as in `kernels`."""

UNIT = 2.0**32
"""Sums of scores over trials are whole numbers of 1 / UNIT, so that their order makes no difference."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Simulation:
    """Sums over the draws. Pairs are (i, j), j < i, in the order (1, 0), (2, 0), (2, 1), ..."""

    cells: Cells  # the source of the draws
    request: Request
    prepared: Prepared  # remarks on cells that could not be drawn as asked
    raw: Floats = field(repr=False)  # (n_topics, n_systems): original scores of the runs
    # Of these: means, and standard deviations of the differences over topics
    raw_means: Floats = field(repr=False)
    raw_deviations: Floats = field(repr=False)
    means: Floats = field(repr=False)  # (n_trials, n_systems): means over topics in each trial
    taus: Floats = field(repr=False)  # (n_trials,): Kendall's tau-b of raw and simulated means
    # Pairs in another order than the raw one, and pairs with a significant t, in each trial
    n_reversed: Ints = field(repr=False)  # (n_trials,)
    n_rejected: Ints = field(repr=False)  # (n_trials,)
    # Trials in which the pair changed its order, and in which it had lost it: equal means
    reversed_pairs: Ints = field(repr=False)  # (n_pairs,)
    tied_pairs: Ints = field(repr=False)  # (n_pairs,)
    # (n_groups, n_pairs): trials of each group in which its t was significant
    rejected_pairs: Ints = field(repr=False)
    group_sizes: Ints = field(repr=False)  # (n_groups,)
    sums: Ints = field(repr=False)  # (22, 5): over trials, by size of the simulated difference
    # (n_kept, n_pairs): standard deviations of differences over topics in the first trials
    deviations: Floats = field(repr=False)
    # Raw scores with topics resampled
    topics_means: Floats = field(repr=False)
    topics_deviations: Floats = field(repr=False)
    # Simulated scores with the same topics
    both_means: Floats = field(repr=False)
    both_deviations: Floats = field(repr=False)
    # Over trials
    cell_means: Floats = field(repr=False)  # (n_topics, n_systems)
    cell_variances: Floats = field(repr=False)  # (n_topics, n_systems)
    topic_variances: Floats = field(repr=False)  # (n_topics,): variance over trials of the mean over runs

    @property
    def n_kept(self) -> int:
        """Trials for which pairs are kept individually."""
        return int(self.deviations.shape[0])

    @property
    def has_order(self) -> NDArray[np.bool_]:
        """Which pairs differ in their raw means; others have no order to keep."""
        first, second = self.pairs
        return np.asarray(np.abs(self.raw_means[first] - self.raw_means[second]) > TIE)

    @property
    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Both runs of each pair; the second comes before the first."""
        return np.tril_indices(self.cells.n_systems, -1)


def simulate_trials(
    cells: Cells,
    request: Request,
    runs: Sequence[Run] = (),
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[Simulation], None] = lambda _: None,
) -> Simulation:
    """Draw all trials, and show the result of the first ones while the others are still being drawn."""
    share = 0.0 if request.model == "bst" else _SHARE_OF_PREPARING
    prepared = prepare(cells, request, runs, lambda done: report_progress(share * done), executor)
    trials = _Trials(cells, request, prepared)
    n_pairs, n_trials = trials.raw_deviations.size, request.n_trials
    n_groups = min(GROUPS, n_trials)
    bounds = [group * n_trials // n_groups for group in range(n_groups + 1)]
    seconds = prepared.seconds + n_pairs * cells.n_topics * _PAIR_SECONDS
    size = max(round(_BATCH_SECONDS / seconds), 1)
    batches = [
        Batch(group, first, min(first + size, end))
        for group, (begin, end) in enumerate(pairwise(bounds))
        for first in range(begin, end, size)
    ]
    work = partial(draw, prepared.arguments, request, trials.raw, trials.raw_means, trials.n_kept)
    costs = [float(batch.end - batch.first) for batch in batches]
    for batch, drawn in in_batches(
        work, batches, costs, lambda done: report_progress(share + (1 - share) * done), executor
    ):
        trials.add(batch, drawn)
        if batch.end == bounds[batch.group + 1] < n_trials:
            show_partial(trials.so_far(batch.end, bounds[: batch.group + 2]))
    return trials.so_far(n_trials, bounds)


class Batch(NamedTuple):
    """Consecutive trials of one group."""

    group: int
    first: int
    end: int


class Totals(NamedTuple):
    """Sums over trials; those of scores and of their squares are in units of 1 / UNIT."""

    pair_counts: Ints  # (3, n_pairs): trials that reverse, tie and reject a pair
    sums: Ints
    cells: Ints
    cell_squares: Ints
    topics: Ints
    topic_squares: Ints


class Drawn(NamedTuple):
    """Contribution of one batch to a `Simulation`, in its terms."""

    means: Floats
    counts: Floats  # (n_trials, 3): tau, and the numbers of pairs reversed and rejected
    # Of the trials kept: deviations, and means and deviations with topics resampled, raw and then simulated
    kept: tuple[Floats, Floats, Floats, Floats, Floats]
    totals: Totals


class _Trials:
    """The trials summed up so far; batches come in their order."""

    def __init__(self, cells: Cells, request: Request, prepared: Prepared) -> None:
        from topicset_core.analyses.topic_variance.kernels import means_and_deviations

        self.cells, self.request, self.prepared = cells, request, prepared
        self.raw = raw_scores(cells, request)
        ones = np.ones(cells.n_topics, dtype=np.int64)
        self.raw_means, self.raw_deviations = means_and_deviations(self.raw, ones)
        n_pairs, n_trials, n_systems = self.raw_deviations.size, request.n_trials, cells.n_systems
        self.n_kept = max(min(n_trials, MOST_KEPT, _MOST_KEPT_VALUES // n_pairs), 1)
        self.means, self.counts = np.empty((n_trials, n_systems)), np.empty((n_trials, 3))
        widths = (n_pairs, n_systems, n_pairs, n_systems, n_pairs)
        self.kept = tuple(np.empty((self.n_kept, width)) for width in widths)
        self.rejected_pairs = np.zeros((min(GROUPS, n_trials), n_pairs), dtype=np.int64)
        self.totals: Totals | None = None

    def add(self, batch: Batch, drawn: Drawn) -> None:
        """Add the result of a batch."""
        self.means[batch.first : batch.end], self.counts[batch.first : batch.end] = drawn.means, drawn.counts
        for table, part in zip(self.kept, drawn.kept, strict=True):
            table[batch.first : batch.first + part.shape[0]] = part
        self.rejected_pairs[batch.group] += drawn.totals.pair_counts[2]
        pairs = zip(self.totals or map(np.zeros_like, drawn.totals), drawn.totals, strict=True)
        self.totals = Totals(*(before + new for before, new in pairs))

    def so_far(self, n_trials: int, bounds: list[int]) -> Simulation:
        """Return the result of the first trials; groups of them lie between the bounds."""
        totals = cast("Totals", self.totals)
        # Rows that were written do not change.
        deviations, topics_means, topics_deviations, both_means, both_deviations = (
            table[:n_trials] for table in self.kept
        )
        of_cells = _moments(totals.cells, totals.cell_squares, n_trials)
        cell_means, cell_variances = (values.reshape(self.raw.shape) for values in of_cells)
        return Simulation(
            cells=self.cells,
            request=replace(self.request, n_trials=n_trials),
            prepared=self.prepared,
            raw=self.raw,
            raw_means=self.raw_means,
            raw_deviations=self.raw_deviations,
            means=self.means[:n_trials],
            taus=self.counts[:n_trials, 0],
            n_reversed=self.counts[:n_trials, 1].astype(np.int64),
            n_rejected=self.counts[:n_trials, 2].astype(np.int64),
            reversed_pairs=totals.pair_counts[0],
            tied_pairs=totals.pair_counts[1],
            rejected_pairs=self.rejected_pairs[: len(bounds) - 1].copy(),
            group_sizes=np.diff(bounds).astype(np.int64),
            sums=totals.sums,
            deviations=deviations,
            topics_means=topics_means,
            topics_deviations=topics_deviations,
            both_means=both_means,
            both_deviations=both_deviations,
            cell_means=cell_means,
            cell_variances=cell_variances,
            topic_variances=_moments(totals.topics, totals.topic_squares, n_trials)[1],
        )


def _moments(sums: Ints, squares: Ints, n_trials: int) -> tuple[Floats, Floats]:
    """Return means and variances over trials from sums in units of 1 / UNIT."""
    total = sums / UNIT
    variances = np.maximum(squares / UNIT - total * total / n_trials, 0.0) / max(n_trials - 1, 1)
    return total / n_trials, variances


def critical_value(n_topics: int, alpha: float) -> float:
    """Return the two-sided critical value of the paired t test."""
    from scipy.special import stdtrit

    return -float(stdtrit(n_topics - 1, alpha / 2))


def draw(
    arguments: tuple[Any, ...],
    request: Request,
    raw: Floats,
    raw_means: Floats,
    n_kept: int,
    batch: Batch,
) -> Drawn:
    """Draw consecutive trials and compare the runs in each."""
    from topicset_core.analyses.topic_variance import kernels

    kinds = {"AP": kernels.AP, "P": kernels.PRECISION, "recall": kernels.RECALL}
    kinds |= {"RR": kernels.RR, "nDCG": kernels.NDCG}
    cutoff = np.iinfo(np.int64).max if request.depth is None else request.depth
    measure = (kinds[request.kind], int(cutoff), request.denominator == "fixed")
    source = np.random.SeedSequence(request.seed, spawn_key=(0, STREAMS[request.model]))
    key = source.generate_state(1, np.uint64)[0]
    # Numba's stubs know no arguments that come as a tuple.
    kernel: Any = kernels.simulate_shared if request.model == "shared" else kernels.simulate
    scores = kernel(*arguments, measure, key, (batch.first, batch.end))
    n_topics, n_systems = raw.shape
    n_pairs, n_kept_here = n_systems * (n_systems - 1) // 2, max(min(batch.end, n_kept) - batch.first, 0)
    weights = np.empty((n_kept_here, n_topics), dtype=np.int64)
    for row in range(n_kept_here):
        weights[row] = resampled_topics(n_topics, request.seed, batch.first + row)
    pair_counts = np.zeros((3, n_pairs), dtype=np.int64)
    sums = np.zeros((kernels.N_CELLS, kernels.N_SUMS), dtype=np.int64)
    means, counts, kept = kernels.compare_trials(
        raw,
        raw_means,
        scores.reshape(-1, n_topics, n_systems),
        weights,
        critical_value(n_topics, request.alpha),
        float(np.sqrt(n_topics)),
        pair_counts,
        sums,
    )
    of_topics = scores.reshape(-1, n_topics, n_systems).mean(axis=2)
    whole = [
        np.rint(values * UNIT).astype(np.int64).sum(axis=0)
        for values in (scores, np.square(scores), of_topics, np.square(of_topics))
    ]
    return Drawn(means, counts, kept, Totals(pair_counts, sums, *whole))


def resampled_topics(n_topics: int, seed: int, trial: int) -> Ints:
    """Return how often each topic was drawn in a trial, n_topics times with replacement."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, trial)))
    return np.bincount(rng.integers(0, n_topics, n_topics), minlength=n_topics).astype(np.int64)


PREVIEW_SECONDS = 0.2
_FEWEST, _MOST = 20, 200  # trials of a preview
_LONGEST_PREVIEW_SECONDS = 1.2  # for the fewest, and getting ready

_CELL = 0.1e-6
_OF_CELL = {"shared": 0.05e-6, "bst": 0.05e-6, "kde": 0.12e-6}  # a relevant document, in each trial
_DRAWN, _NUMBERED = 1.5e-9, 0.6e-6  # a document of a list, in each trial, and once
_PAIR = 3e-9  # a pair and topic, in each trial
_DENSITY = 120e-6  # a cell, once


def preview_trials(cells: Cells, model: Model, seconds: float = PREVIEW_SECONDS) -> int | None:
    """Return the number of trials that a page can wait for, from the layout alone: the same on any machine."""
    ready, trial = _seconds(cells, model)
    if ready + _FEWEST * trial > _LONGEST_PREVIEW_SECONDS:
        return None
    return max(min(int(seconds / trial) // 10 * 10, _MOST), _FEWEST)


def seconds_of(cells: Cells, request: Request) -> float:
    """Return about how many CPU seconds `simulate_trials` takes."""
    ready, trial = _seconds(cells, request.model)
    return ready + request.n_trials * trial


def _seconds(cells: Cells, model: Model) -> tuple[float, float]:
    """Return about how many CPU seconds it takes to get ready, and for each trial."""
    n_pairs = cells.n_systems * (cells.n_systems - 1) // 2
    n_found = cells.ranks.size
    trial = cells.depths.size * _CELL + n_found * _OF_CELL[model] + n_pairs * cells.n_topics * _PAIR
    ready = cells.depths.size * _DENSITY if model == "kde" else 0.0
    if model == "shared":
        documents = int(cells.depths.sum())
        trial, ready = trial + documents * _DRAWN, documents * _NUMBERED
    return ready, trial
