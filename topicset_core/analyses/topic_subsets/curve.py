"""Goodness of the best, average and worst subsets against cardinality: the result, and the analysis that makes it.

Work is cut into parts of under half a second that may run on any executor. Each random number belongs to
its block of subsets or its cardinality, and parts are put together in their own order: so the result does
not depend on how many workers there are or how work was cut.
"""

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from topicset_core.analyses.topic_subsets import enumeration, searches
from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion, PairCriterion, criterion_for
from topicset_core.analyses.topic_subsets.certificates import Proof, certify, seconds_of_proofs
from topicset_core.analyses.topic_subsets.criterion import (
    KEPT,
    Criterion,
    Enumerated,
    EnumerationTask,
    Valued,
    best_of,
    fixed_stepwise,
)
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.goodness import (
    MEASURES,
    Agreement,
    GoodnessMeasure,
    agreement_of,
    measure_of,
)
from topicset_core.analyses.topic_subsets.request import Method, Request
from topicset_core.collection import ScoreMatrix, units_of
from topicset_core.execution.batches import in_batches
from topicset_core.execution.sizes import sizes_in_words
from topicset_core.exports.records import attributes, fields_of
from topicset_core.progress import ReportProgress, silently
from topicset_core.samples import simulated_task

Side = Literal["best", "worst"]

Status = Literal["exhaustive", "heuristic", "proved", "gap"]
"""``exhaustive``: all subsets were evaluated, no other is better (worse); ``proved``: no other is, by branch
and bound, but for `certificates.PROOF_TOLERANCE`; ``gap``: one may be, up to a bound; ``heuristic``: one may
be."""


@dataclass(frozen=True, kw_only=True)
class Subset:
    """A subset of topics."""

    value: float  # its goodness, in units of the measure
    topics: tuple[str, ...]  # ids, in the order of the matrix
    status: Status  # whether it is known to be the best (worst)
    bound: float | None = None  # with ``gap``: a bound on the value of all subsets

    def record(self) -> dict[str, Any]:
        """Return it for a record."""
        return fields_of(self, *(["bound"] if self.bound is None else []))


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """All that is known of one cardinality."""

    cardinality: int  # topics in a subset
    # Up to ten, the best (worst) first; fewer where there are fewer, or where the method finds one. Only the first
    # is ever ``proved`` or a ``gap``; the others next to it are ``heuristic``
    ten_best: tuple[Subset, ...]
    ten_worst: tuple[Subset, ...]
    # Mean goodness of all subsets, or of random ones; None where no subset has a correlation
    mean: float | None
    mean_standard_error: float  # 0 if the mean is over all subsets
    # Subsets behind the mean, and how many of those evaluated have no correlation and are left out
    n_averaged: int
    n_undefined: int
    # Of goodness, of random subsets or of all where these are few; empty if no subset has a correlation
    percentiles: Mapping[int, float]
    # How the best subset orders pairs of runs; None where no subset has a correlation
    agreement: Agreement | None = None

    @property
    def best(self) -> Subset | None:
        """The best subset; None if no subset has a correlation."""
        return self.ten_best[0] if self.ten_best else None

    @property
    def worst(self) -> Subset | None:
        """The worst subset; None if no subset has a correlation."""
        return self.ten_worst[0] if self.ten_worst else None

    def record(self) -> dict[str, Any]:
        """Return it for a record."""
        return {
            **attributes(self, "cardinality best worst mean mean_standard_error n_averaged n_undefined"),
            "percentiles": self.percentiles,
            "agreement_of_best": self.agreement,
            **attributes(self, "ten_best ten_worst"),
        }


class Crossings(NamedTuple):
    """The fewest topics that reach a target; None where no cardinality that was evaluated does."""

    # By the best subset, on average, and even by the worst subset
    best: int | None
    mean: int | None
    worst: int | None

    @property
    def by_side(self) -> dict[str, int | None]:
        """The fewest topics by their names."""
        return self._asdict()


