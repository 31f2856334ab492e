"""20,000 sign flips of all pairs of systems, step-down, next to plain code with NumPy."""

from functools import partial

import numpy as np

from benchmarks.data import public_matrix
from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.analyses.rank_resolution import Request, resolve
from topicset_core.collection import ScoreMatrix

NAMES = ("trec8_adhoc_top96_ap", "robust2004_ap")
FLIPS = 20_000
LARGE = (7000, 100)
_NUMPY_FLIPS = 500  # of each; scaled up, as every flip costs the same
_BLOCK = 250


def plain(scores: np.ndarray, n_flips: int, floor: float = 0.5, seed: int = 0) -> np.ndarray:
    """Adjusted p values in the order of ``triu_indices``: blocks of flips as arrays, one family."""
    n, m = scores.shape
    rng = np.random.default_rng(seed)
    means, i, k = scores.mean(axis=0), *np.triu_indices(m, 1)
    centred = scores - means
    covariance = centred.T @ centred / n
    own = np.diag(covariance)
    d = means[i] - means[k]
    v = own[i] + own[k] - 2 * covariance[i, k]
    is_constant = v <= 1e-12 * (own[i] + own[k])
    v0 = np.where(is_constant, 0.0, v + d * d)
    constant = floor * v0.mean()

    def statistic(q: np.ndarray, at: np.ndarray) -> np.ndarray:
        return q / np.sqrt((np.maximum(at - q * q, 1e-14 * at) + constant) / (n - 1))

    u = np.where(is_constant, 0.0, statistic(d, v0))
    order = np.argsort(np.abs(u), kind="stable")
    size = np.abs(u)[order]
    better, worse = np.where(u >= 0, i, k)[order], np.where(u >= 0, k, i)[order]
    z, count = scores - scores.mean(axis=1, keepdims=True), np.zeros(u.size)
    for _ in range(0, n_flips, _BLOCK):
        flipped = (rng.integers(0, 2, size=(_BLOCK, n)) * 2.0 - 1) @ z / n
        t = statistic(flipped[:, better] - flipped[:, worse], v0[order])
        t[:, is_constant[order]] = 0.0
        t[:, 0] = np.maximum(t[:, 0], (-t).max(axis=1))
        np.maximum.accumulate(t, axis=1, out=t)
        count += (t >= size - 1e-12).sum(axis=0)
    p = np.empty(u.size)
    p[order] = np.maximum.accumulate(((1 + count) / (n_flips + 1))[::-1])[::-1]
    return p


def matrices() -> list[ScoreMatrix]:
    """Return two public matrices where they are there, and a large one of random scores."""
    n, m = LARGE
    rng = np.random.default_rng(0)
    scores = np.clip(rng.normal(0.4, 0.2, (n, 1)) + rng.normal(0, 0.01, m) + rng.normal(0, 0.1, (n, m)), 0, 1)
    topics, systems = tuple(map(str, range(n))), tuple(map(str, range(m)))
    large = ScoreMatrix(scores=scores, topics=topics, systems=systems, measure="AP", name="random")
    return [*filter(None, map(public_matrix, NAMES)), large]


def compare() -> list[Comparison]:
    """Return one comparison per matrix."""
    rows = []
    request = Request(n_trials=FLIPS)
    for matrix in matrices():
        ours = cpu_seconds(partial(resolve, matrix, request), repeats=3)
        peer = cpu_seconds(partial(plain, matrix.scores, _NUMPY_FLIPS), repeats=1)
        result = resolve(matrix, request)
        n_plain = int((plain(matrix.scores, 4000) <= request.alpha).sum())
        note = (
            f"scaled up from {_NUMPY_FLIPS} flips, all pairs only, ours also each system's; "
            f"{result.n_resolved} and {n_plain} (4,000 flips) pairs resolved"
        )
        task = f"{FLIPS:,} flips of {matrix.n_topics} x {matrix.n_systems}"
        rows.append(Comparison(task, ours, peer * FLIPS / _NUMPY_FLIPS, "NumPy, blocks of flips", note))
    return rows
