"""10,000 trials of a paired t test on all pairs of runs, next to NumPy and SciPy on the same draws.

Ours does equal systems in two ways and the difference; the others one of these.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from scipy import stats

from benchmarks.rank_resolution import matrices
from benchmarks.timing import Comparison, cpu_seconds, show
from topicset_core.analyses.achieved_power import Request, achieved_power
from topicset_core.collection import ScoreMatrix

TRIALS = 10_000
_PEER_PAIRS = 4  # scaled up, as every pair costs the same


def by_numpy(differences: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return |t| of each trial: gather, mean, standard deviation."""
    d = differences[drawn]
    return np.abs(d.mean(axis=1)) / (d.std(axis=1, ddof=1) / np.sqrt(drawn.shape[1]))


def by_scipy(differences: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return p of each trial."""
    return np.asarray(stats.ttest_1samp(differences[drawn], 0, axis=1).pvalue)


def compare() -> list[Comparison]:
    """Return ours next to NumPy and SciPy for the pairs of each public matrix."""
    rows: list[Comparison] = []
    for matrix in matrices()[:-1]:
        rows += _compare(matrix)
    return rows


def _compare(matrix: ScoreMatrix) -> list[Comparison]:
    n = matrix.n_topics
    request = Request(n_topics=n, n_trials=TRIALS, n_pairs=20_000, min_d=0.05)
    result = achieved_power(matrix, request)
    ours = cpu_seconds(partial(achieved_power, matrix, request), repeats=3)
    with ThreadPoolExecutor(2) as executor:
        started = time.perf_counter()
        achieved_power(matrix, request, executor=executor)
        wall = time.perf_counter() - started
    n_pairs = len(result.members)
    task = f"{TRIALS:,} trials, paired t, {n} x {matrix.n_systems}, {n_pairs:,} pairs"
    show(f"{task}: {wall:.2f} s by the clock on two threads")
    centred = matrix.scores - matrix.scores.mean(axis=0)
    drawn = np.random.default_rng(0).integers(0, n, (TRIALS, n))
    rows = []
    for name, peer in (("NumPy", by_numpy), ("SciPy", by_scipy)):
        seconds = cpu_seconds(partial(peer, centred[:, 0] - centred[:, 1], drawn), repeats=_PEER_PAIRS)
        note = f"scaled up from {_PEER_PAIRS} pairs, one state of the systems, ours three"
        rows.append(Comparison(task, ours, seconds * n_pairs, name, note))
    return rows