@dataclass(frozen=True, kw_only=True)
class SubsetCurve:
    """Goodness against cardinality, as far as it is known.

    Parameters
    ----------
    measure : GoodnessMeasure
        How subsets are evaluating.
    topics : tuple of str
        All ids of the matrix.
    n_systems, n_units : int
        Runs that are ranked, and units of similar runs among them (`collection.units_of`).
    cardinalities : tuple of int
        All that were asked for, ascending.
    points : tuple of CurvePoint
        By ascending cardinality; unfinished ones are missing.
    n_trials, seed : int
        Random subsets per cardinality, and their source.
    """

    measure: GoodnessMeasure
    topics: tuple[str, ...]
    n_systems: int
    n_units: int
    cardinalities: tuple[int, ...]
    points: tuple[CurvePoint, ...]
    n_trials: int
    seed: int

    @property
    def n_topics(self) -> int:
        """Topics in all."""
        return len(self.topics)

    @property
    def is_complete(self) -> bool:
        """Whether all that was requested is done."""
        return len(self.points) == len(self.cardinalities)

    @property
    def sizes_in_words(self) -> str:
        """How sizes were thinned, in a sentence; "" where they were not."""
        return sizes_in_words(self.cardinalities, self.n_topics)

    def at(self, cardinality: int) -> CurvePoint | None:
        """Return the point of a cardinality, None where it was not evaluated."""
        return next((point for point in self.points if point.cardinality == cardinality), None)

    def nearest(self, cardinality: int) -> CurvePoint:
        """Return the point of the nearest cardinality that was evaluated; of two as near, the smaller."""
        return min(self.points, key=lambda point: abs(point.cardinality - cardinality))

    def crossings(self, target: float) -> Crossings:
        """Return the fewest topics by which best and mean first reach a target, and from which on the worst do."""
        # The lowest curve may dip below the target again.
        worst = [(point.cardinality, point.worst.value) for point in self.points if point.worst]
        failing = [size for size, value in worst if not self.measure.meets(value, target)]
        best = ((point.cardinality, point.best.value) for point in self.points if point.best)
        mean = ((point.cardinality, point.mean) for point in self.points if point.mean is not None)
        return Crossings(
            best=self.measure.first_to_meet(best, target),
            mean=self.measure.first_to_meet(mean, target),
            worst=next((size for size, _ in worst if not failing or size > failing[-1]), None),
        )

    def fewest(self, size: int | None) -> int | None:
        """Return the fewest topics that a crossing may be at: one more than the next smaller evaluated size."""
        sizes = [point.cardinality for point in self.points]
        return None if size is None else max((smaller for smaller in sizes if smaller < size), default=0) + 1

    def laid_over(self, other: "SubsetCurve") -> "SubsetCurve":
        """Return the points of this curve, and the missing ones from another curve of the same scores."""
        points = {point.cardinality: point for point in (*other.points, *self.points)}
        sizes = tuple(sorted(points))
        return replace(self, cardinalities=sizes, points=tuple(points[size] for size in sizes))

    def record(self, target: float) -> dict[str, Any]:
        """Return the curve, read across at a target, for a record."""
        crossings = self.crossings(target)
        return {
            **attributes(self, "n_topics n_systems n_units"),
            **({"sizes": self.sizes_in_words} if self.sizes_in_words else {}),
            "n_trials": self.n_trials,
            "target": target,
            "topics_for_target": crossings.by_side,
            "topics_for_target_from": {side: self.fewest(size) for side, size in crossings.by_side.items()},
            "cardinalities": self.points,
        }


def subset_curve(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
    show_partial: Callable[[SubsetCurve], None] | None = None,
) -> SubsetCurve:
    """Return goodness against cardinality.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of at least 2 runs, in the units whose means are compared: logarithms for GMAP.
    request : Request
        Measure, cardinalities, method, seed.
    report_progress : callable, optional
        Takes the fraction done; raising from it ends the work.
    executor : Executor, optional
        Where parts of the work run; here by default.
    show_partial : callable, optional
        Takes the curve as far as it is known, each time that cardinalities were finished.

    Raises
    ------
    InputError
        If a cardinality exceeds the number of topics, there is one run, all runs have the same mean, or
        the method would take too long.
    """
    request.sizes(matrix.n_topics)  # refuses sizes before runs
    criterion = criterion_for(matrix, request.goodness)
    return _Exploration(matrix, request, criterion, report_progress, executor, show_partial).run()


def seconds_of(matrix: ScoreMatrix, request: Request) -> float:
    """Return about how many CPU seconds `subset_curve` takes; parameters and errors as there."""
    criterion = criterion_for(matrix, request.goodness)
    return sum(_Exploration(matrix, request, criterion, silently, None, None).plan()[2].values())


