"""Subsets evaluated by Pearson's correlation."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import (
    Enumerated,
    EnumerationTask,
    Floats,
    Topics,
    Valued,
    refuse_equal_means,
    valued_subsets,
)
from topicset_core.analyses.topic_subsets.enumeration import parts
from topicset_core.analyses.topic_subsets.exact_sums import Covariances, RunSums
from topicset_core.analyses.topic_subsets.searches import MOST_SWAPPED, CompiledSearch, evaluations_of

_INNER_TOPICS = 22
"""Topics whose subsets are tabulated; measured fastest from 22 on, and tables stay under 60 MB."""

_TASK_SUBSETS = 1.5e8  # about a fifth of a second
_TASK_SUBSETS_WITH_MEAN = 3e7  # roots take about eight times as long
_NONE = -8.0  # as in the kernels
_STEPWISE_PER_SECOND = 1.5e9  # scores that are added up


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationCriterion(CompiledSearch):
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
        """See `CompiledSearch`."""
        return _kernels()

    @property
    def search_arguments(self) -> tuple[Any, ...]:
        """See `CompiledSearch`."""
        return self.cov, self.b, self.tolerance

    @property
    def rows(self) -> Floats:
        """See `searches.SumCriterion`."""
        return self.centred

    def with_one_changed(self, sums: Floats, *, less: bool) -> Floats:
        """See `searches.SumCriterion`."""
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
                    prefixes=part.prefixes,
                    mean=mean,
                    cost=part.n_subsets * (8.0 if mean else 1.0),
                )
                for part in parts(n, size, min(n, _INNER_TOPICS), limit)
            ]
        return tasks

    def enumerate(self, task: EnumerationTask) -> dict[int, Enumerated]:
        """See `Criterion.enumerate`."""
        n, c, form = self.n_topics, task.cardinality, self.covariances
        inner = min(n, _INNER_TOPICS)
        both = n - c in task.sizes and n - c != c
        values, members, sums, undefined = _kernels().enumerate_subsets(
            form.cov,
            form.b,
            c,
            inner,
            _binomials(),
            _tables(form.cov.tobytes(), n, inner, min(_deepest(c), inner)),
            *task.prefix_arrays,
            form.tolerance,
            both,
            task.mean,
        )
        root = math.sqrt(float(form.b.sum()))
        result = {}
        for side, size in enumerate(dict.fromkeys((c, n - c))):
            if size in task.sizes:
                chosen = [members[2 * side], members[2 * side + 1]]
                result[size] = Enumerated(
                    best=self._kept(values[2 * side], chosen[0], 1, complement=size != c),
                    worst=self._kept(values[2 * side + 1], chosen[1], -1, complement=size != c),
                    total=float(sums[side]) / root,
                    n_undefined=int(undefined[side]),
                )
        return result

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


def _deepest(cardinality: int) -> int:
    """Round up, so that neighbouring cardinalities share one table."""
    return min(-(-cardinality // 6) * 6, _INNER_TOPICS)


@lru_cache(maxsize=2)
def _tables(covariances: bytes, n: int, inner: int, deepest: int) -> Any:
    """Return the tables of the inner topics; two are remembered, up to 60 MB each."""
    cov = np.frombuffer(covariances).reshape(n, n)
    return _kernels().inner_tables(cov, cov.sum(axis=1), inner, deepest, _binomials())
