"""Criteria that score subsets of topics: one interface for all measures of goodness.

Inside the analysis goodness is oriented so that more is better: correlation, tau, minus the error rate.
Subsets are arrays of ascending topic numbers, counted from 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError

Floats = NDArray[np.float64]
Topics = NDArray[np.int64]

KEPT = 10
"""Best and worst subsets that are kept at each cardinality, as in the paper's section 5.5."""


UNDEFINED = -5.0
"""Above: a goodness. Criteria and kernels give -8 or less for "no correlation", and -4 or more else."""


class Valued(NamedTuple):
    """A subset with its oriented goodness."""

    value: float
    topics: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Enumerated:
    """The result of a part of an enumeration at one cardinality."""

    # Up to ten, the most extreme first
    best: tuple[Valued, ...]
    worst: tuple[Valued, ...]
    total: float  # sum of the oriented goodness of all subsets that have one
    n_undefined: int  # subsets without a correlation


@dataclass(frozen=True, kw_only=True)
class EnumerationTask:
    """A part of an enumeration of under half a second: all subsets that begin in certain ways."""

    cardinality: int  # size of the subsets, or of the largest
    sizes: tuple[int, ...]  # cardinalities to report, complements included
    prefixes: tuple[tuple[tuple[int, ...], bool], ...]  # first topics of subsets, and whether more may follow
    mean: bool  # whether to add goodness up
    cost: float

    @property
    def prefix_arrays(self) -> tuple[Topics, Topics, NDArray[np.bool_]]:
        """Prefixes, (k, longest), their lengths, and whether more topics may follow."""
        lengths = np.array([len(prefix) for prefix, _ in self.prefixes])
        prefixes = np.zeros((len(lengths), max(1, int(lengths.max()))), dtype=np.int64)
        for row, (prefix, _) in enumerate(self.prefixes):
            prefixes[row, : len(prefix)] = prefix
        return prefixes, lengths, np.array([extends for _, extends in self.prefixes])


class Evaluation(Protocol):
    """Gives the goodness of subsets."""

    def value(self, topics: Sequence[int]) -> float | None:
        """Return the oriented goodness of one subset, None where it has no correlation."""

    def walk(self, orders: Topics, cardinalities: Topics) -> Floats:
        """Return the goodness of the first c topics of each order, (k, n_sizes); -9 or less if undefined."""


class Criterion(Evaluation, Protocol):
    """Scores and searches subsets of one matrix by one measure; can be sent to other processes."""

    @property
    def evaluations_per_second(self) -> float:
        """About how many subsets it can evaluate."""

    @property
    def n_topics(self) -> int:
        """Topics in all."""

    def seconds_per_start(self, cardinality: int) -> float:
        """Return roughly the seconds of `local_search` from one random start of that size."""

    def local_search(self, starts: Topics, cardinality: int, sign: int) -> list[Valued]:
        """Bring starts, (k, size), to a size and exchange topics while that gains; `sign` -1 for the worst."""

    def neighbours(self, topics: Sequence[int], sign: int) -> list[Valued]:
        """Return the ten best (or worst) sets that differ by one exchange."""

    def extend(self, topics: Sequence[int], removed: Topics, sign: int) -> Valued | None:
        """Return the best (or worst) set of one more topic: places `removed`, (k, 2), go, up to 3 topics come."""

    def plan(self, sizes: Mapping[int, bool]) -> list[EnumerationTask]:
        """Return the parts of an enumeration of these cardinalities; True for those with their mean."""

    def enumerate(self, task: EnumerationTask) -> dict[int, Enumerated]:
        """Do a part of an enumeration."""


def refuse_equal_means() -> InputError:
    """Return the error for runs that all have the same mean."""
    return InputError("scores", "equal means", "must not give all runs the same mean over all topics")


def valued_subsets(values: Floats, members: NDArray[Any], sign: int) -> list[Valued]:
    """Convert kernel results, sign times goodness, to subsets with their goodness; leave out undefined ones."""
    return [
        Valued(sign * float(value), tuple(topics.tolist()))
        for value, topics in zip(values, members, strict=True)
        if value > UNDEFINED
    ]


def best_exchanges(values: Floats, topics: Sequence[int], sign: int) -> list[Valued]:
    """Return the ten best exchanges of a table, (c, n), of goodness: topic k out, topic q in."""
    oriented = np.where(values > UNDEFINED, sign * values, -np.inf).ravel()
    least = -np.partition(-oriented, KEPT - 1)[KEPT - 1] if oriented.size > KEPT else -np.inf
    places = np.nonzero((oriented >= least) & np.isfinite(oriented))[0]
    results = []
    for place in places[np.argsort(-oriented[places], kind="stable")][:KEPT].tolist():
        leaves, comes = divmod(place, values.shape[1])
        swapped = (*topics[:leaves], *topics[leaves + 1 :], comes)
        results.append(Valued(float(values[leaves, comes]), tuple(sorted(swapped))))
    return results


def changed(topics: Sequence[int], change: Topics) -> tuple[int, ...]:
    """Return the topics after a change: two that may leave, three that may enter, -1 for no topic."""
    gone = set(change[:2].tolist())
    return tuple(
        sorted([topic for topic in topics if topic not in gone] + [t for t in change[2:].tolist() if t >= 0])
    )


def best_of(result: Sequence[Valued], sign: int) -> tuple[Valued, ...]:
    """Return the ten best (worst), ties in the order of their topics."""
    return tuple(sorted(result, key=lambda one: (-sign * one.value, one.topics))[:KEPT])


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the random numbers of one purpose, which are the same whatever else is drawn."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def random_orders(rng: np.random.Generator, n_topics: int, n_orders: int) -> Topics:
    """Return random orders of all topics, (n_orders, n_topics); the first c are a random subset, for every c."""
    return rng.permuted(np.tile(np.arange(n_topics), (n_orders, 1)), axis=1)


def random_subsets(rng: np.random.Generator, n_topics: int, cardinality: int, n_subsets: int) -> Topics:
    """Return random subsets, (n_subsets, cardinality)."""
    return np.ascontiguousarray(random_orders(rng, n_topics, n_subsets)[:, :cardinality])
