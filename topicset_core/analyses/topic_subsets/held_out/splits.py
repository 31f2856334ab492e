"""Random halves of runs or of topics: choose subsets on one half, evaluate them on the other, split by split.

Units (topics or whole groups of them, or `collection.units_of` runs) come in random order, and each goes to the
half that has less so far, to the first where both have as much. Split k draws from random numbers of its own, so
that it does not depend on how many splits, cardinalities or workers there are.

Choosing by one metric and evaluating by another takes the same rows and columns: the second matrix is put in the
order of the first, with a note; a run or topic that only one of them has is refused.

Where topics are held out, subsets of some topics are evaluated against a reference of others: Y are the run
means over the other topics, X those over the subset, as in section 4.5.2 of Guiver et al. (2009).

The search is the same on any machine: topics are exchanged while that gains, from the set that takes in one best
topic at a time, from the one that gives up one at a time, and from a set number of random ones.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from topicset_core.analyses.topic_subsets.by_measure import (
    CorrelationCriterion,
    PairCriterion,
    criterion_of,
    walk_against,
)
from topicset_core.analyses.topic_subsets.criterion import (
    UNDEFINED,
    Criterion,
    Evaluation,
    Floats,
    Topics,
    Valued,
    best_of,
    generator,
    random_orders,
    random_subsets,
)
from topicset_core.analyses.topic_subsets.enumeration import packed
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import Goodness, agreement_of
from topicset_core.analyses.topic_subsets.request import HeldOutRequest, HoldOut
from topicset_core.collection import ScoreMatrix, units_of
from topicset_core.errors import InputError
from topicset_core.execution.batches import in_batches
from topicset_core.progress import ReportProgress
from topicset_core.wording import listed

FEWEST_IN_HALF = 3
"""Runs in each half: any two agree or disagree, and nothing between."""

FEWEST_TOPICS_IN_HALF = 2
"""Topics in each half."""

FEWEST_UNITS = 2 * FEWEST_IN_HALF
"""Of runs to be split: then each half has `FEWEST_IN_HALF` runs, and there are at least ten splits."""

_KEYS: dict[HoldOut, int] = {"runs": 2, "topics": 3}  # 0 and 1 belong to the curve of all runs

SPLITTING, WALKING, WALKING_OWN, SEARCHING, SEARCHING_OWN, _, RANKING = range(7)
"""The use of a stream of random numbers; 5 was another's in earlier versions."""

FEWEST_SHOWN = 5
"""Splits; nine in ten of fewer are no evidence."""


@dataclass(frozen=True, eq=False)
class Split:
    """Two disjoint halves, as ascending places counted from 0."""

    # Where subsets are chosen: S1 of the runs, T2 of the topics in the paper's section 5.6.2
    chosen_on: Topics
    evaluated_on: Topics  # where they are evaluated: S2 of the runs, T1 of the topics


def stream(seed: int, hold_out: HoldOut, split: int, purpose: int, *more: int) -> np.random.Generator:
    """Return the random numbers of one purpose of one split."""
    return generator(seed, _KEYS[hold_out], split, purpose, *more)


def split_of(units: Sequence[object], hold_out: HoldOut, seed: int, number: int) -> Split:
    """Return a random split of runs or topics; members of the same unit stay together."""
    members: dict[object, list[int]] = {}
    for place, unit in enumerate(units):
        members.setdefault(unit, []).append(place)
    groups = list(members.values())
    halves: tuple[list[int], list[int]] = ([], [])
    for place in stream(seed, hold_out, number, SPLITTING).permutation(len(groups)).tolist():
        halves[len(halves[0]) > len(halves[1])].extend(groups[place])
    # Of an odd number the second half, on which is evaluating, has one more.
    evaluating, chosen = halves
    return Split(np.array(sorted(chosen), dtype=np.int64), np.array(sorted(evaluating), dtype=np.int64))


