"""The whole analysis of one matrix: goodness of the best, average and worst subsets by cardinality.

Work is cut into parts of under half a second that may run on any executor. Each random number belongs to
its block of subsets or its cardinality, and parts are put together in their own order: so the result does
not depend on how many workers there are or how work was cut.
"""

from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Executor

import numpy as np

from topicset_core.analyses.topic_subsets import enumeration, guiver_search, local_search, sampling
from topicset_core.analyses.topic_subsets.by_correlation import CorrelationJudge
from topicset_core.analyses.topic_subsets.certificates.certify import certify, seconds_of_proofs
from topicset_core.analyses.topic_subsets.certificates.proof import Proof
from topicset_core.analyses.topic_subsets.curve import CurvePoint, Status, SubsetCurve
from topicset_core.analyses.topic_subsets.goodness import measure_of
from topicset_core.analyses.topic_subsets.judge import KEPT, Enumerated, Judge, Valued, best_of, judge_for
from topicset_core.analyses.topic_subsets.points import point_of
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix
from topicset_core.execution.batches import in_batches
from topicset_core.progress import Report, silently

Show = Callable[[SubsetCurve], None]
"""Takes the curve as far as it is known, each time that cardinalities were finished."""


def subset_curve(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report: Report = silently,
    executor: Executor | None = None,
    show: Show | None = None,
) -> SubsetCurve:
    """Return goodness against cardinality.

    Parameters
    ----------
    matrix : ScoreMatrix
        Scores of at least 2 runs, in the units whose means are compared: logarithms for GMAP.
    request : Request
        Measure, cardinalities, method, seed.
    report : callable, optional
        Takes the fraction done; raising from it ends the work.
    executor : Executor, optional
        Where parts of the work run; here by default.
    show : callable, optional
        Takes partial curves.

    Raises
    ------
    InputError
        If a cardinality exceeds the number of topics, there is one run, all runs have the same mean, or
        the method would take too long.
    """
    request.check(matrix.n_topics)
    judge = judge_for(matrix, request.goodness)
    return _Exploration(matrix, request, judge, report, executor, show).run()


