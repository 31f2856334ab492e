"""The tests written trial by trial with NumPy and SciPy, on the same draws."""

from functools import lru_cache
from itertools import combinations

import numpy as np
from scipy import stats

from topicset_core.analyses.achieved_power.decide import BLOCK_DRAWS
from topicset_core.designs.search import Floats


def draws(seed: int, n_pool: int, n_topics: int, n_trials: int) -> tuple[np.ndarray, Floats]:
    """Topics and signs of the first block, as in the room's docstring on seeds."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    topics = rng.integers(0, n_pool, (BLOCK_DRAWS, n_topics))
    signs = np.where(rng.integers(0, 2, (BLOCK_DRAWS, n_topics)) == 1, 1.0, -1.0)
    return topics[:n_trials], signs[:n_trials]


def centred(scores: Floats) -> Floats:
    """Scores with equal means, and the variances that their topics estimate."""
    apart: Floats = scores - scores.mean(axis=0)
    return apart * apart.std(axis=0, ddof=1) / apart.std(axis=0)


def own_draws(seed: int, runs: list[int], n_pool: int, n_topics: int, n_trials: int) -> np.ndarray:
    """Topics of each run of the first block, (n_runs, n_trials, n_topics)."""
    streams = [np.random.SeedSequence(seed, spawn_key=(3, 0, run)) for run in runs]
    shape = (BLOCK_DRAWS, n_topics)
    return np.stack(
        [np.random.default_rng(one).integers(0, n_pool, shape, dtype=np.int32)[:n_trials] for one in streams]
    )


def two_way_residual(x: Floats) -> float:
    n, m = x.shape
    r = x - x.mean(axis=1, keepdims=True) - x.mean(axis=0) + x.mean()
    return float((r * r).sum() / ((m - 1) * (n - 1)))


def paired_t(x: Floats, alpha: float) -> bool:
    return bool(stats.ttest_rel(x[:, 0], x[:, 1]).pvalue <= alpha)


def wilcoxon(x: Floats, alpha: float) -> bool:
    d = np.round(x[:, 0] - x[:, 1], 12)
    # SciPy calls it asymptotic since 1.15; its types do not yet.
    result = stats.wilcoxon(d, method="asymptotic", correction=False)  # type: ignore[call-overload]
    return bool(result.pvalue <= alpha)


def one_way_f(x: Floats, alpha: float) -> bool:
    return bool(stats.f_oneway(*x.T).pvalue <= alpha)


def two_way_f(x: Floats, alpha: float) -> bool:
    n, m = x.shape
    f = n * np.var(x.mean(axis=0), ddof=1) / two_way_residual(x)
    return bool(stats.f.sf(f, m - 1, (m - 1) * (n - 1)) <= alpha)


@lru_cache
def studentised(alpha: float, m: int, df: int) -> float:
    return float(stats.studentized_range.isf(alpha, m, df))


def tukey(x: Floats, alpha: float, *, power: bool) -> bool:
    n, m = x.shape
    means = x.mean(axis=0)
    difference = abs(means[0] - means[1]) if power else np.ptp(means)
    q = studentised(alpha, m, (m - 1) * (n - 1))
    return bool(difference >= q * np.sqrt(two_way_residual(x) / n))


def bonferroni(x: Floats, alpha: float, *, power: bool) -> bool:
    pairs = [(0, 1)] if power else list(combinations(range(x.shape[1]), 2))
    k = x.shape[1] * (x.shape[1] - 1) / 2
    return any(stats.ttest_rel(x[:, i], x[:, j]).pvalue <= alpha / k for i, j in pairs)
