"""Goodness against cardinality: what is found, in units of the measure and ids of topics."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from topicset_core.analyses.topic_subsets.goodness import GoodnessMeasure

Status = Literal["exhaustive", "heuristic", "proved", "gap"]
"""``exhaustive``: all subsets were looked at, none is better (worse); ``proved``: none is, by branch and bound, but
for `certificates.PROOF_TOLERANCE`; ``gap``: one may be, up to a bound; ``heuristic``: one may be."""

PERCENTILES = (5, 25, 50, 75, 95)
"""Of the goodness of random subsets."""


@dataclass(frozen=True, kw_only=True)
class Subset:
    """A subset of topics.

    Parameters
    ----------
    value : float
        Its goodness, in units of the measure.
    topics : tuple of str
        Ids, in the order of the matrix.
    status : {"exhaustive", "heuristic", "proved", "gap"}
        Whether it is known to be the best (worst).
    bound : float or None
        With ``gap``: what the value of no subset exceeds (falls below). None else.
    """

    value: float
    topics: tuple[str, ...]
    status: Status
    bound: float | None = None


@dataclass(frozen=True, kw_only=True)
class CurvePoint:
    """All that is known of one cardinality.

    Parameters
    ----------
    cardinality : int
        Topics in a subset.
    ten_best, ten_worst : tuple of Subset
        Up to ten, the best (worst) first; fewer where there are fewer, or where the method finds one. Only the
        first is ever ``proved`` or a ``gap``; the others beside it are ``heuristic``.
    mean : float or None
        Mean goodness of all subsets, or of random ones; None where no subset has a correlation.
    mean_standard_error : float
        0 where the mean is that of all subsets.
    n_averaged, n_undefined : int
        Subsets behind the mean, and how many of those looked at have no correlation and are left out.
    percentiles : mapping of int to float
        Of goodness, of random subsets or of all where these are few; empty where none has a correlation.
    """

    cardinality: int
    ten_best: tuple[Subset, ...]
    ten_worst: tuple[Subset, ...]
    mean: float | None
    mean_standard_error: float
    n_averaged: int
    n_undefined: int
    percentiles: Mapping[int, float]

    @property
    def best(self) -> Subset | None:
        """The best subset; None where none has a correlation."""
        return self.ten_best[0] if self.ten_best else None

    @property
    def worst(self) -> Subset | None:
        """The worst subset; None where none has a correlation."""
        return self.ten_worst[0] if self.ten_worst else None


@dataclass(frozen=True, kw_only=True)
class Crossings:
    """The fewest topics that reach a target; None where no cardinality that was looked at does.

    Parameters
    ----------
    target : float
        Goodness to reach.
    best, mean, worst : int or None
        By the best subset, on average, and even by the worst subset.
    """

    target: float
    best: int | None
    mean: int | None
    worst: int | None


@dataclass(frozen=True, kw_only=True)
class SubsetCurve:
    """Goodness against cardinality, as far as it is known.

    Parameters
    ----------
    measure : GoodnessMeasure
        How subsets are judged.
    topics : tuple of str
        All ids of the matrix.
    n_systems : int
        Runs that are ranked.
    cardinalities : tuple of int
        All that were asked for, ascending.
    points : tuple of CurvePoint
        By ascending cardinality; those that are not done yet are missing.
    n_trials, seed : int
        Random subsets a cardinality, and where they come from.
    """

    measure: GoodnessMeasure
    topics: tuple[str, ...]
    n_systems: int
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
        """Whether all that was asked for is done."""
        return len(self.points) == len(self.cardinalities)

    def at(self, cardinality: int) -> CurvePoint | None:
        """Return the point of a cardinality, None where it was not looked at."""
        return next((point for point in self.points if point.cardinality == cardinality), None)

    def crossings(self, target: float) -> Crossings:
        """Read the curve across: the fewest topics by which best, mean and worst reach a target.

        For worst it is the cardinality from which on all subsets that were looked at reach it, as the
        lowest curve may dip below the target again; best and mean are read at their first crossing.
        """

        def first(values: list[tuple[int, float]]) -> int | None:
            return next((c for c, value in values if self.measure.meets(value, target)), None)

        worst = [(point.cardinality, point.worst.value) for point in self.points if point.worst]
        failing = [c for c, value in worst if not self.measure.meets(value, target)]
        return Crossings(
            target=target,
            best=first([(point.cardinality, point.best.value) for point in self.points if point.best]),
            mean=first([(point.cardinality, point.mean) for point in self.points if point.mean is not None]),
            worst=next((c for c, _ in worst if not failing or c > failing[-1]), None),
        )
