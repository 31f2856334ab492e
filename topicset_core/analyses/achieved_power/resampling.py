"""The pool that topics are drawn from: which runs are compared, equal systems, and systems that differ.

Pairs, or sets of m runs, are drawn at random from all runs, as a plan takes its variance from all of them; pairs
whose difference hardly varies are left out, as resamples of them have no variance. Topics are drawn with
replacement, so n may exceed the topics of the pool; but no score that the pool lacks can then be drawn.

Null: *centred* subtracts each run's mean, and multiplies by sqrt(N / (N - 1)), so that drawn topics have the
variance that the N topics of the pool estimate, as the plan takes it; *swapped* exchanges the scores of a topic
between the systems at random. Urbano, Lima and Hanjalic (2019) draw from a fitted model instead, whose topics are
new ones.
Difference D: *additive* adds D / 2 to the first run of a set and subtracts it from the second; *bounded* multiplies
runs by factors of at most 1, so that their means are T, T - D and for all others T - D / 2, with the largest T
possible. A plan does not know which of two systems will be better, and skewed differences are found more often in
one direction. So the power of two centred runs is the mean over both directions. Swapped scores are symmetric:
their direction makes no difference.

For McNemar's test scores of 0 and 1 must stay 0 or 1. So equal systems are swapped: discordant topics, on which
only one system has a 1, stay discordant, and which system it is, is random. For a difference D the scores of some
topics are *turned*, no more than needed, until only the better system has a 1 on a share p10 of the topics, and
only the other on p01, with p10 - p01 = D and the variance of the pair, p10 + p01 - D^2 (`designs.shares`). As
adding does, this leaves the variance alone; so the power of each pair has the closed form of the design. Such
shares are no whole numbers of topics, so drawn topics are turned: they are sorted by the difference of the pair,
and at random where it is equal. With the place j of a drawn topic among the N of the pool, from 0, and u uniform,
only the better system has a 1 if (j + u) / N < p10, and only the other if it is at least 1 - p01.

**Topics in groups.** Rows are whole groups then, which are drawn. The same draws show what the test makes of their
topics if it takes these as independent: scores by topic, centred, and for swapping exchanged in whole groups.
Smaller groups are filled up with zeros, which change no sum, rank or permutation; n is without them.

Seeds: block b of trials draws topics from ``SeedSequence(seed, spawn_key=(0, b))``, for separate topics of run r
from ``(3, b, r)``; sets are chosen by ``(1,)``, and permutations of set p in block b come from ``(2, b, p,
...)``, u of block b from ``(4, b)``. So all tests see the same topics, and results do not depend on batches or
workers.
"""

import math
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import ScoreMatrix
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError

Integers = NDArray[np.int64]

LEAST_VARIANCE = 1e-5
"""Variance of a difference below which a pair is left out, times the squared range of the scores."""

NO_DIFFERENCE = "must have two runs with a difference that varies over topics"
"""What scores are refused for."""

_ATTEMPTS = 50


def varies(matrix: ScoreMatrix) -> NDArray[np.bool_]:
    """Return whether the difference of two runs varies over topics, (n_systems, n_systems)."""
    centred = matrix.scores - matrix.scores.mean(axis=0)
    covariance = centred.T @ centred / matrix.n_topics
    own = np.diag(covariance)
    difference = own[:, np.newaxis] + own - 2 * covariance
    scale = float(matrix.scores.max() - matrix.scores.min()) ** 2
    return np.asarray(difference >= LEAST_VARIANCE * scale)


@dataclass(frozen=True, kw_only=True, eq=False)
class Sets:
    """Pairs, or sets of m runs."""

    members: Integers = field(repr=False)  # (n_sets, m): places of the runs
    n_left_out: int  # pairs of runs that were left out, as their difference hardly varies
    is_all: bool  # whether these are all pairs that there are


def choose_sets(matrix: ScoreMatrix, n_systems: int, n_sets: int, seed: int) -> Sets:
    """Choose pairs or sets of runs."""
    if n_systems > matrix.n_systems:
        raise InputError("n_systems", n_systems, f"must be at most the {matrix.n_systems} runs of the scores")
    runs, differ = np.arange(matrix.n_systems), varies(matrix)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1,)))
    pairs = np.array(list(combinations(runs.tolist(), 2)))
    good = pairs[differ[pairs[:, 0], pairs[:, 1]]]
    left_out = len(pairs) - len(good)
    if not len(good):
        raise InputError("scores", matrix.name, NO_DIFFERENCE)
    if n_systems == 2:
        is_all = n_sets >= len(good)
        chosen = good if is_all else good[np.sort(rng.choice(len(good), n_sets, replace=False))]
        return Sets(members=chosen.astype(np.int64), n_left_out=left_out, is_all=is_all)
    results = [_one_set(runs, differ, n_systems, rng) for _ in range(n_sets)]
    return Sets(members=np.array(results, dtype=np.int64), n_left_out=left_out, is_all=False)


