"""Splits, one by one: choose subsets on one half, evaluate them on the other.

Where topics are held out, subsets of some topics are evaluated against a reference of others: Y are the run means
over the other topics, X those over the subset, as in section 4.5.2 of Guiver et al. (2009).

The search is the same on any machine: topics are exchanged while that gains, from the set that takes in one best
topic at a time, from the one that gives up one at a time, and from a set number of random ones. Each cardinality
is searched separately, so that it does not depend on the others requested.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from topicset_core.analyses.topic_subsets.by_correlation import CorrelationCriterion, walk_against
from topicset_core.analyses.topic_subsets.by_pairs import PairCriterion
from topicset_core.analyses.topic_subsets.criterion import (
    UNDEFINED,
    Criterion,
    Evaluation,
    Floats,
    Topics,
    Valued,
    best_of,
    random_orders,
    random_subsets,
)
from topicset_core.analyses.topic_subsets.curve import criterion_of
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import Goodness, agreement_of
from topicset_core.analyses.topic_subsets.held_out.splits import (
    SEARCHING,
    SEARCHING_OWN,
    WALKING,
    WALKING_OWN,
    BothScores,
    Split,
    checked_units,
    given_split,
    in_split,
    split_of,
    splits_shown,
    stream,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress

FEWEST_TOPICS = 4
"""Topics that can be split so that each half has two."""

COLUMNS = ("best", "average", "worst", "own_best", "own_average", "own_worst", "given", "reversed")
"""Of the table of one split: goodness, oriented so that more is better, and the share of the pairs of runs that the
best chosen subset reverses on the held-out half; NaN where there is none."""

_OTHER_STARTS = 2  # from nothing and from everything
_OVERHEAD = 3e-4  # seconds of a size in addition to its search
_TASK_SECONDS = 0.25


@dataclass(frozen=True, kw_only=True, eq=False)
class Materials:
    """What all splits share."""

    both: BothScores
    units: tuple[int, ...]  # the unit of each run or topic
    request: HeldOutRequest  # held-out half, number of splits, goodness
    given: tuple[int, ...] = ()  # a subset to be evaluated next to them, where runs are held out
    split: Split | None = None

    @property
    def chosen(self) -> Floats:
        """Scores by which subsets are chosen, (n_topics, n_systems)."""
        return self.both.chosen.scores

    @property
    def evaluating(self) -> Floats:
        """Scores by which they are evaluated, (n_topics, n_systems)."""
        return self.both.evaluating.scores


def materials_of(both: BothScores, request: HeldOutRequest, given: Sequence[int] = ()) -> Materials:
    """Check scores against a request, and return the data that the splits share."""
    matrix, split = both.chosen, None
    both.evaluating  # noqa: B018 - refuses scores that do not match
    if request.chosen_on is not None:
        split = given_split(matrix, request.hold_out, request.chosen_on)
    if request.hold_out == "runs":
        units = () if split is not None else checked_units(matrix, request.units)
    elif matrix.n_systems < 2:
        raise InputError("systems", matrix.n_systems, "must be at least 2 runs for a ranking")
    elif matrix.n_topics < FEWEST_TOPICS:
        raise InputError(
            "topics", matrix.n_topics, f"must be at least {FEWEST_TOPICS} topics to be split in halves"
        )
    else:
        units = tuple(range(matrix.n_topics))
    return Materials(both=both, units=units, request=request, given=tuple(given), split=split)


def split_number(materials: Materials, number: int) -> Split:
    """Return a split of the units."""
    if materials.split is not None:
        return materials.split
    return split_of(materials.units, materials.request.hold_out, materials.request.seed, number)


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationAgainst:
    """Pearson's correlation of run means with others."""

    centred: Floats  # (n_topics, n_systems): scores less their mean over runs
    reference: Floats  # (n_systems,): sums of scores over the other topics, less their mean over runs
    tolerance: float  # sums of squares up to this are rounding

    def value(self, topics: Sequence[int]) -> float | None:
        """See `Evaluation.value`."""
        means = self.centred[list(topics)].sum(axis=0)
        square = float(means @ means)
        if square <= self.tolerance:
            return None
        correlation = float(means @ self.reference) / math.sqrt(
            square * float(self.reference @ self.reference)
        )
        return max(-1.0, min(1.0, correlation))

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """See `Evaluation.walk`."""
        return walk_against(self.centred, self.reference, self.tolerance, orders, cardinalities)


