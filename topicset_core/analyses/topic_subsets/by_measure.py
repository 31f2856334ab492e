"""Subsets evaluated by Pearson's correlation, or by the order of pairs of runs: Kendall's tau-b, error rate."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import (
    MOST_SWAPPED,
    Criterion,
    Enumerated,
    EnumerationTask,
    Floats,
    Topics,
    Valued,
    evaluations_of,
    refuse_equal_means,
    valued_subsets,
)
from topicset_core.analyses.topic_subsets.enumeration import parts
from topicset_core.analyses.topic_subsets.exact_sums import Covariances, RunSums, whole_numbers
from topicset_core.analyses.topic_subsets.goodness import Goodness
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

_INNER_TOPICS = 22
"""Topics whose subsets are tabulated; measured fastest from 22 on, and tables stay under 60 MB."""

_TASK_SUBSETS = 1.5e8  # about a fifth of a second
_TASK_SUBSETS_WITH_MEAN = 3e7  # roots take about eight times as long
_NONE = -8.0  # as in the kernels
_STEPWISE_PER_SECOND = 1.5e9  # scores that are added up


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationCriterion(Criterion):
    """Correlation of run means; symbols as in `kernels.pearson`."""

    centred: Floats  # (n_topics, n_systems): scores less their mean over runs, scaled by a power of 2
    cov: Floats  # (n_topics, n_topics): sums of products of rows of Z; (0, 0) of more topics than are swapped
    b: Floats  # (n_topics,): row sums of C; their sum T is from 1 to 4
    tolerance: float  # sums of squares up to this are rounding: the run means are all the same
    sums: RunSums  # the scores themselves
    evaluations_per_second: float = 5e8

    @classmethod
    def of(cls, scores: Floats, *, most_swapped: int = MOST_SWAPPED) -> "CorrelationCriterion":
        """Prepare scores, (n_topics, n_systems); of more topics than are swapped without covariances."""
        is_large = len(scores) > most_swapped  # the covariances of 7,000 topics would take 400 MB
        # A first scaling keeps squares of scores as large as 1e100 in range.
        centred = scores / 2.0 ** math.frexp(float(np.abs(scores).max()) or 1.0)[1]
        constant = np.ptp(centred, axis=1) == 0
        centred -= centred.mean(axis=1, keepdims=True)
        centred[constant] = 0.0  # the mean of equal numbers may differ from them in the last bit
        cov = np.empty((0, 0)) if is_large else centred @ centred.T
        squares = np.square(centred).sum(axis=1) if is_large else np.diagonal(cov)
        # A standard deviation of run means a few millionths of a topic's own is within rounding.
        share = len(scores) * 2.0**-46
        tolerance = float(squares.max()) * share
        full = centred.sum(axis=0)
        total = float(full @ full) if is_large else float(cov.sum())
        if total <= tolerance:
            raise refuse_equal_means()
        half_exponent = -(math.frexp(total)[1] - 1) // 2  # T becomes 1 to 4
        scale = 4.0**half_exponent
        centred *= 2.0**half_exponent
        cov *= scale
        return cls(
            centred=centred,
            cov=cov,
            b=centred @ centred.sum(axis=0) if is_large else cov.sum(axis=1),
            tolerance=tolerance * scale,
            sums=RunSums.of(scores, share),
        )

    @cached_property
    def covariances(self) -> Covariances:
        """The covariances that an enumeration adds up."""
        return Covariances.of(self.sums)

    @property
    def kernels(self) -> Any:
        """See `Criterion`."""
        return _kernels()

    @property
    def search_arguments(self) -> tuple[Any, ...]:
        """See `Criterion`."""
        return self.cov, self.b, self.tolerance

    @property
    def rows(self) -> Floats:
        """See `Criterion`."""
        return self.centred

    def with_one_changed(self, sums: Floats, *, less: bool) -> Floats:
        """See `Criterion`."""
        step = -1.0 if less else 1.0
        b_sums = float(sums @ self._full) + step * self.b
        squares = float(sums @ sums) + step * 2 * np.einsum("ij,j->i", self.centred, sums) + self._squares
        defined = squares > self.tolerance
        roots = np.sqrt(np.where(defined, squares, 1.0) * float(self._full @ self._full))
        return np.where(defined, b_sums / roots, _NONE)

    @cached_property
    def _full(self) -> Floats:
        return np.asarray(self.centred.sum(axis=0))

    @cached_property
    def _squares(self) -> Floats:
        return np.asarray(np.square(self.centred).sum(axis=1))

    def value(self, topics: Sequence[int]) -> float | None:
        """Return the correlation, from the scores themselves, so that no digit is lost."""
        return self.sums.correlation(topics)

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """See `Criterion.walk`."""
        return walk_against(self.centred, self._full, self.tolerance, orders, cardinalities)

    def seconds_per_start(self, cardinality: int) -> float:
        """See `Criterion.seconds_per_start`: exchanges grow with the topics that are not in place yet."""
        n = self.n_topics
        if n > MOST_SWAPPED:
            return evaluations_of(n, cardinality) * self.centred.size / _STEPWISE_PER_SECOND
        return cardinality * n * (0.6 * min(cardinality, n - cardinality) + 2) / 3e8

    def plan(self, sizes: Mapping[int, bool]) -> list[EnumerationTask]:
        """See `Criterion.plan`: one enumeration for each cardinality and its complement."""
        n = self.n_topics
        tasks = []
        for size in sorted({min(c, n - c) for c in sizes} - {0}):
            requested = tuple(c for c in (size, n - size) if c in sizes)
            mean = any(sizes[c] for c in requested)
            limit = _TASK_SUBSETS_WITH_MEAN if mean else _TASK_SUBSETS
            tasks += [
                EnumerationTask(
                    cardinality=size,
                    sizes=tuple(dict.fromkeys(requested)),
                    prefixes=tuple(prefixes),
                    mean=mean,
                    cost=n_subsets * (8.0 if mean else 1.0),
                )
                for prefixes, n_subsets in parts(n, (size,), min(n, _INNER_TOPICS), limit)
            ]
        return tasks

    def enumerate(self, task: EnumerationTask) -> dict[int, Enumerated]:
        """See `Criterion.enumerate`."""
        n, c, form = self.n_topics, task.cardinality, self.covariances
        inner = min(n, _INNER_TOPICS)
        deepest = min(-(-c // 6) * 6, inner)  # neighbouring cardinalities share one table
        both = n - c in task.sizes and n - c != c
        values, members, sums, undefined = _kernels().enumerate_subsets(
            form.cov,
            form.b,
            c,
            inner,
            _binomials(),
            _tables(form.cov.tobytes(), n, inner, deepest),
            *task.prefix_arrays,
            form.tolerance,
            both,
            task.mean,
        )
        root = math.sqrt(float(form.b.sum()))
        return {
            size: Enumerated(
                best=self._kept(values[2 * side], members[2 * side], 1, complement=size != c),
                worst=self._kept(values[2 * side + 1], members[2 * side + 1], -1, complement=size != c),
                total=float(sums[side]) / root,
                n_undefined=int(undefined[side]),
            )
            for side, size in enumerate(dict.fromkeys((c, n - c)))
            if size in task.sizes
        }

    def _kept(
        self, values: Floats, members: NDArray[Any], sign: int, *, complement: bool
    ) -> tuple[Valued, ...]:
        result = valued_subsets(values, members, sign)
        if complement:
            everything = set(range(self.n_topics))
            result = [Valued(value, tuple(sorted(everything.difference(topics)))) for value, topics in result]
        return tuple(self.exact(result))

    def exact(self, results: list[Valued]) -> list[Valued]:
        """Replace kernel values by correlations from the scores."""
        if not results:
            return []
        exact = self.sums.correlations(np.array([topics for _, topics in results], dtype=np.int64))
        return [
            Valued(value, topics)
            for value, (_, topics) in zip(exact, results, strict=True)
            if value is not None
        ]


def walk_against(
    centred: Floats, reference: Floats, tolerance: float, orders: Topics, cardinalities: Topics
) -> Floats:
    """Return the correlation with the reference of the first topics of each order; see `Evaluation.walk`."""
    # Scores of chosen runs may lie in columns; a kernel is compiled for each layout.
    rows = np.ascontiguousarray(centred)
    values = _kernels().walk(rows, reference, orders, cardinalities, tolerance)
    return np.where(values > _NONE, values / math.sqrt(float(reference @ reference)), -9.0)


def _kernels() -> Any:
    from topicset_core.analyses.topic_subsets.kernels import pearson

    return pearson


@lru_cache(maxsize=1)
def _binomials() -> NDArray[np.int64]:
    size = _INNER_TOPICS + 1
    return np.array([[math.comb(n, k) for k in range(size)] for n in range(size)], dtype=np.int64)


@lru_cache(maxsize=2)
def _tables(covariances: bytes, n: int, inner: int, deepest: int) -> Any:
    """Return the tables of the inner topics; two are remembered, up to 60 MB each."""
    cov = np.frombuffer(covariances).reshape(n, n)
    return _kernels().inner_tables(cov, cov.sum(axis=1), inner, deepest, _binomials())


_TASK_PAIRS = 1.2e9  # pairs of runs that a part of an enumeration evaluates: about a third of a second
_EXACT_SINGLE = 2.0**24  # whole numbers up to this are exact in single precision, which is twice as fast
_ROWS = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class PairCriterion(Criterion):
    """Order of pairs of runs; symbols as in `kernels.pairs`."""

    whole: Floats  # (n_topics, n_systems): whole scores, runs in the order of the reference ranking
    reference: Floats  # (n_systems,): sums of whole scores that make the reference ranking, descending
    error_rate: bool  # error rate, else tau-b

    @classmethod
    def of(cls, scores: Floats, *, error_rate: bool, reference: Floats | None = None) -> "PairCriterion":
        """Prepare scores, (n_topics, n_systems); `reference` are scores on other topics that make the ranking."""
        whole = whole_numbers(scores)
        sums = (whole if reference is None else whole_numbers(reference)).sum(axis=0)
        if np.ptp(sums) == 0:
            raise refuse_equal_means()
        order = np.argsort(-sums, kind="stable")
        whole = np.ascontiguousarray(whole[:, order])
        return cls(whole=whole, reference=sums[order], error_rate=error_rate)

    @property
    def evaluations_per_second(self) -> float:
        """See `Criterion.evaluations_per_second`."""
        return (9e9 if self._is_single else 4e9) / self._weights.size

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The better and the other run of each pair; pairs tied over all topics come last."""
        better, other = np.triu_indices(self.reference.size, k=1)
        order = np.argsort(self.reference[better] == self.reference[other], kind="stable")
        return better[order], other[order]

    @cached_property
    def _weights(self) -> Floats:
        """Differences over all topics, (n_pairs,): the weight of a pair in the error rate."""
        better, other = self._pairs
        return np.asarray(self.reference[better] - self.reference[other])

    @cached_property
    def _untied(self) -> int:
        """Pairs that are not tied over all topics."""
        return int(np.count_nonzero(self._weights))

    @cached_property
    def _is_single(self) -> bool:
        """Whether sums of all differences are exact in single precision."""
        # The lowest score of each topic is 0, so no difference exceeds the highest; whole numbers add up exactly.
        single = self.whole.max(axis=1).sum() < _EXACT_SINGLE and self._weights.size < _EXACT_SINGLE
        return bool(single and not (self.error_rate and _shift(self._weights) is None))

    @cached_property
    def _differences(self) -> NDArray[Any]:
        """Differences of whole scores, (n_topics, n_pairs), in single precision where sums are exact in it."""
        better, other = self._pairs
        kind = np.float32 if self._is_single else np.float64
        differences = np.empty((self.n_topics, better.size), dtype=kind)
        # Few rows at a time: in all they may take most of the memory.
        for start in range(0, self.n_topics, _ROWS):
            some = self.whole[start : start + _ROWS]
            differences[start : start + _ROWS] = some[:, better] - some[:, other]
        return differences

    @property
    def kernels(self) -> Any:
        """See `Criterion`."""
        from topicset_core.analyses.topic_subsets.kernels import pairs

        return pairs

    @property
    def rows(self) -> Floats:
        """See `Criterion`."""
        return self.whole

    def with_one_changed(self, sums: Floats, *, less: bool) -> Floats:
        """See `Criterion`."""
        by_run, largest = self._by_run
        return np.asarray(
            self.kernels.with_one_changed(
                by_run, largest, *self._ranking, by_run.dtype.type(1), self.error_rate, sums, less
            )
        )

    @cached_property
    def _by_run(self) -> tuple[NDArray[Any], Floats]:
        """Whole scores, (n_systems, n_topics), and the largest difference of each pair of runs on a topic."""
        kind = np.float32 if 2 * self.whole.max() < _EXACT_SINGLE else np.float64
        by_run = np.ascontiguousarray(self.whole.T, dtype=kind)
        return by_run, np.array([np.abs(by_run - run).max(axis=1) for run in by_run], dtype=np.float64)

    @cached_property
    def _ranking(self) -> tuple[Floats, Topics, float, int]:
        """What kernels need to know of the reference ranking; see `kernels.pairs.walk`."""
        last_tied = np.searchsorted(-self.reference, -self.reference, side="right") - 1
        return self.reference, last_tied.astype(np.int64), float(self._weights.sum()), self._untied

    def value(self, topics: Sequence[int]) -> float | None:
        """Return tau-b or minus the error rate, counted again."""
        better, other = self._pairs
        of_runs = self.whole[list(topics)].sum(axis=0)
        sums = of_runs[better] - of_runs[other]
        if self.error_rate:
            doubled = float(self._weights @ (1.0 - np.sign(sums)))
            return -doubled / (2 * float(self._weights.sum())) + 0.0
        untied = int(np.count_nonzero(sums))
        if untied == 0:
            return None
        signs = np.sign(sums[: self._untied])
        return float(signs.sum()) / math.sqrt(float(untied) * float(self._untied))

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """See `Criterion.walk`."""
        return np.asarray(
            self.kernels.walk(self.whole, *self._ranking, self.error_rate, orders, cardinalities)
        )

    def seconds_per_start(self, cardinality: int) -> float:
        """See `Criterion.seconds_per_start`: about four rounds of trying all exchanges."""
        if self.n_topics > MOST_SWAPPED:
            return evaluations_of(self.n_topics, cardinality) * self.n_topics / self.evaluations_per_second
        return 4 * cardinality * max(1, self.n_topics - cardinality) / self.evaluations_per_second

    def plan(self, sizes: Mapping[int, bool]) -> list[EnumerationTask]:
        """See `Criterion.plan`: one enumeration for all cardinalities up to the largest, and complements."""
        n = self.n_topics
        deepest = max((min(c, n - c) for c in sizes), default=0)
        limit, singles = max(_TASK_PAIRS / 2 / self._weights.size, 1.0), [(topic,) for topic in range(n)]
        return [
            EnumerationTask(
                cardinality=deepest,
                sizes=tuple(sorted(sizes)),
                prefixes=tuple(prefixes),
                mean=True,
                cost=n_subsets,
            )
            for prefixes, n_subsets in parts(n, range(1, deepest + 1), 0, limit, singles)
        ]

    def enumerate(self, task: EnumerationTask) -> dict[int, Enumerated]:
        """See `Criterion.enumerate`."""
        slots = np.full(self.n_topics + 1, -1, dtype=np.int64)
        slots[list(task.sizes)] = np.arange(len(task.sizes))
        differences, *others, error_rate = self.search_arguments
        values, members, sums, undefined = self.kernels.enumerate_subsets(
            differences,
            differences.sum(axis=0),
            *others,
            task.cardinality,
            slots,
            len(task.sizes),
            *task.prefix_arrays,
            error_rate,
        )
        return {
            size: Enumerated(
                best=tuple(valued_subsets(values[slot, 0], members[slot, 0, :, :size], 1)),
                worst=tuple(valued_subsets(values[slot, 1], members[slot, 1, :, :size], -1)),
                total=float(sums[slot]),
                n_undefined=int(undefined[slot]),
            )
            for slot, size in enumerate(task.sizes)
        }

    @cached_property
    def search_arguments(self) -> tuple[Any, ...]:
        """See `Criterion`."""
        kind = self._differences.dtype.type
        weights = self._weights
        shift = (_shift(weights) or 1.0) if kind is np.float32 else 1.0
        high, low = np.divmod(weights, shift)
        return (
            self._differences,
            high.astype(kind),
            low.astype(kind),
            shift,
            float(weights.sum()),
            self._untied,
            kind(1),
            self.error_rate,
        )


def _shift(weights: Floats) -> float | None:
    """Return a power of 2 that halves weights so that both halves, doubled, add up exactly in single precision."""
    for exponent in range(1, 24):
        high, low = np.divmod(weights, 2.0**exponent)
        if 2 * high.sum() < _EXACT_SINGLE and 2 * low.sum() < _EXACT_SINGLE:
            return 2.0**exponent
    return None


def criterion_for(matrix: ScoreMatrix, goodness: Goodness) -> Criterion:
    """Return the criterion for a matrix."""
    if matrix.n_systems < 2:
        raise InputError("systems", matrix.n_systems, "must be at least 2 runs for a ranking")
    return criterion_of(matrix.scores, goodness)


def criterion_of(scores: Floats, goodness: Goodness) -> Criterion:
    """Return the criterion for scores, (n_topics, n_systems)."""
    if goodness == "pearson":
        return CorrelationCriterion.of(scores)
    return PairCriterion.of(scores, error_rate=goodness == "error-rate")