def given_split(matrix: ScoreMatrix, hold_out: HoldOut, chosen_on: Sequence[str]) -> Split:
    """Return the split with the first half named by ids."""
    ids, fewest = (
        (matrix.systems, FEWEST_IN_HALF) if hold_out == "runs" else (matrix.topics, FEWEST_TOPICS_IN_HALF)
    )
    unknown = sorted(set(chosen_on) - set(ids))
    if unknown:
        rule = f"must be {hold_out} of {matrix.name} ({matrix.measure})"
        raise InputError("chosen_on", listed(unknown, at_most=3), rule)
    is_first = np.isin(np.arange(len(ids)), [ids.index(name) for name in chosen_on])
    halves = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    if min(map(len, halves)) < fewest:
        rule = f"must leave at least {fewest} {hold_out} in each half"
        raise InputError("chosen_on", f"{len(halves[0]):,} of {len(ids):,}", rule)
    return Split(*halves)


def checked_units(matrix: ScoreMatrix, units: Sequence[int] | None) -> tuple[int, ...]:
    """Return the unit of each run, those of `units_of` if none are given."""
    units = units_of(matrix) if units is None else tuple(units)
    if len(units) != matrix.n_systems:
        raise InputError("units", len(units), f"must be one per run, {matrix.n_systems:,}")
    if len(set(units)) < FEWEST_UNITS:
        rule = f"must be at least {FEWEST_UNITS} runs, similar ones counted once, to be split in halves"
        raise InputError("systems", len(set(units)), rule)
    return units


@contextmanager
def in_split(number: int) -> Iterator[None]:
    """Let what scores break in a half name the split."""
    try:
        yield
    except InputError as error:
        rule = f"{error.rule}, in each half; not so in split {number + 1:,}"
        raise InputError(error.parameter, error.value, rule) from None