def evaluation_against(scores: Floats, reference: Floats, goodness: Goodness) -> Evaluation:
    """Return the evaluation of subsets of the rows of scores against the means over the rows of the reference."""
    if goodness != "pearson":
        return PairCriterion.of(scores, error_rate=goodness == "error-rate", reference=reference)
    subsets, others = CorrelationCriterion.of(scores), CorrelationCriterion.of(reference)
    return CorrelationAgainst(
        centred=subsets.centred, reference=others.centred.sum(axis=0), tolerance=subsets.tolerance
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class Criteria:
    """The criteria for choice and evaluation in one split."""

    choosing: Criterion  # looks for subsets, on the half to choose on
    evaluating: Evaluation  # evaluates these on the half that is held out
    own: Criterion  # looks for subsets on the half that is held out


def criteria_of(materials: Materials, number: int) -> Criteria:
    """Return the criteria of one split."""
    request, split = materials.request, split_number(materials, number)
    with in_split(number):
        if request.hold_out == "runs":
            own = criterion_of(materials.evaluating[:, split.evaluated_on], request.goodness)
            choosing = criterion_of(materials.chosen[:, split.chosen_on], request.chosen_by)
            return Criteria(choosing=choosing, evaluating=own, own=own)
        reference = materials.evaluating[split.evaluated_on]
        return Criteria(
            choosing=criterion_of(materials.chosen[split.chosen_on], request.chosen_by),
            evaluating=evaluation_against(materials.evaluating[split.chosen_on], reference, request.goodness),
            own=criterion_of(reference, request.goodness),
        )


def searched(criterion: Criterion, cardinality: int, sign: int, starts: Topics) -> Valued | None:
    """Return the best (`sign` 1) or worst (-1) subset found; None if no subset has a correlation."""
    everything = np.arange(criterion.n_topics)
    results = []
    for start in (everything[:0], everything):
        results += criterion.local_search(start.reshape(1, -1), cardinality, sign)
    if len(starts):
        results += criterion.local_search(starts, cardinality, sign)
    return best_of(results, sign)[0] if results else None


def evaluate_halves(materials: Materials, task: tuple[int, tuple[int, ...]]) -> Floats:
    """Return the goodness of subsets of some sizes, chosen and own, in one split: (len(sizes), len(COLUMNS))."""
    split, sizes = task
    request, criteria = materials.request, criteria_of(materials, split)

    def numbers(purpose: int, *more: int) -> np.random.Generator:
        return stream(request.seed, request.hold_out, split, purpose, *more)

    def averages(evaluating: Evaluation, purpose: int, n_topics: int) -> Floats:
        orders = random_orders(numbers(purpose), n_topics, request.n_trials)
        values = evaluating.walk(orders, np.array(sizes, dtype=np.int64))
        defined = values > UNDEFINED
        count = defined.sum(axis=0)
        # By rows in memory, so that sums do not depend on how many sizes there are.
        total = np.where(defined, values, 0.0).T.copy().sum(axis=1)
        empty: Floats = np.full(len(sizes), np.nan)
        return np.asarray(np.divide(total, count, out=empty, where=count > 0))

    whole, reference = _whole_scores(materials, split_number(materials, split))
    table = np.full((len(sizes), len(COLUMNS)), np.nan)
    for row, size in enumerate(sizes):
        for purpose, criterion, columns in (
            (SEARCHING, criteria.choosing, (0, 2)),
            (SEARCHING_OWN, criteria.own, (3, 5)),
        ):
            starts = random_subsets(numbers(purpose, size), criterion.n_topics, size, request.n_starts)
            for column, sign in zip(columns, (1, -1), strict=True):
                result = searched(criterion, size, sign, starts)
                if result is not None:
                    evaluating = criteria.evaluating if purpose == SEARCHING else criteria.own
                    table[row, column] = _number(evaluating.value(result.topics))
                    if column == 0:
                        sums = whole[list(result.topics)].sum(axis=0)
                        table[row, 7] = agreement_of(reference, sums).share_reversed
    table[:, 4] = averages(criteria.own, WALKING_OWN, criteria.own.n_topics)
    if request.hold_out == "topics":
        table[:, 1] = averages(criteria.evaluating, WALKING, criteria.choosing.n_topics)
    else:
        table[:, 1] = table[:, 4]
    if materials.given:
        table[:, 6] = _number(criteria.own.value(materials.given))
    return table


def _whole_scores(materials: Materials, split: Split) -> tuple[Floats, Floats]:
    """Return whole scores of the topics that subsets are chosen from, and the sums of the reference ranking."""
    if materials.request.hold_out == "runs":
        whole = whole_numbers(materials.evaluating[:, split.evaluated_on])
        return whole, np.asarray(whole.sum(axis=0))
    reference = whole_numbers(materials.evaluating[split.evaluated_on])
    return whole_numbers(materials.evaluating[split.chosen_on]), np.asarray(reference.sum(axis=0))


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def split_tables(
    materials: Materials,
    sizes: tuple[int, ...],
    report_progress: ReportProgress,
    executor: Executor | None,
    after: Callable[[Floats], None] | None = None,
) -> Floats:
    """Return oriented goodness, (n_splits, len(sizes), len(COLUMNS)); `after` takes the first splits on the way."""
    n_splits = materials.request.n_splits
    groups, seconds = _groups(materials, sizes)
    tasks = [(number, group) for number in range(n_splits) for group in groups]
    costs = seconds * n_splits
    rows = {size: row for row, size in enumerate(sizes)}
    tables = np.full((n_splits, len(sizes), len(COLUMNS)), np.nan)
    shown = set(splits_shown(n_splits))
    work = in_batches(partial(evaluate_halves, materials), tasks, costs, report_progress, executor)
    for (number, group), table in work:
        tables[number, [rows[size] for size in group]] = table
        done = number + 1
        if after is not None and group[-1] == sizes[-1] and done in shown:
            after(tables[:done])
    return tables


def _groups(materials: Materials, sizes: tuple[int, ...]) -> tuple[list[tuple[int, ...]], list[float]]:
    """Cut the sizes of a split into parts of a quarter of a second, with the seconds of each in the first split."""
    criteria, n_starts = criteria_of(materials, 0), materials.request.n_starts
    groups: list[tuple[int, ...]] = []
    seconds: list[float] = []
    for size in sizes:
        cost = _OVERHEAD + seconds_of(criteria, size, n_starts)
        if groups and seconds[-1] + cost <= _TASK_SECONDS:
            groups[-1] = (*groups[-1], size)
            seconds[-1] += cost
        else:
            groups.append((size,))
            seconds.append(cost)
    return groups, seconds


def seconds_of_splits(materials: Materials, sizes: tuple[int, ...]) -> float:
    """Return about how many CPU seconds all splits take."""
    return materials.request.n_splits * sum(_groups(materials, sizes)[1])


def seconds_of(criteria: Criteria, cardinality: int, n_starts: int) -> float:
    """Return about how long the searches for the best and the worst take on both halves."""
    return sum(
        2 * (n_starts + _OTHER_STARTS) * criterion.seconds_per_start(cardinality)
        for criterion in (criteria.choosing, criteria.own)
    )
