"""The full Voorhees-Buckley experiment, next to plain code with NumPy and in plain Python."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.data import public_matrix
from benchmarks.timing import Comparison, cpu_seconds, shown
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.collection import ScoreMatrix

NAME = "trec8_adhoc_top96_ap"
SIZES, TRIALS = 25, 10_000
_NUMPY_TRIALS, _PYTHON_TRIALS = 100, 2  # of each size; scaled up, as every trial costs the same
_CELLS = 22


def vectorised(scores: np.ndarray, size: int, n_trials: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs and reversals by cell: a trial at a time, all its pairs at once."""
    rng = np.random.default_rng(seed)
    first, second = np.triu_indices(scores.shape[1], 1)
    pairs, reversals = np.zeros(_CELLS, np.int64), np.zeros(_CELLS, np.int64)
    for _ in range(n_trials):
        order = rng.permutation(scores.shape[0])
        reference, seen = (scores[rows].mean(axis=0) for rows in (order[:size], order[size : 2 * size]))
        d, e = reference[first] - reference[second], seen[first] - seen[second]
        cells = np.minimum(np.ceil(np.abs(d) / 0.01), _CELLS - 1).astype(int)
        pairs += np.bincount(cells, minlength=_CELLS)
        reversals += np.bincount(cells[d * e < 0], minlength=_CELLS)
    return pairs, reversals


def plain(scores: np.ndarray, size: int, n_trials: int, seed: int) -> tuple[list[int], list[int]]:
    """The same with loops over pairs; means by NumPy, to its advantage."""
    rng = np.random.default_rng(seed)
    pairs, reversals = [0] * _CELLS, [0] * _CELLS
    for _ in range(n_trials):
        order = rng.permutation(scores.shape[0])
        reference, seen = (
            scores[rows].mean(axis=0).tolist() for rows in (order[:size], order[size : 2 * size])
        )
        for i in range(len(reference)):
            for j in range(i):
                d = reference[i] - reference[j]
                cell = min(int(-(-abs(d) // 0.01)), _CELLS - 1)
                pairs[cell] += 1
                if d * (seen[i] - seen[j]) < 0:
                    reversals[cell] += 1
    return pairs, reversals


def compare() -> list[Comparison]:
    """Return the comparisons, or nothing where the file is absent."""
    matrix = public_matrix(NAME)
    if matrix is None:
        return []
    ours = cpu_seconds(lambda: error_rates(matrix, n_trials=TRIALS), repeats=3)
    sizes = range(1, SIZES + 1)
    arrays = cpu_seconds(
        lambda: [vectorised(matrix.scores, size, _NUMPY_TRIALS, size) for size in sizes], repeats=3
    )
    loops = cpu_seconds(
        lambda: [plain(matrix.scores, size, _PYTHON_TRIALS, size) for size in sizes], repeats=1
    )
    task = f"{SIZES} sizes x {TRIALS:,} trials x {matrix.n_systems * (matrix.n_systems - 1) // 2:,} pairs"
    return [
        Comparison(
            task,
            ours,
            arrays * TRIALS / _NUMPY_TRIALS,
            "NumPy, a trial at a time",
            f"{_wall(matrix)}; theirs scaled up from {_NUMPY_TRIALS} trials; {_agreement(matrix)}",
        ),
        Comparison(
            task,
            ours,
            loops * TRIALS / _PYTHON_TRIALS,
            "plain Python, a pair at a time",
            f"scaled up from {_PYTHON_TRIALS} trials",
        ),
    ]


def _wall(matrix: ScoreMatrix) -> str:
    """Time ours by the clock on all cores, as users wait for it."""
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        start = time.perf_counter()
        error_rates(matrix, n_trials=TRIALS, executor=executor)
        return f"ours by the clock on {os.cpu_count()} threads {shown(time.perf_counter() - start)}"


def _agreement(matrix: ScoreMatrix) -> str:
    """Compare error rates of bins 1 to 10 at the largest size, in standard errors of NumPy's few trials."""
    result = error_rates(matrix, cardinalities=[SIZES], n_trials=TRIALS)
    pairs, reversals = vectorised(matrix.scores, SIZES, 10 * _NUMPY_TRIALS, 1)
    apart = np.abs(result.error_rates[0] - reversals[1:] / np.maximum(pairs[1:], 1))[:10]
    return f"rates within {100 * apart.max():.2g} points of ours"
