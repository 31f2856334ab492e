"""Are topics that good sets have reliably good, or would any topics seem so?

Topics are picked for a list because they do well on these runs, so that some are on the lists of any scores. How
long these lists are, how much lists of two halves of the runs share, and how much sets of neighbouring sizes
share, is compared with the same searches on matrices of exchangeable topics. Such a matrix keeps the run means,
the topic means and the residual variance of the scores. The residual, a score without both means, is shuffled
over topics for each unit of runs (`collection.units_of`), freed from means again and scaled to the sum of squares
it had: a topic that is good for one unit is no better for another than any topic.

Lists of the best sets change with a few runs, as many sets are nearly as good: so whether one topic is good is
asked of random sets. Its effect is the mean goodness of random sets with it less that of random sets without it,
on one half of the runs. Its gain is the smaller of the effects on both halves, its harm the smaller of minus the
effects; means over random splits. A topic is reliably good where its gain exceeds that of any topic of nearly all
matrices: with R matrices, where (1 + those in which some topic gains as much) / (R + 1) is at most `ALPHA`,
however many topics there are. Reliably bad topics likewise, by their harm.
"""

import math
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from topicset_core.analyses.topic_subsets.answer import advice_of, shared_of_possible
from topicset_core.analyses.topic_subsets.by_measure import criterion_of
from topicset_core.analyses.topic_subsets.criterion import (
    UNDEFINED,
    Criterion,
    Floats,
    Valued,
    generator,
    random_orders,
    random_subsets,
)
from topicset_core.analyses.topic_subsets.held_out.splits import checked_units, in_split, searched, split_of
from topicset_core.analyses.topic_subsets.request import CARDINALITIES, NullRequest
from topicset_core.analyses.topic_subsets.searches import LocalTask, local_search
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.execution.sizes import default_sizes
from topicset_core.exports.records import attributes
from topicset_core.exports.tables import Row
from topicset_core.progress import ReportProgress, silently
from topicset_core.question import Work

ALPHA = 0.05
"""Share of collections of exchangeable topics in which some topic is called reliably good; as many reliably bad."""

ACHIEVED = 0, 13
"""Per cent of simulated collections of exchangeable topics with such a list: 10 teams of 3 anonymous runs with
correlation .35 to .8 within teams, independent runs, and three tracks; most at .35 and for Robust 2004."""

LOW, HIGH = 5, 95
"""Percentiles over matrices of exchangeable topics."""

_KEY = 4  # of streams of random numbers; 0 to 3 are for curves and splits
_SHUFFLING, _SEARCHING, _DRAWING = range(3)
_DRAWN = 400  # random sets on each half of the runs, from which effects come
_NEIGHBOURS = 5  # sets whose neighbours are evaluated for the ten best
_CHAIN_STARTS = 4  # random starts of each size, where sizes are compared
_OVERHEAD = 2e-3  # seconds of a search in addition to its starts

GOOD, BAD = "reliably good", "reliably bad"
"""Verdicts on topics; "" if exchangeable topics seem so, too."""

ListKey = Literal[
    "keep", "exclude", "keep_of_both_halves", "exclude_of_both_halves", "best_sets_share", "worst_sets_share"
]
"""Numbers that are compared; `keep` and `exclude` are topics on the lists by all runs."""


