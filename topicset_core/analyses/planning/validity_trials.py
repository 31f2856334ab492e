"""Tests of a plan on topics drawn from scores, in many trials at once.

All tests of m systems are functions of the mean d_ij and the variance v_ij of the difference of each pair of
systems (with separate topics v_ij is the sum of both variances). With sums over the K = m (m - 1) / 2 pairs,

==================================== ==================================== ==================================
F of ANOVA                           F = n sum d_ij^2 / sum v_ij          m - 1 and df degrees of freedom
t with a common variance             t_ij^2 = n d_ij^2 / (sum v_ij / K)   df; critical value of the procedure
t with the variance of its own pair  t_ij^2 = n d_ij^2 / v_ij             n - 1; alpha over comparisons
==================================== ==================================== ==================================

where df is (m - 1)(n - 1) with shared and m (n - 1) with separate topics. The F test with correction multiplies
both degrees of freedom by epsilon (Box, Annals of Mathematical Statistics 25, 484-498, 1954), estimated in each
trial by Greenhouse and Geisser (Psychometrika 24, 95-112, 1959): epsilon = tr(C)^2 / ((m - 1) tr(C^2)), where
C = -J V J / 2 is the double-centred covariance of the systems, V has the v_ij and J centres.

Systems with equal means, and the directions of a difference of two, are those of `achieved_power.resampling`, so
that the page that checks a test says the same. Each set of systems has draws of its own, from ``SeedSequence(seed,
spawn_key=(matrix, stage, set))`` with stage 0 for the planned and 1 for the other test; their number follows from
the request alone. This needs no compiled kernels: a page answers before those of `achieved_power` are loaded.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.achieved_power.resampling import Sets, choose_sets, with_equal_means
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import mcnemar
from topicset_core.designs.distributions import critical_f
from topicset_core.designs.search import Floats
from topicset_core.designs.studentised import Family, n_comparisons

_BLOCK, _SMALL_BLOCK = 200, 25  # trials of a set that are drawn together, and fewest where each takes long
_FEWEST_SETS, _MOST_SETS, _MOST_TRIALS = 20, 2_000, 20_000
# Seconds; these only size the work.
_PER_SET, _PER_CELL, _PER_PRODUCT, _PER_DRAW, _PER_COUNT = 3e-4, 4e-8, 8e-11, 1.5e-8, 3e-9
_MANY = 6  # topics drawn per topic of the scores from which on their counts are drawn instead
_NO_VARIANCE = 1e-12  # a sum of squares below this share of the uncentred one is rounding
_KNOTS = 129  # of critical values by epsilon, which are right to .001 of their value

Decisions = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class PlannedTest:
    """A test that is run in each trial, on means and variances of differences, (n_pairs, n_trials)."""

    in_words: str
    n_systems: int
    alpha: float
    statistic: Literal["F", "corrected F", "common t", "own t", "McNemar"]
    family: Family = "pairs"  # of a baseline, the first system is compared with each other one
    is_separate: bool = False  # whether each system has topics of its own
    # The square of the critical value of t with a common variance, by n
    critical: Callable[[int], float] | None = field(default=None, repr=False)
    mcnemar: str = ""
    has_power: bool = True  # whether the power of one difference is asked for

    @property
    def comparisons(self) -> int:
        """Pairs that are tested, the first ones of all pairs."""
        return n_comparisons(self.family, self.n_systems)

    def rejects(self, n: int) -> Callable[[Floats, Floats], Decisions]:
        """Return the test of n topics: (means, variances) to decisions, one row per comparison."""
        m, alpha = self.n_systems, self.alpha
        df = (m if self.is_separate else m - 1) * (n - 1)
        if self.statistic == "F":
            return partial(_by_f, n, float(critical_f(m - 1, df, alpha)))
        if self.statistic == "corrected F":
            knots = np.geomspace(1 / (m - 1), 1.0, _KNOTS)
            return partial(_by_corrected_f, n, m, knots, critical_f(knots * (m - 1), knots * df, alpha))
        if self.critical is not None:
            return partial(_by_common_t, n, self.critical(n), self.comparisons)
        own = (2 if self.is_separate else 1) * (n - 1)
        return partial(_by_own_t, n, float(critical_f(1, own, alpha / self.comparisons)), self.comparisons)

    def mcnemar_rejects(self, n: int) -> Callable[[Integers, Integers], Decisions]:
        """Return McNemar's test of n topics: (topics for the first system, discordant topics) to decisions."""
        if self.mcnemar == "unconditional":
            return partial(_by_root, mcnemar.unconditional_critical(n, self.alpha))
        return partial(_by_counts, mcnemar.critical_counts(0, n, self.alpha, self.mcnemar))