class _Exploration:
    """The state of one analysis."""

    def __init__(
        self,
        matrix: ScoreMatrix,
        request: Request,
        criterion: Criterion,
        report_progress: ReportProgress,
        executor: Executor | None,
        show_partial: Callable[[SubsetCurve], None] | None,
    ) -> None:
        self.matrix, self.request, self.criterion = matrix, request, criterion
        self.report_progress, self.executor, self.show_partial = report_progress, executor, show_partial
        self.full = enumeration.exhaustive_cardinalities(criterion, request)
        self.sizes = request.sizes(matrix.n_topics)
        self.rest = tuple(c for c in self.sizes if c not in set(self.full))
        if request.method == "guiver":
            searches.check_effort(criterion, self.sizes[-1])
        self.sampled: dict[int, enumeration.Sampled] = {}
        self.means: dict[int, Enumerated] = {}
        self.ends: dict[tuple[int, int], tuple[Valued, ...]] = {}  # by local search
        self.points: dict[int, CurvePoint] = {}
        self.n_units = len(set(units_of(matrix)))
        self.whole = whole_numbers(matrix.scores)
        self.done = 0.0
        self.total = 1.0

    def plan(self) -> tuple[list[enumeration.WalkTask], list[EnumerationTask], dict[str, float]]:
        """Return the walks, the parts that are enumerated, and the CPU seconds of each kind of work, about."""
        n, trials = self.matrix.n_topics, self.request.n_trials
        walks = enumeration.walk_tasks(self.criterion, self.sizes, trials)
        many = [c for c in self.full if not enumeration.are_few(n, c, trials)]  # the few are all walked
        parts = enumeration.enumerate_tasks(self.criterion, many)
        seconds = {
            "walk": 0.2 * len(walks),
            "full": sum(task.cost for task in parts) / self.criterion.evaluations_per_second,
            "rest": self._seconds_of_search(),
            "proofs": seconds_of_proofs(n, 2 * len(self.rest)) if self.request.method == "exact" else 0.0,
        }
        return walks, parts, seconds

    def run(self) -> SubsetCurve:
        """Do all parts, the mean first, then exact results, then searches."""
        walks, parts, seconds = self.plan()
        self.total = sum(seconds.values()) or 1.0
        self._sample(walks, seconds["walk"])
        self._enumerate(parts, seconds["full"])
        if self.rest and self.request.method == "guiver":
            report = self._phase(seconds["rest"])
            for size, best, worst in searches.followed(self.criterion, self.rest[-1], report, self.executor):
                if size in self.rest:
                    self._finish(size, best, worst, "heuristic")
        elif self.rest:
            self._search(seconds["rest"])
        if self.request.method == "exact" and isinstance(self.criterion, CorrelationCriterion):
            self._certify(self.criterion, seconds["proofs"])
        self.report_progress(1.0)
        return self._curve()

    def _seconds_of_search(self) -> float:
        if not self.rest:
            return 0.0
        if self.request.method == "guiver":
            evaluations = searches.heuristic_evaluations(self.criterion.n_topics, self.rest[-1])
            return evaluations / self.criterion.evaluations_per_second
        return 1.25 * searches.seconds_of(2 * len(self.rest), self.request.effort)

    def _phase(self, seconds: float) -> ReportProgress:
        """Return the report of a phase that takes a part of the whole."""
        before, self.done = self.done, self.done + seconds
        return lambda fraction: self.report_progress(min(1.0, (before + fraction * seconds) / self.total))

    def _sample(self, tasks: list[enumeration.WalkTask], seconds: float) -> None:
        columns = defaultdict(list)
        walk = partial(enumeration.walk, self.criterion, self.request.seed, self.request.n_trials)
        for task, values in in_batches(walk, tasks, [1.0] * len(tasks), self._phase(seconds), self.executor):
            for place, cardinality in enumerate(task.cardinalities):
                columns[cardinality].append((values[:, place], not task.blocks))
        for cardinality, parts in columns.items():
            values = np.concatenate([part for part, _ in parts])
            all_of_them = parts[0][1]
            self.sampled[cardinality] = enumeration.summarised(values, exact=all_of_them)
            if all_of_them and cardinality in self.full:
                best, worst = enumeration.extremes(self.criterion, cardinality, values)
                self._finish(cardinality, best, worst, "exhaustive")

    def _enumerate(self, tasks: list[EnumerationTask], seconds: float) -> None:
        result: dict[int, list[Enumerated]] = defaultdict(list)
        last = {c: place for place, task in enumerate(tasks) for c in task.sizes}
        has_mean = {c for task in tasks if task.mean for c in task.sizes}
        costs = [task.cost for task in tasks]
        work = in_batches(self.criterion.enumerate, tasks, costs, self._phase(seconds), self.executor)
        for place, (_, part) in enumerate(work):
            for cardinality, enumerated in part.items():
                result[cardinality].append(enumerated)
            for cardinality in [c for c in part if last[c] == place]:
                together = enumeration.merged(result.pop(cardinality))
                if cardinality in has_mean:
                    self.means[cardinality] = together
                self._finish(cardinality, together.best, together.worst, "exhaustive")

    def _search(self, seconds: float) -> None:
        ends = searches.chained(self.criterion, self.rest, self._phase(0.2 * seconds), self.executor)
        n_tasks = 2 * len(self.rest)
        tasks = [
            searches.local_task(self.criterion, c, sign, ends[c, sign], self.request, n_tasks)
            for c in self.rest
            for sign in (1, -1)
        ]
        equal_costs = [1.0] * len(tasks)
        report = self._phase(0.8 * seconds)
        for task, result in in_batches(searches.local_search, tasks, equal_costs, report, self.executor):
            self.ends[task.cardinality, task.sign] = result
            if task.sign < 0:
                self._finish(task.cardinality, self.ends[task.cardinality, 1], result, "heuristic")

    def _certify(self, criterion: CorrelationCriterion, seconds: float) -> None:
        """Prove the results of local search, or find better; points are shown again when both sides are done."""
        proofs: dict[tuple[int, int], Proof] = {}
        known = {key: result[0] for key, result in self.ends.items() if result}
        for proof in certify(criterion, known, self.request.nodes, self._phase(seconds), self.executor):
            cardinality, sign = key = proof.cardinality, proof.sign
            proofs[key] = proof
            others = [valued for valued in self.ends[key] if valued.topics != proof.known.topics]
            self.ends[key] = (proof.known, *best_of(others, sign)[: KEPT - 1])
            if (cardinality, -sign) in proofs:
                best, worst = self.ends[cardinality, 1], self.ends[cardinality, -1]
                both = proofs[cardinality, 1], proofs[cardinality, -1]
                self._finish(cardinality, best, worst, "heuristic", both)

    def _finish(
        self,
        cardinality: int,
        best: tuple[Valued, ...],
        worst: tuple[Valued, ...],
        status: Status,
        certified: tuple[Proof | None, Proof | None] = (None, None),
    ) -> None:
        """Show the point; `certified` is about the first of the best and of the worst, of a correlation."""
        measure, sampled = measure_of(self.request.goodness), self.sampled[cardinality]
        every = self.means.get(cardinality)
        sampled = enumeration.with_mean(sampled, every, self.criterion.n_topics, cardinality)

        def subsets(result: tuple[Valued, ...], proof: Proof | None) -> tuple[Subset, ...]:
            ten = tuple(
                Subset(
                    value=measure.sign * valued.value + 0.0,  # no negative zeros
                    topics=tuple(self.matrix.topics[place] for place in valued.topics),
                    status=status,
                )
                for valued in result
            )
            if proof is None:
                return ten
            if proof.status == "proved":
                return (replace(ten[0], status="proved"), *ten[1:])
            return (replace(ten[0], status="gap", bound=proof.bound), *ten[1:])

        levels, agreement = sampled.percentiles, None
        if best:
            agreement = agreement_of(self.whole.sum(axis=0), self.whole[list(best[0].topics)].sum(axis=0))
        self.points[cardinality] = CurvePoint(
            cardinality=cardinality,
            ten_best=subsets(best, certified[0]),
            ten_worst=subsets(worst, certified[1]),
            mean=measure.in_units(sampled.mean),
            mean_standard_error=sampled.standard_error,
            n_averaged=sampled.n_averaged,
            n_undefined=sampled.n_undefined,
            # The 5th percentile of minus the error rate is minus its 95th.
            percentiles={
                level: measure.sign * levels[level if measure.higher_is_better else 100 - level] + 0.0
                for level in levels
            },
            agreement=agreement,
        )
        if self.show_partial is not None:
            self.show_partial(self._curve())

    def _curve(self) -> SubsetCurve:
        return SubsetCurve(
            measure=measure_of(self.request.goodness),
            topics=self.matrix.topics,
            n_systems=self.matrix.n_systems,
            n_units=self.n_units,
            cardinalities=self.sizes,
            points=tuple(self.points[c] for c in sorted(self.points)),
            n_trials=self.request.n_trials,
            seed=self.request.seed,
        )