@dataclass(frozen=True, kw_only=True)
class NullComparison:
    """Lists of topics next to lists of exchangeable topics."""

    request: NullRequest
    n_topics: int  # in all
    n_systems: int
    n_units: int  # units of similar runs kept together
    sizes: tuple[int, ...]  # sizes of the sets of which neighbours are compared
    numbers: tuple[Row, ...]  # by `ListKey`, in that order
    topics: tuple[Row, ...]  # in the order of the matrix
    gain_limit: float  # limit that no topic exceeds in 95 % of the matrices
    harm_limit: float

    def by(self, key: ListKey) -> Row:
        """Return one of the numbers."""
        return next(row for row in self.numbers if row["key"] == key)

    @property
    def reliably_good(self) -> tuple[str, ...]:
        """Topics that gain more on both halves than exchangeable ones do."""
        return tuple(row["topic"] for row in self.topics if row["verdict"] == GOOD)

    @property
    def reliably_bad(self) -> tuple[str, ...]:
        """Topics that do more harm on both halves than exchangeable ones do."""
        return tuple(row["topic"] for row in self.topics if row["verdict"] == BAD)

    def record(self) -> dict[str, Any]:
        """Return it for a record."""
        return {
            **self.request.record(),
            "n_units": self.n_units,
            "alpha": ALPHA,
            **attributes(self, "reliably_good reliably_bad gain_limit harm_limit"),
            "numbers": {row["key"]: row for row in self.numbers},
            "topics": self.topics,
        }


def compare_with_null(
    matrix: ScoreMatrix,
    request: NullRequest,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> NullComparison:
    """Compare topics to keep and to exclude with lists of exchangeable topics."""
    # TREC-8's 96 runs on 50 topics take about 20 CPU seconds by correlation.
    if not request.cardinality < matrix.n_topics:
        rule = f"must be below the {matrix.n_topics:,} topics"
        raise InputError(CARDINALITIES.name, request.cardinality, rule)
    units = checked_units(matrix, request.units)
    seconds = _seconds(matrix.scores, request)
    tasks = [(replicate, part) for replicate in range(request.n_replicates + 1) for part in seconds]
    costs = [seconds[part] for _, part in tasks]
    shape = request.n_replicates + 1, 2, matrix.n_topics
    # Lists by all runs, splits in which both halves have a topic on a list, and gains and harms
    lists, both, effects = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64), np.zeros(shape)
    shared, drawn = np.zeros(shape[:2]), np.zeros(2)
    work = partial(_part, matrix.scores, units, request)
    done = in_batches(work, tasks, costs, report_progress, executor)
    for (replicate, part), result in done:
        if part == _SIZES:
            shared[replicate] = result
        elif part == _ALL_RUNS:
            lists[replicate] = result
        else:
            (first, second), (gain, other_gain) = result
            both[replicate] += first & second
            effects[replicate] += np.minimum(gain, other_gain), np.minimum(-gain, -other_gain)
            if replicate == 0:
                drawn += first.sum(axis=1) * second.sum(axis=1) / matrix.n_topics
    return _comparison(
        matrix,
        request,
        len(set(units)),
        lists,
        both,
        effects / request.n_splits,
        shared,
        drawn / request.n_splits,
    )


def seconds_of(matrix: ScoreMatrix, request: NullRequest) -> float:
    """Return about how many CPU seconds a comparison takes."""
    return (request.n_replicates + 1) * sum(_seconds(matrix.scores, request).values())


def _seconds(scores: Floats, request: NullRequest) -> dict[int, float]:
    """Return about how many CPU seconds each part of the work on a matrix takes."""
    criterion = criterion_of(scores, request.goodness)
    starts = 2 * (2 + _CHAIN_STARTS)
    neighbours = _NEIGHBOURS * request.cardinality * (criterion.n_topics - request.cardinality)
    once = 2 * (
        (2 + request.n_starts) * criterion.seconds_per_start(request.cardinality)
        + neighbours / min(criterion.evaluations_per_second, 1e7)
        + _OVERHEAD
    )
    sizes = default_sizes(criterion.n_topics, criterion.n_topics)
    return {
        _ALL_RUNS: once,
        _SIZES: sum(starts * criterion.seconds_per_start(size) + _OVERHEAD / 4 for size in sizes),
        **dict.fromkeys(range(request.n_splits), 2 * once),
    }