def _by_counts(largest: Integers, first: Integers, discordant: Integers) -> Decisions:
    return np.asarray(np.minimum(first, discordant - first) <= largest[discordant])


def _by_root(critical: float, first: Integers, discordant: Integers) -> Decisions:
    far = np.abs(2 * first - discordant) >= critical * np.sqrt(discordant)
    return np.asarray(far & (discordant > 0))


def _by_f(n: int, critical: float | Floats, means: Floats, variances: Floats) -> Decisions:
    total = variances.sum(axis=0)
    return np.asarray((n * np.square(means).sum(axis=0) >= critical * total) & (total > 0))[np.newaxis]


def _by_corrected_f(
    n: int, m: int, knots: Floats, criticals: Floats, means: Floats, variances: Floats
) -> Decisions:
    return _by_f(n, np.interp(epsilons(m, variances), knots, criticals), means, variances)


def _by_common_t(n: int, critical: float, k: int, means: Floats, variances: Floats) -> Decisions:
    common = variances.mean(axis=0)
    return np.asarray((n * np.square(means[:k]) >= critical * common) & (common > 0))


def _by_own_t(n: int, critical: float, k: int, means: Floats, variances: Floats) -> Decisions:
    own = variances[:k]
    return np.asarray((n * np.square(means[:k]) >= critical * own) & (own > 0))


def epsilons(n_systems: int, variances: Floats) -> Floats:
    """Return Greenhouse and Geisser's epsilon from the variances of pairs, (n_pairs, n_trials).

    With R_i = sum_j v_ij and S the sum over pairs, tr(C) = S / m and
    tr(C^2) = (2 sum v_ij^2 - 2 sum R_i^2 / m + 4 S^2 / m^2) / 4.
    """
    m = n_systems
    first, second = np.triu_indices(m, 1)
    of_system = np.zeros((m, first.size))
    of_system[first, np.arange(first.size)] = of_system[second, np.arange(first.size)] = 1.0
    total = variances.sum(axis=0)
    rows = np.square(of_system @ variances).sum(axis=0)
    trace = np.square(variances).sum(axis=0) / 2 - rows / (2 * m) + np.square(total / m)
    with np.errstate(invalid="ignore", divide="ignore"):
        result = np.square(total / m) / ((m - 1) * trace)
    return np.asarray(np.clip(np.nan_to_num(result, nan=1.0), 1 / (m - 1), 1.0))


class Rates(NamedTuple):
    """How often a test was significant, by pair or set of systems."""

    sets: Sets
    type_one: Floats  # (n_sets,): share of significant trials of systems with equal means
    # Of systems that differ; of two, (n_sets, 3) by direction: of the first, of the second better, of one alone
    power: Floats | None
    by_direction: Floats
    n_trials: int  # per set


def rates(
    test: PlannedTest,
    n: int,
    difference: float,
    pool: ScoreMatrix,
    key: tuple[int, int],
    seed: int,
    seconds: float,
) -> Rates:
    """Return how often a test of n topics drawn from the scores is significant; the power where it is asked for."""
    m = test.n_systems
    per_trial = _seconds_per_trial(test, n, pool.n_topics)
    block = min(_BLOCK, max(_SMALL_BLOCK, int(seconds / (_FEWEST_SETS * per_trial))))
    wanted = min(_MOST_SETS, max(_FEWEST_SETS, int(seconds / (per_trial * block + _PER_SET))))
    sets = choose_sets(pool, m, wanted, seed)
    n_sets = len(sets.members)
    n_blocks = min(_MOST_TRIALS // block, max(1, int(seconds / (n_sets * (per_trial * block + _PER_SET)))))
    n_trials = block * n_blocks
    moved_by = difference if test.has_power else 0.0
    result = np.zeros((n_sets, 4))
    is_of_shares = test.statistic == "McNemar"
    scores = pool.scores if is_of_shares else with_equal_means(pool)
    run: Callable[[Floats, np.random.Generator], tuple[float, ...]]
    if is_of_shares:
        run = partial(_mcnemar, test.mcnemar_rejects(n), n, block)
    else:
        run = partial(_trials, test.rejects(n), n, block, test.is_separate, moved_by)
    for place, members in enumerate(sets.members):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(*key, place)))
        of_set = scores[:, members].T
        result[place] = np.mean([run(of_set, rng) for _ in range(n_blocks)], axis=0)
    power = result[:, 1:3].mean(axis=1) if moved_by else None
    return Rates(sets, result[:, 0], power, result[:, 1:], n_trials)


