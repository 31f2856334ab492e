"""What a test decides in each trial: on equal systems, and on systems that differ.

All tests but the randomised ones, Wilcoxon's and McNemar's need sums only: a trial is a vector of how often it has
each topic, and sums over its topics are a product of matrices. A true difference moves means and leaves variances
alone, so equal and different systems share these sums.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.achieved_power.resampling import Integers, Pool, pool_of, turned_places
from topicset_core.analyses.achieved_power.significance_tests import SignificanceTest
from topicset_core.designs.distributions import critical_f, upper_normal
from topicset_core.designs.mcnemar import critical_counts
from topicset_core.designs.search import Floats
from topicset_core.designs.shares import shares_of
from topicset_core.designs.studentised import critical_value, n_comparisons

Decisions = NDArray[np.bool_]

BLOCK_DRAWS = 200
"""Trials that share a stream of random numbers and are computed side by side."""

_FEWEST_LANES, _HELD_SCORES = 16, 1_000_000  # trials side by side, and the scores that they may hold together
_ROUNDING = 1e-12
_DECIMALS = 12  # of differences in units of the largest: those of equal decimal scores are ties


@dataclass(frozen=True, kw_only=True, eq=False)
class Condition:
    """One state of the systems."""

    name: str
    pool: str  # which pool topics are drawn from
    shift: Floats = field(repr=False)  # (n_sets,): difference that is added
    is_power: bool = False  # whether the first two runs of each set differ


@dataclass(frozen=True, kw_only=True, eq=False)
class Setting:
    """A test with all that a block of trials needs."""

    test: SignificanceTest
    n_topics: int
    alpha: float  # significance level, familywise for tests of m systems
    topics: str  # whether systems share topics
    pools: dict[str, Pool] = field(repr=False)
    conditions: tuple[Condition, ...]  # states of the systems
    # Of the randomised tests, and of all that is drawn
    n_permutations: int
    seed: int

    @property
    def has_blocks(self) -> bool:
        """Whether the test removes topic difficulty."""
        return self.test.has_blocks(self.topics)


@dataclass(frozen=True, kw_only=True)
class Task:
    """Some sets in one block of trials."""

    block: int
    n_trials: int
    first: int
    after: int


@dataclass(frozen=True, kw_only=True)
class _Trials:
    """The topics of each trial, and the sets that are decided on them."""

    setting: Setting
    task: Task
    pool: Pool
    drawn: Integers  # (n_trials, n_topics): topics, by their place in the pool
    signs: Floats  # of the same shape: 1 or, where the scores of a swapped pool are exchanged, -1
    sizes: Integers  # (n_trials,): topics of each trial; further ones that are drawn have no scores

    def by_topic(self) -> "_Trials":
        """Return the trials on the topics of the drawn groups, where the pool has these."""
        topics = self.pool.topics
        if topics is None:
            return self
        drawn = topics[self.drawn].reshape(len(self.drawn), -1)
        signs = np.repeat(self.signs, topics.shape[1], axis=1)
        sizes = (drawn < self.pool.columns.shape[1] - 1).sum(axis=1)
        setting = replace(self.setting, n_topics=drawn.shape[1])
        return replace(self, setting=setting, drawn=drawn, signs=signs, sizes=sizes)

    def of_equal_size(self, some: slice) -> Iterator[tuple[int, Integers]]:
        """Yield numbers of topics, and the places of these trials that have as many."""
        sizes = self.sizes[some]
        for n in np.unique(sizes).tolist():
            yield n, np.flatnonzero(sizes == n)


def decided(setting: Setting, task: Task) -> Decisions:
    """Return whether the test is significant, (n_conditions, n_sets of the task, n_trials)."""
    n_trials, n_pool = task.n_trials, next(iter(setting.pools.values())).columns.shape[1]
    stream = np.random.SeedSequence(setting.seed, spawn_key=(0, task.block))
    rng = np.random.default_rng(stream)
    drawn = rng.integers(0, n_pool, (BLOCK_DRAWS, setting.n_topics))[:n_trials]
    ups = rng.integers(0, 2, (BLOCK_DRAWS, setting.n_topics))[:n_trials]
    signs: Floats = np.where(ups == 1, 1.0, -1.0)
    result = np.zeros((len(setting.conditions), task.after - task.first, n_trials), dtype=np.bool_)
    for name, pool in setting.pools.items():
        requested = [place for place, condition in enumerate(setting.conditions) if condition.pool == name]
        conditions = [setting.conditions[place] for place in requested]
        trials = _Trials(
            setting=setting,
            task=task,
            pool=pool.part(task.first, task.after),
            drawn=drawn,
            signs=signs,
            sizes=np.full(n_trials, setting.n_topics),
        ).by_topic()
        shifts = [condition.shift[task.first : task.after] for condition in conditions]
        is_power = [condition.is_power for condition in conditions]
        result[requested] = _decide(trials, shifts, is_power)
    return result


def _decide(trials: _Trials, shifts: list[Floats], is_power: list[bool]) -> list[Decisions]:
    """Return whether the test is significant in each state of the systems, (n_sets, n_trials)."""
    test = trials.setting.test
    if test.name == "wilcoxon":
        return [_wilcoxon(trials, shift) for shift in shifts]
    if test.name == "sign-flip":
        return _sign_flip(trials, shifts)
    if test.is_of_shares:
        return _mcnemar(trials, shifts, is_power)
    if test.name == "randomised-tukey":
        return _randomised_tukey(trials, shifts, is_power)
    return _by_sums(trials, shifts, is_power)


def _by_sums(trials: _Trials, shifts: list[Floats], is_power: list[bool]) -> list[Decisions]:
    """Decide by F, by |t| with a pooled variance, or by the t of each pair."""
    from topicset_core.analyses.achieved_power import kernels

    setting = trials.setting
    m, alpha = trials.pool.members.shape[1], setting.alpha
    name, has_blocks = setting.test.name, setting.has_blocks
    if name == "bonferroni":
        return _each_pair(trials, shifts, is_power)
    sums, members, squares = _sums(trials, has_blocks=has_blocks)
    results = [np.zeros((len(members), trials.task.n_trials), dtype=np.bool_) for _ in shifts]
    for n, some in trials.of_equal_size(slice(None)):
        df = (m - 1) * (n - 1) if has_blocks else m * (n - 1)
        critical = (
            float(critical_value("pairs", m, df, alpha)) ** 2
            if name == "tukey"
            else float(critical_f(m - 1, df, alpha))
        )
        of_some = sums.take(some, axis=1), members, squares.take(some, axis=1)
        for result, shift, power in zip(results, shifts, is_power, strict=True):
            compared = kernels.F_STATISTIC
            if name == "tukey":
                compared = kernels.PAIR if power else kernels.ANY_PAIR
            result[:, some] = kernels.decisions(*of_some, n, critical, shift, has_blocks, compared)
    return results


def _each_pair(trials: _Trials, shifts: list[Floats], is_power: list[bool]) -> list[Decisions]:
    """Decide by a paired t test per pair at alpha / K: some pair of equal systems, or the pair that differs."""
    from topicset_core.analyses.achieved_power import kernels

    setting, task, pool = trials.setting, trials.task, trials.pool
    m = pool.members.shape[1]
    n_pairs = n_comparisons("pairs", m)
    pairs = np.stack(np.triu_indices(m, 1), axis=1)
    results = [np.zeros((len(pool.members), task.n_trials), dtype=np.bool_) for _ in shifts]
    if not pool.is_swapped or m == 2:
        members = pool.members[:, pairs].reshape(-1, 2)
        all_pairs = pool_of(pool.columns, members, has_blocks=True, is_swapped=pool.is_swapped)
        parts = iter([(slice(None), slice(None), _sums(replace(trials, pool=all_pairs), has_blocks=True))])
    else:
        parts = (
            (slice(place, place + 1), some, _sums_of_pairs(scores, pairs))
            for place, some, scores in _gathered(trials)
        )
    for which, some, (sums, members, squares) in parts:
        for n, at in trials.of_equal_size(some):
            critical = float(critical_f(1, n - 1, setting.alpha / n_pairs))
            of_some = sums.take(at, axis=1), members, squares.take(at, axis=1)
            for result, shift, power in zip(results, shifts, is_power, strict=True):
                of_pairs = np.zeros((len(members) // n_pairs, n_pairs))
                of_pairs[:, 0] = shift[which]
                each = kernels.decisions(*of_some, n, critical, of_pairs.ravel(), True, kernels.PAIR)
                each = each.reshape(-1, n_pairs, at.size)
                result[which, some][:, at] = each[:, 0] if power else each.any(axis=1)
    return results


def _sums_of_pairs(scores: Floats, pairs: Integers) -> tuple[Floats, Integers, Floats]:
    """Return sums over topics, pairs and squared deviations from the mean of a topic, of scores (n, m, trials)."""
    squares = np.stack([np.square(scores[:, i] - scores[:, k]).sum(axis=0) / 2 for i, k in pairs])
    return scores.sum(axis=0), pairs.astype(np.int64), squares


def _sums(trials: _Trials, *, has_blocks: bool) -> tuple[Floats, Integers, Floats]:
    """Return sums of columns, the columns of each set, and sums of squares of each set, by trial."""
    from topicset_core.analyses.achieved_power import kernels

    setting, task, pool = trials.setting, trials.task, trials.pool
    drawn, signs = trials.drawn, trials.signs
    n_pool = pool.columns.shape[1]
    if setting.topics == "separate":
        used, where = np.unique(pool.members, return_inverse=True)
        sums, second = np.empty((2, used.size, task.n_trials))
        for place, column in enumerate(used.tolist()):
            stream = np.random.SeedSequence(setting.seed, spawn_key=(3, task.block, column))
            shape = (BLOCK_DRAWS, setting.n_topics)
            topics = np.random.default_rng(stream).integers(0, n_pool, shape, dtype=np.int32)
            sums[place], second[place] = kernels.own_sums(pool.columns[column], topics[: task.n_trials])
        members = where.reshape(pool.members.shape).astype(np.int64)
        return sums, members, np.ascontiguousarray(second[members].sum(axis=1))
    weights = kernels.tally(drawn, np.ones_like(signs), n_pool)
    squares = pool.squares @ weights
    if not pool.is_swapped:
        return pool.columns @ weights, pool.members, squares
    if pool.members.shape[1] == 2:  # exchanging two scores is changing the sign of half their difference
        signed = pool.columns @ kernels.tally(drawn, signs, n_pool)
        if has_blocks:
            return signed, pool.members, squares
        plain = pool.columns @ weights
        first, other = pool.members.T
        level, half = (plain[first] + plain[other]) / 2, (signed[first] - signed[other]) / 2
        own = np.arange(2 * len(half), dtype=np.int64).reshape(2, -1).T
        return np.concatenate([level + half, level - half]), np.ascontiguousarray(own), squares
    sums = np.empty((*pool.members.shape, task.n_trials))
    for place, some, scores in _gathered(trials):
        sums[place][:, some] = scores.sum(axis=0)
    each = np.arange(pool.members.size, dtype=np.int64).reshape(pool.members.shape)
    return sums.reshape(-1, task.n_trials), each, squares


def _gathered(trials: _Trials) -> Iterator[tuple[int, slice, Floats]]:
    """Yield the scores of each set on the topics of some trials, swapped where the pool is, (n, m, n_trials)."""
    from topicset_core.analyses.achieved_power.kernels import gathered

    pool, drawn = trials.pool, trials.drawn
    lanes = max(_FEWEST_LANES, _HELD_SCORES // (trials.setting.n_topics * pool.members.shape[1]))
    for place in range(len(pool.members)):
        for start in range(0, len(drawn), lanes):
            stream = _stream(trials, place, start)
            some = slice(start, min(start + lanes, len(drawn)))
            yield place, some, gathered(pool.rows(place), drawn[some], pool.is_swapped, stream)


def _stream(trials: _Trials, place: int, start: int, use: int = 0) -> np.uint64:
    key = (2, trials.task.block, trials.task.first + place, start, use)
    result: np.uint64 = np.random.SeedSequence(trials.setting.seed, spawn_key=key).generate_state(
        1, np.uint64
    )[0]
    return result


def _differences(pool: Pool) -> Floats:
    """Return the per-topic difference of each pair, (n_pairs, n_topics)."""
    return np.asarray(pool.columns[pool.members[:, 0]] - pool.columns[pool.members[:, 1]])


def _wilcoxon(trials: _Trials, shift: Floats) -> Decisions:
    """Decide by the signed rank statistic: zeros left out, ties corrected for, normal approximation."""
    from topicset_core.analyses.achieved_power.kernels import signed_ranks, tally

    pool, drawn, signs = trials.pool, trials.drawn, trials.signs
    n_pool, critical = pool.columns.shape[1], upper_normal(trials.setting.alpha / 2)
    differences = _differences(pool)
    if pool.is_swapped:
        weights = np.concatenate(
            [tally(drawn, (signs > 0) * 1.0, n_pool), tally(drawn, (signs < 0) * 1.0, n_pool)]
        )
        differences = np.concatenate([differences, -differences], axis=1)
    else:
        weights = tally(drawn, np.ones_like(signs), n_pool)
    result = np.zeros((len(pool.members), drawn.shape[0]), dtype=np.bool_)
    for place, atoms in enumerate(differences + shift[:, np.newaxis]):
        scale = float(np.abs(atoms).max()) or 1.0
        atoms = np.round(atoms / scale, _DECIMALS)
        order = np.argsort(np.abs(atoms), kind="stable")
        order = order[atoms[order] != 0]
        z = signed_ranks(np.abs(atoms[order]), atoms[order] > 0, order, weights)
        result[place] = np.abs(z) >= critical
    return result


def _sign_flip(trials: _Trials, shifts: list[Floats]) -> list[Decisions]:
    """Decide by the share of sign flips whose mean is as far from 0: (1 + count) / (B + 1) at most alpha."""
    from topicset_core.analyses.rank_resolution.kernels import flipped_means

    setting, pool, drawn = trials.setting, trials.pool, trials.drawn
    n, n_flips = setting.n_topics, setting.n_permutations
    results = [np.zeros((len(pool.members), trials.task.n_trials), dtype=np.bool_) for _ in shifts]
    ones = np.ones((n, 1))
    for place, difference in enumerate(_differences(pool)):
        values = difference[drawn] * trials.signs if pool.is_swapped else difference[drawn]
        rng = np.random.default_rng(int(_stream(trials, place, 0)))
        flips = rng.integers(0, 256, (n_flips, -(-n // 8)), dtype=np.uint8)
        means = flipped_means(np.ascontiguousarray(values.T), flips)
        of_shift = flipped_means(ones, flips)
        observed = values.mean(axis=1)
        for kind, shift in enumerate(shifts):
            reached = np.abs(observed + shift[place]) * (1 - _ROUNDING)
            counts = (np.abs(means + shift[place] * of_shift) >= reached).sum(axis=0)
            results[kind][place] = _is_rare(counts, setting)
    return results


def _mcnemar(trials: _Trials, shifts: list[Floats], is_power: list[bool]) -> list[Decisions]:
    """Decide by how many topics only one system has right: on swapped scores, and on turned ones."""
    from topicset_core.analyses.achieved_power.kernels import tally

    setting, task, pool, drawn = trials.setting, trials.task, trials.pool, trials.drawn
    n, n_pool = setting.n_topics, pool.columns.shape[1]
    critical = critical_counts(0, n, setting.alpha, setting.test.of_mcnemar)
    differences = _differences(pool)
    stream = np.random.SeedSequence(setting.seed, spawn_key=(4, task.block))
    within = np.random.default_rng(stream).random((BLOCK_DRAWS, n))[: len(drawn)]
    results = []
    for shift, power in zip(shifts, is_power, strict=True):
        first, other = np.empty((2, len(pool.members), len(drawn)), dtype=np.int64)
        if not power:
            discordant = np.abs(differences) @ tally(drawn, np.ones_like(trials.signs), n_pool)
            balance = differences @ tally(drawn, trials.signs, n_pool)
            first, other = ((discordant + more).astype(np.int64) // 2 for more in (balance, -balance))
        else:
            for place, (difference, moved) in enumerate(zip(differences, shift.tolist(), strict=True)):
                rng = np.random.default_rng(int(_stream(trials, place, 0)))
                at = turned_places(difference, rng)[drawn] + within
                shares = shares_of(moved, float(difference.var()))
                first[place] = (at < shares[0] * n_pool).sum(axis=1)
                other[place] = (at >= (1 - shares[1]) * n_pool).sum(axis=1)
        results.append(np.minimum(first, other) <= critical[first + other])
    return results


def _randomised_tukey(trials: _Trials, shifts: list[Floats], is_power: list[bool]) -> list[Decisions]:
    """Decide by the share of permutations within topics whose range of means reaches the difference."""
    from topicset_core.analyses.achieved_power.kernels import permuted_ranges

    setting = trials.setting
    results = [np.zeros((len(trials.pool.members), trials.task.n_trials), dtype=np.bool_) for _ in shifts]
    for place, some, scores in _gathered(trials):
        scores -= scores.mean(axis=1, keepdims=True)
        sums = scores.sum(axis=0)
        for kind, (shift, power) in enumerate(zip(shifts, is_power, strict=True)):
            moved = float(shift[place])
            observed = np.abs(sums[0] - sums[1] + setting.n_topics * moved) if power else np.ptp(sums, axis=0)
            slack = _ROUNDING * setting.n_topics * max(float(np.abs(scores).max()), abs(moved))
            stream = _stream(trials, place, some.start, 1)
            counts = permuted_ranges(scores, setting.n_permutations, moved, observed - slack, stream)
            results[kind][place, some] = _is_rare(counts, setting)
    return results


def _is_rare(counts: Integers, setting: Setting) -> Decisions:
    allowed = setting.alpha * (setting.n_permutations + 1) - 1 + 1e-9
    return np.asarray(counts <= allowed)