class _Exploration:
    """The state of one analysis."""

    def __init__(
        self,
        matrix: ScoreMatrix,
        request: Request,
        judge: Judge,
        report: Report,
        executor: Executor | None,
        show: Show | None,
    ) -> None:
        self.matrix, self.request, self.judge = matrix, request, judge
        self.report, self.executor, self.show = report, executor, show
        self.full = enumeration.exhaustive_cardinalities(judge, request)
        self.rest = tuple(c for c in request.cardinalities if c not in set(self.full))
        if request.method == "guiver":
            guiver_search.check_effort(judge, request.cardinalities[-1])
        self.sampled: dict[int, sampling.Sampled] = {}
        self.means: dict[int, Enumerated] = {}
        self.found: dict[tuple[int, int], tuple[Valued, ...]] = {}  # by swaps
        self.points: dict[int, CurvePoint] = {}
        self.done = 0.0
        self.total = 1.0

    def run(self) -> SubsetCurve:
        """Do all parts, the mean first, then what is certain, then what is searched for."""
        n, trials = self.matrix.n_topics, self.request.n_trials
        walks = sampling.walk_tasks(self.judge, self.request.cardinalities, trials, self.request.seed)
        many = [c for c in self.full if not sampling.are_few(n, c, trials)]  # the few are all walked
        parts = enumeration.enumerate_tasks(self.judge, many)
        seconds = {
            "walk": 0.2 * len(walks),
            "full": sum(task.part.cost for task in parts) / self.judge.looks_per_second,
            "rest": self._seconds_of_search(),
            "proofs": seconds_of_proofs(n, 2 * len(self.rest)) if self.request.method == "exact" else 0.0,
        }
        self.total = sum(seconds.values()) or 1.0
        self._sample(walks, seconds["walk"])
        self._enumerate(parts, seconds["full"])
        if self.rest and self.request.method == "guiver":
            self._extend(seconds["rest"])
        elif self.rest:
            self._search(seconds["rest"])
        if self.request.method == "exact" and isinstance(self.judge, CorrelationJudge):
            self._certify(self.judge, seconds["proofs"])
        self.report(1.0)
        return self._curve()

    def _seconds_of_search(self) -> float:
        if not self.rest:
            return 0.0
        if self.request.method == "guiver":
            looks = sum(guiver_search.looks_at(self.judge.n_topics, c) for c in range(1, self.rest[-1]))
            return 2 * looks / self.judge.looks_per_second
        return 1.25 * local_search.seconds_of(2 * len(self.rest), self.request.effort)

    def _phase(self, seconds: float) -> Report:
        """Return the report of a phase that takes a part of the whole."""
        before, self.done = self.done, self.done + seconds
        return lambda fraction: self.report(min(1.0, (before + fraction * seconds) / self.total))

    def _sample(self, tasks: list[sampling.WalkTask], seconds: float) -> None:
        columns = defaultdict(list)
        alike = [1.0] * len(tasks)
        for task, values in in_batches(sampling.walk, tasks, alike, self._phase(seconds), self.executor):
            for place, cardinality in enumerate(task.cardinalities):
                columns[cardinality].append((values[:, place], not task.blocks))
        for cardinality, parts in columns.items():
            values = np.concatenate([part for part, _ in parts])
            all_of_them = parts[0][1]
            self.sampled[cardinality] = sampling.summarised(values, exact=all_of_them)
            if all_of_them and cardinality in self.full:
                best, worst = sampling.extremes(self.judge, cardinality, values)
                self._finish(cardinality, best, worst, "exhaustive")

    def _enumerate(self, tasks: list[enumeration.EnumerateTask], seconds: float) -> None:
        found: dict[int, list[Enumerated]] = defaultdict(list)
        last = {c: place for place, task in enumerate(tasks) for c in task.part.wanted}
        has_mean = {c for task in tasks if task.part.mean for c in task.part.wanted}
        costs = [task.part.cost for task in tasks]
        work = in_batches(enumeration.enumerate_part, tasks, costs, self._phase(seconds), self.executor)
        for place, (_, part) in enumerate(work):
            for cardinality, one in part.items():
                found[cardinality].append(one)
            for cardinality in [c for c in part if last[c] == place]:
                together = enumeration.merged(found.pop(cardinality))
                if cardinality in has_mean:
                    self.means[cardinality] = together
                self._finish(cardinality, together.best, together.worst, "exhaustive")

    def _search(self, seconds: float) -> None:
        ends = local_search.chained(self.judge, self.rest, self._phase(0.2 * seconds), self.executor)
        n_tasks = 2 * len(self.rest)
        tasks = [
            local_search.local_task(self.judge, c, sign, ends[c, sign], self.request, n_tasks)
            for c in self.rest
            for sign in (1, -1)
        ]
        alike = [1.0] * len(tasks)
        report = self._phase(0.8 * seconds)
        for task, found in in_batches(local_search.local_search, tasks, alike, report, self.executor):
            self.found[task.cardinality, task.sign] = found
            if task.sign < 0:
                self._finish(task.cardinality, self.found[task.cardinality, 1], found, "heuristic")

    def _certify(self, judge: CorrelationJudge, seconds: float) -> None:
        """Prove what swaps found, or find better; each point is shown anew when both its sides are done."""
        proofs: dict[tuple[int, int], Proof] = {}
        known = {key: found[0] for key, found in self.found.items() if found}
        for proof in certify(judge, known, self.request.nodes, self._phase(seconds), self.executor):
            cardinality, sign = key = proof.cardinality, proof.sign
            proofs[key] = proof
            others = [one for one in self.found[key] if one.topics != proof.known.topics]
            self.found[key] = (proof.known, *best_of(others, sign)[: KEPT - 1])
            if (cardinality, -sign) in proofs:
                best, worst = self.found[cardinality, 1], self.found[cardinality, -1]
                both = proofs[cardinality, 1], proofs[cardinality, -1]
                self._finish(cardinality, best, worst, "heuristic", both)

    def _extend(self, seconds: float) -> None:
        steps = guiver_search.followed(self.judge, self.rest[-1], self._phase(seconds), self.executor)
        for cardinality, best, worst in steps:
            if cardinality in self.rest:
                self._finish(cardinality, best, worst, "heuristic")

    def _finish(
        self,
        cardinality: int,
        best: tuple[Valued, ...],
        worst: tuple[Valued, ...],
        status: Status,
        certified: tuple[Proof, Proof] | None = None,
    ) -> None:
        sampled = self.sampled[cardinality]
        all_of_them = self.means.get(cardinality)
        self.points[cardinality] = point_of(
            self.matrix.topics,
            measure_of(self.request.goodness),
            cardinality,
            (best, worst),
            status,
            sampling.with_mean(sampled, all_of_them, self.judge.n_topics, cardinality),
            certified,
        )
        if self.show is not None:
            self.show(self._curve())

    def _curve(self) -> SubsetCurve:
        return SubsetCurve(
            measure=measure_of(self.request.goodness),
            topics=self.matrix.topics,
            n_systems=self.matrix.n_systems,
            cardinalities=self.request.cardinalities,
            points=tuple(self.points[c] for c in sorted(self.points)),
            n_trials=self.request.n_trials,
            seed=self.request.seed,
        )
