"""Subsets evaluated by the order of pairs of runs: Kendall's tau-b, or the weighted average error rate."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.topic_subsets.criterion import (
    Enumerated,
    EnumerationTask,
    Floats,
    Topics,
    refuse_equal_means,
    valued_subsets,
)
from topicset_core.analyses.topic_subsets.enumeration import parts_of_all
from topicset_core.analyses.topic_subsets.exact_sums import whole_numbers
from topicset_core.analyses.topic_subsets.searches import MOST_SWAPPED, CompiledSearch, evaluations_of

_TASK_PAIRS = 1.2e9  # pairs of runs that a part of an enumeration evaluates: about a third of a second
_EXACT_SINGLE = 2.0**24  # whole numbers up to this are exact in single precision, which is twice as fast
_ROWS = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class PairCriterion(CompiledSearch):
    """Order of pairs of runs; symbols as in `kernels.pairs`."""

    whole: Floats  # (n_topics, n_systems): whole scores, runs in the order of the reference ranking
    reference: Floats  # (n_systems,): sums of whole scores that make the reference ranking, descending
    error_rate: bool  # error rate, else tau-b
    evaluations_per_second: float

    @classmethod
    def of(cls, scores: Floats, *, error_rate: bool, reference: Floats | None = None) -> "PairCriterion":
        """Prepare scores, (n_topics, n_systems); `reference` are scores on other topics that make the ranking."""
        whole = whole_numbers(scores)
        sums = (whole if reference is None else whole_numbers(reference)).sum(axis=0)
        if np.ptp(sums) == 0:
            raise refuse_equal_means()
        order = np.argsort(-sums, kind="stable")
        one = cls(
            whole=np.ascontiguousarray(whole[:, order]),
            reference=sums[order],
            error_rate=error_rate,
            evaluations_per_second=0.0,
        )
        speed = 9e9 if one._is_single else 4e9
        return replace(one, evaluations_per_second=speed / one._weights.size)

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
        """See `CompiledSearch`."""
        from topicset_core.analyses.topic_subsets.kernels import pairs

        return pairs

    @property
    def rows(self) -> Floats:
        """See `searches.SumCriterion`."""
        return self.whole

    def with_one_changed(self, sums: Floats, *, less: bool) -> Floats:
        """See `searches.SumCriterion`."""
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
        return by_run, np.array([np.abs(by_run - one).max(axis=1) for one in by_run], dtype=np.float64)

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
            return -float(self._weights[sums < 0].sum()) / float(self._weights.sum()) + 0.0
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
        return [
            EnumerationTask(
                cardinality=deepest,
                sizes=tuple(sorted(sizes)),
                prefixes=part.prefixes,
                mean=True,
                cost=part.n_subsets,
            )
            for part in parts_of_all(n, deepest, max(_TASK_PAIRS / 2 / self._weights.size, 1.0))
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
        """See `CompiledSearch`."""
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
    """Return a power of 2 that halves weights so that both halves add up exactly in single precision."""
    for exponent in range(1, 24):
        high, low = np.divmod(weights, 2.0**exponent)
        if high.sum() < _EXACT_SINGLE and low.sum() < _EXACT_SINGLE:
            return 2.0**exponent
    return None
