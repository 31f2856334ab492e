"""How often do two sets of topics contradict each other? The experiment of Voorhees and Buckley.

For each cardinality c, two sets of c topics are drawn; one is taken as the truth. Every pair of runs
falls into the bin of its absolute mean difference on the truth, and counts as an error there if the
other set orders it the other way round. Ties on the other set are not errors; a difference of 0 on
the truth belongs to no bin and is counted apart.

Drawn disjoint, sets reach half the topics. Drawn with replacement, each for itself, they reach any
size, but from the same topics again and again: that is a bootstrap, after [3], and marked as such.

Seeds: trials come in blocks of `BLOCK_TRIALS`, and block b of cardinality c draws from its own
`numpy.random.SeedSequence(seed, spawn_key=(replace, c, b))`. All counts are whole numbers. So
nothing depends on how blocks are batched, on workers, or on which other cardinalities are asked.

References
----------
.. [1] E. M. Voorhees, C. Buckley. The effect of topic set size on retrieval experiment error.
   SIGIR 2002, 316-323. https://doi.org/10.1145/564376.564432
.. [2] J. Guiver, S. Mizzaro, S. Robertson. A few good topics: experiments in topic set reduction for
   retrieval evaluation. ACM TOIS 27(4), 21 (2009), section 5.6.3 and algorithm 1.
   https://doi.org/10.1145/1629096.1629099
.. [3] T. Sakai. Evaluating evaluation metrics based on the bootstrap. SIGIR 2006, 525-532.
   https://doi.org/10.1145/1148170.1148261
"""

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.error_rate.counts import N_CELLS, N_SUMS, ErrorRates
from topicset_core.analyses.error_rate.settings import N_TRIALS
from topicset_core.analyses.error_rate.units import WholeScores, whole_scores
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.execution.seed import SEED
from topicset_core.progress import Report, silently
from topicset_core.variance.estimates import require_two_systems

BLOCK_TRIALS = 100
"""Trials that share a stream of random numbers."""

DEFAULT_TRIALS = int(N_TRIALS.default)
"""As in [1] and [2]."""

LARGEST_BOOTSTRAP = 10_000
"""Topics that a set drawn with replacement may have."""

_BATCH_SECONDS = 0.1
_PAIR_SECONDS, _SCORE_SECONDS, _DRAW_SECONDS = 1.3e-9, 0.4e-9, 5e-9  # on a core of 2026; only sizes batches


@dataclass(frozen=True)
class _Batch:
    """Consecutive blocks of one cardinality; `n_trials` counts what is left of all from the first on."""

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
    report: Report = silently,
    executor: Executor | None = None,
) -> ErrorRates:
    """Run the experiment.

    25 cardinalities of 10,000 trials on 50 topics x 96 runs, 1.1e9 comparisons, take 1.5 CPU seconds.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 runs.
    cardinalities : iterable of int, optional
        Topics in each of the two sets, in the order wanted; by default 1, 2, ... half the topics.
    n_trials : int
        Pairs of sets for each cardinality, from 1 to a million.
    seed : int
        From 0; the same seed gives the same counts, whatever the number of workers.
    with_replacement : bool
        Draw both sets with replacement, each for itself.
    report : callable
        Takes the fraction done, between batches of a tenth of a second; raises to stop the work.
    executor : Executor, optional
        Where batches run: threads, processes or a cluster; by default this thread.

    Raises
    ------
    InputError
        If there are fewer than 2 runs or a number is outside its range.
    """
    require_two_systems(matrix)
    N_TRIALS.check(n_trials)
    SEED.check(seed)
    sizes = checked_cardinalities(matrix, cardinalities, with_replacement=with_replacement)
    whole = whole_scores(matrix, max(sizes))
    batches, costs = _batches(matrix, sizes, n_trials)
    counts = np.zeros((len(sizes), N_CELLS, N_SUMS), dtype=np.int64)
    work = partial(_count, whole, seed, with_replacement)
    for batch, counted in in_batches(work, batches, costs, report, executor):
        counts[batch.place] += counted
    return ErrorRates(
        measure=matrix.measure,
        name=matrix.name,
        n_topics=matrix.n_topics,
        n_systems=matrix.n_systems,
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


def checked_cardinalities(
    matrix: ScoreMatrix, cardinalities: Iterable[int] | None, *, with_replacement: bool
) -> tuple[int, ...]:
    """Return the cardinalities, by default all up to half the topics.

    Raises
    ------
    InputError
        If there is none, or one is outside its range or repeated.
    """
    half = matrix.n_topics // 2
    most = LARGEST_BOOTSTRAP if with_replacement else half
    sizes = tuple(range(1, half + 1) if cardinalities is None else cardinalities)
    why = "" if with_replacement else ", half of the topics: the two sets are disjoint"
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, int | np.integer) or not 1 <= size <= most:
            raise InputError("cardinalities", size, f"must be whole numbers from 1 to {most:,}{why}")
    if not sizes or len(set(sizes)) < len(sizes):
        raise InputError("cardinalities", sizes, "must be at least one number, none of them twice")
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


def _count(whole: WholeScores, seed: int, replace: bool, batch: _Batch) -> NDArray[np.int64]:
    """Return the counts of one batch."""
    from topicset_core.analyses.error_rate.kernels import count_reversals

    size = batch.cardinality
    counts = np.zeros((N_CELLS, N_SUMS), dtype=np.int64)
    for step, start in enumerate(range(0, batch.n_trials, BLOCK_TRIALS)):
        key = (int(replace), size, batch.first_block + step)
        stream = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)[0]
        counts += count_reversals(
            whole.scores,
            size,
            replace,
            min(BLOCK_TRIALS, batch.n_trials - start),
            stream,
            whole.slack(size),
            whole.bins_per_unit(size),
        )
    return counts