def splits_shown(n_splits: int) -> tuple[int, ...]:
    """Return after how many splits partial results are shown, ascending and each below `n_splits`."""
    # A quarter more at most, as early results change most; a twentieth of all at most, to show progress to the end.
    shown, done = [], FEWEST_SHOWN
    while done < n_splits:
        shown.append(done)
        done += max(1, min(done // 4, n_splits // 20))
    return tuple(shown)


def in_words(matrix: ScoreMatrix) -> str:
    """Return "measure of name"."""
    return f"{matrix.measure} of {matrix.name}"


def matched(matrix: ScoreMatrix, other: ScoreMatrix) -> tuple[ScoreMatrix, str]:
    """Return the other matrix with its rows and columns in the order of the first, and a note on it."""
    reordered = []
    for parameter, what, first, second in (
        ("systems", "runs", matrix.systems, other.systems),
        ("topics", "topics", matrix.topics, other.topics),
    ):
        here, there = set(first), set(second)
        differences = (
            ("without", [name for name in first if name not in there]),
            ("with", [name for name in second if name not in here]),
        )
        parts = [f"{how} {listed(names, at_most=3)}" for how, names in differences if names]
        if parts:
            rule = f"must have the same {what} as the other scores, but comes {' and '.join(parts)}"
            raise InputError(parameter, in_words(other), rule)
        reordered += [what] if first != second else []
    note = f"{matrix.n_systems:,} runs and {matrix.n_topics:,} topics matched by id"
    if not reordered:
        return other, f"{note}, in the same order"
    rows = [other.topics.index(topic) for topic in matrix.topics]
    ordered = select_runs(other.taken(rows, range(other.n_systems)), matrix.systems)
    order = f"{' and '.join(reordered)} of {other.measure} put in the order of {matrix.measure}"
    return ordered, f"{note}; {order}"


def same_runs_and_topics(matrix: ScoreMatrix, other: ScoreMatrix) -> bool:
    """Return whether two matrices have the same runs and topics, in any order."""
    return set(matrix.systems) == set(other.systems) and set(matrix.topics) == set(other.topics)


def select_runs(matrix: ScoreMatrix, runs: Sequence[str]) -> ScoreMatrix:
    """Return the columns of some runs, in the order given."""
    place_of = {system: place for place, system in enumerate(matrix.systems)}
    return matrix.taken(range(matrix.n_topics), [place_of[run] for run in runs])


@dataclass(frozen=True)
class BothScores:
    """The scores that choose, and the scores of another metric that evaluate, where they are others."""

    chosen: ScoreMatrix
    other: ScoreMatrix | None = None

    @cached_property
    def _matched(self) -> tuple[ScoreMatrix, str]:
        return (self.chosen, "") if self.other is None else matched(self.chosen, self.other)

    @property
    def evaluating(self) -> ScoreMatrix:
        """The scores that evaluate, in the order of the others."""
        return self._matched[0]

    @property
    def note(self) -> str:
        """How rows and columns were matched; "" with one matrix."""
        return self._matched[1]

    @property
    def matrices(self) -> list[ScoreMatrix]:
        """All scores."""
        return [self.chosen, *([] if self.other is None else [self.other])]

    @property
    def digest(self) -> str:
        """Digests of all scores."""
        return " ".join(matrix.digest for matrix in self.matrices)

    @property
    def name(self) -> str:
        """Measures and names of all scores."""
        return ", ".join(map(in_words, self.matrices))


LOW, HIGH = 5, 95
"""Percentiles over splits that make an interval: nine splits in ten lie between them."""

MEANING = (
    "The interval contains 90 % of the random splits; the standard error is that of their mean. Neither shows what "
    "other runs or topics would give, because all splits share these."
)
"""The meaning of the intervals, in words."""

INTERVALS: Mapping[str, Any] = {"low": LOW, "high": HIGH, "meaning": MEANING}
"""How a record describes them."""

_ROUNDING = 1e-12  # goodness that differs by less is the same


@dataclass(frozen=True, kw_only=True)
class Spread:
    """A number over splits."""

    mean: float  # over the splits that have it
    standard_error: float
    # 5th and 95th percentile over splits
    low: float
    high: float
    n_splits: int  # splits that have it: on others all runs tie on the subset


@dataclass(frozen=True, kw_only=True)
class BestAverageWorst:
    """The best, the average and the worst subset; None where no split has a value."""

    # In units of the measure
    best: Spread | None
    average: Spread | None
    worst: Spread | None


@dataclass(frozen=True, kw_only=True)
class Gain:
    """How much better the best chosen subset is than the average, split by split."""

    difference: Spread  # in units of the measure, above 0 where the chosen subset is better
    share_better: float  # of the splits, those in which it is better


def spread_of(values: Floats, sign: float = 1.0) -> Spread | None:
    """Return the spread of values over splits, (n_splits,); NaN values are left out."""
    defined = sign * values[~np.isnan(values)]
    if not defined.size:
        return None
    low, high = np.percentile(defined, (LOW, HIGH)).tolist()
    error = float(defined.std(ddof=1)) / defined.size**0.5 if defined.size > 1 else 0.0
    return Spread(
        mean=float(defined.mean()) + 0.0,  # no negative zeros
        standard_error=error,
        low=low + 0.0,
        high=high + 0.0,
        n_splits=int(defined.size),
    )


def gain_of(best: Floats, average: Floats) -> Gain | None:
    """Return the gain of oriented goodness over another, (n_splits,) each."""
    difference = best - average
    difference = np.where(np.abs(difference) <= _ROUNDING, 0.0, difference)  # NaN stays
    spread = spread_of(difference)
    if spread is None:
        return None
    return Gain(difference=spread, share_better=float(np.sum(difference > 0)) / spread.n_splits)


FEWEST_TOPICS = 4
"""Topics that can be split so that each half has two."""

COLUMNS = ("best", "average", "worst", "own_best", "own_average", "own_worst", "given", "reversed")
"""Of the table of one split: goodness, oriented so that more is better, and `Agreement.share_reversed` of the best
chosen subset on the held-out half; NaN where there is none."""

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
    def evaluating(self) -> Floats:
        """Scores by which subsets are evaluated, (n_topics, n_systems)."""
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
        rule = f"must be at least {FEWEST_TOPICS} topics to be split in halves"
        raise InputError("topics", matrix.n_topics, rule)
    else:
        units = _topic_units(matrix)
    return Materials(both=both, units=units, request=request, given=tuple(given), split=split)


def _topic_units(matrix: ScoreMatrix) -> tuple[int, ...]:
    """Return the unit of each topic, its group where topics have groups."""
    if matrix.groups is None:
        return tuple(range(matrix.n_topics))
    places = {group: place for place, group in enumerate(matrix.group_sizes)}
    return tuple(places[group] for group in matrix.groups)


def sizes_in_halves(both: BothScores, request: HeldOutRequest) -> tuple[int, ...]:
    """Return the cardinalities to evaluate: of whole groups of topics up to the smallest half of any split."""
    matrix = both.chosen
    if matrix.groups is None or request.hold_out == "runs" or request.chosen_on is not None:
        return request.sizes(matrix.n_topics)
    units = _topic_units(matrix)
    splits = [split_of(units, "topics", request.seed, number) for number in range(request.n_splits)]
    least = min(min(len(split.chosen_on), len(split.evaluated_on)) for split in splits)
    if least < FEWEST_TOPICS_IN_HALF:
        rule = f"must leave at least {FEWEST_TOPICS_IN_HALF} topics in each half"
        raise InputError("groups", len(set(units)), rule)
    return request.sizes(2 * least)


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


class Criteria(NamedTuple):
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
            choosing = criterion_of(materials.both.chosen.scores[:, split.chosen_on], request.chosen_by)
            return Criteria(choosing=choosing, evaluating=own, own=own)
        reference = materials.evaluating[split.evaluated_on]
        return Criteria(
            choosing=criterion_of(materials.both.chosen.scores[split.chosen_on], request.chosen_by),
            evaluating=evaluation_against(materials.evaluating[split.chosen_on], reference, request.goodness),
            own=criterion_of(reference, request.goodness),
        )


def searched(criterion: Criterion, cardinality: int, sign: int, starts: Topics) -> Valued | None:
    """Return the best (`sign` 1) or worst (-1) subset found; None if no subset has a correlation."""
    everything = np.arange(criterion.n_topics).reshape(1, -1)
    results = []
    for some in (everything[:, :0], everything, starts):
        results += criterion.local_search(some, cardinality, sign) if len(some) else []
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

    halves = split_number(materials, split)
    if request.hold_out == "runs":
        whole = reference = whole_numbers(materials.evaluating[:, halves.evaluated_on])
    else:
        whole = whole_numbers(materials.evaluating[halves.chosen_on])
        reference = whole_numbers(materials.evaluating[halves.evaluated_on])
    ranking = np.asarray(reference.sum(axis=0))
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
                        table[row, 7] = agreement_of(ranking, sums).share_reversed
    table[:, 1] = table[:, 4] = averages(criteria.own, WALKING_OWN, criteria.own.n_topics)
    if request.hold_out == "topics":
        table[:, 1] = averages(criteria.evaluating, WALKING, criteria.choosing.n_topics)
    if materials.given:
        table[:, 6] = _number(criteria.own.value(materials.given))
    return table


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
    costs = [(size, _OVERHEAD + seconds_of(criteria, size, n_starts)) for size in sizes]
    parts = packed(costs, _TASK_SECONDS)
    return [tuple(group) for group, _ in parts], [seconds for _, seconds in parts]


def seconds_of_curve(both: BothScores, request: HeldOutRequest) -> float:
    """Return about how many CPU seconds `held_out_curve` takes; errors as there."""
    return request.n_splits * sum(_groups(materials_of(both, request), sizes_in_halves(both, request))[1])


def seconds_of(criteria: Criteria, cardinality: int, n_starts: int) -> float:
    """Return about how long the searches for the best and the worst take on both halves."""
    return sum(
        2 * (n_starts + _OTHER_STARTS) * criterion.seconds_per_start(cardinality)
        for criterion in (criteria.choosing, criteria.own)
    )