def _one_set(
    runs: Integers, differ: NDArray[np.bool_], n_systems: int, rng: np.random.Generator
) -> list[int]:
    for _ in range(_ATTEMPTS):
        taken: list[int] = []
        for run in rng.permutation(runs).tolist():
            if differ[run, taken].all():
                taken.append(run)
            if len(taken) == n_systems:
                return taken
    raise InputError(
        "n_systems", n_systems, "must be smaller: nearly identical runs are left out, and too few runs remain"
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Pool:
    """What topics are drawn from, for some sets of runs."""

    # (n_columns, n_topics): scores, one row per run, or one per run of each set where these are scaled
    columns: Floats = field(repr=False)
    members: Integers = field(repr=False)  # (n_sets, m): rows of `columns`
    # (n_sets, n_topics): each topic's sum of squared scores over the runs of a set, less their mean where
    # topics are blocks
    squares: Floats = field(repr=False)
    is_swapped: bool  # whether scores are exchanged within topics
    # (n_groups, most topics of a group): the topics of each group, where groups are drawn and tested by topic; the
    # last topic, which has no scores, in the place of those that smaller groups lack
    topics: Integers | None = None

    def rows(self, place: int) -> Floats:
        """Return the scores of one set, (n_topics, m)."""
        return np.ascontiguousarray(self.columns[self.members[place]].T)

    def part(self, first: int, after: int) -> "Pool":
        """Return the pool of some of the sets."""
        some = slice(first, after)
        return replace(self, members=self.members[some], squares=self.squares[some])


def pool_of(columns: Floats, members: Integers, *, has_blocks: bool, is_swapped: bool = False) -> Pool:
    """Return a pool with the squares of its sets."""
    squares = np.empty((len(members), columns.shape[1]))
    for place, of_set in enumerate(members):
        rows = columns[of_set]
        if has_blocks:
            rows = rows - rows.mean(axis=0)
        np.sum(rows * rows, axis=0, out=squares[place])
    columns = np.ascontiguousarray(columns)
    return Pool(columns=columns, members=members, squares=squares, is_swapped=is_swapped)


def with_equal_means(matrix: ScoreMatrix) -> Floats:
    """Return centred scores with the variances that their topics estimate, (n_topics, n_systems)."""
    n = matrix.n_topics
    return np.asarray((matrix.scores - matrix.scores.mean(axis=0)) * math.sqrt(n / (n - 1)))


def equal_systems(matrix: ScoreMatrix, sets: Sets, null: str, *, has_blocks: bool) -> Pool:
    """Return the pool of equal systems."""
    scores = matrix.scores if null == "swapped" else with_equal_means(matrix)
    return pool_of(scores.T.copy(), sets.members, has_blocks=has_blocks, is_swapped=null == "swapped")


def topics_of_groups(matrix: ScoreMatrix, sets: Sets, null: str, *, has_blocks: bool) -> Pool:
    """Return the pool of equal systems by topic, for groups that are drawn."""
    # A mean difference that is exchanged in whole groups would look like a correlation within them.
    pool = equal_systems(matrix, sets, "centred", has_blocks=has_blocks)
    columns, squares = (np.pad(rows, ((0, 0), (0, 1))) for rows in (pool.columns, pool.squares))
    groups = np.array(matrix.groups)
    topics = np.full((len(matrix.group_sizes), max(matrix.group_sizes.values())), matrix.n_topics)
    for place, (group, size) in enumerate(matrix.group_sizes.items()):
        topics[place, :size] = np.flatnonzero(groups == group)
    return replace(pool, columns=columns, squares=squares, is_swapped=null == "swapped", topics=topics)


def turned_places(difference: Floats, rng: np.random.Generator) -> Integers:
    """Return the place of each topic by the difference of a pair, those first that favour the better system."""
    upright = difference if difference.sum() >= 0 else -difference
    places = np.empty(difference.size, dtype=np.int64)
    places[np.lexsort((rng.random(difference.size), -upright))] = np.arange(difference.size)
    return places


def bounded_difference(
    matrix: ScoreMatrix, sets: Sets, differences: Floats, *, has_blocks: bool
) -> tuple[Pool, Sets]:
    """Return the pool whose first two runs differ in mean by scaling, and the sets for which that is possible."""
    if matrix.scores.min() < 0:
        raise InputError("shift", "bounded", "needs scores from 0 on: scaling is to keep them in their range")
    means = matrix.scores.mean(axis=0)[sets.members]
    order = np.where(means[:, :1] >= means[:, 1:2], 1.0, -1.0)[:, 0]  # the better of the two stays the better
    members = sets.members.copy()
    members[order < 0, :2] = members[order < 0, 1::-1]
    means = matrix.scores.mean(axis=0)[members]
    below = np.full(means.shape, 0.5) * differences[:, np.newaxis]
    below[:, 0], below[:, 1] = 0.0, differences
    top = (means + below).min(axis=1)
    possible = top - differences > 0
    if not possible.any():
        raise InputError(
            "shift", "bounded", "needs means above the difference: no pair of these runs has them"
        )
    factors = ((top[:, np.newaxis] - below) / means)[possible]
    kept = members[possible]
    columns = (factors[:, :, np.newaxis] * matrix.scores.T[kept]).reshape(-1, matrix.n_topics)
    own = np.arange(len(columns), dtype=np.int64).reshape(kept.shape)
    remaining = Sets(members=kept, n_left_out=sets.n_left_out, is_all=sets.is_all and bool(possible.all()))
    return pool_of(columns, own, has_blocks=has_blocks), remaining