def warm_up() -> None:
    """Compile the kernels by small questions: every method, every measure of goodness, and proofs."""
    whole = simulated_task()[0]
    # Enough topics that subsets are enumerated and not just drawn, but few enough to take no time.
    small = replace(whole, scores=whole.scores[:20], topics=whole.topics[:20])
    # Sums of scores with many decimals take double precision, for which kernels are compiled a second time.
    exact = replace(small, scores=small.scores * np.pi / 4)
    sizes: dict[Method, tuple[int, ...]] = {"exhaustive": (10,), "local": (10, 11), "guiver": (1, 2, 3, 4)}
    for measure, (method, cardinalities) in itertools.product(MEASURES, sizes.items()):
        for matrix in (small,) if measure.key == "pearson" else (small, exact):
            request = Request(
                goodness=measure.key, cardinalities=cardinalities, method=method, n_trials=20, effort=0.05
            )
            subset_curve(matrix, request)
    criterion = CorrelationCriterion.of(small.scores)
    for sign in (1, -1):
        known = {(10, sign): criterion.local_search(np.arange(10).reshape(1, -1), 10, sign)[0]}
        list(certify(criterion, known, 1000, silently, None))
    for error_rate, matrix in itertools.product((False, True), (small, exact)):  # of thousands of topics
        fixed_stepwise(PairCriterion.of(matrix.scores, error_rate=error_rate), range(5), 8, 1)
