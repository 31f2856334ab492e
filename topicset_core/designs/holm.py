"""Holm's procedure (1979): adjusted p values, and its power to find every pair that differs.

Of K comparisons the largest |t| must reach c_1 = t_inv(nu; alpha / K), the next c_2 = t_inv(nu; alpha / (K -
1)), and so on; the first that does not ends it. Something is found exactly where Bonferroni finds something, and
for one pair their topics agree (alpha .01 to .10): within one topic for 10 and 20 systems, within 1.1 % for 5,
3.3 % for 3. To find all that differ, Holm's procedure needs 14 to 38 % fewer against a baseline, and up to 14 %
fewer over all pairs.

Against a baseline the statistics are independent given the baseline's mean and s, so powers are sums of
positive terms: exact. Over all pairs they are not, and the power is Bonferroni's, exact, plus the share of
simulated trials in which Holm's procedure finds what Bonferroni's does not. That share is small, and so is
its error.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from topicset_core.designs.distributions import critical_t
from topicset_core.designs.search import Floats
from topicset_core.designs.studentised import Family, baseline_nodes, beyond, n_comparisons, spread_nodes

P = TypeVar("P", float, float | None)

SEED = 20160601
"""Of all simulations here; results carry it."""

MOST_EXACT = 32
"""Systems other than the baseline up to which the power is computed by sums; above it would take minutes."""

_ROOT_2 = math.sqrt(2)
_TRIALS, _NORMALS = 100_000, 2_000_000
_STRATA = 1000  # of s, each at its middle
_FEW_TESTS = 9
_LEAST_WEIGHT = 1e-17  # of a node that counts; all others together have less than 1e-14
_LEVELS = 2000  # critical values that are computed; between them, for more pairs, they are interpolated


def n_trials(n_systems: int) -> int:
    """Return how many trials a simulated power rests on."""
    return min(_TRIALS, _NORMALS // n_systems // _STRATA * _STRATA)


def adjusted(p_values: Sequence[P]) -> list[P]:
    """Return p values adjusted for their number, in their order; one that is None counts, too."""
    n = len(p_values)
    order = sorted((value, place) for place, value in enumerate(p_values) if value is not None)
    result: list[Any] = [None] * n
    largest = 0.0
    for rank, (value, place) in enumerate(order):
        largest = max(largest, min(1.0, (n - rank) * value))
        result[place] = largest
    return result


def critical_levels(df: float, alpha: float, n_tests: int) -> Floats:
    """Return c_1 > ... > c_K of Holm's procedure."""
    left = np.arange(n_tests, 0, -1, dtype=np.float64)
    if n_tests <= _LEVELS:
        return critical_t(df, alpha / left)
    few = np.unique(np.geomspace(1, n_tests, _LEVELS).round())
    return np.asarray(np.interp(np.log(left), np.log(few), critical_t(df, alpha / few)))


@lru_cache(maxsize=64)  # a search ends where the answer states the power again
def every_system(df: float, alpha: float, n_tests: int, distance: float) -> float:
    """Return the probability that all K systems are found where all differ from the baseline by `distance`."""
    # Numba is imported by the first question, not by the designs.
    from topicset_core.designs.holm_kernels import all_reached

    x, s, weights = _nodes(df, n_tests)
    tails = np.array([beyond(x, _ROOT_2 * c * s, distance) for c in critical_levels(df, alpha, n_tests)])
    return float(all_reached(np.minimum(tails, 1.0)) @ weights)


def gain_over_bonferroni(
    family: Family, df: float, alpha: float, n_systems: int, means: str, distance: float
) -> tuple[float, float]:
    """Return the probability that Holm's procedure finds all and Bonferroni's does not, with its standard error."""
    from scipy import special

    from topicset_core.designs.holm_kernels import pairs_found

    normals = _normals(n_systems)
    shares = (np.arange(_STRATA) + 0.5) / _STRATA
    spread = np.resize(_ROOT_2 * np.sqrt(special.gammaincinv(df / 2, shares) * 2 / df), len(normals))
    levels = critical_levels(df, alpha, n_comparisons(family, n_systems))
    y = normals + distance * offsets_of(means, n_systems)
    apart = np.abs(y[:, 1:] - y[:, :1]) if family == "baseline" else _apart(y, means)
    needed = apart.min(axis=1)
    # Else it is found by both, or by neither.
    is_open = (needed < levels[0] * spread) & (needed >= levels[-1] * spread)
    if family == "pairs":
        count = pairs_found(np.sort(y[is_open], axis=1), needed[is_open], spread[is_open], levels)
    else:
        reached = np.sort(apart[is_open], axis=1)[:, ::-1] >= np.outer(spread[is_open], levels)
        count = int(reached.all(axis=1).sum())
    gain = count / len(normals)
    return gain, math.sqrt(gain * (1 - gain) / len(normals))


def _apart(y: Floats, means: str) -> Floats:
    """Return by how much two means are apart whose difference must be found; of halves the nearest two."""
    if means == "one-better":
        return np.asarray(np.abs(y[:, -1:] - y[:, :-1]))
    if means == "halves":
        half = y.shape[1] // 2
        return np.asarray(y[:, half:].min(axis=1, keepdims=True) - y[:, :half].max(axis=1, keepdims=True))
    return np.asarray(np.diff(y, axis=1))  # a ladder


def offsets_of(means: str, n_systems: int) -> Floats:
    """Return the true means of a configuration, ascending, in units of minD; a baseline is the first."""
    if means == "ladder":
        return np.arange(n_systems, dtype=np.float64)
    if means == "equally-spaced":
        return np.linspace(0.0, 1.0, n_systems)
    below = {"two-extremes": 1, "halves": n_systems // 2, "all-differ": 1}
    at_bottom = below.get(means, n_systems - 1)  # a better system, or any that differs
    offsets = np.full(n_systems, 0.5 if means == "two-extremes" else 1.0)
    offsets[:at_bottom], offsets[-1] = 0.0, 1.0
    return offsets


@lru_cache(maxsize=4)
def _normals(n_systems: int) -> Floats:
    return np.random.default_rng([SEED, n_systems]).standard_normal((n_trials(n_systems), n_systems))


def _nodes(df: float, n_tests: int) -> tuple[Floats, Floats, Floats]:
    """Return pairs of values of the baseline's mean and of s, flat, and their weights; fewer for few tests."""
    is_few = n_tests <= _FEW_TESTS
    x, of_x = baseline_nodes(n_tests, 64 if is_few else None)
    s, of_s = spread_nodes(df, 48) if is_few else spread_nodes(df)
    weights = np.outer(of_s, of_x).ravel()
    counts = weights > _LEAST_WEIGHT
    return np.tile(x, s.size)[counts], np.repeat(s, x.size)[counts], weights[counts]


def warm_up() -> None:
    """Compile the kernels by small questions."""
    every_system(10.0, 0.05, 2, 3.0)
    gain_over_bonferroni("pairs", 10.0, 0.05, 3, "one-better", 3.0)