def exchangeable(scores: Floats, units: Sequence[int], rng: np.random.Generator) -> Floats:
    """Return scores in which no topic is better than another but by chance; see the module."""
    of_unit = np.asarray(units)
    residuals = _free_of_means(scores)
    shuffled = np.empty_like(residuals)
    for unit in dict.fromkeys(units):
        columns = np.flatnonzero(of_unit == unit)
        shuffled[:, columns] = residuals[rng.permutation(len(scores))][:, columns]
    shuffled = _free_of_means(shuffled)
    square = float(np.square(shuffled).sum())
    scale = math.sqrt(float(np.square(residuals).sum()) / square) if square > 0 else 0.0
    return np.asarray(scores - residuals + scale * shuffled)


def _free_of_means(scores: Floats) -> Floats:
    """Return scores less their topic mean and run mean, plus the mean of all."""
    rows, columns = scores.mean(axis=1, keepdims=True), scores.mean(axis=0, keepdims=True)
    return np.asarray(scores - rows - columns + scores.mean())


_ALL_RUNS, _SIZES = -1, -2  # parts of the work on a matrix that are not splits


def _part(scores: Floats, units: tuple[int, ...], request: NullRequest, task: tuple[int, int]) -> Any:
    """Return the lists by all runs, (2, n), or lists and effects by two halves, or what sizes share, (2,)."""
    replicate, part = task
    if replicate > 0:  # 0 is the data
        scores = exchangeable(scores, units, generator(request.seed, _KEY, _SHUFFLING, replicate))
    if part in (_ALL_RUNS, _SIZES):
        criterion = criterion_of(scores, request.goodness)
        return (lists_of if part == _ALL_RUNS else _shared)(criterion, request)
    split = split_of(units, "runs", request.seed, part)
    halves = (split.chosen_on, split.evaluated_on)
    with in_split(part):
        criteria = [criterion_of(scores[:, half], request.goodness) for half in halves]
        lists = [lists_of(criterion, request) for criterion in criteria]
        return lists, [effects_of(criterion, request, part) for criterion in criteria]


def effects_of(criterion: Criterion, request: NullRequest, split: int) -> Floats:
    """Return the mean goodness of random sets with each topic less that of those without it, (n_topics,)."""
    orders = random_orders(generator(request.seed, _KEY, _DRAWING, split), criterion.n_topics, _DRAWN)
    values = criterion.walk(orders, np.array([request.cardinality], dtype=np.int64))[:, 0]
    has = np.zeros(orders.shape, dtype=bool)
    np.put_along_axis(has, orders[:, : request.cardinality], True, axis=1)
    defined = values > UNDEFINED
    values, has = values[defined] - values[defined].mean(), has[defined]
    n_with = has.sum(axis=0)
    total = values @ has
    return np.asarray(total / np.maximum(n_with, 1) + total / np.maximum(len(has) - n_with, 1))


def lists_of(criterion: Criterion, request: NullRequest) -> Any:
    """Return which topics are to keep and which to exclude, ndarray of bool, (2, n_topics)."""
    best, worst = (_ten(criterion, request, sign) for sign in (1, -1))
    good, bad = (Counter(topic for subset in sets for topic in subset.topics) for sets in (best, worst))
    topics = range(criterion.n_topics)
    advice = [advice_of(good[topic], len(best), bad[topic], len(worst)) for topic in topics]
    return np.array([[word == name for word in advice] for name in ("keep", "exclude")])


def _ten(criterion: Criterion, request: NullRequest, sign: int) -> tuple[Valued, ...]:
    """Return up to ten best (worst) sets by search from nothing, from everything and from random sets."""
    size, everything = request.cardinality, np.arange(criterion.n_topics).reshape(1, -1)
    starts = (everything[:, :0], everything)
    ends = [end for start in starts for end in criterion.local_search(start, size, sign)]
    evaluations = _NEIGHBOURS * size * (criterion.n_topics - size)
    task = LocalTask(
        criterion=criterion,
        cardinality=size,
        sign=sign,
        ends=tuple(ends),
        n_starts=request.n_starts,
        n_looks=float(evaluations),
        seed=request.seed,
    )
    return local_search(task)


