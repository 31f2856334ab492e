"""Best, worst and mean of all subsets of topics, next to plain code with scipy, one subset at a time."""

import math
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
from scipy import stats

from benchmarks.data import public_matrix
from benchmarks.timing import Comparison, cpu_seconds, show, shown
from topicset_core.analyses.topic_subsets.by_measure import criterion_for
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.collection import ScoreMatrix

NAME = "trec8_adhoc_top96_ap"
_SAMPLE = 200  # subsets that scipy judges; scaled up, as each costs the same


def error_rate(x: np.ndarray, y: np.ndarray) -> float:
    """Eq. 1 of Guiver et al. (2009) for all pairs at once."""
    first, second = np.triu_indices(len(x), 1)
    dx, dy = x[first] - x[second], y[first] - y[second]
    return float(np.abs(dy)[dx * dy < 0].sum() / np.abs(dy).sum())


PEERS: dict[Goodness, tuple[str, Callable[[np.ndarray, np.ndarray], float]]] = {
    "pearson": ("scipy.stats.pearsonr", lambda x, y: float(stats.pearsonr(x, y).statistic)),
    "kendall": ("scipy.stats.kendalltau", lambda x, y: float(stats.kendalltau(x, y).statistic)),
    "error-rate": ("NumPy, all pairs at once", error_rate),
}


def compare() -> list[Comparison]:
    """Return the comparisons, or nothing where the file is absent."""
    matrix = public_matrix(NAME)
    if matrix is None:
        return []
    half = replace(matrix, scores=matrix.scores[::2], topics=matrix.topics[::2])
    every = tuple(range(1, half.n_topics + 1))
    results = [
        _compared(half, goodness, every, "exhaustive", 2**half.n_topics - 1, "all 2^25 subsets")
        for goodness in PEERS
    ]
    ends = (*range(1, 11), *range(40, 51))
    shown_view = 2 * sum(math.comb(50, size) for size in range(1, 11)) + 1
    results.append(_compared(matrix, "pearson", ends, "exhaustive", shown_view, "all <= 10 and >= 40 of 50"))
    _show_search(matrix)
    return results


def _compared(
    matrix: ScoreMatrix, goodness: Goodness, sizes: tuple[int, ...], method: Method, n_subsets: int, text: str
) -> Comparison:
    request = Request(goodness=goodness, cardinalities=sizes, method=method, n_trials=2)
    start = time.process_time()
    subset_curve(matrix, request)
    ours = time.process_time() - start
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        clock = time.perf_counter()
        subset_curve(matrix, request, executor=executor)
        wall = time.perf_counter() - clock
    name, peer = PEERS[goodness]
    rng = np.random.default_rng(1)
    subsets = [rng.permutation(matrix.n_topics)[: matrix.n_topics // 3] for _ in range(_SAMPLE)]
    # In whole units of the fourth decimal, so that theirs sees ties, too.
    whole = np.rint(1e4 * matrix.scores)
    full = whole.sum(axis=0)

    def theirs() -> list[float]:
        return [peer(whole[topics].sum(axis=0), full) for topics in subsets]

    criterion = criterion_for(matrix, goodness)
    values = [criterion.value(np.sort(topics).tolist()) or 0.0 for topics in subsets]
    apart = max(abs(abs(a) - abs(b)) for a, b in zip(values, theirs(), strict=True))
    return Comparison(
        f"{text}, {goodness}",
        ours,
        cpu_seconds(theirs, repeats=3) * n_subsets / _SAMPLE,
        name,
        f"ours by the clock on {os.cpu_count()} threads {shown(wall)}; theirs scaled up from {_SAMPLE} subsets; "
        f"values agree to {apart:.0e}",
    )


def _show_search(matrix: ScoreMatrix) -> None:
    """Report the time of the search over all sizes; scipy has no peer to it."""
    request = Request(goodness="pearson", cardinalities=tuple(range(1, 51)), method="local")
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        clock = time.perf_counter()
        subset_curve(matrix, request, executor=executor)
        show(
            f"local search, all sizes of 50 topics, pearson: {shown(time.perf_counter() - clock)} by the clock"
        )