def _seconds_per_trial(test: PlannedTest, n: int, n_pool: int) -> float:
    pairs, drawn = n_comparisons("pairs", test.n_systems), test.n_systems if test.is_separate else 1
    products = n_pool * (test.n_systems if test.is_separate else 2 * pairs)
    draws = drawn * (min(n, _MANY * n_pool) * _PER_DRAW + n_pool * _PER_COUNT)
    return draws + products * _PER_PRODUCT + pairs * _PER_CELL


def _counts(n: int, block: int, n_pool: int, rng: np.random.Generator) -> Floats:
    """Return how often each topic is drawn in each trial of a block, (n_pool, block)."""
    if n > _MANY * n_pool:
        return rng.multinomial(n, np.full(n_pool, 1 / n_pool), block).astype(np.float64).T
    drawn = rng.integers(0, n_pool, (block, n)) + n_pool * np.arange(block)[:, np.newaxis]
    counts = np.bincount(drawn.ravel(), minlength=n_pool * block)
    return counts.astype(np.float64).reshape(block, n_pool).T


def _trials(
    rejects: Callable[[Floats, Floats], Decisions],
    n: int,
    block: int,
    is_separate: bool,
    difference: float,
    scores: Floats,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return Type I error and power by direction in a block of trials, of one set with equal means, (m, n_pool)."""
    m = len(scores)
    first, second = np.triu_indices(m, 1)
    if is_separate:
        counts = [_counts(n, block, scores.shape[1], rng) for _ in range(m)]
        sums = np.stack([row @ one for row, one in zip(scores, counts, strict=True)])
        squares = np.stack([row**2 @ one for row, one in zip(scores, counts, strict=True)])
        own = _variance(n, sums, squares)
        means, variances = (sums[first] - sums[second]) / n, own[first] + own[second]
    else:
        differences, count = scores[first] - scores[second], _counts(n, block, scores.shape[1], rng)
        sums = differences @ count
        means, variances = sums / n, _variance(n, sums, np.square(differences) @ count)
    type_one = float(rejects(means, variances).any(axis=0).mean())
    if not difference:
        return type_one, 0.0, 0.0, 0.0
    # The first system is better by the difference than the second, all others are in the middle. Of two systems
    # either may be the better one.
    places = np.concatenate([[0.5, -0.5], np.zeros(m - 2)]) * difference
    moved = (places[first] - places[second])[:, np.newaxis]
    up = rejects(means + moved, variances)[0]
    down = rejects(means - moved, variances)[0] if m == 2 else up
    return type_one, float(up.mean()), float(down.mean()), float(np.mean(up != down))


def _variance(n: int, sums: Floats, squares: Floats) -> Floats:
    rest = squares - np.square(sums) / n
    return np.asarray(np.where(rest > _NO_VARIANCE * squares, rest, 0.0) / (n - 1))


def _mcnemar(
    rejects: Callable[[Integers, Integers], Decisions],
    n: int,
    block: int,
    scores: Floats,
    rng: np.random.Generator,
) -> tuple[float, float, float, float]:
    """Return the Type I error of McNemar's test where scores are exchanged at random within each topic."""
    counts = _counts(n, block, scores.shape[1], rng)
    discordant = np.rint(np.abs(scores[0] - scores[1]) @ counts).astype(np.int64)
    return float(rejects(rng.binomial(discordant, 0.5), discordant).mean()), 0.0, 0.0, 0.0