def _shared(criterion: Criterion, request: NullRequest) -> Floats:
    """Return the share of the possible topics that best and worst sets keep from one size to the next."""
    results = []
    for sign in (1, -1):
        sets = []
        for size in default_sizes(criterion.n_topics, criterion.n_topics):
            rng = generator(request.seed, _KEY, _SEARCHING, size, int(sign > 0))
            starts = random_subsets(rng, criterion.n_topics, size, _CHAIN_STARTS)
            subset = searched(criterion, size, sign, starts)
            if subset is not None:
                sets.append(subset.topics)
        results.append(shared_of_possible(sets, criterion.n_topics) or 0.0)
    return np.array(results)


def _comparison(
    matrix: ScoreMatrix,
    request: NullRequest,
    n_units: int,
    lists: Any,
    both: Any,
    effects: Floats,
    shared: Floats,
    drawn: Floats,
) -> NullComparison:
    """Put the data, the first of all matrices, next to the others."""
    n = request.n_replicates

    def p_value(observed: float, others: Any) -> float:  # of others with at least as much, and the data
        return (1 + int(np.count_nonzero(others >= observed - 1e-12))) / (n + 1)

    def against(key: ListKey, values: Any, random_lists: float | None = None) -> Row:
        low, high = np.percentile(values[1:], (LOW, HIGH)).tolist()
        return {
            "key": key,
            "observed": float(values[0]),
            # Mean, 5th and 95th percentile over the matrices
            "mean": float(values[1:].mean()),
            "low": low,
            "high": high,
            # What lists of the same lengths share if their topics are drawn at random
            "random_lists": random_lists,
            "p_value": p_value(float(values[0]), values[1:]),
        }

    most = effects[1:].max(axis=2)  # over topics, (n_replicates, 2)
    limits = np.sort(most, axis=0)[min(n - 1, math.ceil(round((1 - ALPHA) * (n + 1), 6)) - 1)].tolist()
    on_both = both.mean(axis=2) * matrix.n_topics / request.n_splits
    topics = []
    of_topics = (values.T.tolist() for values in (lists[0], both[0], effects[0]))
    for topic, (keep, exclude), (kept, excluded), (gain, harm) in zip(matrix.topics, *of_topics, strict=True):
        # Of the largest effect of some topic: adjusted for all topics
        p_gain, p_harm = p_value(gain, most[:, 0]), p_value(harm, most[:, 1])
        topics.append(
            {
                "topic": topic,
                # Whether it is on the lists by all runs, and splits in which both halves have it there
                "keep": keep,
                "exclude": exclude,
                "kept": kept,
                "excluded": excluded,
                # By how much random sets with it are better (worse) than those without it, on the half of the
                # runs where that is less
                "gain": gain,
                "harm": harm,
                "p_gain": p_gain,
                "p_harm": p_harm,
                "verdict": GOOD if p_gain <= ALPHA else BAD if p_harm <= ALPHA else "",
            }
        )
    return NullComparison(
        request=request,
        n_topics=matrix.n_topics,
        n_systems=matrix.n_systems,
        n_units=n_units,
        sizes=default_sizes(matrix.n_topics, matrix.n_topics),
        numbers=(
            against("keep", lists[:, 0].sum(axis=1)),
            against("exclude", lists[:, 1].sum(axis=1)),
            against("keep_of_both_halves", on_both[:, 0], float(drawn[0])),
            against("exclude_of_both_halves", on_both[:, 1], float(drawn[1])),
            against("best_sets_share", shared[:, 0]),
            against("worst_sets_share", shared[:, 1]),
        ),
        topics=tuple(topics),
        gain_limit=limits[0],
        harm_limit=limits[1],
    )


NULL = Work(
    slug="subsets-null",
    request=NullRequest,
    compute=compare_with_null,
    preview=lambda *_: None,
    noun=lambda request: f"{request.n_replicates:,} matrices of exchangeable topics",
    seconds=seconds_of,
)
"""The comparison, as a part of the answer about subsets."""
